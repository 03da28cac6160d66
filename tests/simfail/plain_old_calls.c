/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain calls on files that newer architectures have only in the form with a directory (renameat). */
#define _GNU_SOURCE 1
#include <sys/epoll.h>
#include <sys/stat.h>

#include "plain_call.h"

static char buffer[4096] __attribute__((unused));

/* clang-format off */
const struct simfail_case simfail_plain_old_call_cases[] = {
#ifdef __NR_access
	PLAIN("rename-missing", ENOENT, "rename a file that does not exist",
	      ON_NOTHING, rename, AT(MISSING_PATH), AT(MISSING_PATH "2")),
	PLAIN("rename-busy", EBUSY, "rename the root directory",
	      ON_NOTHING, rename, AT("/"), AT(MISSING_PATH)),
	PLAIN("rename-devices", EXDEV, "rename from one file system to another",
	      ON_NOTHING, rename, AT("/proc/self/status"), AT(MISSING_PATH)),
	PLAIN("unlink-missing", ENOENT, "remove a file that does not exist",
	      ON_NOTHING, unlink, AT(MISSING_PATH)),
	PLAIN("unlink-dir", EISDIR, "remove a directory as a file",
	      ON_NOTHING, unlink, AT("/")),
	PLAIN("rmdir-dot", EINVAL, "remove the current directory by its name",
	      ON_NOTHING, rmdir, AT(".")),
	PLAIN("rmdir-root", EBUSY, "remove the root directory",
	      ON_NOTHING, rmdir, AT("/")),
	PLAIN("rmdir-file", ENOTDIR, "remove a file as a directory",
	      ON_NOTHING, rmdir, AT("/proc/version")),
	PLAIN("symlink-empty", ENOENT, "make a symbolic link to nothing",
	      ON_NOTHING, symlink, AT(""), AT(MISSING_PATH)),
	PLAIN("readlink-file", EINVAL, "read a link that is none",
	      ON_NOTHING, readlink, AT("/"), AT(buffer), sizeof(buffer)),
	PLAIN("readlink-no-room", EINVAL, "read a link into no bytes",
	      ON_NOTHING, readlink, AT("/proc/self"), AT(buffer), 0),
	PLAIN("chmod-missing", ENOENT, "change the mode of a file that does not exist",
	      ON_NOTHING, chmod, AT(MISSING_PATH), 0600),
	PLAIN("dup2-range", EBADF, "duplicate to a descriptor beyond all limits",
	      ON_NULL, dup2, THING, 0x40000000),
	PLAIN("epoll-size", EINVAL, "an epoll for no files",
	      ON_NOTHING, epoll_create, 0),
	PLAIN("epoll-no-room", EINVAL, "wait for no events",
	      ON_EPOLL, epoll_wait, THING, AT(buffer), 0, 0),
	PLAIN("access-mode", EINVAL, "ask for access of an unknown kind",
	      ON_NOTHING, access, AT("/"), 0x100),
	PLAIN("mknod-exists", EEXIST, "make a device where a file is",
	      ON_NOTHING, mknod, AT("/dev/null"), S_IFCHR | 0600, 0x103),
	PLAIN("mknod-type", EINVAL, "make a node of an unknown type",
	      ON_NOTHING, mknod, AT(MISSING_PATH), 0150000, 0),
#endif
	{},
};
/* clang-format on */
