/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Selected arguments and their targets, as the user writes them: --args 'GLOB: a, b->c.d, *e'.
 *
 *	a		an argument, as without a selection: pointers followed one level
 *	b->c, b.c	a member of what a pointer leads to, of a struct; members of anonymous
 *			members are members like others
 *	b[2]		an element of an array, or the one that far behind a pointer
 *	*e		what a pointer leads to
 *
 * Members that are pointers are shown as such, unless they lead to a string. Up to ARGS_MAX_STEPS
 * pointers are followed; only the last may lead to user memory.
 */
#ifndef RETSNOOP_ASK_ARGS_SELECTION_H
#define RETSNOOP_ASK_ARGS_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "util/ask/arg_path.h"
#include "util/ask/spec.h"
#include "util/base/vec.h"

/* -C args.*, in bytes. With 0, such pointers are not followed. */
struct args_options {
	uint32_t max_total;	/* args.max-total-args-size: of a call */
	uint32_t max_sized;	/* args.max-sized-arg-size: of a pointer's target */
	uint32_t max_str;	/* args.max-str-arg-size: of a string, NUL included */
	bool raw_ptrs;		/* args.capture-raw-ptrs: also the pointers that are followed */
	bool members;		/* show members of files and directory entries, not their path */
};

#define ARGS_DEFAULT_TOTAL 3072
#define ARGS_DEFAULT_SIZED 256
#define ARGS_DEFAULT_STR 256
#define ARGS_OPTIONS_DEFAULT                                                                       \
	{ .max_total = ARGS_DEFAULT_TOTAL, .max_sized = ARGS_DEFAULT_SIZED,                        \
	  .max_str = ARGS_DEFAULT_STR }

struct args_selection {
	char *text;		/* as given */
	struct spec_list funcs;	/* of one spec */
	VEC(struct arg_path) paths;
};

/**
 * Parse the value of --args.
 *
 * @return	0; -EINVAL (reported, with the column); -ENOMEM (reported)
 */
int args_selection_parse(const char *text, struct args_selection *ret_selection);
void args_selection_release(struct args_selection *selection);

#endif
