/* SPDX-License-Identifier: BSD-2-Clause */
/* Recording of the CPUs' branches during a run. */
#ifndef RETSNOOP_TRACE_RUN_RUN_BRANCHES_H
#define RETSNOOP_TRACE_RUN_RUN_BRANCHES_H

#include <stdint.h>

#include "util/trace/ask/request.h"
#include "util/trace/attach/features.h"
#include "util/trace/plan/attached.h"
#include "util/trace/plan/plan.h"

struct branch_events;

struct run_branches {
	struct branch_events *events;		/* NULL: none are recorded */
	struct trace_request without;		/* the request without them; all of it borrowed */
};

/**
 * Make the CPUs record branches, if the request asks for them.
 *
 * @request	becomes `without` if branches are unavailable and something else is shown
 * @return	0; negative errno (reported). Close either way.
 */
int run_branches_open(struct run_branches *branches, const struct features *features,
		      const struct trace_request **request);
void run_branches_close(struct run_branches *branches);

/* The branch types that attaching must preserve; 0 no branches. */
uint64_t run_branches_wanted(const struct trace_request *request);

/* Report which branches are recorded, how many, and how many functions preserve. */
void run_branches_say(int verbosity, const struct plan *plan, const struct attached *attached,
		      const struct trace_request *request);

#endif
