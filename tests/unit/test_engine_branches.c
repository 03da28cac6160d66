// SPDX-License-Identifier: BSD-2-Clause
/*
 * Snapshots of branches in what runs in the kernel: whose they are, when they are taken and when not,
 * and what becomes of one that somebody else holds.
 */
#include "unit.h"

#include "tests/unit/engine_model.h"
#include "util/trace/session/assembler.h"

#define ENTRY (&funcs[0])
#define INNER (&funcs[3])
#define POINTER (&funcs[4])
#define NOTHING (&funcs[5])
#define INNERMOST (&funcs[6])
#define SIDE (&funcs[7])

FIXTURE(snapshots)
{
	struct shown_session *shown; /* the last one, an interim one or not */
};

FIXTURE_SETUP(snapshots)
{
	const struct session_rules rules = { .plan = &plan, .attached = &attached,
					     .branches = true };

	self->shown = NULL;
	begin_round(4, 16);
	assembler_free(round_of.assembler);
	round_of.assembler = assembler_new(&rules);
	config.branches = 1;
	config.trace = 0;
}

FIXTURE_TEARDOWN(snapshots)
{
	session_free(self->shown);
	end_round();
}

static void look(struct walker *walker)
{
	cpus[0] = (struct cpu){ { &walkers[0] }, 1 };
	if (walker != &walkers[0])
		cpus[0].stack[cpus[0].nr++] = walker;
	look_from(0);
}

static void call(struct walker *walker, const struct traced_func *func)
{
	look(walker);
	enter(walker, func, SEEN, true, false, 16);
}

/* The model says of interim sessions and of errors in pointers nothing: what it thinks is no matter. */
static void ret(struct walker *walker, uint64_t result)
{
	look(walker);
	leave(walker, result);
}

static unsigned int taken;

static long count_taken(struct event_branch *to, uint32_t max)
{
	taken++;
	return cpu_branches(to, max);
}

static void drain_into(FIXTURE_DATA(snapshots) * self)
{
	struct shown_session *last = last_shown();

	if (last) {
		session_free(self->shown);
		self->shown = last;
	}
}

#define EXPECT_OF(called, returned)                                                                \
	do {                                                                                       \
		drain_into(self);                                                                  \
		ASSERT_NE(NULL, self->shown);                                                      \
		ASSERT_NE(NULL, self->shown->branches);                                            \
		EXPECT_EQ((called)->id, self->shown->branches_func);                               \
		EXPECT_EQ((uint64_t)(returned), self->shown->branches_result);                     \
		EXPECT_EQ((called)->id, self->shown->branches[0].flags);                           \
		EXPECT_EQ((uint64_t)(returned), self->shown->branches[0].to);                      \
		EXPECT_FALSE(self->shown->no_branches);                                            \
		EXPECT_EQ(0, counters()->branches_lost);                                           \
		EXPECT_EQ(NULL, check_snapshots());                                                \
	} while (0)

TEST_F(snapshots, are_of_the_innermost_call_that_failed)
{
	call(&walkers[0], ENTRY);
	call(&walkers[0], SIDE);
	ret(&walkers[0], -7);
	call(&walkers[0], SIDE);
	ret(&walkers[0], 0);
	call(&walkers[0], INNER);
	call(&walkers[0], INNERMOST);
	ret(&walkers[0], -22);
	ret(&walkers[0], -5);
	ret(&walkers[0], -5);
	EXPECT_OF(INNERMOST, -22);
}

TEST_F(snapshots, of_two_failures_are_kept_apart)
{
	call(&walkers[0], ENTRY);
	call(&walkers[0], INNER);
	call(&walkers[0], INNERMOST);
	ret(&walkers[0], -22);
	/* It breaks the chain, which comes back when this one is forgotten. */
	call(&walkers[0], POINTER);
	call(&walkers[0], SIDE);
	ret(&walkers[0], -7);
	ret(&walkers[0], 0xffff888000000000);
	ret(&walkers[0], -22);
	ret(&walkers[0], -22);
	EXPECT_OF(INNERMOST, -22);
}

TEST_F(snapshots, of_successes_come_where_those_are_wanted)
{
	config.successes = 1;
	call(&walkers[0], ENTRY);
	call(&walkers[0], INNER);
	ret(&walkers[0], 3);
	ret(&walkers[0], 4);
	EXPECT_OF(INNER, 3);
}

TEST_F(snapshots, are_taken_where_a_session_is)
{
	fake.branches = count_taken;
	call(&walkers[0], INNER);
	ret(&walkers[0], -22);
	call(&walkers[1], ENTRY);
	EXPECT_EQ(0, taken);
	/* Another stack. */
	call(&walkers[0], INNER);
	ret(&walkers[0], -22);
	EXPECT_EQ(0, taken);
	call(&walkers[1], INNER);
	ret(&walkers[1], -22);
	EXPECT_EQ(1, taken);
	ret(&walkers[1], -22);
	EXPECT_EQ(2, taken);
	call(&walkers[1], INNER);
	ret(&walkers[1], -22);
	EXPECT_EQ(2, taken);
	EXPECT_OF(INNER, -22);
	/* Nor before recording begins. */
	recording = 0;
	sessions_on[stack_of((void *)STACK_BASE(0))] = 1;
	EXPECT_EQ(0, snapshot_take((void *)STACK_BASE(0)));
	EXPECT_EQ(2, taken);
}

TEST_F(snapshots, are_taken_however_deep_in_the_stack)
{
	uint64_t base = STACK_BASE(0);
	struct session_state session = {};

	fake.branches = count_taken;
	/* Stacks begin at any place of what shares a number. */
	for (uint64_t top = base; top < base + (1 << STACK_SHIFT); top += 4096) {
		stack_has_session(&session, (void *)top);
		for (uint64_t deep = 0; deep < 1 << STACK_SHIFT; deep += 2048) {
			taken = 0;
			snapshot_release(snapshot_take((void *)(top - deep)));
			EXPECT_EQ(1, taken);
		}
		stack_lost_session(&session);
	}
	EXPECT_EQ(NULL, check_snapshots());
}

TEST_F(snapshots, of_sessions_that_do_not_pass_stay)
{
	config.longer_ns = 1000000000000;
	call(&walkers[0], ENTRY);
	call(&walkers[0], INNER);
	ret(&walkers[0], -22);
	ret(&walkers[0], -22);
	EXPECT_EQ(1, counters()->filtered);
	EXPECT_EQ(0, fake.records.len);
	EXPECT_EQ(0, counters()->branches_lost);
}

TEST_F(snapshots, leave_only_what_was_taken)
{
	uint64_t bytes;

	call(&walkers[0], ENTRY);
	ret(&walkers[0], -22);
	bytes = counters()->ring_bytes - sizeof(struct event_session) - sizeof(struct event_frame);
	ASSERT_EQ(2, fake.records.len);
	EXPECT_EQ(sizeof(struct event_branches) +
			  nr_branches_at(cpu_branch.from) * sizeof(struct event_branch),
		  bytes);
	EXPECT_OF(ENTRY, -22);
}

/* As if programs elsewhere held all of them. */
static void hold_all(uint64_t users)
{
	for (unsigned int i = 1; i <= SNAPSHOTS; i++)
		snapshots[i].users = users;
}

static bool all_held(uint64_t users)
{
	for (unsigned int i = 1; i <= SNAPSHOTS; i++) {
		if (snapshots[i].users != users)
			return false;
	}
	return true;
}

TEST_F(snapshots, that_somebody_else_holds_are_left_alone)
{
	for (uint64_t users = 1; users <= 3; users++) {
		call(&walkers[0], ENTRY);
		call(&walkers[0], INNER);
		hold_all(users);
		snapshots[1 + users].entries[0].from = 4711;
		ret(&walkers[0], -22);
		EXPECT_TRUE(all_held(users));
		EXPECT_EQ(4711, snapshots[1 + users].entries[0].from);
		hold_all(0);
		ret(&walkers[0], -22);
		drain_into(self);
		ASSERT_NE(NULL, self->shown);
		EXPECT_TRUE(self->shown->no_branches);
		EXPECT_EQ(NULL, self->shown->branches);
		EXPECT_EQ(users, counters()->branches_lost);
		EXPECT_EQ(2, self->shown->nr_frames);
	}
	/* The next one is not touched by that. */
	call(&walkers[0], ENTRY);
	ret(&walkers[0], -9);
	drain_into(self);
	ASSERT_NE(NULL, self->shown->branches);
	EXPECT_EQ(-9, self->shown->branches_result);
	EXPECT_EQ(3, counters()->branches_lost);
}

/* An interrupt comes right behind the CPU's answer, and has a session of its own. */
static struct walker *interrupt;

static long with_interrupt(struct event_branch *to, uint32_t max)
{
	struct event_branch interrupted = cpu_branch;
	struct walker *by = interrupt;
	long nr;

	interrupt = NULL;
	nr = cpu_branches(to, max);
	if (!by)
		return nr;
	call(by, ENTRY);
	call(by, SIDE);
	ret(by, -11);
	ret(by, -11);
	look(&walkers[0]);
	cpu_branch = interrupted;
	return nr;
}

TEST_F(snapshots, of_an_interrupt_are_its_own)
{
	fake.branches = with_interrupt;
	for (unsigned int context = CONTEXT_SOFTIRQ; context <= CONTEXT_NMI; context++) {
		call(&walkers[0], ENTRY);
		call(&walkers[0], INNER);
		interrupt = &walkers[NR_TASKS + context - 1];
		ret(&walkers[0], -22);
		EXPECT_OF(SIDE, -11);
		EXPECT_EQ(context, self->shown->context);
		ret(&walkers[0], -22);
		EXPECT_OF(INNER, -22);
		EXPECT_EQ(CONTEXT_TASK, self->shown->context);
	}
}

TEST_F(snapshots, that_the_kernel_refuses_tell_why)
{
	fake.branches = NULL;
	call(&walkers[0], ENTRY);
	ret(&walkers[0], -22);
	drain_into(self);
	ASSERT_NE(NULL, self->shown);
	EXPECT_EQ(-ENOENT, self->shown->branches_err);
	EXPECT_EQ(ENTRY->id, self->shown->branches_func);
	EXPECT_FALSE(self->shown->no_branches);
	EXPECT_EQ(0, counters()->branches_lost);
}

/* More bytes than a session of two calls has. */
static long many_branches(struct event_branch *to, uint32_t max)
{
	for (uint32_t i = 0; i < 16 && i < max; i++)
		to[i] = (struct event_branch){ i + 1, i + 1, 0 };
	return max < 16 ? max : 16;
}

TEST_F(snapshots, that_find_no_room_are_counted)
{
	fake.branches = many_branches;
	call(&walkers[0], ENTRY);
	call(&walkers[0], INNER);
	ret(&walkers[0], -22);
	fake.ring_size = fake_ring_bytes(sizeof(struct event_session) +
					 2 * sizeof(struct event_frame));
	ret(&walkers[0], -22);
	drain_into(self);
	ASSERT_NE(NULL, self->shown);
	EXPECT_TRUE(self->shown->no_branches);
	EXPECT_EQ(1, counters()->branches_lost);
	EXPECT_EQ(1, counters()->sent);
}

TEST_F(snapshots, come_with_errors_that_were_handled)
{
	config.interim = 1;
	call(&walkers[0], ENTRY);
	call(&walkers[0], INNER);
	call(&walkers[0], INNERMOST);
	ret(&walkers[0], -22);
	ret(&walkers[0], 0);
	EXPECT_OF(INNERMOST, -22);
	EXPECT_TRUE(self->shown->interim);
	call(&walkers[0], SIDE);
	ret(&walkers[0], -11);
	ret(&walkers[0], -11);
	EXPECT_OF(SIDE, -11);
	EXPECT_FALSE(self->shown->interim);
}

TEST_F(snapshots, are_nobodys_business_unless_wanted)
{
	fake.branches = count_taken;
	config.branches = 0;
	call(&walkers[0], ENTRY);
	ret(&walkers[0], -22);
	EXPECT_EQ(0, taken);
	EXPECT_EQ(1, fake.records.len);
	for (unsigned int i = 0; i < STACKS; i++)
		EXPECT_EQ(0, sessions_on[i]);
	EXPECT_EQ(0, counters()->branches_lost);
}

TEST_HARNESS_MAIN
