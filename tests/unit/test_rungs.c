// SPDX-License-Identifier: BSD-2-Clause
/* Which function goes on which rung. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "unit.h"

#include "util/trace/attach/rung_choice.h"

#define ALL ((1u << NR_RUNGS) - 1)

FIXTURE(rungs)
{
	struct features features;
	struct plan plan;
	char *messages;
	int err;

	/* RUNG_BIT()s: what turns out wrong, or to need stacks of entries; what was asked about. */
	uint32_t wrong, at_entry, asked;
	uint32_t untested; /* RUNG_BIT()s of what cannot be tested */
	bool believed; /* nobody is asked */
	enum rung rungs[1000];
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
	self->features = (struct features){};
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

static void prove(void *arg, struct features *features, enum rung rung)
{
	FIXTURE_DATA(rungs) *self = arg;
	struct proof *proof = &features->proofs[rung];

	self->asked |= RUNG_BIT(rung);
	proof->verdict = self->wrong & RUNG_BIT(rung) ? PROOF_WRONG : PROOF_WORKS;
	proof->why = self->wrong & RUNG_BIT(rung) ? "it reports wrong results" : NULL;
	if (self->untested & RUNG_BIT(rung)) {
		proof->verdict = PROOF_NONE;
		proof->why = "the system call that the test makes fails";
	}
	proof->stacks_at_entry = self->at_entry & RUNG_BIT(rung);
}

static void assign(FIXTURE_DATA(rungs) * self, enum rung forced, uint64_t branches)
{
	const struct prover prover = { prove, self };

	free(self->messages);
	self->asked = 0;
	self->messages = stderr_of(
		self->err = rungs_assign(&self->plan, &self->features, forced, branches,
					 self->believed ? NULL : &prover, self->rungs));
}

static unsigned int on(FIXTURE_DATA(rungs) * self, enum rung rung)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < self->plan.funcs.len; i++)
		nr += self->rungs[i] == rung;
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

TEST_F(rungs, fentry_is_for_few_functions_where_its_programs_are_not_preempted)
{
	add(self, 4, ALL);
	kernel_with(self, LINUX_6_1);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(4, on(self, RUNG_FENTRY));
	self->features.preemptible = true;
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(4, on(self, RUNG_KPROBE));
	assign(self, RUNG_FENTRY, 0);
	EXPECT_EQ(4, on(self, RUNG_FENTRY));
	kernel_with(self, RUNG_BIT(RUNG_FENTRY));
	self->features.preemptible = true;
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(4, on(self, RUNG_FENTRY));
	EXPECT_QUIET();
}

TEST_F(rungs, a_function_that_calls_itself_takes_no_trampoline_unless_asked_to)
{
	add(self, 3, ALL);
	self->plan.funcs.data[1].calls_itself = true;
	kernel_with(self, LINUX_6_1);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(2, on(self, RUNG_FENTRY));
	EXPECT_EQ(RUNG_KPROBE, self->rungs[1]);
	kernel_with(self, LINUX_7_2);
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(2, on(self, RUNG_FSESSION_MULTI));
	EXPECT_EQ(RUNG_KPROBE_SESSION, self->rungs[1]);
	EXPECT_QUIET();
	assign(self, RUNG_FENTRY, 0);
	EXPECT_EQ(3, on(self, RUNG_FENTRY));
	EXPECT_STREQ("retsnoop: warning: f calls itself, and with fentry each call that is open takes "
		     "about 80 bytes of the kernel's stack: deep recursion ends in a panic; "
		     "--attach=kprobe is safe\n",
		     self->messages);
	self->plan.funcs.data[2].calls_itself = true;
	assign(self, RUNG_FENTRY, 0);
	EXPECT_STREQ("retsnoop: warning: 2 functions call themselves, f for one, and with fentry each "
		     "call that is open takes about 80 bytes of the kernel's stack: deep recursion ends "
		     "in a panic; --attach=kprobe is safe\n",
		     self->messages);
	assign(self, RUNG_KPROBE, 0);
	EXPECT_QUIET();
	/* Without another rung there is no choice. */
	kernel_with(self, RUNG_BIT(RUNG_FENTRY));
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(3, on(self, RUNG_FENTRY));
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
	add(self, 250, ALL & ~RUNG_TRAMPOLINES);
	add(self, 100, ALL);
	kernel_with(self, LINUX_6_12);
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(100, on(self, RUNG_FENTRY));
	EXPECT_EQ(250, on(self, RUNG_KPROBE_SESSION));
	EXPECT_EQ(RUNG_KPROBE_SESSION, self->rungs[249]);
	EXPECT_QUIET();
}

TEST_F(rungs, who_asks_for_one_gets_it)
{
	add(self, 341, ALL);
	add(self, 2, ALL & ~RUNG_TRAMPOLINES);
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

TEST_F(rungs, only_what_may_be_used_has_to_prove_itself)
{
	add(self, 3, ALL);
	kernel_with(self, LINUX_6_12);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(RUNG_BIT(RUNG_KPROBE_SESSION), self->asked);
	/* What fentry refuses goes there. */
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(RUNG_BIT(RUNG_KPROBE_SESSION) | RUNG_BIT(RUNG_FENTRY), self->asked);
	assign(self, RUNG_KPROBE, 0);
	EXPECT_EQ(RUNG_BIT(RUNG_KPROBE), self->asked);
	self->believed = true;
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(0, self->asked);
	EXPECT_EQ(3, on(self, RUNG_KPROBE_SESSION));
}

TEST_F(rungs, what_gives_wrong_answers_counts_as_missing)
{
	add(self, 300, ALL);
	kernel_with(self, LINUX_6_12);
	self->wrong = RUNG_BIT(RUNG_KPROBE_SESSION);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(0, self->err);
	EXPECT_EQ(300, on(self, RUNG_KPROBE_MULTI));
	EXPECT_FALSE(self->features.rungs[RUNG_KPROBE_SESSION]);
	EXPECT_STREQ("retsnoop: kprobe-session is not used: it gives wrong answers on this kernel "
		     "(it reports wrong results)\n",
		     self->messages);

	kernel_with(self, LINUX_6_12);
	self->wrong |= RUNG_BIT(RUNG_KPROBE_MULTI);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(300, on(self, RUNG_KPROBE));
	EXPECT_EQ(self->wrong | RUNG_BIT(RUNG_KPROBE), self->asked);

	kernel_with(self, LINUX_6_12);
	self->wrong = ALL;
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(0, self->err);
	EXPECT_EQ(300, on(self, RUNG_AUTO));
}

TEST_F(rungs, what_is_used_without_a_test_is_named)
{
	add(self, 3, ALL);
	kernel_with(self, LINUX_6_12);
	self->untested = RUNG_BIT(RUNG_KPROBE_MULTI) | RUNG_BIT(RUNG_KPROBE);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(3, on(self, RUNG_KPROBE_SESSION));
	EXPECT_QUIET();
	self->wrong = RUNG_BIT(RUNG_KPROBE_SESSION);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(3, on(self, RUNG_KPROBE_MULTI));
	EXPECT_STREQ("retsnoop: kprobe-session is not used: it gives wrong answers on this kernel "
		     "(it reports wrong results)\n"
		     "retsnoop: warning: kprobe-multi could not be tested and may give wrong answers: the "
		     "system call that the test makes fails\n",
		     self->messages);
}

TEST_F(rungs, who_asks_for_one_that_gives_wrong_answers_is_refused)
{
	add(self, 3, ALL);
	kernel_with(self, LINUX_6_12);
	self->wrong = RUNG_BIT(RUNG_KPROBE_MULTI);
	assign(self, RUNG_KPROBE_MULTI, 0);
	EXPECT_EQ(-EOPNOTSUPP, self->err);
	EXPECT_STREQ("retsnoop: kprobe-multi gives wrong answers on this kernel: it reports wrong "
		     "results; leave out --attach to use the best that gives right ones\n",
		     self->messages);
	assign(self, RUNG_KPROBE_SESSION, 0);
	EXPECT_EQ(0, self->err);
	EXPECT_QUIET();
}

TEST_F(rungs, the_plan_for_branches_is_said_once_as_it_is)
{
	add(self, 341, ALL);
	kernel_with(self, LINUX_6_12);
	self->wrong = RUNG_BIT(RUNG_KPROBE_SESSION);
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(100, on(self, RUNG_FENTRY));
	EXPECT_EQ(241, on(self, RUNG_KPROBE_MULTI));
	EXPECT_STREQ("retsnoop: kprobe-session is not used: it gives wrong answers on this kernel "
		     "(it reports wrong results)\n"
		     "retsnoop: branch records: 100 functions go on fentry, 241 more on "
		     "kprobe-multi, where few or none of their own are left; choose fewer "
		     "functions, or --attach=fentry for all\n",
		     self->messages);
}

/* With such a rung all stacks would be taken at entries, for the sake of what others refuse. */
TEST_F(rungs, nothing_falls_to_a_rung_that_needs_stacks_of_entries)
{
	struct plan_func *func;

	add(self, 1, ALL);
	func = self->plan.funcs.data;
	kernel_with(self, LINUX_6_12);
	EXPECT_EQ(RUNG_KPROBE_SESSION, rung_below(func, &self->features, RUNG_FENTRY));
	self->at_entry = RUNG_BIT(RUNG_KPROBE_SESSION) | RUNG_BIT(RUNG_KPROBE_MULTI);
	assign(self, RUNG_AUTO, PERF_SAMPLE_BRANCH_ANY);
	EXPECT_EQ(1, on(self, RUNG_FENTRY));
	EXPECT_EQ(ALL & ~RUNG_BIT(RUNG_FSESSION_MULTI), self->asked);
	EXPECT_EQ(RUNG_KPROBE, rung_below(func, &self->features, RUNG_FENTRY));
	EXPECT_EQ(RUNG_AUTO, rung_below(func, &self->features, RUNG_KPROBE_SESSION));
	/* 5.10. */
	kernel_with(self, LINUX_6_1);
	self->features.proofs[RUNG_KPROBE].stacks_at_entry = true;
	EXPECT_EQ(RUNG_AUTO, rung_below(func, &self->features, RUNG_FENTRY));
}

/* Where a few functions go on fentry, such as those of a run of retsnoop-why(1). */
TEST_F(rungs, one_function_with_a_struct_passed_by_value_means_kprobes_for_all)
{
	add(self, 2, ALL);
	kernel_with(self, LINUX_6_1);
	self->at_entry = RUNG_BIT(RUNG_KPROBE);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(2, on(self, RUNG_FENTRY));
	self->features.proofs[RUNG_KPROBE].stacks_at_entry = true;
	self->plan.funcs.data[1].struct_args = true;
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(2, on(self, RUNG_KPROBE));
}

TEST_F(rungs, a_name_that_may_come_with_a_module_means_kprobes_where_they_cannot_be_added_to_fentry)
{
	add(self, 2, ALL);
	kernel_with(self, LINUX_6_1);
	self->at_entry = RUNG_BIT(RUNG_KPROBE);
	ASSERT_EQ(0, vec_push(&self->plan.unmatched,
			      (struct plan_unmatched){ .text = "dummy_validate", .option = "-a" }));
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(2, on(self, RUNG_FENTRY));
	self->features.proofs[RUNG_KPROBE].stacks_at_entry = true;
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(2, on(self, RUNG_KPROBE));
	/* What is left out need not be there. */
	self->plan.unmatched.data[0].option = "-d";
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(2, on(self, RUNG_FENTRY));
	vec_release(&self->plan.unmatched);
}

TEST_F(rungs, session_rungs_that_need_a_jit_are_named_and_not_used)
{
	add(self, 2, ALL);
	kernel_with(self, LINUX_6_12 & ~RUNG_BIT(RUNG_KPROBE_SESSION));
	self->features.session_needs_jit = true;
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(0, self->err);
	EXPECT_EQ(2, on(self, RUNG_KPROBE_MULTI));
	EXPECT_STREQ("retsnoop: kprobe-session is not used: it needs BPF's JIT compiler, which is off "
		     "(net.core.bpf_jit_enable=0)\n",
		     self->messages);
	assign(self, RUNG_KPROBE_SESSION, 0);
	EXPECT_EQ(-EOPNOTSUPP, self->err);
	EXPECT_STREQ("retsnoop: kprobe-session needs BPF's JIT compiler, which is off; try sysctl -w "
		     "net.core.bpf_jit_enable=1, or leave out --attach\n",
		     self->messages);
	assign(self, RUNG_KPROBE_MULTI, 0);
	EXPECT_EQ(0, self->err);
	EXPECT_STREQ("", self->messages);
}

/* A rung that the kernel has, and that cannot be used. */
static void take(FIXTURE_DATA(rungs) * self, enum rung rung, const char *why)
{
	self->features.rungs[rung] = false;
	strcpy(self->features.lacks[rung], why);
}

TEST_F(rungs, one_that_cannot_be_used_says_why)
{
	add(self, 10, ALL);
	kernel_with(self, LINUX_6_1);
	take(self, RUNG_KPROBE, "this kernel was built without CONFIG_KPROBES");
	assign(self, RUNG_KPROBE, 0);
	EXPECT_EQ(-EOPNOTSUPP, self->err);
	EXPECT_STREQ("retsnoop: kprobe cannot be used here: this kernel was built without "
		     "CONFIG_KPROBES; or leave out --attach to use the best that can\n",
		     self->messages);
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(0, self->err);
	EXPECT_EQ(RUNG_FENTRY, self->rungs[0]);
	EXPECT_STREQ("", self->messages);
}

TEST_F(rungs, one_that_the_kernel_lacks_says_why_as_doctor_does)
{
	add(self, 10, ALL);
	kernel_with(self, LINUX_6_1);
	self->features.version = 6 << 16 | 1;
	self->features.btf = self->features.btf_ids = true;
	assign(self, RUNG_KPROBE_SESSION, 0);
	EXPECT_EQ(-EOPNOTSUPP, self->err);
	EXPECT_STREQ("retsnoop: this kernel has no kprobe-session: from Linux 6.10 on; leave out "
		     "--attach to use the best it has\n",
		     self->messages);
	assign(self, RUNG_KPROBE_MULTI, 0);
	EXPECT_EQ(-EOPNOTSUPP, self->err);
	EXPECT_STREQ("retsnoop: this kernel has no kprobe-multi: this kernel was built without "
		     "CONFIG_FPROBE; leave out --attach to use the best it has\n",
		     self->messages);
}

TEST_F(rungs, where_none_can_be_used_each_says_why)
{
	add(self, 1, ALL);
	kernel_with(self, LINUX_6_1);
	take(self, RUNG_KPROBE, "no perf events");
	take(self, RUNG_FENTRY, "programs are refused");
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(-EOPNOTSUPP, self->err);
	EXPECT_STREQ("retsnoop: no attach method can be used on this machine, so nothing can be "
		     "traced; fentry: programs are refused; kprobe: no perf events\n",
		     self->messages);
}

TEST_F(rungs, where_all_lack_the_same_it_is_said_once)
{
	add(self, 1, ALL);
	kernel_with(self, LINUX_6_1);
	take(self, RUNG_KPROBE, "ftrace is switched off");
	take(self, RUNG_FENTRY, "ftrace is switched off");
	assign(self, RUNG_AUTO, 0);
	EXPECT_EQ(-EOPNOTSUPP, self->err);
	EXPECT_STREQ("retsnoop: no attach method can be used on this machine, so nothing can be "
		     "traced; ftrace is switched off\n",
		     self->messages);
}

TEST_F(rungs, no_other_is_offered_where_none_can_be_used)
{
	add(self, 1, ALL);
	kernel_with(self, LINUX_6_1);
	take(self, RUNG_KPROBE, "ftrace is switched off");
	take(self, RUNG_FENTRY, "ftrace is switched off");
	assign(self, RUNG_KPROBE, 0);
	EXPECT_EQ(-EOPNOTSUPP, self->err);
	EXPECT_STREQ("retsnoop: kprobe cannot be used here: ftrace is switched off\n",
		     self->messages);
}

TEST_HARNESS_MAIN
