/* SPDX-License-Identifier: BSD-2-Clause */
/* Files and commands in a fixture's own directory. */
#ifndef RETSNOOP_TESTS_DIRECTORY_H
#define RETSNOOP_TESTS_DIRECTORY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/base/strbuf.h"

static inline void write_text(const char *root, const char *name, const char *text)
{
	_cleanup_(free_p) char *path = strf("%s/%s", root, name);
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
}

/* Run a shell command in the directory. Whether it succeeded. */
static inline bool run(const char *root, const char *command)
{
	_cleanup_(free_p) char *line = strf("cd %s && { %s; } >/dev/null 2>&1", root, command);

	return !system(line);
}

#endif
