// SPDX-License-Identifier: BSD-2-Clause
/* Summaries during a run. */
#include "util/trace/summary/summary_run.h"

void summary_run_start(struct summary_run *run, const struct programs *programs,
		       const struct trace_request *request, uint64_t now_ns)
{
	*run = (struct summary_run){
		.maps.epoch_fd = programs_map_fd(programs, ".data.epoch"),
		.maps.lines_fd = programs_map_fd(programs, "summary"),
		.maps.producers_fd = programs_map_fd(programs, "producers"),
		.start_ns = now_ns,
		.interval_ns = request->interval_ns,
		.next_ns = request->interval_ns ? now_ns + request->interval_ns : 0,
		.by = request->summary_by,
	};
}

int summary_run_take(struct summary_run *run, uint64_t now_ns, struct summary *summary)
{
	*summary = (struct summary){
		.start_ns = run->start_ns,
		.end_ns = now_ns,
		.interval = run->interval_ns,
		.by = run->by,
	};
	run->due = false;
	run->start_ns = now_ns;
	while (run->next_ns && run->next_ns <= now_ns)
		run->next_ns += run->interval_ns;
	return summary_take(&run->maps, summary);
}
