/* SPDX-License-Identifier: BSD-2-Clause */
/* --budget during a run: reads BPF's counts, and acts on the decisions of budget.h. */
#ifndef RETSNOOP_TRACE_RUN_RUN_BUDGET_H
#define RETSNOOP_TRACE_RUN_RUN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "util/ask/request.h"
#include "util/trace/attach/attach.h"
#include "util/trace/run/budget.h"
#include "util/trace/session/ledger.h"

struct run_budget {
	struct budget budget;
	struct attachment *attachment;
	const struct plan *plan;
	uint32_t ppm;		/* 0: there is no budget */
	unsigned int cpus;
	uint64_t started_ns;
	uint64_t start_ns;	/* cost of tracing at started_ns */
	uint64_t next_ns;	/* when to look again; 0 never */
	struct budget_totals end;	/* when recording ended; time 0 before */
	uint32_t keep;		/* as last written to BPF */

	/* Giving up functions. */
	uint32_t *samples;	/* by function, at samples_ns */
	uint64_t samples_ns;
	uint64_t not_before_ns;
	/* Entry functions that are attached for a part of the time. */
	uint32_t nr_hot;
	uint64_t paused_since_ns;	/* 0: they are attached */
	uint64_t paused_ns;	/* before that */
	struct budget_totals attached;	/* when they were attached again */
	double hot_keep;	/* the part of entry calls that was followed then */
};

/* Call it before recording begins. Does nothing without --budget. 0; -errno (reported). */
int run_budget_start(struct run_budget *budget, const struct trace_request *request,
		     struct attachment *attachment, const struct plan *plan);

/* Take the next step if it is due. 0; -errno (reported). */
int run_budget_keep(struct run_budget *budget, uint64_t now);

/* Recording has ended: later costs are not counted. */
void run_budget_end(struct run_budget *budget);

/* Put the cost of tracing so far into the ledger. */
void run_budget_count(const struct run_budget *budget, struct ledger *ledger);

void run_budget_stop(struct run_budget *budget);

#endif
