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
#ifndef RETSNOOP_PLAN_ARGS_SYSCALL_FORMATS_H
#define RETSNOOP_PLAN_ARGS_SYSCALL_FORMATS_H

#include <stdbool.h>

#include "util/base/vec.h"

struct syscall_params;
struct tracepoint;

/* The tracepoints read so far; parameters use their strings. Starts zeroed. */
struct syscall_formats {
	VEC(struct tracepoint *) v;
	const char *tracefs;	/* NULL: where it is mounted; for tests; borrowed */
};

/*
 * The parameters of a system call, by its wrapper function; valid as long as @syscalls. False if
 * the function is no wrapper, or its tracepoint is missing or makes no sense.
 */
bool syscall_formats_find(struct syscall_formats *syscalls, const char *func,
			  struct syscall_params *ret_params);
void syscall_formats_release(struct syscall_formats *syscalls);

#endif
