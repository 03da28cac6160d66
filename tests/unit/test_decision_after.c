// SPDX-License-Identifier: BSD-2-Clause
/* The condition that led to the one that decided: which is told, and which is not. */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "util/kernel/arch/x86/registers.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

/* if (BEFORE) { MORE; if (LAST) return -ENOENT; } return 0; BEFORE jumps to NAME_fine otherwise. */
#define AFTER(name, before, more, last) AFTER_BY(je, name, before, more, last)
#define AFTER_BY(jump, name, before, more, last) \
	FUNC(name)                              \
	ENTRY                                   \
	LABEL(name##_body)                      \
	before                                  \
	more                                    \
	LABEL(name##_asked)                     \
	LINE(60, 6)                             \
	last                                    \
	LABEL(name##_je)                        \
	#jump " k_" #name "_bad\n"              \
	LABEL(name##_fine)                      \
	LINE(64, 2)                             \
	"xor %eax, %eax\n"                      \
	"ret\n"                                 \
	LABEL(name##_bad)                       \
	LINE(61, 3)                             \
	"mov $-2, %eax\n"                       \
	LABEL(name##_ret)                       \
	"ret\n"                                 \
	END(name)

/* if ((!alloc() || AGAIN) && number > 4 && other == 3) return -ENOENT; return 0 */
#define ALLOCATES(name, again)                  \
	FUNC(name)                              \
	ENTRY                                   \
	LABEL(name##_body)                      \
	"push %rbx\n"                           \
	"push %r12\n"                           \
	"mov %edi, %ebx\n"                      \
	"mov %esi, %r12d\n"                     \
	LABEL(name##_call)                      \
	"call k_alloc\n"                        \
	LABEL(name##_called)                    \
	LINE(56, 6)                             \
	"test %rax, %rax\n"                     \
	LABEL(name##_none)                      \
	"je k_" #name "_failed\n"               \
	again                                   \
	LABEL(name##_failed)                    \
	LINE(58, 6)                             \
	"cmp $4, %ebx\n"                        \
	"jle k_" #name "_fine\n"                \
	LINE(60, 6)                             \
	"cmp $3, %r12d\n"                       \
	LABEL(name##_je)                        \
	"je k_" #name "_bad\n"                  \
	LABEL(name##_fine)                      \
	"xor %eax, %eax\n"                      \
	LABEL(name##_out)                       \
	"pop %r12\n"                            \
	"pop %rbx\n"                            \
	LABEL(name##_ret)                       \
	"ret\n"                                 \
	LABEL(name##_bad)                       \
	"mov $-2, %eax\n"                       \
	LABEL(name##_jmp)                       \
	"jmp k_" #name "_out\n"                 \
	END(name)

#define OTHER_IS_3 "cmp $3, %esi\n"

/* clang-format off */
asm(KERNEL
    /* number != 2 && other == 3 */
    AFTER(others, LINE(50, 6) "cmp $2, %edi\n" "je k_others_fine\n", "", OTHER_IS_3)
    /* number != 2 && number == 3 */
    AFTER(same, LINE(50, 6) "cmp $2, %edi\n" "je k_same_fine\n", "", "cmp $3, %edi\n")
    /* number & 0x1c && number & 0x18; number & 0x14 && number & 0x18 */
    AFTER_BY(jne, masks, LINE(50, 6) "test $0x1c, %edi\n" "je k_masks_fine\n", "", "test $0x18, %edi\n")
    AFTER_BY(jne, bits, LINE(50, 6) "test $0x14, %edi\n" "je k_bits_fine\n", "", "test $0x18, %edi\n")
    /* err == 0 && other == 3; err is in r12 */
    AFTER(succeeds, LINE(50, 6) "test %r12d, %r12d\n" "jne k_succeeds_fine\n", "", OTHER_IS_3)
    /* err == 1 && other == 3 */
    AFTER(counts, LINE(50, 6) "cmp $1, %r12d\n" "jne k_counts_fine\n", "", OTHER_IS_3)
    /* inlined(): number > 4. In the function itself: other == 3 */
    AFTER(inlines, INLINED_OWN(50, 9) "cmp $4, %edi\n" "jle k_inlines_fine\n", "", OTHER_IS_3)
    /* number > 4, then a jump by a table, the other targets of which are not known; other == 3 */
    AFTER(jumps, LINE(50, 6) "cmp $4, %edi\n" "jle k_jumps_fine\n",
	  LABEL(jumps_table) "jmp *%rdx\n", OTHER_IS_3)
    /* case 2: if (other == 5) return -EISDIR; if (other == 3) return -ENOENT; the other one: == 5 returns 1 */
    AFTER(cases, LINE(50, 6) "cmp $2, %edi\n" "jne k_cases_fine\n",
	  LINE(52, 6) "cmp $5, %esi\n" LABEL(cases_jne) "jne k_cases_asked\n" "mov $-21, %eax\n" "ret\n", OTHER_IS_3)
    AFTER(ends, LINE(50, 6) "cmp $2, %edi\n" "jne k_ends_fine\n",
	  LINE(52, 6) "cmp $5, %esi\n" LABEL(ends_jne) "jne k_ends_asked\n" "mov $1, %eax\n" "ret\n", OTHER_IS_3)
    /* if (number == 0) return 0; if (other == 5) return -EISDIR; if (other == 3) return -ENOENT */
    AFTER(numbers, LINE(50, 6) "test %edi, %edi\n" "je k_numbers_fine\n",
	  LINE(52, 6) "cmp $5, %esi\n" LABEL(numbers_jne) "jne k_numbers_asked\n" "mov $-21, %eax\n" "ret\n", OTHER_IS_3)
    /* if (flags & 4) return 0; return other == 3 ? -ENOENT : -EINVAL; flags is in r12 */
    FUNC(chooses)
	ENTRY
    LABEL(chooses_body)
    LINE(50, 6)
	"test $4, %r12d\n"
	"jne k_chooses_fine\n"
    LABEL(chooses_asked)
    LINE(60, 6)
	"cmp $3, %esi\n"
    LABEL(chooses_je)
	"je k_chooses_bad\n"
	"mov $-22, %eax\n"
	"ret\n"
    LABEL(chooses_fine)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(chooses_bad)
	"mov $-2, %eax\n"
    LABEL(chooses_ret)
	"ret\n"
    END(chooses)
    FUNC(alloc)
    LABEL(alloc_ret)
	"ret\n"
    END(alloc)
    /* if ((!alloc(number, other) || !alloc(number, other)) && number > 4 && other == 3) return -ENOENT; return 0 */
    ALLOCATES(allocates, "call k_alloc\n" "mov %r9, %r8\n" "test %rax, %rax\n" "jne k_allocates_fine\n")
    /* if ((!alloc(number, other) || !object->member) && number > 4 && other == 3) return -ENOENT; return 0 */
    ALLOCATES(looks, "mov (%rax), %rax\n" "test %rax, %rax\n" "jne k_looks_fine\n")
    /* if (alloc(number, other)) return -EINVAL; if (other == 3) return -ENOENT; return 0 */
    FUNC(refuses)
	ENTRY
    LABEL(refuses_body)
	"mov %esi, %r12d\n"
    LABEL(refuses_call)
	"call k_alloc\n"
    LABEL(refuses_called)
    LINE(50, 6)
	"test %rax, %rax\n"
	"jne k_refuses_worse\n"
    LINE(60, 6)
	"cmp $3, %r12d\n"
    LABEL(refuses_je)
	"je k_refuses_bad\n"
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(refuses_bad)
	"mov $-2, %eax\n"
    LABEL(refuses_ret)
	"ret\n"
    LABEL(refuses_worse)
	"mov $-22, %eax\n"
	"ret\n"
    END(refuses)
    /* switch (op) { case 3: return 0; case 1: return found ? -EEXIST : 0; default: return found ? -EINVAL : 0 } */
    FUNC(selects)
	ENTRY
    LABEL(selects_body)
    LINE(70, 6)
	"test %rsi, %rsi\n"
    LABEL(selects_je)
	"je k_selects_fine\n"
    LINE(72, 2)
	"cmp $3, %edi\n"
    LABEL(selects_other)
	"je k_selects_fine\n"
	"xor %ecx, %ecx\n"
    LINE(74, 3)
	"cmp $1, %edi\n"
	"sete %cl\n"
	"lea -22(%rcx, %rcx, 4), %eax\n"
    LABEL(selects_ret)
	"ret\n"
    LABEL(selects_fine)
	"xor %eax, %eax\n"
	"ret\n"
    END(selects)
    /* if (other == 3) { if (number > 4) return -ENOENT; return 0; } ...: the second comparison is on both sides */
    FUNC(copies)
	ENTRY
    LABEL(copies_body)
    LINE(50, 6)
	"cmp $4, %edi\n"
	"jle k_copies_less\n"
    LINE(52, 6)
	"test %edx, %edx\n"
    LABEL(copies_counts)
	"je k_copies_asked\n"
	"incl (%rdx)\n"
    LABEL(copies_asked)
    LINE(60, 6)
	"cmp $3, %esi\n"
    LABEL(copies_je)
	"je k_copies_bad\n"
    LABEL(copies_fine)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(copies_less)
	"cmp $3, %esi\n"
	"jne k_copies_fine\n"
	"mov $1, %eax\n"
	"ret\n"
    LABEL(copies_bad)
    LINE(61, 3)
	"mov $-2, %eax\n"
    LABEL(copies_ret)
	"ret\n"
    END(copies)
    /* The same with 0, which many places compare something with: that need not be the same. */
    FUNC(zeroes)
	ENTRY
    LABEL(zeroes_body)
    LINE(70, 6)
	"cmp $4, %edi\n"
	"jle k_zeroes_less\n"
	"test %edx, %edx\n"
    LABEL(zeroes_counts)
	"je k_zeroes_asked\n"
	"incl (%rdx)\n"
    LABEL(zeroes_asked)
    LINE(60, 6)
	"cmp $0, %esi\n"
    LABEL(zeroes_je)
	"je k_zeroes_bad\n"
    LABEL(zeroes_fine)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(zeroes_less)
	"cmp $0, %esi\n"
	"jne k_zeroes_fine\n"
	"mov $1, %eax\n"
	"ret\n"
    LABEL(zeroes_bad)
    LINE(73, 3)
	"mov $-2, %eax\n"
    LABEL(zeroes_ret)
	"ret\n"
    END(zeroes)
    USER);
/* clang-format on */

enum {
	ALLOC,
	ALLOCATES,
	LOOKS,
	SELECTS,
	OTHERS,
	SAME,
	SUCCEEDS,
	COUNTS,
	INLINES,
	JUMPS,
	COPIES,
	ZEROES,
	REFUSES,
	MASKS,
	BITS,
	CASES,
	ENDS,
	NUMBERS,
	CHOOSES,
	NR_FUNCS,
};

static const char *const func_names[NR_FUNCS] = {
	[ALLOC] = "alloc", [ALLOCATES] = "allocates", [LOOKS] = "looks", [SELECTS] = "selects",
	[OTHERS] = "others", [SAME] = "same",	    [SUCCEEDS] = "succeeds",
	[COUNTS] = "counts", [INLINES] = "inlines", [JUMPS] = "jumps",
	[COPIES] = "copies",
	[ZEROES] = "zeroes", [REFUSES] = "refuses",
	[MASKS] = "masks", [BITS] = "bits",
	[CASES] = "cases", [ENDS] = "ends", [NUMBERS] = "numbers", [CHOOSES] = "chooses",
};

#include "decision_play.h"

/* int NAME(int number, int other) */
static struct kernel_btf *types_of_functions(void)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int pointer = btf__add_ptr(b, i32);
	struct kernel_btf *btf;

	for (int i = 0; i < NR_FUNCS; i++) {
		int proto = btf__add_func_proto(b, i == ALLOC ? pointer : i32);

		btf__add_func_param(b, "number", i32);
		btf__add_func_param(b, "other", i32);
		btf__add_func(b, func_names[i], BTF_FUNC_STATIC, proto);
	}
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

static const struct test_variable err_in_r12 = {
	false, X86_R12, 0, { .name = "err", .type = { VARIABLE_NUMBER, "int", 0, 0, 4, 4 } }
};

#define PLAY(name, func)                                                \
	do {                                                            \
		TOOK(name##_je, name##_bad);                            \
		RETURNED(name##_ret);                                   \
		self->btf = types_of_functions();                       \
		ASSERT_NE(NULL, self->btf);                             \
		decided(self, func, -ENOENT);                           \
		kernel_btf_free(self->btf);                             \
		EXPECT_BRANCH(DECISION_TAKEN, name##_je, 60, true);     \
	} while (0)

TEST_F(decision, that_another_value_was_not_a_constant_is_not_implied)
{
	CALLED(others_body);
	PLAY(others, OTHERS);
	EXPECT_STREQ("other == 3", self->condition.text);
	EXPECT_STREQ("number != 2", self->condition.after);
}

TEST_F(decision, that_the_same_value_was_not_another_constant_is_implied)
{
	CALLED(same_body);
	PLAY(same, SAME);
	EXPECT_STREQ("number == 3", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
}

TEST_F(decision, that_some_of_more_bits_are_set_is_implied)
{
	CALLED(masks_body);
	PLAY(masks, MASKS);
	EXPECT_STREQ("number & 0x18", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
	self->nr = 0;
	CALLED(bits_body);
	PLAY(bits, BITS);
	EXPECT_STREQ("number & 0x18", self->condition.text);
	EXPECT_STREQ("number & 0x14", self->condition.after);
}

TEST_F(decision, what_went_well_before_is_not_told)
{
	self->symbolizer.variables[0] = err_in_r12;
	CALLED(succeeds_body);
	PLAY(succeeds, SUCCEEDS);
	EXPECT_STREQ("other == 3", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
}

TEST_F(decision, that_a_value_was_another_constant_than_0_is_told)
{
	self->symbolizer.variables[0] = err_in_r12;
	CALLED(counts_body);
	PLAY(counts, COUNTS);
	EXPECT_STREQ("other == 3", self->condition.text);
	EXPECT_STREQ("err == 1", self->condition.after);
}

/* What decided that the function's own code was reached is the inlined function's business. */
TEST_F(decision, a_condition_of_an_inlined_function_is_not_told)
{
	CALLED(inlines_body);
	PLAY(inlines, INLINES);
	EXPECT_STREQ("other == 3", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
}

TEST_F(decision, a_condition_before_that_is_not_certain_is_not_told)
{
	CALLED(jumps_body);
	TOOK(jumps_table, jumps_asked);
	PLAY(jumps, JUMPS);
	EXPECT_STREQ("other == 3", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
}

/* The other branches of the case fail, too: without the case, none would have been asked. */
TEST_F(decision, the_case_of_a_switch_is_told)
{
	CALLED(cases_body);
	TOOK(cases_jne, cases_asked);
	PLAY(cases, CASES);
	EXPECT_STREQ("other == 3", self->condition.text);
	EXPECT_STREQ("number == 2", self->condition.after);
	/* One of them does not fail. */
	self->nr = 0;
	CALLED(ends_body);
	TOOK(ends_jne, ends_asked);
	PLAY(ends, ENDS);
	EXPECT_EQ(NULL, self->condition.after);
	/* It is no case: any number but one. */
	self->nr = 0;
	CALLED(numbers_body);
	TOOK(numbers_jne, numbers_asked);
	PLAY(numbers, NUMBERS);
	EXPECT_EQ(NULL, self->condition.after);
}

/* Whatever that was, it would have failed. */
TEST_F(decision, what_chose_the_error_is_not_the_only_reason)
{
	CALLED(chooses_body);
	PLAY(chooses, CHOOSES);
	EXPECT_STREQ("other == 3", self->condition.text);
	EXPECT_STREQ("!((u32)r12 & 0x4)", self->condition.after);
}

#define PLAY_ALLOC(name, func)                                          \
	do {                                                            \
		self->nr = 0;                                           \
		CALLED(name##_body);                                    \
		TOOK(name##_call, alloc);                               \
		TOOK(alloc_ret, name##_called);                         \
		TOOK(name##_none, name##_failed);                       \
		TOOK(name##_je, name##_bad);                            \
		TOOK(name##_jmp, name##_out);                           \
		RETURNED(name##_ret);                                   \
		self->btf = types_of_functions();                       \
		ASSERT_NE(NULL, self->btf);                             \
		decided(self, func, -ENOENT);                           \
		kernel_btf_free(self->btf);                             \
		EXPECT_BRANCH(DECISION_TAKEN, name##_je, 60, true);     \
		EXPECT_STREQ("other == 3", self->condition.text);       \
	} while (0)

TEST_F(decision, of_several_conditions_the_failure_of_a_call_is_told)
{
	PLAY_ALLOC(allocates, ALLOCATES);
	EXPECT_STREQ("alloc(number, other) == NULL", self->condition.after);
	/* What led there may have been something else. */
	PLAY_ALLOC(looks, LOOKS);
	EXPECT_STREQ("number > 4", self->condition.after);
}

TEST_F(decision, a_failure_of_a_call_that_had_to_fail_is_not_told)
{
	CALLED(refuses_body);
	TOOK(refuses_call, alloc);
	TOOK(alloc_ret, refuses_called);
	PLAY(refuses, REFUSES);
	EXPECT_STREQ("other == 3", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
}

/* It was 1, and so it was not 3: that it was found decided. */
TEST_F(decision, a_switch_whose_case_is_known_did_not_decide)
{
	CALLED(selects_body);
	RETURNED(selects_ret);
	decided(self, SELECTS, -EEXIST);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, selects_je, 70, true);
	/* Of -EINVAL it is not known which other value it was. */
	decided(self, SELECTS, -EINVAL);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, selects_other, 72, true);
}

/* Which of the two copies it was tells why: on the other side it succeeds. */
TEST_F(decision, of_a_comparison_on_both_sides_what_chose_the_side_is_told)
{
	CALLED(copies_body);
	TOOK(copies_counts, copies_asked);
	PLAY(copies, COPIES);
	EXPECT_STREQ("other == 3", self->condition.text);
	EXPECT_STREQ("number > 4", self->condition.after);
	self->nr = 0;
	CALLED(zeroes_body);
	TOOK(zeroes_counts, zeroes_asked);
	PLAY(zeroes, ZEROES);
	EXPECT_STREQ("other == 0", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
}

#endif

TEST_HARNESS_MAIN
