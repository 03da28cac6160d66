// SPDX-License-Identifier: BSD-2-Clause
/*
 * The short way of healthy calls (bpf/quick.bpf.h): which calls go it, and that it leads to the same
 * place as the long way.
 */
#include "unit.h"

#include "tests/unit/engine_model.h"
#include "util/trace/session/assembler.h"

#define ENTRY (&funcs[0])
#define OTHER_ENTRY (&funcs[1])
#define INNER (&funcs[3])
#define POINTER (&funcs[4])
#define VOID (&funcs[5])
#define INNERMOST (&funcs[6])

#define STEPS 7 /* left before a call, to tell the short way from a new count */

FIXTURE(quick)
{
	struct walker *task;
};

FIXTURE_SETUP(quick)
{
	self->task = &walkers[0];
	begin_round(8, 64);
	config.return_hooks[0] = HOOK;
	cpus[0] = (struct cpu){ { self->task }, 1 };
	look_from(0);
}

FIXTURE_TEARDOWN(quick)
{
	end_round();
}

static struct session_state *state_of(const struct walker *walker)
{
	return (struct session_state *)session_of(key_of(walker));
}

/* Where a session is on the short way. */
static uint32_t place_of(const struct session_state *session)
{
	return config.trace ? session->edges : session->depth;
}

/* The steps that are left to a task's session on the short way; 0 without one. */
static uint32_t steps_of(const struct walker *walker)
{
	const struct session_state *session = state_of(walker);

	return session && session->quick > place_of(session) ? session->quick - place_of(session) :
							       0;
}

/* For sessions with more steps than that: where limits are near, use enter() and leave(). */
static void mark(const struct walker *walker)
{
	if (steps_of(walker))
		state_of(walker)->quick = place_of(state_of(walker)) + STEPS;
}

/* Each returns whether the short way was gone. */
static bool call(struct walker *walker, const struct traced_func *func)
{
	mark(walker);
	enter(walker, func, SEEN, true, false, 16);
	return steps_of(walker) == STEPS - 1;
}

static bool ret(struct walker *walker, uint64_t result)
{
	mark(walker);
	leave(walker, result);
	return steps_of(walker) == STEPS - 1;
}

/* The session that ended last shows what happened, with @nr frames. */
static void expect_frames(struct __test_metadata *_metadata, uint32_t nr)
{
	struct shown_session *shown = last_shown();
	const char *wrong;

	ASSERT_NE(NULL, shown);
	EXPECT_EQ(nr, shown->nr_frames);
	wrong = compare(round_of.all.data[round_of.all.len - 1], shown->calls, shown->nr_calls);
	EXPECT_EQ(NULL, wrong)
	{
		TH_LOG("%s", wrong);
	}
	session_free(shown);
}

/* ---- what goes the short way ---- */

TEST_F(quick, healthy_calls_in_a_session_go_the_short_way)
{
	for (int trampolines = 0; trampolines < 2; trampolines++) {
		how.trampolines = trampolines;
		EXPECT_FALSE(call(self->task, ENTRY));
		EXPECT_TRUE(call(self->task, INNER));
		EXPECT_TRUE(call(self->task, INNERMOST));
		EXPECT_TRUE(ret(self->task, 1));
		EXPECT_TRUE(call(self->task, POINTER));
		EXPECT_TRUE(ret(self->task, 1));
		EXPECT_TRUE(call(self->task, VOID));
		EXPECT_TRUE(ret(self->task, 0));
		EXPECT_TRUE(ret(self->task, 2));
		EXPECT_FALSE(ret(self->task, -5));
		EXPECT_EQ(NULL, state_of(self->task));
		expect_frames(_metadata, 1);
	}
}

TEST_F(quick, entry_functions_inside_go_it_too_but_the_entry_calls_return_does_not)
{
	call(self->task, ENTRY);
	EXPECT_TRUE(call(self->task, OTHER_ENTRY));
	EXPECT_TRUE(ret(self->task, 0));
	EXPECT_FALSE(ret(self->task, -22));
	EXPECT_EQ(NULL, state_of(self->task));
	EXPECT_EQ(1, counters()->opened);
	EXPECT_EQ(1, counters()->sent);
	expect_frames(_metadata, 1);
	EXPECT_FALSE(gate_is_open());
}

TEST_F(quick, there_is_none_where_each_call_is_looked_at)
{
	volatile __u8 *const switches[] = { &config.args, &config.wheres, &config.probes,
					    &config.entry_stacks, &config.successes };

	for (size_t i = 0; i < ARRAY_SIZE(switches); i++) {
		*switches[i] = 1;
		EXPECT_FALSE(quick_is_possible());
		*switches[i] = 0;
		EXPECT_TRUE(quick_is_possible());
	}
	config.fn_longer_ns = 1;
	EXPECT_FALSE(quick_is_possible());
	call(self->task, ENTRY);
	EXPECT_EQ(0, steps_of(self->task));
	call(self->task, INNER);
	EXPECT_EQ(0, steps_of(self->task));
}

TEST_F(quick, without_a_trace_calls_go_it_up_to_the_depth_limit)
{
	config.trace = 0;
	config.max_depth = 20;
	call(self->task, ENTRY);
	EXPECT_EQ(20, state_of(self->task)->quick);
	state_of(self->task)->quick = STEPS;
	enter(self->task, INNER, SEEN, true, false, 16);
	leave(self->task, 0);
	EXPECT_EQ(STEPS, state_of(self->task)->quick);
	for (unsigned int i = 0; i < 10; i++)
		enter(self->task, INNER, SEEN, true, false, 16);
	EXPECT_EQ(20, state_of(self->task)->quick);
	for (unsigned int i = 0; i < 10; i++)
		leave(self->task, 0);
	EXPECT_EQ(1, state_of(self->task)->depth);
	ret(self->task, -22);
	EXPECT_EQ(1, counters()->sent);
}

/* An error of one kind of result may be a number of another kind: the long way knows. */
TEST_F(quick, results_that_may_be_errors_go_the_long_way)
{
	call(self->task, ENTRY);
	call(self->task, VOID);
	EXPECT_FALSE(ret(self->task, -22));
	call(self->task, INNERMOST);
	EXPECT_FALSE(ret(self->task, 0xffffff00));
	call(self->task, INNER);
	EXPECT_TRUE(ret(self->task, -4096));
	call(self->task, INNERMOST);
	EXPECT_TRUE(ret(self->task, 1ull << 63));
	EXPECT_FALSE(chain_current(&state_of(self->task)->chains)->flags & CHAIN_VALID);
	ret(self->task, -22);
	expect_frames(_metadata, 1);
}

/* ---- errors ---- */

TEST_F(quick, a_return_with_an_error_begins_a_chain)
{
	const struct {
		const struct traced_func *func;
		uint64_t result;
	} failing[] = { { INNER, -22 },
			{ INNER, (uint32_t)-22 },
			{ POINTER, 0 },
			{ POINTER, -12 },
			{ INNERMOST, -4095 } };

	for (size_t i = 0; i < ARRAY_SIZE(failing); i++) {
		call(self->task, ENTRY);
		EXPECT_TRUE(call(self->task, failing[i].func));
		EXPECT_FALSE(ret(self->task, failing[i].result));
		EXPECT_EQ(0, steps_of(self->task));
		EXPECT_FALSE(ret(self->task, -22));
		expect_frames(_metadata, 2);
	}
}

TEST_F(quick, a_result_that_the_users_rule_calls_an_error_begins_a_chain)
{
	const uint64_t sp = STACK_BASE(0) + 4096, rule = 1ull << COOKIE_RULE_SHIFT;

	config.nr_rules = 1;
	config.error_rules[0].nr = 1;
	config.error_rules[0].terms[0] = (struct config_term){ 7, TERM_EQ };
	on_entry(NULL, cookie_of(ENTRY), true, sp);
	on_entry(NULL, cookie_of(INNER) | rule, true, sp - 64);
	engine_exit(NULL, cookie_of(INNER) | rule, sp - 64, 7, 0);
	EXPECT_EQ(0, steps_of(self->task));
	EXPECT_TRUE(chain_is_failure(chain_current(&state_of(self->task)->chains)));
}

/* The second call would otherwise not break the chain: the entry call would not be its next. */
TEST_F(quick, a_call_while_a_chain_waits_breaks_it)
{
	struct shown_session *shown;

	call(self->task, ENTRY);
	call(self->task, INNER);
	ret(self->task, -22);
	EXPECT_EQ(0, steps_of(self->task));
	EXPECT_FALSE(call(self->task, INNERMOST));
	EXPECT_EQ(0, steps_of(self->task));
	EXPECT_TRUE(state_of(self->task)->chains.state[0].flags & CHAIN_BROKEN);
	EXPECT_FALSE(ret(self->task, 0));
	EXPECT_FALSE(ret(self->task, -22));
	shown = last_shown();
	ASSERT_NE(NULL, shown);
	ASSERT_EQ(2, shown->nr_frames);
	EXPECT_TRUE(shown->frames[1].flags & EVENT_FRAME_STITCHED);
	session_free(shown);
}

TEST_F(quick, a_call_that_handles_an_error_forgets_it)
{
	call(self->task, ENTRY);
	call(self->task, INNER);
	call(self->task, INNERMOST);
	EXPECT_FALSE(ret(self->task, -22));
	EXPECT_FALSE(ret(self->task, 0));
	/* From here on there is nothing to wait for. */
	EXPECT_LT(0, steps_of(self->task));
	EXPECT_TRUE(call(self->task, INNER));
	EXPECT_TRUE(ret(self->task, 0));
	ret(self->task, -5);
	expect_frames(_metadata, 1);
}

TEST_F(quick, either_of_two_chains_keeps_calls_from_it)
{
	call(self->task, ENTRY);
	call(self->task, INNER);
	ret(self->task, -22);
	call(self->task, INNER);
	call(self->task, INNERMOST);
	ret(self->task, -5);
	ASSERT_EQ(1, state_of(self->task)->chains.current);
	EXPECT_EQ(0, steps_of(self->task));
	/* Only the second one is left, once it has replaced the first. */
	ret(self->task, -5);
	EXPECT_EQ(0, steps_of(self->task));
	EXPECT_FALSE(call(self->task, VOID));
	EXPECT_FALSE(ret(self->task, 0));
	ret(self->task, 0);
	EXPECT_EQ(1, counters()->filtered);
}

/* ---- the depth limit ---- */

TEST_F(quick, calls_beyond_the_depth_limit_are_counted_and_do_not_return_for_others)
{
	config.max_depth = 2;
	enter(self->task, ENTRY, SEEN, true, false, 16);
	EXPECT_EQ(1, steps_of(self->task));
	enter(self->task, INNER, SEEN, true, false, 16);
	EXPECT_EQ(0, steps_of(self->task));
	for (int i = 0; i < 2; i++) {
		enter(self->task, INNER, SEEN, true, false, 16);
		enter(self->task, INNERMOST, SEEN, true, false, 16);
		EXPECT_EQ(2, state_of(self->task)->over);
		EXPECT_EQ(0, steps_of(self->task));
		leave(self->task, 0);
		EXPECT_EQ(0, steps_of(self->task));
		EXPECT_EQ(1, state_of(self->task)->over);
		leave(self->task, 0);
		EXPECT_EQ(0, state_of(self->task)->over);
	}
	/* This writes the mark of deep calls, and then nothing is left to be written. */
	leave(self->task, 0);
	EXPECT_EQ(0, state_of(self->task)->deep);
	EXPECT_EQ(1, steps_of(self->task));
	enter(self->task, INNER, SEEN, true, false, 16);
	EXPECT_EQ(0, steps_of(self->task));
	leave(self->task, 0);
	leave(self->task, -22);
	EXPECT_EQ(4, counters()->truncated);
	expect_frames(_metadata, 1);
}

/* A deep call's edge is not kept, but marked before the next one that is. */
TEST_F(quick, deep_calls_are_marked_even_if_the_next_edge_is_lost)
{
	end_round();
	begin_round(8, 8);
	config.return_hooks[0] = HOOK;
	config.max_depth = 2;
	look_from(0);
	enter(self->task, ENTRY, SEEN, true, false, 16);
	for (unsigned int i = 0; i < 5; i++) {
		enter(self->task, INNER, SEEN, true, false, 16);
		fake.ring_size = i < 3 ? 0 : SIZE_MAX;
		enter(self->task, INNERMOST, SEEN, true, false, 16);
		leave(self->task, 0);
		leave(self->task, 0);
		EXPECT_TRUE(!steps_of(self->task) ||
			    !(state_of(self->task)->deep | state_of(self->task)->lost_edges));
	}
	leave(self->task, -22);
	session_free(last_shown());
	EXPECT_EQ(5, counters()->truncated);
}

TEST_F(quick, the_depth_limit_is_never_passed)
{
	static const uint32_t limits[] = { 1, 2, 3, 50, EVENT_MAX_DEPTH };

	for (size_t l = 0; l < ARRAY_SIZE(limits); l++) {
		uint32_t over = counters()->truncated;

		config.max_depth = limits[l];
		for (uint32_t i = 0; i < limits[l] + 5; i++) {
			enter(self->task, i ? INNER : ENTRY, SEEN, true, false, 16);
			ASSERT_GE(limits[l], state_of(self->task)->depth);
			ASSERT_GE(limits[l], state_of(self->task)->depth + steps_of(self->task));
		}
		EXPECT_EQ(over + 5, counters()->truncated);
		while (self->task->nr)
			leave(self->task, -22);
		expect_frames(_metadata, limits[l]);
	}
}

/* ---- the trace ---- */

TEST_F(quick, the_trace_s_buffer_is_never_passed)
{
	static const uint32_t sizes[] = { 4, 8, 16, 64 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		const uint32_t limit = sizes[i] - EDGE_ROOM;
		unsigned int shorts = 0;

		end_round();
		begin_round(8, sizes[i]);
		config.return_hooks[0] = HOOK;
		look_from(0);
		enter(self->task, ENTRY, SEEN, true, false, 16);
		for (unsigned int step = 0; step < 200; step++) {
			uint32_t before = steps_of(self->task);

			if (step & 1)
				leave(self->task, 0);
			else
				enter(self->task, INNER, SEEN, true, false, 16);
			shorts += before && steps_of(self->task) == before - 1;
			ASSERT_GT(sizes[i], state_of(self->task)->edges);
			if (steps_of(self->task))
				ASSERT_GE(limit,
					  state_of(self->task)->edges + steps_of(self->task));
		}
		EXPECT_EQ(sizes[i] > 4, shorts > 0);
		leave(self->task, -22);
		EXPECT_EQ(0, counters()->calls_lost);
		expect_frames(_metadata, 1);
	}
}

TEST_F(quick, a_session_that_opens_late_has_no_step_too_many)
{
	end_round();
	begin_round(8, 16);
	look_from(0);
	call(self->task, ENTRY);
	EXPECT_GE(config.trace_size - EDGE_ROOM,
		  state_of(self->task)->edges + steps_of(self->task));
}

TEST_F(quick, while_edges_are_lost_none_goes_the_short_way)
{
	end_round();
	begin_round(8, 8);
	config.return_hooks[0] = HOOK;
	look_from(0);
	call(self->task, ENTRY);
	fake.ring_size = 0;
	for (unsigned int i = 0; i < 5; i++) {
		enter(self->task, INNER, SEEN, true, false, 16);
		leave(self->task, 0);
	}
	EXPECT_LT(0, state_of(self->task)->lost_edges);
	EXPECT_EQ(0, steps_of(self->task));
	fake.ring_size = SIZE_MAX;
	for (unsigned int i = 0; i < EDGE_RETRY; i++) {
		EXPECT_TRUE(!state_of(self->task)->lost_edges || !steps_of(self->task));
		call(self->task, INNER);
		ret(self->task, 0);
	}
	EXPECT_EQ(0, state_of(self->task)->lost_edges);
	ret(self->task, -22);
	EXPECT_LT(0, counters()->calls_lost);
	round_of.all.data[0]->calls_lost = counters()->calls_lost;
	expect_frames(_metadata, 1);
}

TEST_F(quick, a_long_pause_is_marked)
{
	call(self->task, ENTRY);
	fake.now_ns += 3 * CALL_MAX_DELTA;
	EXPECT_FALSE(call(self->task, INNER));
	fake.now_ns += 3 * CALL_MAX_DELTA;
	EXPECT_FALSE(ret(self->task, 0));
	EXPECT_TRUE(call(self->task, INNER));
	/* A clock of another CPU, a little behind. */
	fake.now_ns -= 200;
	EXPECT_FALSE(ret(self->task, 0));
	ret(self->task, -22);
	session_free(last_shown());
	EXPECT_EQ(1, counters()->sent);
}

/* ---- stack pointers ---- */

TEST_F(quick, a_call_above_the_innermost_one_shows_that_its_return_was_missed)
{
	how.trampolines = true;
	call(self->task, ENTRY);
	call(self->task, INNER);
	enter(self->task, INNERMOST, SKIPPED, true, false, 64);
	leave(self->task, 0);
	/* Nearer to its caller than the call that is over. */
	self->task->calls[1].frame = 0;
	mark(self->task);
	enter(self->task, VOID, SEEN, true, false, 0);
	EXPECT_NE(STEPS - 1, steps_of(self->task));
	EXPECT_EQ(1, counters()->missed_returns);
	ret(self->task, 0);
	ret(self->task, 0);
	ret(self->task, -22);
	expect_frames(_metadata, 1);
}

TEST_F(quick, the_same_call_at_the_same_place_shows_it_too)
{
	how.trampolines = true;
	call(self->task, ENTRY);
	enter(self->task, INNER, SKIPPED, true, false, 16);
	leave(self->task, 0);
	EXPECT_FALSE(call(self->task, INNER));
	EXPECT_EQ(1, counters()->missed_returns);
	ret(self->task, 0);
	ret(self->task, -22);
	expect_frames(_metadata, 1);
}

TEST_F(quick, a_return_address_that_is_no_hook_shows_it_too)
{
	call(self->task, ENTRY);
	enter(self->task, INNER, UNHOOKED, true, false, 16);
	leave(self->task, 0);
	*stack_word(self->task, self->task->calls[1].sp) = 0xffffffff81000123ull;
	mark(self->task);
	enter(self->task, INNERMOST, SEEN, true, false, 64);
	EXPECT_NE(STEPS - 1, steps_of(self->task));
	EXPECT_EQ(1, counters()->missed_returns);
	ret(self->task, 0);
	ret(self->task, -22);
	expect_frames(_metadata, 1);
}

TEST_F(quick, calls_before_the_return_is_hooked_are_inside)
{
	config.late_hooks = 1;
	call(self->task, ENTRY);
	EXPECT_TRUE(call(self->task, INNER));
	*stack_word(self->task, self->task->calls[1].sp) = 0xffffffff81000000ull + INNER->id;
	EXPECT_TRUE(call(self->task, INNERMOST));
	EXPECT_EQ(0, counters()->missed_returns);
	ret(self->task, 0);
	*stack_word(self->task, self->task->calls[1].sp) = HOOK;
	ret(self->task, 0);
	ret(self->task, -22);
	expect_frames(_metadata, 1);
}

TEST_F(quick, a_tail_call_begins_where_its_caller_did)
{
	call(self->task, ENTRY);
	call(self->task, INNER);
	mark(self->task);
	enter(self->task, INNERMOST, SEEN, true, true, 0);
	EXPECT_EQ(STEPS - 1, steps_of(self->task));
	EXPECT_TRUE(ret(self->task, 0));
	EXPECT_TRUE(ret(self->task, 0));
	ret(self->task, -22);
	EXPECT_EQ(0, counters()->missed_returns + counters()->missed_entries);
	expect_frames(_metadata, 1);
}

TEST_F(quick, a_return_of_an_outer_call_shows_that_inner_ones_were_missed)
{
	call(self->task, ENTRY);
	call(self->task, INNER);
	enter(self->task, INNERMOST, SKIPPED, true, false, 16);
	leave(self->task, 0);
	EXPECT_FALSE(ret(self->task, 0));
	EXPECT_EQ(1, counters()->missed_returns);
	EXPECT_EQ(1, state_of(self->task)->depth);
	ret(self->task, -22);
	expect_frames(_metadata, 1);
}

TEST_F(quick, a_return_of_a_call_that_was_not_seen_is_no_other_ones)
{
	call(self->task, ENTRY);
	call(self->task, INNER);
	enter(self->task, INNERMOST, SEEN, false, false, 16);
	mark(self->task);
	leave(self->task, 0);
	EXPECT_EQ(STEPS, steps_of(self->task));
	EXPECT_EQ(1, counters()->missed_entries);
	EXPECT_EQ(2, state_of(self->task)->depth);
	/* Nor one of another function at the same place. */
	engine_exit(NULL, cookie_of(INNERMOST), self->task->calls[1].sp, 0, 0);
	EXPECT_EQ(2, counters()->missed_entries);
	EXPECT_EQ(2, state_of(self->task)->depth);
	/* Where the function is not known, the place tells. */
	engine_exit(NULL, COOKIE_ANY, self->task->calls[1].sp, 0, 0);
	EXPECT_EQ(STEPS - 1, steps_of(self->task));
	EXPECT_EQ(1, state_of(self->task)->depth);
}

TEST_F(quick, calls_on_another_stack_are_not_the_task_s)
{
	call(self->task, ENTRY);
	call(self->task, INNER);
	mark(self->task);
	on_entry(NULL, cookie_of(INNERMOST), true, STACK_BASE(0) - (1 << 20));
	EXPECT_EQ(STEPS, steps_of(self->task));
	EXPECT_EQ(2, state_of(self->task)->depth);
	EXPECT_EQ(0, counters()->missed_returns);
}

/* ---- whose session it is ---- */

TEST_F(quick, interrupts_between_have_sessions_of_their_own)
{
	for (unsigned int i = 0; i < 3; i++) {
		struct walker *interrupt = &walkers[NR_TASKS + i];

		call(self->task, ENTRY);
		call(self->task, INNER);
		cpus[0] = (struct cpu){ { self->task, interrupt }, 2 };
		look_from(0);
		mark(self->task);
		/* Without a session, in the middle of the task's stack, at its innermost call's place. */
		on_entry(NULL, cookie_of(INNERMOST), true, self->task->calls[1].sp - 64);
		engine_exit(NULL, cookie_of(INNER), self->task->calls[1].sp, 0, 0);
		EXPECT_EQ(STEPS, steps_of(self->task));
		EXPECT_EQ(2, state_of(self->task)->depth);
		EXPECT_FALSE(call(interrupt, ENTRY));
		EXPECT_TRUE(call(interrupt, INNER));
		EXPECT_TRUE(ret(interrupt, 0));
		EXPECT_FALSE(ret(interrupt, 0));
		EXPECT_EQ(STEPS, steps_of(self->task));
		cpus[0].nr = 1;
		look_from(0);
		EXPECT_TRUE(ret(self->task, 0));
		ret(self->task, 0);
	}
	EXPECT_EQ(6, counters()->filtered);
}

TEST_F(quick, where_bpf_is_not_safe_in_nmis_their_calls_are_left_alone)
{
	struct walker *nmi = &walkers[NR_TASKS + 2];

	config.nmi = 0;
	call(self->task, ENTRY);
	cpus[0] = (struct cpu){ { self->task, nmi }, 2 };
	look_from(0);
	mark(self->task);
	call(nmi, ENTRY);
	call(nmi, INNER);
	EXPECT_EQ(1, counters()->nmi_skipped);
	EXPECT_EQ(STEPS, steps_of(self->task));
	EXPECT_EQ(1, state_of(self->task)->depth);
}

TEST_F(quick, tasks_that_share_a_gate_go_it_in_their_own_sessions)
{
	struct walker *other = &walkers[1];

	fake.gate_shift = 47;
	call(self->task, ENTRY);
	cpus[1] = (struct cpu){ { other }, 1 };
	look_from(1);
	/* Its session is not open yet. */
	EXPECT_FALSE(call(other, INNER));
	EXPECT_EQ(1, state_of(self->task)->depth);
	leave(other, 0);
	call(other, ENTRY);
	EXPECT_TRUE(call(other, INNER));
	EXPECT_EQ(1, state_of(self->task)->depth);
	look_from(0);
	EXPECT_TRUE(call(self->task, INNER));
	EXPECT_TRUE(ret(self->task, 0));
	ret(self->task, 0);
	look_from(1);
	EXPECT_TRUE(ret(other, 0));
	ret(other, 0);
	EXPECT_EQ(2, counters()->filtered);
	EXPECT_EQ(0, counters()->missed_entries);
}

static bool locked_always(void)
{
	return true;
}

TEST_F(quick, a_closed_session_that_could_not_be_given_back_has_no_steps)
{
	call(self->task, ENTRY);
	EXPECT_LT(0, steps_of(self->task));
	fake.locked = locked_always;
	ret(self->task, -22);
	fake.locked = NULL;
	ASSERT_NE(NULL, state_of(self->task));
	EXPECT_EQ(0, steps_of(self->task));
	call(self->task, INNER);
	EXPECT_EQ(0, state_of(self->task)->depth);
}

/* A program that can be interrupted by itself uses a traced function, while no frame is left. */
static const struct walker *ending;
static unsigned int hits;

static void hit_without_frames(void)
{
	if (!state_of(ending) || state_of(ending)->depth)
		return;
	fake.others = NULL;
	hits++;
	on_entry(NULL, cookie_of(INNERMOST), true, ending->calls[0].sp - 64);
	fake.others = hit_without_frames;
}

TEST_F(quick, a_hit_while_the_session_ends_is_no_part_of_it)
{
	for (int trace = 0; trace < 2; trace++) {
		struct slot *slot;

		config.trace = trace;
		call(self->task, ENTRY);
		slot = slot_of(state_of(self->task));
		/* As an earlier, deeper session left it. */
		slot->frames[EVENT_MAX_DEPTH - 1].sp = UINT64_MAX;
		ending = self->task;
		fake.others = hit_without_frames;
		ret(self->task, 0);
		fake.others = NULL;
		EXPECT_LT(0, hits);
		EXPECT_EQ(cookie_of(ENTRY), slot->frames[0].cookie & ~COOKIE_HOOKED);
		EXPECT_EQ(0, slot->session.depth);
		hits = 0;
	}
}

TEST_F(quick, nothing_is_kept_while_recording_is_off)
{
	call(self->task, ENTRY);
	call(self->task, INNER);
	mark(self->task);
	recording = 0;
	engine_exit(NULL, cookie_of(INNER), self->task->calls[1].sp, 0, 0);
	on_entry(NULL, cookie_of(INNERMOST), true, self->task->calls[1].sp - 64);
	EXPECT_EQ(STEPS, steps_of(self->task));
	EXPECT_EQ(2, state_of(self->task)->depth);
}

/* ---- the same records ---- */

/* What a round sends and counts. */
struct outcome {
	VEC(struct fake_record) records;
	struct event_stats counts;
	unsigned int shorts;
};

static void no_steps(void)
{
	const struct fake_map *all = fake_map(&slots);

	for (uint32_t i = 0; i < all->max; i++)
		((struct session_state *)all->values[i])->quick = 0;
}

/* Plays a round that has errors of all kinds; if not @quick, without the short way. */
static void play_round(uint64_t seed, bool quick, struct outcome *outcome)
{
	state = seed;
	begin_round(one_in(4) ? 1 + draw(4) : MAX_SESSIONS, 4u << draw(7));
	draw_configuration();
	config.successes = 0;
	config.fn_longer_ns = 0;
	config.interim = one_in(3);
	config.trace = !one_in(4);
	config.late_hooks = one_in(3);
	config.allow_errnos_used = one_in(4);
	config.allow_errnos[0] = 0xf0f0f0f0f0f0f0f0ull;
	for (unsigned int i = 0; i < 600; i++) {
		uint32_t before[NR_TASKS];

		for (unsigned int t = 0; quick && t < NR_TASKS; t++)
			before[t] = steps_of(&walkers[t]);
		if (!quick)
			no_steps();
		step(draw(FAKE_CPUS));
		for (unsigned int t = 0; quick && t < NR_TASKS; t++)
			outcome->shorts += before[t] && steps_of(&walkers[t]) == before[t] - 1;
		if (how.bursts && one_in(30))
			fake.ring_size = fake.ring_size ? 0 : how.ring_size;
		if (how.ring_size != SIZE_MAX && one_in(50))
			fake.ring_used = 0;
	}
	fake.ring_size = how.ring_size;
	for (unsigned int i = 0; i < fake.records.len; i++) {
		if (vec_push(&outcome->records, fake.records.data[i]))
			abort();
	}
	fake.records.len = 0;
	outcome->counts = *counters();
	end_round();
}

static const char *difference(const struct outcome *one, const struct outcome *other)
{
	if (memcmp(&one->counts, &other->counts, sizeof(one->counts)))
		return "the counters differ";
	if (one->records.len != other->records.len)
		return "the number of records differs";
	for (size_t i = 0; i < one->records.len; i++) {
		if (one->records.data[i].size != other->records.data[i].size ||
		    memcmp(one->records.data[i].data, other->records.data[i].data,
			   one->records.data[i].size))
			return "a record differs";
	}
	return NULL;
}

static void forget_outcome(struct outcome *outcome)
{
	vec_foreach(record, &outcome->records)
		free(record->data);
	vec_release(&outcome->records);
}

TEST(both_ways_send_the_same_records)
{
	unsigned int shorts = 0, records = 0;

	for (unsigned int round = 1; round <= 2000; round++) {
		struct outcome with = { .shorts = 0 }, without = { .shorts = 0 };
		const uint64_t seed = round * 0x9e3779b97f4a7c15ull;
		const char *wrong;

		play_round(seed, true, &with);
		play_round(seed, false, &without);
		wrong = difference(&with, &without);
		shorts += with.shorts;
		records += with.records.len;
		forget_outcome(&with);
		forget_outcome(&without);
		ASSERT_EQ(NULL, wrong)
		{
			TH_LOG("round %u: %s", round, wrong);
		}
	}
	/* All of that was there to be tested. */
	EXPECT_GT(shorts, 40000);
	EXPECT_GT(records, 50000);
}

TEST_HARNESS_MAIN
