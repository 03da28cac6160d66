// SPDX-License-Identifier: BSD-2-Clause
/* Which function goes on which rung. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "unit.h"

#include "util/trace/rungs.h"

#define ALL ((1u << NR_RUNGS) - 1)
#define TRAMPOLINES (RUNG_BIT(RUNG_FSESSION_MULTI) | RUNG_BIT(RUNG_FENTRY))

FIXTURE(rungs)
{
	struct features features;
	struct plan plan;
	char *messages;
	int err;
};

FIXTURE_SETUP(rungs)
{
	memset(self, 0, sizeof(*self));
}

FIXTURE_TEARDOWN(rungs)
{
	vec_release(&self->plan.funcs);
	free(self->messages);
}

/* A kernel with these RUNG_BIT()s; all that have them (5.15 and on) unwind from return probes. */
static void kernel_with(FIXTURE_DATA(rungs) * self, uint32_t rungs)
{
	self->features.return_unwinds = true;
	for (int rung = 0; rung < NR_RUNGS; rung++)
		self->features.rungs[rung] = rungs & RUNG_BIT(rung);
}

#define LINUX_6_1 (RUNG_BIT(RUNG_FENTRY) | RUNG_BIT(RUNG_KPROBE))
#define LINUX_6_12 (LINUX_6_1 | RUNG_BIT(RUNG_KPROBE_MULTI) | RUNG_BIT(RUNG_KPROBE_SESSION))
#define LINUX_7_2 (LINUX_6_12 | RUNG_BIT(RUNG_FSESSION_MULTI))

static void add(FIXTURE_DATA(rungs) * self, unsigned int nr, uint32_t rungs)
{
	while (nr--) {
		struct plan_func func = { .name = "f", .rungs = rungs, .entry = !(nr % 3) };

		if (vec_push(&self->plan.funcs, func))
			abort();
	}
}

static void assign(FIXTURE_DATA(rungs) * self, enum rung forced, uint64_t branches)
{
	free(self->messages);
	self->messages = stderr_of(
		self->err = rungs_assign(&self->plan, &self->features, forced, branches));
}

static unsigned int on(FIXTURE_DATA(rungs) * self, enum rung rung)
{
	unsigned int nr = 0;

	vec_foreach(func, &self->plan.funcs)
		nr += func->rung == rung;
	return nr;
}

#define EXPECT_QUIET() EXPECT_STREQ("", self->messages ?: "")

TEST_F(rungs, one_link_for_all_is_best)
{
	add(self, 300, ALL);
	kernel_with(self, LINUX_7_2);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(300, on(self, RUNG_KPROBE_SESSION));
	kernel_with(self, LINUX_6_12);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(300, on(self, RUNG_KPROBE_SESSION));
	kernel_with(self, LINUX_6_1);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(300, on(self, RUNG_KPROBE));
	EXPECT_QUIET();
}

TEST_F(rungs, trampolines_leave_most_branches)
{
	add(self, 300, ALL);
	kernel_with(self, LINUX_7_2);
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(300, on(self, RUNG_FSESSION_MULTI));
	EXPECT_QUIET();
	self->plan.funcs.len = FENTRY_FOR_BRANCHES;
	kernel_with(self, LINUX_6_12);
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(FENTRY_FOR_BRANCHES, on(self, RUNG_FENTRY));
	EXPECT_QUIET();
	kernel_with(self, LINUX_6_1);
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(FENTRY_FOR_BRANCHES, on(self, RUNG_FENTRY));
	EXPECT_QUIET();
}

TEST_F(rungs, more_functions_than_are_worth_the_wait_go_where_the_others_would)
{
	_Static_assert(FENTRY_FOR_BRANCHES == 100, "as in the messages");
	add(self, 341, ALL);
	kernel_with(self, LINUX_6_12);
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(100, on(self, RUNG_FENTRY));
	EXPECT_EQ(241, on(self, RUNG_KPROBE_SESSION));
	EXPECT_STREQ("retsnoop: branch records: 100 functions go on fentry, 241 more on "
		     "kprobe-session, where few or none of their own are left; choose fewer "
		     "functions, or --attach=fentry for all\n",
		     self->messages);
	kernel_with(self, LINUX_6_1);
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(100, on(self, RUNG_FENTRY));
	EXPECT_EQ(241, on(self, RUNG_KPROBE));
	/* Of returns there are not so many on the way. */
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY_RETURN);
	EXPECT_EQ(100, on(self, RUNG_FENTRY));
	EXPECT_STREQ("retsnoop: branch records: 100 functions go on fentry, 241 more on kprobe, "
		     "where some less of their own are left; choose fewer functions, or "
		     "--attach=fentry for all\n",
		     self->messages);
	/* Without another rung there is no choice. */
	kernel_with(self, RUNG_BIT(RUNG_FENTRY));
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(341, on(self, RUNG_FENTRY));
	EXPECT_QUIET();
}

TEST_F(rungs, what_trampolines_cannot_take_does_not_count)
{
	add(self, 250, ALL & ~TRAMPOLINES);
	add(self, 100, ALL);
	kernel_with(self, LINUX_6_12);
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(100, on(self, RUNG_FENTRY));
	EXPECT_EQ(250, on(self, RUNG_KPROBE_SESSION));
	EXPECT_EQ(RUNG_KPROBE_SESSION, self->plan.funcs.data[249].rung);
	EXPECT_QUIET();
}

TEST_F(rungs, who_asks_for_one_gets_it)
{
	add(self, 341, ALL);
	add(self, 2, ALL & ~TRAMPOLINES);
	kernel_with(self, LINUX_7_2);
	for (uint64_t branches = 0; branches <= PERF_SAMPLE_BRANCH_ANY;
	     branches += PERF_SAMPLE_BRANCH_ANY) {
		for (int rung = 0; rung < NR_RUNGS; rung++) {
			bool all = rung != RUNG_FENTRY && rung != RUNG_FSESSION_MULTI;

			assign(self, rung, branches);
			EXPECT_EQ(0, self->err);
			EXPECT_EQ(all ? 343 : 341, on(self, rung));
			EXPECT_EQ(all ? 0 : 2, on(self, RUNG_AUTO));
			EXPECT_QUIET();
		}
	}
	kernel_with(self, LINUX_6_12);
	assign(self, RUNG_FSESSION_MULTI, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(-EOPNOTSUPP, self->err);
}

TEST_HARNESS_MAIN
