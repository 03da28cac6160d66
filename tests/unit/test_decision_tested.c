// SPDX-License-Identifier: BSD-2-Clause
/* What the branches and conditional moves of a way tested: which of them decided, and with which values. */
#include <errno.h>

#include "decision_fixture.h"
#include "decision_types.h"

/* clang-format off */
asm(KERNEL
    FUNC(foo) LABEL(foo_ret) "ret\n" END(foo)

    /* a = foo(); b = foo(); return !a ? -ESRCH : !b ? -EPERM : 0 */
    FUNC(twice)
	ENTRY
    LABEL(twice_body)
	"push %rbx\n"
    LABEL(twice_first) "call k_foo\n"
    LABEL(twice_then)
	"mov %rax, %rbx\n"
    LABEL(twice_second) "call k_foo\n"
    LABEL(twice_after)
    LINE(6, 5)
	"test %rbx, %rbx\n"
    LABEL(twice_je) "je k_twice_none\n"
    LINE(7, 5)
	"test %rax, %rax\n"
    LABEL(twice_other) "je k_twice_refused\n"
	"xor %eax, %eax\n"
    LABEL(twice_out)
	"pop %rbx\n"
    LABEL(twice_ret) "ret\n"
    LABEL(twice_none) "mov $-3, %eax\n"
    LABEL(twice_jmp) "jmp k_twice_out\n"
    LABEL(twice_refused) "mov $-1, %eax\n"
    LABEL(twice_back) "jmp k_twice_out\n"
    END(twice)

    /* do { if (!foo()) err = -ESRCH; } while (--n); return err */
    FUNC(asks)
	ENTRY
    LABEL(asks_body)
	"push %rbx\n push %rbp\n mov %edi, %ebx\n xor %ebp, %ebp\n"
    LABEL(asks_again)
    LABEL(asks_call) "call k_foo\n"
    LABEL(asks_after)
    LINE(8, 5)
	"test %rax, %rax\n"
    LABEL(asks_je) "je k_asks_none\n"
    LABEL(asks_next)
	"sub $1, %ebx\n"
    LABEL(asks_more) "jne k_asks_again\n"
	"mov %ebp, %eax\n pop %rbp\n pop %rbx\n"
    LABEL(asks_ret) "ret\n"
    LABEL(asks_none) "mov $-3, %ebp\n"
    LABEL(asks_back) "jmp k_asks_next\n"
    END(asks)

    /* for (; p; p = p->next) if (p->state == 5) { err = -EEXIST; foo(); } */
    FUNC(loops)
	ENTRY
    LABEL(loops_body)
	"push %rbx\n push %rbp\n mov %rdi, %rbx\n xor %ebp, %ebp\n"
    LABEL(loops_again)
    LINE(10, 5)
	"cmpl $5, 40(%rbx)\n"
    LABEL(loops_jne) "jne k_loops_next\n"
    LABEL(loops_call) "call k_foo\n"
    LABEL(loops_after)
	"mov $-17, %ebp\n"
    LABEL(loops_next)
    LINE(12, 5)
	"mov 32(%rbx), %rbx\n test %rbx, %rbx\n"
    LABEL(loops_more) "jne k_loops_again\n"
	"mov %ebp, %eax\n pop %rbp\n pop %rbx\n"
    LABEL(loops_ret) "ret\n"
    END(loops)

    /* GCC -O2: if (p->early) return 0; switch (p->type) { case 1: case 5: case 9: case 12: return 0; default: return -EINVAL; } */
    FUNC(cases)
	ENTRY
    LABEL(cases_body)
    LINE(20, 5)
	"movl (%rdi), %eax\n testl %eax, %eax\n"
    LABEL(cases_jne) "jne k_cases_ret\n"
    LINE(21, 5)
	"movl 16(%rdi), %edx\n cmpl $12, %edx\n"
    LABEL(cases_ja) "ja k_cases_bad\n"
	"movl $4642, %ecx\n btq %rdx, %rcx\n movl $-22, %edx\n"
    LABEL(cases_move)
	"cmovnc %edx, %eax\n"
    LABEL(cases_ret) "ret\n"
    LABEL(cases_bad) "movl $-22, %eax\n ret\n"
    END(cases)

    /* if (p->early) return 0; return p->flags == 0xdead000000000122 ? -EINVAL : 0; */
    FUNC(memory)
	ENTRY
    LABEL(memory_body)
    LINE(30, 5)
	"movl (%rdi), %eax\n testl %eax, %eax\n"
    LABEL(memory_jne) "jne k_memory_ok\n"
    LINE(31, 5)
	"movabs $0xdead000000000122, %rax\n cmp %rax, 24(%rdi)\n mov $0, %edx\n mov $-22, %eax\n"
    LABEL(memory_move)
	"cmovne %edx, %eax\n"
    LABEL(memory_ret) "ret\n"
    LABEL(memory_ok) "xor %eax, %eax\n ret\n"
    END(memory)

    /* GCC -O2: for (i = 0; i < p->n; i++) { if (p->state == i) return -EEXIST; foo(p); } */
    FUNC(counts)
	ENTRY
    LABEL(counts_body)
	"push %rbp\n mov %rdi, %rbp\n push %rbx\n xor %ebx, %ebx\n sub $8, %rsp\n"
    LABEL(counts_jmp) "jmp k_counts_test\n"
    LABEL(counts_next)
	"mov %rbp, %rdi\n xor %eax, %eax\n add $1, %ebx\n"
    LABEL(counts_call) "call k_foo\n"
    LABEL(counts_after)
	"cmp %ebx, 12(%rbp)\n"
    LABEL(counts_jle) "jle k_counts_end\n"
    LABEL(counts_test)
    LINE(40, 5)
	"cmp %ebx, 40(%rbp)\n"
    LABEL(counts_jne) "jne k_counts_next\n"
	"add $8, %rsp\n mov $-17, %eax\n pop %rbx\n pop %rbp\n"
    LABEL(counts_ret) "ret\n"
    LABEL(counts_end)
	"add $8, %rsp\n xor %eax, %eax\n pop %rbx\n pop %rbp\n ret\n"
    END(counts)

    /* if (p->early) return 0; err = p->is_dir ? -EISDIR : -ENOTDIR; if (p->ok) err = 0; return err; */
    FUNC(two)
	ENTRY
    LABEL(two_body)
    LINE(50, 5)
	"cmpl $0, (%rdi)\n"
    LABEL(two_jne) "jne k_two_ok\n"
    LINE(51, 5)
	"mov $-21, %eax\n mov $-20, %edx\n xor %ecx, %ecx\n"
	"cmpl $0, 4(%rdi)\n cmove %edx, %eax\n"
    LINE(52, 5)
	"cmpl $0, 8(%rdi)\n"
    LABEL(two_move) "cmovne %ecx, %eax\n"
    LABEL(two_ret) "ret\n"
    LABEL(two_ok) "xor %eax, %eax\n ret\n"
    END(two)

    /* if ((n & 0x700) == 0x200) return -EINVAL, far behind what the way shows */
    FUNC(older)
	ENTRY
    LABEL(older_body)
	"mov %rsi, %rbx\n"
	".rept 300\n nop\n .endr\n"
	"test %rdi, %rdi\n"
    LABEL(older_je) "je k_older_mid\n nop\n"
    LABEL(older_mid)
	"and $0x700, %ebx\n"
    LINE(60, 5)
	"cmp $0x200, %ebx\n"
    LABEL(older_cond) "je k_older_bad\n"
	"xor %eax, %eax\n ret\n"
    LABEL(older_bad)
	"mov $-22, %eax\n"
    LABEL(older_ret) "ret\n"
    END(older)

    /* err = -EAGAIN; if (p->early) return 0; n = foo(); if (n > 0) err = n; return err; */
    FUNC(more)
	ENTRY
    LABEL(more_body)
	"push %rbx\n mov $-11, %ebx\n"
    LINE(10, 5)
	"cmpl $0, (%rdi)\n"
    LABEL(more_early) "jne k_more_zero\n"
    LABEL(more_call) "call k_foo\n"
    LABEL(more_after)
    LINE(11, 5)
	"test %eax, %eax\n"
    LABEL(more_jle) "jle k_more_out\n"
	"mov %eax, %ebx\n"
    LABEL(more_out)
	"mov %ebx, %eax\n pop %rbx\n"
    LABEL(more_ret) "ret\n"
    LABEL(more_zero) "xor %eax, %eax\n pop %rbx\n ret\n"
    END(more)

    /* if (p->early) return 0; return p->type == -EINVAL ? -EINVAL : 0; the number is there already */
    FUNC(same)
	ENTRY
    LABEL(same_body)
	"mov $-22, %eax\n"
    LINE(20, 5)
	"cmpl $0, (%rdi)\n"
    LABEL(same_early) "jne k_same_zero\n"
    LINE(21, 5)
	"cmp %eax, 8(%rdi)\n"
    LABEL(same_je) "je k_same_ret\n"
    LABEL(same_zero) "xor %eax, %eax\n"
    LABEL(same_ret) "ret\n"
    END(same)

    /* if (p->early) return 0; return -EINVAL >> n & 1 ? -EINVAL : 0; */
    FUNC(bits)
	ENTRY
    LABEL(bits_body)
    LINE(30, 5)
	"cmpl $0, (%rdi)\n"
    LABEL(bits_early) "jne k_bits_zero\n"
    LINE(31, 5)
	"mov $-22, %eax\n bt %esi, %eax\n"
    LABEL(bits_jb) "jb k_bits_ret\n"
    LABEL(bits_zero) "xor %eax, %eax\n"
    LABEL(bits_ret) "ret\n"
    END(bits)

    /* if (p->type == 5) return 0; if (p->state & n) return -EINVAL; return 0; */
    FUNC(masked)
	ENTRY
    LABEL(masked_body)
    LINE(70, 5)
	"cmpl $5, 16(%rdi)\n"
    LABEL(masked_je) "je k_masked_zero\n"
    LINE(71, 5)
	"test %esi, 40(%rdi)\n"
    LABEL(masked_jne) "jne k_masked_bad\n"
    LABEL(masked_zero) "xor %eax, %eax\n ret\n"
    LABEL(masked_bad) "mov $-22, %eax\n"
    LABEL(masked_ret) "ret\n"
    END(masked)

    /* if (p->state) return 0; if (!p->early) return 0; if (!p->n) p->n = 1; return n ?: -EPIPE; p->state is n's 0 */
    FUNC(again)
	ENTRY
    LABEL(again_body)
    LINE(100, 5)
	"mov 40(%rdi), %ebx\n test %ebx, %ebx\n"
    LABEL(again_state) "jne k_again_zero\n"
    LINE(101, 5)
	"cmpl $0, (%rdi)\n"
    LABEL(again_early) "je k_again_zero\n"
    LINE(102, 5)
	"cmpl $0, 4(%rdi)\n"
    LABEL(again_quiet) "jne k_again_out\n"
	"movl $1, 4(%rdi)\n"
    LABEL(again_out)
    LINE(103, 5)
	"mov $-32, %eax\n test %ebx, %ebx\n"
    LABEL(again_je) "je k_again_ret\n"
	"mov %ebx, %eax\n"
    LABEL(again_ret) "ret\n"
    LABEL(again_zero) "xor %eax, %eax\n ret\n"
    END(again)

    /* if (!p) other = 1; if (n & 4) return 0; return p ? 0 : -EPIPE; */
    FUNC(given)
	ENTRY
    LABEL(given_body)
    LINE(130, 5)
	"test %rdi, %rdi\n"
    LABEL(given_first) "jne k_given_more\n"
	"mov $1, %ecx\n"
    LABEL(given_more)
    LINE(131, 5)
	"test $4, %sil\n"
    LABEL(given_flag) "jne k_given_zero\n"
    LINE(132, 5)
	"test %rdi, %rdi\n"
    LABEL(given_again) "jne k_given_zero\n"
    LINE(133, 5)
	"mov $-32, %eax\n"
    LABEL(given_ret) "ret\n"
    LABEL(given_zero) "xor %eax, %eax\n ret\n"
    END(given)

    /* if ((int)p->flags) return 0; if (!p->state) return 0; return p->flags ? (int)p->flags : -EPIPE; */
    FUNC(half)
	ENTRY
    LABEL(half_body)
    LINE(110, 5)
	"mov 24(%rdi), %rbx\n test %ebx, %ebx\n"
    LABEL(half_low) "jne k_half_zero\n"
    LINE(111, 5)
	"cmpl $0, 40(%rdi)\n"
    LABEL(half_state) "je k_half_zero\n"
    LINE(112, 5)
	"mov $-32, %eax\n test %rbx, %rbx\n"
    LABEL(half_je) "je k_half_ret\n"
    LABEL(half_zero) "xor %eax, %eax\n"
    LABEL(half_ret) "ret\n"
    END(half)

    /* return p->state; */
    FUNC(reads)
	ENTRY
    LABEL(reads_body)
    LINE(80, 5)
	"mov 40(%rdi), %eax\n"
    LABEL(reads_ret) "ret\n"
    END(reads)

    /* err = xchg(&p->state, 0); return -err; */
    FUNC(takes)
	ENTRY
    LABEL(takes_body)
    LINE(90, 5)
	"xor %eax, %eax\n"
	"xchg %eax, 40(%rdi)\n"
	"neg %eax\n"
    LABEL(takes_ret) "ret\n"
    END(takes)
    USER);
/* clang-format on */

enum { LOOPS, CASES, MEMORY, COUNTS, TWO, OLDER, MORE, SAME, BITS, MASKED, AGAIN, HALF, READS, TAKES, TWICE, ASKS,
       GIVEN, NR_FUNCS };
static const char *const func_names[] = { "loops", "cases", "memory", "counts", "two",
					  "older", "more",  "same",   "bits", "masked",
					  "again", "half",  "reads", "takes", "twice", "asks",
					  "given" };
#include "decision_play.h"

/* All functions are int (struct thing *p, int n). */
static void add_types(FIXTURE_DATA(decision) *self)
{
	struct btf *btf = btf__new_empty();
	int i32 = add_int(btf), pointer = add_thing(btf, i32);

	for (int i = 0; i < NR_FUNCS; i++)
		add_function(btf, func_names[i], pointer, "p", i32, "n");
	if (kernel_btf_from(btf, &self->btf))
		abort();
}

TEST_F(decision, the_pass_of_a_loop_that_decided_has_the_condition)
{
	add_types(self);
	CALLED(loops_body);
	TOOK(loops_call, foo);
	TOOK(foo_ret, loops_after);
	TOOK(loops_more, loops_again);
	TOOK(loops_jne, loops_next);
	RETURNED(loops_ret);
	decided(self, LOOPS, -EEXIST);
	EXPECT_STREQ("p->state == 5", self->condition.text);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, loops_jne, 10, true);
	/* Its values are those of the first pass. */
	EXPECT_EQ(1, self->condition.compared_again);
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_bit_chosen_by_a_register_is_no_constant)
{
	add_types(self);
	CALLED(cases_body);
	RETURNED(cases_ret);
	decided(self, CASES, -EINVAL);
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	EXPECT_EQ(AT(cases_move), self->decision.from.addr);
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_branch_that_finds_the_same_again_did_not_decide)
{
	CALLED(again_body);
	TOOK(again_quiet, again_out);
	TOOK(again_je, again_ret);
	RETURNED(again_ret);
	decided(self, AGAIN, -EPIPE);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, again_early, 101, true);
}

TEST_F(decision, nor_did_one_that_finds_a_parameter_the_same_again)
{
	CALLED(given_body);
	RETURNED(given_ret);
	decided(self, GIVEN, -EPIPE);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, given_flag, 131, true);
}

TEST_F(decision, what_half_of_a_value_was_is_not_all_of_it)
{
	CALLED(half_body);
	TOOK(half_je, half_ret);
	RETURNED(half_ret);
	decided(self, HALF, -EPIPE);
	EXPECT_BRANCH(DECISION_TAKEN, half_je, 112, true);
}

TEST_F(decision, what_was_read_has_a_name)
{
	add_types(self);
	CALLED(reads_body);
	RETURNED(reads_ret);
	decided(self, READS, -EINVAL);
	EXPECT_EQ(DECISION_READ, self->decision.kind);
	EXPECT_STREQ("p->state", self->condition.origin);
	kernel_btf_free(self->btf);
}

TEST_F(decision, what_was_taken_and_negated_has_a_name)
{
	add_types(self);
	CALLED(takes_body);
	RETURNED(takes_ret);
	decided(self, TAKES, -ECONNREFUSED);
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);
	EXPECT_STREQ("-p->state", self->condition.origin);
	kernel_btf_free(self->btf);
}

TEST_F(decision, memory_is_no_constant)
{
	add_types(self);
	CALLED(memory_body);
	RETURNED(memory_ret);
	decided(self, MEMORY, -EINVAL);
	EXPECT_STREQ("p->flags == 0xdead000000000122", self->condition.text);
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	EXPECT_EQ(AT(memory_move), self->decision.from.addr);
	EXPECT_FALSE(self->decision.likely);
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_counter_has_what_was_added)
{
	add_types(self);
	CALLED(counts_body);
	TOOK(counts_jmp, counts_test);
	for (int i = 0; i < 3; i++) {
		TOOK(counts_jne, counts_next);
		TOOK(counts_call, foo);
		TOOK(foo_ret, counts_after);
	}
	RETURNED(counts_ret);
	decided(self, COUNTS, -EEXIST);
	EXPECT_STREQ("p->state == 3", self->condition.text);
	EXPECT_STREQ("p->n > 3", self->condition.after);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, counts_jne, 40, true);
	kernel_btf_free(self->btf);
}

TEST_F(decision, of_two_moves_the_later_one_kept_the_error)
{
	add_types(self);
	CALLED(two_body);
	RETURNED(two_ret);
	decided(self, TWO, -ENOTDIR);
	EXPECT_STREQ("p->ok == 0", self->condition.text);
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	EXPECT_EQ(AT(two_move), self->decision.from.addr);
	EXPECT_FALSE(self->decision.likely);
	kernel_btf_free(self->btf);
}

TEST_F(decision, instructions_stay_while_others_are_decoded)
{
	add_types(self);
	self->symbolizer.no_lines = true;
	TOOK(older_je, older_mid);
	TOOK(older_cond, older_bad);
	RETURNED(older_ret);
	decided(self, OLDER, -EINVAL);
	EXPECT_STREQ("(n & 0x700) == 0x200", self->condition.text);
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_count_in_its_place_is_no_later_error)
{
	CALLED(more_body);
	TOOK(more_call, foo);
	TOOK(foo_ret, more_after);
	TOOK(more_jle, more_out);
	RETURNED(more_ret);
	decided(self, MORE, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, more_jle, 11, true);
}

TEST_F(decision, the_result_compared_with_memory_is_not_settled)
{
	CALLED(same_body);
	TOOK(same_je, same_ret);
	RETURNED(same_ret);
	decided(self, SAME, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, same_je, 21, true);
}

TEST_F(decision, nor_is_a_bit_of_the_result)
{
	CALLED(bits_body);
	TOOK(bits_jb, bits_ret);
	RETURNED(bits_ret);
	decided(self, BITS, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, bits_jb, 31, true);
}

TEST_F(decision, a_test_of_memory_and_a_register)
{
	add_types(self);
	CALLED(masked_body);
	TOOK(masked_jne, masked_bad);
	RETURNED(masked_ret);
	decided(self, MASKED, -EINVAL);
	EXPECT_STREQ("p->state & n", self->condition.text);
	kernel_btf_free(self->btf);
}

TEST_F(decision, which_of_two_calls_a_branch_tested)
{
	CALLED(twice_body);
	TOOK(twice_first, foo);
	TOOK(foo_ret, twice_then);
	TOOK(twice_second, foo);
	TOOK(foo_ret, twice_after);
	TOOK(twice_je, twice_none);
	TOOK(twice_jmp, twice_out);
	RETURNED(twice_ret);
	decided(self, TWICE, -ESRCH);
	EXPECT_BRANCH(DECISION_TAKEN, twice_je, 6, true);
	EXPECT_EQ(AT(twice_first), self->decision.tested_call);
	EXPECT_EQ(0, self->decision.tested_again);

	self->nr = 0;
	CALLED(twice_body);
	TOOK(twice_first, foo);
	TOOK(foo_ret, twice_then);
	TOOK(twice_second, foo);
	TOOK(foo_ret, twice_after);
	TOOK(twice_other, twice_refused);
	TOOK(twice_back, twice_out);
	RETURNED(twice_ret);
	decided(self, TWICE, -EPERM);
	EXPECT_EQ(AT(twice_second), self->decision.tested_call);
	EXPECT_EQ(0, self->decision.tested_again);
}

TEST_F(decision, how_often_a_tested_call_is_passed_again)
{
	CALLED(asks_body);
	TOOK(asks_call, foo);
	TOOK(foo_ret, asks_after);
	TOOK(asks_more, asks_again);
	TOOK(asks_call, foo);
	TOOK(foo_ret, asks_after);
	TOOK(asks_je, asks_none);
	TOOK(asks_back, asks_next);
	TOOK(asks_more, asks_again);
	TOOK(asks_call, foo);
	TOOK(foo_ret, asks_after);
	RETURNED(asks_ret);
	decided(self, ASKS, -ESRCH);
	EXPECT_EQ(AT(asks_call), self->decision.tested_call);
	EXPECT_EQ(1, self->decision.tested_again);
}

TEST_HARNESS_MAIN
