// SPDX-License-Identifier: BSD-2-Clause
/* Replaces the file with the metrics. */
#include "util/export/metrics_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/write_all.h"

#define METRICS_MODE 0644

/* The name after the directory; may be empty. */
static const char *name_in(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Collectors read only *.prom, so they ignore the new file. */
static char *new_name(const char *path)
{
	const char *name = name_in(path);

	return strf("%.*s.%s.new", (int)(name - path), path, name);
}

static int check_target(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return errno == ENOENT ? 0 :
			report(-errno, "cannot write %s: %s", path, strerror(errno));
	if (S_ISLNK(st.st_mode))
		return report(-EEXIST, "%s is a symbolic link, which is not followed; give the name of "
			      "a file with --prom", path);
	if (!S_ISREG(st.st_mode))
		return report(-EEXIST, "%s is no regular file; give another name with --prom", path);
	return 0;
}

int metrics_file_check(const char *path)
{
	const char *name = name_in(path);
	_cleanup_(free_p) char *directory =
		name == path ? strdup(".") : strf("%.*s", (int)(name - path), path);

	if (!directory)
		return report_oom();
	if (!*name)
		return report(-EISDIR, "--prom %s: the name of a file is missing", path);
	if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
		return report(-errno, "cannot write %s: %s", path, strerror(errno));
	return check_target(path);
}

/*
 * A file left by an export that was killed is removed. A link or file that appears after that is
 * not replaced.
 */
static int write_new(const char *path, const struct strbuf *text)
{
	_cleanup_(close_fd) int fd = -1;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, METRICS_MODE);
	if (fd < 0)
		return -errno;
	if (fchmod(fd, METRICS_MODE))
		return -errno;
	return write_all(fd, strbuf_str(text), text->len);
}

static void look_for_others(const char *path, struct metrics_file *file)
{
	const struct stat *last = &file->st;
	struct stat st;

	if (!file->written || file->warned || lstat(path, &st))
		return;
	/* A file that is removed is no other writer's; an inode may be used again. */
	file->warned = st.st_dev != last->st_dev || st.st_ino != last->st_ino ||
		       st.st_mtim.tv_sec != last->st_mtim.tv_sec ||
		       st.st_mtim.tv_nsec != last->st_mtim.tv_nsec;
	if (file->warned)
		warning("another program writes %s, too; give each retsnoop its own file with --prom", path);
}

int metrics_file_write(const char *path, const struct strbuf *text, struct metrics_file *file)
{
	_cleanup_(free_p) char *fresh = new_name(path);
	int err = check_target(path);

	if (err)
		return err;
	if (!fresh || text->failed)
		return report_oom();
	look_for_others(path, file);
	err = write_new(fresh, text);
	file->written = !err && !lstat(fresh, &file->st);
	if (!err && rename(fresh, path))
		err = -errno;
	if (!err)
		return 0;
	unlink(fresh);
	return report(err, "cannot write %s: %s", path, strerror(-err));
}
