// SPDX-License-Identifier: BSD-2-Clause
/* Numbers of system calls on this machine. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

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

#define ANY 0, 0, 0
#define HAS(argument, flag) argument, flag, flag
#define IS(argument, value) argument, UINT64_MAX, value
/* Arguments of 32 bits: the upper half of a register may have anything. */
#define IS_INT(argument, value) argument, UINT32_MAX, value
static const struct attempt attempts[] = {
	{ SYS_mmap, ENOMEM, HAS(3, MAP_HUGETLB) },
	{ SYS_mmap, EINVAL, HAS(3, MAP_HUGETLB) },
	{ SYS_mmap, EEXIST, HAS(3, MAP_FIXED_NOREPLACE) },
	{ SYS_mmap, EOPNOTSUPP, HAS(3, MAP_SYNC) },
	{ SYS_shmget, ENOMEM, HAS(2, SHM_HUGETLB) },
	{ SYS_shmget, EPERM, HAS(2, SHM_HUGETLB) },
	{ SYS_madvise, EINVAL, ANY },
	{ SYS_prctl, EINVAL, IS_INT(0, PR_SET_VMA) },
	/* Node: keys of memory that the CPU does not have, and flags of all descriptors it might have been started with. */
	{ SYS_pkey_alloc, ENOSPC, ANY },
	{ SYS_fcntl, EBADF, IS_INT(1, F_SETFD) },
	/* Without a filter: whether the kernel has this operation, or this flag. */
	{ SYS_prctl, EFAULT, IS_INT(0, PR_SET_SECCOMP) },
	{ SYS_seccomp, EFAULT, IS(2, 0) },
	{ SYS_seccomp, EINVAL, IS(2, 0) },
#ifdef SYS_arch_prctl	/* asked for shadow stacks as each program starts */
	{ SYS_arch_prctl, EINVAL, ANY },
#endif
	{ SYS_rseq, EINVAL, ANY },
	/* With a larger set next; without one, whether the kernel has the call. */
	{ SYS_sched_getaffinity, EINVAL, ANY },
	{ SYS_sched_setaffinity, EFAULT, IS(2, 0) },
	{ SYS_io_uring_setup, EPERM, ANY },
	{ SYS_landlock_create_ruleset, EOPNOTSUPP, ANY },
	{ SYS_fallocate, EOPNOTSUPP, ANY },
	{ SYS_copy_file_range, EXDEV, ANY },
	{ SYS_copy_file_range, EINVAL, ANY },
	{ SYS_copy_file_range, EOPNOTSUPP, ANY },
	{ SYS_ioctl, EXDEV, IS_INT(1, FICLONE) },
	{ SYS_ioctl, EINVAL, IS_INT(1, FICLONE) },
	{ SYS_ioctl, EOPNOTSUPP, IS_INT(1, FICLONE) },
	/* There is no more data. */
	{ SYS_lseek, ENXIO, IS_INT(2, SEEK_DATA) },
	{ SYS_lseek, ENXIO, IS_INT(2, SEEK_HOLE) },
	{ SYS_lseek, EINVAL, IS_INT(2, SEEK_DATA) },
	{ SYS_lseek, EINVAL, IS_INT(2, SEEK_HOLE) },
	{ SYS_lseek, ESPIPE, ANY },
	{ SYS_openat, EPERM, HAS(2, O_NOATIME) },
	{ SYS_openat, EINVAL, HAS(2, O_DIRECT) },
	{ SYS_openat, EOPNOTSUPP, HAS(2, O_TMPFILE) },
	/* Libraries for events do not know what else has closed or added a file. */
	{ SYS_epoll_ctl, EEXIST, IS_INT(1, EPOLL_CTL_ADD) },
	{ SYS_epoll_ctl, ENOENT, IS_INT(1, EPOLL_CTL_MOD) },
	{ SYS_epoll_ctl, ENOENT, IS_INT(1, EPOLL_CTL_DEL) },
	{ SYS_epoll_ctl, EBADF, IS_INT(1, EPOLL_CTL_DEL) },
	/* Sockets of UNIX have no TCP_NODELAY. */
	{ SYS_setsockopt, ENOPROTOOPT, IS_INT(1, SOL_SOCKET) },
	{ SYS_setsockopt, ENOPROTOOPT, IS_INT(1, IPPROTO_TCP) },
	{ SYS_setsockopt, EOPNOTSUPP, IS_INT(1, SOL_SOCKET) },
	{ SYS_setsockopt, EOPNOTSUPP, IS_INT(1, IPPROTO_TCP) },
	{ SYS_setsockopt, EPERM, IS_INT(2, SO_RCVBUFFORCE) },
	{ SYS_setsockopt, EPERM, IS_INT(2, SO_SNDBUFFORCE) },
	{ SYS_getsockopt, ENOPROTOOPT, IS_INT(1, SOL_SOCKET) },
	{ SYS_getsockopt, EOPNOTSUPP, IS_INT(1, SOL_SOCKET) },
	{ SYS_getsockopt, ENODATA, IS_INT(1, SOL_SOCKET) },
	/* Whether a file is a socket, and connected. */
	{ SYS_getsockopt, ENOTSOCK, ANY },
	{ SYS_getsockname, ENOTSOCK, ANY },
	{ SYS_getpeername, ENOTSOCK, ANY },
	{ SYS_getpeername, ENOTCONN, ANY },
	{ SYS_shutdown, ENOTCONN, ANY },
	/* IPv6, or the audit subsystem: programs go on without. */
	{ SYS_socket, EAFNOSUPPORT, ANY },
	{ SYS_socket, EPROTONOSUPPORT, IS_INT(0, AF_NETLINK) },
};
#undef ANY
#undef HAS
#undef IS
#undef IS_INT

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
	.attempts = attempts,
	.nr_attempts = ARRAY_SIZE(attempts),
	.connect = SYS_connect,
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
