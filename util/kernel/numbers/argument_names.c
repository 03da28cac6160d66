// SPDX-License-Identifier: BSD-2-Clause
/* Names from the headers for user space; where Debian 12's are older than a name, its number is here. */
#include "util/kernel/numbers/argument_names.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/ioprio.h>
#include <linux/ipc.h>
#include <linux/kexec.h>
#include <linux/landlock.h>
#include <linux/mempolicy.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/msg.h>
#include <linux/perf_event.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/sem.h>
#include <linux/shm.h>
#include <linux/userfaultfd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/numbers/command_names.h"
#include "util/kernel/numbers/ioctl_names.h"
#include "util/kernel/numbers/socket_names.h"
#include "util/kernel/numbers/socket_option_names.h"

/*
 * The numbers of these depend on the CPU. O_LARGEFILE is 0 in glibc for 64 bits, but musl passes it to every open(2).
 */
#define OPEN_FLAGS(directory, nofollow, direct, largefile)                                                          \
	NUMBER(O_RDONLY, O_ACCMODE), NUMBER(O_WRONLY, O_ACCMODE), NUMBER(O_RDWR, O_ACCMODE), FLAG(O_CREAT),         \
	FLAG(O_EXCL), FLAG(O_NOCTTY), FLAG(O_TRUNC), FLAG(O_APPEND), FLAG(O_NONBLOCK), FLAG(O_SYNC), FLAG(O_DSYNC), \
	FLAG_AS(O_TMPFILE, 020000000 | (directory)), FLAG_AS(O_DIRECTORY, directory), FLAG_AS(O_NOFOLLOW, nofollow), \
	FLAG_AS(O_DIRECT, direct), FLAG(O_NOATIME), FLAG(O_PATH), FLAG(O_CLOEXEC), FLAG(O_ASYNC),                   \
	FLAG_AS(O_LARGEFILE, largefile)

/* include/uapi/asm-generic/fcntl.h, 6.12 */
static const struct number_name open_flags[] = { OPEN_FLAGS(0200000, 0400000, 040000, 0100000) };

/* arch/arm64/include/uapi/asm/fcntl.h, 6.12 */
static const struct number_name open_flags_as_arm[] = { OPEN_FLAGS(040000, 0100000, 0200000, 0400000) };

/* Of new descriptors that open(2) does not make. */
static const struct number_name descriptor_flags[] = { FLAG(O_CLOEXEC), FLAG(O_NONBLOCK) };

/* The last one is of <linux/watch_queue.h>, which Debian 12 lacks. */
static const struct number_name pipe_flags[] = {
	FLAG(O_CLOEXEC), FLAG(O_NONBLOCK), FLAG(O_DIRECT), { "O_NOTIFICATION_PIPE", O_EXCL, O_EXCL },
};

static const struct number_name eventfd_flags[] = {
	FLAG(EFD_SEMAPHORE), FLAG(EFD_CLOEXEC), FLAG(EFD_NONBLOCK),
};

static const struct number_name memfd_flags[] = {
	FLAG(MFD_CLOEXEC), FLAG(MFD_ALLOW_SEALING), FLAG(MFD_HUGETLB),
	FLAG_AS(MFD_NOEXEC_SEAL, 8), FLAG_AS(MFD_EXEC, 0x10),
};

static const struct number_name at_flags[] = {
	FLAG(AT_SYMLINK_NOFOLLOW), FLAG(AT_SYMLINK_FOLLOW), FLAG(AT_NO_AUTOMOUNT), FLAG(AT_EMPTY_PATH),
};

static const struct number_name unlink_flags[] = { FLAG(AT_REMOVEDIR) };

static const struct number_name rename_flags[] = {
	FLAG(RENAME_NOREPLACE), FLAG(RENAME_EXCHANGE), FLAG(RENAME_WHITEOUT),
};

static const struct number_name access_modes[] = {
	NUMBER(F_OK, UINT32_MAX), FLAG(R_OK), FLAG(W_OK), FLAG(X_OK),
};

static const struct number_name protections[] = {
	NUMBER(PROT_NONE, ~0ull), FLAG(PROT_READ), FLAG(PROT_WRITE), FLAG(PROT_EXEC), FLAG(PROT_GROWSDOWN),
	FLAG(PROT_GROWSUP),
	FLAG_AS(PROT_SEM, 8),
};

#define MAP_TYPE_MASK 0xf

static const struct number_name map_flags[] = {
	NUMBER(MAP_SHARED, MAP_TYPE_MASK), NUMBER(MAP_PRIVATE, MAP_TYPE_MASK),
	NUMBER(MAP_SHARED_VALIDATE, MAP_TYPE_MASK), FLAG(MAP_FIXED), FLAG(MAP_ANONYMOUS), FLAG(MAP_GROWSDOWN),
	FLAG(MAP_DENYWRITE), FLAG(MAP_LOCKED), FLAG(MAP_NORESERVE), FLAG(MAP_POPULATE), FLAG(MAP_NONBLOCK),
	FLAG(MAP_STACK), FLAG(MAP_HUGETLB), FLAG(MAP_SYNC), FLAG(MAP_FIXED_NOREPLACE),
	{ "MAP_DROPPABLE", 8, MAP_TYPE_MASK }, FLAG(MAP_EXECUTABLE),
	FLAG_AS(MAP_32BIT, 0x40),	/* of x86; no other CPU has another there */
};

static const struct number_name remap_flags[] = { FLAG(MREMAP_MAYMOVE), FLAG(MREMAP_FIXED), FLAG(MREMAP_DONTUNMAP) };

/* <sys/mman.h> has these, and <linux/mount.h> others of such names. */
static const struct number_name msync_flags[] = { FLAG(MS_ASYNC), FLAG(MS_INVALIDATE), FLAG(MS_SYNC) };

static const struct number_name mlockall_flags[] = { FLAG(MCL_CURRENT), FLAG(MCL_FUTURE), FLAG(MCL_ONFAULT) };

static const struct number_name advices[] = {
	WHOLE(MADV_NORMAL), WHOLE(MADV_RANDOM), WHOLE(MADV_SEQUENTIAL), WHOLE(MADV_WILLNEED),
	WHOLE(MADV_DONTNEED), WHOLE(MADV_FREE), WHOLE(MADV_REMOVE), WHOLE(MADV_DONTFORK), WHOLE(MADV_DOFORK),
	WHOLE(MADV_MERGEABLE), WHOLE(MADV_UNMERGEABLE), WHOLE(MADV_HUGEPAGE), WHOLE(MADV_NOHUGEPAGE),
	WHOLE(MADV_DONTDUMP), WHOLE(MADV_DODUMP), WHOLE(MADV_WIPEONFORK), WHOLE(MADV_KEEPONFORK),
	WHOLE(MADV_COLD), WHOLE(MADV_PAGEOUT), WHOLE(MADV_POPULATE_READ), WHOLE(MADV_POPULATE_WRITE),
	WHOLE(MADV_HWPOISON), WHOLE_AS(MADV_COLLAPSE, 25), WHOLE_AS(MADV_GUARD_INSTALL, 102),
	WHOLE_AS(MADV_GUARD_REMOVE, 103),
	WHOLE_AS(MADV_DONTNEED_LOCKED, 24), WHOLE_AS(MADV_SOFT_OFFLINE, 101),
};

static const struct number_name mount_flags[] = {
	/* Of programs from before Linux 2.4: no flags. */
	NUMBER(MS_MGC_VAL, MS_MGC_MSK),
	FLAG(MS_RDONLY), FLAG(MS_NOSUID), FLAG(MS_NODEV), FLAG(MS_NOEXEC), FLAG(MS_SYNCHRONOUS),
	FLAG(MS_REMOUNT), FLAG(MS_MANDLOCK), FLAG(MS_DIRSYNC), FLAG(MS_NOSYMFOLLOW), FLAG(MS_NOATIME),
	FLAG(MS_NODIRATIME), FLAG(MS_BIND), FLAG(MS_MOVE), FLAG(MS_REC), FLAG(MS_SILENT), FLAG(MS_POSIXACL),
	FLAG(MS_UNBINDABLE), FLAG(MS_PRIVATE), FLAG(MS_SLAVE), FLAG(MS_SHARED), FLAG(MS_RELATIME),
	FLAG(MS_STRICTATIME), FLAG(MS_LAZYTIME),
};

/* MNT_FORCE and the like, of <sys/mount.h>, which cannot be included beside <linux/mount.h>. */
static const struct number_name umount_flags[] = {
	FLAG_AS(MNT_FORCE, 1), FLAG_AS(MNT_DETACH, 2), FLAG_AS(MNT_EXPIRE, 4), FLAG_AS(UMOUNT_NOFOLLOW, 8),
};

static const struct number_name clone_flags[] = {
	FLAG(CLONE_VM), FLAG(CLONE_FS), FLAG(CLONE_FILES), FLAG(CLONE_SIGHAND), FLAG(CLONE_PIDFD),
	FLAG(CLONE_PTRACE), FLAG(CLONE_VFORK), FLAG(CLONE_PARENT), FLAG(CLONE_THREAD), FLAG(CLONE_NEWNS),
	FLAG(CLONE_SYSVSEM), FLAG(CLONE_SETTLS), FLAG(CLONE_PARENT_SETTID), FLAG(CLONE_CHILD_CLEARTID),
	FLAG(CLONE_DETACHED), FLAG(CLONE_UNTRACED), FLAG(CLONE_CHILD_SETTID), FLAG(CLONE_NEWCGROUP),
	FLAG(CLONE_NEWUTS), FLAG(CLONE_NEWIPC), FLAG(CLONE_NEWUSER), FLAG(CLONE_NEWPID), FLAG(CLONE_NEWNET),
	FLAG(CLONE_IO),
};

/* Without the flags of clone(2) that one of these shares its bit with. */
static const struct number_name unshare_flags[] = {
	FLAG(CLONE_NEWTIME), FLAG(CLONE_VM), FLAG(CLONE_FS), FLAG(CLONE_FILES), FLAG(CLONE_SIGHAND),
	FLAG(CLONE_THREAD), FLAG(CLONE_NEWNS), FLAG(CLONE_SYSVSEM), { "UNSHARE_EMPTY_MNTNS", 1 << 20, 1 << 20 },
	FLAG(CLONE_NEWCGROUP), FLAG(CLONE_NEWUTS), FLAG(CLONE_NEWIPC), FLAG(CLONE_NEWUSER), FLAG(CLONE_NEWPID),
	FLAG(CLONE_NEWNET),
};

static const struct number_name setns_types[] = {
	FLAG(CLONE_NEWTIME), FLAG(CLONE_NEWNS), FLAG(CLONE_NEWCGROUP), FLAG(CLONE_NEWUTS), FLAG(CLONE_NEWIPC),
	FLAG(CLONE_NEWUSER), FLAG(CLONE_NEWPID), FLAG(CLONE_NEWNET),
};

#define FUTEX_COMMAND(name) { #name, name, FUTEX_CMD_MASK }

static const struct number_name futex_operations[] = {
	FUTEX_COMMAND(FUTEX_WAIT), FUTEX_COMMAND(FUTEX_WAKE), FUTEX_COMMAND(FUTEX_REQUEUE),
	FUTEX_COMMAND(FUTEX_CMP_REQUEUE),
	FUTEX_COMMAND(FUTEX_WAKE_OP), FUTEX_COMMAND(FUTEX_LOCK_PI), FUTEX_COMMAND(FUTEX_UNLOCK_PI),
	FUTEX_COMMAND(FUTEX_TRYLOCK_PI), FUTEX_COMMAND(FUTEX_WAIT_BITSET), FUTEX_COMMAND(FUTEX_WAKE_BITSET),
	FUTEX_COMMAND(FUTEX_WAIT_REQUEUE_PI), FUTEX_COMMAND(FUTEX_CMP_REQUEUE_PI), FUTEX_COMMAND(FUTEX_LOCK_PI2),
	FLAG(FUTEX_PRIVATE_FLAG), FLAG(FUTEX_CLOCK_REALTIME),
};

static const struct number_name whences[] = {
	WHOLE(SEEK_SET), WHOLE(SEEK_CUR), WHOLE(SEEK_END), WHOLE(SEEK_DATA), WHOLE(SEEK_HOLE),
};

static const struct number_name epoll_operations[] = {
	WHOLE(EPOLL_CTL_ADD), WHOLE(EPOLL_CTL_DEL), WHOLE(EPOLL_CTL_MOD),
};

static const struct number_name clocks[] = {
	WHOLE(CLOCK_REALTIME), WHOLE(CLOCK_MONOTONIC), WHOLE(CLOCK_PROCESS_CPUTIME_ID),
	WHOLE(CLOCK_THREAD_CPUTIME_ID), WHOLE(CLOCK_MONOTONIC_RAW), WHOLE(CLOCK_REALTIME_COARSE),
	WHOLE(CLOCK_MONOTONIC_COARSE), WHOLE(CLOCK_BOOTTIME), WHOLE(CLOCK_REALTIME_ALARM),
	WHOLE(CLOCK_BOOTTIME_ALARM), WHOLE(CLOCK_TAI),
};

static const struct number_name flock_commands[] = {
	NUMBER(LOCK_SH, 0xf), NUMBER(LOCK_EX, 0xf), NUMBER(LOCK_UN, 0xf), { "LOCK_SH|LOCK_NB", 5, 0xf },
	{ "LOCK_EX|LOCK_NB", 6, 0xf },
};

static const struct number_name fallocate_modes[] = {
	FLAG(FALLOC_FL_KEEP_SIZE), FLAG(FALLOC_FL_PUNCH_HOLE), FLAG(FALLOC_FL_COLLAPSE_RANGE),
	FLAG(FALLOC_FL_ZERO_RANGE), FLAG(FALLOC_FL_INSERT_RANGE), FLAG(FALLOC_FL_UNSHARE_RANGE),
	FLAG_AS(FALLOC_FL_WRITE_ZEROES, 0x80),
};

static const struct number_name message_queue_flags[] = {
	FLAG(IPC_NOWAIT), FLAG(MSG_NOERROR), FLAG(MSG_EXCEPT), FLAG(MSG_COPY),
};

static const struct number_name attach_flags[] = {
	FLAG(SHM_RDONLY), FLAG(SHM_RND), FLAG(SHM_REMAP), FLAG(SHM_EXEC),
};

static const struct number_name ipc_flags[] = { FLAG(IPC_CREAT), FLAG(IPC_EXCL) };

static const struct number_name shm_flags[] = {
	FLAG(IPC_CREAT), FLAG(IPC_EXCL), FLAG(SHM_HUGETLB), FLAG(SHM_NORESERVE),
};

static const struct number_name inotify_events[] = {
	FLAG(IN_ACCESS), FLAG(IN_MODIFY), FLAG(IN_ATTRIB), FLAG(IN_CLOSE_WRITE), FLAG(IN_CLOSE_NOWRITE),
	FLAG(IN_OPEN), FLAG(IN_MOVED_FROM), FLAG(IN_MOVED_TO), FLAG(IN_CREATE), FLAG(IN_DELETE), FLAG(IN_DELETE_SELF),
	FLAG(IN_MOVE_SELF), FLAG(IN_ONLYDIR), FLAG(IN_DONT_FOLLOW), FLAG(IN_EXCL_UNLINK), FLAG(IN_MASK_CREATE),
	FLAG(IN_MASK_ADD), FLAG(IN_ISDIR), FLAG(IN_ONESHOT),
};

static const struct number_name fanotify_events[] = {
	FLAG(FAN_ACCESS), FLAG(FAN_MODIFY), FLAG(FAN_ATTRIB), FLAG(FAN_CLOSE_WRITE), FLAG(FAN_CLOSE_NOWRITE),
	FLAG(FAN_OPEN), FLAG(FAN_MOVED_FROM), FLAG(FAN_MOVED_TO), FLAG(FAN_CREATE), FLAG(FAN_DELETE),
	FLAG(FAN_DELETE_SELF), FLAG(FAN_MOVE_SELF), FLAG(FAN_OPEN_EXEC), FLAG(FAN_OPEN_PERM), FLAG(FAN_ACCESS_PERM),
	FLAG(FAN_OPEN_EXEC_PERM), FLAG(FAN_EVENT_ON_CHILD), FLAG(FAN_ONDIR),
	FLAG(FAN_Q_OVERFLOW), FLAG(FAN_FS_ERROR), FLAG(FAN_RENAME), FLAG_AS(FAN_PRE_ACCESS, 0x100000),
	FLAG_AS(FAN_MNT_ATTACH, 0x1000000), FLAG_AS(FAN_MNT_DETACH, 0x2000000),
};

static const struct number_name fanotify_mark_flags[] = {
	{ "FAN_MARK_MNTNS", FAN_MARK_MOUNT | FAN_MARK_FILESYSTEM, FAN_MARK_MOUNT | FAN_MARK_FILESYSTEM },
	FLAG(FAN_MARK_ADD), FLAG(FAN_MARK_REMOVE), FLAG(FAN_MARK_FLUSH), FLAG(FAN_MARK_DONT_FOLLOW),
	FLAG(FAN_MARK_ONLYDIR), FLAG(FAN_MARK_MOUNT), FLAG(FAN_MARK_FILESYSTEM), FLAG(FAN_MARK_IGNORED_MASK),
	FLAG(FAN_MARK_IGNORED_SURV_MODIFY),
	FLAG(FAN_MARK_EVICTABLE), FLAG(FAN_MARK_IGNORE),
};

static const struct number_name splice_flags[] = {
	FLAG(SPLICE_F_MOVE), FLAG(SPLICE_F_NONBLOCK), FLAG(SPLICE_F_MORE), FLAG(SPLICE_F_GIFT),
};

static const struct number_name xattr_flags[] = { FLAG(XATTR_CREATE), FLAG(XATTR_REPLACE) };

static const struct number_name random_flags[] = { FLAG(GRND_NONBLOCK), FLAG(GRND_RANDOM), FLAG(GRND_INSECURE) };

static const struct number_name policies[] = {
	WHOLE(SCHED_NORMAL), WHOLE(SCHED_FIFO), WHOLE(SCHED_RR), WHOLE(SCHED_BATCH), WHOLE(SCHED_IDLE),
	WHOLE(SCHED_DEADLINE), WHOLE_AS(SCHED_EXT, 7),
};

static const struct number_name priority_owners[] = {
	WHOLE(IOPRIO_WHO_PROCESS), WHOLE(IOPRIO_WHO_PGRP), WHOLE(IOPRIO_WHO_USER),
};

static const struct number_name priority_classes[] = {
	WHOLE(IOPRIO_CLASS_NONE), WHOLE(IOPRIO_CLASS_RT), WHOLE(IOPRIO_CLASS_BE), WHOLE(IOPRIO_CLASS_IDLE),
};

static const struct number_name nice_owners[] = { WHOLE(PRIO_PROCESS), WHOLE(PRIO_PGRP), WHOLE(PRIO_USER) };

static const struct number_name wait_options[] = {
	FLAG(WNOHANG), FLAG(WUNTRACED), FLAG(WEXITED), FLAG(WCONTINUED), FLAG(WNOWAIT), FLAG(__WNOTHREAD), FLAG(__WALL),
	FLAG(__WCLONE),
};

static const struct number_name waited_for[] = { WHOLE(P_ALL), WHOLE(P_PID), WHOLE(P_PGID), WHOLE(P_PIDFD) };

static const struct number_name file_advices[] = {
	WHOLE(POSIX_FADV_NORMAL), WHOLE(POSIX_FADV_RANDOM), WHOLE(POSIX_FADV_SEQUENTIAL), WHOLE(POSIX_FADV_WILLNEED),
	WHOLE(POSIX_FADV_DONTNEED), WHOLE(POSIX_FADV_NOREUSE),
};

static const struct number_name sync_flags[] = {
	FLAG(SYNC_FILE_RANGE_WAIT_BEFORE), FLAG(SYNC_FILE_RANGE_WRITE), FLAG(SYNC_FILE_RANGE_WAIT_AFTER),
};

static const struct number_name swap_flags[] = {
	FLAG(SWAP_FLAG_PREFER), FLAG(SWAP_FLAG_DISCARD),
	FLAG_AS(SWAP_FLAG_DISCARD_ONCE, 0x20000), FLAG_AS(SWAP_FLAG_DISCARD_PAGES, 0x40000),
};

static const struct number_name move_flags[] = {
	FLAG(MOVE_MOUNT_F_SYMLINKS), FLAG(MOVE_MOUNT_F_AUTOMOUNTS), FLAG(MOVE_MOUNT_F_EMPTY_PATH),
	FLAG(MOVE_MOUNT_T_SYMLINKS), FLAG(MOVE_MOUNT_T_AUTOMOUNTS), FLAG(MOVE_MOUNT_T_EMPTY_PATH),
	FLAG(MOVE_MOUNT_SET_GROUP),
};

static const struct number_name tree_flags[] = {
	FLAG(OPEN_TREE_CLONE), FLAG(OPEN_TREE_CLOEXEC), FLAG(AT_RECURSIVE), FLAG(AT_SYMLINK_NOFOLLOW),
	FLAG(AT_NO_AUTOMOUNT),
	FLAG(AT_EMPTY_PATH),
};

static const struct number_name fsopen_flags[] = { FLAG(FSOPEN_CLOEXEC) };
static const struct number_name fsmount_flags[] = { FLAG(FSMOUNT_CLOEXEC) };

static const struct number_name mount_attributes[] = {
	FLAG(MOUNT_ATTR_RDONLY), FLAG(MOUNT_ATTR_NOSUID), FLAG(MOUNT_ATTR_NODEV), FLAG(MOUNT_ATTR_NOEXEC),
	NUMBER(MOUNT_ATTR_NOATIME, MOUNT_ATTR__ATIME), NUMBER(MOUNT_ATTR_STRICTATIME, MOUNT_ATTR__ATIME),
	FLAG(MOUNT_ATTR_NODIRATIME), FLAG(MOUNT_ATTR_IDMAP), FLAG(MOUNT_ATTR_NOSYMFOLLOW),
};

static const struct number_name delete_module_flags[] = { FLAG(O_NONBLOCK), FLAG(O_TRUNC) };

static const struct number_name module_flags[] = {
	FLAG(MODULE_INIT_IGNORE_MODVERSIONS), FLAG(MODULE_INIT_IGNORE_VERMAGIC), FLAG(MODULE_INIT_COMPRESSED_FILE),
};

static const struct number_name kexec_file_flags[] = {
	FLAG(KEXEC_FILE_UNLOAD), FLAG(KEXEC_FILE_ON_CRASH), FLAG(KEXEC_FILE_NO_INITRAMFS),
};

static const struct number_name pidfd_flags[] = { FLAG(O_NONBLOCK), { "PIDFD_THREAD", O_EXCL, O_EXCL } };

static const struct number_name interval_timers[] = {
	WHOLE(ITIMER_REAL), WHOLE(ITIMER_VIRTUAL), WHOLE(ITIMER_PROF),
};

static const struct number_name timer_flags[] = { FLAG(TIMER_ABSTIME) };

static const struct number_name timerfd_flags[] = { FLAG(TFD_TIMER_ABSTIME), FLAG(TFD_TIMER_CANCEL_ON_SET) };

static const struct number_name perf_flags[] = {
	FLAG(PERF_FLAG_FD_NO_GROUP), FLAG(PERF_FLAG_FD_OUTPUT), FLAG(PERF_FLAG_PID_CGROUP), FLAG(PERF_FLAG_FD_CLOEXEC),
};

static const struct number_name mask_changes[] = { WHOLE(SIG_BLOCK), WHOLE(SIG_UNBLOCK), WHOLE(SIG_SETMASK) };

#define POLICY(name) { #name, name, 0x1fff }

static const struct number_name memory_policies[] = {
	POLICY(MPOL_DEFAULT), POLICY(MPOL_PREFERRED), POLICY(MPOL_BIND), POLICY(MPOL_INTERLEAVE),
	POLICY(MPOL_LOCAL), POLICY(MPOL_PREFERRED_MANY), { "MPOL_WEIGHTED_INTERLEAVE", 6, 0x1fff },
	FLAG(MPOL_F_STATIC_NODES), FLAG(MPOL_F_RELATIVE_NODES), FLAG(MPOL_F_NUMA_BALANCING),
};

static const struct number_name page_moves[] = {
	FLAG(MPOL_MF_STRICT), FLAG(MPOL_MF_MOVE), FLAG(MPOL_MF_MOVE_ALL),
};

static const struct number_name statx_flags[] = {
	FLAG(AT_SYMLINK_NOFOLLOW), FLAG(AT_NO_AUTOMOUNT), FLAG(AT_EMPTY_PATH),
	FLAG_AS(AT_STATX_FORCE_SYNC, 0x2000), FLAG_AS(AT_STATX_DONT_SYNC, 0x4000),
};

static const struct number_name access_flags[] = {
	FLAG(AT_EACCESS), FLAG(AT_SYMLINK_NOFOLLOW), FLAG(AT_EMPTY_PATH),
};

static const struct number_name fanotify_flags[] = {
	NUMBER(FAN_CLASS_CONTENT, FAN_ALL_CLASS_BITS), NUMBER(FAN_CLASS_PRE_CONTENT, FAN_ALL_CLASS_BITS),
	FLAG(FAN_CLOEXEC), FLAG(FAN_NONBLOCK), FLAG(FAN_UNLIMITED_QUEUE), FLAG(FAN_UNLIMITED_MARKS),
	FLAG(FAN_ENABLE_AUDIT), FLAG(FAN_REPORT_PIDFD), FLAG(FAN_REPORT_TID), FLAG(FAN_REPORT_FID),
	FLAG(FAN_REPORT_DIR_FID), FLAG(FAN_REPORT_NAME), FLAG(FAN_REPORT_TARGET_FID),
	FLAG_AS(FAN_REPORT_FD_ERROR, 0x2000), FLAG_AS(FAN_REPORT_MNT, 0x4000),
};

static const struct number_name ring_enter_flags[] = {
	FLAG(IORING_ENTER_GETEVENTS), FLAG(IORING_ENTER_SQ_WAKEUP), FLAG(IORING_ENTER_SQ_WAIT),
	FLAG(IORING_ENTER_EXT_ARG), FLAG(IORING_ENTER_REGISTERED_RING), FLAG_AS(IORING_ENTER_ABS_TIMER, 0x20),
	FLAG_AS(IORING_ENTER_EXT_ARG_REG, 0x40), FLAG_AS(IORING_ENTER_NO_IOWAIT, 0x80),
};

static const struct number_name io_flags[] = {
	FLAG(RWF_HIPRI), FLAG(RWF_DSYNC), FLAG(RWF_SYNC), FLAG(RWF_NOWAIT), FLAG(RWF_APPEND),
	FLAG_AS(RWF_NOAPPEND, 0x20), FLAG_AS(RWF_ATOMIC, 0x40), FLAG_AS(RWF_DONTCACHE, 0x80),
};

static const struct number_name close_flags[] = {
	FLAG(CLOSE_RANGE_UNSHARE), FLAG(CLOSE_RANGE_CLOEXEC),
};

static const struct number_name pick_flags[] = {
	FLAG(FSPICK_CLOEXEC), FLAG(FSPICK_SYMLINK_NOFOLLOW), FLAG(FSPICK_NO_AUTOMOUNT), FLAG(FSPICK_EMPTY_PATH),
};

static const struct number_name seccomp_flags[] = {
	FLAG(SECCOMP_FILTER_FLAG_TSYNC), FLAG(SECCOMP_FILTER_FLAG_LOG), FLAG(SECCOMP_FILTER_FLAG_SPEC_ALLOW),
	FLAG(SECCOMP_FILTER_FLAG_NEW_LISTENER), FLAG(SECCOMP_FILTER_FLAG_TSYNC_ESRCH),
	FLAG(SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV),
};

static const struct number_name landlock_flags[] = {
	FLAG(LANDLOCK_CREATE_RULESET_VERSION), FLAG_AS(LANDLOCK_CREATE_RULESET_ERRATA, 2),
};

static const struct number_name landlock_rules[] = {
	WHOLE(LANDLOCK_RULE_PATH_BENEATH), WHOLE_AS(LANDLOCK_RULE_NET_PORT, 2),
};

static const struct number_name fault_flags[] = {
	FLAG(O_CLOEXEC), FLAG(O_NONBLOCK), FLAG_AS(UFFD_USER_MODE_ONLY, 1),
};

static const struct number_name used_by[] = {
	WHOLE(RUSAGE_SELF), WHOLE(RUSAGE_CHILDREN), WHOLE(RUSAGE_THREAD),
};

static const struct number_name private_key[] = {
	WHOLE(IPC_PRIVATE),
};

static const struct number_name on_fault[] = {
	FLAG(MLOCK_ONFAULT),
};

static const struct number_names sets[] = {
	{ " open openat open_by_handle_at ", "flags", NAMES(open_flags), NAMED_BITS },
	/* epoll_create(2) and eventfd(2) have no flags, but do_epoll_create() and do_eventfd() of the kernel do. */
	{ " pipe2 ", "flags", NAMES(pipe_flags), NAMED_BITS },
	{ " dup3 epoll_create epoll_create1 inotify_init1 signalfd4 ", "flags", NAMES(descriptor_flags), NAMED_BITS },
	{ " timerfd_create memfd_secret ", "flags", NAMES(descriptor_flags), NAMED_BITS },
	{ " eventfd eventfd2 ", "flags", NAMES(eventfd_flags), NAMED_BITS },
	{ " memfd_create ", "flags", NAMES(memfd_flags), NAMED_BITS },
	{ " newfstatat fchownat name_to_handle_at ", "flag", NAMES(at_flags), NAMED_BITS },
	{ " linkat utimensat execveat fchmodat2 ", "flags", NAMES(at_flags), NAMED_BITS },
	{ " setxattrat getxattrat listxattrat removexattrat ", "at_flags", NAMES(at_flags), NAMED_BITS },
	{ " file_getattr file_setattr ", "at_flags", NAMES(at_flags), NAMED_BITS },
	{ " unlinkat ", "flag", NAMES(unlink_flags), NAMED_BITS },
	{ " renameat2 ", "flags", NAMES(rename_flags), NAMED_BITS },
	{ " access faccessat faccessat2 ", "mode", NAMES(access_modes), NAMED_BITS },
	{ " mmap mprotect pkey_mprotect ", "prot", NAMES(protections), NAMED_BITS },
	{ " mmap ", "flags", NAMES(map_flags), NAMED_BITS },
	{ " mremap ", "flags", NAMES(remap_flags), NAMED_BITS },
	{ " msync ", "flags", NAMES(msync_flags), NAMED_BITS },
	{ " mlockall ", "flags", NAMES(mlockall_flags), NAMED_BITS },
	{ " madvise process_madvise ", "behavior", NAMES(advices), NAMED_WHOLE },
	{ " mount ", "flags", NAMES(mount_flags), NAMED_BITS },
	{ " umount ", "flags", NAMES(umount_flags), NAMED_BITS },
	{ " clone ", "clone_flags", NAMES(clone_flags), NAMED_BITS_AND_SIGNAL },
	{ " unshare ", "unshare_flags", NAMES(unshare_flags), NAMED_BITS },
	{ " setns ", "flags", NAMES(setns_types), NAMED_BITS },
	{ " futex ", "op", NAMES(futex_operations), NAMED_BITS },
	{ " lseek ", "whence", NAMES(whences), NAMED_WHOLE },
	{ " epoll_ctl ", "op", NAMES(epoll_operations), NAMED_WHOLE },
	{ " clock_gettime clock_settime clock_getres clock_nanosleep clock_adjtime timer_create ", "which_clock",
	  NAMES(clocks), NAMED_WHOLE },
	{ " timerfd_create ", "clockid", NAMES(clocks), NAMED_WHOLE },
	{ " flock ", "cmd", NAMES(flock_commands), NAMED_BITS },
	{ " fallocate ", "mode", NAMES(fallocate_modes), NAMED_BITS },
	{ " getrlimit setrlimit prlimit64 prlimit ", "resource", NULL, 0, NAMED_LIMIT },
	{ " shmget ", "shmflg", NAMES(shm_flags), NAMED_BITS_AND_MODE },
	{ " semget ", "semflg", NAMES(ipc_flags), NAMED_BITS_AND_MODE },
	{ " msgget ", "msgflg", NAMES(ipc_flags), NAMED_BITS_AND_MODE },
	{ " msgsnd msgrcv ", "msgflg", NAMES(message_queue_flags), NAMED_BITS },
	{ " shmat ", "shmflg", NAMES(attach_flags), NAMED_BITS },
	{ " mq_open ", "oflag", NAMES(open_flags), NAMED_BITS },
	{ " inotify_add_watch ", "mask", NAMES(inotify_events), NAMED_BITS },
	{ " fanotify_mark ", "flags", NAMES(fanotify_mark_flags), NAMED_BITS },
	{ " fanotify_mark ", "mask", NAMES(fanotify_events), NAMED_BITS },
	{ " mbind set_mempolicy ", "mode", NAMES(memory_policies), NAMED_BITS },
	{ " splice tee vmsplice ", "flags", NAMES(splice_flags), NAMED_BITS },
	{ " setxattr lsetxattr fsetxattr ", "flags", NAMES(xattr_flags), NAMED_BITS },
	{ " getrandom ", "flags", NAMES(random_flags), NAMED_BITS },
	{ " ioprio_set ioprio_get ", "which", NAMES(priority_owners), NAMED_WHOLE },
	{ " ioprio_set ", "ioprio", NAMES(priority_classes), NAMED_IO_PRIORITY },
	{ " sched_setscheduler ", "policy", NAMES(policies), NAMED_WHOLE },
	{ " getpriority setpriority ", "which", NAMES(nice_owners), NAMED_WHOLE },
	{ " wait4 waitid ", "options", NAMES(wait_options), NAMED_BITS },
	{ " waitid ", "which", NAMES(waited_for), NAMED_WHOLE },
	{ " fadvise64 ", "advice", NAMES(file_advices), NAMED_WHOLE },
	{ " sync_file_range ", "flags", NAMES(sync_flags), NAMED_BITS },
	{ " swapon ", "swap_flags", NAMES(swap_flags), NAMED_BITS },
	{ " move_mount ", "flags", NAMES(move_flags), NAMED_BITS },
	{ " open_tree open_tree_attr mount_setattr ", "flags", NAMES(tree_flags), NAMED_BITS },
	{ " fsopen ", "flags", NAMES(fsopen_flags), NAMED_BITS },
	{ " fsmount ", "flags", NAMES(fsmount_flags), NAMED_BITS },
	{ " fsmount ", "attr_flags", NAMES(mount_attributes), NAMED_BITS },
	{ " delete_module ", "flags", NAMES(delete_module_flags), NAMED_BITS },
	{ " finit_module ", "flags", NAMES(module_flags), NAMED_BITS },
	{ " kexec_file_load ", "flags", NAMES(kexec_file_flags), NAMED_BITS },
	{ " pidfd_open ", "flags", NAMES(pidfd_flags), NAMED_BITS },
	{ " getitimer setitimer ", "which", NAMES(interval_timers), NAMED_WHOLE },
	{ " clock_nanosleep timer_settime ", "flags", NAMES(timer_flags), NAMED_BITS },
	{ " timerfd_settime ", "flags", NAMES(timerfd_flags), NAMED_BITS },
	{ " perf_event_open ", "flags", NAMES(perf_flags), NAMED_BITS },
	{ " rt_sigprocmask ", "how", NAMES(mask_changes), NAMED_WHOLE },
	{ " statx ", "flags", NAMES(statx_flags), NAMED_BITS },
	{ " faccessat2 ", "flags", NAMES(access_flags), NAMED_BITS },
	{ " fanotify_init ", "flags", NAMES(fanotify_flags), NAMED_BITS },
	{ " fanotify_init ", "event_f_flags", NAMES(open_flags), NAMED_BITS },
	{ " io_uring_enter ", "flags", NAMES(ring_enter_flags), NAMED_BITS },
	{ " preadv2 pwritev2 ", "flags", NAMES(io_flags), NAMED_BITS },
	{ " close_range ", "flags", NAMES(close_flags), NAMED_BITS },
	{ " fspick ", "flags", NAMES(pick_flags), NAMED_BITS },
	{ " seccomp ", "flags", NAMES(seccomp_flags), NAMED_BITS },
	{ " landlock_create_ruleset ", "flags", NAMES(landlock_flags), NAMED_BITS },
	{ " landlock_add_rule ", "rule_type", NAMES(landlock_rules), NAMED_WHOLE },
	{ " userfaultfd ", "flags", NAMES(fault_flags), NAMED_BITS },
	{ " getrusage ", "who", NAMES(used_by), NAMED_WHOLE },
	{ " shmget semget msgget ", "key", NAMES(private_key), NAMED_WHOLE },
	{ " mbind move_pages ", "flags", NAMES(page_moves), NAMED_BITS },
	{ " mlock2 ", "flags", NAMES(on_fault), NAMED_BITS },
};

/* In place of rows above. */
static const struct number_names sets_as_arm[] = {
	{ " open openat open_by_handle_at ", "flags", NAMES(open_flags_as_arm), NAMED_BITS },
	{ " mq_open ", "oflag", NAMES(open_flags_as_arm), NAMED_BITS },
	{ " fanotify_init ", "event_f_flags", NAMES(open_flags_as_arm), NAMED_BITS },
};

static const struct number_names *find_in(const struct number_names *names, size_t nr, const char *syscall,
					  const char *parameter)
{
	char name[40];

	snprintf(name, sizeof(name), " %s ", syscall);
	return find_first(known, names, nr,
			  !strcmp(known->parameter, parameter) && strstr(known->syscalls, name));
}

const struct number_names *number_names_find(const struct arch *arch, const char *syscall, const char *parameter,
					     uint64_t before, uint64_t first)
{
	const struct number_names *names = NULL;

	if (!strcmp(parameter, "optname"))
		return socket_option_names(before, !strcmp(syscall, "getsockopt"));
	if (!strcmp(parameter, "protocol") && startswith(syscall, "socket"))
		return socket_protocol_names(first);
	if (!strcmp(parameter, "cmd") && !strcmp(syscall, "ioctl"))
		return &ioctl_names;
	if (!strcmp(parameter, "arg") && !strcmp(syscall, "fcntl")) {
		if ((uint32_t)before != F_SETFL)
			return fcntl_argument_names(before);
		syscall = "open";
		parameter = "flags";
	}
	if (arch->open_flags_as_arm)
		names = find_in(sets_as_arm, ARRAY_SIZE(sets_as_arm), syscall, parameter);
	return names ?: find_in(sets, ARRAY_SIZE(sets), syscall, parameter) ?:
	       find_in(socket_names, nr_socket_names, syscall, parameter) ?:
	       find_in(command_names, nr_command_names, syscall, parameter);
}
