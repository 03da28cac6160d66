/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths of cgroups (version 2) by their ids: of this machine, or as they were recorded. */
#ifndef RETSNOOP_KERNEL_MACHINE_CGROUP_NAMES_H
#define RETSNOOP_KERNEL_MACHINE_CGROUP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/vec.h"

struct cgroup_watch;

/*
 * More are not kept: in months of a machine that makes cgroups all the time, the half that nobody
 * asked for lately gives way.
 */
#define CGROUP_NAMES_MAX 65536

struct cgroup_name {
	uint64_t id;
	char *path;	/* below the root of the hierarchy: "/user.slice"; NULL: it has none, or is gone */
	uint64_t used;	/* when it was asked for last, as a count */
	bool written;	/* to the recording */
};

/* Zeroed: knows nothing, and asks nobody. */
struct cgroup_names {
	VEC(struct cgroup_name) v;	/* by id; paths are owned */
	bool renewed;			/* old ones give way; else there is an end to new ones */
	bool records;			/* of these, those that were not written stay */
	uint64_t asked;			/* so many times, in all */
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

/* Borrowed, until CGROUP_NAMES_MAX / 2 others were asked for or put; NULL: not known. */
const char *cgroup_names_get(struct cgroup_names *names, uint64_t id);

/* @path	copied. 0; -ENOMEM; -E2BIG too many, and none gives way */
int cgroup_names_put(struct cgroup_names *names, uint64_t id, const char *path);

/* Whether this process may ask the kernel for names by ids, which needs CAP_DAC_READ_SEARCH. */
bool cgroup_names_may_ask(const struct cgroup_names *names);
void cgroup_names_release(struct cgroup_names *names);

#endif
