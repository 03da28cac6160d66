// SPDX-License-Identifier: BSD-2-Clause
/* Names from the headers for user space; where Debian 12's are older than a name, its number is here. */
#include "util/kernel/numbers/argument_names.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btrfs.h>
#include <linux/dm-ioctl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsverity.h>
#include <linux/futex.h>
#include <linux/if_tun.h>
#include <linux/ioprio.h>
#include <linux/ipc.h>
#include <linux/keyctl.h>
#include <linux/kexec.h>
#include <linux/kvm.h>
#include <linux/loop.h>
#include <linux/membarrier.h>
#include <linux/mempolicy.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/msg.h>
#include <linux/nsfs.h>
#include <linux/nvme_ioctl.h>
#include <linux/perf_event.h>
#include <linux/prctl.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/sem.h>
#include <linux/shm.h>
#include <linux/sockios.h>
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
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
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
#include "util/kernel/numbers/socket_option_names.h"

static const struct number_name open_flags[] = {
	NUMBER(O_RDONLY, O_ACCMODE), NUMBER(O_WRONLY, O_ACCMODE), NUMBER(O_RDWR, O_ACCMODE), FLAG(O_CREAT),
	FLAG(O_EXCL), FLAG(O_NOCTTY), FLAG(O_TRUNC), FLAG(O_APPEND), FLAG(O_NONBLOCK), FLAG(O_SYNC),
	FLAG(O_DSYNC), FLAG(O_TMPFILE), FLAG(O_DIRECTORY), FLAG(O_NOFOLLOW), FLAG(O_DIRECT), FLAG(O_NOATIME),
	FLAG(O_PATH), FLAG(O_CLOEXEC),
};

/* Of new descriptors that open(2) does not make. */
static const struct number_name descriptor_flags[] = { FLAG(O_CLOEXEC), FLAG(O_NONBLOCK) };

/* The last one is of <linux/watch_queue.h>, which Debian 12 lacks. */
static const struct number_name pipe_flags[] = {
	FLAG(O_CLOEXEC), FLAG(O_NONBLOCK), FLAG(O_DIRECT), { "O_NOTIFICATION_PIPE", O_EXCL, O_EXCL },
};

static const struct number_name eventfd_flags[] = {
	FLAG(EFD_SEMAPHORE), FLAG(EFD_CLOEXEC), FLAG(EFD_NONBLOCK),
};

static const struct number_name memfd_flags[] = { FLAG(MFD_CLOEXEC), FLAG(MFD_ALLOW_SEALING), FLAG(MFD_HUGETLB) };

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
};

#define MAP_TYPE_MASK 0xf

static const struct number_name map_flags[] = {
	NUMBER(MAP_SHARED, MAP_TYPE_MASK), NUMBER(MAP_PRIVATE, MAP_TYPE_MASK),
	NUMBER(MAP_SHARED_VALIDATE, MAP_TYPE_MASK), FLAG(MAP_FIXED), FLAG(MAP_ANONYMOUS), FLAG(MAP_GROWSDOWN),
	FLAG(MAP_DENYWRITE), FLAG(MAP_LOCKED), FLAG(MAP_NORESERVE), FLAG(MAP_POPULATE), FLAG(MAP_NONBLOCK),
	FLAG(MAP_STACK), FLAG(MAP_HUGETLB), FLAG(MAP_SYNC), FLAG(MAP_FIXED_NOREPLACE),
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
	WHOLE(MADV_HWPOISON), { "MADV_COLLAPSE", 25, UINT32_MAX }, { "MADV_GUARD_INSTALL", 102, UINT32_MAX },
	{ "MADV_GUARD_REMOVE", 103, UINT32_MAX },
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
	{ "MNT_FORCE", 1, 1 }, { "MNT_DETACH", 2, 2 }, { "MNT_EXPIRE", 4, 4 }, { "UMOUNT_NOFOLLOW", 8, 8 },
};

static const struct number_name fsconfig_commands[] = {
	WHOLE(FSCONFIG_SET_FLAG), WHOLE(FSCONFIG_SET_STRING), WHOLE(FSCONFIG_SET_BINARY),
	WHOLE(FSCONFIG_SET_PATH), WHOLE(FSCONFIG_SET_PATH_EMPTY), WHOLE(FSCONFIG_SET_FD),
	WHOLE(FSCONFIG_CMD_CREATE), WHOLE(FSCONFIG_CMD_RECONFIGURE),
	{ "FSCONFIG_CMD_CREATE_EXCL", 8, UINT32_MAX },
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

static const struct number_name families[] = {
	WHOLE(AF_UNSPEC), WHOLE(AF_UNIX), WHOLE(AF_INET), WHOLE(AF_AX25), WHOLE(AF_IPX), WHOLE(AF_INET6),
	WHOLE(AF_KEY), WHOLE(AF_NETLINK), WHOLE(AF_PACKET), WHOLE(AF_RDS), WHOLE(AF_TIPC),
	WHOLE(AF_BLUETOOTH), WHOLE(AF_CAN), WHOLE(AF_ALG), WHOLE(AF_VSOCK), WHOLE(AF_KCM), WHOLE(AF_QIPCRTR),
	WHOLE(AF_SMC), WHOLE(AF_XDP),
};

#define SOCK_TYPE_MASK 0xf

static const struct number_name socket_types[] = {
	NUMBER(SOCK_STREAM, SOCK_TYPE_MASK), NUMBER(SOCK_DGRAM, SOCK_TYPE_MASK),
	NUMBER(SOCK_RAW, SOCK_TYPE_MASK), NUMBER(SOCK_RDM, SOCK_TYPE_MASK),
	NUMBER(SOCK_SEQPACKET, SOCK_TYPE_MASK), NUMBER(SOCK_DCCP, SOCK_TYPE_MASK),
	NUMBER(SOCK_PACKET, SOCK_TYPE_MASK), FLAG(SOCK_CLOEXEC), FLAG(SOCK_NONBLOCK),
};

static const struct number_name accept_flags[] = { FLAG(SOCK_CLOEXEC), FLAG(SOCK_NONBLOCK) };

static const struct number_name message_flags[] = {
	FLAG(MSG_OOB), FLAG(MSG_PEEK), FLAG(MSG_DONTROUTE), FLAG(MSG_CTRUNC), FLAG(MSG_TRUNC),
	FLAG(MSG_DONTWAIT), FLAG(MSG_EOR), FLAG(MSG_WAITALL), FLAG(MSG_CONFIRM), FLAG(MSG_ERRQUEUE),
	FLAG(MSG_NOSIGNAL), FLAG(MSG_MORE), FLAG(MSG_WAITFORONE), FLAG(MSG_ZEROCOPY), FLAG(MSG_FASTOPEN),
	FLAG(MSG_CMSG_CLOEXEC),
};

static const struct number_name option_levels[] = {
	WHOLE(SOL_SOCKET), { "SOL_IP", IPPROTO_IP, UINT32_MAX }, { "SOL_TCP", IPPROTO_TCP, UINT32_MAX },
	{ "SOL_UDP", IPPROTO_UDP, UINT32_MAX }, { "SOL_IPV6", IPPROTO_IPV6, UINT32_MAX },
	{ "SOL_RAW", IPPROTO_RAW, UINT32_MAX }, WHOLE(SOL_PACKET), WHOLE(SOL_NETLINK), WHOLE(SOL_ALG),
	{ "SOL_XDP", 283, UINT32_MAX }, WHOLE(AF_VSOCK),
};

static const struct number_name shutdowns[] = { WHOLE(SHUT_RD), WHOLE(SHUT_WR), WHOLE(SHUT_RDWR) };

#define BPF_COMMAND(name) { #name, name, BPF_COMMAND_MASK }

static const struct number_name bpf_commands[] = {
	BPF_COMMAND(BPF_MAP_CREATE), BPF_COMMAND(BPF_MAP_LOOKUP_ELEM), BPF_COMMAND(BPF_MAP_UPDATE_ELEM),
	BPF_COMMAND(BPF_MAP_DELETE_ELEM), BPF_COMMAND(BPF_MAP_GET_NEXT_KEY), BPF_COMMAND(BPF_PROG_LOAD),
	BPF_COMMAND(BPF_OBJ_PIN), BPF_COMMAND(BPF_OBJ_GET), BPF_COMMAND(BPF_PROG_ATTACH),
	BPF_COMMAND(BPF_PROG_DETACH), BPF_COMMAND(BPF_PROG_TEST_RUN), BPF_COMMAND(BPF_PROG_GET_NEXT_ID),
	BPF_COMMAND(BPF_MAP_GET_NEXT_ID), BPF_COMMAND(BPF_PROG_GET_FD_BY_ID), BPF_COMMAND(BPF_MAP_GET_FD_BY_ID),
	BPF_COMMAND(BPF_OBJ_GET_INFO_BY_FD), BPF_COMMAND(BPF_PROG_QUERY), BPF_COMMAND(BPF_RAW_TRACEPOINT_OPEN),
	BPF_COMMAND(BPF_BTF_LOAD), BPF_COMMAND(BPF_BTF_GET_FD_BY_ID), BPF_COMMAND(BPF_TASK_FD_QUERY),
	BPF_COMMAND(BPF_MAP_LOOKUP_AND_DELETE_ELEM), BPF_COMMAND(BPF_MAP_FREEZE),
	BPF_COMMAND(BPF_BTF_GET_NEXT_ID), BPF_COMMAND(BPF_MAP_LOOKUP_BATCH),
	BPF_COMMAND(BPF_MAP_LOOKUP_AND_DELETE_BATCH), BPF_COMMAND(BPF_MAP_UPDATE_BATCH),
	BPF_COMMAND(BPF_MAP_DELETE_BATCH), BPF_COMMAND(BPF_LINK_CREATE), BPF_COMMAND(BPF_LINK_UPDATE),
	BPF_COMMAND(BPF_LINK_GET_FD_BY_ID), BPF_COMMAND(BPF_LINK_GET_NEXT_ID), BPF_COMMAND(BPF_ENABLE_STATS),
	BPF_COMMAND(BPF_ITER_CREATE), BPF_COMMAND(BPF_LINK_DETACH), BPF_COMMAND(BPF_PROG_BIND_MAP),
	{ "BPF_TOKEN_CREATE", 36, BPF_COMMAND_MASK }, { "BPF_PROG_STREAM_READ_BY_FD", 37, BPF_COMMAND_MASK },
	{ "BPF_PROG_ASSOC_STRUCT_OPS", 38, BPF_COMMAND_MASK }, FLAG(BPF_COMMON_ATTRS),
};

static const struct number_name fcntl_commands[] = {
	WHOLE(F_DUPFD), WHOLE(F_GETFD), WHOLE(F_SETFD), WHOLE(F_GETFL), WHOLE(F_SETFL), WHOLE(F_GETLK),
	WHOLE(F_SETLK), WHOLE(F_SETLKW), WHOLE(F_SETOWN), WHOLE(F_GETOWN), WHOLE(F_SETSIG), WHOLE(F_GETSIG),
	WHOLE(F_SETOWN_EX), WHOLE(F_GETOWN_EX), WHOLE(F_OFD_GETLK), WHOLE(F_OFD_SETLK), WHOLE(F_OFD_SETLKW),
	WHOLE(F_SETLEASE), WHOLE(F_GETLEASE), WHOLE(F_NOTIFY), WHOLE(F_DUPFD_CLOEXEC), WHOLE(F_SETPIPE_SZ),
	WHOLE(F_GETPIPE_SZ), WHOLE(F_ADD_SEALS), WHOLE(F_GET_SEALS), WHOLE(F_GET_RW_HINT),
	WHOLE(F_SET_RW_HINT),
};

static const struct number_name ioctl_commands[] = {
	WHOLE(TCGETS), WHOLE(TCSETS), WHOLE(TCSETSW), WHOLE(TCSETSF), WHOLE(TCSBRK), WHOLE(TCXONC), WHOLE(TCFLSH),
	WHOLE(TIOCEXCL), WHOLE(TIOCSCTTY), WHOLE(TIOCGPGRP), WHOLE(TIOCSPGRP), WHOLE(TIOCOUTQ), WHOLE(TIOCSTI),
	WHOLE(TIOCGWINSZ), WHOLE(TIOCSWINSZ), WHOLE(TIOCNOTTY), WHOLE(TIOCGPTN), WHOLE(TIOCSPTLCK),
	WHOLE(FIONREAD), WHOLE(FIONBIO), WHOLE(FIOASYNC), WHOLE(FIONCLEX), WHOLE(FIOCLEX), WHOLE(FIBMAP),
	WHOLE(FIGETBSZ), WHOLE(FIFREEZE), WHOLE(FITHAW), WHOLE(FITRIM), WHOLE(FICLONE), WHOLE(FICLONERANGE),
	WHOLE(FIDEDUPERANGE), WHOLE(FS_IOC_GETFLAGS), WHOLE(FS_IOC_SETFLAGS), WHOLE(FS_IOC_GETVERSION),
	WHOLE(FS_IOC_FSGETXATTR), WHOLE(FS_IOC_FSSETXATTR), WHOLE(BLKROSET), WHOLE(BLKROGET), WHOLE(BLKRRPART),
	WHOLE(BLKRASET), WHOLE(BLKRAGET), WHOLE(BLKFRASET), WHOLE(BLKFRAGET), WHOLE(BLKBSZGET), WHOLE(BLKBSZSET),
	WHOLE(BLKIOMIN), WHOLE(BLKIOOPT), WHOLE(BLKALIGNOFF), WHOLE(BLKSECDISCARD), WHOLE(BLKROTATIONAL),
	WHOLE(BLKGETSIZE), WHOLE(BLKFLSBUF), WHOLE(BLKSSZGET), WHOLE(BLKGETSIZE64), WHOLE(BLKDISCARD),
	WHOLE(BLKPBSZGET), WHOLE(BLKZEROOUT), WHOLE(LOOP_SET_FD), WHOLE(LOOP_CLR_FD), WHOLE(LOOP_SET_STATUS64),
	WHOLE(LOOP_GET_STATUS64), WHOLE(LOOP_CONFIGURE), WHOLE(LOOP_CTL_ADD), WHOLE(LOOP_CTL_REMOVE),
	WHOLE(LOOP_CTL_GET_FREE), WHOLE(SIOCGIFNAME), WHOLE(SIOCGIFCONF), WHOLE(SIOCGIFFLAGS),
	WHOLE(SIOCSIFFLAGS), WHOLE(SIOCGIFADDR), WHOLE(SIOCSIFADDR), WHOLE(SIOCGIFMTU), WHOLE(SIOCSIFMTU),
	WHOLE(SIOCSIFNAME), WHOLE(SIOCGIFHWADDR), WHOLE(SIOCSIFHWADDR), WHOLE(SIOCGIFINDEX), WHOLE(SIOCADDRT),
	WHOLE(SIOCDELRT), WHOLE(SIOCETHTOOL), WHOLE(SIOCBRADDBR), WHOLE(SIOCBRDELBR), WHOLE(SIOCBRADDIF),
	WHOLE(SIOCBRDELIF), WHOLE(TUNSETIFF), WHOLE(TUNSETPERSIST), WHOLE(TUNSETOWNER), WHOLE(TUNGETIFF),
	WHOLE(TUNSETOFFLOAD), WHOLE(TUNSETQUEUE), WHOLE(TIOCSETD), WHOLE(TIOCGETD), WHOLE(UFFDIO_API),
	WHOLE(UFFDIO_REGISTER), WHOLE(UFFDIO_UNREGISTER), WHOLE(UFFDIO_WAKE), WHOLE(UFFDIO_COPY),
	WHOLE(UFFDIO_ZEROPAGE), WHOLE(UFFDIO_WRITEPROTECT), WHOLE(UFFDIO_CONTINUE), WHOLE(DM_VERSION),
	WHOLE(DM_REMOVE_ALL), WHOLE(DM_LIST_DEVICES), WHOLE(DM_DEV_CREATE), WHOLE(DM_DEV_REMOVE),
	WHOLE(DM_DEV_RENAME), WHOLE(DM_DEV_SUSPEND), WHOLE(DM_DEV_STATUS), WHOLE(DM_DEV_WAIT),
	WHOLE(DM_TABLE_LOAD), WHOLE(DM_TABLE_CLEAR), WHOLE(DM_TABLE_DEPS), WHOLE(DM_TABLE_STATUS),
	WHOLE(DM_LIST_VERSIONS), WHOLE(DM_TARGET_MSG), WHOLE(DM_DEV_SET_GEOMETRY), WHOLE(FS_IOC_FIEMAP),
	WHOLE(FS_IOC_SET_ENCRYPTION_POLICY), WHOLE(FS_IOC_GET_ENCRYPTION_POLICY), WHOLE(FS_IOC_ADD_ENCRYPTION_KEY),
	WHOLE(FS_IOC_REMOVE_ENCRYPTION_KEY), WHOLE(FS_IOC_ENABLE_VERITY), WHOLE(FS_IOC_MEASURE_VERITY),
	WHOLE(BTRFS_IOC_SUBVOL_CREATE), WHOLE(BTRFS_IOC_SUBVOL_CREATE_V2), WHOLE(BTRFS_IOC_SNAP_CREATE_V2),
	WHOLE(BTRFS_IOC_SNAP_DESTROY), WHOLE(BTRFS_IOC_SUBVOL_SETFLAGS), WHOLE(BTRFS_IOC_DEFRAG_RANGE),
	WHOLE(BTRFS_IOC_RESIZE), WHOLE(BTRFS_IOC_ADD_DEV), WHOLE(BTRFS_IOC_RM_DEV_V2), WHOLE(BTRFS_IOC_BALANCE_V2),
	WHOLE(BTRFS_IOC_SCRUB), WHOLE(BTRFS_IOC_TREE_SEARCH_V2), WHOLE(BTRFS_IOC_QUOTA_CTL),
	WHOLE(KVM_GET_API_VERSION), WHOLE(KVM_CREATE_VM), WHOLE(KVM_CHECK_EXTENSION), WHOLE(KVM_CREATE_VCPU),
	WHOLE(KVM_RUN), WHOLE(KVM_SET_USER_MEMORY_REGION), WHOLE(NS_GET_USERNS), WHOLE(NS_GET_PARENT),
	WHOLE(NS_GET_NSTYPE), WHOLE(NS_GET_OWNER_UID), WHOLE(NVME_IOCTL_ADMIN_CMD), WHOLE(NVME_IOCTL_IO_CMD),
	WHOLE(PERF_EVENT_IOC_ENABLE), WHOLE(PERF_EVENT_IOC_DISABLE), WHOLE(PERF_EVENT_IOC_REFRESH),
	WHOLE(PERF_EVENT_IOC_RESET), WHOLE(PERF_EVENT_IOC_PERIOD), WHOLE(PERF_EVENT_IOC_SET_OUTPUT),
	WHOLE(PERF_EVENT_IOC_SET_FILTER), WHOLE(PERF_EVENT_IOC_ID), WHOLE(PERF_EVENT_IOC_SET_BPF),
};

static const struct number_name prctl_options[] = {
	WHOLE(PR_SET_PDEATHSIG), WHOLE(PR_GET_PDEATHSIG), WHOLE(PR_GET_DUMPABLE), WHOLE(PR_SET_DUMPABLE),
	WHOLE(PR_GET_KEEPCAPS), WHOLE(PR_SET_KEEPCAPS), WHOLE(PR_SET_NAME), WHOLE(PR_GET_NAME),
	WHOLE(PR_GET_SECCOMP), WHOLE(PR_SET_SECCOMP), WHOLE(PR_CAPBSET_READ), WHOLE(PR_CAPBSET_DROP),
	WHOLE(PR_GET_SECUREBITS), WHOLE(PR_SET_SECUREBITS), WHOLE(PR_SET_TIMERSLACK), WHOLE(PR_GET_TIMERSLACK),
	WHOLE(PR_MCE_KILL), WHOLE(PR_SET_MM), WHOLE(PR_SET_PTRACER), WHOLE(PR_SET_CHILD_SUBREAPER),
	WHOLE(PR_GET_CHILD_SUBREAPER), WHOLE(PR_SET_NO_NEW_PRIVS), WHOLE(PR_GET_NO_NEW_PRIVS),
	WHOLE(PR_SET_THP_DISABLE), WHOLE(PR_GET_THP_DISABLE), WHOLE(PR_CAP_AMBIENT),
	WHOLE(PR_SET_SPECULATION_CTRL), WHOLE(PR_GET_SPECULATION_CTRL), WHOLE(PR_SET_IO_FLUSHER),
	WHOLE(PR_SCHED_CORE), WHOLE(PR_SET_VMA),
};

static const struct number_name keyctl_options[] = {
	WHOLE(KEYCTL_GET_KEYRING_ID), WHOLE(KEYCTL_JOIN_SESSION_KEYRING), WHOLE(KEYCTL_UPDATE),
	WHOLE(KEYCTL_REVOKE), WHOLE(KEYCTL_CHOWN), WHOLE(KEYCTL_SETPERM), WHOLE(KEYCTL_DESCRIBE),
	WHOLE(KEYCTL_CLEAR), WHOLE(KEYCTL_LINK), WHOLE(KEYCTL_UNLINK), WHOLE(KEYCTL_SEARCH),
	WHOLE(KEYCTL_READ), WHOLE(KEYCTL_INSTANTIATE), WHOLE(KEYCTL_NEGATE), WHOLE(KEYCTL_SET_REQKEY_KEYRING),
	WHOLE(KEYCTL_SET_TIMEOUT), WHOLE(KEYCTL_ASSUME_AUTHORITY), WHOLE(KEYCTL_GET_SECURITY),
	WHOLE(KEYCTL_SESSION_TO_PARENT), WHOLE(KEYCTL_REJECT), WHOLE(KEYCTL_INVALIDATE),
	WHOLE(KEYCTL_GET_PERSISTENT), WHOLE(KEYCTL_RESTRICT_KEYRING), WHOLE(KEYCTL_MOVE),
	WHOLE(KEYCTL_CAPABILITIES),
};

#define FUTEX_COMMAND(name) { #name, name, FUTEX_CMD_MASK }

static const struct number_name futex_operations[] = {
	FUTEX_COMMAND(FUTEX_WAIT), FUTEX_COMMAND(FUTEX_WAKE), FUTEX_COMMAND(FUTEX_REQUEUE), FUTEX_COMMAND(FUTEX_CMP_REQUEUE),
	FUTEX_COMMAND(FUTEX_WAKE_OP), FUTEX_COMMAND(FUTEX_LOCK_PI), FUTEX_COMMAND(FUTEX_UNLOCK_PI),
	FUTEX_COMMAND(FUTEX_TRYLOCK_PI), FUTEX_COMMAND(FUTEX_WAIT_BITSET), FUTEX_COMMAND(FUTEX_WAKE_BITSET),
	FUTEX_COMMAND(FUTEX_WAIT_REQUEUE_PI), FUTEX_COMMAND(FUTEX_CMP_REQUEUE_PI), FUTEX_COMMAND(FUTEX_LOCK_PI2),
	FLAG(FUTEX_PRIVATE_FLAG), FLAG(FUTEX_CLOCK_REALTIME),
};

static const struct number_name whences[] = {
	WHOLE(SEEK_SET), WHOLE(SEEK_CUR), WHOLE(SEEK_END), WHOLE(SEEK_DATA), WHOLE(SEEK_HOLE),
};

static const struct number_name ptrace_requests[] = {
	WHOLE(PTRACE_TRACEME), WHOLE(PTRACE_PEEKTEXT), WHOLE(PTRACE_PEEKDATA), WHOLE(PTRACE_POKETEXT),
	WHOLE(PTRACE_POKEDATA), WHOLE(PTRACE_CONT), WHOLE(PTRACE_KILL), WHOLE(PTRACE_SINGLESTEP),
	WHOLE(PTRACE_ATTACH), WHOLE(PTRACE_DETACH), WHOLE(PTRACE_SYSCALL), WHOLE(PTRACE_SETOPTIONS),
	WHOLE(PTRACE_GETEVENTMSG), WHOLE(PTRACE_GETSIGINFO), WHOLE(PTRACE_SETSIGINFO), WHOLE(PTRACE_GETREGSET),
	WHOLE(PTRACE_SETREGSET), WHOLE(PTRACE_SEIZE), WHOLE(PTRACE_INTERRUPT), WHOLE(PTRACE_LISTEN),
	WHOLE(PTRACE_PEEKUSER), WHOLE(PTRACE_POKEUSER), WHOLE(PTRACE_PEEKSIGINFO), WHOLE(PTRACE_GETSIGMASK),
	WHOLE(PTRACE_SETSIGMASK), WHOLE(PTRACE_SECCOMP_GET_FILTER),
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
	{ "FALLOC_FL_WRITE_ZEROES", 0x80, 0x80 },
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

static const struct number_name ipc_commands[] = {
	WHOLE(IPC_RMID), WHOLE(IPC_SET), WHOLE(IPC_STAT), WHOLE(IPC_INFO),
};

static const struct number_name semaphore_commands[] = {
	WHOLE(IPC_RMID), WHOLE(IPC_SET), WHOLE(IPC_STAT), WHOLE(IPC_INFO), WHOLE(GETPID), WHOLE(GETVAL), WHOLE(GETALL),
	WHOLE(GETNCNT), WHOLE(GETZCNT), WHOLE(SETVAL), WHOLE(SETALL), WHOLE(SEM_STAT), WHOLE(SEM_INFO),
};

static const struct number_name keyrings[] = {
	WHOLE(KEY_SPEC_THREAD_KEYRING), WHOLE(KEY_SPEC_PROCESS_KEYRING), WHOLE(KEY_SPEC_SESSION_KEYRING),
	WHOLE(KEY_SPEC_USER_KEYRING), WHOLE(KEY_SPEC_USER_SESSION_KEYRING),
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
};

static const struct number_name fanotify_mark_flags[] = {
	FLAG(FAN_MARK_ADD), FLAG(FAN_MARK_REMOVE), FLAG(FAN_MARK_FLUSH), FLAG(FAN_MARK_DONT_FOLLOW),
	FLAG(FAN_MARK_ONLYDIR), FLAG(FAN_MARK_MOUNT), FLAG(FAN_MARK_FILESYSTEM), FLAG(FAN_MARK_IGNORED_MASK),
	FLAG(FAN_MARK_IGNORED_SURV_MODIFY),
};

static const struct number_name memory_policies[] = {
	WHOLE(MPOL_DEFAULT), WHOLE(MPOL_PREFERRED), WHOLE(MPOL_BIND), WHOLE(MPOL_INTERLEAVE), WHOLE(MPOL_LOCAL),
	WHOLE(MPOL_PREFERRED_MANY),
};

static const struct number_name splice_flags[] = {
	FLAG(SPLICE_F_MOVE), FLAG(SPLICE_F_NONBLOCK), FLAG(SPLICE_F_MORE), FLAG(SPLICE_F_GIFT),
};

static const struct number_name barriers[] = {
	WHOLE(MEMBARRIER_CMD_QUERY), WHOLE(MEMBARRIER_CMD_GLOBAL), WHOLE(MEMBARRIER_CMD_GLOBAL_EXPEDITED),
	WHOLE(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED), WHOLE(MEMBARRIER_CMD_PRIVATE_EXPEDITED),
	WHOLE(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED), WHOLE(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE),
	WHOLE(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE), WHOLE(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ),
	WHOLE(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ),
};

static const struct number_name xattr_flags[] = { FLAG(XATTR_CREATE), FLAG(XATTR_REPLACE) };

static const struct number_name seccomp_operations[] = {
	WHOLE(SECCOMP_SET_MODE_STRICT), WHOLE(SECCOMP_SET_MODE_FILTER), WHOLE(SECCOMP_GET_ACTION_AVAIL),
	WHOLE(SECCOMP_GET_NOTIF_SIZES),
};

static const struct number_name random_flags[] = { FLAG(GRND_NONBLOCK), FLAG(GRND_RANDOM), FLAG(GRND_INSECURE) };

static const struct number_name policies[] = {
	WHOLE(SCHED_NORMAL), WHOLE(SCHED_FIFO), WHOLE(SCHED_RR), WHOLE(SCHED_BATCH), WHOLE(SCHED_IDLE),
	WHOLE(SCHED_DEADLINE), { "SCHED_EXT", 7, UINT32_MAX },
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

static const struct number_name swap_flags[] = { FLAG(SWAP_FLAG_PREFER), FLAG(SWAP_FLAG_DISCARD) };

static const struct number_name move_flags[] = {
	FLAG(MOVE_MOUNT_F_SYMLINKS), FLAG(MOVE_MOUNT_F_AUTOMOUNTS), FLAG(MOVE_MOUNT_F_EMPTY_PATH),
	FLAG(MOVE_MOUNT_T_SYMLINKS), FLAG(MOVE_MOUNT_T_AUTOMOUNTS), FLAG(MOVE_MOUNT_T_EMPTY_PATH),
	FLAG(MOVE_MOUNT_SET_GROUP),
};

static const struct number_name tree_flags[] = {
	FLAG(OPEN_TREE_CLONE), FLAG(OPEN_TREE_CLOEXEC), FLAG(AT_RECURSIVE), FLAG(AT_SYMLINK_NOFOLLOW), FLAG(AT_NO_AUTOMOUNT),
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

static const struct number_names sets[] = {
	{ " open openat ", "flags", NAMES(open_flags), NAMED_BITS },
	/* epoll_create(2) and eventfd(2) have no flags, but do_epoll_create() and do_eventfd() of the kernel do. */
	{ " pipe2 ", "flags", NAMES(pipe_flags), NAMED_BITS },
	{ " dup3 epoll_create epoll_create1 inotify_init1 signalfd4 ", "flags", NAMES(descriptor_flags), NAMED_BITS },
	{ " timerfd_create ", "flags", NAMES(descriptor_flags), NAMED_BITS },
	{ " eventfd eventfd2 ", "flags", NAMES(eventfd_flags), NAMED_BITS },
	{ " memfd_create ", "flags", NAMES(memfd_flags), NAMED_BITS },
	{ " newfstatat fchownat name_to_handle_at ", "flag", NAMES(at_flags), NAMED_BITS },
	{ " statx linkat utimensat execveat fchmodat2 ", "flags", NAMES(at_flags), NAMED_BITS },
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
	{ " fsconfig ", "cmd", NAMES(fsconfig_commands), NAMED_WHOLE },
	{ " clone ", "clone_flags", NAMES(clone_flags), NAMED_BITS_AND_SIGNAL },
	{ " unshare ", "unshare_flags", NAMES(unshare_flags), NAMED_BITS },
	{ " setns ", "flags", NAMES(setns_types), NAMED_BITS },
	{ " socket socketpair ", "family", NAMES(families), NAMED_WHOLE },
	{ " socket socketpair ", "type", NAMES(socket_types), NAMED_BITS },
	{ " accept4 ", "flags", NAMES(accept_flags), NAMED_BITS },
	{ " sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg ", "flags", NAMES(message_flags), NAMED_BITS },
	{ " setsockopt getsockopt ", "level", NAMES(option_levels), NAMED_WHOLE },
	{ " shutdown ", "how", NAMES(shutdowns), NAMED_WHOLE },
	{ " bpf ", "cmd", NAMES(bpf_commands), NAMED_BITS },
	{ " ioctl ", "cmd", NAMES(ioctl_commands), NAMED_IOCTL },
	{ " fcntl ", "cmd", NAMES(fcntl_commands), NAMED_WHOLE },
	{ " prctl ", "option", NAMES(prctl_options), NAMED_WHOLE },
	{ " keyctl ", "option", NAMES(keyctl_options), NAMED_WHOLE },
	{ " futex ", "op", NAMES(futex_operations), NAMED_BITS },
	{ " lseek ", "whence", NAMES(whences), NAMED_WHOLE },
	{ " ptrace ", "request", NAMES(ptrace_requests), NAMED_WHOLE },
	{ " epoll_ctl ", "op", NAMES(epoll_operations), NAMED_WHOLE },
	{ " clock_gettime clock_settime clock_getres clock_nanosleep clock_adjtime timer_create ", "which_clock",
	  NAMES(clocks), NAMED_WHOLE },
	{ " timerfd_create ", "clockid", NAMES(clocks), NAMED_WHOLE },
	{ " flock ", "cmd", NAMES(flock_commands), NAMED_BITS },
	{ " fallocate ", "mode", NAMES(fallocate_modes), NAMED_BITS },
	{ " getrlimit setrlimit prlimit64 ", "resource", NULL, 0, NAMED_LIMIT },
	{ " shmget ", "shmflg", NAMES(shm_flags), NAMED_BITS_AND_MODE },
	{ " semget ", "semflg", NAMES(ipc_flags), NAMED_BITS_AND_MODE },
	{ " msgget ", "msgflg", NAMES(ipc_flags), NAMED_BITS_AND_MODE },
	{ " msgsnd msgrcv ", "msgflg", NAMES(message_queue_flags), NAMED_BITS },
	{ " shmat ", "shmflg", NAMES(attach_flags), NAMED_BITS },
	{ " mq_open ", "oflag", NAMES(open_flags), NAMED_BITS },
	{ " shmctl msgctl ", "cmd", NAMES(ipc_commands), NAMED_WHOLE },
	{ " semctl ", "cmd", NAMES(semaphore_commands), NAMED_WHOLE },
	{ " add_key ", "ringid", NAMES(keyrings), NAMED_WHOLE },
	{ " inotify_add_watch ", "mask", NAMES(inotify_events), NAMED_BITS },
	{ " fanotify_mark ", "flags", NAMES(fanotify_mark_flags), NAMED_BITS },
	{ " fanotify_mark ", "mask", NAMES(fanotify_events), NAMED_BITS },
	{ " mbind set_mempolicy ", "mode", NAMES(memory_policies), NAMED_WHOLE },
	{ " splice tee vmsplice ", "flags", NAMES(splice_flags), NAMED_BITS },
	{ " membarrier ", "cmd", NAMES(barriers), NAMED_WHOLE },
	{ " setxattr lsetxattr fsetxattr ", "flags", NAMES(xattr_flags), NAMED_BITS },
	{ " seccomp ", "op", NAMES(seccomp_operations), NAMED_WHOLE },
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
};

const struct number_names *number_names_find(const char *syscall, const char *parameter, uint64_t before)
{
	char name[40];

	if (!strcmp(parameter, "optname"))
		return socket_option_names(before);
	snprintf(name, sizeof(name), " %s ", syscall);
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		if (!strcmp(sets[i].parameter, parameter) && strstr(sets[i].syscalls, name))
			return &sets[i];
	}
	return NULL;
}
