// SPDX-License-Identifier: BSD-2-Clause
/*
 * Values kept on the stack or in a register and tested later: when it is certain that they were constants
 * or had bits cleared, so that an earlier branch decided, and when it is not.
 */
#include <errno.h>

#include "decision_fixture.h"

#if defined(__x86_64__)

/* if (!number) return 0; slot = 0; if (slot, tested by JUMP) return -EINVAL; return 0 */
#define COMPARES(name, jump)                    \
	FUNC(name)                              \
	ENTRY                                   \
	LABEL(name##_body)                      \
	"sub $24, %rsp\n"                       \
	"movl $0, 12(%rsp)\n"                   \
	LINE(10, 6)                             \
	"test %edi, %edi\n"                     \
	LABEL(name##_je)                        \
	"je k_" #name "_fine\n"                 \
	LINE(12, 6)                             \
	"cmpl $0, 12(%rsp)\n"                   \
	LABEL(name##_jump)                      \
	jump " k_" #name "_bad\n"               \
	LABEL(name##_fine)                      \
	"xor %eax, %eax\n"                      \
	"add $24, %rsp\n"                       \
	"ret\n"                                 \
	LABEL(name##_bad)                       \
	"mov $-22, %eax\n"                      \
	"add $24, %rsp\n"                       \
	LABEL(name##_ret)                       \
	"ret\n"                                 \
	END(name)

/* err = check(); slot = err; LENDS; fill(); err = slot; other slot = err; fill(); return other slot */
#define KEEPS(name, lends, other)               \
	FUNC(name)                              \
	ENTRY                                   \
	LABEL(name##_body)                      \
	"sub $24, %rsp\n"                       \
	LABEL(name##_check)                     \
	"call k_check\n"                        \
	LABEL(name##_checked)                   \
	"mov %eax, 12(%rsp)\n"                  \
	lends                                   \
	LABEL(name##_fill)                      \
	"call k_fill\n"                         \
	LABEL(name##_filled)                    \
	"mov 12(%rsp), %eax\n"                  \
	"mov %eax, " #other "(%rsp)\n"          \
	LABEL(name##_again)                     \
	"call k_fill\n"                         \
	LABEL(name##_filled_again)              \
	"mov " #other "(%rsp), %eax\n"          \
	"add $24, %rsp\n"                       \
	LABEL(name##_ret)                       \
	"ret\n"                                 \
	END(name)

/* if (!number) { err = -EROFS; CLEAR in rbp; } if (TEST of rbp) return 0; return err */
#define CLEARS(name, clear, test)               \
	FUNC(name)                              \
	ENTRY                                   \
	LABEL(name##_body)                      \
	"xor %eax, %eax\n"                      \
	LINE(20, 6)                             \
	"test %edi, %edi\n"                     \
	LABEL(name##_jne)                       \
	"jne k_" #name "_asked\n"               \
	"mov $-30, %eax\n"                      \
	clear                                   \
	LABEL(name##_asked)                     \
	LINE(22, 6)                             \
	test                                    \
	LABEL(name##_je)                        \
	"je k_" #name "_end\n"                  \
	"xor %eax, %eax\n"                      \
	LABEL(name##_end)                       \
	LABEL(name##_ret)                       \
	"ret\n"                                 \
	END(name)

/*
 * BEFORE; if (!kind) ops = NONE; else OTHER; if (!(flags & 4)) return -ENODEV; if (COMPARES ops, which is 0)
 * return -EOPNOTSUPP; return 0
 */
#define FINDS(name, before, none, other, compares, otherwise) \
	FUNC(name)                              \
	ENTRY                                   \
	LABEL(name##_body)                      \
	before                                  \
	LINE(70, 6)                             \
	"test %rdi, %rdi\n"                     \
	LABEL(name##_none)                      \
	"je k_" #name "_not_found\n"            \
	other                                   \
	LABEL(name##_asked)                     \
	LINE(72, 6)                             \
	"test $4, %esi\n"                       \
	LABEL(name##_je)                        \
	"je k_" #name "_no_device\n"            \
	LINE(74, 6)                             \
	compares                                \
	LABEL(name##_compared)                  \
	"jb k_" #name "_bad\n"                  \
	otherwise                               \
	"ret\n"                                 \
	LABEL(name##_not_found)                 \
	none                                    \
	LABEL(name##_jmp)                       \
	"jmp k_" #name "_asked\n"               \
	LABEL(name##_no_device)                 \
	"mov $-19, %eax\n"                      \
	"ret\n"                                 \
	LABEL(name##_bad)                       \
	"mov $-95, %eax\n"                      \
	LABEL(name##_ret)                       \
	"ret\n"                                 \
	END(name)

#define FOUND "mov (%rdi), %rcx\n"
#define NONE "xor %ecx, %ecx\n"
#define IS_NONE "cmp $1, %rcx\n"

/* clang-format off */
asm(KERNEL
    FINDS(finds, "", NONE, FOUND, IS_NONE, "xor %eax, %eax\n")
    FINDS(starts, NONE, "", FOUND, IS_NONE, "xor %eax, %eax\n")
    FINDS(numbers, "", NONE, "mov $1, %ecx\n", "cmp $2, %ecx\n", "xor %eax, %eax\n")
    FINDS(counts, "", NONE, "mov $2, %ecx\n", "cmp $2, %ecx\n", "xor %eax, %eax\n")
    FINDS(jumps, "", NONE, "mov $1, %ecx\n" "jmp *%rdx\n", "cmp $2, %ecx\n", "xor %eax, %eax\n")
    FINDS(fails, "", NONE, FOUND, IS_NONE, "mov $-22, %eax\n")
    /* -EOPNOTSUPP was set before, and another value of ops only replaces it */
    FUNC(replaces)
	ENTRY
    LABEL(replaces_body)
    LINE(70, 6)
	"test %rdi, %rdi\n"
    LABEL(replaces_none)
	"je k_replaces_not_found\n"
	FOUND
    LABEL(replaces_asked)
	"xor %eax, %eax\n"
    LINE(72, 6)
	"test $4, %esi\n"
    LABEL(replaces_je)
	"je k_replaces_fine\n"
	"mov $-95, %eax\n"
    LINE(74, 6)
	IS_NONE
    LABEL(replaces_compared)
	"jb k_replaces_fine\n"
	"mov $-5, %eax\n"
    LABEL(replaces_fine)
    LABEL(replaces_ret)
	"ret\n"
    LABEL(replaces_not_found)
	NONE
    LABEL(replaces_jmp)
	"jmp k_replaces_asked\n"
    END(replaces)
    /* err = 0; if (object) err = *object; if (!(flags & 4)) return 0; if (err) return err; return -EOPNOTSUPP */
    FUNC(returns)
	ENTRY
    LABEL(returns_body)
    LINE(70, 6)
	"test %rdi, %rdi\n"
    LABEL(returns_none)
	"je k_returns_not_found\n"
	"mov (%rdi), %ecx\n"
    LABEL(returns_asked)
    LINE(72, 6)
	"test $4, %esi\n"
    LABEL(returns_je)
	"je k_returns_fine\n"
    LINE(74, 6)
	"test %ecx, %ecx\n"
    LABEL(returns_jne)
	"jne k_returns_err\n"
	"mov $-95, %eax\n"
    LABEL(returns_ret)
	"ret\n"
    LABEL(returns_err)
	"mov %ecx, %eax\n"
	"ret\n"
    LABEL(returns_fine)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(returns_not_found)
	NONE
    LABEL(returns_jmp)
	"jmp k_returns_asked\n"
    END(returns)
    /* if (number > 3) return -EINVAL; return 0 */
    FUNC(check)
	ENTRY
    LABEL(check_body)
    LINE(60, 6)
	"cmp $3, %edi\n"
    LABEL(check_jg)
	"jg k_check_bad\n"
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(check_bad)
	"mov $-22, %eax\n"
    LABEL(check_ret)
	"ret\n"
    END(check)
    FUNC(fill)
    LABEL(fill_ret)
	"ret\n"
    END(fill)
    /* err = check(); fill(&err); return err */
    FUNC(lends)
	ENTRY
    LABEL(lends_body)
	"sub $24, %rsp\n"
    LABEL(lends_check)
	"call k_check\n"
    LABEL(lends_checked)
	"mov %eax, 12(%rsp)\n"
	"lea 12(%rsp), %rsi\n"
    LABEL(lends_fill)
	"call k_fill\n"
    LABEL(lends_filled)
	"mov 12(%rsp), %eax\n"
	"add $24, %rsp\n"
    LABEL(lends_ret)
	"ret\n"
    END(lends)
    KEEPS(keeps, "", 12)
    KEEPS(moves, "", 8)
    KEEPS(passes, "lea 12(%rsp), %rsi\n", 12)
    COMPARES(equals, "je")
    COMPARES(differs, "jne")
    COMPARES(unknown, "jp")
    /* slot = 0; if (!number) return 0; if (!other) nop; if (slot) return 0; return -EINVAL */
    FUNC(pushes)
	ENTRY
    LABEL(pushes_body)
	"sub $24, %rsp\n"
	"movl $0, 12(%rsp)\n"
    LINE(30, 6)
	"test %edi, %edi\n"
    LABEL(pushes_je)
	"je k_pushes_fine\n"
    LINE(32, 6)
	"test %esi, %esi\n"
    LABEL(pushes_jne)
	"jne k_pushes_asked\n"
	"nop\n"
    LABEL(pushes_asked)
    LINE(34, 6)
	"mov 12(%rsp), %ecx\n"
	"push %rdx\n"
	"test %ecx, %ecx\n"
    LABEL(pushes_set)
	"jne k_pushes_other\n"
	"mov $-22, %eax\n"
	"add $32, %rsp\n"
    LABEL(pushes_ret)
	"ret\n"
    LABEL(pushes_other)
	"xor %eax, %eax\n"
	"add $32, %rsp\n"
	"ret\n"
    LABEL(pushes_fine)
	"xor %eax, %eax\n"
	"add $24, %rsp\n"
	"ret\n"
    END(pushes)
    /* if (number) { slot = 0; if (slot) return 0; return -EINVAL; } return 0 */
    FUNC(begins)
	ENTRY
    LABEL(begins_body)
	"sub $24, %rsp\n"
	"test %edi, %edi\n"
    LABEL(begins_jne)
	"jne k_begins_on\n"
	"xor %eax, %eax\n"
	"add $24, %rsp\n"
	"ret\n"
    LABEL(begins_on)
	"movl $0, 12(%rsp)\n"
    LINE(42, 6)
	"mov 12(%rsp), %ecx\n"
	"test %ecx, %ecx\n"
    LABEL(begins_set)
	"jne k_begins_other\n"
	"mov $-22, %eax\n"
	"add $24, %rsp\n"
    LABEL(begins_ret)
	"ret\n"
    LABEL(begins_other)
	"xor %eax, %eax\n"
	"add $24, %rsp\n"
	"ret\n"
    END(begins)
    CLEARS(high, "and $-0x4001, %ebp\n", "test $0x4000, %ebp\n")
    CLEARS(others, "and $-0x41, %ebp\n", "test $0x4000, %ebp\n")
    CLEARS(whole, "and $-0x41, %rbp\n", "mov %rbp, -16(%rsp)\n" "mov -16(%rsp), %ecx\n" "test $0x40, %ecx\n")
    CLEARS(upper, "and $-0x41, %rbp\n", "mov %rbp, -16(%rsp)\n" "mov -12(%rsp), %ecx\n" "test $0x40, %ecx\n")
    /* all = -5; if (!number) all = (u32)-5; if (all == -5) return 0; return -EINVAL */
    FUNC(extends)
	ENTRY
    LABEL(extends_body)
	"mov $-5, %rcx\n"
    LINE(50, 6)
	"test %edi, %edi\n"
    LABEL(extends_jne)
	"jne k_extends_asked\n"
	"mov $-5, %ecx\n"
    LABEL(extends_asked)
    LINE(52, 6)
	"cmp $-5, %rcx\n"
    LABEL(extends_je)
	"je k_extends_fine\n"
	"mov $-22, %eax\n"
    LABEL(extends_ret)
	"ret\n"
    LABEL(extends_fine)
	"xor %eax, %eax\n"
	"ret\n"
    END(extends)
    USER);
/* clang-format on */

enum {
	LENDS,
	EQUALS,
	DIFFERS,
	UNKNOWN,
	PUSHES,
	BEGINS,
	HIGH,
	OTHERS,
	WHOLE,
	UPPER,
	EXTENDS,
	FINDS,
	STARTS,
	NUMBERS,
	COUNTS,
	JUMPS,
	REPLACES,
	KEEPS,
	MOVES,
	PASSES,
	RETURNS,
	FAILS,
	NR_FUNCS,
};

static const char *const func_names[NR_FUNCS] = {
	[LENDS] = "lends",   [EQUALS] = "equals", [DIFFERS] = "differs", [UNKNOWN] = "unknown",
	[PUSHES] = "pushes", [BEGINS] = "begins", [HIGH] = "high",	 [OTHERS] = "others",
	[WHOLE] = "whole",   [UPPER] = "upper",	  [EXTENDS] = "extends", [FINDS] = "finds",
	[STARTS] = "starts", [NUMBERS] = "numbers", [COUNTS] = "counts", [JUMPS] = "jumps",
	[REPLACES] = "replaces", [KEEPS] = "keeps", [MOVES] = "moves", [PASSES] = "passes",
	[RETURNS] = "returns", [FAILS] = "fails",
};

#include "decision_play.h"

TEST_F(decision, a_callees_result_kept_where_others_may_write_is_likely)
{
	CALLED(lends_body);
	TOOK(lends_check, check_body);
	TOOK(check_jg, check_bad);
	TOOK(check_ret, lends_checked);
	TOOK(lends_fill, fill);
	TOOK(fill_ret, lends_filled);
	RETURNED(lends_ret);
	decided(self, LENDS, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, check_jg, 60, false);
	EXPECT_STREQ("the result was kept in memory meanwhile", self->decision.reason);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("check", self->decision.callees.data[0].name);
}

#define EXPECT_KEPT(name, func, sure)                                         \
	do {                                                                  \
		self->nr = 0;                                                 \
		CALLED(name##_body);                                          \
		TOOK(name##_check, check_body);                               \
		TOOK(check_jg, check_bad);                                    \
		TOOK(check_ret, name##_checked);                              \
		TOOK(name##_fill, fill);                                      \
		TOOK(fill_ret, name##_filled);                                \
		TOOK(name##_again, fill);                                     \
		TOOK(fill_ret, name##_filled_again);                          \
		RETURNED(name##_ret);                                         \
		decided(self, func, -EINVAL);                                 \
		EXPECT_BRANCH(DECISION_TAKEN, check_jg, 60, sure);            \
	} while (0)

TEST_F(decision, a_result_kept_twice_in_one_place_that_no_other_has_is_sure)
{
	EXPECT_KEPT(keeps, KEEPS, true);
	EXPECT_KEPT(moves, MOVES, false);
	EXPECT_KEPT(passes, PASSES, false);
}

#define PLAY_COMPARES(name, func)              \
	do {                                   \
		self->nr = 0;                  \
		CALLED(name##_body);           \
		TOOK(name##_jump, name##_bad); \
		RETURNED(name##_ret);          \
		decided(self, func, -EINVAL);  \
	} while (0)

TEST_F(decision, a_constant_that_cannot_have_been_compared_decides)
{
	PLAY_COMPARES(equals, EQUALS);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, equals_je, 10, true);
	/* It was not 0 any more. */
	PLAY_COMPARES(differs, DIFFERS);
	EXPECT_BRANCH(DECISION_TAKEN, differs_jump, 12, true);
	/* Of constants, it does not matter what was asked. */
	PLAY_COMPARES(unknown, UNKNOWN);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, unknown_je, 10, true);
}

TEST_F(decision, a_constant_loaded_before_the_stack_moved_is_known_on_other_ways)
{
	CALLED(pushes_body);
	TOOK(pushes_jne, pushes_asked);
	RETURNED(pushes_ret);
	decided(self, PUSHES, -EINVAL);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, pushes_je, 30, true);
}

TEST_F(decision, a_constant_on_a_way_that_begins_later_may_decide)
{
	TOOK(begins_jne, begins_on);
	RETURNED(begins_ret);
	decided(self, BEGINS, -EINVAL);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, begins_set, 42, false);
	EXPECT_STREQ("what it compared may have been set before", self->decision.reason);
}

#define PLAY_CLEARS(name, func)               \
	do {                                  \
		self->nr = 0;                 \
		CALLED(name##_body);          \
		TOOK(name##_je, name##_end);  \
		RETURNED(name##_ret);         \
		decided(self, func, -EROFS);  \
	} while (0)

TEST_F(decision, bits_decide_nothing_only_if_it_was_these_that_were_cleared)
{
	PLAY_CLEARS(high, HIGH);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, high_jne, 20, true);
	PLAY_CLEARS(others, OTHERS);
	EXPECT_BRANCH(DECISION_TAKEN, others_je, 22, true);
	PLAY_CLEARS(whole, WHOLE);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, whole_jne, 20, true);
	/* The upper half was stored with the lower one. */
	PLAY_CLEARS(upper, UPPER);
	EXPECT_BRANCH(DECISION_TAKEN, upper_je, 22, true);
}

/* -5 in 32 bits is another number in 64. */
TEST_F(decision, a_negative_constant_in_a_register_is_half_known)
{
	CALLED(extends_body);
	RETURNED(extends_ret);
	decided(self, EXTENDS, -EINVAL);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, extends_jne, 50, true);
}

#define PLAY_FINDS(name, func)                     \
	do {                                       \
		self->nr = 0;                      \
		CALLED(name##_body);               \
		TOOK(name##_none, name##_not_found); \
		TOOK(name##_jmp, name##_asked);    \
		TOOK(name##_compared, name##_bad); \
		RETURNED(name##_ret);              \
		decided(self, func, -EOPNOTSUPP);  \
	} while (0)

/* What is checked between has no part in it: the constant was tested later. */
TEST_F(decision, a_constant_that_was_tested_later_is_what_set_it)
{
	PLAY_FINDS(finds, FINDS);
	EXPECT_BRANCH(DECISION_TAKEN, finds_none, 70, true);
	PLAY_FINDS(starts, STARTS);
	EXPECT_BRANCH(DECISION_TAKEN, starts_none, 70, true);
	PLAY_FINDS(counts, COUNTS);
	EXPECT_BRANCH(DECISION_TAKEN, counts_none, 70, true);
}

TEST_F(decision, what_set_a_constant_decides_only_if_another_one_leads_elsewhere)
{
	/* 1 is less than 2, as 0 is. */
	PLAY_FINDS(numbers, NUMBERS);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, numbers_je, 72, true);
	/* With which value is not known. */
	PLAY_FINDS(jumps, JUMPS);
	EXPECT_BRANCH(DECISION_TAKEN, jumps_compared, 74, false);
	EXPECT_STREQ("part of the code could not be followed", self->decision.reason);
	/* The result had been set before. */
	self->nr = 0;
	CALLED(replaces_body);
	TOOK(replaces_none, replaces_not_found);
	TOOK(replaces_jmp, replaces_asked);
	TOOK(replaces_compared, replaces_fine);
	RETURNED(replaces_ret);
	decided(self, REPLACES, -EOPNOTSUPP);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, replaces_je, 72, true);
	/* Otherwise, there would have been another error. */
	PLAY_FINDS(fails, FAILS);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, fails_je, 72, true);
	/* Another value would have been another error itself. */
	self->nr = 0;
	CALLED(returns_body);
	TOOK(returns_none, returns_not_found);
	TOOK(returns_jmp, returns_asked);
	RETURNED(returns_ret);
	decided(self, RETURNS, -EOPNOTSUPP);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, returns_je, 72, true);
}

#endif

TEST_HARNESS_MAIN
