// SPDX-License-Identifier: BSD-2-Clause
/* Creates files without harming other files or users. */
#include "util/trace/record/recording_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/trace/record/recording_file.h"

/* The kinds of files that can be at a path. */
enum occupant {
	NOTHING,
	EMPTY,		/* an empty file of this user */
	RECORDING,
	OTHER,		/* a file that is no recording */
};

/* 0 and the kind of file; -EEXIST not a file of this user, -errno (both reported). */
static int report_busy(const char *path)
{
	return report(-EBUSY, "another retsnoop writes %s; give another name with -o", path);
}

static int look_at_file(const char *path, enum occupant *ret_occupant)
{
	char start[RECORDING_MAGIC_SIZE];
	_cleanup_(close_fd) int fd = -1;
	struct stat st;
	ssize_t n;

	if (lstat(path, &st)) {
		*ret_occupant = NOTHING;
		return errno == ENOENT ? 0 :
			report(-errno, "cannot write %s: %s", path, strerror(errno));
	}
	if (S_ISLNK(st.st_mode))
		return report(-EEXIST, "%s is a symbolic link, which is not followed; give another "
			      "name with -o", path);
	if (!S_ISREG(st.st_mode))
		return report(-EEXIST, "%s is no regular file; give another name with -o%s", path,
			      S_ISFIFO(st.st_mode) ? ", or '-o -' and a pipe" : "");
	if (st.st_uid != geteuid())
		return report(-EEXIST, "%s is another user's; give another name with -o", path);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return report(-errno, "cannot read what is in %s: %s", path, strerror(errno));
	n = read(fd, start, sizeof(start));
	if (n < 0)
		return report(-errno, "cannot read what is in %s: %s", path, strerror(errno));
	*ret_occupant = !n ? EMPTY : recording_is_one(start, n) ? RECORDING : OTHER;
	/* See create_file(). A shared lock: an exclusive one needs a descriptor for writing on NFS. */
	if (*ret_occupant != OTHER && flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK)
		return report_busy(path);
	return 0;
}

/* 0 and the kind of file; -EEXIST a file that must not be replaced, -errno (both reported). */
static int look_at_path(const char *path, enum occupant *ret_occupant)
{
	int err = look_at_file(path, ret_occupant);

	if (!err && *ret_occupant == OTHER)
		return report(-EEXIST, "%s is there and is no recording; give another name with -o",
			      path);
	return err;
}

static char *name_beside(const char *path, const char *suffix)
{
	char *name = strf("%s.%s", path, suffix);

	if (!name)
		report_oom();
	return name;
}

/* Whether the directory can be written to. */
static int check_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	_cleanup_(free_p) char *directory =
		slash ? strf("%.*s", (int)(slash - path + 1), path) : strdup(".");

	if (!directory)
		return report_oom();
	if (slash && !slash[1])
		return report(-EISDIR, "%s is a directory; give the name of a file with -o", path);
	if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
		return report(-errno, "cannot write %s: %s", path, strerror(errno));
	return 0;
}

int recording_path_check(const char *path, bool rotates)
{
	_cleanup_(free_p) char *old = name_beside(path, "old"), *before = name_beside(path, "1");
	enum occupant occupant, there;
	int err;

	if (!old || !before)
		return -ENOMEM;
	err = check_directory(path);
	err = err ?: look_at_path(path, &occupant);
	/* A renamed recording must not replace another file. */
	if (!err && occupant == RECORDING)
		err = look_at_path(old, &there);
	return err ?: rotates ? look_at_path(before, &there) : 0;
}

/* 1: the file has this path; 0: another one has it; -errno. */
static int is_at(int fd, const char *path)
{
	struct stat ours, there;

	if (fstat(fd, &ours) || lstat(path, &there))
		return -errno;
	return ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/*
 * Create a new file only: nobody else can have put one there. It is locked for as long as it is written, so that
 * another retsnoop neither renames nor replaces it; file systems without locks go without.
 */
static int create_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return report(-errno, "cannot write %s: %s", path, strerror(errno));
	/* Whoever makes room at this moment has it locked until the name is gone. */
	flock(fd, LOCK_EX);
	if (is_at(fd, path) > 0)
		return fd;
	close(fd);
	return report_busy(path);
}

/*
 * Rename the file at a path, or remove it, if nobody else writes it or does the same. 0; -errno (reported).
 *
 * @old		the new name; NULL: remove it
 */
static int make_room(const char *path, const char *old)
{
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return report(-errno, "cannot read what is in %s: %s", path, strerror(errno));
	if ((flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) || is_at(fd, path) <= 0)
		return report_busy(path);
	if (old && rename(path, old))
		return report(-errno, "cannot keep %s as %s: %s", path, old, strerror(errno));
	if (!old && unlink(path))
		return report(-errno, "cannot write %s: %s", path, strerror(errno));
	return 0;
}

int recording_path_create(const char *path)
{
	_cleanup_(free_p) char *old = NULL;
	enum occupant occupant;
	int err = recording_path_check(path, false);

	err = err ?: look_at_path(path, &occupant);
	if (err)
		return err;
	if (occupant == RECORDING) {
		old = name_beside(path, "old");
		if (!old)
			return -ENOMEM;
		err = make_room(path, old);
	} else if (occupant == EMPTY) {
		err = make_room(path, NULL);
	}
	return err ?: create_file(path);
}

int recording_path_rotate(const char *path, int fd)
{
	_cleanup_(free_p) char *before = name_beside(path, "1");
	enum occupant occupant;
	int err;

	if (!before)
		return -ENOMEM;
	err = look_at_path(before, &occupant);
	if (err)
		return err;
	err = is_at(fd, path);
	if (err < 0)
		return report(err, "cannot keep %s as %s: %s", path, before, strerror(-err));
	if (!err)
		return report(-EEXIST, "cannot keep %s as %s: another file took its place", path, before);
	if (rename(path, before))
		return report(-errno, "cannot keep %s as %s: %s", path, before, strerror(errno));
	return create_file(path);
}

/* 0 and NOTHING or EMPTY; -errno (reported). */
static int look_at_output(const char *path, enum occupant *ret_occupant)
{
	int err = check_directory(path) ?: look_at_file(path, ret_occupant);

	if (err)
		return err;
	if (*ret_occupant == RECORDING)
		return report(-EEXIST, "%s is a recording; give another name with -o", path);
	if (*ret_occupant == OTHER)
		return report(-EEXIST, "%s is there already; remove it, or give another name with "
			      "-o", path);
	return 0;
}

int output_path_check(const char *path)
{
	enum occupant occupant;

	return look_at_output(path, &occupant);
}

int output_path_create(const char *path)
{
	enum occupant occupant;
	int err = look_at_output(path, &occupant);

	if (err)
		return err;
	if (occupant == EMPTY && unlink(path))
		return report(-errno, "cannot write %s: %s", path, strerror(errno));
	return create_file(path);
}
