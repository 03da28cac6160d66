// SPDX-License-Identifier: BSD-2-Clause
/* Paths of source files. */
#include "util/kernel/debug/source_path.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/glob.h"

/* Append path components one by one; ".." removes the last one. */
static void add_components(struct strbuf *sb, const char *path)
{
	while (*path) {
		size_t len = strcspn(path, "/");

		if (len == 2 && !memcmp(path, "..", 2)) {
			const char *slash = sb->s ? strrchr(sb->s, '/') : NULL;

			if (slash)
				sb->len = slash - sb->s;
			else
				sb->len = 0;
			if (sb->s)
				sb->s[sb->len] = '\0';
		} else if (len && !(len == 1 && *path == '.')) {
			strbuf_addch(sb, '/');
			strbuf_add(sb, path, len);
		}
		path += len;
		path += *path == '/';
	}
}

void source_path_join(struct strbuf *sb, const char *comp_dir, const char *dir, const char *name)
{
	bool absolute = true;

	strbuf_reset(sb);
	if (name[0] != '/') {
		if (dir[0] != '/') {
			absolute = comp_dir[0] == '/';
			add_components(sb, comp_dir);
		}
		add_components(sb, dir);
	}
	add_components(sb, name);
	if (!absolute && sb->len) {
		memmove(sb->s, sb->s + 1, sb->len);
		sb->len--;
	}
}

/* The rest of @path below a directory of @len bytes; NULL: not below it. */
static const char *path_below(const char *path, const char *directory, size_t len)
{
	while (len && directory[len - 1] == '/')
		len--;
	return len && !strncmp(path, directory, len) && path[len] == '/' ? path + len + 1 : NULL;
}

bool source_path_is_below(const char *path, const char *directory)
{
	return path_below(path, directory, strlen(directory));
}

/*
 * The root for a single unit, not below the directory it was compiled in: the part before a
 * directory that kernel trees have, not above the common beginning of both paths if possible (a
 * build directory is often in the tree or beside it). Length of the part of @path.
 */
static size_t guess_root(const char *path, const char *comp_dir)
{
	static const char *const directories[] = {
		"arch", "block", "certs", "crypto", "drivers", "fs", "include", "init", "io_uring",
		"ipc", "kernel", "lib", "mm", "net", "rust", "samples", "security", "sound",
		"usr", "virt",
	};
	size_t common = 0, first = 0;

	if (path[0] != '/' || startswith(path, "/usr/lib/"))
		return 0;
	for (size_t i = 0; path[i] && path[i] == comp_dir[i]; i++) {
		if (path[i] == '/')
			common = i;
	}
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		size_t len = strcspn(slash + 1, "/");
		bool known = false;

		if (!slash[1 + len])
			break;
		for (size_t i = 0; i < ARRAY_SIZE(directories) && !known; i++)
			known = !strncmp(slash + 1, directories[i], len) && !directories[i][len];
		if (known && (size_t)(slash - path) >= common)
			return slash - path;
		if (known && !first)
			first = slash - path;
	}
	return first;
}

size_t source_root_of_header(const char *path, const char *header)
{
	static const char include[] = "/include/linux/";
	const char *at = strstr(header, include);
	size_t len = at ? at - header : 0;

	return at && path_below(path, header, len) ? len : 0;
}

const char *source_path_strip(const char *path, const char *comp_dir,
			      const struct source_root *root)
{
	const char *rest = path_below(path, comp_dir, strlen(comp_dir));
	size_t guess;

	if (!rest && root->path)
		rest = path_below(path, root->path, strlen(root->path));
	if (rest)
		return rest;
	if (root->path && root->path[0])
		return path;
	guess = guess_root(path, comp_dir);
	return guess ? path + guess + 1 : path;
}

void source_root_narrow(char *root, const char *path)
{
	size_t same = 0, end = 0;

	if (!root[0])
		return;
	/* The last '/' up to which both are equal. */
	for (; root[same] == path[same] && root[same]; same++) {
		if (root[same] == '/')
			end = same;
	}
	if (!root[same] && path[same] == '/')
		end = same;
	root[end] = '\0';
}

bool source_path_match(const char *glob, const char *path)
{
	size_t len = strlen(glob);

	while (glob[0] == '.' && glob[1] == '/') {
		glob += 2;
		len -= 2;
	}
	if (len && glob[len - 1] == '/') {
		/* As many directories of the path as the glob has. */
		char start[4096];
		const char *end = path;

		for (const char *slash = glob; *slash; slash++) {
			if (*slash != '/')
				continue;
			end = strchr(end, '/');
			if (!end)
				return false;
			end++;
		}
		if ((size_t)(end - path) >= sizeof(start))
			return false;
		memcpy(start, path, end - path);
		start[end - path] = '\0';
		return glob_match_path(glob, start);
	}
	if (!is_glob(glob) && !strncmp(path, glob, len) && path[len] == '/')
		return true;
	return glob_match_path(glob, path);
}
