// SPDX-License-Identifier: BSD-2-Clause
/* Numbers of system calls on this machine. */
#include <sys/syscall.h>

#include "util/base/macros.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/why/watch/expected.h"

#ifndef SYS_futex_wait	/* since Linux 6.7, with one number on all machines */
#define SYS_futex_wait 455
#endif
#define NUMBER(name) SYS_##name,
static const uint32_t transfers[] = { SYSCALLS_THAT_WAIT(NUMBER) };
static const uint32_t timed[] = { SYS_futex, SYS_futex_waitv, SYS_futex_wait };
static const uint32_t attributes[] = { SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr };
static const uint32_t looks[] = {
	SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_statfs,
#ifdef SYS_stat	/* newer architectures have only the others */
	SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
#endif
};
#undef NUMBER

const struct call_numbers call_numbers = {
	.ioctl = SYS_ioctl,
	.lseek = SYS_lseek,
	.execve = SYS_execve,
	.prctl = SYS_prctl,
	.dup = SYS_dup,
	.fcntl = SYS_fcntl,
	.transfers = transfers,
	.nr_transfers = ARRAY_SIZE(transfers),
	.timed = timed,
	.nr_timed = ARRAY_SIZE(timed),
	.attributes = attributes,
	.nr_attributes = ARRAY_SIZE(attributes),
	.readlinkat = SYS_readlinkat,
	.openat = SYS_openat,
	.socket = SYS_socket,
	.close = SYS_close,
	.epoll_ctl = SYS_epoll_ctl,
	.unlinkat = SYS_unlinkat,
	.truncate = SYS_truncate,
	.mkdirat = SYS_mkdirat,
	.kill = SYS_kill,
	.looks = looks,
	.nr_looks = ARRAY_SIZE(looks),
#ifdef SYS_readlink
	.readlink = SYS_readlink,
	.open = SYS_open,
	.unlink = SYS_unlink,
	.mkdir = SYS_mkdir,
#else	/* newer architectures have the other alone */
	.readlink = SYS_readlinkat,
	.open = SYS_openat,
	.unlink = SYS_unlinkat,
	.mkdir = SYS_mkdirat,
#endif
};
