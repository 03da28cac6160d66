/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The owner of a cgroup, by its path alone: pod, container, unit of systemd.
 *
 * Container engines and systemd name cgroups in known ways, with either cgroup driver (systemd,
 * cgroupfs). No engine is asked. A user who may create cgroups, for example in a delegated
 * subtree, can choose any names: so do not trust an owner more than that.
 */
#ifndef RETSNOOP_KERNEL_MACHINE_CGROUP_OWNER_H
#define RETSNOOP_KERNEL_MACHINE_CGROUP_OWNER_H

#include <stdbool.h>

/* Digits of a container's id, and of a podman pod's. */
#define CGROUP_OWNER_ID 64

/* Empty strings: none. */
struct cgroup_owner {
	char pod[CGROUP_OWNER_ID + 1];		/* Kubernetes: its UID with dashes; podman: its id */
	char container[CGROUP_OWNER_ID + 1];	/* the id, 64 digits */
	char unit[256];				/* "ssh.service", of this machine or a user's */
};

/**
 * The innermost pod, the outermost container inside that pod, and the innermost unit that is not
 * inside a container.
 *
 * @path	the kernel's, below the root of the hierarchy; NULL: no owner
 */
void cgroup_owner_of(const char *path, struct cgroup_owner *ret_owner);

/*
 * Whether the last component of a path begins a pod, a container (id or prefix), a unit that is not
 * inside a container.
 */
bool cgroup_begins_pod(const char *path, const char *pod);
bool cgroup_begins_container(const char *path, const char *prefix);
bool cgroup_begins_unit(const char *path, const char *unit);

/* The unit that the last component would be; points into the path. "": it is inside a container. */
const char *cgroup_unit_name(const char *path);

/* Whether a name has the suffix of a kind of unit with cgroups: "ssh.service". */
bool cgroup_unit_has_kind(const char *unit);

#endif
