// SPDX-License-Identifier: BSD-2-Clause
/* Which functions below one are traced to find a failure, by code that is made up. */
#include "code_text.h"
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/symbols/symbols.h"
#include "util/why/pointer_call.h"
#include "util/why/why_internal.h"

#if defined(__x86_64__)

FIXTURE(callees)
{
	uint8_t text[CODE_SIZE];
	struct symbolizer *symbolizer;
	struct why_code code;
	struct pass_ask ask;
};

FIXTURE_SETUP(callees)
{
	static const struct symbol symbols[] = {
		CODE_FUNCTION(0x000, "entry"),	      CODE_FUNCTION(0x020, "check"),
		CODE_FUNCTION(0x040, "deeper"),	      CODE_FUNCTION(0x060, "schedule"),
		CODE_FUNCTION(0x080, "psi_task_switch"),   CODE_FUNCTION(0x0a0, "_raw_spin_lock"),
		CODE_FUNCTION(0x0c0, "__stack_chk_fail"),  CODE_FUNCTION(0x0e0, "tick_program_event"),
		CODE_FUNCTION(0x100, "__kmalloc_noprof"),  CODE_FUNCTION(0x120, "allocate_slab"),
		CODE_FUNCTION(0x140, "x64_sys_call"),	   CODE_FUNCTION(0x160, "__x64_sys_dup"),
		CODE_FUNCTION(0x180, "__x64_sys_unshare"),
	};
	/* Of each function, what it calls. */
	static const struct {
		size_t at, target;
	} calls[] = {
		{ 0x000, 0x020 }, { 0x005, 0x060 }, { 0x00a, 0x0a0 }, { 0x00f, 0x0c0 },
		{ 0x014, 0x100 }, { 0x020, 0x040 }, { 0x060, 0x080 }, { 0x0c0, 0x0e0 },
		{ 0x100, 0x120 }, { 0x140, 0x160 },
	};
	const struct symbolizer_options options = {};

	memset(self->text, 0x90, sizeof(self->text));
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		code_text_branch(self->text, calls[i].at, CODE_CALL, calls[i].target);
	self->code.symbols = symbols_new();
	ASSERT_NE(NULL, self->code.symbols);
	ASSERT_EQ(0, symbols_add(self->code.symbols, symbols, ARRAY_SIZE(symbols)));
	ASSERT_EQ(0, symbolizer_new(self->code.symbols, &options, &self->symbolizer));
	self->code.many = true;
	self->code.source = (struct code_source){ code_text_read, self->text };
	code_reader_init(&self->code.reader, self->symbolizer, &self->code.source);
}

FIXTURE_TEARDOWN(callees)
{
	vec_release(&self->ask.funcs);
	code_reader_release(&self->code.reader);
	symbolizer_free(self->symbolizer);
	symbols_free(self->code.symbols);
}

static bool has(const struct pass_ask *ask, const char *name)
{
	vec_foreach(func, &ask->funcs) {
		if (!strcmp((*func)->name, name))
			return true;
	}
	return false;
}

TEST_F(callees, errors_come_from_below_but_not_from_the_scheduler_an_allocator_or_a_panic)
{
	const struct symbol *entry = symbols_at(self->code.symbols, CODE_BASE);

	ASSERT_EQ(0, why_add_callees(&self->code, entry, &self->ask, 100));
	EXPECT_TRUE(has(&self->ask, "check"));
	EXPECT_TRUE(has(&self->ask, "deeper"));
	/* That it returned NULL is the error. */
	EXPECT_TRUE(has(&self->ask, "__kmalloc_noprof"));
	EXPECT_EQ(3u, self->ask.funcs.len);
}

TEST_F(callees, no_more_than_wanted_are_added)
{
	const struct symbol *entry = symbols_at(self->code.symbols, CODE_BASE);

	ASSERT_EQ(0, why_add_callees(&self->code, entry, &self->ask, 2));
	EXPECT_EQ(2u, self->ask.funcs.len);
}

/* ---- the way down ---- */

#define AT(offset) (CODE_BASE + (offset))

struct followed {
	struct target targets[3];
	struct decision_callee callees[3];
	struct plan_func funcs[3];
	struct why_ask ask;
	struct why why;
	char *command[2];
	uint64_t code_result;	/* of the function tested */
};

static const size_t offsets[3] = { 0x000, 0x020, 0x040 };
static const char *const names[3] = { "entry", "check", "deeper" };

static void prepare_followed(FIXTURE_DATA(callees) *self, struct followed *f)
{
	*f = (struct followed){};
	self->code.symbolizer = self->symbolizer;
	f->command[0] = (char *)"cmd";
	f->ask = (struct why_ask){ .command = f->command, .max_runs = 8 };
	f->why = (struct why){ .ask = &f->ask, .code = &self->code };
	for (int i = 0; i < 3; i++) {
		struct target *target = &f->targets[i];

		f->funcs[i] = (struct plan_func){ .addr = AT(offsets[i]), .name = names[i], .returns = RETURN_INT32 };
		target->function = (struct code_function){ AT(offsets[i]), 0x20, names[i] };
		target->pointer = TARGET_NO_PROBE;
		target->decided = true;
		target->decision.given_in = -1;
		target->decision.kind = DECISION_TAKEN;
		vec_push(&f->why.targets, target);
		vec_push(&self->code.plan.funcs, f->funcs[i]);
	}
	vec_push(&f->why.levels, (struct why_level){ 0, -22 });
}

static void release_followed(FIXTURE_DATA(callees) *self, struct followed *f)
{
	for (int i = 0; i < 3; i++) {
		vec_release(&f->targets[i].decision.callees);
		vec_release(&f->targets[i].sites);
	}
	vec_release(&f->why.targets);
	vec_release(&f->why.levels);
	vec_release(&self->code.plan.funcs);
}

static void calls_callee(struct followed *f, int from, int to)
{
	struct target *target = &f->targets[from];

	target->decision.kind = DECISION_CALLEE;
	vec_push(&target->decision.callees, (struct decision_callee){ .addr = AT(offsets[to]), .name = names[to] });
	target->callee = AT(offsets[to]);
}

static int follow(struct followed *f, struct traced_call *calls, uint32_t nr, enum why_next *next)
{
	struct event_frame frame = { .result = calls[nr - 1].result };
	struct session session = { .calls = calls, .nr_calls = nr, .frames = &frame, .nr_frames = 1 };
	struct plan plan = {};
	struct pass pass = { .plan = &plan, .session = &session };

	plan.funcs.data = f->funcs;
	plan.funcs.len = 3;
	return why_follow(&f->why, &pass, next);
}

TEST_F(callees, a_system_call_may_be_inlined_where_those_of_all_are_called)
{
	const struct symbol *const *named;

	ASSERT_EQ(1, symbols_named(self->code.symbols, "__x64_sys_unshare", &named));
	EXPECT_TRUE(why_is_inlined_syscall(&self->code, named[0]));
	ASSERT_EQ(1, symbols_named(self->code.symbols, "__x64_sys_dup", &named));
	EXPECT_FALSE(why_is_inlined_syscall(&self->code, named[0]));
	ASSERT_EQ(1, symbols_named(self->code.symbols, "check", &named));
	EXPECT_FALSE(why_is_inlined_syscall(&self->code, named[0]));
	/* If others are not called there either, that is not how this kernel calls them. */
	memset(self->text + 0x140, 0x90, 5);
	code_reader_forget(&self->code.reader);
	ASSERT_EQ(1, symbols_named(self->code.symbols, "__x64_sys_unshare", &named));
	EXPECT_FALSE(why_is_inlined_syscall(&self->code, named[0]));
}

TEST_F(callees, doubt_about_a_caller_is_kept)
{
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1, .result = -22 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -22 },
	};
	struct followed f;
	enum why_next next;

	prepare_followed(self, &f);
	calls_callee(&f, 0, 1);
	f.targets[0].likely = "a probe may have been missed";
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	ASSERT_EQ(2, f.why.levels.len);
	ASSERT_NE(NULL, f.targets[1].likely);
	release_followed(self, &f);
}

/* entry: check(&err); return err; and check() returned NULL. */
static void stores_in_check(struct followed *f)
{
	calls_callee(f, 0, 1);
	f->targets[0].decision.callees.data[0].stored_param = 2;
	f->targets[1].stored_param = 2;
}

TEST_F(callees, one_that_stored_the_error_may_have_returned_anything)
{
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1, .result = 0 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -22 },
	};
	struct followed f;
	enum why_next next;

	prepare_followed(self, &f);
	stores_in_check(&f);
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	ASSERT_EQ(2, f.why.levels.len);
	EXPECT_EQ(1, f.why.levels.data[1].target);
	EXPECT_EQ((uint32_t)-22, (uint32_t)f.why.levels.data[1].result);
	EXPECT_EQ(NULL, f.targets[1].likely);

	/* What was found out of it before was about what it returned. */
	f.targets[1].stored_param = 0;
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	EXPECT_EQ(WHY_AGAIN, next);
	EXPECT_FALSE(f.targets[1].decided);
	EXPECT_EQ(2, f.targets[1].stored_param);
	release_followed(self, &f);
}

/* As io_uring's functions do in a request, which one may pass on to the next. */
TEST_F(callees, the_first_may_keep_the_error_in_an_object)
{
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1, .result = 0 },
		{ .kind = TRACED_RETURN, .func = 0, .result = (uint64_t)KEPT_MARK << 32 | (uint32_t)-22 },
	};
	struct followed f;
	enum why_next next;

	prepare_followed(self, &f);
	f.why.kept_at = 88;
	calls_callee(&f, 0, 1);
	f.targets[0].decision.callees.data[0].stored_param = 1;
	f.targets[0].decision.callees.data[0].stored_at = 88;
	f.targets[0].stored_param = f.targets[1].stored_param = 1;
	f.targets[0].stored_at = f.targets[1].stored_at = 88;
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	ASSERT_EQ(2, f.why.levels.len);
	EXPECT_EQ((uint64_t)-22, f.why.levels.data[0].result);
	EXPECT_EQ((uint64_t)-22, f.why.levels.data[1].result);
	EXPECT_EQ(1, f.targets[0].stored_param);

	/* In another call it returned the error. */
	calls[2].result = (uint32_t)-22;
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	EXPECT_EQ(WHY_AGAIN, next);
	EXPECT_FALSE(f.targets[0].decided);
	EXPECT_EQ(0, f.targets[0].stored_param);
	EXPECT_EQ(0, f.targets[0].stored_at);
	release_followed(self, &f);
}

/* "the probes do not tell which way it took" was the answer of runs that somebody ended. */
TEST_F(callees, what_the_runs_until_an_interruption_did_not_tell_is_no_reason)
{
	struct followed f;

	prepare_followed(self, &f);
	ASSERT_EQ(0, vec_push(&f.why.levels, (struct why_level){ 0, -22 }));
	f.targets[0].decision.kind = DECISION_NONE;
	f.targets[0].decision.reason = "the probes do not tell";
	f.targets[0].decided = true;
	why_end_interrupted(&f.why, "interrupted");
	EXPECT_EQ(NULL, f.why.unknown);
	f.targets[0].decided = false;
	why_end_interrupted(&f.why, "interrupted");
	EXPECT_STREQ("interrupted", f.why.unknown);
	release_followed(self, &f);
}

TEST_F(callees, one_that_did_not_store_it_is_no_part_of_the_answer)
{
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1, .result = 0 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -22 },
	};
	struct followed f;
	enum why_next next;

	prepare_followed(self, &f);
	stores_in_check(&f);
	f.targets[1].decision.kind = DECISION_NONE;
	f.targets[1].decision.reason = "another reason";
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	ASSERT_EQ(1, f.why.levels.len);
	EXPECT_STREQ("check", f.why.last_callee);
	EXPECT_EQ(DECISION_CALLEE, f.targets[0].decision.kind);

	f.targets[1].decision.reason = decider_not_stored;
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	ASSERT_EQ(1, f.why.levels.len);
	EXPECT_EQ(NULL, f.why.last_callee);
	EXPECT_EQ(DECISION_NONE, f.targets[0].decision.kind);
	EXPECT_STREQ(decider_stored_by_address, f.targets[0].decision.reason);
	release_followed(self, &f);
}

/* As file_write_and_wait_range(): err = check(); err2 = deeper(); return err ?: err2 */
TEST_F(callees, of_two_calls_the_one_that_did_not_fail_is_not_followed)
{
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1, .result = 0 },
		{ .kind = TRACED_LEAF, .func = 2, .depth = 1, .result = -5 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -5 },
	};
	struct followed f;
	enum why_next next;

	prepare_followed(self, &f);
	calls_callee(&f, 0, 1);
	f.targets[0].decision.has_other = true;
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	EXPECT_EQ(WHY_AGAIN, next);
	EXPECT_TRUE(f.targets[0].not_by_call);
	EXPECT_FALSE(f.targets[0].decided);
	/* The function of the first guess is forgotten. */
	EXPECT_EQ(0u, f.targets[0].callee);
	EXPECT_EQ(DECISION_CALLEE, f.targets[0].decision.kind);

	/* It did fail. */
	f.targets[0].not_by_call = false;
	f.targets[0].decided = true;
	f.targets[0].callee = AT(offsets[1]);
	calls[1].result = -5;
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	EXPECT_EQ(WHY_DONE, next);
	EXPECT_FALSE(f.targets[0].not_by_call);
	EXPECT_EQ(2u, f.why.levels.len);
	release_followed(self, &f);
}

TEST_F(callees, a_function_that_called_itself_ends)
{
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_CALL, .func = 1, .depth = 1 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 2, .result = -22 },
		{ .kind = TRACED_RETURN, .func = 1, .depth = 1, .result = -22 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -22 },
	};
	struct followed f;
	enum why_next next;

	prepare_followed(self, &f);
	calls_callee(&f, 0, 1);
	calls_callee(&f, 1, 1);
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	EXPECT_TRUE(f.why.levels.len < 4);
	release_followed(self, &f);
}

TEST_F(callees, two_functions_that_were_given_it_end)
{
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_LEAF, .func = 2, .depth = 1, .result = -22 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1, .result = -22 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -22 },
	};
	struct followed f;
	enum why_next next;

	prepare_followed(self, &f);
	calls_callee(&f, 0, 1);
	f.targets[0].passed[0].called = AT(0x40);
	for (int i = 1; i < 3; i++) {
		f.targets[i].decision.kind = DECISION_NONE;
		f.targets[i].decision.given_in = operands_parameter(0);
	}
	ASSERT_EQ(0, follow(&f, calls, ARRAY_SIZE(calls), &next));
	EXPECT_TRUE(f.why.levels.len < 4);
	release_followed(self, &f);
}

TEST_F(callees, the_hits_of_a_recursive_call_are_not_of_the_outer_one)
{
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_PROBE, .func = 5, .depth = 1 },
		{ .kind = TRACED_CALL, .func = 1, .depth = 1 },
		{ .kind = TRACED_CALL, .func = 0, .depth = 2 },
		{ .kind = TRACED_PROBE, .func = 5, .depth = 3 },
		{ .kind = TRACED_LEAF, .func = 2, .depth = 3, .result = -95 },
		{ .kind = TRACED_RETURN, .func = 0, .depth = 2, .result = -95 },
		{ .kind = TRACED_RETURN, .func = 1, .depth = 1, .result = -95 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -95 },
	};
	uint64_t ips[] = { AT(0x44), AT(0x1c), AT(0x24), AT(0x1c) };
	uint8_t regs[2][512] = {};
	struct session session = { .calls = calls, .nr_calls = ARRAY_SIZE(calls), .args = (void *)regs,
				   .ips = ips, .nr_ips = 0 };
	struct plan plan = {};
	struct pass pass = { .plan = &plan, .session = &session };
	struct activation in = { 0, ARRAY_SIZE(calls) - 1, -95 };
	const struct symbol *symbol;
	struct pointer_site site = { .call = AT(0x1a), .probe = 5 };
	uint64_t value;
	struct followed f;

	prepare_followed(self, &f);
	self->text[0x1a] = 0xff;	/* call *%rax */
	self->text[0x1b] = 0xd0;
	site.reg = pointer_call_register(&self->code.reader, self->code.symbols, AT(0x1a));
	ASSERT_TRUE(site.reg >= 0);
	value = AT(0x20);
	memcpy(regs[0] + code_saved_at(site.reg), &value, 8);
	value = AT(0x40);
	memcpy(regs[1] + code_saved_at(site.reg), &value, 8);
	calls[1].args_size = calls[4].args_size = code_saved_registers();
	calls[4].args_at = 512;
	plan.funcs.data = f.funcs;
	plan.funcs.len = 3;
	f.targets[0].decision.kind = DECISION_CALLEE;
	vec_push(&f.targets[0].decision.callees, (struct decision_callee){ .call.addr = AT(0x1a) });
	vec_push(&f.targets[0].sites, site);
	symbol = why_callee(&f.why, &f.targets[0], &pass, &in);
	ASSERT_NE(NULL, symbol);
	EXPECT_STREQ("check", symbol->name);
	EXPECT_EQ(NULL, f.targets[0].likely);
	/* With the stack of the innermost failure. */
	f.targets[0].callee = f.targets[0].decision.callees.data[0].addr = 0;
	f.targets[0].likely = NULL;
	session.nr_ips = 4;
	symbol = why_callee(&f.why, &f.targets[0], &pass, &in);
	ASSERT_NE(NULL, symbol);
	EXPECT_STREQ("check", symbol->name);
	release_followed(self, &f);
}

/* ---- the function whose result the deciding branch tested ---- */

static char found_nothing[] = "check(id) == NULL", another[] = "limit > 16";

/* "because check(id) == NULL", in "entry". */
static void tests_check(struct followed *f)
{
	struct target *target = &f->targets[0];

	target->decision.tested_call = AT(0x000);
	target->condition = (struct decision_condition){
		.text = found_nothing,
		.condition = CONDITION_EQUAL,
		.a = { .operand = { .kind = OPERAND_REGISTER, .size = 8 }, .is_result = true },
		.b = { .operand = { .kind = OPERAND_CONSTANT, .size = 8 } },
	};
	f->targets[1].condition = (struct decision_condition){ .text = another };
}

static uint64_t tested_function(struct followed *f)
{
	const struct activation in = {};
	const struct pass pass = {};

	return why_tested_function(&f->why, &f->targets[0], &pass, &in);
}

TEST_F(callees, the_function_whose_result_was_tested_is_worth_a_look)
{
	struct followed f;

	prepare_followed(self, &f);
	tests_check(&f);
	EXPECT_EQ(AT(0x020), tested_function(&f));
	f.ask.command = NULL;
	EXPECT_EQ(0, tested_function(&f));
	f.ask.command = f.command;
	f.why.is_one_of_many = true;
	EXPECT_EQ(0, tested_function(&f));
	f.why.is_one_of_many = false;
	f.targets[0].decision.likely = true;
	EXPECT_EQ(0, tested_function(&f));
	f.targets[0].decision.likely = false;
	f.targets[0].decision.kind = DECISION_READ;
	EXPECT_EQ(0, tested_function(&f));
	f.targets[0].decision.kind = DECISION_NOT_TAKEN;
	/* A member of what was returned. */
	f.targets[0].condition.a.is_result = false;
	EXPECT_EQ(0, tested_function(&f));
	f.targets[0].condition.a.is_result = true;
	/* That it returned NULL is the reason. */
	f.targets[0].decision.tested_call = AT(0x014);
	EXPECT_EQ(0, tested_function(&f));
	f.targets[0].decision.tested_call = AT(0x00a);
	EXPECT_EQ(0, tested_function(&f));
	release_followed(self, &f);
}

static const struct tested_probes no_probes = { TARGET_NO_PROBE, TARGET_NO_PROBE };

/*
 * Whether what is known of "check", that it handed up @known from "deeper", is taken for a run in which it had these
 * results in two calls.
 */
static bool is_taken(struct followed *f, uint64_t known, uint64_t first, const uint64_t *second,
		     enum return_kind returns)
{
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1, .result = first },
		{ .kind = TRACED_LEAF, .func = second ? 1 : 2, .depth = 1, .result = second ? *second : 0 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -22 },
	};
	struct session session = { .calls = calls, .nr_calls = ARRAY_SIZE(calls) };
	struct plan plan = {};
	struct pass pass = { .plan = &plan, .session = &session };
	const struct activation in = { 0, 3, -22 };
	bool again = false;

	plan.funcs.data = f->funcs;
	plan.funcs.len = 3;
	f->funcs[1].returns = returns;
	f->why.tested.len = 0;
	if (vec_push(&f->why.tested, (struct why_level){ 1, known }) ||
	    why_take_tested(&f->why, &pass, in, &no_probes, &again))
		return false;
	return again && f->why.tested.len == 2 && f->why.tested.data[0].result == f->code_result;
}

#define IS_TAKEN(known, first, second, returns)                                     \
	(f.code_result = (first), is_taken(&f, known, first, second, returns))

TEST_F(callees, what_it_returned_has_to_agree_with_the_branch)
{
	static const uint64_t null = 0;
	struct followed f;

	prepare_followed(self, &f);
	tests_check(&f);
	calls_callee(&f, 1, 2);
	EXPECT_TRUE(IS_TAKEN(0, 0, NULL, RETURN_POINTER));
	EXPECT_FALSE(IS_TAKEN(5, 5, NULL, RETURN_POINTER));
	EXPECT_FALSE(IS_TAKEN(1ull << 32, 1ull << 32, NULL, RETURN_POINTER));
	EXPECT_FALSE(IS_TAKEN(0, 0, NULL, RETURN_STRUCT));
	/* Which of two calls the branch tested is not known. */
	EXPECT_FALSE(IS_TAKEN(0, 0, &null, RETURN_POINTER));
	f.targets[0].condition.condition = CONDITION_NOT_EQUAL;
	/* What is known is why it returned -ENOENT; any address is as good as another. */
	EXPECT_TRUE(IS_TAKEN(-2, -2, NULL, RETURN_INT64));
	EXPECT_FALSE(IS_TAKEN(-2, -22, NULL, RETURN_INT64));
	EXPECT_TRUE(IS_TAKEN(0xffff888000002000, 0xffff888000001000, NULL, RETURN_POINTER));
	EXPECT_FALSE(IS_TAKEN(0xffff888000002000, -22, NULL, RETURN_POINTER));
	f.targets[0].condition.condition = CONDITION_EQUAL;
	f.targets[0].condition.a.operand.size = 1;
	f.code_result = 0;
	EXPECT_TRUE(is_taken(&f, 0, 0x1200, NULL, RETURN_BOOL));
	vec_release(&f.why.tested);
	release_followed(self, &f);
}

/*
 * Which of two calls of "check" the branch tested, the first of which returned NULL, by the hits of the probe where that
 * call returns to: after the first call, after the second one, or both. 0: it is not known.
 */
static uint32_t call_tested(struct followed *f, bool first, bool second, uint32_t again)
{
	struct traced_call calls[] = {
		{ .kind = TRACED_CALL, .func = 0 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1 },
		{ .kind = TRACED_PROBE, .func = 8, .depth = 1 },
		{ .kind = TRACED_PROBE, .func = first ? 9 : 8, .depth = 1 },
		{ .kind = TRACED_LEAF, .func = 1, .depth = 1, .result = 5 },
		{ .kind = TRACED_PROBE, .func = second ? 9 : 8, .depth = 1 },
		{ .kind = TRACED_LEAF, .func = 2, .depth = 1 },
		{ .kind = TRACED_PROBE, .func = first || second ? 8 : 9, .depth = 1 },
		{ .kind = TRACED_RETURN, .func = 0, .result = -22 },
	};
	struct session session = { .calls = calls, .nr_calls = ARRAY_SIZE(calls) };
	const struct tested_probes asked = { TARGET_NO_PROBE, 9 };
	const struct activation in = { 0, 8, -22 };
	struct plan plan = {};
	struct pass pass = { .plan = &plan, .session = &session };
	bool ret_again = false;

	plan.funcs.data = f->funcs;
	plan.funcs.len = 3;
	f->funcs[1].returns = RETURN_POINTER;
	f->targets[0].decision.tested_again = again;
	f->why.tested.len = 0;
	if (vec_push(&f->why.tested, (struct why_level){ 1 }) ||
	    why_take_tested(&f->why, &pass, in, &asked, &ret_again) || !ret_again)
		return 0;
	return f->why.tested.data[0].calls == 2 ? f->why.tested.data[0].call : 0;
}

TEST_F(callees, of_several_calls_the_one_that_the_branch_tested)
{
	struct followed f;

	prepare_followed(self, &f);
	tests_check(&f);
	calls_callee(&f, 1, 2);
	EXPECT_EQ(1, call_tested(&f, true, false, 0));
	/* In a loop, it is the last pass or an earlier one. */
	EXPECT_EQ(1, call_tested(&f, true, true, 1));
	EXPECT_EQ(0, call_tested(&f, true, true, 2));
	/* The second one did not return NULL. */
	EXPECT_EQ(0, call_tested(&f, false, true, 0));
	f.targets[0].condition.condition = CONDITION_NOT_EQUAL;
	EXPECT_EQ(0, call_tested(&f, true, false, 0));
	/* Another function returned there. */
	EXPECT_EQ(0, call_tested(&f, false, false, 0));
	vec_release(&f.why.tested);
	release_followed(self, &f);
}

TEST_F(callees, what_cannot_be_examined_or_handed_the_error_up_is_not_looked_into)
{
	struct probes probes = {};
	struct tested_probes asked;
	struct followed f;

	prepare_followed(self, &f);
	tests_check(&f);
	f.why.tested_at = AT(0x020);
	f.targets[1].unusable = "its code cannot be read";
	ASSERT_EQ(0, why_place_tested(&f.why, &probes, &self->ask, &asked));
	EXPECT_EQ(0, f.why.tested.len);
	f.targets[1].unusable = NULL;
	f.why.levels.data[0].target = 1;
	f.why.tested_at = AT(0x020);
	ASSERT_EQ(0, why_place_tested(&f.why, &probes, &self->ask, &asked));
	EXPECT_EQ(0, f.why.tested.len);
	release_followed(self, &f);
}

static bool is_kept(struct followed *f)
{
	f->why.tested.len = 0;
	if (vec_push(&f->why.tested, (struct why_level){ 1 }))
		return false;
	why_end_tested(&f->why);
	return f->why.tested.len;
}

TEST_F(callees, only_what_is_certain_of_it_is_told)
{
	struct followed f;

	prepare_followed(self, &f);
	tests_check(&f);
	EXPECT_TRUE(is_kept(&f));
	f.targets[1].decision.likely = true;
	EXPECT_FALSE(is_kept(&f));
	f.targets[1].decision.likely = false;
	f.targets[1].likely = "a probe may have been missed";
	EXPECT_FALSE(is_kept(&f));
	f.targets[1].likely = NULL;
	f.targets[1].decided = false;
	EXPECT_FALSE(is_kept(&f));
	f.targets[1].decided = true;
	f.targets[1].condition.text = NULL;
	EXPECT_FALSE(is_kept(&f));
	f.targets[1].condition.text = another;
	/* A doubt on the way to the last one is one about it. */
	ASSERT_EQ(0, vec_push(&f.why.tested, (struct why_level){ 2 }));
	ASSERT_EQ(0, vec_push(&f.why.tested, (struct why_level){ 1 }));
	f.targets[2].likely = "a probe may have been missed";
	why_end_tested(&f.why);
	EXPECT_EQ(0, f.why.tested.len);
	vec_release(&f.why.tested);
	release_followed(self, &f);
}

TEST(without_kcore_there_is_a_way_out)
{
	static const char way[] = "name the function to begin with: -e FUNC";
	static const struct {
		int err;
		unsigned int uid;
		const char *problem, *remedy;
	} cases[] = {
		{ -EACCES, 1000, "Permission denied", "run it as root or with CAP_SYS_RAWIO, or " },
		{ -EPERM, 0, "Operation not permitted", "run it with CAP_SYS_RAWIO, or " },
		{ -EBADMSG, 0, "it is not an ELF file, a container may hide it", "" },
		{ -ENOENT, 1000, "No such file or directory", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *message = why_code_no_kcore(cases[i].err, cases[i].uid), expected[256];

		snprintf(expected, sizeof(expected),
			 "/proc/kcore cannot be read: %s; why finds the functions of system calls in it; %s%s",
			 cases[i].problem, cases[i].remedy, way);
		EXPECT_STREQ(expected, message);
		free(message);
	}
}

/* Kernels replace calls and jumps of a thunk by others: of one without a name, and by indirect ones. */
TEST_F(callees, the_register_of_a_call_through_a_pointer_is_known_however_the_kernel_patched_it)
{
	struct code_reader *reader = &self->code.reader;
	int rax, r11;

	code_text_branch(self->text, 0x188, CODE_CALL, 0x1f0);
	memcpy(self->text + 0x1f0, "\x41\xff\xe3", 3); /* jmp *%r11 */
	memcpy(self->text + 0x190, "\x41\xff\xe3", 3);
	memcpy(self->text + 0x194, "\xff\xe0", 2); /* jmp *%rax */
	code_text_branch(self->text, 0x198, CODE_JUMP, 0x020); /* to a function */
	reader->pointer_thunk = AT(0x180);
	r11 = pointer_call_register(reader, self->code.symbols, AT(0x188));
	ASSERT_GE(r11, 0);
	EXPECT_STREQ("r11", code_register_name(r11));
	EXPECT_EQ(r11, pointer_call_register(reader, self->code.symbols, AT(0x190)));
	rax = pointer_call_register(reader, self->code.symbols, AT(0x194));
	ASSERT_GE(rax, 0);
	EXPECT_STREQ("rax", code_register_name(rax));
	EXPECT_EQ(-1, pointer_call_register(reader, self->code.symbols, AT(0x198)));
}

#endif

TEST_HARNESS_MAIN
