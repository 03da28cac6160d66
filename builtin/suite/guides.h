/* SPDX-License-Identifier: BSD-2-Clause */
/* Documents that belong to no command. */
#ifndef RETSNOOP_BUILTIN_SUITE_GUIDES_H
#define RETSNOOP_BUILTIN_SUITE_GUIDES_H

#include <stdio.h>

struct guide {
	const char *name;	/* as `retsnoop help NAME` has it */
	const char *file;	/* below the documentation's directory; of a page, its source */
	int section;		/* of the manual page retsnoop-NAME; 0: there is only the file */
	const char *about;
	/* What the program knows of it by itself, where the page is not installed. May be NULL. */
	void (*print)(FILE *out);
};

/* NULL: there is none of that name. */
const struct guide *guide_find(const char *name);

/* Print all names. */
void guides_list(void);

/*
 * Print a guide through the pager: what the program knows, else the file. 0; -ENOENT it is not
 * installed (reported).
 */
int guide_print(const struct guide *guide);

#endif
