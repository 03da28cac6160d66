/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * System calls' parameters, from the formats of their tracepoints (`syscalls:sys_enter_*`).
 *
 * The wrappers of system call NAME are `__x64_sys_NAME`, `__arm64_sys_NAME` and, for 32-bit programs
 * where the call is the same for them, `__ia32_sys_NAME`. All of these have sys_enter_NAME's
 * parameters. Where it is not the same they are `__ia32_compat_sys_NAME`, `__x64_compat_sys_NAME` (x32)
 * or `__arm64_compat_sys_NAME`; those have no tracepoint, and the one of the same name may say
 * something else. Nothing is found for them, nor for other functions, however they are called.
 */
#ifndef RETSNOOP_TRACE_PLAN_PLAN_SYSCALLS_H
#define RETSNOOP_TRACE_PLAN_PLAN_SYSCALLS_H

#include <stdbool.h>

#include "util/base/vec.h"

struct syscall_params;
struct tracepoint;

/* Those read so far; parameters have their strings. Starts zeroed. */
struct plan_syscalls {
	VEC(struct tracepoint *) v;
	const char *tracefs;	/* NULL: where it is mounted; for tests; borrowed */
};

/*
 * The parameters of the system call whose wrapper a function is, valid as long as @syscalls. False
 * if it is none, or the kernel or its tracefs has no such tracepoint, or one that makes no sense.
 */
bool plan_syscalls_find(struct plan_syscalls *syscalls, const char *func,
			struct syscall_params *ret_params);
void plan_syscalls_release(struct plan_syscalls *syscalls);

#endif
