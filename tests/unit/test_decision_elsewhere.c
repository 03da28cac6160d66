// SPDX-License-Identifier: BSD-2-Clause
/*
 * Branches that decided nothing, since code beside the way cannot lead elsewhere: by what it compares with a constant
 * on the stack, or where it only fails otherwise.
 */
#include <errno.h>

#include "decision_fixture.h"

#if defined(__x86_64__)

/*
 * unix_stream_read_generic() of 7.2, and the same where a variable above ADDRESS may be changed by who got that:
 * copied = 0; err = 0; if (!number) { err = -EAGAIN; } if (wanted && copied) return copied; return copied ?: err
 */
#define READS(name, address, asks)             \
	FUNC(name)                             \
	ENTRY                                  \
	LABEL(name##_body)                     \
	"sub $24, %rsp\n"                      \
	"movl $0, 8(%rsp)\n"                   \
	"movl $0, 12(%rsp)\n"                  \
	address                                \
	LINE(10, 6)                            \
	"test %edi, %edi\n"                    \
	LABEL(name##_jne)                      \
	"jne k_" #name "_all\n"                \
	"movl $-11, 12(%rsp)\n"                \
	LABEL(name##_all)                      \
	LINE(12, 6)                            \
	"test %esi, %esi\n"                    \
	LABEL(name##_wanted)                   \
	"jne k_" #name "_asks\n"               \
	LABEL(name##_out)                      \
	LINE(14, 6)                            \
	"mov 8(%rsp), %eax\n"                  \
	"test %eax, %eax\n"                    \
	"cmove 12(%rsp), %eax\n"               \
	"mov %eax, 12(%rsp)\n"                 \
	"mov 12(%rsp), %eax\n"                 \
	LABEL(name##_end)                      \
	"add $24, %rsp\n"                      \
	LABEL(name##_ret)                      \
	"ret\n"                                \
	LABEL(name##_asks)                     \
	asks                                   \
	"test %ecx, %ecx\n"                    \
	"je k_" #name "_out\n"                 \
	"mov %ecx, %eax\n"                     \
	"jmp k_" #name "_end\n"                \
	END(name)

#define ASKS "mov 8(%rsp), %ecx\n"

/* clang-format off */
asm(KERNEL
    READS(reads, "", ASKS)
    READS(shares, "lea 8(%rsp), %rdx\n" "call k_others\n", ASKS)
    /* Here the same place is another variable. */
    READS(moves, "", "sub $8, %rsp\n" ASKS "add $8, %rsp\n")
    FUNC(others) ENTRY "ret\n" END(others)
    FUNC(__stack_chk_fail) ENTRY "ret\n" END(__stack_chk_fail)
    /* raw_sendmsg() of 7.2 has more variables than are followed; behind the check, it only stores the result. */
    FUNC(fills)
	ENTRY
    LABEL(fills_body)
	"sub $344, %rsp\n"
	".Lat = 0\n"
	".rept 40\n"
	"movq $0, .Lat(%rsp)\n"
	".Lat = .Lat + 8\n"
	".endr\n"
	"mov %gs:0, %rax\n"
	"mov %rax, 336(%rsp)\n"
	"xor %ebp, %ebp\n"
    LINE(20, 6)
	"test %edi, %edi\n"
    LABEL(fills_jne)
	"jne k_fills_out\n"
	"mov $-89, %ebp\n"
    LABEL(fills_out)
    LINE(22, 6)
	"mov 336(%rsp), %rax\n"
	"sub %gs:0, %rax\n"
    LABEL(fills_check)
	"jne k_fills_smashed\n"
	"mov %ebp, %eax\n"
	"add $344, %rsp\n"
    LABEL(fills_ret)
	"ret\n"
    LABEL(fills_smashed)
	"mov %rbp, 328(%rsp)\n"
	"call k___stack_chk_fail\n"
    END(fills)
    /*
     * sock_alloc_send_pskb() of 7.2: timeout = nonblock ? 0 : object->timeout; for (;;) { if (object->shut) {
     * *err = -EPIPE; return NULL; } if (object->used < 100) return object; if (!timeout) { *err = -EAGAIN;
     * return NULL; } }
     */
    FUNC(sends)
	ENTRY
    LABEL(sends_body)
	"xor %ecx, %ecx\n"
    LINE(30, 6)
	"test %edx, %edx\n"
    LABEL(sends_block)
	"jne k_sends_now\n"
	"mov 8(%rdi), %ecx\n"
    LABEL(sends_now)
    LINE(32, 6)
	"testb $2, (%rdi)\n"
    LABEL(sends_shut)
	"jne k_sends_pipe\n"
    LINE(34, 6)
	"cmpl $100, 4(%rdi)\n"
    LABEL(sends_room)
	"jl k_sends_fine\n"
    LINE(36, 6)
	"test %ecx, %ecx\n"
    LABEL(sends_timeout)
	"je k_sends_again\n"
	"jmp k_sends_now\n"
    LABEL(sends_fine)
	"mov %rdi, %rax\n"
	"ret\n"
    LABEL(sends_again)
	"mov $-11, %eax\n"
    LABEL(sends_jmp)
	"jmp k_sends_store\n"
    LABEL(sends_pipe)
	"mov $-32, %eax\n"
    LABEL(sends_store)
	"mov %eax, (%rsi)\n"
	"xor %eax, %eax\n"
    LABEL(sends_ret)
	"ret\n"
    END(sends)
    /* rtnl_newlink() of 7.2: ops = kind ? *kind : NULL; if (device) return 0; if (!ops) return -EOPNOTSUPP; return 0 */
    FUNC(creates)
	ENTRY
    LABEL(creates_body)
    LINE(40, 6)
	"test %rdi, %rdi\n"
    LABEL(creates_kind)
	"je k_creates_none\n"
	"mov (%rdi), %rcx\n"
    LABEL(creates_asks)
    LINE(42, 6)
	"test %rsi, %rsi\n"
    LABEL(creates_device)
	"jne k_creates_fine\n"
    LINE(44, 6)
	"test %rcx, %rcx\n"
    LABEL(creates_ops)
	"je k_creates_bad\n"
    LABEL(creates_fine)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(creates_none)
	"xor %ecx, %ecx\n"
    LABEL(creates_jmp)
	"jmp k_creates_asks\n"
    LABEL(creates_bad)
	"mov $-95, %eax\n"
    LABEL(creates_ret)
	"ret\n"
    END(creates)
    /*
     * unix_stream_connect() of 6.1: timeout = nonblock ? 0 : object->timeout; while (object->used > 100) {
     * if (!timeout) return -EAGAIN; timeout = object->timeout; } return object->shut ? -EPIPE : object->error
     */
    FUNC(connects)
	ENTRY
    LABEL(connects_body)
	"xor %ecx, %ecx\n"
    LINE(50, 6)
	"test %edx, %edx\n"
    LABEL(connects_block)
	"jne k_connects_now\n"
	"mov 8(%rdi), %ecx\n"
    LABEL(connects_now)
    LINE(52, 6)
	"cmpl $100, 4(%rdi)\n"
    LABEL(connects_room)
	"jbe k_connects_work\n"
    LINE(54, 6)
	"test %ecx, %ecx\n"
    LABEL(connects_timeout)
	"je k_connects_again\n"
	"mov 8(%rdi), %ecx\n"
	"jmp k_connects_now\n"
    LABEL(connects_work)
	"testb $2, (%rdi)\n"
	"jne k_connects_pipe\n"
	"mov 12(%rdi), %eax\n"
	"ret\n"
    LABEL(connects_pipe)
	"mov $-32, %eax\n"
	"ret\n"
    LABEL(connects_again)
	"mov $-11, %eax\n"
    LABEL(connects_ret)
	"ret\n"
    END(connects)
    /*
     * unix_stream_read_generic(): timeout = nonblock ? 0 : object->timeout; for (;;) { if (object->shut) return 0;
     * if (!timeout) return -EAGAIN; wait(); }
     */
    FUNC(receives)
	ENTRY
    LABEL(receives_body)
	"xor %ecx, %ecx\n"
    LINE(60, 6)
	"test %edx, %edx\n"
    LABEL(receives_block)
	"jne k_receives_now\n"
	"mov 8(%rdi), %ecx\n"
    LABEL(receives_now)
    LINE(62, 6)
	"testb $2, (%rdi)\n"
    LABEL(receives_shut)
	"jne k_receives_end\n"
    LINE(64, 6)
	"test %ecx, %ecx\n"
    LABEL(receives_timeout)
	"je k_receives_again\n"
	"mov 8(%rdi), %ecx\n"
	"jmp k_receives_now\n"
    LABEL(receives_end)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(receives_again)
	"mov $-11, %eax\n"
    LABEL(receives_ret)
	"ret\n"
    END(receives)
    /* The same with timeout on the stack, and "return copied ?: err" */
    FUNC(keeps)
	ENTRY
    LABEL(keeps_body)
	"sub $16, %rsp\n"
	"movq $0, 8(%rsp)\n"
	"xor %r8d, %r8d\n"
    LINE(70, 6)
	"test %edx, %edx\n"
    LABEL(keeps_block)
	"jne k_keeps_now\n"
	"mov 8(%rdi), %rcx\n"
	"mov %rcx, 8(%rsp)\n"
    LABEL(keeps_now)
    LINE(72, 6)
	"testb $2, (%rdi)\n"
    LABEL(keeps_shut)
	"jne k_keeps_end\n"
    LINE(74, 6)
	"cmpq $0, 8(%rsp)\n"
    LABEL(keeps_timeout)
	"je k_keeps_again\n"
	"mov 8(%rdi), %rcx\n"
	"mov %rcx, 8(%rsp)\n"
	"mov 16(%rdi), %r8d\n"
	"jmp k_keeps_now\n"
    LABEL(keeps_end)
	"xor %eax, %eax\n"
    LABEL(keeps_join)
	"test %r8d, %r8d\n"
	"cmovne %r8d, %eax\n"
	"add $16, %rsp\n"
    LABEL(keeps_ret)
	"ret\n"
    LABEL(keeps_again)
	"mov $-11, %eax\n"
    LABEL(keeps_jmp)
	"jmp k_keeps_join\n"
    END(keeps)
    USER);
/* clang-format on */

#define EACH_FUNC(do)                                                                                        \
	do(READS, reads) do(SHARES, shares) do(MOVES, moves) do(FILLS, fills) do(SENDS, sends)               \
	do(CREATES, creates) do(CONNECTS, connects) do(RECEIVES, receives) do(KEEPS, keeps)

#include "decision_play.h"

/* "copied" is 0 all the time: asking for it elsewhere changes nothing. */
TEST_F(decision, a_constant_on_the_stack_is_compared_beside_the_way)
{
	CALLED(reads_body);
	RETURNED(reads_ret);
	decided(self, READS, -EAGAIN);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, reads_jne, 10, true);
}

TEST_F(decision, what_others_may_change_is_no_constant_beside_the_way)
{
	CALLED(shares_body);
	RETURNED(shares_ret);
	decided(self, SHARES, -EAGAIN);
	EXPECT_TRUE(self->decision.kind == DECISION_NONE || self->decision.likely);
}

TEST_F(decision, beside_the_way_the_stack_pointer_may_be_elsewhere)
{
	CALLED(moves_body);
	RETURNED(moves_ret);
	decided(self, MOVES, -EAGAIN);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, moves_wanted, 12, true);
}

TEST_F(decision, more_variables_than_are_followed_do_not_make_the_stack_s_check_decide)
{
	CALLED(fills_body);
	RETURNED(fills_ret);
	decided(self, FILLS, -EDESTADDRREQ);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, fills_jne, 20, true);
}

/* Without room the call fails, and waits no longer: whether to wait had been known before. */
TEST_F(decision, a_branch_that_would_have_ended_a_loop_decides_before_a_constant_is_compared)
{
	self->stored_param = 2;
	CALLED(sends_body);
	TOOK(sends_block, sends_now);
	TOOK(sends_timeout, sends_again);
	TOOK(sends_jmp, sends_store);
	RETURNED(sends_ret);
	decided(self, SENDS, -EAGAIN);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, sends_room, 34, true);

	self->nr = 0;
	CALLED(sends_body);
	TOOK(sends_block, sends_now);
	TOOK(sends_shut, sends_pipe);
	RETURNED(sends_ret);
	decided(self, SENDS, -EPIPE);
	EXPECT_BRANCH(DECISION_TAKEN, sends_shut, 32, true);
}

TEST_F(decision, so_does_one_after_which_the_function_does_its_work)
{
	CALLED(connects_body);
	TOOK(connects_block, connects_now);
	TOOK(connects_timeout, connects_again);
	RETURNED(connects_ret);
	decided(self, CONNECTS, -EAGAIN);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, connects_room, 52, true);

	self->nr = 0;
	CALLED(receives_body);
	TOOK(receives_block, receives_now);
	TOOK(receives_timeout, receives_again);
	RETURNED(receives_ret);
	decided(self, RECEIVES, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, receives_block, 60, true);
}

TEST_F(decision, what_set_a_constant_on_the_stack_decides)
{
	CALLED(keeps_body);
	TOOK(keeps_block, keeps_now);
	TOOK(keeps_timeout, keeps_again);
	TOOK(keeps_jmp, keeps_join);
	RETURNED(keeps_ret);
	decided(self, KEEPS, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, keeps_block, 70, true);
}

TEST_F(decision, without_a_loop_what_set_the_constant_decides)
{
	CALLED(creates_body);
	TOOK(creates_kind, creates_none);
	TOOK(creates_jmp, creates_asks);
	TOOK(creates_ops, creates_bad);
	RETURNED(creates_ret);
	decided(self, CREATES, -EOPNOTSUPP);
	EXPECT_BRANCH(DECISION_TAKEN, creates_kind, 40, true);
}

#endif /* __x86_64__ */

TEST_HARNESS_MAIN
