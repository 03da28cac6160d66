/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The branch records in retsnoop's JSON, with the kernel's code around them, for tests/lbr/check.
 * In a test kernel, while retsnoop still runs.
 *
 * retsnoop lbr --lbr-full --format=json ... | lbr-from-json [TYPES]
 *
 * Exit status: 0 there was a record; 1 there was none; 2 what came was no such thing; 3 this machine
 * cannot.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lbr/rings.h"
#include "util/base/report.h"

/* The text of the array that is a line's value of @name, ended by zero; NULL: it has none. */
static char *array_of(char *line, const char *name)
{
	char *begin = strstr(line, name), *at;
	int depth = 0;

	if (!begin)
		return NULL;
	begin += strlen(name);
	if (*begin != '[')
		return NULL;
	for (at = begin; *at; at++) {
		if (*at == '"') {	/* a string, up to its end */
			for (at++; *at && *at != '"'; at++)
				if (*at == '\\' && at[1])
					at++;
			if (!*at)
				return NULL;
		} else if (*at == '[') {
			depth++;
		} else if (*at == ']' && !--depth) {
			*at = '\0';
			return begin + 1;
		}
	}
	return NULL;
}

/* The address behind @name, somewhere in an object; moves @at behind it. */
static bool address_of(char **at, const char *name, __u64 *ret_addr)
{
	char *text = strstr(*at, name), *end;

	if (!text)
		return false;
	text = strstr(text, "\"0x");
	if (!text)
		return false;
	errno = 0;
	*ret_addr = strtoull(text + 1, &end, 16);
	*at = end;
	return *end == '"' && !errno;
}

int main(int argc, char **argv)
{
	struct event_branch branches[EVENT_MAX_BRANCHES];
	const char *types = argc > 1 ? argv[1] : "any";
	unsigned int nr_rings = 0;
	size_t size = 0, nr, i;
	char *line = NULL, *at;
	struct rings *rings;
	char name[32];

	if (rings_open(&rings))
		return 3;
	while (getline(&line, &size, stdin) > 0) {
		if (!strstr(line, "\"type\":\"session\""))
			continue;
		at = array_of(line, "\"branches\":");
		if (!at)
			continue;
		for (nr = 0; nr < EVENT_MAX_BRANCHES; nr++) {
			struct event_branch *branch = &branches[nr];

			if (!address_of(&at, "\"from\":", &branch->from))
				break;
			if (!address_of(&at, "\"to\":", &branch->to)) {
				report(-EINVAL, "a branch from %#lx to nowhere",
				       (unsigned long)branch->from);
				return 2;
			}
		}
		/* they are printed oldest first */
		for (i = 0; i < nr / 2; i++) {
			struct event_branch other = branches[i];

			branches[i] = branches[nr - 1 - i];
			branches[nr - 1 - i] = other;
		}
		snprintf(name, sizeof(name), "session/%u", nr_rings++);
		rings_print(rings, name, types, branches, nr);
		fflush(stdout);
	}
	free(line);
	rings_close(rings);
	return !nr_rings;
}
