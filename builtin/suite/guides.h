/* SPDX-License-Identifier: BSD-2-Clause */
/* Guides: documents about topics, not about one command. */
#ifndef RETSNOOP_BUILTIN_SUITE_GUIDES_H
#define RETSNOOP_BUILTIN_SUITE_GUIDES_H

#include <stdio.h>

struct guide {
	const char *name;	/* for `retsnoop help NAME` */
	const char *file;	/* in the documentation directory; for a manual page, its source */
	int section;		/* of the manual page retsnoop-NAME; 0: only a file, no page */
	const char *about;
	/* Prints the contents if the page is not installed. NULL: it cannot. */
	void (*print)(FILE *out);
};

/* NULL: no guide has that name. */
const struct guide *guide_find(const char *name);

/* Print all names. */
void guides_list(void);

/*
 * Print a guide through the pager, with its print() or from the file. 0; -ENOENT the file is not
 * installed (reported).
 */
int guide_print(const struct guide *guide);

#endif
