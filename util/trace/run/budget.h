/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --budget: from the cost of tracing so far, computes the part of entry calls to follow, and
 * the cost to save by giving up functions. Pure code: no clock, no BPF.
 *
 * Following fewer calls saves the cost of sessions at once. It does not save the cost of hits
 * outside sessions: if they take more than half of the budget while calls are skipped, functions
 * are given up.
 */
#ifndef RETSNOOP_TRACE_RUN_BUDGET_H
#define RETSNOOP_TRACE_RUN_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Totals since the run began. */
struct budget_totals {
	uint64_t time_ns;
	uint64_t base_ns;	/* cost of all hits, and of entry calls not followed */
	uint64_t session_ns;
	uint64_t kept, shed;	/* entry calls followed, and not followed */
};

struct budget {
	double allowed;		/* ns of tracing per ns of time: share x CPUs */
	struct budget_totals last;
	double debt_ns;		/* spent beyond what was allowed; negative: saved */
	double base, calls;	/* ns, entry calls; per ns of recent time */
	double session_ns, kept;	/* recent, as sums that decay */
	double call_ns;		/* cost of an entry call that is followed */
	double keep;		/* the part that is followed */
	bool pauses;		/* hot functions are detached until all of the excess is saved */
};

/* @share	of the time of @cpus CPUs */
void budget_init(struct budget *budget, double share, unsigned int cpus,
		 const struct budget_totals *start);

/* Add the cost since the last step. Returns the part of entry calls to follow, up to 1. */
double budget_step(struct budget *budget, const struct budget_totals *now);

/* The excess cost of hits, in ns per second; 0: give up nothing. */
double budget_excess(const struct budget *budget);

/*
 * Entry functions alone are too much: they are attached for a part of the time, and detached while the
 * excess is saved. These are the part of entry calls to follow while they are attached, when a session may
 * cost as much as the hits, and while they are detached, when the others may use half of the budget.
 *
 * @attached	totals when they were attached
 */
double budget_keep_attached(const struct budget *budget, const struct budget_totals *attached,
			    const struct budget_totals *now);
double budget_keep_detached(const struct budget *budget);
/* Whether it is time to detach them; and to attach them again. */
bool budget_is_spent(const struct budget *budget);
bool budget_is_saved(const struct budget *budget);

/* A function that may be given up. */
struct budget_cost {
	uint32_t func;		/* index into the plan's functions */
	uint32_t failures;	/* failures seen */
	double ns;		/* cost of its hits, per second */
};

/*
 * Choose functions to give up until @excess is saved: first functions that never failed, the most
 * expensive first.
 *
 * @costs	sorted on return: functions to give up come first
 * @return	how many
 */
size_t budget_choose(struct budget_cost *costs, size_t nr, double excess);

#endif
