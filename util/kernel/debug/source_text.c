// SPDX-License-Identifier: BSD-2-Clause
/*
 * Lines of a kernel's source files.
 *
 * Paths come from debug info, which may come from anywhere: they are followed one component at a
 * time, from the tree down, and not over symbolic links.
 */
#include "util/kernel/debug/source_text.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/utf8.h"
#include "util/base/vec.h"
#include "util/kernel/debug/source_text_internal.h"

/*
 * The largest sources of the kernel, register headers of GPUs, have 20 MB; errnos come from others.
 */
#define MAX_FILE (8 << 20)

struct source_file {
	char *path;
	char *text; /* lines, each with a NUL after it; NULL: it cannot be had */
	VEC(uint32_t) lines; /* where they begin */
};

struct source_text {
	int dir;
	VEC(struct source_file) files;
};

/* Version, patch level and sublevel, as far as a text begins with them. Returns how many. */
static int parse_version(const char *text, unsigned int *ret_version)
{
	return sscanf(text, "%u.%u.%u", &ret_version[0], &ret_version[1], &ret_version[2]);
}

/* A number of the tree's own version, in its Makefile: "SUBLEVEL = 12". */
static bool makefile_has(FILE *makefile, const char *name, unsigned int expected)
{
	char line[256], found[64];
	unsigned int value;

	rewind(makefile);
	for (int i = 0; i < 20 && fgets(line, sizeof(line), makefile); i++) {
		if (sscanf(line, "%63[A-Z] = %u", found, &value) == 2 && !strcmp(found, name))
			return value == expected;
	}
	return false;
}

/* Lines of another version are lines of another file. */
static bool is_tree_of(const char *dir, const unsigned int *version)
{
	_cleanup_(free_p) char *path = strf("%s/Makefile", dir);
	_cleanup_(fclose_p) FILE *makefile = path ? fopen(path, "re") : NULL;

	return makefile && makefile_has(makefile, "VERSION", version[0]) &&
	       makefile_has(makefile, "PATCHLEVEL", version[1]) &&
	       makefile_has(makefile, "SUBLEVEL", version[2]);
}

/*
 * Debian's releases of 6.1 and before have an ABI's number instead of the sublevel
 * ("6.1.0-50-amd64"); what the kernel says of its build has both ("#1 SMP Debian 6.1.170-3").
 */
static void refine_version(const char *build, unsigned int *version)
{
	const char *debian = build ? strstr(build, "Debian ") : NULL;
	unsigned int other[3];

	if (debian && parse_version(debian + 7, other) == 3 && other[0] == version[0] &&
	    other[1] == version[1])
		version[2] = other[2];
}

/*
 * Debug info packages of Fedora and RHEL bring the files that it names, in a directory of the package and one of
 * exactly this release: there is no Makefile to look at.
 */
static char *find_beside_debuginfo(const char *root, const char *release)
{
	_cleanup_(free_p) char *pattern = strf("%s/usr/src/debug/kernel-*/linux-%s", root, release);
	glob_t found = {};
	char *dir = NULL;

	/* A recording may name any release. */
	if (pattern && !strpbrk(release, "/*?[\\") && !glob(pattern, GLOB_ONLYDIR, NULL, &found) &&
	    found.gl_pathc)
		dir = strdup(found.gl_pathv[0]);
	globfree(&found);
	return dir;
}

char *source_text_find(const char *root, const char *release, const char *build)
{
	unsigned int v[3] = {};
	char *found = NULL;

	if (parse_version(release, v) < 2)
		return NULL;
	refine_version(build, v);

	char *const places[] = {
		strf("%s/lib/modules/%s/source", root, release),
		strf("%s/usr/src/linux-%s", root, release),
		strf("%s/usr/src/linux-source-%u.%u", root, v[0], v[1]),
		strf("%s/usr/src/linux-source-%u.%u.%u", root, v[0], v[1], v[2]),
		strf("%s/usr/src/linux-%u.%u.%u", root, v[0], v[1], v[2]),
		strf("%s/usr/src/linux-%u.%u", root, v[0], v[1]),
		strf("%s/usr/src/linux", root),
		strf("%s/lib/modules/%s/build", root, release),
	};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		if (!found && places[i] && is_tree_of(places[i], v))
			found = places[i];
		else
			free(places[i]);
	}
	return found ?: find_beside_debuginfo(root, release);
}

static int open_found(const char *release)
{
	_cleanup_(free_p) char *dir = NULL;
	struct utsname uts = {};

	uname(&uts);
	dir = source_text_find("", release ?: uts.release,
			       !release || !strcmp(release, uts.release) ? uts.version : NULL);
	return dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

int source_text_open(const char *dir, const char *release, struct source_text **ret_source)
{
	struct source_text *source;
	int fd;

	fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : open_found(release);
	if (fd < 0 && dir)
		return report(-ENOENT, "--source: cannot open %s: %m", dir);
	if (fd < 0)
		return -ENOENT;
	source = calloc(1, sizeof(*source));
	if (!source) {
		close(fd);
		return report_oom();
	}
	source->dir = fd;
	*ret_source = source;
	return 0;
}

void source_text_close(struct source_text *source)
{
	if (!source)
		return;
	vec_foreach(file, &source->files) {
		free(file->path);
		free(file->text);
		vec_release(&file->lines);
	}
	vec_release(&source->files);
	close(source->dir);
	free(source);
}

/* A file below a directory, by a path that does not lead out of it; -1. */
static int open_below(int dir, const char *path)
{
	_cleanup_(close_fd) int at = dup(dir);
	char name[NAME_MAX + 1];
	size_t len;
	int next;

	if (*path == '/')
		return -1;
	for (;; path += len) {
		bool last;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		last = !path[len];
		if (!len || len > NAME_MAX)
			return -1;
		memcpy(name, path, len);
		name[len] = '\0';
		if (!strcmp(name, "."))
			continue;
		if (!strcmp(name, ".."))
			return -1;
		/* O_NONBLOCK: the file may be a FIFO. */
		next = openat(at, name,
			      O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK |
				      (last ? 0 : O_DIRECTORY));
		if (next < 0 || last)
			return next;
		close(at);
		at = next;
	}
}

/* 0; -1 not a plain file of some sense. */
static int read_file(int fd, char **ret_text, size_t *ret_len)
{
	_cleanup_(free_p) char *text = NULL;
	struct stat st;
	size_t len = 0;
	ssize_t n = 1;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > MAX_FILE)
		return -1;
	text = malloc(st.st_size + 1);
	while (text && n > 0 && len < (size_t)st.st_size) {
		n = read(fd, text + len, st.st_size - len);
		len += n > 0 ? n : 0;
	}
	if (!text || n < 0)
		return -1;
	text[len] = '\0';
	*ret_text = take_ptr(text);
	*ret_len = len;
	return 0;
}

/* Lines without their ends, each a string. 0; -ENOMEM. */
static int split_lines(struct source_file *file, size_t len)
{
	char *at = file->text, *end = file->text + len, *newline;

	for (; at < end; at = newline + 1) {
		size_t line;

		newline = memchr(at, '\n', end - at) ?: end;
		line = newline - at;
		if (line && at[line - 1] == '\r')
			line--;
		utf8_hide(at, line, '\t');
		at[line] = '\0';
		if (vec_push(&file->lines, at - file->text))
			return -ENOMEM;
	}
	return 0;
}

static const struct source_file *file_of(struct source_text *source, const char *path)
{
	struct source_file file = {};
	size_t len = 0;
	int fd;

	vec_foreach(known, &source->files) {
		if (!strcmp(known->path, path))
			return known;
	}
	file.path = strdup(path);
	if (!file.path)
		return NULL;
	fd = open_below(source->dir, path);
	if (fd >= 0) {
		if (!read_file(fd, &file.text, &len) && split_lines(&file, len))
			file.lines.len = 0;
		close(fd);
	}
	if (vec_push(&source->files, file)) {
		free(file.path);
		free(file.text);
		vec_release(&file.lines);
		return NULL;
	}
	return &source->files.data[source->files.len - 1];
}

const char *source_text_line(struct source_text *source, const char *path, uint32_t line)
{
	const struct source_file *file = file_of(source, path);

	if (!file || !line || line > file->lines.len)
		return NULL;
	return file->text + file->lines.data[line - 1];
}
