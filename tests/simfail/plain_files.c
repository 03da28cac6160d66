/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain calls on paths and files. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/eventfd.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "plain_call.h"

static char buffer[4096];
static const struct open_how how_unknown_flag = { .flags = 1ULL << 62 };
static const struct open_how how_bad_mode = { .flags = O_RDONLY, .mode = 0644 };
static const struct open_how how_beneath = { .flags = O_RDONLY, .resolve = RESOLVE_BENEATH };
static const struct open_how how_no_links = { .flags = O_RDONLY,
					      .resolve = RESOLVE_NO_SYMLINKS };
static const struct timespec bad_times[2] = { { 0, 2000000000 }, { 0, 2000000000 } };
static const struct itimerspec bad_timer = { .it_value = { 1, 2000000000 } };
static const struct epoll_event any_event = { .events = EPOLLIN };
static const uint64_t all_ones = ~0ULL;
static const struct flock bad_lock = { .l_type = F_RDLCK, .l_whence = 99 };
static char long_name[300] = "user."
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

/* clang-format off */
const struct simfail_case simfail_plain_file_cases[] = {
	PLAIN("open-dir-write", EISDIR, "open a directory for writing",
	      ON_NOTHING, openat, AT_FDCWD, AT("/"), O_WRONLY),
	PLAIN("open-exclusive", EEXIST, "create a file that exists",
	      ON_NOTHING, openat, AT_FDCWD, AT("/dev/null"), O_RDWR | O_CREAT | O_EXCL, 0600),
	PLAIN("open-through-file", ENOTDIR, "open a path that goes through a file",
	      ON_NOTHING, openat, AT_FDCWD, AT("/dev/null/x"), O_RDONLY),
	PLAIN("open-bad-dirfd", ENOTDIR, "open relative to a file",
	      ON_PIPE, openat, THING, AT("x"), O_RDONLY),
	PLAIN("open-closed-dirfd", EBADF, "open relative to a closed descriptor",
	      ON_NOTHING, openat, 9999, AT("x"), O_RDONLY),
	PLAIN("open-bad-address", EFAULT, "open a path at a bad address",
	      ON_NOTHING, openat, AT_FDCWD, 8, O_RDONLY),
	PLAIN("open-null", EFAULT, "open a path at NULL",
	      ON_NOTHING, openat, AT_FDCWD, 0, O_RDONLY),
	PLAIN("ioctl-null", EFAULT, "FIONBIO with NULL",
	      ON_PIPE, ioctl, THING, FIONBIO, 0),
	PLAIN("ioctl-bad-address", EFAULT, "FIONBIO with an address of the kernel",
	      ON_PIPE, ioctl, THING, FIONBIO, -4096),
	PLAIN("open-empty-path", ENOENT, "open an empty path",
	      ON_NOTHING, openat, AT_FDCWD, AT(""), O_RDONLY),
	PLAIN("mkdir-empty-path", ENOENT, "make a directory without a name",
	      ON_NOTHING, mkdirat, AT_FDCWD, AT(""), 0700),
	PLAIN("openat2-unknown-flag", EINVAL, "openat2 with an unknown flag",
	      ON_NOTHING, openat2, AT_FDCWD, AT("/"), AT(&how_unknown_flag), sizeof(how_unknown_flag)),
	PLAIN("openat2-mode", EINVAL, "openat2 with a mode and no O_CREAT",
	      ON_NOTHING, openat2, AT_FDCWD, AT("/"), AT(&how_bad_mode), sizeof(how_bad_mode)),
	PLAIN("openat2-small", EINVAL, "openat2 with a structure that is too small",
	      ON_NOTHING, openat2, AT_FDCWD, AT("/"), AT(&how_beneath), 8),
	PLAIN("openat2-beneath", EXDEV, "openat2 of an absolute path, beneath",
	      ON_NOTHING, openat2, AT_FDCWD, AT("/dev"), AT(&how_beneath), sizeof(how_beneath)),
	PLAIN("openat2-no-links", ELOOP, "openat2 through a symbolic link that is refused",
	      ON_NOTHING, openat2, AT_FDCWD, AT("/proc/self/status"), AT(&how_no_links),
	      sizeof(how_no_links)),
	PLAIN("rename-into-itself", EINVAL, "move a directory into itself",
	      ON_NOTHING, renameat2, AT_FDCWD, AT("/etc"), AT_FDCWD, AT("/etc/simfail_none"), 0),
	PLAIN("rename-exchange", ENOENT, "exchange a directory with a missing one",
	      ON_NOTHING, renameat2, AT_FDCWD, AT("/etc"), AT_FDCWD, AT(MISSING_PATH), 0x2),
	PLAIN("rename-flags", EINVAL, "rename with an unknown flag",
	      ON_NOTHING, renameat2, AT_FDCWD, AT(MISSING_PATH), AT_FDCWD, AT(MISSING_PATH "2"), 0x100),
	PLAIN("link-devices", EXDEV, "link from one file system to another",
	      ON_NOTHING, linkat, AT_FDCWD, AT("/proc/version"), AT_FDCWD, AT(MISSING_PATH), 0),
	PLAIN("link-flags", EINVAL, "link with an unknown flag",
	      ON_NOTHING, linkat, AT_FDCWD, AT("/"), AT_FDCWD, AT(MISSING_PATH), 0x4),
	PLAIN("unlink-flags", EINVAL, "remove with an unknown flag",
	      ON_NOTHING, unlinkat, AT_FDCWD, AT("/"), 0x1),
	PLAIN("truncate-negative", EINVAL, "cut a file to a negative length",
	      ON_NOTHING, truncate, AT("/dev/null"), -1),
	PLAIN("truncate-dir", EISDIR, "cut a directory",
	      ON_NOTHING, truncate, AT("/"), 0),
	PLAIN("ftruncate-pipe", EINVAL, "cut a pipe",
	      ON_PIPE, ftruncate, THING, 0),
	PLAIN("ftruncate-reading", EINVAL, "cut /dev/null, open for reading",
	      ON_NULL, ftruncate, THING, 0),
	PLAIN("read-closed", EBADF, "read a closed descriptor",
	      ON_NOTHING, read, 9999, AT(buffer), 1),
	PLAIN("read-dir", EISDIR, "read a directory",
	      ON_ROOT, read, THING, AT(buffer), 1),
	PLAIN("read-bad-address", EFAULT, "read to an address of the kernel",
	      ON_MEMFD, read, THING, -4096, 16),
	PLAIN("read-timerfd-short", EINVAL, "read a timer into 4 bytes",
	      ON_TIMERFD, read, THING, AT(buffer), 4),
	PLAIN("pread-negative", EINVAL, "read at a negative position",
	      ON_MEMFD, pread64, THING, AT(buffer), 1, -5),
	PLAIN("pread-pipe", ESPIPE, "read a pipe at a position",
	      ON_PIPE, pread64, THING, AT(buffer), 1, 0),
	PLAIN("write-sealed", EPERM, "write to a file that is sealed",
	      ON_SEALED, write, THING, AT(buffer), 1),
	PLAIN("write-eventfd", EINVAL, "write the one value that an eventfd refuses",
	      ON_EVENTFD, write, THING, AT(&all_ones), 8),
	PLAIN("lseek-whence", EINVAL, "seek from nowhere",
	      ON_MEMFD, lseek, THING, 0, 99),
	PLAIN("lseek-data", ENXIO, "seek data behind a file's end",
	      ON_MEMFD, lseek, THING, 4096, SEEK_DATA),
	PLAIN("fallocate-mode", EOPNOTSUPP, "allocate in an unknown mode",
	      ON_MEMFD, fallocate, THING, 0x4000, 0, 4096),
	PLAIN("fallocate-negative", EINVAL, "allocate a negative length",
	      ON_MEMFD, fallocate, THING, 0, 0, -1),
	PLAIN("fallocate-dir", EBADF, "allocate in a directory",
	      ON_ROOT, fallocate, THING, 0, 0, 4096),
	PLAIN("utimes-nsec", EINVAL, "set a time of two billion nanoseconds",
	      ON_NOTHING, utimensat, AT_FDCWD, AT("/"), AT(bad_times), 0),
	PLAIN("statx-flags", EINVAL, "statx with flags that exclude each other",
	      ON_NOTHING, statx, AT_FDCWD, AT("/"), 0x6000, 0, AT(buffer)),
	PLAIN("statx-mask", EINVAL, "statx that asks for what is reserved",
	      ON_NOTHING, statx, AT_FDCWD, AT("/"), 0, 0x80000000L, AT(buffer)),
	PLAIN("getxattr-none", EOPNOTSUPP, "read an attribute of an unknown family",
	      ON_NOTHING, getxattr, AT("/"), AT("nosuch.attribute"), AT(buffer), sizeof(buffer)),
	PLAIN("setxattr-proc", EOPNOTSUPP, "an attribute in a filesystem that has none",
	      ON_NOTHING, setxattr, AT("/proc/self/status"), AT("user.simfail"), AT("x"), 1, 0),
	PLAIN("setxattr-flags", EINVAL, "set an attribute with an unknown flag",
	      ON_NOTHING, setxattr, AT("/"), AT("user.simfail"), AT("x"), 1, 4),
	PLAIN("setxattr-long", ERANGE, "set an attribute with too long a name",
	      ON_NOTHING, setxattr, AT("/"), AT(long_name), AT("x"), 1, 0),
	PLAIN("setxattr-big", E2BIG, "set an attribute to a value of 1 MB",
	      ON_NOTHING, setxattr, AT("/"), AT("user.simfail"), AT(buffer), 1 << 20, 0),
	PLAIN("dup3-same", EINVAL, "duplicate a descriptor onto itself",
	      ON_NOTHING, dup3, 1, 1, 0),
	PLAIN("fcntl-command", EINVAL, "fcntl with an unknown command",
	      ON_NULL, fcntl, THING, 9999, 0),
	PLAIN("fcntl-pipe-size", EBADF, "set the size of a pipe that is none",
	      ON_NULL, fcntl, THING, F_SETPIPE_SZ, 4096),
	PLAIN("fcntl-lock-whence", EINVAL, "lock from nowhere",
	      ON_MEMFD, fcntl, THING, F_GETLK, AT(&bad_lock)),
	PLAIN("fcntl-owner", ESRCH, "give a file to a process that does not exist",
	      ON_PIPE, fcntl, THING, F_SETOWN, MISSING_PID),
	PLAIN("flock-operation", EINVAL, "flock with no operation",
	      ON_MEMFD, flock, THING, 0),
	PLAIN("splice-files", EINVAL, "splice between two files",
	      ON_MEMFD, splice, THING, 0, THING, 0, 1, 0),
	PLAIN("tee-file", EINVAL, "tee of a file",
	      ON_MEMFD, tee, THING, THING, 1, 0),
	PLAIN("copy-range-dir", EISDIR, "copy from a directory",
	      ON_ROOT, copy_file_range, THING, 0, THING, 0, 1, 0),
	PLAIN("memfd-flags", EINVAL, "a file in memory with an unknown flag",
	      ON_NOTHING, memfd_create, AT("simfail"), 0x8000),
	PLAIN("memfd-seals", EINVAL, "an unknown seal",
	      ON_MEMFD, fcntl, THING, F_ADD_SEALS, 0x8000),
	PLAIN("inotify-mask", EINVAL, "watch for nothing",
	      ON_INOTIFY, inotify_add_watch, THING, AT("/"), 0),
	PLAIN("inotify-not-one", EINVAL, "add a watch to a pipe",
	      ON_PIPE, inotify_add_watch, THING, AT("/"), IN_CREATE),
	PLAIN("inotify-remove", EINVAL, "remove an unknown watch",
	      ON_INOTIFY, inotify_rm_watch, THING, 77),
	PLAIN("eventfd-flags", EINVAL, "an eventfd with an unknown flag",
	      ON_NOTHING, eventfd2, 0, 0x40),
	PLAIN("timerfd-nsec", EINVAL, "a timer of two billion nanoseconds",
	      ON_TIMERFD, timerfd_settime, THING, 0, AT(&bad_timer), 0),
	PLAIN("timerfd-not-one", EINVAL, "set the time of a pipe",
	      ON_PIPE, timerfd_settime, THING, 0, AT(&bad_timer), 0),
	PLAIN("epoll-itself", EINVAL, "add an epoll to itself",
	      ON_EPOLL, epoll_ctl, THING, EPOLL_CTL_ADD, THING, AT(&any_event)),
	PLAIN("epoll-dir", EPERM, "add a directory to an epoll that is a directory, too",
	      ON_ROOT, epoll_ctl, THING, EPOLL_CTL_ADD, THING, AT(&any_event)),
	PLAIN("epoll-closed", EBADF, "add a closed descriptor to an epoll",
	      ON_EPOLL, epoll_ctl, THING, EPOLL_CTL_ADD, 9999, AT(&any_event)),
	PLAIN("getdents-file", ENOTDIR, "list a pipe",
	      ON_PIPE, getdents64, THING, AT(buffer), sizeof(buffer)),
	PLAIN("chdir-file", ENOTDIR, "change to a directory that is a file",
	      ON_NOTHING, chdir, AT("/dev/null")),
	PLAIN("fchdir-pipe", ENOTDIR, "change to a directory that is a pipe",
	      ON_PIPE, fchdir, THING),
	PLAIN("fsync-pipe", EINVAL, "write a pipe to its disk",
	      ON_PIPE, fsync, THING),
	PLAIN("ioctl-timerfd", ENOTTY, "ask a timer for its terminal",
	      ON_TIMERFD, ioctl, THING, 0x5401, AT(buffer)),
	{},
};
/* clang-format on */
