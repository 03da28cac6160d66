/* SPDX-License-Identifier: BSD-2-Clause */
/* Documents that belong to no command. */
#ifndef RETSNOOP_BUILTIN_SUITE_GUIDES_H
#define RETSNOOP_BUILTIN_SUITE_GUIDES_H

struct guide {
	const char *name;	/* as `retsnoop help NAME` has it */
	const char *file;	/* below the documentation's directory; NULL: a manual page */
	int section;		/* of the manual page retsnoop-NAME */
	const char *about;
};

/* NULL: there is none of that name. */
const struct guide *guide_find(const char *name);

/* Print all names. */
void guides_list(void);

/* Print a guide that is a file, through the pager. 0; -ENOENT it is not installed (reported). */
int guide_print(const struct guide *guide);

#endif
