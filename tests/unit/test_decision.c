// SPDX-License-Identifier: BSD-2-Clause
/* Why a call failed: code and rings of branches in, decisions out. */
#include <errno.h>
#include <linux/perf_event.h>

#include "unit.h"

#if defined(__x86_64__)

#include "decision_code.h"

enum {
	CHECK,
	CLEANUP,
	OUTER,
	TESTS,
	TAIL,
	INDIRECT,
	SPILLED,
	FRAMED,
	COMPUTED,
	CHOSEN,
	KEPT,
	ALWAYS,
	WARNS,
	TABLE,
	AGAIN,
	HEADER,
	PASSED,
	OPERATORS,
	APART,
	NR_FUNCS,
};

static const char *const func_names[] = {
	[CHECK] = "check",     [CLEANUP] = "cleanup", [OUTER] = "outer",
	[TESTS] = "tests",     [TAIL] = "tail",	      [INDIRECT] = "indirect",
	[SPILLED] = "spilled", [FRAMED] = "framed",   [COMPUTED] = "computed",
	[CHOSEN] = "chosen",   [KEPT] = "kept",	      [ALWAYS] = "always",
	[WARNS] = "warns",     [TABLE] = "table",     [AGAIN] = "again",
	[HEADER] = "header",   [PASSED] = "passed",   [OPERATORS] = "operators",
	[APART] = "apart",
};

#include "decision_play.h"
#include "util/explain/decider.h"

TEST_F(decision, the_last_branch_taken_before_the_error_decided)
{
	CALLED(check_body);
	TOOK(check_je2, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je2, 59, true);
	/* That is not where the operator is. */
	EXPECT_EQ(0, self->decision.from.column);
	EXPECT_EQ(AT(check_bad), self->decision.to.addr);
	EXPECT_EQ(63, self->decision.to.line);
	EXPECT_TRUE(self->decision.to_shared);
	EXPECT_FALSE(self->decision.to_merged);
	EXPECT_EQ(59, self->decision.tested.line);
}

TEST_F(decision, errors_of_one_function_are_told_apart)
{
	CALLED(check_body);
	TOOK(check_je1, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je1, 58, true);
	EXPECT_EQ(5, self->decision.from.column);
	self->nr = 0;
	CALLED(check_body);
	TOOK(check_jne3, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_jne3, 60, true);
	self->nr = 0;
	CALLED(check_body);
	TOOK(check_js4, check_big);
	RETURNED_BY_THUNK(check_leave_big);
	decided(self, CHECK, -E2BIG);
	EXPECT_BRANCH(DECISION_TAKEN, check_js4, 70, true);
}

TEST_F(decision, lines_that_were_passed_over)
{
	CALLED(check_body);
	TOOK(check_je1, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_EQ(59, self->decision.skipped_first);
	EXPECT_EQ(60, self->decision.skipped_last);
	/* What did run is not among them. */
	self->nr = 0;
	CALLED(check_body);
	TOOK(check_je2, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_EQ(60, self->decision.skipped_first);
	EXPECT_EQ(60, self->decision.skipped_last);
}

TEST_F(decision, what_is_behind_an_operator_is_on_the_next_line)
{
	CALLED(operators_body);
	TOOK(operators_jne, operators_bad);
	RETURNED(operators_ret);
	decided(self, OPERATORS, -EINVAL);
	/* The operator ends line 181. */
	EXPECT_BRANCH(DECISION_TAKEN, operators_jne, 182, true);
	EXPECT_EQ(183, self->decision.skipped_first);
	EXPECT_EQ(183, self->decision.skipped_last);
	/* The first one stands at the beginning. */
	self->nr = 0;
	CALLED(operators_body);
	TOOK(operators_je, operators_bad);
	RETURNED(operators_ret);
	decided(self, OPERATORS, -EINVAL);
	EXPECT_EQ(182, self->decision.skipped_first);
	EXPECT_EQ(183, self->decision.skipped_last);
	self->nr = 0;
	CALLED(operators_body);
	TOOK(operators_jne2, operators_bad);
	RETURNED(operators_ret);
	decided(self, OPERATORS, -EINVAL);
	EXPECT_EQ(0, self->decision.skipped_first);
}

TEST_F(decision, an_operator_in_front_of_another_statement_is_on_its_line)
{
	CALLED(apart_body);
	TOOK(apart_jne, apart_bad);
	RETURNED(apart_ret);
	decided(self, APART, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, apart_jne, 201, true);
	EXPECT_EQ(14, self->decision.from.column);
	/* Nor is one that has more behind it. */
	self->nr = 0;
	CALLED(apart_body);
	TOOK(apart_je2, apart_bad);
	RETURNED(apart_ret);
	decided(self, APART, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, apart_je2, 202, true);
	EXPECT_EQ(10, self->decision.from.column);
}

TEST_F(decision, a_constant_without_code_of_its_own_is_not_passed_over)
{
	/* Line 172, "return -EINVAL;", has its code at the closing brace. */
	CALLED(passed_body);
	TOOK(passed_je, passed_bad);
	RETURNED(passed_ret);
	decided(self, PASSED, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, passed_je, 171, true);
	EXPECT_EQ(173, self->decision.skipped_first);
	EXPECT_EQ(174, self->decision.skipped_last);
}

TEST_F(decision, lines_before_the_oldest_record_may_have_run)
{
	TOOK(passed_je, passed_bad);
	RETURNED(passed_ret);
	decided(self, PASSED, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, passed_je, 171, true);
	EXPECT_EQ(0, self->decision.skipped_first);
}

TEST_F(decision, a_branch_not_taken_can_decide)
{
	CALLED(tests_body);
	TOOK(tests_call, capable);
	TOOK(capable_ret, tests_after);
	RETURNED(tests_ret);
	decided(self, TESTS, -EPERM);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, tests_jne, 41, true);
	EXPECT_STREQ("capable", self->decision.tested_callee);
	EXPECT_EQ(42, self->decision.to.line);
	EXPECT_EQ(0, self->decision.callees.len);
}

TEST_F(decision, cleanups_and_the_stack_protector_decide_nothing)
{
	CALLED(cleanup_body);
	TOOK(cleanup_je, cleanup_out);
	TOOK(cleanup_call_free, kfree);
	TOOK(kfree, cleanup_after_free);
	TOOK(cleanup_loop, cleanup_call_free);
	TOOK(cleanup_call_free, kfree);
	TOOK(kfree, cleanup_after_free);
	RETURNED(cleanup_ret);
	decided(self, CLEANUP, -ENOMEM);
	EXPECT_BRANCH(DECISION_TAKEN, cleanup_je, 12, true);
}

TEST_F(decision, the_errno_may_be_ready_before_the_branch)
{
	CALLED(cleanup_body);
	TOOK(cleanup_je, cleanup_out);
	TOOK(cleanup_jfree, cleanup_done);
	RETURNED(cleanup_ret);
	decided(self, CLEANUP, -ENOMEM);
	EXPECT_BRANCH(DECISION_TAKEN, cleanup_je, 12, true);
}

static void outer_with_check(FIXTURE_DATA(decision) * self)
{
	CALLED(outer_body);
	TOOK(outer_call, check);
	TOOK(check_je2, check_bad);
	TOOK(check_leave, __x86_return_thunk);
	TOOK(__x86_return_thunk, outer_after);
	TOOK(outer_jne, outer_failed);
	TOOK(outer_call_end, finish);
	TOOK(finish_ret, outer_after_end);
	TOOK(outer_je, outer_done);
	RETURNED(outer_ret);
}

TEST_F(decision, an_error_handed_on_was_decided_in_the_function_called)
{
	outer_with_check(self);
	decided(self, OUTER, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je2, 59, true);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("check", self->decision.callees.data[0].name);
	EXPECT_EQ(AT(outer_call), self->decision.callees.data[0].call.addr);
	EXPECT_EQ(31, self->decision.callees.data[0].call.line);
}

TEST_F(decision, another_result_that_could_have_taken_its_place_did_not_decide)
{
	/* A constant first, the same check for a later error behind it. */
	outer_with_check(self);
	decided(self, OUTER, -EINVAL);
	EXPECT_NE(AT(outer_je), self->decision.from.addr);
}

TEST_F(decision, where_the_function_called_is_older_it_is_named)
{
	/* Its own branches are not there any more. */
	TOOK(__x86_return_thunk, outer_after);
	TOOK(outer_jne, outer_failed);
	TOOK(outer_call_end, finish);
	TOOK(finish_ret, outer_after_end);
	TOOK(outer_je, outer_done);
	RETURNED(outer_ret);
	decided(self, OUTER, -EINVAL);
	EXPECT_NONE("the branch records do not go back far enough");

	self->nr = 0;
	TOOK(outer_call, check);
	TOOK(__x86_return_thunk, outer_after);
	TOOK(outer_jne, outer_failed);
	TOOK(outer_call_end, finish);
	TOOK(finish_ret, outer_after_end);
	TOOK(outer_je, outer_done);
	RETURNED(outer_ret);
	decided(self, OUTER, -EINVAL);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("check", self->decision.callees.data[0].name);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, a_tail_call_hands_on)
{
	CALLED(tail_body);
	TOOK(tail_jmp, check);
	TOOK(check_je1, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, TAIL, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je1, 58, true);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("check", self->decision.callees.data[0].name);
	EXPECT_EQ(52, self->decision.callees.data[0].call.line);
}

TEST_F(decision, an_indirect_call_is_known_by_who_returned)
{
	CALLED(indirect_body);
	TOOK(indirect_call, __x86_indirect_thunk_rax);
	TOOK(thunk_jmp, check);
	TOOK(check_je1, check_bad);
	TOOK(check_leave, __x86_return_thunk);
	TOOK(__x86_return_thunk, indirect_after);
	RETURNED(indirect_ret);
	decided(self, INDIRECT, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je1, 58, true);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("check", self->decision.callees.data[0].name);
}

TEST_F(decision, a_result_on_the_stack_whose_address_nobody_has_is_sure)
{
	CALLED(spilled_body);
	TOOK(spilled_call, check);
	TOOK(check_je1, check_bad);
	TOOK(check_leave, __x86_return_thunk);
	TOOK(__x86_return_thunk, spilled_after);
	TOOK(spilled_call_free, kfree);
	TOOK(kfree, spilled_after_free);
	TOOK(spilled_je, spilled_out);
	RETURNED(spilled_ret);
	decided(self, SPILLED, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je1, 58, true);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("check", self->decision.callees.data[0].name);
}

TEST_F(decision, a_cleanup_that_keeps_the_error_on_the_stack_decides_nothing)
{
	CALLED(framed_body);
	TOOK(framed_je, framed_bad);
	TOOK(framed_jmp, framed_put);
	TOOK(framed_jput, framed_out);
	RETURNED(framed_ret);
	decided(self, FRAMED, -EFAULT);
	EXPECT_BRANCH(DECISION_TAKEN, framed_je, 91, true);

	/* Where the records begin behind it, there is none to be told. */
	self->nr = 0;
	TOOK(framed_jput, framed_out);
	RETURNED(framed_ret);
	decided(self, FRAMED, -EFAULT);
	EXPECT_NONE("the branch records do not go back far enough");
}

TEST_F(decision, a_result_may_come_without_a_branch)
{
	CALLED(computed_body);
	RETURNED(computed_ret);
	decided(self, COMPUTED, -E2BIG);
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);
	EXPECT_EQ(101, self->decision.from.line);

	self->nr = 0;
	CALLED(chosen_body);
	TOOK(chosen_call, capable);
	TOOK(capable_ret, chosen_after);
	RETURNED(chosen_ret);
	decided(self, CHOSEN, -EPERM);
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	EXPECT_FALSE(self->decision.likely);
	EXPECT_EQ(107, self->decision.from.line);
	EXPECT_STREQ("capable", self->decision.tested_callee);

	self->nr = 0;
	CALLED(always_body);
	RETURNED(always_ret);
	decided(self, ALWAYS, -EOPNOTSUPP);
	EXPECT_EQ(DECISION_SET, self->decision.kind);
	EXPECT_EQ(116, self->decision.from.line);
}

TEST_F(decision, a_branch_on_the_errno_itself_was_settled_with_it)
{
	CALLED(kept_body);
	TOOK(kept_js, kept_out);
	RETURNED(kept_ret);
	decided(self, KEPT, -EIO);
	EXPECT_EQ(DECISION_READ, self->decision.kind);
	EXPECT_EQ(111, self->decision.from.line);
}

TEST_F(decision, warnings_and_parts_elsewhere_are_on_the_way)
{
	CALLED(warns_body);
	TOOK(warns_je, warns_bad);
	TOOK(warns_bad, warns_there);
	took_inside(self, AT(warns_ud2), INTERRUPT);
	took_inside(self, INTERRUPT + 0x80, AT(warns_after));
	TOOK(warns_jmp, warns_back);
	RETURNED(warns_ret);
	decided(self, WARNS, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, warns_je, 121, true);
}

TEST_F(decision, interrupts_come_back_to_where_they_cut_in)
{
	CALLED(check_body);
	took_inside(self, AT(check_je1), INTERRUPT);
	took_inside(self, INTERRUPT + 0x80, AT(check_je1));
	TOOK(check_je2, check_bad);
	took_inside(self, AT(check_leave), INTERRUPT);
	took_inside(self, INTERRUPT + 0x80, AT(check_leave));
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je2, 59, true);
	EXPECT_EQ(60, self->decision.skipped_first);
}

TEST_F(decision, an_exception_that_leads_elsewhere_hides_what_was_before)
{
	CALLED(check_body);
	took_inside(self, AT(check_body), INTERRUPT);
	took_inside(self, INTERRUPT + 0x80, AT(check_bad));
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_NONE("an exception led elsewhere");
}

TEST_F(decision, a_table_of_places_leaves_doubt)
{
	CALLED(table_body);
	TOOK(table_ja, table_out);
	RETURNED(table_ret);
	decided(self, TABLE, -ENOTTY);
	EXPECT_BRANCH(DECISION_TAKEN, table_ja, 131, false);
	EXPECT_STREQ("part of the code could not be followed", self->decision.reason);
}

TEST_F(decision, recursion_is_told_from_the_call_at_hand)
{
	CALLED(again_body);
	TOOK(again_call, again);
	TOOK(again_je, again_bad);
	TOOK(again_jmp, again_out);
	TOOK(again_ret, again_after);
	TOOK(again_je2, again_missing);
	TOOK(again_jmp2, again_out);
	RETURNED(again_ret);
	decided(self, AGAIN, -ENODATA);
	EXPECT_BRANCH(DECISION_TAKEN, again_je2, 143, true);
	EXPECT_STREQ("again", self->decision.tested_callee);
}

TEST_F(decision, conditions_of_headers_are_shown_where_they_are_used)
{
	CALLED(header_body);
	TOOK(header_jae, header_bad);
	RETURNED(header_ret);
	decided(self, HEADER, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, header_jae, 152, true);
	EXPECT_STREQ("kernel/test.c", self->decision.from.file);
	EXPECT_STREQ("inlined", self->decision.from.header_function);
	EXPECT_EQ(40, self->decision.from.header_line);
	EXPECT_EQ(153, self->decision.to.line);
}

TEST_F(decision, records_that_start_later_tell_nothing)
{
	RETURNED(tests_ret);
	decided(self, TESTS, -EPERM);
	EXPECT_NONE("the branch records do not go back far enough");
	self->nr = 0;
	TOOK(capable_ret, tests_after);
	RETURNED(tests_ret);
	decided(self, TESTS, -EPERM);
	/* The branch is there, even where the call that it asks is not. */
	EXPECT_BRANCH(DECISION_NOT_TAKEN, tests_jne, 41, true);
	EXPECT_EQ(NULL, self->decision.tested_callee);
}

TEST_F(decision, records_that_the_code_contradicts_tell_nothing)
{
	/* There is a branch in between that would have been recorded. */
	CALLED(check_body);
	TOOK(check_body, check_big);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_NONE("code and branch records do not agree");
	/* What it led to is another errno. */
	self->nr = 0;
	CALLED(check_body);
	TOOK(check_je1, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -ENOSYS);
	EXPECT_NONE("code and branch records do not agree");
	/* No return of it. */
	self->nr = 0;
	CALLED(check_body);
	TOOK(check_je1, check_bad);
	decided(self, CHECK, -EINVAL);
	EXPECT_NONE("the branch records do not show the function's return");
}

TEST_F(decision, without_code_nothing_is_known)
{
	self->readable = false;
	CALLED(check_body);
	TOOK(check_je1, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_NONE("the kernel's code cannot be read");
}

TEST_F(decision, lines_are_not_needed)
{
	self->symbolizer.no_lines = true;
	CALLED(check_body);
	TOOK(check_je1, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je1, 0, true);
	EXPECT_STREQ("check", self->decision.from.symbol);
	EXPECT_EQ(AT(check_je1) - AT(check), self->decision.from.offset);
}

TEST_F(decision, a_fused_compare_stands_for_its_branch)
{
	CALLED(check_body);
	/* test %eax, %eax is two bytes in front. */
	took(self, AT(check_je1) - 2, AT(check_bad));
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je1, 58, true);
}

TEST_F(decision, conditional_branches_alone_are_enough)
{
	self->types = PERF_SAMPLE_BRANCH_COND;
	TOOK(check_je2, check_bad);
	decided(self, CHECK, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je2, 59, true);

	/* Through a jump, and over calls, which have branches of their own. */
	self->nr = 0;
	TOOK(cleanup_je, cleanup_out);
	TOOK(check_je1, check_bad);
	TOOK(cleanup_loop, cleanup_call_free);
	decided(self, CLEANUP, -ENOMEM);
	/* The errno was ready before it. */
	EXPECT_NONE("the branch records do not go back far enough");
	self->nr = 0;
	TOOK(framed_je, framed_bad);
	TOOK(framed_jput, framed_out);
	decided(self, FRAMED, -EFAULT);
	EXPECT_BRANCH(DECISION_TAKEN, framed_je, 91, true);
}

TEST_F(decision, kinds_of_branches_without_conditions_tell_nothing)
{
	self->types = PERF_SAMPLE_BRANCH_ANY_CALL;
	TOOK(outer_call, check);
	TOOK(outer_call_end, finish);
	decided(self, OUTER, -EINVAL);
	EXPECT_NONE("conditional branches were not recorded; --lbr=any has them");
}

static void only_returns(FIXTURE_DATA(decision) * self)
{
	self->types = PERF_SAMPLE_BRANCH_ANY_RETURN;
}

TEST_F(decision, returns_alone_name_who_may_have_returned_it)
{
	only_returns(self);
	TOOK(check_leave, outer_after);
	TOOK(finish_ret, outer_after_end);
	RETURNED(outer_ret);
	decided(self, OUTER, -EINVAL);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	EXPECT_TRUE(self->decision.likely);
	ASSERT_EQ(1, self->decision.callees.len);
	/* Either could have been the result: the last one is named. */
	EXPECT_STREQ("finish", self->decision.callees.data[0].name);
}

TEST_F(decision, returns_of_what_cannot_be_the_result_are_not_named)
{
	only_returns(self);
	TOOK(check_leave, cleanup_after);
	TOOK(kfree, cleanup_after_free);
	RETURNED(cleanup_ret);
	decided(self, CLEANUP, -EINVAL);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("check", self->decision.callees.data[0].name);
	EXPECT_EQ(13, self->decision.callees.data[0].call.line);
}

TEST_F(decision, a_return_by_a_thunk_is_known_by_its_call)
{
	only_returns(self);
	took(self, AT(__x86_return_thunk), AT(cleanup_after));
	RETURNED(cleanup_ret);
	decided(self, CLEANUP, -EINVAL);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("check", self->decision.callees.data[0].name);
}

TEST_F(decision, what_the_function_set_itself_came_from_nobody)
{
	only_returns(self);
	TOOK(capable_ret, tests_after);
	RETURNED(tests_ret);
	decided(self, TESTS, -EPERM);
	EXPECT_EQ(0, self->decision.callees.len);
	EXPECT_NONE("the function may have set it itself; only returns were "
		    "recorded, --lbr=any shows more");
}

TEST_F(decision, records_of_nonsense_do_no_harm)
{
	static const uint64_t types[] = { PERF_SAMPLE_BRANCH_ANY, PERF_SAMPLE_BRANCH_COND,
					  PERF_SAMPLE_BRANCH_ANY_RETURN,
					  PERF_SAMPLE_BRANCH_ANY_CALL };
	static const int results[] = { -EINVAL, -ENOMEM, -EPERM, -E2BIG, -EFAULT, 0 };
	unsigned int seed = 11, said = 0;

	for (int round = 0; round < 1500; round++) {
		uint32_t id = round % NR_FUNCS;
		const struct plan_func *func = &self->funcs[id];

		self->nr = 0;
		self->types = types[rand_r(&seed) / 3 % 4];
		for (int i = rand_r(&seed) / 3 % 24; i-- > 0;) {
			const struct plan_func *other =
				rand_r(&seed) / 3 % 3 ? func :
							&self->funcs[rand_r(&seed) / 3 % NR_FUNCS];

			took(self, func->addr + rand_r(&seed) / 3 % func->size,
			     other->addr + rand_r(&seed) / 3 % other->size);
			if (!(rand_r(&seed) / 3 % 8))
				self->records[self->nr - 1].marks = BRANCH_IS_INTERRUPT;
		}
		took(self, func->addr + rand_r(&seed) / 3 % func->size, TRAMPOLINE);
		decided(self, id, results[rand_r(&seed) / 3 % 6]);
		said += self->decision.kind != DECISION_NONE;
		EXPECT_TRUE(self->decision.kind != DECISION_NONE || self->decision.reason);
	}
	EXPECT_GT(said, 10);
}

TEST_F(decision, nothing_is_said_of_calls_that_did_not_fail)
{
	struct decider *decider;
	struct branches branches = {};
	const struct code_source code = { read_test_code, &self->readable };

	ASSERT_EQ(0, decider_new(&self->symbolizer, &self->plan, &code, self->types, &decider));
	self->session.nr_branches = 1;
	self->session.branches = self->ring;
	self->session.frames = &self->frame;
	self->session.nr_frames = 1;
	ASSERT_EQ(0, decide_it(self, decider, &branches));
	EXPECT_EQ(DECISION_NONE, self->decision.kind);
	EXPECT_EQ(NULL, self->decision.reason);
	/* Nor where no branch is left, which is said elsewhere. */
	self->session.failed = true;
	branches.none_left = true;
	ASSERT_EQ(0, decide_it(self, decider, &branches));
	EXPECT_EQ(DECISION_NONE, self->decision.kind);
	EXPECT_EQ(NULL, self->decision.reason);
	decider_free(decider);
}

#endif

TEST_HARNESS_MAIN
