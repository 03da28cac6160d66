/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths of cgroups (version 2) by their ids: of this machine, or as they were recorded. */
#ifndef RETSNOOP_KERNEL_MACHINE_CGROUP_NAMES_H
#define RETSNOOP_KERNEL_MACHINE_CGROUP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/vec.h"

struct cgroup_watch;

/* More are not named. */
#define CGROUP_NAMES_MAX 65536

struct cgroup_name {
	uint64_t id;
	char *path;	/* below the root of the hierarchy: "/user.slice"; NULL: it has none, or is gone */
	bool written;	/* to the recording */
};

/* Zeroed: knows nothing, and asks nobody. */
struct cgroup_names {
	VEC(struct cgroup_name) v;	/* by id; paths are owned */
	bool live;			/* ask this machine's kernel for those that are not there */
	int mount_fd;			/* of cgroup2; -1: there is none */
	char *mount;
	struct cgroup_watch *watch;	/* knows those that are gone; borrowed; NULL: none */
};

/*
 * Names of this machine, which are looked up when they are first asked for.
 *
 * @watch	for cgroups that are gone by then; outlives @names; NULL: without
 */
void cgroup_names_init_live(struct cgroup_names *names, struct cgroup_watch *watch);

/* Borrowed, as long as @names; NULL: not known. */
const char *cgroup_names_get(struct cgroup_names *names, uint64_t id);

/* @path	copied. 0; -ENOMEM; -E2BIG too many */
int cgroup_names_put(struct cgroup_names *names, uint64_t id, const char *path);

/* Of live names: begin anew, with nothing looked up yet. Borrowed names are gone. */
void cgroup_names_forget(struct cgroup_names *names);

/* Whether this process may ask the kernel for names by ids, which needs CAP_DAC_READ_SEARCH. */
bool cgroup_names_may_ask(const struct cgroup_names *names);
void cgroup_names_release(struct cgroup_names *names);

#endif
