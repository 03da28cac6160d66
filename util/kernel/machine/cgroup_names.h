/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths of cgroups (version 2) by their ids: of this machine, or from a recording. */
#ifndef RETSNOOP_KERNEL_MACHINE_CGROUP_NAMES_H
#define RETSNOOP_KERNEL_MACHINE_CGROUP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/vec.h"

struct cgroup_watch;

/*
 * The most names that are kept. On a machine that creates cgroups all the time, the half that was
 * not used recently is dropped.
 */
#define CGROUP_NAMES_MAX 65536

struct cgroup_name {
	uint64_t id;
	char *path;	/* below the root of the hierarchy: "/user.slice"; NULL: none, or removed */
	uint64_t used;	/* when it was last used: a value of cgroup_names.asked */
	bool written;	/* it is in the recording */
};

/* Zeroed: knows no names, and does not ask the kernel. */
struct cgroup_names {
	VEC(struct cgroup_name) v;	/* by id; paths are owned */
	bool renewed;			/* old names are dropped; else new ones are refused */
	bool records;			/* keep old names that are not in the recording yet */
	uint64_t asked;			/* number of look-ups so far */
	bool live;			/* ask this machine's kernel for missing names */
	int mount_fd;			/* of cgroup2; -1: there is none */
	char *mount;
	struct cgroup_watch *watch;	/* knows removed cgroups; borrowed; NULL: none */
};

/*
 * Names of this machine, which are looked up on first use.
 *
 * @watch	for cgroups that were removed by then; outlives @names; NULL: none
 */
void cgroup_names_init_live(struct cgroup_names *names, struct cgroup_watch *watch);

/* Borrowed; valid until CGROUP_NAMES_MAX / 2 other names were looked up or put; NULL: not known. */
const char *cgroup_names_get(struct cgroup_names *names, uint64_t id);

/* @path	copied. 0; -ENOMEM; -E2BIG too many, and none can be dropped */
int cgroup_names_put(struct cgroup_names *names, uint64_t id, const char *path);

/*
 * Warn if names are not known: without cgroup2, or without CAP_DAC_READ_SEARCH, which asking the
 * kernel for them by ids needs. @names of the running kernel; @option that needs them
 */
void cgroup_names_warn(const struct cgroup_names *names, const char *option);
void cgroup_names_release(struct cgroup_names *names);

#endif
