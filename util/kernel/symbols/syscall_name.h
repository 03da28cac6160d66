/* SPDX-License-Identifier: BSD-2-Clause */
/* System calls by name: their entry functions, and the other names that people know them by. */
#ifndef RETSNOOP_KERNEL_SYMBOLS_SYSCALL_NAME_H
#define RETSNOOP_KERNEL_SYMBOLS_SYSCALL_NAME_H

#include <stdbool.h>

/*
 * "openat" for an entry function of a system call: `__x64_sys_openat`, `__ia32_compat_sys_openat`
 * and their like on other machines, whose only argument is a struct pt_regs. NULL for other
 * functions.
 */
const char *syscall_of_entry(const char *func);

/*
 * Whether a glob matches a system call, whose name is as syscall_of_entry() returns it: that name,
 * or the one in syscalls(2), as "newstat" is stat and "umount" is umount2.
 */
bool syscall_matches(const char *name, const char *glob);

#endif
