// SPDX-License-Identifier: BSD-2-Clause
/* Replaces the file with the metrics. */
#include "util/export/metrics_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
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

static int cannot_write(const char *path, int err, struct strbuf *why)
{
	strbuf_addf(why, "cannot write %s: %s", path, strerror(-err));
	return err;
}

/* 0; -errno, and @why has the reason. */
static int check_target(const char *path, struct strbuf *why)
{
	struct stat st;

	if (lstat(path, &st))
		return errno == ENOENT ? 0 : cannot_write(path, -errno, why);
	if (S_ISREG(st.st_mode))
		return 0;
	if (S_ISLNK(st.st_mode))
		strbuf_addf(why, "%s is a symbolic link, which is not followed; give the name of a file "
			    "with --prom", path);
	else
		strbuf_addf(why, "%s is no regular file; give another name with --prom", path);
	return -EEXIST;
}

int metrics_file_check(const char *path)
{
	const char *name = name_in(path);
	_cleanup_(free_p) char *directory =
		name == path ? strdup(".") : strf("%.*s", (int)(name - path), path);
	_cleanup_(strbuf_release) struct strbuf why = STRBUF_INIT;
	int err;

	if (!directory)
		return report_oom();
	if (!*name)
		return report(-EISDIR, "--prom %s: the name of a file is missing", path);
	if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
		return report(-errno, "cannot write %s: %s", path, strerror(errno));
	err = check_target(path, &why);
	return err ? report(err, "%s", strbuf_str(&why)) : 0;
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

static int replace_file(const char *path, const struct strbuf *text, struct metrics_file *file,
			struct strbuf *why)
{
	_cleanup_(free_p) char *fresh = new_name(path);
	int err = check_target(path, why);

	if (err)
		return err;
	if (!fresh || text->failed)
		return cannot_write(path, -ENOMEM, why);
	look_for_others(path, file);
	err = write_new(fresh, text);
	file->written = !err && !lstat(fresh, &file->st);
	if (!err && rename(fresh, path))
		err = -errno;
	if (!err)
		return 0;
	unlink(fresh);
	return cannot_write(path, err, why);
}

int metrics_file_write(const char *path, const struct strbuf *text, struct metrics_file *file)
{
	struct strbuf why = STRBUF_INIT;
	int err = replace_file(path, text, file, &why);

	if (!err) {
		if (file->failures > 1)
			say(VERBOSITY_NORMAL, "%s is written again; it could not be %" PRIu64 " times.",
			    path, file->failures);
		metrics_file_release(file);
		file->failures = 0;
		return 0;
	}
	/* Every interval, for days: each reason is reported once. */
	if (!file->why.len || strcmp(strbuf_str(&file->why), strbuf_str(&why)))
		report(err, "%s", strbuf_str(&why));
	file->failures++;
	strbuf_release(&file->why);
	file->why = why;
	return err;
}

void metrics_file_say_failures(const char *path, const struct metrics_file *file)
{
	if (file->failures > 1)
		warning("%s could not be written %" PRIu64 " times, the last one among them", path,
			file->failures);
}

void metrics_file_release(struct metrics_file *file)
{
	strbuf_release(&file->why);
}
