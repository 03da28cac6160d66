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
#ifndef RETSNOOP_CAPTURE_ARGS_ARGS_SELECT_H
#define RETSNOOP_CAPTURE_ARGS_ARGS_SELECT_H

#include "util/base/vec.h"
#include "util/capture/args/args.h"
#include "util/capture/args/args_path.h"
#include "util/trace/ask/spec.h"

struct arch;

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

/**
 * What to capture of a function, as in args_of_func(), for a selection.
 *
 * @selection	must outlive the result, which uses its names
 * @strict	report parts that cannot be found, and fail; else they are left out, since only
 *		some functions that a glob selects may have such an argument
 * @return	0; -EINVAL a part cannot be found or followed, or it is too much (reported if
 *		@strict; else only if nothing is left, and not reported); -ENOMEM (reported)
 */
int args_select(const struct args_selection *selection, bool strict, struct kernel_btf *btf,
		const struct args_func *func, const struct syscall_params *syscall,
		const struct args_options *options, const struct arch *arch,
		struct func_args *ret_args);

#endif
