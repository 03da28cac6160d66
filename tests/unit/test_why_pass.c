// SPDX-License-Identifier: BSD-2-Clause
/* Calls of one run: whether those that failed alike are the same, and what handed a result up. */
#include <string.h>

#include "kernel_fixture.h"
#include "unit.h"

#include "bpf/watch/watch_event.h"
#include "util/ask/request.h"
#include "util/plan/plan.h"
#include "util/why/pass.h"
#include "util/why/why_internal.h"

struct made {
	struct event_frame frames[2];
	struct traced_call calls[4];
};

/* A call that failed with -19 in function 1, and passed the probes @first and @second. */
static struct session session_of(struct made *made, uint32_t first, uint32_t second)
{
	memset(made, 0, sizeof(*made));
	made->frames[0] = (struct event_frame){ .func = 0, .result = -19 };
	made->frames[1] = (struct event_frame){ .func = 1, .result = 0xffffffed };
	made->calls[1] = (struct traced_call){ .kind = TRACED_PROBE, .func = first };
	made->calls[2] = (struct traced_call){ .func = 7 };
	made->calls[3] = (struct traced_call){ .kind = TRACED_PROBE, .func = second };
	return (struct session){
		.frames = made->frames, .nr_frames = 2, .calls = made->calls, .nr_calls = 4,
	};
}

static bool is_uniform(struct session *sessions, size_t nr)
{
	struct pass pass = {};

	pass.alike.data = sessions;
	pass.alike.len = nr;
	return pass_is_uniform(&pass);
}

TEST(calls_that_took_the_same_way_are_uniform)
{
	struct made made[2];
	struct session sessions[2] = { session_of(&made[0], 1, 2), session_of(&made[1], 1, 2) };

	EXPECT_FALSE(is_uniform(sessions, 0));
	EXPECT_TRUE(is_uniform(sessions, 1));
	EXPECT_TRUE(is_uniform(sessions, 2));
	/* Of results the lower half counts, and of what is traced besides nothing. */
	made[1].frames[1].result = -19;
	made[1].calls[2].func = 8;
	EXPECT_TRUE(is_uniform(sessions, 2));
}

TEST(without_a_command_any_worker_may_fail_so_again)
{
	char name[] = "nginx", *names[] = { name };
	struct trace_request filters = {};
	struct pass_ask ask = { .comm = "pool-1-thread-3", .filters = &filters };

	EXPECT_TRUE(pass_is_of(&ask, "pool-1-thread-3"));
	EXPECT_TRUE(pass_is_of(&ask, "pool-1-thread-8"));
	EXPECT_FALSE(pass_is_of(&ask, "pool-2-thread-3"));
	EXPECT_FALSE(pass_is_of(&ask, "pool-1-thread-x"));
	/* The numbered threads of a command are counted, and those of -n have been asked for. */
	ask.workload = names;
	EXPECT_FALSE(pass_is_of(&ask, "pool-1-thread-8"));
	ask.workload = NULL;
	filters.allow_comms.data = names;
	filters.allow_comms.len = 1;
	EXPECT_FALSE(pass_is_of(&ask, "pool-1-thread-8"));
	filters.allow_comms.len = 0;
	ask.comm = "nginx";
	EXPECT_FALSE(pass_is_of(&ask, "nginx2"));
	ask.comm = NULL;
	EXPECT_TRUE(pass_is_of(&ask, "nginx2"));
}

TEST(calls_of_one_thread_may_be_repeated)
{
	struct made made[2];
	struct session sessions[2] = { session_of(&made[0], 1, 2), session_of(&made[1], 1, 2) };
	struct pass pass = {};

	pass.alike.data = sessions;
	EXPECT_FALSE(pass_is_of_one_thread(&pass));
	pass.alike.len = 2;
	sessions[0].tid = sessions[1].tid = 10;
	EXPECT_TRUE(pass_is_of_one_thread(&pass));
	sessions[1].tid = 11;
	EXPECT_FALSE(pass_is_of_one_thread(&pass));
}

TEST(calls_that_took_different_ways_are_not)
{
	struct made made[2];
	struct session sessions[2] = { session_of(&made[0], 1, 2), session_of(&made[1], 1, 3) };

	EXPECT_FALSE(is_uniform(sessions, 2));
	sessions[1] = session_of(&made[1], 1, 2);
	sessions[1].nr_calls = 3;
	EXPECT_FALSE(is_uniform(sessions, 2));
	sessions[1] = session_of(&made[1], 1, 2);
	made[1].frames[1].func = 2;
	EXPECT_FALSE(is_uniform(sessions, 2));
	sessions[1] = session_of(&made[1], 1, 2);
	made[1].frames[1].result = -5;
	EXPECT_FALSE(is_uniform(sessions, 2));
	sessions[1] = session_of(&made[1], 1, 2);
	sessions[1].nr_frames = 1;
	EXPECT_FALSE(is_uniform(sessions, 2));
}

/* Function 0, which failed with -1, calls 1, which calls 2, which failed with -1, too. */
static bool finds_outermost(enum return_kind returns, int64_t result, uint32_t *ret_func)
{
	struct plan_func funcs[3] = { { .returns = RETURN_INT64 }, { .returns = returns },
				      { .returns = RETURN_INT32 } };
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_CALL, .func = 1, .depth = 1 },
		{ .kind = TRACED_LEAF, .func = 2, .depth = 2, .result = 0xffffffff },
		{ .kind = TRACED_RETURN, .func = 1, .depth = 1, .result = result },
		{ .kind = TRACED_RETURN, .func = 0, .result = -1 },
	};
	struct session session = { .calls = calls, .nr_calls = 5 };
	struct plan plan = {};
	struct pass pass = { .plan = &plan, .session = &session };
	struct activation in = { 0, 4, -1 }, found;

	plan.funcs.data = funcs;
	plan.funcs.len = 3;
	return pass_find_outermost(&pass, &in, ret_func, &found);
}

TEST(a_result_comes_from_the_outermost_function_that_returned_it)
{
	uint32_t func = 0;

	EXPECT_TRUE(finds_outermost(RETURN_INT32, 0xffffffff, &func));
	EXPECT_EQ(func, 1);
	/* What returns nothing may have stored it. */
	EXPECT_TRUE(finds_outermost(RETURN_VOID, 0, &func));
	EXPECT_EQ(func, 2);
}

TEST(a_result_that_ended_in_a_function_that_returned_another_did_not_come_from_there)
{
	uint32_t func = 0;

	EXPECT_FALSE(finds_outermost(RETURN_BOOL, 0, &func));
	EXPECT_FALSE(finds_outermost(RETURN_INT32, -13, &func));
	/* An id that is not mapped, which looks like -EPERM. */
	EXPECT_FALSE(finds_outermost(RETURN_UNSIGNED32, 0xffffffff, &func));
	EXPECT_FALSE(finds_outermost(RETURN_STRUCT, 0xffffffff, &func));
	/* As do_mmap() does. */
	EXPECT_TRUE(finds_outermost(RETURN_UNSIGNED64, -1, &func));
}

TEST(functions_that_returned_the_same_are_found_at_any_depth)
{
	struct plan_func funcs[5] = { { .returns = RETURN_INT32 }, { .returns = RETURN_INT64 },
				      { .returns = RETURN_INT32 }, { .returns = RETURN_BOOL },
				      { .returns = RETURN_INT32 } };
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_CALL, .func = 1, .depth = 1 },
		{ .kind = TRACED_LEAF, .func = 2, .depth = 2, .result = 0xfffffff3 },
		{ .kind = TRACED_LEAF, .func = 3, .depth = 2, .result = 0xfffffff3 },
		{ .kind = TRACED_RETURN, .func = 1, .depth = 1, .result = -13 },
		{ .kind = TRACED_LEAF, .func = 4, .depth = 1, .result = -14 },
		{ .kind = TRACED_CALL, .func = 1, .depth = 1 },
		{ .kind = TRACED_RETURN, .func = 1, .depth = 1, .result = -13 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -13 },
	};
	struct session session = { .calls = calls, .nr_calls = ARRAY_SIZE(calls) };
	struct plan plan = {};
	struct pass pass = { .plan = &plan, .session = &session };
	struct activation in = { 0, ARRAY_SIZE(calls) - 1, -13 };
	uint32_t found[4];

	plan.funcs.data = funcs;
	plan.funcs.len = ARRAY_SIZE(funcs);
	ASSERT_EQ(2, pass_find_same(&pass, &in, found, 4));
	EXPECT_EQ(1, found[0]);
	EXPECT_EQ(2, found[1]);
	ASSERT_EQ(1, pass_find_same(&pass, &in, found, 1));
	EXPECT_EQ(1, found[0]);
	in.result = -15;
	EXPECT_EQ(0, pass_find_same(&pass, &in, found, 4));
}

/*
 * Function 0 calls 1, which calls 2, then 2 itself, and 2 once more if @again: each call of 2 fails with
 * -13.
 */
static uint32_t finds(bool called, bool again, struct activation *ret)
{
	struct plan_func funcs[3] = { { .addr = 0x1000 }, { .addr = 0x2000 }, { .addr = 0x3000 } };
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_CALL, .func = 1, .depth = 1 },
		{ .kind = TRACED_CALL, .func = 2, .depth = 2 },
		{ .kind = TRACED_PROBE, .func = 0, .depth = 3 },
		{ .kind = TRACED_RETURN, .func = 2, .depth = 2, .result = 0xfffffff3 },
		{ .kind = TRACED_RETURN, .func = 1, .depth = 1 },
		{ .kind = TRACED_CALL, .func = 2, .depth = 1 },
		{ .kind = TRACED_PROBE, .func = 0, .depth = 2 },
		{ .kind = TRACED_RETURN, .func = 2, .depth = 1, .result = 0xfffffff3 },
		{ .kind = TRACED_LEAF, .func = 2, .depth = 1, .result = again ? -13 : 0 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -13 },
	};
	struct session session = { .calls = calls, .nr_calls = 11 };
	struct plan plan = {};
	struct pass pass = { .plan = &plan, .session = &session };

	plan.funcs.data = funcs;
	plan.funcs.len = 3;
	*ret = (struct activation){ 0, 10, -13 };
	/* What is searched may be what is found. */
	return called ? pass_find_called(&pass, ret, 0x3000, -13, ret) :
			pass_find(&pass, ret, 0x3000, -13, ret);
}

TEST(of_several_calls_that_failed_so_the_last_one_is_found)
{
	struct activation found;

	EXPECT_EQ(2, finds(false, false, &found));
	EXPECT_EQ(6, found.first);
	EXPECT_EQ(8, found.last);
	EXPECT_EQ(3, finds(false, true, &found));
	EXPECT_EQ(9, found.first);
	EXPECT_EQ(9, found.last);
}

TEST(a_call_that_another_function_made_is_not_the_one_that_the_caller_passed_on)
{
	struct activation found;

	EXPECT_EQ(1, finds(true, false, &found));
	EXPECT_EQ(6, found.first);
	EXPECT_EQ(8, found.last);
	EXPECT_EQ(2, finds(true, true, &found));
	EXPECT_EQ(9, found.first);
}

TEST(a_call_by_way_of_a_function_that_jumped_there_is_found)
{
	struct plan_func funcs[3] = { { .addr = 0x1000 }, { .addr = 0x2000 }, { .addr = 0x3000 } };
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_CALL, .func = 1, .depth = 1 },
		{ .kind = TRACED_LEAF, .func = 2, .depth = 2, .result = -2 },
		{ .kind = TRACED_RETURN, .func = 1, .depth = 1, .result = -2 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -2 },
	};
	struct session session = { .calls = calls, .nr_calls = 5 };
	struct plan plan = {};
	struct pass pass = { .plan = &plan, .session = &session };
	struct activation in = { 0, 4, -2 };

	plan.funcs.data = funcs;
	plan.funcs.len = 3;
	EXPECT_EQ(1, pass_find_called(&pass, &in, 0x3000, -2, &in));
	EXPECT_EQ(2, in.first);
}

/* How many sessions may be those of a call of thread 5 that lasted from @called to @time. */
static uint32_t finds_call(struct pass *pass, uint64_t called, uint64_t time)
{
	const struct watch_event event = {
		.tid = 5, .result = -19, .called_ns = called, .time_ns = time,
	};

	pass->session = NULL;
	return pass_find_call(pass, &event);
}

TEST(a_watched_call_is_found_by_thread_result_and_time)
{
	struct made made[3];
	struct session sessions[3] = { session_of(&made[0], 1, 2), session_of(&made[1], 1, 2),
				       session_of(&made[2], 1, 2) };
	struct pass pass = {};

	pass.alike.data = sessions;
	pass.alike.len = 3;
	for (int i = 0; i < 3; i++) {
		sessions[i].tid = 5;
		sessions[i].start_ns = 1010 + 100 * i;
		sessions[i].end_ns = 1040 + 100 * i;
	}
	sessions[1].tid = 6;
	EXPECT_EQ(1, finds_call(&pass, 1000, 1050));
	EXPECT_EQ(&sessions[0], pass.session);
	EXPECT_EQ(1, finds_call(&pass, 1200, 1250));
	EXPECT_EQ(&sessions[2], pass.session);
	EXPECT_EQ(0, finds_call(&pass, 1100, 1150));
	EXPECT_EQ(NULL, pass.session);
	/* The clock went back a little. */
	EXPECT_EQ(1, finds_call(&pass, 1212, 1238));
	EXPECT_EQ(&sessions[2], pass.session);
	/* The beginning was not seen. */
	EXPECT_EQ(1, finds_call(&pass, 0, 1050));
	EXPECT_EQ(&sessions[0], pass.session);
	EXPECT_EQ(2, finds_call(&pass, 0, 1250));
	EXPECT_EQ(&sessions[2], pass.session);
	made[2].frames[0].result = -5;
	EXPECT_EQ(0, finds_call(&pass, 1200, 1250));
}

/*
 * A branch of function 0 tested the call of function 1, which failed alike, in run @nr of @max. The first call
 * of function 1 returned @first.
 */
static const struct symbol *tested_again(struct why *why, uint32_t nr, uint32_t max, uint32_t first,
					 bool *ret_several)
{
	struct plan_func funcs[2] = { { .addr = 0xffffffff81001000, .returns = RETURN_INT32 },
				      { .addr = 0xffffffff81002000, .returns = RETURN_INT32 } };
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1, .result = first },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1, .result = 0xffffffea },
		{ .kind = TRACED_RETURN, .func = 0, .result = -22 },
	};
	struct session session = { .calls = calls, .nr_calls = 4 };
	struct plan plan = {};
	struct pass pass = { .plan = &plan, .session = &session };
	struct target target = { .decision = { .kind = DECISION_TAKEN, .tested_callee = "set_limit" } };
	struct activation in = { 0, 3, -22 }, found = {};
	struct why_ask ask = { .max_runs = max };
	const struct symbol *symbol;
	bool before;

	plan.funcs.data = funcs;
	plan.funcs.len = 2;
	why->ask = &ask;
	/* The first one only watches. */
	why->runs.len = nr - 1;
	symbol = why_tested(why, &target, &pass, &in, &found, &before, ret_several);
	why->ask = NULL;
	return symbol && found.first == 2 ? symbol : NULL;
}

static const struct symbol *tested(struct why *why, uint32_t nr, uint32_t max)
{
	bool several;

	return tested_again(why, nr, max, 0, &several);
}

TEST(a_function_that_no_run_is_left_for_is_named)
{
	struct why_code code = { .symbols = make_symbols("ffffffff81000000 T _stext\n"
							 "ffffffff81001000 T write_limit\n"
							 "ffffffff81002000 t set_limit\n"
							 "ffffffff81003000 T _etext\n") };
	struct target callee = { .function = { .addr = 0xffffffff81002000 }, .placed = true };
	struct why why = { .code = &code };
	const struct symbol *symbol = tested(&why, 3, 4);
	bool several;

	ASSERT_NE(NULL, symbol);
	EXPECT_STREQ("set_limit", symbol->name);
	EXPECT_EQ(NULL, why.last_reason);
	/* Of several calls that failed so, the last one. */
	EXPECT_EQ(symbol, tested_again(&why, 3, 4, 0xffffffea, &several));
	EXPECT_TRUE(several);
	EXPECT_EQ(symbol, tested_again(&why, 3, 4, 0xfffffff3, &several));
	EXPECT_FALSE(several);
	EXPECT_EQ(NULL, tested(&why, 4, 4));
	EXPECT_STREQ("set_limit", why.last_callee);
	EXPECT_STREQ("that takes more runs than --runs allows", why.last_reason);
	EXPECT_EQ(NULL, tested(&why, 1, 1));
	EXPECT_STREQ("that takes more runs than --once allows", why.last_reason);
	/* It had probes in the only run, so it was looked into. */
	why.last_reason = NULL;
	ASSERT_EQ(0, vec_push(&why.targets, &callee));
	EXPECT_EQ(NULL, tested(&why, 1, 1));
	EXPECT_EQ(NULL, why.last_reason);
	vec_release(&why.targets);
	symbols_free(code.symbols);
}

TEST(a_function_that_no_run_traced_is_not_said_to_have_returned_the_error)
{
	struct target outer = { .function = { .name = "modify" } };
	struct target inner = { .function = { .name = "parse" } };
	struct why_ask ask = { .max_runs = 3 };
	struct why why = { .ask = &ask };

	ASSERT_EQ(0, vec_push(&why.targets, &outer));
	ASSERT_EQ(0, vec_push(&why.targets, &inner));
	EXPECT_EQ(NULL, why_drop_unseen(&why));
	ASSERT_EQ(0, vec_push(&why.levels, (struct why_level){ 0, -2, false }));
	ASSERT_EQ(0, vec_push(&why.levels, (struct why_level){ 1, -2, true }));
	EXPECT_STREQ("parse", why_drop_unseen(&why));
	EXPECT_EQ(1, why.levels.len);
	EXPECT_EQ(NULL, why_drop_unseen(&why));
	EXPECT_EQ(1, why.levels.len);
	why_end_with_unseen(&why, "parse");
	EXPECT_STREQ("parse", why.last_callee);
	EXPECT_STREQ("that takes more runs than --runs allows", why.last_reason);
	vec_release(&why.levels);
	vec_release(&why.targets);
}

TEST_HARNESS_MAIN
