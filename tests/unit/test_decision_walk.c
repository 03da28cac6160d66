// SPDX-License-Identifier: BSD-2-Clause
/* Ways that were not taken and cannot be followed to their ends, or whose values are not known. */
#include <errno.h>

#include "decision_fixture.h"
#include "util/explain/flow/result_flow.h"

#if defined(__x86_64__)

/* clang-format off */
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
    USER);
/* clang-format on */

enum {
	FORKS,
	LEAVES,
	NR_FUNCS,
};

static const char *const func_names[NR_FUNCS] = {
	[FORKS] = "forks",
	[LEAVES] = "leaves",
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

#define ONLY_RETURNS(name, err)                                                                  \
	flow_only_returns(&reader,                                                               \
			  &(struct code_function){ AT(name), AT(end_##name) - AT(name), #name }, \
			  AT(name##_filled), (uint64_t)(err))

TEST_F(decision, whether_a_function_passes_an_error_up_in_any_case)
{
	const struct code_source source = { read_test_code, &self->readable };
	struct code_reader reader;

	self->readable = true;
	code_reader_init(&reader, &self->symbolizer, &source);
	EXPECT_TRUE(ONLY_RETURNS(passes, -ENOENT));
	EXPECT_FALSE(ONLY_RETURNS(passes, 3));
	EXPECT_FALSE(ONLY_RETURNS(replaces, -ENOENT));
	EXPECT_FALSE(ONLY_RETURNS(lends, -ENOENT));
	EXPECT_FALSE(ONLY_RETURNS(again, -ENOENT));
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
