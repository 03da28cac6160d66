// SPDX-License-Identifier: BSD-2-Clause
/* --budget in the engine: which entry calls are followed, and what is counted. */
#include "unit.h"

#include <sys/user.h>

#include "tests/unit/engine_model.h"

#define ENTRY (&funcs[0])
#define OTHER_ENTRY (&funcs[1])
#define INNER (&funcs[3])

#define SP (STACK_BASE(0) + 8192)

static struct task_struct tasks[2] __attribute__((aligned(64)));
static uint32_t next_random;

static struct budget_cpu *costs(void)
{
	uint32_t zero = 0;

	return bpf_map_lookup_elem(&budget_cpus, &zero);
}

static struct budget_func *func_counts(const struct traced_func *func)
{
	return bpf_map_lookup_elem(&budget_funcs, &func->id);
}

static uint32_t fixed_random(void)
{
	return next_random;
}

static void begin(uint32_t keep)
{
	begin_round(MAX_SESSIONS, 16);
	fake_add(&budget_cpus, FAKE_ARRAY, 4, sizeof(struct budget_cpu), 1);
	fake_add(&budget_funcs, FAKE_ARRAY, 4, sizeof(struct budget_func), NR_FUNCS);
	fake_add(&budget_marks, FAKE_ARRAY, 4, sizeof(struct budget_mark), BUDGET_MARKS);
	fake.random = fixed_random;
	config.budget = 1;
	config.successes = 1;
	config.return_hooks[0] = 0;
	budget_control.hit_ns[HIT_FENTRY] = 30;
	budget_control.keep = keep;
	next_random = 1000;
	for (int i = 0; i < 2; i++)
		tasks[i].group_leader = &tasks[i];
	fake.task = &tasks[0];
}

static void end(void)
{
	config.budget = 0;
	end_round();
}

/* What the program at a trampoline's entry does. Whether the return matters. */
static bool enter_at(const struct traced_func *func, uint64_t sp)
{
	budget_hit(cookie_of(func), HIT_FENTRY);
	fake.now_ns += 100;
	return !on_entry((void *)sp, cookie_of(func), true, sp);
}

static void exit_at(const struct traced_func *func, uint64_t sp, uint64_t result)
{
	fake.now_ns += 100;
	engine_exit((void *)sp, cookie_of(func), sp, result, 0);
}

TEST(what_is_not_kept_opens_no_session_and_is_counted)
{
	begin(1000);
	EXPECT_TRUE(enter_at(ENTRY, SP));
	EXPECT_FALSE(gate_is_open());
	EXPECT_FALSE(enter_at(INNER, SP - 64));
	exit_at(ENTRY, SP, 0);
	EXPECT_EQ(1, counters()->shed);
	EXPECT_EQ(0, counters()->opened);
	next_random = 999;
	EXPECT_TRUE(enter_at(ENTRY, SP));
	exit_at(ENTRY, SP, 0);
	EXPECT_EQ(1, counters()->shed);
	EXPECT_EQ(1, counters()->opened);
	EXPECT_EQ(1, counters()->sent);
	end();
}

TEST(entry_functions_inside_of_a_call_that_is_not_followed_open_none)
{
	begin(1000);
	EXPECT_TRUE(enter_at(ENTRY, SP));
	next_random = 0;
	EXPECT_FALSE(enter_at(OTHER_ENTRY, SP - 128));
	exit_at(OTHER_ENTRY, SP - 128, 0);
	EXPECT_FALSE(enter_at(ENTRY, SP - 256));
	exit_at(ENTRY, SP, 0);
	EXPECT_EQ(1, counters()->shed);
	EXPECT_EQ(0, counters()->opened);
	/* It is over: the same one further in is a call of its own. */
	EXPECT_TRUE(enter_at(OTHER_ENTRY, SP - 128));
	exit_at(OTHER_ENTRY, SP - 128, 0);
	EXPECT_EQ(1, counters()->opened);
	end();
}

TEST(another_task_is_followed_meanwhile)
{
	begin(1000);
	enter_at(ENTRY, SP);
	fake.task = &tasks[1];
	next_random = 0;
	EXPECT_TRUE(enter_at(OTHER_ENTRY, SP - 128));
	exit_at(OTHER_ENTRY, SP - 128, 0);
	EXPECT_EQ(1, counters()->opened);
	end();
}

TEST(a_call_whose_return_was_missed_is_over_at_the_next_one_at_its_place)
{
	begin(1000);
	enter_at(ENTRY, SP);
	next_random = 0;
	EXPECT_TRUE(enter_at(ENTRY, SP));
	exit_at(ENTRY, SP, 0);
	EXPECT_EQ(1, counters()->opened);
	/* Or on another stack. */
	next_random = 1000;
	enter_at(ENTRY, SP);
	next_random = 0;
	EXPECT_TRUE(enter_at(OTHER_ENTRY, STACK_BASE(3)));
	exit_at(OTHER_ENTRY, STACK_BASE(3), 0);
	EXPECT_EQ(2, counters()->opened);
	end();
}

TEST(a_task_that_ends_in_a_call_that_is_not_followed_leaves_nothing_to_the_next_one)
{
	begin(1000);
	enter_at(ENTRY, SP);
	task_ends((uintptr_t)&tasks[0], 0);
	next_random = 0;
	EXPECT_TRUE(enter_at(OTHER_ENTRY, SP - 128));
	exit_at(OTHER_ENTRY, SP - 128, 0);
	EXPECT_EQ(1, counters()->opened);
	end();
}

TEST(a_session_that_is_open_keeps_all_of_its_calls)
{
	begin(1000);
	next_random = 0;
	EXPECT_TRUE(enter_at(ENTRY, SP));
	budget_control.keep = 0;
	next_random = ~0u;
	EXPECT_TRUE(enter_at(OTHER_ENTRY, SP - 64));
	EXPECT_TRUE(enter_at(INNER, SP - 128));
	exit_at(INNER, SP - 128, 0);
	exit_at(OTHER_ENTRY, SP - 64, 0);
	exit_at(ENTRY, SP, 0);
	EXPECT_EQ(0, counters()->shed);
	EXPECT_EQ(1, counters()->sent);
	end();
}

TEST(all_is_kept_without_asking_for_a_random_number)
{
	begin(BUDGET_KEEP_ALL);
	next_random = ~0u;
	EXPECT_TRUE(enter_at(ENTRY, SP));
	exit_at(ENTRY, SP, 0);
	EXPECT_EQ(0, counters()->shed);
	EXPECT_EQ(1, counters()->opened);
	end();
}

TEST(hits_and_failures_are_counted)
{
	const unsigned int nr = 16000;

	begin(BUDGET_KEEP_ALL);
	enter_at(ENTRY, SP);
	for (unsigned int i = 0; i < nr; i++) {
		enter_at(INNER, SP - 64);
		exit_at(INNER, SP - 64, i % 4 ? 0 : (uint64_t)-ENOENT);
	}
	exit_at(ENTRY, SP, 0);
	EXPECT_EQ(30 * (nr + 1), costs()->hits_ns);
	EXPECT_EQ(nr / 4, func_counts(INNER)->failures);
	EXPECT_EQ(0, func_counts(ENTRY)->failures);
	/* A sixteenth, at random. */
	EXPECT_GT(nr * 1.2, func_counts(INNER)->samples * BUDGET_SAMPLE);
	EXPECT_LT(nr * 0.8, func_counts(INNER)->samples * BUDGET_SAMPLE);
	end();
}

TEST_HARNESS_MAIN
