// SPDX-License-Identifier: BSD-2-Clause
/* Why a call failed with an error that a called function stored by an address: "*err = -EAGAIN; return NULL". */
#include <errno.h>

#include "decision_fixture.h"

#if defined(__x86_64__)

/* err = 0; p = CALLEE(number, &err); if (p) return 0; return err */
#define RECEIVES(name, callee)                 \
	FUNC(name)                             \
	ENTRY                                  \
	LABEL(name##_body)                     \
	"sub $24, %rsp\n"                      \
	"movl $0, 12(%rsp)\n"                  \
	"lea 12(%rsp), %rsi\n"                 \
	LINE(10, 6)                            \
	LABEL(name##_call)                     \
	"call k_" #callee "\n"                 \
	LABEL(name##_called)                   \
	"test %rax, %rax\n"                    \
	LABEL(name##_jne)                      \
	"jne k_" #name "_fine\n"               \
	"mov 12(%rsp), %eax\n"                 \
	LABEL(name##_out)                      \
	"add $24, %rsp\n"                      \
	LABEL(name##_ret)                      \
	"ret\n"                                \
	LABEL(name##_fine)                     \
	"xor %eax, %eax\n"                     \
	"jmp k_" #name "_out\n"                \
	END(name)

/* p = number ? object : NULL; if (!p) { *err = -EAGAIN; return NULL; } return p */
#define TAKES_OBJECT(name, entry)              \
	FUNC(name)                             \
	entry                                  \
	LABEL(name##_body)                     \
	"push %rbx\n"                          \
	"mov %rsi, %rbx\n"                     \
	LINE(30, 6)                            \
	"test %edi, %edi\n"                    \
	LABEL(name##_je)                       \
	"je k_" #name "_none\n"                \
	"mov %rdi, %rax\n"                     \
	LABEL(name##_out)                      \
	"pop %rbx\n"                           \
	LABEL(name##_ret)                      \
	"ret\n"                                \
	LABEL(name##_none)                     \
	"movl $-11, (%rbx)\n"                  \
	"xor %eax, %eax\n"                     \
	LABEL(name##_jmp)                      \
	"jmp k_" #name "_out\n"                \
	END(name)

#define ACCEPTS(name, callee, pass)            \
	FUNC(name)                             \
	ENTRY                                  \
	LABEL(name##_body)                     \
	"push %rbp\n"                          \
	"mov %rdx, %rbp\n"                     \
	pass                                   \
	"movl $-22, 4(%rdx)\n"                 \
	LABEL(name##_call)                     \
	"call k_" #callee "\n"                 \
	LABEL(name##_called)                   \
	"test %rax, %rax\n"                    \
	LABEL(name##_je)                       \
	"je k_" #name "_none\n"                \
	"xor %eax, %eax\n"                     \
	LABEL(name##_out)                      \
	"pop %rbp\n"                           \
	LABEL(name##_ret)                      \
	"ret\n"                                \
	LABEL(name##_none)                     \
	LINE(110, 6)                           \
	"mov 4(%rbp), %eax\n"                  \
	LABEL(name##_jmp)                      \
	"jmp k_" #name "_out\n"                \
	END(name)

/* clang-format off */
asm(KERNEL
    TAKES_OBJECT(takes, ENTRY)
    TAKES_OBJECT(traced, TRACED_ENTRY)
    TAKES_OBJECT(jumping, JUMPING_ENTRY)
    RECEIVES(receives_jumping, jumping)
    TAKES_OBJECT(untraced, "call k_checks\n")
    RECEIVES(receives_traced, traced)
    RECEIVES(receives_untraced, untraced)
    /* The same, with the address on the stack meanwhile, and two errors that join. */
    FUNC(spills)
	ENTRY
    LABEL(spills_body)
	"sub $24, %rsp\n"
	"mov %rsi, 8(%rsp)\n"
	"mov $-22, %edx\n"
    LINE(40, 6)
	"test %edi, %edi\n"
    LABEL(spills_js)
	"js k_spills_bad\n"
    LINE(42, 6)
	"test $1, %edi\n"
    LABEL(spills_jne)
	"jne k_spills_fine\n"
	"mov $-11, %edx\n"
    LABEL(spills_bad)
	"mov 8(%rsp), %rax\n"
	"mov %edx, (%rax)\n"
	"xor %eax, %eax\n"
    LABEL(spills_out)
	"add $24, %rsp\n"
    LABEL(spills_ret)
	"ret\n"
    LABEL(spills_fine)
	"mov %rdi, %rax\n"
    LABEL(spills_jmp)
	"jmp k_spills_out\n"
    END(spills)
    /* *err = -EAGAIN; if (number) *err = 0; return NULL */
    FUNC(replaces)
	ENTRY
    LABEL(replaces_body)
	"movl $-11, (%rsi)\n"
    LINE(50, 6)
	"test %edi, %edi\n"
    LABEL(replaces_je)
	"je k_replaces_out\n"
	"movl $0, (%rsi)\n"
    LABEL(replaces_out)
	"xor %eax, %eax\n"
    LABEL(replaces_ret)
	"ret\n"
    END(replaces)
    /* if (number & 2) return object; *err = -EAGAIN; if (number & 1) checks(object); return NULL */
    FUNC(puts)
	ENTRY
    LABEL(puts_body)
	"push %rbp\n"
	"mov %rdx, %rbp\n"
	"push %rbx\n"
	"mov %rsi, %rbx\n"
	"xor %esi, %esi\n"
	"mov %rdi, %rax\n"
	"and $-4, %rdi\n"
    LINE(54, 6)
	"test $2, %eax\n"
    LABEL(puts_jne)
	"jne k_puts_fine\n"
	"movl $-11, (%rbx)\n"
	"test $1, %eax\n"
    LABEL(puts_more)
	"jne k_puts_put\n"
	"xor %edx, %edx\n"
    LABEL(puts_out)
	"mov %rdx, %rax\n"
	"pop %rbx\n"
	"pop %rbp\n"
    LABEL(puts_ret)
	"ret\n"
    LABEL(puts_put)
	"call k_checks\n"
	"xor %edx, %edx\n"
	"jmp k_puts_out\n"
    LABEL(puts_fine)
	"mov %eax, (%rbp)\n"
	"mov %rdi, %rdx\n"
	"jmp k_puts_out\n"
    END(puts)
    /* The same, with checks(object, err) */
    FUNC(tells)
	ENTRY
    LABEL(tells_body)
	"push %rbp\n"
	"mov %rdx, %rbp\n"
	"push %rbx\n"
	"mov %rsi, %rbx\n"
	"xor %esi, %esi\n"
	"mov %rdi, %rax\n"
	"and $-4, %rdi\n"
    LINE(57, 6)
	"test $2, %eax\n"
    LABEL(tells_jne)
	"jne k_tells_fine\n"
	"movl $-11, (%rbx)\n"
	"test $1, %eax\n"
    LABEL(tells_more)
	"jne k_tells_put\n"
	"xor %edx, %edx\n"
    LABEL(tells_out)
	"mov %rdx, %rax\n"
	"pop %rbx\n"
	"pop %rbp\n"
    LABEL(tells_ret)
	"ret\n"
    LABEL(tells_put)
	"mov %rbx, %rsi\n"
	"call k_checks\n"
	"xor %edx, %edx\n"
	"jmp k_tells_out\n"
    LABEL(tells_fine)
	"mov %eax, (%rbp)\n"
	"mov %rdi, %rdx\n"
	"jmp k_tells_out\n"
    END(tells)
    /* return takes(number, err) */
    FUNC(passes)
	ENTRY
    LABEL(passes_body)
	"push %rbx\n"
	"mov %rsi, %rbx\n"
	"mov %rbx, %rsi\n"
    LINE(60, 2)
    LABEL(passes_call)
	"call k_takes\n"
    LABEL(passes_called)
	"pop %rbx\n"
    LABEL(passes_ret)
	"ret\n"
    END(passes)
    /* if (number) *err = 0; return NULL */
    FUNC(leaves)
	ENTRY
    LABEL(leaves_body)
	"test %edi, %edi\n"
    LABEL(leaves_je)
	"je k_leaves_out\n"
	"movl $0, (%rsi)\n"
    LABEL(leaves_out)
	"xor %eax, %eax\n"
    LABEL(leaves_ret)
	"ret\n"
    END(leaves)
    RECEIVES(receives, takes)
    RECEIVES(hands, passes)
    RECEIVES(forgets, leaves)
    /* takes(0, &err); takes(0, &err); return err; the second one's address was in another register. */
    FUNC(repeats)
	ENTRY
    LABEL(repeats_body)
	"push %rbx\n"
	"sub $16, %rsp\n"
	"lea 4(%rsp), %rbx\n"
	"movl $0, 4(%rsp)\n"
	"mov %rbx, %rsi\n"
    LABEL(repeats_first)
	"call k_takes\n"
    LABEL(repeats_second)
	"mov %rbx, %rsi\n"
    LABEL(repeats_call)
	"call k_takes\n"
    LABEL(repeats_called)
	"mov 4(%rsp), %eax\n"
	"add $16, %rsp\n"
	"pop %rbx\n"
    LABEL(repeats_ret)
	"ret\n"
    END(repeats)
    /* Its variable is not initialized, and at the stack pointer. */
    FUNC(lowest)
	ENTRY
    LABEL(lowest_body)
	"sub $16, %rsp\n"
	"mov %rsp, %rsi\n"
    LABEL(lowest_call)
	"call k_takes\n"
    LABEL(lowest_called)
	"mov (%rsp), %eax\n"
	"add $16, %rsp\n"
    LABEL(lowest_ret)
	"ret\n"
    END(lowest)
    /* The address of another variable was passed. */
    FUNC(besides)
	ENTRY
    LABEL(besides_body)
	"sub $24, %rsp\n"
	"movl $0, 12(%rsp)\n"
	"lea 8(%rsp), %rsi\n"
    LABEL(besides_call)
	"call k_takes\n"
    LABEL(besides_called)
	"mov 12(%rsp), %eax\n"
	"add $24, %rsp\n"
    LABEL(besides_ret)
	"ret\n"
    END(besides)
    /* if (!number) object->member = -ENOENT; check(object) */
    FUNC(keeps)
	ENTRY
    LABEL(keeps_body)
	"push %rbx\n"
	"mov %rdi, %rbx\n"
    LINE(90, 6)
	"test %esi, %esi\n"
    LABEL(keeps_je)
	"je k_keeps_none\n"
    LABEL(keeps_on)
	"mov %rbx, %rdi\n"
    LABEL(keeps_call)
	"call k_checks\n"
    LABEL(keeps_called)
	"pop %rbx\n"
    LABEL(keeps_ret)
	"ret\n"
    LABEL(keeps_none)
	"movl $-1, 80(%rbx)\n"
	"movl $-2, 88(%rbx)\n"
	"movl $0, 92(%rbx)\n"
    LABEL(keeps_jmp)
	"jmp k_keeps_on\n"
    END(keeps)
    /* object->member = -EINVAL, unless it is refused elsewhere */
    FUNC(checks)
	ENTRY
    LABEL(checks_body)
    LINE(95, 6)
	"cmpl $0, (%rdi)\n"
    LABEL(checks_jne)
	"jne k_checks_out\n"
	"movl $-22, 88(%rdi)\n"
    LABEL(checks_out)
	"xor %eax, %eax\n"
    LABEL(checks_ret)
	"ret\n"
    END(checks)
    /* err = number < 0 ? -EBADF : 0; if (object->flags & 0x40) object->flags = 0; object->err = err; return 0 */
    FUNC(tails)
	ENTRY
    LABEL(tails_body)
	"mov $-9, %edx\n"
    LINE(97, 6)
	"test %esi, %esi\n"
    LABEL(tails_js)
	"js k_tails_done\n"
	"xor %edx, %edx\n"
    LABEL(tails_done)
    LINE(98, 6)
	"testl $0x40, 8(%rdi)\n"
    LABEL(tails_jne)
	"jne k_tails_flag\n"
	"mov %edx, 88(%rdi)\n"
	"xor %eax, %eax\n"
    LABEL(tails_ret)
	"ret\n"
    LABEL(tails_flag)
	"movl $0, 8(%rdi)\n"
	"mov %edx, 88(%rdi)\n"
	"xor %eax, %eax\n"
	"ret\n"
    END(tails)
    /* object->err = -EINVAL; p = CALLEE(number, object); if (p) return 0; return object->err */
    ACCEPTS(accepts, listens, "mov %rbp, %rsi\n")
    /* The same, of a callee that gets the member's address. */
    ACCEPTS(lends, takes, "lea 4(%rbp), %rsi\n")
    /* if (number) object->err = -EAGAIN; return NULL */
    FUNC(listens)
	ENTRY
    LABEL(listens_body)
    LINE(100, 6)
	"test %edi, %edi\n"
    LABEL(listens_je)
	"je k_listens_out\n"
	"movl $-11, 4(%rsi)\n"
    LABEL(listens_out)
	"xor %eax, %eax\n"
    LABEL(listens_ret)
	"ret\n"
    END(listens)
    USER);
/* clang-format on */

enum {
	TAKES,
	SPILLS,
	REPLACES,
	PUTS,
	TELLS,
	PASSES,
	LEAVES,
	RECEIVES,
	HANDS,
	FORGETS,
	REPEATS,
	LOWEST,
	BESIDES,
	KEEPS,
	CHECKS,
	TAILS,
	RECEIVES_TRACED,
	RECEIVES_UNTRACED,
	RECEIVES_JUMPING,
	ACCEPTS,
	LENDS,
	LISTENS,
	NR_FUNCS,
};

static const char *const func_names[] = {
	[TAKES] = "takes",	 [SPILLS] = "spills",   [REPLACES] = "replaces", [PASSES] = "passes",
	[PUTS] = "puts",	 [TELLS] = "tells",
	[LEAVES] = "leaves",	 [RECEIVES] = "receives", [HANDS] = "hands",	 [FORGETS] = "forgets",
	[REPEATS] = "repeats",	 [LOWEST] = "lowest",   [BESIDES] = "besides",
	[KEEPS] = "keeps",	 [CHECKS] = "checks",   [TAILS] = "tails",
	[RECEIVES_TRACED] = "receives_traced",
	[RECEIVES_UNTRACED] = "receives_untraced",
	[RECEIVES_JUMPING] = "receives_jumping",
	[ACCEPTS] = "accepts",	 [LENDS] = "lends",     [LISTENS] = "listens",
};

#include "decision_play.h"

static const struct decision_callee *last_callee(const struct decision *decision)
{
	return decision->callees.len ? &decision->callees.data[decision->callees.len - 1] : NULL;
}

TEST_F(decision, the_branch_that_led_to_a_store_decided)
{
	self->stored_param = 2;
	CALLED(takes_body);
	TOOK(takes_je, takes_none);
	TOOK(takes_jmp, takes_out);
	RETURNED(takes_ret);
	decided(self, TAKES, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, takes_je, 30, true);

	self->nr = 0;
	CALLED(spills_body);
	RETURNED(spills_ret);
	decided(self, SPILLS, -EAGAIN);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, spills_jne, 42, true);
	self->nr = 0;
	CALLED(spills_body);
	TOOK(spills_js, spills_bad);
	RETURNED(spills_ret);
	decided(self, SPILLS, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, spills_js, 40, true);
}

TEST_F(decision, a_branch_after_the_store_decided_that_it_stayed)
{
	self->stored_param = 2;
	CALLED(replaces_body);
	TOOK(replaces_je, replaces_out);
	RETURNED(replaces_ret);
	decided(self, REPLACES, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, replaces_je, 50, true);
	/* It is passed on there. */
	self->nr = 0;
	CALLED(tells_body);
	RETURNED(tells_ret);
	decided(self, TELLS, -EAGAIN);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, tells_more, 57, true);
}

/* sockfd_lookup_light() of 6.1 puts the file after it stored -ENOTSOCK. */
TEST_F(decision, a_branch_after_the_store_that_leads_to_no_other_store_changes_nothing)
{
	self->stored_param = 2;
	CALLED(puts_body);
	RETURNED(puts_ret);
	decided(self, PUTS, -EAGAIN);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, puts_jne, 54, true);
	EXPECT_FALSE(self->decision.likely);
}

/* A request of io_uring has its error somewhere inside, and is passed to other functions after that. */
TEST_F(decision, an_error_may_be_a_member_of_an_object)
{
	self->stored_param = 1;
	self->stored_at = 88;
	CALLED(keeps_body);
	TOOK(keeps_je, keeps_none);
	TOOK(keeps_jmp, keeps_on);
	TOOK(keeps_call, checks);
	TOOK(checks_jne, checks_out);
	TOOK(checks_ret, keeps_called);
	RETURNED(keeps_ret);
	decided(self, KEEPS, -ENOENT);
	EXPECT_BRANCH(DECISION_TAKEN, keeps_je, 90, true);
	EXPECT_EQ(0, self->decision.callees.len);
	/* Another member. */
	self->stored_at = 80;
	decided(self, KEEPS, -ENOENT);
	EXPECT_NONE(decider_stored_by_address);
}

/* io_splice() on arm64, whose test of a flag comes after the error is known. */
TEST_F(decision, the_same_store_elsewhere_is_no_other_result)
{
	self->stored_param = 1;
	self->stored_at = 88;
	CALLED(tails_body);
	TOOK(tails_js, tails_done);
	RETURNED(tails_ret);
	decided(self, TAILS, -EBADF);
	EXPECT_BRANCH(DECISION_TAKEN, tails_js, 97, true);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, a_function_that_gets_the_object_may_store_another_error_there)
{
	const struct decision_callee *callee;

	self->stored_param = 1;
	self->stored_at = 88;
	CALLED(keeps_body);
	TOOK(keeps_je, keeps_none);
	TOOK(keeps_jmp, keeps_on);
	TOOK(keeps_call, checks);
	TOOK(checks_ret, keeps_called);
	RETURNED(keeps_ret);
	decided(self, KEEPS, -EINVAL);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, checks_jne, 95, true);
	callee = last_callee(&self->decision);
	ASSERT_NE(NULL, callee);
	EXPECT_STREQ("checks", callee->name);
	EXPECT_EQ(1, callee->stored_param);
	EXPECT_EQ(88, callee->stored_at);
}

TEST_F(decision, a_way_without_a_store_by_the_address_tells_nothing)
{
	self->stored_param = 2;
	CALLED(takes_body);
	RETURNED(takes_ret);
	decided(self, TAKES, -EAGAIN);
	EXPECT_NONE(decider_not_stored);
	/* It was the address of another parameter. */
	self->stored_param = 1;
	self->nr = 0;
	CALLED(takes_body);
	TOOK(takes_je, takes_none);
	TOOK(takes_jmp, takes_out);
	RETURNED(takes_ret);
	decided(self, TAKES, -EAGAIN);
	EXPECT_NONE(decider_not_stored);
	EXPECT_EQ(-1, self->decision.given_in);
	/* It stored another error. */
	self->stored_param = 2;
	decided(self, TAKES, -EINVAL);
	EXPECT_NONE(decider_not_stored);
}

TEST_F(decision, a_function_may_pass_the_address_on)
{
	const struct decision_callee *callee;

	self->stored_param = 2;
	CALLED(passes_body);
	TOOK(passes_call, takes);
	TOOK(takes_je, takes_none);
	TOOK(takes_jmp, takes_out);
	TOOK(takes_ret, passes_called);
	RETURNED(passes_ret);
	decided(self, PASSES, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, takes_je, 30, true);
	callee = last_callee(&self->decision);
	ASSERT_NE(NULL, callee);
	EXPECT_STREQ("takes", callee->name);
	EXPECT_EQ(2, callee->stored_param);
}

TEST_F(decision, a_result_that_a_called_function_stored_is_followed_into_it)
{
	CALLED(receives_body);
	TOOK(receives_call, takes);
	TOOK(takes_je, takes_none);
	TOOK(takes_jmp, takes_out);
	TOOK(takes_ret, receives_called);
	RETURNED(receives_ret);
	decided(self, RECEIVES, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, takes_je, 30, true);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("takes", self->decision.callees.data[0].name);
	EXPECT_EQ(2, self->decision.callees.data[0].stored_param);

	self->nr = 0;
	CALLED(hands_body);
	TOOK(hands_call, passes);
	TOOK(passes_call, takes);
	TOOK(takes_je, takes_none);
	TOOK(takes_jmp, takes_out);
	TOOK(takes_ret, passes_called);
	TOOK(passes_ret, hands_called);
	RETURNED(hands_ret);
	decided(self, HANDS, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, takes_je, 30, true);
	ASSERT_EQ(2, self->decision.callees.len);
	EXPECT_STREQ("passes", self->decision.callees.data[0].name);
	EXPECT_STREQ("takes", self->decision.callees.data[1].name);
}

/* inet_accept() of 7.2 */
TEST_F(decision, a_result_read_from_an_object_is_what_the_called_function_stored_there)
{
	const struct decision_callee *callee;

	CALLED(accepts_body);
	TOOK(accepts_call, listens);
	TOOK(listens_ret, accepts_called);
	TOOK(accepts_je, accepts_none);
	TOOK(accepts_jmp, accepts_out);
	RETURNED(accepts_ret);
	decided(self, ACCEPTS, -EAGAIN);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, listens_je, 100, true);
	callee = last_callee(&self->decision);
	ASSERT_NE(NULL, callee);
	EXPECT_STREQ("listens", callee->name);
	EXPECT_EQ(2, callee->stored_param);
	EXPECT_EQ(4, callee->stored_at);
	EXPECT_TRUE(callee->stored_in_object);
}

/* unix_accept() of 7.2 */
TEST_F(decision, the_address_of_a_member_may_be_passed)
{
	const struct decision_callee *callee;

	CALLED(lends_body);
	TOOK(lends_call, takes);
	TOOK(takes_je, takes_none);
	TOOK(takes_jmp, takes_out);
	TOOK(takes_ret, lends_called);
	TOOK(lends_je, lends_none);
	TOOK(lends_jmp, lends_out);
	RETURNED(lends_ret);
	decided(self, LENDS, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, takes_je, 30, true);
	callee = last_callee(&self->decision);
	ASSERT_NE(NULL, callee);
	EXPECT_STREQ("takes", callee->name);
	EXPECT_EQ(2, callee->stored_param);
	EXPECT_EQ(0, callee->stored_at);
}

TEST_F(decision, an_object_that_the_called_function_left_alone_had_the_result_before)
{
	CALLED(accepts_body);
	TOOK(accepts_call, listens);
	TOOK(listens_je, listens_out);
	TOOK(listens_ret, accepts_called);
	TOOK(accepts_je, accepts_none);
	TOOK(accepts_jmp, accepts_out);
	RETURNED(accepts_ret);
	decided(self, ACCEPTS, -EINVAL);
	EXPECT_EQ(DECISION_READ, self->decision.kind);
	EXPECT_EQ(110, self->decision.from.line);
	EXPECT_EQ(0, self->decision.callees.len);
}

TEST_F(decision, one_that_did_not_store_it_is_not_named)
{
	CALLED(forgets_body);
	TOOK(forgets_call, leaves);
	TOOK(leaves_je, leaves_out);
	TOOK(leaves_ret, forgets_called);
	RETURNED(forgets_ret);
	decided(self, FORGETS, -EAGAIN);
	EXPECT_NONE(decider_stored_by_address);
	EXPECT_EQ(0, self->decision.callees.len);

	self->nr = 0;
	CALLED(besides_body);
	TOOK(besides_call, takes);
	TOOK(takes_je, takes_none);
	TOOK(takes_jmp, takes_out);
	TOOK(takes_ret, besides_called);
	RETURNED(besides_ret);
	decided(self, BESIDES, -EAGAIN);
	EXPECT_EQ(DECISION_NONE, self->decision.kind);
	EXPECT_EQ(0, self->decision.callees.len);
}

TEST_F(decision, a_function_may_be_traced_by_others)
{
	CALLED(receives_traced_body);
	TOOK(receives_traced_call, traced);
	TOOK(traced_je, traced_none);
	TOOK(traced_jmp, traced_out);
	TOOK(traced_ret, receives_traced_called);
	RETURNED(receives_traced_ret);
	decided(self, RECEIVES_TRACED, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, traced_je, 30, true);

	self->nr = 0;
	CALLED(receives_jumping_body);
	TOOK(receives_jumping_call, jumping);
	TOOK(jumping_je, jumping_none);
	TOOK(jumping_jmp, jumping_out);
	TOOK(jumping_ret, receives_jumping_called);
	RETURNED(receives_jumping_ret);
	decided(self, RECEIVES_JUMPING, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, jumping_je, 30, true);
}

/* It may change what is in the registers of the parameters. */
TEST_F(decision, a_call_at_the_beginning_need_not_be_of_tracing)
{
	CALLED(receives_untraced_body);
	TOOK(receives_untraced_call, untraced);
	TOOK(untraced_je, untraced_none);
	TOOK(untraced_jmp, untraced_out);
	TOOK(untraced_ret, receives_untraced_called);
	RETURNED(receives_untraced_ret);
	decided(self, RECEIVES_UNTRACED, -EAGAIN);
	EXPECT_NE(AT(untraced_je), self->decision.from.addr);
	EXPECT_EQ(0, self->decision.callees.len);
}

TEST_F(decision, of_several_calls_the_last_one_stored_it)
{
	CALLED(repeats_body);
	TOOK(repeats_first, takes);
	TOOK(takes_je, takes_none);
	TOOK(takes_jmp, takes_out);
	TOOK(takes_ret, repeats_second);
	TOOK(repeats_call, takes);
	TOOK(takes_je, takes_none);
	TOOK(takes_jmp, takes_out);
	TOOK(takes_ret, repeats_called);
	RETURNED(repeats_ret);
	decided(self, REPEATS, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, takes_je, 30, true);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_EQ(AT(repeats_call), self->decision.callees.data[0].call.addr);
}

TEST_F(decision, a_variable_at_the_stack_pointer_is_not_read_from_just_anywhere)
{
	CALLED(lowest_body);
	TOOK(lowest_call, takes);
	TOOK(takes_je, takes_none);
	TOOK(takes_jmp, takes_out);
	TOOK(takes_ret, lowest_called);
	RETURNED(lowest_ret);
	decided(self, LOWEST, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, takes_je, 30, true);
}

#endif

TEST_HARNESS_MAIN
