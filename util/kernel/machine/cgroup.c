// SPDX-License-Identifier: BSD-2-Clause
/* Finding cgroups. */
#include "util/kernel/machine/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"

/* Of file handles in kernfs: the id alone (include/linux/exportfs.h, 5.5). */
#define FILEID_KERNFS 0xfe

int cgroup_open(int mount_fd, uint64_t id, int flags)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(id)];
	} at = {};

	at.handle.handle_bytes = sizeof(id);
	at.handle.handle_type = FILEID_KERNFS;
	memcpy(at.handle.f_handle, &id, sizeof(id));
	return open_by_handle_at(mount_fd, &at.handle, flags);
}

/* The kernel appends this to the path of a removed directory; a cgroup's name may end so, too. */
static void cut_deleted(char *path, size_t len)
{
	static const char deleted[] = " (deleted)";
	size_t end = sizeof(deleted) - 1;

	if (len > end && !strcmp(path + len - end, deleted) && access(path, F_OK))
		path[len - end] = '\0';
}

char *cgroup_path_of(int mount_fd, const char *mount, uint64_t id)
{
	_cleanup_(close_fd) int fd = cgroup_open(mount_fd, id, O_PATH | O_CLOEXEC);
	char link[64], path[PATH_MAX];
	size_t root = strlen(mount);
	ssize_t len;

	if (fd < 0)
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (len < 0)
		return NULL;
	path[len] = '\0';
	cut_deleted(path, len);
	if (strncmp(path, mount, root))
		return strdup(path);
	return strdup(path[root] ? path + root : "/");
}

char *cgroup_mount(const char *mounts)
{
	FILE *file = setmntent(mounts, "re");
	struct mntent entry;
	char buf[3 * PATH_MAX];
	char *path = NULL;

	while (file && !path && getmntent_r(file, &entry, buf, sizeof(buf))) {
		if (!strcmp(entry.mnt_type, "cgroup2"))
			path = strdup(entry.mnt_dir);
	}
	if (file)
		endmntent(file);
	return path;
}

enum directory { NOT_THERE, NO_DIRECTORY, NO_CGROUP, CGROUP_V1, CGROUP_V2 };

static enum directory look_at(const char *path)
{
	struct statfs fs;
	struct stat st;

	if (stat(path, &st) || statfs(path, &fs))
		return NOT_THERE;
	if (fs.f_type == CGROUP_SUPER_MAGIC)
		return CGROUP_V1;
	if (!S_ISDIR(st.st_mode))
		return NO_DIRECTORY;
	return fs.f_type == CGROUP2_SUPER_MAGIC ? CGROUP_V2 : NO_CGROUP;
}

static int report_directory(const char *option, const char *path, enum directory directory)
{
	switch (directory) {
	case CGROUP_V1:
		return report(-EINVAL, "%s: %s is a cgroup of version 1; only those of version 2 "
				       "can be told apart", option, path);
	case NO_DIRECTORY:
		return report(-EINVAL, "%s: %s is not a directory; a cgroup is one", option, path);
	default:
		return report(-EINVAL, "%s: %s is not a cgroup; cgroups are directories below the "
				       "mount of cgroup2", option, path);
	}
}

static int resolve_path(const char *path, char **ret_path)
{
	char *resolved = realpath(path, NULL);

	if (!resolved)
		return report(-errno, "cannot find the way to %s: %s", path, strerror(errno));
	*ret_path = resolved;
	return 0;
}

int cgroup_find_in(const char *mounts, const char *option, const char *text, char **ret_path)
{
	_cleanup_(free_p) char *mount = NULL, *below = NULL;
	enum directory as_given, mounted;

	if (!*text)
		return report(-EINVAL, "%s: the path of a cgroup is missing", option);
	as_given = look_at(text);
	if (as_given == CGROUP_V2)
		return resolve_path(text, ret_path);
	mount = cgroup_mount(mounts);
	if (!mount && as_given == NO_CGROUP)
		return report(-EINVAL, "%s: %s is not a cgroup, and cgroup2 is not mounted", option, text);
	if (!mount && as_given != NOT_THERE)
		return report_directory(option, text, as_given);
	if (!mount)
		return report(-EINVAL, "%s: %s does not exist, and cgroup2 is not mounted", option,
			      text);
	below = strf("%s%s%s", mount, *text == '/' ? "" : "/", text);
	if (!below)
		return report_oom();
	mounted = look_at(below);
	if (mounted == CGROUP_V2)
		return resolve_path(below, ret_path);
	if (as_given != NOT_THERE)
		return report_directory(option, text, as_given);
	if (mounted != NOT_THERE)
		return report_directory(option, below, mounted);
	return report(-EINVAL, "%s: cgroup '%s' does not exist, as a path or below %s", option, text,
		      mount);
}

int cgroup_find(const char *option, const char *text, char **ret_path)
{
	return cgroup_find_in("/proc/self/mounts", option, text, ret_path);
}
