/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --budget: from what tracing cost so far to which part of the entry calls is followed, and how much
 * of the cost functions have to be given up for. Pure code: no clock, no BPF.
 *
 * Following fewer calls saves what sessions cost, at once. It does not save what each hit of a traced
 * function costs outside of sessions: if that takes more than half of the budget while calls are not
 * followed, functions have to go.
 */
#ifndef RETSNOOP_TRACE_RUN_BUDGET_H
#define RETSNOOP_TRACE_RUN_BUDGET_H

#include <stddef.h>
#include <stdint.h>

/* Totals since the run began. */
struct budget_totals {
	uint64_t time_ns;
	uint64_t base_ns;	/* of all hits, and of entry calls that were not followed */
	uint64_t session_ns;
	uint64_t kept, shed;	/* entry calls followed, and not followed */
};

struct budget {
	double allowed;		/* ns of tracing per ns of time: share x CPUs */
	struct budget_totals last;
	double debt_ns;		/* spent beyond what was allowed; negative: saved */
	double base, calls;	/* ns, entry calls; per ns of time, of late */
	double session_ns, kept;	/* of late, as sums that fade */
	double call_ns;		/* what an entry call costs that is followed */
	double keep;		/* the part that is followed */
};

/* @share	of the time of @cpus CPUs */
void budget_init(struct budget *budget, double share, unsigned int cpus,
		 const struct budget_totals *start);

/* Take in what was spent since the last step. Returns the part of entry calls to follow, up to 1. */
double budget_step(struct budget *budget, const struct budget_totals *now);

/* What hits cost too much, in ns per second; 0: nothing is to be given up. */
double budget_excess(const struct budget *budget);

/* A function that may be given up. */
struct budget_cost {
	uint32_t func;		/* index into the plan's functions */
	uint32_t failures;	/* seen of it */
	double ns;		/* its hits, per second */
};

/*
 * Choose which functions to give up: those that never failed before the others, the costliest first,
 * until @excess is saved.
 *
 * @costs	sorted on return: those to give up come first
 * @return	how many
 */
size_t budget_choose(struct budget_cost *costs, size_t nr, double excess);

#endif
