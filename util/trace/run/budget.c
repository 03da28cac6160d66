// SPDX-License-Identifier: BSD-2-Clause
/* The part of entry calls that --budget can afford. */
#include "util/trace/run/budget.h"

#include <stdlib.h>

#include "util/base/clock.h"

/* Time that was saved can be used later, but at most the allowance of this time. */
#define SAVED_NS (NSEC_PER_SEC / 4.0)

/*
 * Time used beyond the allowance is saved again within REPAY_NS. More than the allowance of
 * MAX_DEBT_NS is forgiven.
 */
#define REPAY_NS (1.0 * NSEC_PER_SEC)
#define MAX_DEBT_NS (5.0 * NSEC_PER_SEC)
/* The same while hot functions are detached to save it. */
#define MAX_PAUSE_NS (60.0 * NSEC_PER_SEC)

/* Rates are averaged over about this time: loads change. */
#define RATE_NS (NSEC_PER_SEC / 4.0)

/* Always follow some calls: otherwise the cost of a call is not known. */
#define LEAST_KEEP 1e-5

/*
 * The part of the budget that hits may use, and the part that it is lowered to, so that this
 * lasts.
 */
#define MOST_BASE 0.5
#define LESS_BASE 0.4

/* A function that costs less of the excess than this is not worth giving up. */
#define LEAST_PART 0.005

void budget_init(struct budget *budget, double share, unsigned int cpus,
		 const struct budget_totals *start)
{
	*budget = (struct budget){ .allowed = share * cpus, .last = *start, .keep = 1 };
}

/* Learn the cost of a call from calls that were followed; without any, it stays as it was. */
static void learn_call(struct budget *budget, double fade, double session_ns, double kept)
{
	budget->session_ns = budget->session_ns * fade + session_ns;
	budget->kept = budget->kept * fade + kept;
	if (budget->kept >= 1)
		budget->call_ns = budget->session_ns / budget->kept;
}

static double clamp(double value, double least, double most)
{
	return value < least ? least : value > most ? most : value;
}

double budget_step(struct budget *budget, const struct budget_totals *now)
{
	const struct budget_totals *last = &budget->last;
	double ns = (double)(now->time_ns - last->time_ns);
	double base_ns = (double)(now->base_ns - last->base_ns);
	double session_ns = (double)(now->session_ns - last->session_ns);
	double kept = (double)(now->kept - last->kept);
	double calls = kept + (double)(now->shed - last->shed);
	double fresh = clamp(ns / RATE_NS, 0, 1), left, wanted;

	if (now->time_ns <= last->time_ns)
		return budget->keep;
	budget->last = *now;
	budget->debt_ns = clamp(budget->debt_ns + base_ns + session_ns - budget->allowed * ns,
				-budget->allowed * SAVED_NS,
				budget->allowed * (budget->pauses ? MAX_PAUSE_NS : MAX_DEBT_NS));
	budget->base += (base_ns / ns - budget->base) * fresh;
	budget->calls += (calls / ns - budget->calls) * fresh;
	learn_call(budget, 1 - fresh, session_ns, kept);

	left = budget->allowed - budget->base - budget->debt_ns / REPAY_NS;
	wanted = budget->calls * budget->call_ns;
	budget->keep = left >= wanted ? 1 : clamp(left / wanted, LEAST_KEEP, 1);
	return budget->keep;
}

double budget_excess(const struct budget *budget)
{
	if (budget->keep >= 1 || budget->base <= budget->allowed * MOST_BASE)
		return 0;
	return (budget->base - budget->allowed * LESS_BASE) * NSEC_PER_SEC;
}

/* The allowance of this time may be spent before hot functions are detached. It is less than MAX_DEBT_NS. */
#define SPENT_NS (2.0 * NSEC_PER_SEC)

static double part_for(double wanted, double ns)
{
	return ns >= wanted ? 1 : clamp(ns / wanted, LEAST_KEEP, 1);
}

double budget_keep_attached(const struct budget *budget, const struct budget_totals *attached,
			    const struct budget_totals *now)
{
	double base = (double)(now->base_ns - attached->base_ns);
	double calls = (double)(now->kept - attached->kept + now->shed - attached->shed);

	return part_for(calls * budget->call_ns, base);
}

double budget_keep_detached(const struct budget *budget)
{
	return part_for(budget->calls * budget->call_ns, budget->allowed / 2 - budget->base);
}

bool budget_is_spent(const struct budget *budget)
{
	return budget->debt_ns >= budget->allowed * SPENT_NS;
}

bool budget_is_saved(const struct budget *budget)
{
	return budget->debt_ns <= 0;
}

static int by_worth_cmp(const void *va, const void *vb)
{
	const struct budget_cost *a = va, *b = vb;

	if (!a->failures != !b->failures)
		return a->failures ? 1 : -1;
	return a->ns > b->ns ? -1 : a->ns < b->ns;
}

size_t budget_choose(struct budget_cost *costs, size_t nr, double excess)
{
	double saved = 0;
	size_t chosen = 0;

	qsort(costs, nr, sizeof(*costs), by_worth_cmp);
	for (size_t i = 0; i < nr && saved < excess; i++) {
		struct budget_cost cost = costs[i];

		if (cost.ns < excess * LEAST_PART)
			continue;
		/* Functions that are not chosen come after the chosen ones, in any order. */
		costs[i] = costs[chosen];
		costs[chosen++] = cost;
		saved += cost.ns;
	}
	return chosen;
}
