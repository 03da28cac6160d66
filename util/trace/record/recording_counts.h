/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Several recordings counted as one. Functions are matched by name and module, cgroups by path,
 * hosts by name: plans, kernels and ids differ between recordings.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_COUNTS_H
#define RETSNOOP_TRACE_RECORD_RECORDING_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/strmap.h"
#include "util/base/vec.h"
#include "util/kernel/machine/cgroup_names.h"
#include "util/plan/plan.h"
#include "util/trace/summary/summary.h"

struct error_rule;
struct session;

/* Starts zeroed, except for summary.by. */
struct recording_counts {
	struct summary summary;		/* times are times of day; of functions of `plan` */
	struct plan plan;		/* functions of all recordings; only names and kinds */
	struct cgroup_names cgroups;	/* ids are made up: places */
	VEC(char *) names;		/* owned: of functions, modules, paths and hosts */
	struct strmap known;		/* places of functions and cgroups, by keys in `names` */
	struct strmap name_at;		/* places in `names` */
	struct strbuf key;		/* scratch */
	uint64_t lost;			/* sessions that found no room */
};

/* Maps a recording's functions to the common plan's. Starts zeroed; vec_release() its funcs. */
struct recording_part {
	VEC(uint32_t) funcs;
	const char *host;		/* borrowed from the counts */
};

/* @host	NULL: not known. 0; -ENOMEM */
int recording_counts_join(struct recording_counts *counts, const struct plan *plan,
			  const char *host, struct recording_part *part);

/**
 * Add a session; interim ones do not count.
 *
 * @cgroups	of its recording
 * @end_ns	when it ended, since the epoch
 * @return	0; -ENOMEM
 */
int recording_counts_add(struct recording_counts *counts, struct recording_part *part,
			 const struct plan *plan, const struct error_rule *rules,
			 struct cgroup_names *cgroups, const struct session *session,
			 int64_t end_ns);
void recording_counts_release(struct recording_counts *counts);

#endif
