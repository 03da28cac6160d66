/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions on arguments (util/ask/where.h), compiled for one function. */
#ifndef RETSNOOP_PLAN_ARGS_WHERE_COMPILE_H
#define RETSNOOP_PLAN_ARGS_WHERE_COMPILE_H

#include <stdbool.h>

#include "bpf/arg_items.h"
#include "util/ask/where.h"
#include "util/plan/args/args.h"

struct arch;

/**
 * Compile a condition for one function.
 *
 * All bytes of *ret_where are set, so that equal conditions are equal by memcmp(): functions with
 * the same arguments in the same places can share one (there are WHERE_MAX).
 *
 * @rule	keeps the results of look-ups
 * @strict	report why it does not fit this function; else only some functions that a glob
 *		selects may have these arguments @btf, @syscall
 *		as args_of_func() has them
 * @return	0; -EINVAL an argument or member is missing, or cannot be compared like this
 *		(reported if @strict); -E2BIG more than WHERE_MAX_TESTS different comparisons (the
 *		same)
 */
int where_compile(struct where_rule *rule, bool strict, struct kernel_btf *btf,
		  const struct args_func *func, const struct syscall_params *syscall,
		  const struct arch *arch, struct where *ret_where);

/**
 * Join two conditions of one function: both must hold.
 *
 * @return	0; -E2BIG they have more than WHERE_MAX_TESTS different comparisons (not reported)
 */
int where_and(const struct where *a, const struct where *b, struct where *ret_where);

#endif
