/* SPDX-License-Identifier: BSD-2-Clause */
/* A run's summaries: when one is due, and reading it from BPF's maps. */
#ifndef RETSNOOP_TRACE_SUMMARY_SUMMARY_RUN_H
#define RETSNOOP_TRACE_SUMMARY_SUMMARY_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "util/ask/request.h"
#include "util/trace/attach/programs.h"
#include "util/trace/summary/summary.h"

/* All zeros: there is none. */
struct summary_run {
	struct summary_maps maps;
	bool due;
	uint64_t next_ns;	/* CLOCK_MONOTONIC; 0 at the end only */
	uint64_t start_ns;	/* start of the current counts */
	uint64_t interval_ns;	/* 0: at the end only */
	enum summary_by by;
};

void summary_run_start(struct summary_run *run, const struct programs *programs,
		       const struct trace_request *request, uint64_t now_ns);

/**
 * Take the counts since the last time.
 *
 * @summary	to be released, after an error too
 * @return	0; negative errno (reported)
 */
int summary_run_take(struct summary_run *run, uint64_t now_ns, struct summary *summary);

#endif
