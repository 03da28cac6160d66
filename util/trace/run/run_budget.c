// SPDX-License-Identifier: BSD-2-Clause
/* Keeps the budget during a run (--budget). */
#include "util/trace/run/run_budget.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"

/* The time between steps: a growing load is noticed after this time at most. */
#define STEP_NS (50 * NSEC_PER_MSEC)

/*
 * Hits are counted by function for LOOK_NS to LOOK_MAX_NS before functions are given up: older
 * hits do not matter. After that, nothing is given up for REST_NS.
 */
#define LOOK_NS (250 * NSEC_PER_MSEC)
#define LOOK_MAX_NS NSEC_PER_SEC
#define REST_NS (500 * NSEC_PER_MSEC)

/* Open sessions have this long to end before functions are given up. */
#define PAUSE_US (20 * 1000)

#define NAMES_SAID 6

static int read_totals(const struct run_budget *budget, struct budget_totals *ret)
{
	const struct programs *programs = attachment_programs(budget->attachment);
	struct event_stats stats;
	struct budget_cpu sum;
	int err;

	ret->time_ns = now_ns();
	err = budget_cpus_read(programs, &sum) ?: programs_stats(programs, &stats);
	if (err)
		return report(err, "--budget: cannot read what tracing costs: %s", strerror(-err));
	ret->base_ns = sum.hits_ns + sum.outside_ns;
	ret->session_ns = sum.session_ns;
	ret->kept = stats.opened;
	ret->shed = stats.shed;
	return 0;
}

static int tell_keep(struct run_budget *budget, uint32_t keep)
{
	int err = attachment_keep_calls(budget->attachment, keep);

	return err ? report(err, "--budget: cannot be set: %s", strerror(-err)) : 0;
}

int run_budget_start(struct run_budget *budget, const struct trace_request *request,
		     struct attachment *attachment, const struct plan *plan)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct budget_totals start;
	int err;

	if (!request->budget_ppm)
		return 0;
	*budget = (struct run_budget){ .attachment = attachment, .plan = plan, .ppm = request->budget_ppm,
				       .cpus = cpus > 0 ? cpus : 1, .keep = BUDGET_KEEP_ALL };
	budget->samples = calloc(plan->funcs.len + PLAN_SPARE, sizeof(*budget->samples));
	if (!budget->samples)
		return report_oom();
	err = read_totals(budget, &start) ?: tell_keep(budget, budget->keep);
	if (err)
		return err;
	budget_init(&budget->budget, budget->ppm / 1e6, budget->cpus, &start);
	budget->started_ns = start.time_ns;
	budget->start_ns = start.base_ns + start.session_ns;
	budget->next_ns = start.time_ns + STEP_NS;
	budget->samples_ns = start.time_ns;
	budget->not_before_ns = start.time_ns + LOOK_NS;
	return 0;
}

/*
 * Fill in the functions that can be given up, or entry functions, with the cost of hits since the last call.
 */
static int read_costs(struct run_budget *budget, double seconds, bool entries, struct budget_cost *costs,
		      size_t *ret_nr)
{
	const struct programs *programs = attachment_programs(budget->attachment);
	struct budget_func sum;
	size_t nr = 0;
	uint32_t hits;
	int err;

	for (uint32_t i = 0; i < budget->plan->funcs.len; i++) {
		if (entries ? !budget->plan->funcs.data[i].entry :
			      !attachment_can_give_up(budget->attachment, i))
			continue;
		err = budget_func_read(programs, i, &sum);
		if (err)
			return report(err, "--budget: cannot read how often functions are called: %s",
				      strerror(-err));
		hits = (sum.samples - budget->samples[i]) * BUDGET_SAMPLE;
		budget->samples[i] = sum.samples;
		if (entries && attachment_is_hot(budget->attachment, i))
			continue;
		costs[nr++] = (struct budget_cost){
			i, sum.failures, hits * (double)attachment_hit_ns(budget->attachment, i) / seconds };
	}
	*ret_nr = nr;
	return 0;
}

static void say_given_up(const struct run_budget *budget, const struct budget_cost *costs, size_t nr,
			 const char *what)
{
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;
	size_t said = report_verbosity() < VERBOSITY_VERBOSE && nr > NAMES_SAID ? NAMES_SAID : nr;

	for (size_t i = 0; i < said; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", budget->plan->funcs.data[costs[i].func].name);
	if (said < nr)
		strbuf_addf(&names, " and %zu more", nr - said);
	say(VERBOSITY_NORMAL, "--budget: %zu %s: %s", nr, what, strbuf_str(&names));
}

static uint64_t now_paused_ns(const struct run_budget *budget, uint64_t now)
{
	return budget->paused_ns + (budget->paused_since_ns ? now - budget->paused_since_ns : 0);
}

/*
 * Hits of entry functions alone are too much. The costs of what BPF does for each are not known by function:
 * they are in proportion to the hits.
 */
static int begin_pauses(struct run_budget *budget, struct budget_cost *costs, uint32_t *funcs,
			double seconds, double excess)
{
	double sum = 0, base = budget->budget.base * NSEC_PER_SEC;
	size_t nr = 0;
	int err = read_costs(budget, seconds, true, costs, &nr);

	if (err)
		return err;
	for (size_t i = 0; i < nr; i++)
		sum += costs[i].ns;
	for (size_t i = 0; i < nr && sum > 0; i++)
		costs[i].ns *= base / sum;
	nr = sum > 0 ? budget_choose(costs, nr, excess) : 0;
	if (!nr)
		return 0;
	for (size_t i = 0; i < nr; i++)
		funcs[i] = costs[i].func;
	say_given_up(budget, costs, nr, nr == 1 ?
		     "entry function is called so often that it is detached for a part of the time" :
		     "entry functions are called so often that they are detached for a part of the time");
	err = tell_keep(budget, 0);
	usleep(PAUSE_US);
	err = err ?: attachment_set_hot(budget->attachment, funcs, nr);
	if (!budget->nr_hot)
		budget->hot_keep = budget->budget.keep;
	budget->nr_hot += nr;
	budget->budget.pauses = true;
	budget->paused_since_ns = budget->paused_since_ns ?: now_ns();
	return err ?: tell_keep(budget, budget->keep);
}

/* Detach hot functions when enough was spent, and attach them when that was saved. */
static int keep_hot(struct run_budget *budget)
{
	int err;

	if (budget->paused_since_ns && budget_is_saved(&budget->budget)) {
		budget->keep = (uint32_t)(budget->hot_keep * BUDGET_KEEP_ALL);
		err = tell_keep(budget, budget->keep) ?:
		      read_totals(budget, &budget->attached) ?:
		      attachment_resume_hot(budget->attachment);
		budget->paused_ns = now_paused_ns(budget, now_ns());
		budget->paused_since_ns = 0;
		return err;
	}
	if (budget->paused_since_ns || !budget_is_spent(&budget->budget))
		return 0;
	err = tell_keep(budget, 0);
	usleep(PAUSE_US);
	budget->paused_since_ns = now_ns();
	attachment_pause_hot(budget->attachment);
	return err ?: tell_keep(budget, budget->keep);
}

static int give_up(struct run_budget *budget, uint64_t now, double excess)
{
	_cleanup_(free_p) struct budget_cost *costs = calloc(budget->plan->funcs.len, sizeof(*costs));
	_cleanup_(free_p) uint32_t *funcs = calloc(budget->plan->funcs.len, sizeof(*funcs));
	uint64_t looked_ns = now - budget->samples_ns;
	size_t nr = 0;
	int err;

	if (!costs || !funcs)
		return report_oom();
	err = read_costs(budget, (double)looked_ns / NSEC_PER_SEC, false, costs, &nr);
	if (err)
		return err;
	budget->samples_ns = now;
	budget->not_before_ns = now + LOOK_NS;
	if (looked_ns > LOOK_MAX_NS)
		return 0;
	budget->not_before_ns = now + REST_NS;
	nr = budget_choose(costs, nr, excess);
	if (!nr)
		return begin_pauses(budget, costs, funcs, (double)looked_ns / NSEC_PER_SEC, excess);
	for (size_t i = 0; i < nr; i++)
		funcs[i] = costs[i].func;
	say_given_up(budget, costs, nr, nr == 1 ? "function is given up, called too often" :
						  "functions are given up, called too often");
	/* No session must lose calls by detaching: no session begins until that is done. */
	err = tell_keep(budget, 0);
	if (err)
		return err;
	usleep(PAUSE_US);
	err = attachment_give_up(budget->attachment, funcs, nr) ?: tell_keep(budget, budget->keep);
	/*
	 * Detaching may have taken long, and the cost of hits meanwhile says nothing about the
	 * present.
	 */
	budget->samples_ns = now_ns();
	budget->not_before_ns = budget->samples_ns + REST_NS;
	return err;
}

/* How much a call costs while it is attached is known from the time before, and soon better. */
static double part_with_hot(struct run_budget *budget, const struct budget_totals *now)
{
	if (budget->paused_since_ns)
		return budget_keep_detached(&budget->budget);
	if (now->kept + now->shed > budget->attached.kept + budget->attached.shed)
		budget->hot_keep = budget_keep_attached(&budget->budget, &budget->attached, now);
	return budget->hot_keep;
}

int run_budget_keep(struct run_budget *budget, uint64_t now)
{
	struct budget_totals totals;
	double part, excess;
	uint32_t keep;
	int err;

	err = read_totals(budget, &totals);
	if (err)
		return err;
	part = budget_step(&budget->budget, &totals);
	if (budget->nr_hot)
		part = part_with_hot(budget, &totals);
	budget->next_ns = now + STEP_NS;
	keep = part >= 1 ? BUDGET_KEEP_ALL : (uint32_t)(part * BUDGET_KEEP_ALL);
	if (keep != budget->keep) {
		budget->keep = keep;
		err = tell_keep(budget, keep);
		if (err)
			return err;
	}
	if (budget->nr_hot) {
		err = keep_hot(budget);
		if (err || !budget->paused_since_ns)
			return err;
	}
	excess = budget_excess(&budget->budget);
	return excess > 0 && now >= budget->not_before_ns ? give_up(budget, now, excess) : 0;
}

void run_budget_end(struct run_budget *budget)
{
	if (budget->ppm && read_totals(budget, &budget->end))
		budget->end.time_ns = 0;
}

void run_budget_count(const struct run_budget *budget, struct ledger *ledger)
{
	struct budget_totals totals = budget->end;

	ledger->budget_ppm = budget->ppm;
	if (!budget->ppm || (!totals.time_ns && read_totals(budget, &totals)))
		return;
	ledger->paused_ms = now_paused_ns(budget, totals.time_ns) / NSEC_PER_MSEC;
	ledger->tracing_ns = totals.base_ns + totals.session_ns - budget->start_ns;
	ledger->cpus_ns = (totals.time_ns - budget->started_ns) * budget->cpus;
}

void run_budget_stop(struct run_budget *budget)
{
	free(budget->samples);
	budget->samples = NULL;
}
