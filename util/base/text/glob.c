// SPDX-License-Identifier: BSD-2-Clause
/* Glob matching with a single point of backtracking: the last `*` seen. */
#include "util/base/text/glob.h"

#include <string.h>

static bool match_from(const char *glob, const char *text, char barrier)
{
	const char *star = NULL, *resume = NULL;

	while (*text) {
		if (*glob == '*') {
			star = glob++;
			resume = text;
		} else if (*glob == *text || (*glob == '?' && *text != barrier)) {
			glob++;
			text++;
		} else if (star && *resume != barrier) {
			glob = star + 1;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}

bool glob_matches(const char *glob, const char *text)
{
	return match_from(glob, text, '\0');
}

bool glob_match_path(const char *glob, const char *path)
{
	return match_from(glob, path, '/');
}

bool is_glob(const char *text)
{
	return strpbrk(text, "*?");
}

char *glob_literal(const char *glob)
{
	const char *longest = glob;
	size_t most = 0, len;

	for (; *glob; glob += len + !!glob[len]) {
		len = strcspn(glob, "*?");
		if (len <= most)
			continue;
		longest = glob;
		most = len;
	}
	return strndup(longest, most);
}
