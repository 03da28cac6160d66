/* SPDX-License-Identifier: BSD-2-Clause */
/* System calls by name: their entry functions, and their other known names. */
#ifndef RETSNOOP_KERNEL_SYMBOLS_SYSCALL_NAME_H
#define RETSNOOP_KERNEL_SYMBOLS_SYSCALL_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "openat" for an entry function of a system call: `__x64_sys_openat`, `__ia32_compat_sys_openat`
 * and their like on other machines, whose only argument is a struct pt_regs. NULL for other
 * functions.
 */
const char *syscall_of_entry(const char *func);

/*
 * The rest of @text after the first of @prefixes that it begins with; NULL: no prefix, or no
 * rest.
 */
const char *name_after(const char *text, const char *const *prefixes, size_t nr);

/*
 * Whether a glob matches a system call: its name from syscall_of_entry(), or the name in
 * syscalls(2), such as stat for "newstat" and umount2 for "umount".
 */
bool syscall_matches(const char *name, const char *glob);

/*
 * What the kernel calls a system call of 64-bit programs, by its number: "newstat". NULL: the headers that this was built
 * with do not know the number.
 */
const char *syscall_by_number(uint32_t nr);

/* The same for an entry function, which may also have another name in 32-bit programs: getuid32, futex_time64. */
bool syscall_entry_matches(const char *func, const char *glob);

#define SYSCALL_NAME_SIZE 64

/*
 * The name of the call with the same parameters in 64-bit programs, for one of 32-bit programs alone: "futex" for
 * "futex_time32". Others keep their name. Maybe written to @buffer.
 */
const char *syscall_common_name(const char *name, char buffer[SYSCALL_NAME_SIZE]);

/* System calls that transfer data, or wait: EAGAIN means "not yet"; elsewhere, that a limit is reached. */
#define SYSCALLS_THAT_WAIT(X)                                                                      \
	X(read) X(readv) X(pread64) X(preadv) X(preadv2) X(recvfrom) X(recvmsg) X(recvmmsg)        \
	X(write) X(writev) X(pwrite64) X(pwritev) X(pwritev2) X(sendto) X(sendmsg) X(sendmmsg)     \
	X(accept) X(accept4) X(sendfile) X(splice) X(tee) X(vmsplice) X(futex) X(futex_waitv)      \
	X(futex_wait)                                                                              \
	X(getrandom) X(rt_sigtimedwait) X(mq_timedreceive) X(mq_timedsend) X(io_uring_enter)

/* Whether it is one of them, by its name from syscall_of_entry(). */
bool syscall_waits(const char *name);

#endif
