/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Paths from an argument to a value, as written in options (args_selection.h): their parts.
 * util/plan/args/args_object.h follows them.
 */
#ifndef RETSNOOP_ASK_ARG_PATH_H
#define RETSNOOP_ASK_ARG_PATH_H

#include <stdint.h>

#include "util/base/text/scan.h"
#include "util/base/vec.h"

struct arg_part {
	enum arg_part_kind {
		ARG_PART_ARROW,		/* ->name */
		ARG_PART_DOT,		/* .name */
		ARG_PART_INDEX,		/* [index] */
	} kind;
	char *name;
	uint32_t index;
	int column;		/* of the name or index in the option's text, from 1 */
};

struct arg_path {
	char *text;		/* as given, without surrounding blanks */
	char *name;		/* of the argument */
	int column;
	uint32_t stars;
	VEC(struct arg_part) parts;
};

/* Parse a path into @path, which is empty. Release it even after errors (reported). */
int arg_path_scan(struct scan *s, struct arg_path *path);
void arg_path_release(struct arg_path *path);

#endif
