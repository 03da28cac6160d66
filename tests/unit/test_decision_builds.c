// SPDX-License-Identifier: BSD-2-Clause
/* Why a call failed, in code as other compilers, options and mitigations make it. */
#include <errno.h>

#include "decision_fixture.h"
#include "util/kernel/code/routine.h"
#include "util/trace/branches/branch_places.h"

#if defined(__x86_64__)

/* A symbol that code has no room for: it is made of two labels. */
#define SYMBOL(name, start, end)                                                      \
	"\n.pushsection test_symbols,\"aw\"\n.quad k_" #start ", k_" #end ", 9001f\n" \
	".section .rodata\n9001: .asciz \"" name "\"\n.popsection\n"

/* clang-format off */
asm(KERNEL
    FUNC(__x86_return_thunk)
	"ret\n"
    END(__x86_return_thunk)
    FUNC(srso_alias_safe_ret)
	"lea 8(%rsp), %rsp\n"
    LABEL(safe_ret_ret)
	"ret\n"
    END(srso_alias_safe_ret)
    FUNC(srso_alias_return_thunk)
	"call k_srso_alias_safe_ret\n"
	"ud2\n"
    END(srso_alias_return_thunk)
    FUNC(__x86_indirect_its_thunk_rax)
    LABEL(its_jmp)
	"jmp *%rax\n"
    END(__x86_indirect_its_thunk_rax)
    FUNC(kfree)
	"ret\n"
    END(kfree)

    /* Returns -EINVAL, by way of the thunk of AMD's. */
    FUNC(fails)
	ENTRY
    LABEL(fails_body)
    LINE(5, 9)
	"mov $-22, %eax\n"
    LABEL(fails_leave)
	"jmp k_srso_alias_return_thunk\n"
    END(fails)

    FUNC(__put_user_4)
	"mov $0x7fffffffeffd, %rbx\n"
	"cmp %rbx, %rcx\n"
    LABEL(put_user_jae)
	"jae k_put_user_bad\n"
	"mov %eax, (%rcx)\n"
	"xor %ecx, %ecx\n"
    LABEL(put_user_ret)
	"ret\n"
    LABEL(put_user_bad)
	"mov $-14, %ecx\n"
    LABEL(put_user_bad_ret)
	"ret\n"
    END(__put_user_4)
    FUNC(__get_user_nocheck_8)
	"mov (%rax), %rdx\n"
	"xor %eax, %eax\n"
    LABEL(get_user_ret)
	"ret\n"
    END(__get_user_nocheck_8)

    /* A result that is kept where other functions would not leave it. */
    FUNC(keeps)
	ENTRY
    LABEL(keeps_body)
    LINE(10, 8)
    LABEL(keeps_call)
	"call k_fails\n"
    LABEL(keeps_after)
	"mov %eax, %esi\n"
    LINE(11, 6)
	"xor %eax, %eax\n"
	"mov %r12, %rcx\n"
    LABEL(keeps_call_put)
	"call k___put_user_4\n"
    LABEL(keeps_after_put)
	"test %ecx, %ecx\n"
    LABEL(keeps_jne)
	"jne k_keeps_bad\n"
    LINE(12, 6)
	"mov %r12, %rax\n"
    LABEL(keeps_call_get)
	"call k___get_user_nocheck_8\n"
    LABEL(keeps_after_get)
	"test %eax, %eax\n"
	"jne k_keeps_bad\n"
	"mov %esi, %eax\n"
    LABEL(keeps_ret)
	"ret\n"
    LABEL(keeps_bad)
    LINE(13, 10)
	"mov %ecx, %eax\n"
    LABEL(keeps_bad_ret)
	"ret\n"
    END(keeps)

    /* Through a thunk. */
    FUNC(through)
	ENTRY
    LABEL(through_body)
    LINE(20, 9)
	"mov 24(%rdi), %rax\n"
    LABEL(through_call)
	"call k___x86_indirect_its_thunk_rax\n"
    LABEL(through_after)
	"cltq\n"
    LABEL(through_ret)
	"ret\n"
    END(through)

    /* Traps on the other side of a branch: behind one of them nothing else leads. */
    FUNC(warned)
	ENTRY
    LABEL(warned_body)
	"mov $-2, %eax\n"
    LINE(31, 5)
	"test %rdi, %rdi\n"
    LABEL(warned_je)
	"je k_warned_zero\n"
    LINE(32, 5)
	"test %esi, %esi\n"
    LABEL(warned_jne)
	"jne k_warned_trap\n"
    LABEL(warned_ret)
	"ret\n"
    LABEL(warned_zero)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(warned_trap)
	"ud2\n"
	"mov $-22, %eax\n"
	"ret\n"
    END(warned)
    FUNC(printed)
	ENTRY
    LABEL(printed_body)
	"mov $-2, %eax\n"
    LINE(31, 5)
	"test %rdi, %rdi\n"
    LABEL(printed_je)
	"je k_printed_other\n"
    LINE(32, 5)
	"test %esi, %esi\n"
    LABEL(printed_jne)
	"jne k_printed_trap\n"
    LABEL(printed_ret)
	"ret\n"
    LABEL(printed_trap)
	".byte 0x67, 0x48, 0x0f, 0xb9, 0x3a\n"
    LABEL(printed_other)
	"mov $-22, %eax\n"
	"ret\n"
    END(printed)
    FUNC(doubted)
	ENTRY
    LABEL(doubted_body)
	"mov $-2, %eax\n"
    LINE(31, 5)
	"test %rdi, %rdi\n"
    LABEL(doubted_je)
	"je k_doubted_other\n"
    LINE(32, 5)
	"test %esi, %esi\n"
    LABEL(doubted_jne)
	"jne k_doubted_trap\n"
    LABEL(doubted_ret)
	"ret\n"
    LABEL(doubted_trap)
	"ud2\n"
    LABEL(doubted_other)
	"mov $-22, %eax\n"
	"ret\n"
    END(doubted)
    /* A copy to the program's memory after the result was set: its size is checked, then its end. */
    FUNC(copied)
	ENTRY
    LABEL(copied_body)
	"mov $-2, %eax\n"
    LINE(31, 5)
	"test %rdi, %rdi\n"
    LABEL(copied_je)
	"je k_copied_fine\n"
    LINE(32, 5)
	"test %esi, %esi\n"
    LABEL(copied_size)
	"jne k_copied_trap\n"
	"test %edx, %edx\n"
    LABEL(copied_jne)
	"jne k_copied_fault\n"
    LABEL(copied_ret)
	"ret\n"
    LABEL(copied_trap)
	"ud2\n"
    LABEL(copied_fault)
	"mov $-14, %eax\n"
	"ret\n"
    LABEL(copied_fine)
	"xor %eax, %eax\n"
	"ret\n"
    END(copied)
    FUNC(bugged)
	ENTRY
    LABEL(bugged_body)
	"mov $-2, %eax\n"
    LINE(31, 5)
	"test %rdi, %rdi\n"
    LABEL(bugged_je)
	"je k_bugged_other\n"
    LINE(32, 5)
	"test %esi, %esi\n"
    LABEL(bugged_jne)
	"jne k_bugged_trap\n"
    LABEL(bugged_ret)
	"ret\n"
    LABEL(bugged_trap)
	"ud2\n"
	"nopw 0(%rax,%rax,1)\n"
    LABEL(bugged_other)
	"mov $-22, %eax\n"
	"ret\n"
    END(bugged)
    /* UBSAN's, and a check of an indirect call's type. */
    FUNC(checked)
	ENTRY
    LABEL(checked_body)
	"mov $-2, %ebx\n"
    LINE(31, 5)
	"test %rdi, %rdi\n"
    LABEL(checked_je)
	"je k_checked_zero\n"
    LINE(32, 5)
	"cmp $4, %rsi\n"
    LABEL(checked_ja)
	"ja k_checked_trap\n"
    LINE(33, 2)
	"mov $0x12345678, %r10d\n"
	"add -15(%r11), %r10d\n"
    LABEL(checked_type)
	"je k_checked_call\n"
	"ud2\n"
    LABEL(checked_call)
	"call *%r11\n"
    LABEL(checked_after)
	"mov %ebx, %eax\n"
    LABEL(checked_ret)
	"ret\n"
    LABEL(checked_trap)
	"ud1 2(%eax), %eax\n"
    LABEL(checked_zero)
	"xor %eax, %eax\n"
	"ret\n"
    END(checked)

    /* Indirect calls may not come here: endbr64 was overwritten, in two ways. */
    FUNC(sealed)
	".byte 0x66, 0x0f, 0x1f, 0x00, 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
    LABEL(sealed_body)
    LINE(40, 9)
	"mov $-95, %eax\n"
    LABEL(sealed_ret)
	"ret\n"
    END(sealed)
    FUNC(resealed)
	".byte 0x0f, 0x1f, 0x40, 0xd6, 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
    LABEL(resealed_body)
    LINE(41, 9)
	"mov $-95, %eax\n"
    LABEL(resealed_ret)
	"ret\n"
    END(resealed)
    /* The type of an indirect call is checked on the way in. */
    SYMBOL("__cfi_fine", cfi_fine, fine)
    LABEL(cfi_fine)
	"endbr64\n"
	"sub $0x12345678, %r10d\n"
    LABEL(cfi_fine_je)
	"je k_fine\n"
	"ud2\n"
	"nop\n"
    FUNC(fine)
	".byte 0x0f, 0x1f, 0x40, 0xd6, 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
    LABEL(fine_body)
    LINE(45, 9)
	"mov $-95, %eax\n"
    LABEL(fine_ret)
	"ret\n"
    END(fine)
    FUNC(calls_fine)
	ENTRY
    LABEL(calls_fine_body)
    LINE(47, 9)
    LABEL(calls_fine_call)
	"call *%r11\n"
    LABEL(calls_fine_after)
	"cltq\n"
    LABEL(calls_fine_ret)
	"ret\n"
    END(calls_fine)

    /* The result is there already when a cleanup is asked whether it failed, too. */
    FUNC(finalized)
	ENTRY
    LABEL(finalized_body)
	"push %rbx\n"
	"mov $-22, %ebx\n"
    LINE(60, 6)
	"cmpl $32, (%rdi)\n"
    LABEL(finalized_ja)
	"ja k_finalized_out\n"
	"xor %ebx, %ebx\n"
    LABEL(finalized_out)
    LINE(65, 8)
    LABEL(finalized_call)
	"call k_fine\n"
    LABEL(finalized_after)
    LINE(66, 6)
	"test %eax, %eax\n"
    LABEL(finalized_je)
	"je k_finalized_kept\n"
    LABEL(finalized_return)
	"pop %rbx\n"
    LABEL(finalized_ret)
	"ret\n"
    LABEL(finalized_kept)
    LINE(68, 2)
	"mov %ebx, %eax\n"
    LABEL(finalized_jmp)
	"jmp k_finalized_return\n"
    END(finalized)
    /* The same without a branch before it: that one decided. */
    FUNC(looked_up)
	ENTRY
    LABEL(looked_up_body)
	"push %rbx\n"
	"mov $-2, %ebx\n"
    LINE(70, 8)
    LABEL(looked_up_call)
	"call k_fine\n"
    LABEL(looked_up_after)
    LINE(71, 6)
	"test %eax, %eax\n"
    LABEL(looked_up_jle)
	"jle k_looked_up_none\n"
	"pop %rbx\n"
	"ret\n"
    LABEL(looked_up_none)
    LINE(72, 2)
	"mov %ebx, %eax\n"
	"pop %rbx\n"
    LABEL(looked_up_ret)
	"ret\n"
    END(looked_up)

    /* A frame's pointer: put there by rsp, taken from there by rbp, and rsp is back in the end. */
    FUNC(framed)
	ENTRY
    LABEL(framed_body)
	"push %rbp\n"
	"mov %rsp, %rbp\n"
	"push %rbx\n"
	"sub $0x18, %rsp\n"
    LINE(50, 8)
    LABEL(framed_call)
	"call k_fails\n"
    LABEL(framed_after)
	"mov %eax, 4(%rsp)\n"
    LABEL(framed_call_free)
	"call k_kfree\n"
    LABEL(framed_after_free)
	"mov -0x1c(%rbp), %eax\n"
	"mov -8(%rbp), %rbx\n"
	"leave\n"
    LABEL(framed_ret)
	"ret\n"
    END(framed)
    FUNC(unwound)
	ENTRY
    LABEL(unwound_body)
	"push %rbp\n"
	"mov %rsp, %rbp\n"
	"push %rbx\n"
	"sub %rdx, %rsp\n"
    LINE(55, 8)
    LABEL(unwound_call)
	"call k_fails\n"
    LABEL(unwound_after)
	"lea -8(%rbp), %rsp\n"
	"push %rax\n"
    LABEL(unwound_call_free)
	"call k_kfree\n"
    LABEL(unwound_after_free)
	"pop %rax\n"
	"pop %rbx\n"
	"pop %rbp\n"
    LABEL(unwound_ret)
	"ret\n"
    END(unwound)
    USER);
/* clang-format on */

enum {
	FAILS,
	KEEPS,
	THROUGH,
	FINALIZED,
	LOOKED_UP,
	WARNED,
	PRINTED,
	DOUBTED,
	COPIED,
	BUGGED,
	CHECKED,
	SEALED,
	RESEALED,
	FINE,
	CALLS_FINE,
	FRAMED,
	UNWOUND,
	NR_FUNCS,
};

static const char *const func_names[] = {
	[FINALIZED] = "finalized", [LOOKED_UP] = "looked_up",
	[FAILS] = "fails",	 [KEEPS] = "keeps",	[THROUGH] = "through",
	[WARNED] = "warned",	 [PRINTED] = "printed", [DOUBTED] = "doubted",
	[BUGGED] = "bugged",	 [CHECKED] = "checked", [SEALED] = "sealed",
	[RESEALED] = "resealed", [FINE] = "fine",	[CALLS_FINE] = "calls_fine",
	[FRAMED] = "framed",	 [UNWOUND] = "unwound",	[COPIED] = "copied",
};

#include "decision_play.h"

/* fails() was called, and goes back by AMD's thunk. */
#define FAILED_BY(call, after)                                      \
	do {                                                        \
		TOOK(call, fails);                                  \
		TOOK(fails_leave, srso_alias_return_thunk);         \
		TOOK(srso_alias_return_thunk, srso_alias_safe_ret); \
		TOOK(safe_ret_ret, after);                          \
	} while (0)

#define EXPECT_CALLEE(name_)                                                         \
	do {                                                                         \
		ASSERT_EQ(1, self->decision.callees.len)                             \
		{                                                                    \
			TH_LOG("%d %s", self->decision.kind, self->decision.reason); \
		}                                                                    \
		EXPECT_STREQ(name_, self->decision.callees.data[0].name);            \
	} while (0)

TEST_F(decision, a_routine_of_assembly_leaves_other_registers_as_they_are)
{
	CALLED(keeps_body);
	FAILED_BY(keeps_call, keeps_after);
	TOOK(keeps_call_put, __put_user_4);
	TOOK(put_user_ret, keeps_after_put);
	TOOK(keeps_call_get, __get_user_nocheck_8);
	TOOK(get_user_ret, keeps_after_get);
	RETURNED(keeps_ret);
	decided(self, KEEPS, -EINVAL);
	EXPECT_CALLEE("fails");
}

TEST_F(decision, a_routine_of_assembly_has_its_result_in_a_register_of_its_own)
{
	CALLED(keeps_body);
	FAILED_BY(keeps_call, keeps_after);
	TOOK(keeps_call_put, __put_user_4);
	TOOK(put_user_jae, put_user_bad);
	TOOK(put_user_bad_ret, keeps_after_put);
	TOOK(keeps_jne, keeps_bad);
	RETURNED(keeps_bad_ret);
	decided(self, KEEPS, -EFAULT);
	EXPECT_CALLEE("__put_user_4");
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);

	/* The same with returns alone. */
	self->nr = 0;
	self->types = PERF_SAMPLE_BRANCH_ANY_RETURN;
	TOOK(safe_ret_ret, keeps_after);
	TOOK(put_user_bad_ret, keeps_after_put);
	RETURNED(keeps_bad_ret);
	decided(self, KEEPS, -EFAULT);
	EXPECT_CALLEE("__put_user_4");
}

TEST(routines_of_assembly_are_told_from_functions)
{
	EXPECT_NE(NULL, asm_routine_by_name("__get_user_1"));
	EXPECT_NE(NULL, asm_routine_by_name("__get_user_nocheck_8"));
	EXPECT_NE(NULL, asm_routine_by_name("__put_user_nocheck_2"));
	EXPECT_NE(NULL, asm_routine_by_name("__put_user_handle_exception"));
	EXPECT_EQ(NULL, asm_routine_by_name("__put_user_ns"));
	EXPECT_EQ(NULL, asm_routine_by_name("__get_user_pages"));
	EXPECT_EQ(NULL, asm_routine_by_name("__get_user_"));
	EXPECT_EQ(NULL, asm_routine_by_name("__get_user_16"));
	EXPECT_EQ(NULL, asm_routine_by_name("put_user_ifreq"));
}

TEST(thunks_are_the_same_for_all)
{
	static const char *const returns[] = {
		"__x86_return_thunk",	   "retbleed_return_thunk",   "srso_return_thunk",
		"srso_alias_return_thunk", "srso_safe_ret",	      "srso_alias_safe_ret",
		"its_return_thunk",	   "call_depth_return_thunk", "zen_untrain_ret",
		"retbleed_untrain_ret",	   "__x86_return_skl",
	};
	static const char *const calls[] = {
		"__x86_indirect_thunk_rax",	 "__x86_indirect_thunk_array",
		"__x86_indirect_call_thunk_r11", "__x86_indirect_jump_thunk_r8",
		"__x86_indirect_its_thunk_rax",	 "__x86_indirect_its_thunk_array",
		"__SCT__cond_resched",
		"__pi___x86_indirect_thunk_rax",
	};
	static const char *const others[] = {
		"its_static_thunk",   "cpu_wants_rethunk",	"warn_thunk_thunk",
		"efi_thunk_get_time", "preempt_schedule_thunk", "get_func_ret",
		"kprobe_emulate_ret",
	};

	for (size_t i = 0; i < ARRAY_SIZE(returns); i++) {
		EXPECT_EQ(RETURN_THUNK, thunk_kind(returns[i], NULL))
		{
			TH_LOG("%s", returns[i]);
		}
		EXPECT_EQ(CODE_THUNK, code_place_by_name(returns[i], NULL, 0).kind);
	}
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		EXPECT_EQ(CALL_THUNK, thunk_kind(calls[i], NULL))
		{
			TH_LOG("%s", calls[i]);
		}
	}
	/* A module has none, whatever its functions' names. */
	EXPECT_EQ(NO_THUNK, thunk_kind("set_return_thunk", "other"));
	EXPECT_EQ(CODE_OTHER, code_place_by_name("set_return_thunk", "other", 0).kind);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		EXPECT_EQ(NO_THUNK, thunk_kind(others[i], NULL))
		{
			TH_LOG("%s", others[i]);
		}
	}
}

TEST_F(decision, thunks_are_not_who_returned)
{
	CALLED(through_body);
	TOOK(through_call, __x86_indirect_its_thunk_rax);
	FAILED_BY(its_jmp, through_after);
	RETURNED(through_ret);
	decided(self, THROUGH, -EINVAL);
	EXPECT_CALLEE("fails");

	/* Who was called is not there, and the thunk is not it. */
	self->nr = 0;
	CALLED(through_body);
	TOOK(through_call, __x86_indirect_its_thunk_rax);
	TOOK(srso_alias_return_thunk, srso_alias_safe_ret);
	TOOK(safe_ret_ret, through_after);
	RETURNED(through_ret);
	decided(self, THROUGH, -EINVAL);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_EQ(NULL, self->decision.callees.data[0].name);
}

TEST_F(decision, an_error_that_may_have_come_later_does_not_decide)
{
	CALLED(finalized_body);
	TOOK(finalized_ja, finalized_out);
	TOOK(finalized_call, fine);
	TOOK(fine_ret, finalized_after);
	TOOK(finalized_je, finalized_kept);
	TOOK(finalized_jmp, finalized_return);
	RETURNED(finalized_ret);
	decided(self, FINALIZED, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, finalized_ja, 60, false);
}

TEST_F(decision, of_two_errors_a_call_decides)
{
	CALLED(looked_up_body);
	TOOK(looked_up_call, fine);
	TOOK(fine_ret, looked_up_after);
	TOOK(looked_up_jle, looked_up_none);
	RETURNED(looked_up_ret);
	decided(self, LOOKED_UP, -ENOENT);
	EXPECT_BRANCH(DECISION_TAKEN, looked_up_jle, 71, true);
}

TEST_F(decision, a_warning_comes_back)
{
	CALLED(warned_body);
	RETURNED(warned_ret);
	decided(self, WARNED, -ENOENT);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, warned_jne, 32, true);
	self->nr = 0;
	CALLED(printed_body);
	RETURNED(printed_ret);
	decided(self, PRINTED, -ENOENT);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, printed_jne, 32, true);
}

TEST_F(decision, a_bug_does_not)
{
	CALLED(bugged_body);
	RETURNED(bugged_ret);
	decided(self, BUGGED, -ENOENT);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, bugged_je, 31, true);
	/* Nor does what a check has found. */
	self->nr = 0;
	CALLED(checked_body);
	TOOK(checked_type, checked_call);
	TOOK(checked_call, kfree);
	TOOK(kfree, checked_after);
	RETURNED(checked_ret);
	decided(self, CHECKED, -ENOENT);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, checked_je, 31, true);
}

TEST_F(decision, where_a_trap_may_be_either_there_is_doubt)
{
	CALLED(doubted_body);
	RETURNED(doubted_ret);
	decided(self, DOUBTED, -ENOENT);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, doubted_je, 31, false);
	EXPECT_STREQ("another way ends in a trap that may be a WARN()", self->decision.reason);
}

TEST_F(decision, a_trap_before_efault_leaves_no_doubt)
{
	CALLED(copied_body);
	RETURNED(copied_ret);
	decided(self, COPIED, -ENOENT);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, copied_je, 31, true);
}

TEST_F(decision, a_warning_that_was_passed_is_on_the_way)
{
	self->types = PERF_SAMPLE_BRANCH_COND;
	TOOK(warned_jne, warned_trap);
	decided(self, WARNED, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, warned_jne, 32, true);
}

TEST_F(decision, sealed_functions_begin_behind_the_seal)
{
	CALLED(sealed_body);
	RETURNED(sealed_ret);
	decided(self, SEALED, -EOPNOTSUPP);
	EXPECT_EQ(DECISION_SET, self->decision.kind);
	EXPECT_EQ(40, self->decision.from.line);
	self->nr = 0;
	CALLED(resealed_body);
	RETURNED(resealed_ret);
	decided(self, RESEALED, -EOPNOTSUPP);
	EXPECT_EQ(DECISION_SET, self->decision.kind);
}

TEST_F(decision, calls_whose_type_is_checked_lead_into_the_function)
{
	CALLED(cfi_fine);
	RETURNED(fine_ret);
	decided(self, FINE, -EOPNOTSUPP);
	EXPECT_EQ(DECISION_SET, self->decision.kind);
	EXPECT_EQ(45, self->decision.from.line);

	self->nr = 0;
	CALLED(cfi_fine);
	TOOK(cfi_fine_je, fine);
	RETURNED(fine_ret);
	decided(self, FINE, -EOPNOTSUPP);
	EXPECT_EQ(DECISION_SET, self->decision.kind);

	/* By the caller's side. */
	self->nr = 0;
	CALLED(calls_fine_body);
	TOOK(calls_fine_call, cfi_fine);
	TOOK(cfi_fine_je, fine);
	TOOK(fine_ret, calls_fine_after);
	RETURNED(calls_fine_ret);
	decided(self, CALLS_FINE, -EOPNOTSUPP);
	EXPECT_CALLEE("fine");
	EXPECT_EQ(DECISION_SET, self->decision.kind);
}

TEST_F(decision, a_frames_places_are_the_stacks)
{
	CALLED(framed_body);
	FAILED_BY(framed_call, framed_after);
	TOOK(framed_call_free, kfree);
	TOOK(kfree, framed_after_free);
	RETURNED(framed_ret);
	decided(self, FRAMED, -EINVAL);
	EXPECT_CALLEE("fails");
	EXPECT_FALSE(self->decision.likely);

	/* The stack's pointer is taken from the frame's. */
	self->nr = 0;
	CALLED(unwound_body);
	FAILED_BY(unwound_call, unwound_after);
	TOOK(unwound_call_free, kfree);
	TOOK(kfree, unwound_after_free);
	RETURNED(unwound_ret);
	decided(self, UNWOUND, -EINVAL);
	EXPECT_CALLEE("fails");
}

#endif

TEST_HARNESS_MAIN
