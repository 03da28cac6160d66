/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which arguments, and what they lead to, as the user writes it: --args 'GLOB: a, b->c.d, *e'.
 *
 *	a		an argument, as without a selection: pointers followed one level
 *	b->c, b.c	a member of what a pointer leads to, of a struct; members of anonymous
 *			members are members like others
 *	b[2]		an element of an array, or the one that far behind a pointer
 *	*e		what a pointer leads to
 *
 * Members that are pointers are shown as such, unless they lead to a string. Up to ARGS_MAX_STEPS
 * pointers are followed, of which only the last may be one to user memory.
 */
#ifndef RETSNOOP_CAPTURE_ARGS_ARGS_SELECT_H
#define RETSNOOP_CAPTURE_ARGS_ARGS_SELECT_H

#include "util/base/vec.h"
#include "util/capture/args/args.h"
#include "util/capture/args/args_path.h"
#include "util/trace/ask/spec.h"

struct arch;

struct args_selection {
	char *text;		/* as it was given */
	struct spec_list funcs;	/* of one spec */
	VEC(struct arg_path) paths;
};

/**
 * Parse what --args was given.
 *
 * @return	0; -EINVAL (reported, with the column); -ENOMEM (reported)
 */
int args_selection_parse(const char *text, struct args_selection *ret_selection);
void args_selection_release(struct args_selection *selection);

/**
 * What to capture of a function, as args_of_func() has it, for what is selected.
 *
 * @selection	must outlive the result, which has names of it
 * @strict	report what cannot be found, and say so; else it is left out. For functions that a
 *		glob selects, of which some have that argument and some have not.
 * @return	0; -EINVAL not all of it can be found or followed, or is too much (reported if
 *		@strict; else only when nothing is left, and not reported); -ENOMEM (reported)
 */
int args_select(const struct args_selection *selection, bool strict, struct kernel_btf *btf,
		const struct args_func *func, const struct syscall_params *syscall,
		const struct args_options *options, const struct arch *arch,
		struct func_args *ret_args);

#endif
