/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cgroups that a run selects by patterns, or by paths. The kernel filters by an array of cgroups;
 * cgroups below them are selected too. Cgroups created during the run are added when they are
 * noticed: calls before that, mostly within a millisecond, are missed.
 */
#ifndef RETSNOOP_TRACE_RUN_RUN_CGROUPS_H
#define RETSNOOP_TRACE_RUN_RUN_CGROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/config.h"
#include "util/ask/request.h"

struct cgroup_watch;

struct run_cgroups {
	struct cgroup_watch *watch;	/* NULL: nothing is followed */
	const struct trace_request *request;
	int map_fd;
	struct cgroup_slot {
		uint64_t id;
		char *path;		/* owned; NULL: empty, or a cgroup that was given by its path */
	} slots[CONFIG_CGROUPS];
	bool full;			/* it was reported that there is no room */
};

/**
 * Put matching cgroups into the array, now and as they are created.
 *
 * @map_fd	with the cgroups of the request that were given by their paths
 * @watch	NULL: there is none; only without patterns, and then nothing is followed
 * @return	0; -ENODEV (reported)
 */
int run_cgroups_start(struct run_cgroups *cgroups, const struct trace_request *request, int map_fd,
		      struct cgroup_watch *watch);
void run_cgroups_stop(struct run_cgroups *cgroups);

#endif
