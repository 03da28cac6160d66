/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths, files, pipes and mounts. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "simfail.h"

CASE(open_missing)
{
	return simfail_errno_of(open(MISSING_PATH, O_RDONLY | O_CLOEXEC));
}

CASE(open_long_path)
{
	char path[PATH_MAX + 2];

	memset(path, '/', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	return simfail_errno_of(open(path, O_RDONLY | O_CLOEXEC));
}

CASE(open_not_dir)
{
	int err = simfail_errno_of(open("/dev/null", O_RDONLY | O_DIRECTORY | O_CLOEXEC));

	return err == ENOENT ? simfail_skip(run, "there is no /dev/null") : err;
}

CASE(mkdir_exists)
{
	return simfail_errno_of(mkdir("/", 0700));
}

/* As programs do it: the C library writes to a copy of standard error, and asks where it is. */
CASE(mkdir_perror)
{
	int err = simfail_errno_of(mkdir("/", 0700));

	/* What a program fails with while it cleans up. */
	chdir("/dev/null");
	errno = err;
	/* The errno comes after all that a path's text would hold. */
	perror("simfail: cannot make '/': that directory is always there, so nobody can make it again");
	/* What a program fails with after it has complained. */
	chdir("/dev/null");
	return err;
}

/* As the C library musl does it: in parts, of which the first has nothing. */
CASE(mkdir_writev)
{
	static char text[] = "simfail: cannot make '/': File exists\n";
	const struct iovec parts[] = { { text, 0 }, { text, sizeof(text) - 1 } };
	int err = simfail_errno_of(mkdir("/", 0700));

	chdir("/dev/null");
	writev(STDERR_FILENO, parts, 2);
	return err;
}

CASE(symlink_loop)
{
	_cleanup_(simfail_scratch_release) struct simfail_scratch scratch;
	int err = simfail_scratch_init(&scratch, run);

	if (err)
		return err;
	if (symlink("it", scratch.path))
		return simfail_skip(run, "cannot make a symlink: %s", strerror(errno));
	return simfail_errno_of(open(scratch.path, O_RDONLY | O_CLOEXEC));
}

CASE(rmdir_not_empty)
{
	_cleanup_(simfail_scratch_release) struct simfail_scratch scratch;
	int err = simfail_scratch_init(&scratch, run);

	if (err)
		return err;
	if (mkdir(scratch.path, 0700))
		return simfail_skip(run, "cannot make a directory: %s", strerror(errno));
	return simfail_errno_of(rmdir(scratch.dir));
}

CASE(write_read_only)
{
	_cleanup_(simfail_close) int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return simfail_skip(run, "cannot open /dev/null: %s", strerror(errno));
	return simfail_errno_of(write(fd, "x", 1));
}

CASE(bad_ioctl)
{
	_cleanup_(simfail_close) int fd = eventfd(0, EFD_CLOEXEC);

	return simfail_errno_of(ioctl(fd, 0x5afa11));
}

CASE(mount_unknown)
{
	return simfail_errno_of(mount("none", "/", "simfail_no_such_fs", MS_RDONLY, NULL));
}

/* The kernel writes a line into the log of the file system context. */
CASE(fsconfig_unknown)
{
	_cleanup_(simfail_close) int fd = syscall(__NR_fsopen, "tmpfs", 1 /* FSOPEN_CLOEXEC */);

	if (fd < 0)
		return simfail_skip(run, "cannot open a file system: %s", strerror(errno));
	return simfail_errno_of(syscall(__NR_fsconfig, fd, 1 /* FSCONFIG_SET_STRING */,
					"simfail_no_such_option", "1", 0));
}

CASE(pipe_full)
{
	_cleanup_(simfail_close) int read_fd = -1, write_fd = -1;
	char page[4096] = {};
	int err = simfail_open_pipe(&read_fd, &write_fd, run);

	if (err)
		return err;
	while (write(write_fd, page, sizeof(page)) > 0)
		;
	return errno;
}

CASE(pipe_empty)
{
	_cleanup_(simfail_close) int read_fd = -1, write_fd = -1;
	int err = simfail_open_pipe(&read_fd, &write_fd, run);
	char byte;

	return err ?: simfail_errno_of(read(read_fd, &byte, sizeof(byte)));
}

CASE(lseek_pipe)
{
	_cleanup_(simfail_close) int read_fd = -1, write_fd = -1;
	int err = simfail_open_pipe(&read_fd, &write_fd, run);

	return err ?: simfail_errno_of(lseek(read_fd, 0, SEEK_SET));
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_file_cases[] = {
	{ .name = "fs-open-missing", .group = "fs", .expected = ENOENT,
	  .summary = "open a file that does not exist",
	  .fault = "step_into|step_into_slowpath", .run = open_missing },
	{ .name = "fs-open-long-path", .group = "fs", .expected = ENAMETOOLONG,
	  .summary = "open a path longer than PATH_MAX",
	  .fault = "getname_flags.part.0|do_getname", .run = open_long_path },
	{ .name = "fs-open-not-dir", .group = "fs", .expected = ENOTDIR,
	  .summary = "open /dev/null as a directory",
	  .fault = "path_openat", .run = open_not_dir },
	{ .name = "fs-mkdir-exists", .group = "fs", .expected = EEXIST,
	  .summary = "make the root directory",
	  .fault = "filename_create", .run = mkdir_exists },
	{ .name = "fs-mkdir-perror", .group = "fs", .expected = EEXIST,
	  .summary = "complain about it with perror(3), and fail otherwise before and after",
	  .fault = "filename_create", .run = mkdir_perror },
	{ .name = "fs-mkdir-writev", .group = "fs", .expected = EEXIST,
	  .summary = "complain about it with writev(2), and fail otherwise before",
	  .fault = "filename_create", .run = mkdir_writev },
	/* at fault is the file system of the temporary directory: tmpfs, ramfs, ext4 */
	{ .name = "fs-rmdir-not-empty", .group = "fs", .expected = ENOTEMPTY,
	  .summary = "remove a directory that is not empty",
	  .fault = "shmem_rmdir|simple_rmdir|ext4_rmdir", .run = rmdir_not_empty },
	{ .name = "fs-symlink-loop", .group = "fs", .expected = ELOOP,
	  .summary = "open a symbolic link to itself",
	  .fault = "step_into|pick_link", .run = symlink_loop },
	{ .name = "fs-write-read-only", .group = "fs", .expected = EBADF,
	  .summary = "write to a file that is open for reading",
	  .fault = "vfs_write", .run = write_read_only },
	{ .name = "fs-bad-ioctl", .group = "fs", .expected = ENOTTY,
	  .summary = "an ioctl on a file that has none",
	  .fault = SYSCALL("ioctl"), .run = bad_ioctl },
	{ .name = "fs-mount-unknown", .group = "fs", .expected = ENODEV,
	  .summary = "mount a file system of an unknown type",
	  .fault = "path_mount", .from = "get_fs_type=NULL", .needs = NEED_PRIVILEGE,
	  .run = mount_unknown },
	{ .name = "fs-fsconfig-unknown", .group = "fs", .expected = EINVAL,
	  .summary = "set an unknown option of a file system",
	  .fault = "vfs_parse_fs_param", .needs = NEED_PRIVILEGE, .run = fsconfig_unknown },
	{ .name = "fs-pipe-full", .group = "fs", .expected = EAGAIN,
	  .summary = "fill a non-blocking pipe",
	  .fault = "pipe_write|anon_pipe_write", .run = pipe_full },
	{ .name = "fs-pipe-empty", .group = "fs", .expected = EAGAIN,
	  .summary = "read an empty non-blocking pipe",
	  .fault = "pipe_read|anon_pipe_read", .run = pipe_empty },
	{ .name = "fs-lseek-pipe", .group = "fs", .expected = ESPIPE,
	  .summary = "seek in a pipe",
	  .fault = "no_llseek|ksys_lseek|vfs_llseek|" SYSCALL("lseek"), .run = lseek_pipe },
	{},
};
/* clang-format on */
