/* SPDX-License-Identifier: BSD-2-Clause */
/* Recording of the CPUs' branches during a run. */
#ifndef RETSNOOP_TRACE_BRANCHES_BRANCH_RUN_H
#define RETSNOOP_TRACE_BRANCHES_BRANCH_RUN_H

#include <stdint.h>

#include "util/ask/request.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/attach/features.h"

struct branch_events;

struct branch_run {
	struct branch_events *events;		/* NULL: none are recorded */
	struct trace_request without;		/* the request without them; all of it borrowed */
};

/**
 * Make the CPUs record branches, if the request asks for them.
 *
 * @request	becomes `without` if branches are unavailable and something else is shown
 * @return	0; negative errno (reported). Close either way.
 */
int branch_run_open(struct branch_run *branches, const struct features *features,
		    const struct trace_request **request);
void branch_run_close(struct branch_run *branches);

/* The branch types that attaching must preserve; 0 no branches. */
uint64_t branch_run_wanted(const struct trace_request *request);

/* Report which branches are recorded, how many, and how many functions preserve. */
void branch_run_say(int verbosity, const struct plan *plan, const struct attached *attached,
		    const struct trace_request *request);

#endif
