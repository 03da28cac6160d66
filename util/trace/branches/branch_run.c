// SPDX-License-Identifier: BSD-2-Clause
/* Opens branch records for a run, and reports which branches are recorded. */
#include "util/trace/branches/branch_run.h"

#include <errno.h>

#include "util/ask/branch_types.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/machine/cpu.h"
#include "util/trace/branches/branch_events.h"

uint64_t branch_run_wanted(const struct trace_request *request)
{
	return request->modes & MODE_BRANCHES ? request->branch_types : 0;
}

int branch_run_open(struct branch_run *branches, const struct features *features,
		    const struct trace_request **request)
{
	const struct trace_request *asked = *request;
	int err;

	if (!(asked->modes & MODE_BRANCHES))
		return 0;
	err = branch_events_open(asked->branch_types, features->branch_snapshot,
				 asked->branches_needed, &branches->events);
	if (!err || err == -ENOMEM || asked->branches_needed)
		return err;
	branches->without = *asked;
	branches->without.modes &= ~MODE_BRANCHES;
	*request = &branches->without;
	return 0;
}

void branch_run_close(struct branch_run *branches)
{
	branch_events_close(branches->events);
	branches->events = NULL;
}

void branch_run_say(int verbosity, const struct plan *plan, const struct attached *attached,
		    const struct trace_request *request)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;
	unsigned int records = cpu_branch_records();
	uint32_t nr[NR_RUNGS] = {};
	const char *comma = "; ";

	if (!(request->modes & MODE_BRANCHES))
		return;
	branch_types_add(&line, request->branch_types);
	if (records)
		strbuf_addf(&line, ", the last %u of a CPU", records);
	for (size_t i = 0; i < plan->funcs.len; i++) {
		if (attached->rungs[i] != RUNG_AUTO)
			nr[attached->rungs[i]]++;
	}
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		if (!nr[rung])
			continue;
		strbuf_addf(&line, "%s%u function%s on %s", comma, nr[rung],
			    nr[rung] == 1 ? "" : "s", rung_name(rung));
		comma = ", ";
	}
	say(verbosity, "Branches: %s", strbuf_str(&line));
}
