// SPDX-License-Identifier: BSD-2-Clause
/* How arguments of system calls are written. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>

#include "util/base/strbuf.h"
#include "util/kernel/numbers/command_names.h"
#include "util/view/values/argument.h"

#include "tests/unit/unit.h"

/* As in linux/bpf.h of Linux 7.2, which must compile after the header of ours. */
enum { BPF_COMMON_ATTRS = 1 << 16 };

static const char *written(struct strbuf *text, const char *syscall, const char *name,
			   const char *type, uint64_t value)
{
	const struct argument argument = { syscall, name, type, value, 0 };

	strbuf_reset(text);
	argument_add(text, &argument);
	return strbuf_str(text);
}

#define WRITTEN(expected, ...) EXPECT_STREQ(expected, written(&text, __VA_ARGS__))

TEST(flags_have_names)
{
	struct strbuf text = STRBUF_INIT;

	WRITTEN("O_RDONLY", "openat", "flags", "int", 0);
	WRITTEN("O_RDONLY|O_CLOEXEC", "openat", "flags", "int", O_CLOEXEC);
	WRITTEN("O_RDWR|O_CREAT|O_SYNC", "open", "flags", "int", O_RDWR | O_CREAT | O_SYNC);
	WRITTEN("O_WRONLY|O_TMPFILE", "open", "flags", "int", O_WRONLY | O_TMPFILE);
	WRITTEN("O_WRONLY|O_DSYNC|0x40000000", "open", "flags", "int", O_WRONLY | O_DSYNC | 0x40000000);
	WRITTEN("0x3", "open", "flags", "int", 3);
	WRITTEN("PROT_NONE", "mmap", "prot", "unsigned long", 0);
	WRITTEN("PROT_READ|PROT_WRITE", "mprotect", "prot", "unsigned long", 3);
	WRITTEN("MAP_PRIVATE|MAP_ANONYMOUS", "mmap", "flags", "unsigned long", 0x22);
	WRITTEN("MAP_SHARED_VALIDATE", "mmap", "flags", "unsigned long", 3);
	WRITTEN("0", "mmap", "flags", "unsigned long", 0);
	WRITTEN("MS_RDONLY|MS_BIND", "mount", "flags", "unsigned long", MS_RDONLY | MS_BIND);
	WRITTEN("0", "mount", "flags", "unsigned long", 0);
	WRITTEN("MS_MGC_VAL|MS_RDONLY", "mount", "flags", "unsigned long", 0xc0ed0001);
	WRITTEN("MNT_DETACH|0x40", "umount", "flags", "int", MNT_DETACH | 0x40);
	WRITTEN("CLONE_NEWNS|SIGCHLD", "clone", "clone_flags", "unsigned long", CLONE_NEWNS | SIGCHLD);
	WRITTEN("SIGCHLD", "clone", "clone_flags", "unsigned long", SIGCHLD);
	WRITTEN("CLONE_NEWTIME|CLONE_NEWNS|UNSHARE_EMPTY_MNTNS", "unshare", "unshare_flags", "unsigned long",
		CLONE_NEWNS | 0x100080);
	WRITTEN("CLONE_NEWTIME", "setns", "flags", "int", 0x80);
	WRITTEN("CLONE_NEWNET", "unshare", "unshare_flags", "unsigned long", CLONE_NEWNET);
	WRITTEN("AT_SYMLINK_FOLLOW|0x4", "linkat", "flags", "int", 0x404);
	WRITTEN("AT_EMPTY_PATH", "newfstatat", "flag", "int", AT_EMPTY_PATH);
	WRITTEN("F_OK", "access", "mode", "int", 0);
	WRITTEN("R_OK|X_OK", "faccessat", "mode", "int", 5);
	WRITTEN("SOCK_DGRAM|SOCK_CLOEXEC", "socket", "type", "int", 2 | 02000000);
	WRITTEN("FUTEX_WAKE|FUTEX_PRIVATE_FLAG", "futex", "op", "int", 0x81);
	WRITTEN("FUTEX_WAIT|FUTEX_CLOCK_REALTIME", "futex", "op", "int", 0xdead00000100);
	WRITTEN("IPC_CREAT|IPC_EXCL|0640", "shmget", "shmflg", "int", 03640);
	WRITTEN("SHM_HUGETLB|SHM_NORESERVE|0600", "shmget", "shmflg", "int", 014600);
	WRITTEN("IPC_CREAT|0x800|0600", "semget", "semflg", "int", 05600);
	WRITTEN("0600", "msgget", "msgflg", "int", 0600);
	WRITTEN("LOCK_EX|LOCK_NB", "flock", "cmd", "unsigned int", 6);
	WRITTEN("IN_CREATE|IN_ONLYDIR", "inotify_add_watch", "mask", "unsigned int", 0x01000100);
	WRITTEN("FAN_MARK_ADD|FAN_MARK_MOUNT", "fanotify_mark", "flags", "unsigned int", 0x11);
	WRITTEN("FAN_OPEN_PERM", "fanotify_mark", "mask", "unsigned long", 0x10000);
	WRITTEN("SPLICE_F_NONBLOCK", "splice", "flags", "unsigned int", 2);
	/* Flags of another call. */
	WRITTEN("0x400", "openat2", "flags", "int", 0x400);
	WRITTEN("1", "mseal", "flags", "int", 1);
	WRITTEN("LANDLOCK_CREATE_RULESET_VERSION", "landlock_create_ruleset", "flags", "const __u32", 1);
	WRITTEN("MODULE_INIT_COMPRESSED_FILE", "finit_module", "flags", "int", 4);
	WRITTEN("WNOHANG|__WALL", "wait4", "options", "int", 0x40000001);
	WRITTEN("OPEN_TREE_CLONE|AT_RECURSIVE", "open_tree", "flags", "unsigned int", 0x8001);
	WRITTEN("MOUNT_ATTR_RDONLY|MOUNT_ATTR_STRICTATIME", "fsmount", "attr_flags", "unsigned int", 0x21);
	WRITTEN("SWAP_FLAG_PREFER|0x5", "swapon", "swap_flags", "int", 0x8005);
	WRITTEN("PERF_FLAG_FD_CLOEXEC", "perf_event_open", "flags", "unsigned long", 8);
	strbuf_release(&text);
}

TEST(numbers_that_mean_one_thing_have_its_name)
{
	const struct argument reuse = { "setsockopt", "optname", "int", 2, 1 };
	const struct argument of_tcp = { "setsockopt", "optname", "int", 2, 6 };
	const struct argument of_ip = { "getsockopt", "optname", "int", 35, 0 };
	const struct argument of_ipv6 = { "setsockopt", "optname", "int", 26, 41 };
	const struct argument of_netlink = { "setsockopt", "optname", "int", 2, 270 };
	const struct argument of_packet = { "setsockopt", "optname", "int", 18, 263 };
	const struct argument of_udp = { "setsockopt", "optname", "int", 2, 17 };
	struct strbuf text = STRBUF_INIT;

	WRITTEN("BPF_MAP_CREATE", "bpf", "cmd", "int", 0);
	WRITTEN("BPF_MAP_UPDATE_ELEM", "bpf", "cmd", "int", 0xffffffff00000002);
	WRITTEN("BPF_TOKEN_CREATE", "bpf", "cmd", "enum bpf_cmd", 36);
	WRITTEN("BPF_MAP_CREATE|BPF_COMMON_ATTRS", "bpf", "cmd", "int", BPF_COMMON_ATTRS);
	WRITTEN("0x3e8", "bpf", "cmd", "unsigned int", 1000);
	WRITTEN("TCGETS", "ioctl", "cmd", "unsigned int", 0x5401);
	WRITTEN("DM_TABLE_LOAD", "ioctl", "cmd", "unsigned int", 0xc138fd09);
	WRITTEN("0x54ff", "ioctl", "cmd", "unsigned int", 0x54ff);
	WRITTEN("_IOR('v', 0x81, 8 bytes)", "ioctl", "cmd", "unsigned int", 0x80087681);
	WRITTEN("_IOW(0xaa, 0x7, 16383 bytes)", "ioctl", "cmd", "unsigned int", 0xffffffff7fffaa07);
	WRITTEN("_IOWR('\"', 0x0, 1 byte)", "ioctl", "cmd", "unsigned int", 0xc0012200);
	WRITTEN("_IOWR(0x27, 0xff, 0 bytes)", "ioctl", "cmd", "unsigned int", 0xc00027ff);
	WRITTEN("PRIO_PROCESS", "setpriority", "which", "int", 0);
	WRITTEN("P_PID", "waitid", "which", "int", 1);
	WRITTEN("SIG_SETMASK", "rt_sigprocmask", "how", "int", 2);
	WRITTEN("AF_NETLINK", "socket", "family", "int", 16);
	WRITTEN("200", "socket", "family", "int", 200);
	WRITTEN("IPC_NOWAIT|MSG_NOERROR", "msgrcv", "msgflg", "int", 04000 | 010000);
	WRITTEN("SHM_RDONLY", "shmat", "shmflg", "int", 010000);
	WRITTEN("O_RDWR|O_CREAT", "mq_open", "oflag", "int", 0102);
	WRITTEN("SEEK_DATA", "lseek", "whence", "unsigned int", 3);
	WRITTEN("MADV_GUARD_INSTALL", "madvise", "behavior", "int", 102);
	WRITTEN("PTRACE_ATTACH", "ptrace", "request", "long", 16);
	WRITTEN("PTRACE_PEEKUSER", "ptrace", "request", "long", 3);
	WRITTEN("SETVAL", "semctl", "cmd", "int", 16);
	WRITTEN("16", "shmctl", "cmd", "int", 16);
	WRITTEN("KEY_SPEC_PROCESS_KEYRING", "add_key", "ringid", "int", -2);
	WRITTEN("MPOL_BIND", "mbind", "mode", "unsigned long", 2);
	WRITTEN("MEMBARRIER_CMD_PRIVATE_EXPEDITED", "membarrier", "cmd", "int", 8);
	WRITTEN("TUNSETOFFLOAD", "ioctl", "cmd", "unsigned int", 0x400454d0);
	WRITTEN("UFFDIO_API", "ioctl", "cmd", "unsigned int", 0xc018aa3f);
	WRITTEN("SOL_XDP", "setsockopt", "level", "int", 283);
	WRITTEN("RLIMIT_NOFILE", "prlimit64", "resource", "unsigned int", 7);
	WRITTEN("SOL_SOCKET", "setsockopt", "level", "int", 1);
	strbuf_reset(&text);
	argument_add(&text, &reuse);
	strbuf_addch(&text, ' ');
	argument_add(&text, &of_tcp);
	strbuf_addch(&text, ' ');
	argument_add(&text, &of_ip);
	strbuf_addch(&text, ' ');
	argument_add(&text, &of_ipv6);
	strbuf_addch(&text, ' ');
	argument_add(&text, &of_netlink);
	strbuf_addch(&text, ' ');
	argument_add(&text, &of_packet);
	strbuf_addch(&text, ' ');
	argument_add(&text, &of_udp);
	EXPECT_STREQ("SO_REUSEADDR TCP_MAXSEG IP_ADD_MEMBERSHIP IPV6_V6ONLY NETLINK_DROP_MEMBERSHIP PACKET_FANOUT 2",
		     strbuf_str(&text));
	strbuf_release(&text);
}

TEST(priorities_have_a_class)
{
	struct strbuf text = STRBUF_INIT;

	WRITTEN("IOPRIO_WHO_PROCESS", "ioprio_set", "which", "int", 1);
	WRITTEN("4", "ioprio_get", "which", "int", 4);
	WRITTEN("IOPRIO_PRIO_VALUE(IOPRIO_CLASS_RT, 9)", "ioprio_set", "ioprio", "int", 0x2009);
	WRITTEN("IOPRIO_PRIO_VALUE(IOPRIO_CLASS_NONE, 0)", "ioprio_set", "ioprio", "int", 0);
	WRITTEN("IOPRIO_PRIO_VALUE(7, 1)", "ioprio_set", "ioprio", "int", 0xe001);
	WRITTEN("65536", "ioprio_set", "ioprio", "int", 0x10000);
	WRITTEN("-1", "ioprio_set", "ioprio", "int", 0xffffffff);
	WRITTEN("BLKRASET", "ioctl", "cmd", "unsigned int", 0x1262);
	strbuf_release(&text);
}

TEST(modes_are_octal)
{
	struct strbuf text = STRBUF_INIT;

	WRITTEN("0755", "mkdirat", "mode", "umode_t", 0755);
	WRITTEN("020600", "mknod", "mode", "umode_t", 020600);
	WRITTEN("0", "mkdir", "mode", "umode_t", 0);
	EXPECT_TRUE(argument_is_used(&(struct argument){ "openat", "mode", "umode_t", 0, O_CREAT }));
	EXPECT_TRUE(argument_is_used(&(struct argument){ "open", "mode", "umode_t", 0, O_TMPFILE }));
	EXPECT_FALSE(argument_is_used(&(struct argument){ "open", "mode", "umode_t", 7, O_DIRECTORY }));
	EXPECT_TRUE(argument_is_used(&(struct argument){ "mkdir", "mode", "umode_t", 7, 0 }));
	strbuf_release(&text);
}

TEST(arguments_that_only_some_commands_use)
{
	struct argument common = { "bpf", "uattr_common", "struct bpf_common_attr *", 15, 0x90, 5 };
	struct argument fcntl = { "fcntl", "arg", "unsigned long", 15, F_GETFL, 3 };

	EXPECT_FALSE(argument_is_used(&common));
	common.first |= 1 << 16;
	EXPECT_TRUE(argument_is_used(&common));
	EXPECT_FALSE(argument_is_used(&fcntl));
	fcntl.before = F_SETFL;
	EXPECT_TRUE(argument_is_used(&fcntl));
	EXPECT_TRUE(argument_is_used(&(struct argument){ "mkdir", "arg", "unsigned long", 15, F_GETFL, 3 }));
}

TEST(numbers_have_the_sign_of_their_type)
{
	struct strbuf text = STRBUF_INIT;

	WRITTEN("-9999", "kill", "pid", "pid_t", (uint32_t)-9999);
	WRITTEN("SIGTERM", "kill", "sig", "int", SIGTERM);
	WRITTEN("99", "kill", "sig", "int", 99);
	WRITTEN("0", "kill", "sig", "int", 0);
	WRITTEN("-1", "kill", "sig", "int", (uint32_t)-1);
	WRITTEN("AT_FDCWD", "openat", "dfd", "int", (uint32_t)AT_FDCWD);
	WRITTEN("-1", "mmap", "fd", "unsigned long", ~0ull);
	WRITTEN("-1", "mmap", "fd", "unsigned long", UINT32_MAX);
	WRITTEN("3", "read", "fd", "unsigned int", 3);
	WRITTEN("300", "setsockopt", "fd", "int", 300);
	WRITTEN("-5", "pread64", "pos", "loff_t", (uint64_t)-5);
	WRITTEN("NULL", "mount", "data", "void *", 0);
	WRITTEN("0x7fff0010", "mount", "data", "void *", 0x7fff0010);
	WRITTEN("0xffff", "bpf", "size", "unsigned int", 0xffff);
	WRITTEN("4096", "write", "count", "size_t", 4096);
	WRITTEN("0x7ffffffff000", "write", "count", "size_t", 0x7ffffffff000);
	strbuf_release(&text);
}

TEST(half_of_a_register_is_not_the_call_s)
{
	const uint64_t dirty = 0xdeadbeef00000000;
	struct strbuf text = STRBUF_INIT;

	WRITTEN("AT_STATX_FORCE_SYNC", "statx", "flags", "unsigned", dirty | 0x2000);
	WRITTEN("OPEN_TREE_CLONE", "open_tree", "flags", "unsigned", dirty | 1);
	WRITTEN("IN_CLOSE_WRITE", "inotify_add_watch", "mask", "u32", dirty | 8);
	WRITTEN("-1", "inotify_rm_watch", "wd", "__s32", ~0ull);
	WRITTEN("3", "inotify_rm_watch", "wd", "__s32", dirty | 3);
	WRITTEN("0x777", "shmget", "key", "key_t", dirty | 0x777);
	WRITTEN("IPC_PRIVATE", "shmget", "key", "key_t", dirty);
	WRITTEN("LANDLOCK_RULE_NET_PORT", "landlock_add_rule", "rule_type", "const enum landlock_rule_type", dirty | 2);
	WRITTEN("1", "futex", "val", "u32", dirty | 1);
	WRITTEN("-1", "chown", "user", "uid_t", ~0ull);
	WRITTEN("-1", "fchown", "group", "gid_t", dirty | UINT32_MAX);
	WRITTEN("1000", "chown", "user", "uid_t", dirty | 1000);
	WRITTEN("4294967294", "setuid", "uid", "uid_t", UINT32_MAX - 1);
	/* This one is. */
	WRITTEN("-2401053092612145136", "ptrace", "request", "long", dirty | 16);
	WRITTEN("999", "ptrace", "pid", "long", dirty | 999);
	strbuf_release(&text);
}

TEST(descriptors_are_decimal)
{
	struct strbuf text = STRBUF_INIT;

	WRITTEN("99", "close", "fd", "unsigned int", 99);
	WRITTEN("-1", "dup", "fildes", "unsigned int", UINT32_MAX);
	WRITTEN("99", "writev", "fd", "unsigned long", 0xdeadbeef00000063);
	WRITTEN("1048576", "dup2", "newfd", "unsigned int", 1048576);
	strbuf_release(&text);
}

static const char *of_call(struct strbuf *text, struct argument argument)
{
	strbuf_reset(text);
	argument_add(text, &argument);
	return strbuf_str(text);
}

#define OF_CALL(expected, ...) EXPECT_STREQ(expected, of_call(&text, (struct argument){ __VA_ARGS__ }))

TEST(other_arguments_say_what_a_number_means)
{
	struct strbuf text = STRBUF_INIT;

	OF_CALL("IPPROTO_TCP", "socket", "protocol", "int", 6, 1, 2);
	OF_CALL("IPPROTO_MPTCP", "socket", "protocol", "int", 262, 1, 10);
	OF_CALL("NETLINK_NETFILTER", "socket", "protocol", "int", 12, 3, 16);
	OF_CALL("htons(ETH_P_ALL)", "socket", "protocol", "int", 0x300, 3, 17);
	OF_CALL("0", "socket", "protocol", "int", 0, 1, 2);
	OF_CALL("6", "socket", "protocol", "int", 6, 1, 1);
	OF_CALL("IPT_SO_GET_INFO", "getsockopt", "optname", "int", 64, 0);
	OF_CALL("IPT_SO_SET_REPLACE", "setsockopt", "optname", "int", 64, 0);
	OF_CALL("IP_TTL", "setsockopt", "optname", "int", 2, 0);
	OF_CALL("IP6T_SO_SET_REPLACE", "setsockopt", "optname", "int", 64, 41);
	OF_CALL("UDP_SEGMENT", "setsockopt", "optname", "int", 103, 17);
	OF_CALL("O_RDONLY|O_APPEND|O_NONBLOCK", "fcntl", "arg", "unsigned long", 06000, F_SETFL, 3);
	OF_CALL("F_SEAL_SEAL|F_SEAL_WRITE", "fcntl", "arg", "unsigned long", 9, F_ADD_SEALS, 3);
	OF_CALL("-5", "fcntl", "arg", "unsigned long", -5ull, F_SETOWN, 3);
	OF_CALL("0x4b4380", "fcntl", "arg", "unsigned long", 0x4b4380, F_SETLK, 3);
	OF_CALL("KEY_SPEC_SESSION_KEYRING", "keyctl", "arg2", "unsigned long", -3ull, 11, 11);
	OF_CALL("QCMD(Q_QUOTAON, PRJQUOTA)", "quotactl", "cmd", "unsigned int", 0x80000202);
	OF_CALL("0x5", "quotactl", "addr", "void *", 5);
	OF_CALL("FAN_CLASS_CONTENT|FAN_CLOEXEC", "fanotify_init", "flags", "unsigned int", 5);
	OF_CALL("MPOL_BIND|MPOL_F_STATIC_NODES", "set_mempolicy", "mode", "int", 0x8002);
	OF_CALL("IORING_REGISTER_FILES", "io_uring_register", "opcode", "unsigned int", 2);
	strbuf_release(&text);
}

TEST(data_may_be_text)
{
	const uint64_t string[] = { 3, 1 }, flag[] = { 3, 0 }, device[] = { 3, 1, 25 }, reuse[] = { 3, 1, 2 },
		       congestion[] = { 3, 6, 0xdeadbeef0000000d };

	EXPECT_TRUE(argument_may_be_text("mount", 4, string));
	EXPECT_FALSE(argument_may_be_text("mount", 3, string));
	EXPECT_TRUE(argument_may_be_text("fsconfig", 3, string));
	EXPECT_FALSE(argument_may_be_text("fsconfig", 3, flag));
	EXPECT_TRUE(argument_may_be_text("setsockopt", 3, device));
	EXPECT_TRUE(argument_may_be_text("setsockopt", 3, congestion));
	EXPECT_FALSE(argument_may_be_text("setsockopt", 3, reuse));
	EXPECT_FALSE(argument_may_be_text("getsockopt", 3, device));
}

TEST_HARNESS_MAIN
