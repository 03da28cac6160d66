/* SPDX-License-Identifier: BSD-2-Clause */
/* System calls' parameters, from the formats of their tracepoints (`syscalls:sys_enter_*`). */
#ifndef RETSNOOP_TRACE_PLAN_SYSCALLS_H
#define RETSNOOP_TRACE_PLAN_SYSCALLS_H

#include <stdbool.h>

#include "util/base/vec.h"

struct syscall_params;
struct tracepoint;

/* Those read so far; parameters have their strings. Starts zeroed. */
struct plan_syscalls {
	VEC(struct tracepoint *) v;
};

/*
 * The parameters of the system call whose wrapper a function is (`__x64_sys_openat`), valid as long
 * as @syscalls. False if it is none, or the kernel or its tracefs has no such tracepoint.
 */
bool plan_syscalls_find(struct plan_syscalls *syscalls, const char *func,
			struct syscall_params *ret_params);
void plan_syscalls_release(struct plan_syscalls *syscalls);

#endif
