/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of a kernel made up for tests of decisions; see decision_fixture.h. */
#ifndef RETSNOOP_TESTS_DECISION_CODE_H
#define RETSNOOP_TESTS_DECISION_CODE_H

#include "decision_fixture.h"

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

    /* Conditions of operators that end lines: the code of line 182 is of the one on 181. */
    FUNC(operators)
    LINE(180, 1)
	ENTRY
    LABEL(operators_body)
    LINE(181, 6)
	"mov (%rdi), %eax\n"
	"mov 8(%rdi), %edx\n"
    LINE(181, 5)
	"test %eax, %eax\n"
    LABEL(operators_je)
	"je k_operators_bad\n"
    LINE(181, 20)
	"test $0xf0, %dl\n"
    LABEL(operators_jne)
	"jne k_operators_bad\n"
    LINE(182, 20)
	"test $1, %dl\n"
    LABEL(operators_jne2)
	"jne k_operators_bad\n"
    LINE(183, 9)
	"cmpl $3, 16(%rdi)\n"
	"je k_operators_bad\n"
    LINE(190, 2)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(operators_bad)
    LINE(185, 10)
	"mov $-22, %eax\n"
    LABEL(operators_ret)
	"ret\n"
    END(operators)

    /* Two statements: an operator that nothing stands behind, and one that is not the last. */
    FUNC(apart)
    LINE(200, 1)
	ENTRY
    LABEL(apart_body)
    STATEMENT(201, 5)
	"test %edi, %edi\n"
	"je k_apart_bad\n"
    LINE(201, 14)
	"test $0xf0, %dl\n"
    LABEL(apart_jne)
	"jne k_apart_bad\n"
    STATEMENT(202, 5)
	"test %esi, %esi\n"
	"je k_apart_bad\n"
    LINE(202, 10)
	"test %ecx, %ecx\n"
    LABEL(apart_je2)
	"je k_apart_bad\n"
    LINE(202, 20)
	"test $1, %dl\n"
	"jne k_apart_bad\n"
    LINE(203, 20)
	"test $2, %dl\n"
	"jne k_apart_bad\n"
    LINE(206, 2)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(apart_bad)
    LINE(204, 10)
	"mov $-22, %eax\n"
    LABEL(apart_ret)
	"ret\n"
    END(apart)

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

#endif
