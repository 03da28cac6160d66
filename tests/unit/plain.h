/* SPDX-License-Identifier: BSD-2-Clause */
/* Text without its colours. */
#ifndef RETSNOOP_TESTS_PLAIN_H
#define RETSNOOP_TESTS_PLAIN_H

#include <stdlib.h>
#include <string.h>

/*
 * A copy without escape sequences; each has to end before the line does, and what it begins, too.
 */
static inline char *plain(const char *text)
{
	char *copy = strdup(text), *to = copy;
	int open = 0;

	for (const char *s = text; *s; s++) {
		if (*s == '\n' && open)
			return free(copy), strdup("a colour goes on beyond the end of its line");
		if (*s != '\033') {
			*to++ = *s;
			continue;
		}
		open = s[2] != 'm';
		s = strchr(s, 'm');
	}
	*to = '\0';
	return copy;
}

#endif
