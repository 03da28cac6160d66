// SPDX-License-Identifier: BSD-2-Clause
/* Why a call failed: code and rings of branches in, decisions out. */
#include <errno.h>
#include <linux/perf_event.h>

#include "decision_fixture.h"

#include "util/trace/branch_trim.h"
#include "util/trace/session.h"

#if defined(__x86_64__)

/* clang-format off */
asm(KERNEL
    FUNC(__x86_return_thunk)
	"ret\n"
    END(__x86_return_thunk)
    FUNC(__stack_chk_fail)
	"ud2\n"
    END(__stack_chk_fail)
    FUNC(kfree)
	"ret\n"
    END(kfree)
    FUNC(__x86_indirect_thunk_rax)
    LABEL(thunk_jmp)
	"jmp *%rax\n"
    END(__x86_indirect_thunk_rax)

    /* Several conditions, one return. */
    FUNC(check)
    LINE(53, 1)
	ENTRY
    LABEL(check_body)
    LINE(58, 5)
	"mov (%rdi), %eax\n"
	"test %eax, %eax\n"
    LABEL(check_je1)
	"je k_check_bad\n"
    LINE(59, 10)
	"mov 8(%rdi), %eax\n"
    LINE(58, 52)
	"test %eax, %eax\n"
    LABEL(check_je2)
	"je k_check_bad\n"
    LINE(60, 48)
	"testl $0xff, 16(%rdi)\n"
    LABEL(check_jne3)
	"jne k_check_bad\n"
    LINE(70, 5)
	"test %eax, %eax\n"
    LABEL(check_js4)
	"js k_check_big\n"
    LINE(75, 2)
	"xor %eax, %eax\n"
	"jmp k___x86_return_thunk\n"
    LABEL(check_bad)
    LINE(63, 10)
	"mov $-22, %eax\n"
    LABEL(check_leave)
	"jmp k___x86_return_thunk\n"
    LABEL(check_big)
    LINE(71, 10)
	"mov $-7, %eax\n"
    LABEL(check_leave_big)
	"jmp k___x86_return_thunk\n"
    END(check)

    /* An errno that is ready before, cleanups, a protected stack. */
    FUNC(cleanup)
    LINE(10, 1)
	ENTRY
    LABEL(cleanup_body)
	"push %rbx\n"
	"push %r12\n"
    LINE(11, 6)
	"mov $-12, %ebx\n"
    LINE(12, 6)
	"test %rdi, %rdi\n"
    LABEL(cleanup_je)
	"je k_cleanup_out\n"
    LINE(13, 2)
	"call k_check\n"
    LABEL(cleanup_after)
	"mov %eax, %ebx\n"
    LABEL(cleanup_out)
    LINE(20, 6)
	"test %r12, %r12\n"
    LABEL(cleanup_jfree)
	"je k_cleanup_done\n"
    LINE(21, 3)
    LABEL(cleanup_call_free)
	"call k_kfree\n"
    LABEL(cleanup_after_free)
    LINE(22, 2)
	"dec %r12\n"
    LABEL(cleanup_loop)
	"jne k_cleanup_call_free\n"
    LABEL(cleanup_done)
    LINE(25, 1)
	"mov 8(%rsp), %rax\n"
	"sub %gs:0x28, %rax\n"
    LABEL(cleanup_jfail)
	"jne k_cleanup_fail\n"
	"mov %ebx, %eax\n"
	"pop %r12\n"
	"pop %rbx\n"
    LABEL(cleanup_ret)
	"ret\n"
    LABEL(cleanup_fail)
	"call k___stack_chk_fail\n"
    END(cleanup)

    /* What a call returned is handed on; another's takes its place. */
    FUNC(outer)
    LINE(30, 1)
	ENTRY
    LABEL(outer_body)
	"push %rbx\n"
    LINE(31, 8)
    LABEL(outer_call)
	"call k_check\n"
    LABEL(outer_after)
	"mov %eax, %ebx\n"
    LINE(32, 5)
	"test %eax, %eax\n"
    LABEL(outer_jne)
	"jne k_outer_failed\n"
    LINE(33, 2)
	"movl $1, (%rdi)\n"
    LABEL(outer_failed)
    LINE(35, 8)
    LABEL(outer_call_end)
	"call k_finish\n"
    LABEL(outer_after_end)
    LINE(36, 5)
	"test %eax, %eax\n"
    LABEL(outer_je)
	"je k_outer_done\n"
    LINE(37, 3)
	"mov %eax, %ebx\n"
    LABEL(outer_done)
    LINE(38, 2)
	"mov %ebx, %eax\n"
	"pop %rbx\n"
    LABEL(outer_ret)
	"ret\n"
    END(outer)
    FUNC(finish)
	"xor %eax, %eax\n"
    LABEL(finish_ret)
	"ret\n"
    END(finish)

    /* A call's result tested, and a constant instead. */
    FUNC(tests)
    LINE(40, 1)
	ENTRY
    LABEL(tests_body)
    LINE(41, 7)
    LABEL(tests_call)
	"call k_capable\n"
    LABEL(tests_after)
    LINE(41, 5)
	"test %al, %al\n"
    LABEL(tests_jne)
	"jne k_tests_ok\n"
    LINE(42, 10)
	"mov $-1, %eax\n"
    LABEL(tests_ret)
	"ret\n"
    LABEL(tests_ok)
    LINE(44, 2)
	"xor %eax, %eax\n"
	"ret\n"
    END(tests)
    FUNC(capable)
	"mov $0, %al\n"
    LABEL(capable_ret)
	"ret\n"
    END(capable)

    /* The last call's result is this function's, by one way or another. */
    FUNC(tail)
    LINE(50, 1)
	ENTRY
    LABEL(tail_body)
    LINE(51, 5)
	"test %rdi, %rdi\n"
    LABEL(tail_je)
	"je k_tail_bad\n"
    LINE(52, 9)
    LABEL(tail_jmp)
	"jmp k_check\n"
    LABEL(tail_bad)
	"mov $-14, %eax\n"
	"ret\n"
    END(tail)
    FUNC(indirect)
    LINE(55, 1)
	ENTRY
    LABEL(indirect_body)
	"sub $8, %rsp\n"
    LINE(56, 9)
	"mov 24(%rdi), %rax\n"
    LABEL(indirect_call)
	"call k___x86_indirect_thunk_rax\n"
    LABEL(indirect_after)
	"add $8, %rsp\n"
	"cltq\n"
    LABEL(indirect_ret)
	"ret\n"
    END(indirect)

    /* Kept on the stack, by rsp and by rbp. */
    FUNC(spilled)
    LINE(80, 1)
	ENTRY
    LABEL(spilled_body)
	"sub $0x18, %rsp\n"
    LINE(81, 8)
    LABEL(spilled_call)
	"call k_check\n"
    LABEL(spilled_after)
	"mov %eax, 0xc(%rsp)\n"
    LINE(82, 2)
    LABEL(spilled_call_free)
	"call k_kfree\n"
    LABEL(spilled_after_free)
    LINE(83, 5)
	"test $1, %r12b\n"
    LABEL(spilled_je)
	"je k_spilled_out\n"
    LINE(84, 3)
	"call k_kfree\n"
    LABEL(spilled_out)
	"mov 0xc(%rsp), %eax\n"
	"add $0x18, %rsp\n"
    LABEL(spilled_ret)
	"ret\n"
    END(spilled)
    FUNC(framed)
    LINE(90, 1)
	ENTRY
    LABEL(framed_body)
	"push %rbp\n"
	"mov %rsp, %rbp\n"
	"sub $0x20, %rsp\n"
    LINE(91, 5)
	"test %rdi, %rdi\n"
    LABEL(framed_je)
	"je k_framed_bad\n"
	"mov $0, %r9d\n"
    LABEL(framed_put)
    LINE(95, 5)
	"and $1, %r12d\n"
    LABEL(framed_jput)
	"je k_framed_out\n"
	"mov %r9d, -0x10(%rbp)\n"
	"call k_kfree\n"
	"mov -0x10(%rbp), %r9d\n"
    LABEL(framed_out)
	"mov %r9d, %eax\n"
	"leave\n"
    LABEL(framed_ret)
	"ret\n"
    LABEL(framed_bad)
    LINE(92, 9)
	"mov $-14, %r9d\n"
    LABEL(framed_jmp)
	"jmp k_framed_put\n"
    END(framed)

    /* Without branches. */
    FUNC(computed)
    LINE(100, 1)
	ENTRY
    LABEL(computed_body)
	"mov (%rdi), %eax\n"
    LINE(101, 9)
	"sar $31, %eax\n"
	"and $-7, %eax\n"
    LABEL(computed_ret)
	"ret\n"
    END(computed)
    FUNC(chosen)
    LINE(105, 1)
	ENTRY
    LABEL(chosen_body)
    LINE(106, 6)
    LABEL(chosen_call)
	"call k_capable\n"
    LABEL(chosen_after)
	"test %al, %al\n"
	"mov $-1, %eax\n"
    LINE(107, 9)
	"mov $0, %edx\n"
	"cmovne %edx, %eax\n"
    LABEL(chosen_ret)
	"ret\n"
    END(chosen)
    FUNC(kept)
    LINE(110, 1)
	ENTRY
    LABEL(kept_body)
    LINE(111, 9)
	"mov 8(%rdi), %eax\n"
    LINE(112, 5)
	"test %eax, %eax\n"
    LABEL(kept_js)
	"js k_kept_out\n"
	"xor %eax, %eax\n"
    LABEL(kept_out)
    LABEL(kept_ret)
	"ret\n"
    END(kept)
    FUNC(always)
    LINE(115, 1)
	ENTRY
    LABEL(always_body)
    LINE(116, 9)
	"mov $-95, %eax\n"
    LABEL(always_ret)
	"ret\n"
    END(always)

    /* A warning on the way, and a part that was moved away. */
    FUNC(warns)
    LINE(120, 1)
	ENTRY
    LABEL(warns_body)
    LINE(121, 5)
	"test %rdi, %rdi\n"
    LABEL(warns_je)
	"je k_warns_bad\n"
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(warns_bad)
	"jmp k_warns_there\n"
    LABEL(warns_back)
    LINE(122, 10)
	"mov $-22, %eax\n"
    LABEL(warns_ret)
	"ret\n"
    END(warns)
    ".set k_warns_cold_name, 0\n"
    "\n.pushsection test_symbols,\"aw\"\n.quad k_warns_there, k_end_warns_cold, 9001f\n"
    ".section .rodata\n9001: .asciz \"warns.cold\"\n.popsection\n"
    LABEL(warns_there)
    LINE(121, 7)
	"mov $1, %esi\n"
    LABEL(warns_ud2)
	"ud2\n"
    LABEL(warns_after)
    LABEL(warns_jmp)
	"jmp k_warns_back\n"
    END(warns_cold)

    /* A table of places to go to: what it leads to is not known. */
    FUNC(table)
    LINE(130, 1)
	ENTRY
    LABEL(table_body)
	"mov $-25, %eax\n"
    LINE(131, 2)
	"cmp $5, %edi\n"
    LABEL(table_ja)
	"ja k_table_out\n"
	"jmp *(%rax,%rdi,8)\n"
    LABEL(table_out)
    LABEL(table_ret)
	"ret\n"
    END(table)

    /* It calls itself. */
    FUNC(again)
    LINE(140, 1)
	ENTRY
    LABEL(again_body)
	"push %rbx\n"
    LINE(141, 5)
	"test %rdi, %rdi\n"
    LABEL(again_je)
	"je k_again_bad\n"
    LINE(142, 9)
	"mov (%rdi), %rdi\n"
    LABEL(again_call)
	"call k_again\n"
    LABEL(again_after)
    LINE(143, 5)
	"cmp $-2, %eax\n"
    LABEL(again_je2)
	"je k_again_missing\n"
	"xor %eax, %eax\n"
    LABEL(again_out)
	"pop %rbx\n"
    LABEL(again_ret)
	"ret\n"
    LABEL(again_bad)
	"mov $-2, %eax\n"
    LABEL(again_jmp)
	"jmp k_again_out\n"
    LABEL(again_missing)
    LINE(144, 10)
	"mov $-61, %eax\n"
    LABEL(again_jmp2)
	"jmp k_again_out\n"
    END(again)

    /* A condition of a header's. */
    FUNC(header)
    LINE(150, 1)
	ENTRY
    LABEL(header_body)
    INLINED(152, 40)
	"cmp $-4095, %rdi\n"
    LABEL(header_jae)
	"jae k_header_bad\n"
    LINE(155, 2)
	"movl $1, (%rdi)\n"
    LINE(160, 1)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(header_bad)
    LINE(153, 10)
	"mov $-22, %eax\n"
    LABEL(header_ret)
	"ret\n"
    END(header)

    /* A branch whose lines are passed over, alone. */
    FUNC(passed)
    LINE(170, 1)
	ENTRY
    LABEL(passed_body)
    LINE(171, 5)
	"test %rdi, %rdi\n"
    LABEL(passed_je)
	"je k_passed_bad\n"
    LINE(173, 2)
	"movl $1, (%rdi)\n"
    LINE(174, 2)
	"call k_kfree\n"
    LINE(175, 1)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(passed_bad)
    LINE(176, 1)
	"mov $-22, %eax\n"
    LABEL(passed_ret)
	"ret\n"
    END(passed)
    USER);
/* clang-format on */

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
	NR_FUNCS,
};

FIXTURE(decision)
{
	struct symbolizer symbolizer;
	struct plan_func funcs[NR_FUNCS];
	struct plan plan;
	bool readable;
	uint64_t types;
	struct event_branch ring[EVENT_MAX_BRANCHES];
	struct branch records[EVENT_MAX_BRANCHES];
	uint32_t nr;
	struct event_frame frame;
	struct session session;
	struct decision decision;
};

static void add_func(struct plan_func *func, const char *name)
{
	for (const struct test_symbol *s = __start_test_symbols; s < __stop_test_symbols; s++) {
		if (!strcmp(s->name, name))
			*func = (struct plan_func){ .addr = s->start,
						    .size = s->end - s->start,
						    .name = s->name,
						    .returns = RETURN_INT32 };
	}
}

FIXTURE_SETUP(decision)
{
	static const char *const names[] = {
		[CHECK] = "check",	 [CLEANUP] = "cleanup",	  [OUTER] = "outer",
		[TESTS] = "tests",	 [TAIL] = "tail",	  [INDIRECT] = "indirect",
		[SPILLED] = "spilled",	 [FRAMED] = "framed",	  [COMPUTED] = "computed",
		[CHOSEN] = "chosen",	 [KEPT] = "kept",	  [ALWAYS] = "always",
		[WARNS] = "warns",	 [TABLE] = "table",	  [AGAIN] = "again",
		[HEADER] = "header",	 [PASSED] = "passed",
	};

	for (int i = 0; i < NR_FUNCS; i++)
		add_func(&self->funcs[i], names[i]);
	self->plan.funcs.data = self->funcs;
	self->plan.funcs.len = NR_FUNCS;
	self->readable = true;
	self->types = PERF_SAMPLE_BRANCH_ANY;
}

FIXTURE_TEARDOWN(decision)
{
	decision_release(&self->decision);
}

/* The next branch, in the order they were taken. */
static void took(FIXTURE_DATA(decision) * self, uint64_t from, uint64_t to)
{
	self->records[self->nr++] = (struct branch){ .from = from, .to = to, .times = 1 };
}

/* The same, of an interrupt. */
static void took_inside(FIXTURE_DATA(decision) * self, uint64_t from, uint64_t to)
{
	took(self, from, to);
	self->records[self->nr - 1].marks = BRANCH_IS_INTERRUPT;
}

#define TOOK(from, to) took(self, AT(from), AT(to))
#define CALLED(func_body) took(self, TRAMPOLINE + 0x40, AT(func_body))
#define RETURNED(from) took(self, AT(from), TRAMPOLINE + 0x45)
#define RETURNED_BY_THUNK(from)                                                      \
	do {                                                                         \
		TOOK(from, __x86_return_thunk);                                      \
		took(self, AT(__x86_return_thunk), TRAMPOLINE + 0x45);               \
	} while (0)

static const struct decision *decided(FIXTURE_DATA(decision) * self, uint32_t func, int result)
{
	const struct code_source code = { read_test_code, &self->readable };
	struct branches branches = {};
	struct decider *decider;

	self->frame = (struct event_frame){ .func = func,
					    .flags = EVENT_FRAME_FAILED,
					    .result = (uint32_t)result };
	self->session = (struct session){
		.failed = true,
		.frames = &self->frame,
		.nr_frames = 1,
		.branches = self->ring,
		.nr_branches = self->nr,
		.branches_func = func,
		.branches_result = (uint32_t)result,
		.no_stack = true,
	};
	branches.v.data = self->records;
	branches.v.len = self->nr;
	branches.nr_shown = self->nr;
	if (decider_new(&self->symbolizer, &self->plan, &code, self->types, &decider) ||
	    decide(decider, &self->session, &branches, &self->decision))
		abort();
	decider_free(decider);
	return &self->decision;
}

#define EXPECT_BRANCH(kind_, label, line_, sure)                                      \
	do {                                                                          \
		EXPECT_EQ((kind_), self->decision.kind)                               \
		{                                                                     \
			TH_LOG("%s", self->decision.reason);                          \
		}                                                                     \
		EXPECT_EQ(AT(label), self->decision.from.addr);                       \
		EXPECT_EQ((line_), self->decision.from.line);                         \
		EXPECT_EQ((sure), !self->decision.likely);                            \
	} while (0)

#define EXPECT_NONE()                                             \
	do {                                                      \
		EXPECT_EQ(DECISION_NONE, self->decision.kind);    \
		EXPECT_NE(NULL, self->decision.reason);           \
	} while (0)

TEST_F(decision, the_last_branch_taken_before_the_error_decided)
{
	CALLED(check_body);
	TOOK(check_je2, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_je2, 58, true);
	EXPECT_EQ(52, self->decision.from.column);
	EXPECT_EQ(AT(check_bad), self->decision.to.addr);
	EXPECT_EQ(63, self->decision.to.line);
	EXPECT_TRUE(self->decision.to_shared);
	EXPECT_FALSE(self->decision.to_merged);
	/* What it was about is on the next line. */
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
	EXPECT_BRANCH(DECISION_TAKEN, check_je2, 58, true);
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
	EXPECT_NONE();

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

TEST_F(decision, what_was_kept_on_the_stack_is_likely)
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
	EXPECT_BRANCH(DECISION_TAKEN, check_je1, 58, false);
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
	EXPECT_NONE();
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
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);
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
	EXPECT_BRANCH(DECISION_TAKEN, check_je2, 58, true);
	EXPECT_EQ(60, self->decision.skipped_first);
}

TEST_F(decision, an_exception_that_leads_elsewhere_hides_what_was_before)
{
	CALLED(check_body);
	took_inside(self, AT(check_body), INTERRUPT);
	took_inside(self, INTERRUPT + 0x80, AT(check_bad));
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_NONE();
}

TEST_F(decision, a_table_of_places_leaves_doubt)
{
	CALLED(table_body);
	TOOK(table_ja, table_out);
	RETURNED(table_ret);
	decided(self, TABLE, -ENOTTY);
	EXPECT_BRANCH(DECISION_TAKEN, table_ja, 131, false);
	EXPECT_NE(NULL, self->decision.reason);
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
	EXPECT_NONE();
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
	EXPECT_NONE();
	/* What it led to is another errno. */
	self->nr = 0;
	CALLED(check_body);
	TOOK(check_je1, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -ENOSYS);
	EXPECT_NONE();
	/* No return of it. */
	self->nr = 0;
	CALLED(check_body);
	TOOK(check_je1, check_bad);
	decided(self, CHECK, -EINVAL);
	EXPECT_NONE();
}

TEST_F(decision, without_code_nothing_is_known)
{
	self->readable = false;
	CALLED(check_body);
	TOOK(check_je1, check_bad);
	RETURNED_BY_THUNK(check_leave);
	decided(self, CHECK, -EINVAL);
	EXPECT_NONE();
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
	EXPECT_BRANCH(DECISION_TAKEN, check_je2, 58, true);

	/* Through a jump, and over calls, which have branches of their own. */
	self->nr = 0;
	TOOK(cleanup_je, cleanup_out);
	TOOK(check_je1, check_bad);
	TOOK(cleanup_loop, cleanup_call_free);
	decided(self, CLEANUP, -ENOMEM);
	/* The errno was ready before it. */
	EXPECT_NONE();
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
	EXPECT_NONE();
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
	ASSERT_LE(1, self->decision.callees.len);
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
	EXPECT_NONE();
}

TEST_F(decision, nothing_is_said_of_calls_that_did_not_fail)
{
	struct decider *decider;
	struct branches branches = {};
	const struct code_source code = { read_test_code, &self->readable };

	ASSERT_EQ(0, decider_new(&self->symbolizer, &self->plan, &code, self->types, &decider));
	self->session.nr_branches = 1;
	self->session.branches = self->ring;
	ASSERT_EQ(0, decide(decider, &self->session, &branches, &self->decision));
	EXPECT_EQ(DECISION_NONE, self->decision.kind);
	EXPECT_EQ(NULL, self->decision.reason);
	/* Nor where no branch is left, which is said elsewhere. */
	self->session.failed = true;
	branches.none_left = true;
	ASSERT_EQ(0, decide(decider, &self->session, &branches, &self->decision));
	EXPECT_EQ(DECISION_NONE, self->decision.kind);
	EXPECT_EQ(NULL, self->decision.reason);
	decider_free(decider);
}

#endif

TEST_HARNESS_MAIN
