/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run has to do with the branches that CPUs record. */
#ifndef RETSNOOP_TRACE_RUN_RUN_BRANCHES_H
#define RETSNOOP_TRACE_RUN_RUN_BRANCHES_H

#include <stdint.h>

#include "util/trace/ask/request.h"
#include "util/trace/attach/features.h"
#include "util/trace/plan/plan.h"

struct branch_events;

struct run_branches {
	struct branch_events *events;		/* NULL: none are recorded */
	struct trace_request without;		/* the request without them; borrows all of it */
};

/**
 * Have the CPUs record branches, where the request has them.
 *
 * @request	where there are none, and something else is to be shown: becomes `without`
 * @return	0; negative errno (reported). Close either way.
 */
int run_branches_open(struct run_branches *branches, const struct features *features,
		      const struct trace_request **request);
void run_branches_close(struct run_branches *branches);

/* The types that attaching is to be good for; 0 no branches. */
uint64_t run_branches_wanted(const struct trace_request *request);

/* Say which branches, how many, and what functions leave of them. */
void run_branches_say(int verbosity, const struct plan *plan, const struct trace_request *request);

#endif
