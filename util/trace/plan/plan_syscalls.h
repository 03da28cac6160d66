/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * System calls' parameters, from the formats of their tracepoints (`syscalls:sys_enter_*`).
 *
 * The wrappers of system call NAME are `__x64_sys_NAME`, `__arm64_sys_NAME` and, for 32-bit
 * programs if the call is the same for them, `__ia32_sys_NAME`. All of these have sys_enter_NAME's
 * parameters. 32-bit calls that differ are `__ia32_compat_sys_NAME`, `__x64_compat_sys_NAME` (x32)
 * or `__arm64_compat_sys_NAME`: they have no tracepoint, and sys_enter_NAME may have other
 * parameters. So no parameters are found for them, nor for any other function.
 */
#ifndef RETSNOOP_TRACE_PLAN_PLAN_SYSCALLS_H
#define RETSNOOP_TRACE_PLAN_PLAN_SYSCALLS_H

#include <stdbool.h>

#include "util/base/vec.h"

struct syscall_params;
struct tracepoint;

/* The tracepoints read so far; parameters use their strings. Starts zeroed. */
struct plan_syscalls {
	VEC(struct tracepoint *) v;
	const char *tracefs;	/* NULL: where it is mounted; for tests; borrowed */
};

/*
 * The parameters of a system call, by its wrapper function; valid as long as @syscalls. False if
 * the function is no wrapper, or its tracepoint is missing or makes no sense.
 */
bool plan_syscalls_find(struct plan_syscalls *syscalls, const char *func,
			struct syscall_params *ret_params);
void plan_syscalls_release(struct plan_syscalls *syscalls);

#endif
