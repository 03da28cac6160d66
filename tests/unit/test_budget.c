// SPDX-License-Identifier: BSD-2-Clause
/* --budget's controller against machines with loads of known cost. */
#include "unit.h"

#include "util/base/clock.h"
#include "util/trace/run/budget.h"

#define STEP_NS (50 * NSEC_PER_MSEC)

/* A load: what it asks of tracing in a second. */
struct load {
	double calls;		/* entry calls */
	double base_ns;		/* of each, followed or not, with all hits outside of sessions */
	double session_ns;	/* what it costs more if it is followed */
};

struct machine_model {
	struct budget budget;
	struct budget_totals totals;
	double keep, kept;	/* kept: a part of a call is left */
};

static void begin(struct machine_model *m, double share, unsigned int cpus)
{
	*m = (struct machine_model){ .keep = 1, .totals.time_ns = 77 };
	budget_init(&m->budget, share, cpus, &m->totals);
}

static uint64_t spent(const struct machine_model *m)
{
	return m->totals.base_ns + m->totals.session_ns;
}

static void run_for(struct machine_model *m, const struct load *load, double seconds)
{
	for (double t = 0; t < seconds; t += (double)STEP_NS / NSEC_PER_SEC) {
		double calls = load->calls * STEP_NS / NSEC_PER_SEC, kept;

		m->kept += calls * m->keep;
		kept = (double)(uint64_t)m->kept;
		m->kept -= kept;
		m->totals.time_ns += STEP_NS;
		m->totals.kept += (uint64_t)kept;
		m->totals.shed += (uint64_t)(calls - kept);
		m->totals.base_ns += (uint64_t)(calls * load->base_ns);
		m->totals.session_ns += (uint64_t)(kept * load->session_ns);
		m->keep = budget_step(&m->budget, &m->totals);
	}
}

TEST(a_load_within_the_budget_is_followed_whole)
{
	const struct load load = { 1000, 500, 5000 };	/* 0.55% of a CPU */
	struct machine_model m;

	begin(&m, 0.01, 1);
	run_for(&m, &load, 10);
	EXPECT_EQ(0, m.totals.shed);
	EXPECT_EQ(1, m.keep);
	EXPECT_EQ(0, budget_excess(&m.budget));
}

TEST(loads_up_to_a_thousand_times_too_large_are_held_within_a_quarter)
{
	for (double times = 2; times <= 1000; times *= 2) {
		/* Of 2 CPUs; what sampling cannot save is a third of what is allowed. */
		const struct load load = { 10000, 600, 2e7 * times / 10000 };
		struct machine_model m;
		double share;
		uint64_t before;

		begin(&m, 0.01, 2);
		run_for(&m, &load, 10);
		before = spent(&m);
		run_for(&m, &load, 60);
		share = (double)(spent(&m) - before) / 60 / NSEC_PER_SEC / 2;
		EXPECT_GT(0.0125, share) TH_LOG("%g times: %g", times, share);
		EXPECT_LT(0.0075, share) TH_LOG("%g times: %g", times, share);
		EXPECT_LT(0, m.totals.shed);
		EXPECT_EQ(0, budget_excess(&m.budget));
	}
}

TEST(what_was_spent_before_a_load_was_noticed_is_saved_afterwards)
{
	const struct load none = { 0 }, burst = { 20000, 0, 5000 };	/* ten times 1% */
	struct machine_model m;

	begin(&m, 0.01, 1);
	run_for(&m, &none, 60);
	for (int i = 0; i < 10; i++) {
		uint64_t before = spent(&m);

		run_for(&m, &burst, 2);
		/* And what was saved while nothing went on: a quarter of a second's worth. */
		EXPECT_GT(2 * 1e7 * 1.25 + 2.5e6, spent(&m) - before);
		run_for(&m, &none, 5);
	}
}

TEST(a_budget_that_hits_alone_exceed_asks_for_functions_to_go)
{
	const struct load load = { 1000000, 20, 5000 };	/* 2% in hits alone */
	struct machine_model m;

	begin(&m, 0.01, 1);
	run_for(&m, &load, 5);
	EXPECT_GT(0.001, m.keep);
	EXPECT_LT(0, m.keep);
	/* Down to 0.4 of what is allowed. */
	EXPECT_LT(1.55e7, budget_excess(&m.budget));
	EXPECT_GT(1.65e7, budget_excess(&m.budget));
}

TEST(no_function_goes_while_all_calls_can_be_followed)
{
	const struct load load = { 400000, 20, 3 };	/* 0.8% in hits, 0.12% in sessions */
	struct machine_model m;

	begin(&m, 0.01, 1);
	run_for(&m, &load, 5);
	EXPECT_EQ(1, m.keep);
	EXPECT_EQ(0, budget_excess(&m.budget));
}

TEST(after_a_load_is_gone_all_calls_are_followed_again)
{
	const struct load heavy = { 100000, 10, 100000 }, light = { 10, 10, 5000 };
	struct machine_model m;

	begin(&m, 0.01, 1);
	run_for(&m, &heavy, 10);
	EXPECT_GT(0.01, m.keep);
	run_for(&m, &light, 8);
	EXPECT_EQ(1, m.keep);
}

TEST(clocks_that_stand_still_change_nothing)
{
	struct machine_model m;

	begin(&m, 0.01, 1);
	EXPECT_EQ(1, budget_step(&m.budget, &m.totals));
	EXPECT_EQ(1, budget_step(&m.budget, &m.totals));
}

TEST(the_hottest_functions_that_never_failed_go_first)
{
	struct budget_cost costs[] = {
		{ 0, 0, 100 }, { 1, 3, 9000 }, { 2, 0, 4000 }, { 3, 0, 1 }, { 4, 0, 2000 },
	};

	ASSERT_EQ(2, budget_choose(costs, ARRAY_SIZE(costs), 5000));
	EXPECT_EQ(2, costs[0].func);
	EXPECT_EQ(4, costs[1].func);
}

TEST(functions_that_failed_go_where_the_others_are_not_enough)
{
	struct budget_cost costs[] = {
		{ 0, 0, 1000 }, { 1, 3, 9000 }, { 2, 1, 4000 }, { 3, 0, 1 },
	};

	ASSERT_EQ(2, budget_choose(costs, ARRAY_SIZE(costs), 9500));
	EXPECT_EQ(0, costs[0].func);
	EXPECT_EQ(1, costs[1].func);
}

TEST(functions_that_would_save_next_to_nothing_stay)
{
	struct budget_cost costs[] = { { 0, 0, 1 }, { 1, 0, 2 }, { 2, 7, 3 } };

	EXPECT_EQ(0, budget_choose(costs, ARRAY_SIZE(costs), 1e6));
	EXPECT_EQ(0, budget_choose(costs, 0, 1e6));
}

/* As run_budget.c does it, with a load whose entry calls alone cost more than the budget. */
static void run_with_pauses(struct machine_model *m, const struct load *load, double seconds, double *ret_kept)
{
	static const struct load none = {};
	struct budget_totals attached = m->totals;
	double hot_keep = m->keep;
	bool paused = false;
	uint64_t kept = m->totals.kept;

	m->budget.pauses = true;
	for (double t = 0; t < seconds; t += (double)STEP_NS / NSEC_PER_SEC) {
		m->keep = hot_keep;
		run_for(m, paused ? &none : load, (double)STEP_NS / NSEC_PER_SEC / 2);
		if (paused && budget_is_saved(&m->budget)) {
			paused = false;
			attached = m->totals;
		} else if (!paused) {
			hot_keep = budget_keep_attached(&m->budget, &attached, &m->totals);
			paused = budget_is_spent(&m->budget);
		}
	}
	*ret_kept = (double)(m->totals.kept - kept);
}

TEST(entry_functions_that_are_too_much_alone_are_held_by_pauses)
{
	for (double share = 0.001; share <= 0.1; share *= 3) {
		/* Half of a CPU for hits alone, and ten for all sessions. */
		const struct load load = { 1e6, 500, 1e4 };
		struct machine_model m;
		double taken, kept;
		uint64_t before;

		begin(&m, share, 1);
		run_for(&m, &load, 2);
		EXPECT_LT(0, budget_excess(&m.budget));
		/* The beginning is saved afterwards. */
		run_with_pauses(&m, &load, 120, &kept);
		before = spent(&m);
		run_with_pauses(&m, &load, 600, &kept);
		taken = (double)(spent(&m) - before) / (600.0 * NSEC_PER_SEC);
		EXPECT_LT(share * 0.75, taken);
		EXPECT_GT(share * 1.25, taken);
		/* About half of what was spent is for calls that were followed. */
		EXPECT_LT(share * 600 * NSEC_PER_SEC / 1e4 / 4, kept);
	}
}

TEST_HARNESS_MAIN
