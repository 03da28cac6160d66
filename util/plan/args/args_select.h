/* SPDX-License-Identifier: BSD-2-Clause */
/* What to capture of a function's arguments, for what the user selected (util/ask/args_selection.h). */
#ifndef RETSNOOP_PLAN_ARGS_ARGS_SELECT_H
#define RETSNOOP_PLAN_ARGS_ARGS_SELECT_H

#include <stdbool.h>

#include "util/ask/args_selection.h"
#include "util/plan/args/args.h"

struct arch;

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
