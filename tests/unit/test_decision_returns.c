// SPDX-License-Identifier: BSD-2-Clause
/* Who may have returned the result, where only returns were recorded. */
#include <errno.h>
#include <linux/perf_event.h>

#include "decision_fixture.h"

#if defined(__x86_64__)

/* clang-format off */
asm(KERNEL
    FUNC(first)
    LABEL(first_ret)
	"ret\n"
    END(first)
    FUNC(second)
    LABEL(second_ret)
	"ret\n"
    END(second)
    FUNC(third)
    LABEL(third_ret)
	"ret\n"
    END(third)
    /* err = first(); second(); third(); return err */
    FUNC(keeps)
	ENTRY
    LABEL(keeps_body)
	"push %rbx\n"
    LINE(10, 8)
	"call k_first\n"
    LABEL(keeps_after_first)
	"mov %eax, %ebx\n"
	"call k_second\n"
    LABEL(keeps_after_second)
	"call k_third\n"
    LABEL(keeps_after_third)
	"mov %ebx, %eax\n"
	"pop %rbx\n"
    LABEL(keeps_ret)
	"ret\n"
    END(keeps)
    /* first(); a jump by a table, to here among others: second(); return -EIO */
    FUNC(jumps)
	ENTRY
    LABEL(jumps_body)
	"push %rbx\n"
	"call k_first\n"
    LABEL(jumps_after_first)
	"jmp *%rbx\n"
    LABEL(jumps_there)
	"call k_second\n"
    LABEL(jumps_after_second)
	"mov $-5, %eax\n"
	"pop %rbx\n"
    LABEL(jumps_ret)
	"ret\n"
    END(jumps)
    USER);
/* clang-format on */

enum {
	KEEPS,
	JUMPS,
	NR_FUNCS,
};

static const char *const func_names[NR_FUNCS] = {
	[KEEPS] = "keeps",
	[JUMPS] = "jumps",
};

#include "decision_play.h"

#define RETURNS_ALONE "only returns were recorded, --lbr=any shows more"

static void calls_of_keeps(FIXTURE_DATA(decision) * self)
{
	self->types = PERF_SAMPLE_BRANCH_ANY_RETURN;
	TOOK(first_ret, keeps_after_first);
	TOOK(second_ret, keeps_after_second);
	TOOK(third_ret, keeps_after_third);
	RETURNED(keeps_ret);
}

TEST_F(decision, the_result_of_the_first_of_three_calls_is_followed_past_the_others)
{
	calls_of_keeps(self);
	decided(self, KEEPS, -EINVAL);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	EXPECT_TRUE(self->decision.likely);
	EXPECT_STREQ(RETURNS_ALONE, self->decision.reason);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("first", self->decision.callees.data[0].name);
	EXPECT_EQ(10, self->decision.callees.data[0].call.line);
}

TEST_F(decision, calls_that_were_not_made_in_that_order_are_not_of_this_way)
{
	self->types = PERF_SAMPLE_BRANCH_ANY_RETURN;
	TOOK(first_ret, keeps_after_first);
	TOOK(third_ret, keeps_after_third);
	TOOK(second_ret, keeps_after_second);
	RETURNED(keeps_ret);
	decided(self, KEEPS, -EINVAL);
	EXPECT_NONE(RETURNS_ALONE);
	EXPECT_EQ(0, self->decision.callees.len);
}

TEST_F(decision, calls_of_the_function_when_it_was_called_before_are_not_named)
{
	calls_of_keeps(self);
	/* It ran once more, and its calls were not recorded. */
	RETURNED(keeps_ret);
	decided(self, KEEPS, -EINVAL);
	EXPECT_NONE(RETURNS_ALONE);
	EXPECT_EQ(0, self->decision.callees.len);
}

TEST_F(decision, where_code_cannot_be_followed_the_last_call_alone_may_be_named)
{
	self->types = PERF_SAMPLE_BRANCH_ANY_RETURN;
	TOOK(first_ret, jumps_after_first);
	RETURNED(jumps_ret);
	decided(self, JUMPS, -EINVAL);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("first", self->decision.callees.data[0].name);

	/* The last one did not return it, and nobody knows what came before. */
	self->nr = 0;
	TOOK(first_ret, jumps_after_first);
	TOOK(second_ret, jumps_after_second);
	RETURNED(jumps_ret);
	decided(self, JUMPS, -EINVAL);
	EXPECT_NONE(RETURNS_ALONE);
	EXPECT_EQ(0, self->decision.callees.len);
	decided(self, JUMPS, -EIO);
	EXPECT_NONE("the function may have set it itself; " RETURNS_ALONE);
}

#endif

TEST_HARNESS_MAIN
