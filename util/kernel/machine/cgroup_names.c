// SPDX-License-Identifier: BSD-2-Clause
/* Paths of cgroups by their ids. */
#include "util/kernel/machine/cgroup_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/search.h"
#include "util/kernel/machine/cgroup.h"
#include "util/kernel/machine/cgroup_watch.h"

void cgroup_names_init_live(struct cgroup_names *names, struct cgroup_watch *watch)
{
	*names = (struct cgroup_names){ .live = true, .renewed = true, .mount_fd = -1, .watch = watch };
	names->mount = cgroup_mount("/proc/self/mounts");
	if (names->mount)
		names->mount_fd = open(names->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The index of the id, or where to insert it. */
static size_t place_of(const struct cgroup_names *names, uint64_t id)
{
	return bisect(i, names->v.len, names->v.data[i].id < id);
}

/* The half that was not asked for lately goes. 0; -ENOMEM. */
static int make_room(struct cgroup_names *names)
{
	_cleanup_(free_p) uint64_t *stamps = calloc(names->v.len, sizeof(*stamps));
	size_t kept = 0;

	if (!stamps)
		return -ENOMEM;
	for (size_t i = 0; i < names->v.len; i++)
		stamps[i] = names->v.data[i].used;
	qsort(stamps, names->v.len, sizeof(*stamps), compare_u64);
	for (size_t i = 0; i < names->v.len; i++) {
		struct cgroup_name name = names->v.data[i];

		if (name.used >= stamps[names->v.len / 2] ||
		    (names->records && name.path && !name.written))
			names->v.data[kept++] = name;
		else
			free(name.path);
	}
	names->v.len = kept;
	return 0;
}

/* Takes @path over, which may be NULL. 0 with the index; -ENOMEM; -E2BIG. */
static int insert_name(struct cgroup_names *names, uint64_t id, char *path, size_t *ret_place)
{
	struct cgroup_name name = { .id = id, .path = path, .used = ++names->asked };
	struct cgroup_name *all;
	size_t place;
	int err = 0;

	if (names->v.len == CGROUP_NAMES_MAX && names->renewed)
		err = make_room(names);
	if (!err && names->v.len == CGROUP_NAMES_MAX)
		err = -E2BIG;
	place = place_of(names, id);
	err = err ?: vec_push(&names->v, name);
	if (err) {
		free(path);
		return err;
	}
	*ret_place = place;
	all = names->v.data;
	memmove(all + place + 1, all + place, (names->v.len - 1 - place) * sizeof(*all));
	all[place] = name;
	return 0;
}

/* The path that the kernel has now, or had when the cgroup was made. NULL: none. free() it. */
static char *look_up(const struct cgroup_names *names, uint64_t id)
{
	char *path = names->mount_fd < 0 ? NULL :
					   cgroup_path_of(names->mount_fd, names->mount, id);

	return path || !names->watch ? path : cgroup_watch_path(names->watch, id);
}

const char *cgroup_names_get(struct cgroup_names *names, uint64_t id)
{
	size_t place = place_of(names, id);

	if (place < names->v.len && names->v.data[place].id == id) {
		names->v.data[place].used = ++names->asked;
		return names->v.data[place].path;
	}
	if (!id || !names->live || insert_name(names, id, look_up(names, id), &place))
		return NULL;
	return names->v.data[place].path;
}

int cgroup_names_put(struct cgroup_names *names, uint64_t id, const char *path)
{
	size_t place = place_of(names, id);
	char *copy;

	if (place < names->v.len && names->v.data[place].id == id)
		return 0;
	copy = strdup(path);
	return copy ? insert_name(names, id, copy, &place) : -ENOMEM;
}

/* Ask for the root: it has a name, whatever other cgroups exist. */
static bool may_ask(const struct cgroup_names *names)
{
	_cleanup_(free_p) char *path = NULL;
	struct stat st;

	if (names->mount_fd < 0 || fstat(names->mount_fd, &st))
		return true;
	path = cgroup_path_of(names->mount_fd, names->mount, st.st_ino);
	return path;
}

void cgroup_names_warn(const struct cgroup_names *names, const char *option)
{
	if (names->mount_fd < 0)
		warning("%s: names of cgroups are not known: cgroup2 is not mounted, as a rule at "
			"/sys/fs/cgroup", option);
	else if (!may_ask(names))
		warning("%s: names of cgroups are known only of those that appear from now on; others "
			"need CAP_DAC_READ_SEARCH", option);
}

void cgroup_names_release(struct cgroup_names *names)
{
	vec_foreach(name, &names->v)
		free(name->path);
	vec_release(&names->v);
	free(names->mount);
	names->mount = NULL;
	if (names->live && names->mount_fd >= 0)
		close(names->mount_fd);
	names->live = false;
}
