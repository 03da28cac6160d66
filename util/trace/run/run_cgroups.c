// SPDX-License-Identifier: BSD-2-Clause
/* Puts selected cgroups that appear into the array that the kernel filters by. */
#include "util/trace/run/run_cgroups.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/kernel/machine/cgroup_owner.h"
#include "util/kernel/machine/cgroup_watch.h"

static bool is_wanted(const struct run_cgroups *cgroups, const char *path)
{
	return vec_find(pattern, &cgroups->request->cgroup_patterns,
			cgroup_pattern_matches(pattern, path));
}

static bool is_below(const char *path, const char *above)
{
	size_t len = strlen(above);

	return !strncmp(path, above, len) && path[len] == '/';
}

/*
 * A slot for a cgroup: the slot of an earlier cgroup with this path, an empty slot, or one whose
 * cgroup was removed.
 */
static struct cgroup_slot *find_slot(struct run_cgroups *cgroups, const char *path)
{
	struct cgroup_slot *slot, *end = cgroups->slots + CONFIG_CGROUPS;
	struct cgroup_slot *from = cgroups->slots + cgroups->request->cgroups.len;

	for (slot = from; slot < end; slot++) {
		if (slot->path && !strcmp(slot->path, path))
			return slot;
	}
	for (slot = from; slot < end; slot++) {
		if (!slot->path)
			return slot;
	}
	for (slot = from; slot < end; slot++) {
		_cleanup_(close_fd) int fd = cgroup_watch_open(cgroups->watch, slot->id, slot->path);

		if (fd < 0)
			return slot;
	}
	return NULL;
}

static bool is_selected(const struct run_cgroups *cgroups, const char *path, uint64_t id)
{
	for (size_t i = 0; i < CONFIG_CGROUPS; i++) {
		const struct cgroup_slot *slot = &cgroups->slots[i];

		if (slot->path && (slot->id == id || is_below(path, slot->path)))
			return true;
	}
	return false;
}

/* A cgroup given by its path may have been removed and created again: its slot has the old one. */
static void renew_slot(const struct run_cgroups *cgroups, uint64_t id)
{
	const struct trace_request *request = cgroups->request;

	for (uint32_t i = 0; i < request->cgroups.len; i++) {
		const char *path = request->cgroups.data[i];
		_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		struct stat st;

		if (fd < 0 || fstat(fd, &st) || st.st_ino != id)
			continue;
		if (!bpf_map_update_elem(cgroups->map_fd, &i, &fd, BPF_ANY))
			say(VERBOSITY_VERBOSE, "cgroup %s is traced", path);
	}
}

/* A cgroup_seen_fn. */
static void on_cgroup(void *arg, const char *path, uint64_t id)
{
	struct run_cgroups *cgroups = arg;
	_cleanup_(close_fd) int fd = -1;
	struct cgroup_slot *slot;
	uint32_t index;
	char *copy;

	renew_slot(cgroups, id);
	if (!is_wanted(cgroups, path) || is_selected(cgroups, path, id))
		return;
	fd = cgroup_watch_open(cgroups->watch, id, path);
	if (fd < 0)
		return;
	slot = find_slot(cgroups, path);
	if (!slot) {
		if (!cgroups->full)
			warning("more than %d cgroups are selected; %s and others are not traced",
				CONFIG_CGROUPS, path);
		cgroups->full = true;
		return;
	}
	index = slot - cgroups->slots;
	copy = strdup(path);
	if (!copy || bpf_map_update_elem(cgroups->map_fd, &index, &fd, BPF_ANY)) {
		free(copy);
		return;
	}
	free(slot->path);
	*slot = (struct cgroup_slot){ id, copy };
	say(VERBOSITY_VERBOSE, "cgroup %s is traced", path);
}

/* Report patterns that select nothing yet: a misspelt one would wait for ever. */
static void say_unmatched(const struct run_cgroups *cgroups)
{
	vec_foreach(pattern, &cgroups->request->cgroup_patterns) {
		bool matched = false;

		for (size_t i = 0; i < CONFIG_CGROUPS && !matched; i++)
			matched = cgroups->slots[i].path &&
				  cgroup_pattern_matches(pattern, cgroups->slots[i].path);
		if (!matched)
			warning("%s %s: no such cgroup exists yet; it is traced when it appears",
				cgroup_pattern_option(pattern), pattern->text);
	}
}

/* Report a short id that is the beginning of several. */
static void say_ambiguous(const struct run_cgroups *cgroups, const struct cgroup_pattern *pattern)
{
	struct cgroup_owner first = {}, other;

	for (size_t i = 0; i < CONFIG_CGROUPS; i++) {
		const char *path = cgroups->slots[i].path;

		if (!path || !cgroup_pattern_matches(pattern, path))
			continue;
		cgroup_owner_of(path, &other);
		if (*first.container && strcmp(first.container, other.container)) {
			warning("--container %s: several containers have such an id, %s and %s; all of them "
				"are traced", pattern->text, first.container, other.container);
			return;
		}
		first = other;
	}
}

int run_cgroups_start(struct run_cgroups *cgroups, const struct trace_request *request, int map_fd,
		      struct cgroup_watch *watch)
{
	*cgroups = (struct run_cgroups){ .request = request, .map_fd = map_fd };
	if (!request->cgroup_patterns.len && (!request->cgroups.len || !watch))
		return 0;
	if (!watch)
		return report(-ENODEV, "%s: cgroups cannot be followed; is cgroup2 mounted?",
			      cgroup_pattern_option(&request->cgroup_patterns.data[0]));
	cgroups->watch = watch;
	cgroup_watch_follow(watch, on_cgroup, cgroups);
	say_unmatched(cgroups);
	vec_foreach(pattern, &request->cgroup_patterns) {
		if (pattern->kind == CGROUP_CONTAINER)
			say_ambiguous(cgroups, pattern);
	}
	return 0;
}

void run_cgroups_stop(struct run_cgroups *cgroups)
{
	if (cgroups->watch)
		cgroup_watch_follow(cgroups->watch, NULL, NULL);
	for (size_t i = 0; i < CONFIG_CGROUPS; i++)
		free(cgroups->slots[i].path);
	*cgroups = (struct run_cgroups){};
}
