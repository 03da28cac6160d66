// SPDX-License-Identifier: BSD-2-Clause
/* Ways that were not taken and cannot be followed to their ends, or whose values are not known. */
#include <errno.h>

#include "decision_fixture.h"
#include "util/explain/flow/result_flow.h"

#if defined(__x86_64__)

/* clang-format off */
/* if (!number) return 0; if (other) { each of eleven registers may become -EINVAL; END } return -EINVAL */
#define MEETS(name, line, line_bad, end)                                                               \
	FUNC(name)                                                                                     \
	ENTRY                                                                                          \
	LABEL(name##_body)                                                                             \
	LINE(line, 6)                                                                                  \
	"test %edi, %edi\n"                                                                            \
	LABEL(name##_je)                                                                               \
	"je k_" #name "_fine\n"                                                                        \
	LINE(line_bad, 6)                                                                              \
	"test %esi, %esi\n"                                                                            \
	LABEL(name##_bad_je)                                                                           \
	"je k_" #name "_bad\n"                                                                         \
	".irp reg, ebx, ecx, edi, esi, r8d, r9d, r10d, r11d, r12d, r13d, r14d\n"                       \
	"test %edx, %edx\n"                                                                            \
	"je 1f\n"                                                                                      \
	"mov $-22, %\\reg\n"                                                                           \
	"1:\n"                                                                                         \
	".endr\n"                                                                                      \
	end                                                                                            \
	LABEL(name##_fine)                                                                             \
	"xor %eax, %eax\n"                                                                             \
	"ret\n"                                                                                        \
	LABEL(name##_bad)                                                                              \
	"mov $-22, %eax\n"                                                                             \
	LABEL(name##_ret)                                                                              \
	"ret\n"                                                                                        \
	END(name)

asm(KERNEL
    FUNC(fill)
    LABEL(fill_ret)
	"ret\n"
    END(fill)
    /* if (!number) return 0; if (!other) return -EINVAL; then more branches than are followed; return 0 */
    FUNC(forks)
	ENTRY
    LABEL(forks_body)
    LINE(10, 6)
	"test %edi, %edi\n"
    LABEL(forks_je)
	"je k_forks_fine\n"
    LINE(12, 6)
	"test %esi, %esi\n"
    LABEL(forks_bad_je)
	"je k_forks_bad\n"
    LINE(14, 6)
	".rept 1100\n"
	"test %edx, %edx\n"
	"je 1f\n"
	"nop\n"
	"1:\n"
	".endr\n"
    LABEL(forks_fine)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(forks_bad)
	"mov $-22, %eax\n"
    LABEL(forks_ret)
	"ret\n"
    END(forks)
    MEETS(meets, 90, 92, "jmp k_meets_bad\n")
    MEETS(parts, 95, 97, "mov %ebx, %eax\n" "ret\n")
    /* if (!number) return 0; fill(); if (!other) return -EINVAL; return what fill() left in rcx */
    FUNC(leaves)
	ENTRY
    LABEL(leaves_body)
    LINE(20, 6)
	"test %edi, %edi\n"
    LABEL(leaves_je)
	"je k_leaves_fine\n"
    LABEL(leaves_fill)
	"call k_fill\n"
    LABEL(leaves_filled)
    LINE(22, 6)
	"test %ebx, %ebx\n"
    LABEL(leaves_bad_je)
	"je k_leaves_bad\n"
	"mov %ecx, %eax\n"
	"ret\n"
    LABEL(leaves_fine)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(leaves_bad)
	"mov $-22, %eax\n"
    LABEL(leaves_ret)
	"ret\n"
    END(leaves)
    /* err = fill(); if (err >= 0) return 0; fill(); return err */
    FUNC(passes)
	"push %rbx\n"
	"call k_fill\n"
    LABEL(passes_filled)
	"test %eax, %eax\n"
	"jns k_passes_fine\n"
	"mov %eax, %ebx\n"
	"call k_fill\n"
	"mov %ebx, %eax\n"
	"pop %rbx\n"
	"ret\n"
    LABEL(passes_fine)
	"xor %eax, %eax\n"
	"pop %rbx\n"
	"ret\n"
    END(passes)
    /* err = fill(); if (number) err = -EIO; return err */
    FUNC(replaces)
	"call k_fill\n"
    LABEL(replaces_filled)
	"test %ebx, %ebx\n"
	"je k_replaces_ret\n"
	"mov $-5, %eax\n"
    LABEL(replaces_ret)
	"ret\n"
    END(replaces)
    /* err = fill(); fill(&err); return err */
    FUNC(lends)
	"sub $0x18, %rsp\n"
	"call k_fill\n"
    LABEL(lends_filled)
	"mov %eax, 8(%rsp)\n"
	"lea 8(%rsp), %rdi\n"
	"call k_fill\n"
	"mov 8(%rsp), %eax\n"
	"add $0x18, %rsp\n"
	"ret\n"
    END(lends)
    /* err = -EINVAL; fill(&err); return err */
    FUNC(fills)
	"sub $0x18, %rsp\n"
	"movl $-22, 8(%rsp)\n"
	"lea 8(%rsp), %rdi\n"
	"call k_fill\n"
	"mov 8(%rsp), %eax\n"
	"add $0x18, %rsp\n"
	"ret\n"
    END(fills)
    /* fill(); return fill() */
    FUNC(again)
	"call k_fill\n"
    LABEL(again_filled)
	"jmp k_fill\n"
    END(again)
    /* return number ? 0 : -ENOENT */
    FUNC(selects)
	ENTRY
	"xor %edx, %edx\n"
	"test %edi, %edi\n"
	"mov $-2, %eax\n"
	"cmovne %edx, %eax\n"
	"ret\n"
    END(selects)
    /*
     * err = -ENOMEM; if (number) err = -EINVAL; else err = 0; if (more) fill(); if ((ret = fill())) err = ret;
     * return err, with err on the stack
     */
    FUNC(finishes)
	ENTRY
    LABEL(finishes_body)
	"push %rbx\n"
	"sub $0x10, %rsp\n"
	"movl $-12, 12(%rsp)\n"
	"mov %esi, %ebx\n"
    LINE(30, 6)
	"test %edi, %edi\n"
    LABEL(finishes_jne)
	"jne k_finishes_bad\n"
	"movl $0, 12(%rsp)\n"
    LABEL(finishes_out)
    LINE(32, 6)
	"testb $4, 16(%rbx)\n"
    LABEL(finishes_more)
	"jne k_finishes_log\n"
    LABEL(finishes_last)
	"call k_fill\n"
    LABEL(finishes_filled)
    LINE(34, 6)
	"test %eax, %eax\n"
    LABEL(finishes_je)
	"je k_finishes_done\n"
	"mov %eax, 12(%rsp)\n"
    LABEL(finishes_done)
	"mov 12(%rsp), %eax\n"
	"add $0x10, %rsp\n"
	"pop %rbx\n"
    LABEL(finishes_ret)
	"ret\n"
    LABEL(finishes_bad)
	"movl $-22, 12(%rsp)\n"
    LABEL(finishes_jmp)
	"jmp k_finishes_out\n"
    LABEL(finishes_log)
	"call k_fill\n"
	"jmp k_finishes_last\n"
    END(finishes)
    /* The same, with err in a register. */
    FUNC(keeps)
	ENTRY
    LABEL(keeps_body)
	"push %rbx\n"
	"push %rbp\n"
	"mov %esi, %ebx\n"
    LINE(40, 6)
	"test %edi, %edi\n"
    LABEL(keeps_jne)
	"jne k_keeps_bad\n"
	"xor %ebp, %ebp\n"
    LABEL(keeps_out)
    LINE(42, 6)
	"testb $4, 16(%rbx)\n"
    LABEL(keeps_more)
	"jne k_keeps_log\n"
    LABEL(keeps_last)
	"call k_fill\n"
    LABEL(keeps_filled)
    LINE(44, 6)
	"test %eax, %eax\n"
    LABEL(keeps_je)
	"je k_keeps_done\n"
	"mov %eax, %ebp\n"
    LABEL(keeps_done)
	"mov %ebp, %eax\n"
	"pop %rbp\n"
	"pop %rbx\n"
    LABEL(keeps_ret)
	"ret\n"
    LABEL(keeps_bad)
	"mov $-22, %ebp\n"
    LABEL(keeps_jmp)
	"jmp k_keeps_out\n"
    LABEL(keeps_log)
	"call k_fill\n"
	"jmp k_keeps_last\n"
    END(keeps)
    /* long ret = dio->error; if (put(dio)) fill(); if (ret > 0) ret = fill(); return ret; */
    FUNC(puts)
	ENTRY
    LABEL(puts_body)
	"push %rbp\n"
    LINE(50, 6)
    LABEL(puts_read)
	"movslq 0x28(%rdi), %rbp\n"
    LINE(51, 6)
	"lock decl 0x30(%rdi)\n"
    LABEL(puts_je)
	"je k_puts_last\n"
    LABEL(puts_put)
    LINE(52, 6)
	"test %rbp, %rbp\n"
    LABEL(puts_jle)
	"jle k_puts_out\n"
	"call k_fill\n"
	"mov %rax, %rbp\n"
    LABEL(puts_out)
	"mov %rbp, %rax\n"
	"pop %rbp\n"
    LABEL(puts_ret)
	"ret\n"
    LABEL(puts_last)
	"call k_fill\n"
    LABEL(puts_filled)
	"jmp k_puts_put\n"
    END(puts)
    /*
     * other = fill(); if (a->id != b->id) { err = -EINVAL; is_full = false; goto out; }
     * err = fill(); is_full = err == -ENOSPC; out: fill(); if (p) fill(); return is_full ? other : err;
     */
    FUNC(spares)
	ENTRY
    LABEL(spares_body)
	"push %rbx\n"
	"sub $0x20, %rsp\n"
	"mov %rcx, 8(%rsp)\n"
    LABEL(spares_filled_arg)
	"call k_fill\n"
    LABEL(spares_began)
	"mov %eax, %ebp\n"
	"mov 8(%rsp), %rax\n"
	"mov 0x108(%rax), %eax\n"
    LINE(60, 6)
	"cmp %eax, 0x108(%rdx)\n"
    LABEL(spares_je)
	"je k_spares_fine\n"
	"mov $-22, %ebx\n"
	"movb $0, 8(%rsp)\n"
    LABEL(spares_out)
	"call k_fill\n"
    LABEL(spares_filled)
	"mov 0x10(%rsp), %rdi\n"
	"test %rdi, %rdi\n"
    LABEL(spares_none_je)
	"je k_spares_none\n"
	"call k_fill\n"
    LABEL(spares_none)
    LINE(62, 6)
	"cmpb $0, 8(%rsp)\n"
    LABEL(spares_jne)
	"jne k_spares_ret_block\n"
	"mov %ebx, %ebp\n"
    LABEL(spares_ret_block)
	"add $0x20, %rsp\n"
	"mov %ebp, %eax\n"
	"pop %rbx\n"
    LABEL(spares_ret)
	"ret\n"
    LABEL(spares_fine)
	"call k_fill\n"
	"mov %eax, %ebx\n"
	"cmp $-28, %eax\n"
	"sete 8(%rsp)\n"
	"jmp k_spares_out\n"
    END(spares)
    USER);
/* clang-format on */

enum {
	FORKS,
	MEETS,
	PARTS,
	LEAVES,
	FINISHES,
	KEEPS,
	PUTS,
	SPARES,
	NR_FUNCS,
};

static const char *const func_names[NR_FUNCS] = {
	[FORKS] = "forks",
	[MEETS] = "meets",
	[PARTS] = "parts",
	[LEAVES] = "leaves",
	[FINISHES] = "finishes",
	[KEEPS] = "keeps",
	[PUTS] = "puts",
	[SPARES] = "spares",
};

#include "decision_play.h"

TEST_F(decision, too_many_ways_to_follow_leave_doubt)
{
	CALLED(forks_body);
	TOOK(forks_bad_je, forks_bad);
	RETURNED(forks_ret);
	decided(self, FORKS, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, forks_bad_je, 12, false);
	EXPECT_STREQ("part of the code could not be followed", self->decision.reason);
}

/* 2,048 of them, all with the same end: the branch before decided. */
TEST_F(decision, ways_that_meet_are_followed_as_one)
{
	CALLED(meets_body);
	TOOK(meets_bad_je, meets_bad);
	RETURNED(meets_ret);
	decided(self, MEETS, -EINVAL);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, meets_je, 90, true);
}

TEST_F(decision, ways_that_meet_with_different_results_leave_doubt)
{
	CALLED(parts_body);
	TOOK(parts_bad_je, parts_bad);
	RETURNED(parts_ret);
	decided(self, PARTS, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, parts_bad_je, 97, false);
	EXPECT_STREQ("part of the code could not be followed", self->decision.reason);
}

TEST_F(decision, a_value_that_is_not_known_leaves_doubt)
{
	CALLED(leaves_body);
	TOOK(leaves_fill, fill);
	TOOK(fill_ret, leaves_filled);
	TOOK(leaves_bad_je, leaves_bad);
	RETURNED(leaves_ret);
	decided(self, LEAVES, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, leaves_bad_je, 22, false);
	EXPECT_STREQ("part of the code could not be followed", self->decision.reason);
}

TEST_F(decision, on_the_way_to_a_later_call_that_succeeded_nothing_decided)
{
	CALLED(finishes_body);
	TOOK(finishes_jne, finishes_bad);
	TOOK(finishes_jmp, finishes_out);
	TOOK(finishes_last, fill);
	TOOK(fill_ret, finishes_filled);
	TOOK(finishes_je, finishes_done);
	RETURNED(finishes_ret);
	decided(self, FINISHES, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, finishes_jne, 30, false);
	EXPECT_STREQ("a later call could have returned another one", self->decision.reason);
}

TEST_F(decision, nor_where_its_error_only_replaces_the_result)
{
	CALLED(keeps_body);
	TOOK(keeps_jne, keeps_bad);
	TOOK(keeps_jmp, keeps_out);
	TOOK(keeps_last, fill);
	TOOK(fill_ret, keeps_filled);
	TOOK(keeps_je, keeps_done);
	RETURNED(keeps_ret);
	decided(self, KEEPS, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, keeps_jne, 40, true);
}

TEST_F(decision, nor_where_a_later_test_of_the_whole_register_goes_the_same_way)
{
	CALLED(puts_body);
	TOOK(puts_je, puts_last);
	TOOK(puts_last, fill);
	TOOK(fill_ret, puts_filled);
	TOOK(puts_filled, puts_put);
	TOOK(puts_jle, puts_out);
	RETURNED(puts_ret);
	decided(self, PUTS, -EINVAL);
	EXPECT_EQ(DECISION_READ, self->decision.kind);
	EXPECT_EQ(AT(puts_read), self->decision.from.addr);
}

TEST_F(decision, a_flag_of_one_byte_was_cleared_with_the_error)
{
	CALLED(spares_body);
	TOOK(spares_filled_arg, fill);
	TOOK(fill_ret, spares_began);
	TOOK(spares_out, fill);
	TOOK(fill_ret, spares_filled);
	TOOK(spares_none_je, spares_none);
	RETURNED(spares_ret);
	decided(self, SPARES, -EINVAL);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, spares_je, 60, true);
}

#define HANDS_ON(name, err, is_known)                                                      \
	flow_hands_on(&reader,                                                             \
		      &(struct code_function){ AT(name), AT(end_##name) - AT(name), #name }, \
		      AT(name##_filled), (uint64_t)(err), is_known)

TEST_F(decision, whether_an_error_was_passed_up)
{
	const struct code_source source = { read_test_code, &self->readable };
	struct code_reader reader;

	self->readable = true;
	code_reader_init(&reader, &self->symbolizer, &source);
	EXPECT_TRUE(HANDS_ON(passes, -ENOENT, true));
	EXPECT_TRUE(HANDS_ON(passes, -ENOENT, false));
	EXPECT_FALSE(HANDS_ON(passes, 3, true));
	/* The other error is none of the call. */
	EXPECT_TRUE(HANDS_ON(replaces, -ENOENT, true));
	EXPECT_FALSE(HANDS_ON(replaces, -EIO, true));
	EXPECT_FALSE(HANDS_ON(lends, -ENOENT, true));
	EXPECT_FALSE(HANDS_ON(again, -ENOENT, true));
	code_reader_release(&reader);
}

#define MAY_RETURN(name, from, err)                                                            \
	flow_may_return(&reader,                                                               \
			&(struct code_function){ AT(name), AT(end_##name) - AT(name), #name }, \
			AT(from), (uint64_t)(err))

TEST_F(decision, only_other_constants_rule_an_error_out)
{
	const struct code_source source = { read_test_code, &self->readable };
	struct code_reader reader;

	self->readable = true;
	code_reader_init(&reader, &self->symbolizer, &source);
	EXPECT_FALSE(MAY_RETURN(leaves, leaves_bad, -ERANGE));
	EXPECT_FALSE(MAY_RETURN(leaves, leaves_fine, -ERANGE));
	EXPECT_TRUE(MAY_RETURN(leaves, leaves_bad, -EINVAL));
	/* What a register had, a call returned, or a called function may have stored. */
	EXPECT_TRUE(MAY_RETURN(leaves, leaves_filled, -ERANGE));
	EXPECT_TRUE(MAY_RETURN(leaves, leaves_ret, -ERANGE));
	EXPECT_TRUE(MAY_RETURN(replaces, replaces, -ENOENT));
	EXPECT_TRUE(MAY_RETURN(again, again, -ENOENT));
	EXPECT_TRUE(MAY_RETURN(fills, fills, -ENOENT));
	EXPECT_TRUE(MAY_RETURN(selects, selects, -ENOENT));
	EXPECT_TRUE(MAY_RETURN(selects, selects, 0));
	EXPECT_FALSE(MAY_RETURN(selects, selects, -EINVAL));
	/* So many ways are not walked. */
	EXPECT_TRUE(MAY_RETURN(forks, forks, -ENOENT));
	code_reader_release(&reader);
}

#endif

TEST_HARNESS_MAIN
