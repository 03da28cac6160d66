// SPDX-License-Identifier: BSD-2-Clause
/*
 * Why a call failed, on arm64: its code is read here on any machine. What reads it is built into this
 * test, in place of what is for this machine.
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "decision_fixture.h"
#include "util/explain/condition.h"
#include "util/explain/function/function_code.h"
#include "util/kernel/arch/arm64/code.c"
#include "util/kernel/arch/arm64/decode.c"
#include "util/kernel/arch/arm64/instruction.c"
#include "util/kernel/arch/arm64/jump_table.c"
#include "util/kernel/arch/arm64/operands.c"
#include "util/kernel/arch/arm64/routines.c"

#define W(word) ".long " #word "\n"

/* clang-format off */
asm(KERNEL
    FUNC(check)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(check_body)
	W(0xd503233f) /* paciasp */
    LINE(10, 1)
	W(0xb9400801) /* ldr w1, [x0, #8] */
    LABEL(check_cbz)
	W(0x340000e1) /* cbz w1, check_bad */
    LINE(11, 1)
	W(0x721e003f) /* tst w1, #0x4 */
    LABEL(check_beq)
	W(0x540000a0) /* b.eq check_bad */
    LINE(12, 1)
    LABEL(check_tbnz)
	W(0x37f800e1) /* tbnz w1, #31, check_big */
    LINE(13, 1)
	W(0x52800000) /* mov w0, #0 */
	W(0xd50323bf) /* autiasp */
	W(0xd65f03c0) /* ret */
    LABEL(check_bad)
    LINE(20, 1)
	W(0x128002a0) /* mov w0, #-22 */
	W(0xd50323bf) /* autiasp */
    LABEL(check_ret)
	W(0xd65f03c0) /* ret */
    LABEL(check_big)
    LINE(21, 1)
	W(0x128000c0) /* mov w0, #-7 */
    LABEL(check_ret_big)
	W(0xd65f03c0) /* ret */
    END(check)

    FUNC(kept)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(kept_body)
	W(0xd503233f) /* paciasp */
	W(0xd102c3ff) /* sub sp, sp, #0xb0 */
	W(0xa9057bfd) /* stp x29, x30, [sp, #80] */
	W(0x910143fd) /* add x29, sp, #0x50 */
	W(0xa90653f3) /* stp x19, x20, [sp, #96] */
	W(0xa9075bf5) /* stp x21, x22, [sp, #112] */
	W(0xa90863f7) /* stp x23, x24, [sp, #128] */
	W(0xa9096bf9) /* stp x25, x26, [sp, #144] */
	W(0xa90a73fb) /* stp x27, x28, [sp, #160] */
	W(0xa90207e0) /* stp x0, x1, [sp, #32] */
	W(0xa9030fe2) /* stp x2, x3, [sp, #48] */
	W(0xf90023e4) /* str x4, [sp, #64] */
	W(0xf90027ff) /* str xzr, [sp, #72] */
    LINE(30, 1)
    LABEL(kept_call)
	W(0x97ffffe1) /* bl check */
    LABEL(kept_after)
	W(0xf9000fe0) /* str x0, [sp, #24] */
    LINE(31, 1)
    LABEL(kept_free)
	W(0x9400002f) /* bl free */
    LABEL(kept_after_free)
	W(0xf9400fe3) /* ldr x3, [sp, #24] */
    LINE(32, 1)
	W(0xf94027e1) /* ldr x1, [sp, #72] */
    LABEL(kept_cbnz)
	W(0xb50000c1) /* cbnz x1, kept_more */
    LABEL(kept_out)
	W(0xaa0303e0) /* mov x0, x3 */
	W(0xa9457bfd) /* ldp x29, x30, [sp, #80] */
	W(0x9102c3ff) /* add sp, sp, #0xb0 */
	W(0xd50323bf) /* autiasp */
    LABEL(kept_ret)
	W(0xd65f03c0) /* ret */
    LABEL(kept_more)
	W(0x94000026) /* bl free */
	W(0xf9400fe3) /* ldr x3, [sp, #24] */
	W(0x17fffff9) /* b kept_out */
    END(kept)

    FUNC(pairs)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(pairs_body)
	W(0xd503233f) /* paciasp */
	W(0xa9bd7bfd) /* stp x29, x30, [sp, #-48]! */
	W(0x910003fd) /* mov x29, sp */
    LINE(40, 1)
    LABEL(pairs_call)
	W(0x97ffffcb) /* bl check */
    LABEL(pairs_after)
	W(0x12800081) /* mov w1, #-5 */
	W(0x290503e1) /* stp w1, w0, [sp, #40] */
    LINE(41, 1)
    LABEL(pairs_free)
	W(0x94000018) /* bl free */
    LABEL(pairs_after_free)
	W(0x294503e1) /* ldp w1, w0, [sp, #40] */
	W(0xa8c37bfd) /* ldp x29, x30, [sp], #48 */
	W(0xd50323bf) /* autiasp */
    LABEL(pairs_ret)
	W(0xd65f03c0) /* ret */
    END(pairs)

    FUNC(overwritten)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(overwritten_body)
	W(0xa9bd7bfd) /* stp x29, x30, [sp, #-48]! */
    LABEL(overwritten_call)
	W(0x97ffffbd) /* bl check */
    LABEL(overwritten_after)
	W(0xb9002be0) /* str w0, [sp, #40] */
	W(0xa9024fff) /* stp xzr, x19, [sp, #32] */
	W(0xb9402be0) /* ldr w0, [sp, #40] */
	W(0xa8c37bfd) /* ldp x29, x30, [sp], #48 */
    LABEL(overwritten_ret)
	W(0xd65f03c0) /* ret */
    END(overwritten)

    FUNC(selected)
    LABEL(selected_body)
	W(0x12800008) /* mov w8, #-1 */
    LINE(50, 1)
	W(0x71000c3f) /* cmp w1, #3 */
	W(0x1a820100) /* csel w0, w8, w2, eq */
    LABEL(selected_ret)
	W(0xd65f03c0) /* ret */
    END(selected)

    /* As "table" of test_decision_constants.c. */
    FUNC(table)
    LABEL(table_body)
	W(0xd100c3ff) /* sub sp, sp, #0x30 */
	W(0xf90013f3) /* str x19, [sp, #32] */
    LABEL(table_again)
	W(0xf9000fff) /* str xzr, [sp, #24] */
	W(0x51000421) /* sub w1, w1, #0x1 */
	W(0x7100083f) /* cmp w1, #0x2 */
    LABEL(table_switch)
	W(0x54000148) /* b.hi 2f */
	W(0x90000002) /* adrp x2, . */
	W(0x91304042) /* add x2, x2, #0xc10 */
	W(0xb8615853) /* ldr w19, [x2, w1, uxtw #2] */
    LABEL(table_test)
	W(0xf9400fe3) /* 1: ldr x3, [sp, #24] */
    LABEL(table_freed)
	W(0xb5ffff03) /* cbnz x3, table_again */
	W(0x2a1303e0) /* mov w0, w19 */
	W(0xf94013f3) /* ldr x19, [sp, #32] */
	W(0x9100c3ff) /* add sp, sp, #0x30 */
    LABEL(table_ret)
	W(0xd65f03c0) /* ret */
	W(0x12800093) /* 2: mov w19, #-5 */
	W(0xf9400404) /* ldr x4, [x0, #8] */
	W(0xf9000fe4) /* str x4, [sp, #24] */
	W(0x17fffff7) /* b 1b */
    END(table)

    /* As compilers make `return x1 == 3 ? -EPERM : 0`, and the like of other errors. */
    FUNC(masked)
    LABEL(masked_body)
    LINE(60, 1)
	W(0x71000c3f) /* cmp w1, #3 */
	W(0x5a9f13e0) /* csetm w0, eq */
    LABEL(masked_ret)
	W(0xd65f03c0) /* ret */
    END(masked)

    FUNC(zero)
    LABEL(zero_body)
	W(0x128002a0) /* mov w0, #-22 */
    LINE(70, 1)
	W(0x71000c3f) /* cmp w1, #3 */
	W(0x1a9f0000) /* csel w0, w0, wzr, eq */
    LABEL(zero_ret)
	W(0xd65f03c0) /* ret */
    END(zero)

    FUNC(counted)
    LABEL(counted_body)
    LINE(80, 1)
	W(0x71000c3f) /* cmp w1, #3 */
	W(0x1a9f17e0) /* cset w0, eq */
	W(0x4b0003e0) /* neg w0, w0 */
	W(0x121f7800) /* and w0, w0, #0xfffffffe */
    LABEL(counted_ret)
	W(0xd65f03c0) /* ret */
    END(counted)

    FUNC(inverted)
    LABEL(inverted_body)
	W(0x528002a0) /* mov w0, #21 */
    LINE(90, 1)
	W(0x71000c3f) /* cmp w1, #3 */
	W(0x5a8013e0) /* csinv w0, wzr, w0, ne */
    LABEL(inverted_ret)
	W(0xd65f03c0) /* ret */
    END(inverted)

    FUNC(free)
	W(0xd65f03c0) /* ret */
    END(free)

    /* As eventfd_write(): count = 0; check(&count); if (count == -1) return -EINVAL; return 0 */
    FUNC(summed)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(summed_body)
	W(0xa9bc7bfd) /* stp x29, x30, [sp, #-64]! */
	W(0xf90013ff) /* str xzr, [sp, #32] */
	W(0xd2800402) /* mov x2, #0x20 */
	W(0x8b2263e0) /* add x0, sp, x2 */
    LABEL(summed_call)
	W(0x97fffff6) /* bl free */
    LABEL(summed_after)
	W(0xf94013e0) /* ldr x0, [sp, #32] */
	W(0xb100041f) /* cmn x0, #0x1 */
    LABEL(summed_beq)
	W(0x54000080) /* b.eq summed_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xa8c47bfd) /* ldp x29, x30, [sp], #64 */
	W(0xd65f03c0) /* ret */
    LABEL(summed_bad)
	W(0x128002a0) /* mov w0, #-22 */
	W(0xa8c47bfd) /* ldp x29, x30, [sp], #64 */
    LABEL(summed_ret)
	W(0xd65f03c0) /* ret */
    END(summed)

    /* As filename_linkat(): a = b = NULL; lookup(&a), lookup(&b); if (a != b) return -EINVAL; return 0 */
    FUNC(alike)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(alike_body)
	W(0xa9bc7bfd) /* stp x29, x30, [sp, #-64]! */
	W(0xa9027fff) /* stp xzr, xzr, [sp, #32] */
	W(0x910083e0) /* add x0, sp, #32 */
    LABEL(alike_call)
	W(0x97ffffe7) /* bl free */
    LABEL(alike_after)
	W(0xf94013e0) /* ldr x0, [sp, #32] */
	W(0xf94017e1) /* ldr x1, [sp, #40] */
	W(0xeb01001f) /* cmp x0, x1 */
    LABEL(alike_bne)
	W(0x54000081) /* b.ne alike_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xa8c47bfd) /* ldp x29, x30, [sp], #64 */
	W(0xd65f03c0) /* ret */
    LABEL(alike_bad)
	W(0x128002a0) /* mov w0, #-22 */
	W(0xa8c47bfd) /* ldp x29, x30, [sp], #64 */
    LABEL(alike_ret)
	W(0xd65f03c0) /* ret */
    END(alike)

    FUNC(refused)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(refused_body)
	W(0xd503233f) /* paciasp */
    LINE(100, 1)
	W(0xb9400001) /* ldr w1, [x0] */
	W(0x71000c3f) /* cmp w1, #3 */
    LABEL(refused_ok)
	W(0x54000220) /* b.eq refused_good */
    LINE(101, 1)
	W(0xd5384103) /* mrs x3, sp_el0 */
	W(0xb9402c64) /* ldr w4, [x3, #44] */
    LABEL(refused_thread)
	W(0x37a80064) /* tbnz w4, #21, refused_untag */
	W(0xf9400065) /* ldr x5, [x3] */
    LABEL(refused_tagged)
	W(0x36d00045) /* tbz w5, #26, refused_check */
    LABEL(refused_untag)
	W(0x9340dc00) /* sbfx x0, x0, #0, #56 */
    LABEL(refused_check)
	W(0xb27eb7e6) /* mov x6, #0xfffffffffffc */
	W(0xeb06001f) /* cmp x0, x6 */
    LABEL(refused_limit)
	W(0x540000a8) /* b.hi refused_fault */
	W(0xb9000001) /* str w1, [x0] */
    LINE(102, 1)
	W(0x128002a0) /* mov w0, #-22 */
	W(0xd50323bf) /* autiasp */
    LABEL(refused_ret)
	W(0xd65f03c0) /* ret */
    LABEL(refused_fault)
	W(0x128001a0) /* mov w0, #-14 */
	W(0xd50323bf) /* autiasp */
	W(0xd65f03c0) /* ret */
    LABEL(refused_good)
	W(0x52800000) /* mov w0, #0 */
	W(0xd50323bf) /* autiasp */
	W(0xd65f03c0) /* ret */
    END(refused)

    FUNC(opened)
    LABEL(opened_body)
	W(0xd503233f) /* paciasp */
    LINE(110, 1)
	W(0xb9400002) /* ldr w2, [x0] */
    LABEL(opened_full)
	W(0x36300162) /* tbz w2, #6, opened_fine */
	W(0x928003bc) /* mov x28, #-30 */
    LINE(111, 1)
    LABEL(opened_dropped)
	W(0x340000b7) /* cbz w23, opened_again */
	W(0x97ffffdb) /* bl free */
	W(0xaa1c03e0) /* mov x0, x28 */
	W(0x97ffff75) /* bl check */
	W(0x14000003) /* b opened_out */
    LABEL(opened_again)
	W(0xaa1c03e0) /* mov x0, x28 */
    LABEL(opened_walk)
	W(0x97ffff72) /* bl check */
    LABEL(opened_out)
	W(0xd50323bf) /* autiasp */
    LABEL(opened_ret)
	W(0xd65f03c0) /* ret */
    LABEL(opened_fine)
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    END(opened)

    FUNC(chosen)
    LINE(120, 1)
    LABEL(chosen_body)
	W(0xb9400001) /* ldr w1, [x0] */
	W(0x71000c3f) /* cmp w1, #3 */
    LABEL(chosen_ok)
	W(0x540001e0) /* b.eq chosen_good */
    LINE(121, 1)
	W(0xd5384103) /* mrs x3, sp_el0 */
	W(0xf9400065) /* ldr x5, [x3] */
    LABEL(chosen_tagged)
	W(0x36d00045) /* tbz w5, #26, chosen_check */
	W(0x9340dc00) /* sbfx x0, x0, #0, #56 */
    LABEL(chosen_check)
	W(0xb27eb7e6) /* mov x6, #0xfffffffffffc */
    LINE(122, 1)
	W(0x128001a2) /* mov w2, #-14 */
	W(0xeb06001f) /* cmp x0, x6 */
    LABEL(chosen_limit)
	W(0x54000048) /* b.hi chosen_fault */
	W(0x52800002) /* mov w2, #0 */
    LABEL(chosen_fault)
	W(0x7100005f) /* cmp w2, #0 */
	W(0x128002a1) /* mov w1, #-22 */
	W(0x128001a0) /* mov w0, #-14 */
	W(0x1a811000) /* csel w0, w0, w1, ne */
    LABEL(chosen_ret)
	W(0xd65f03c0) /* ret */
    LABEL(chosen_good)
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    END(chosen)

    /* err = x0 == 1 ? -EPERM : 0; check(&err); return err: its address is relative to the frame, as Clang has it */
    FUNC(aliased)
    LABEL(aliased_body)
	W(0xd503233f) /* paciasp */
	W(0xd100c3ff) /* sub sp, sp, #48 */
	W(0xa9027bfd) /* stp x29, x30, [sp, #32] */
	W(0x910083fd) /* add x29, sp, #32 */
	W(0x12800008) /* mov w8, #-1 */
	W(0xb9000be8) /* str w8, [sp, #8] */
    LINE(130, 1)
	W(0x7100041f) /* cmp w0, #1 */
    LABEL(aliased_eq)
	W(0x54000040) /* b.eq aliased_bad */
	W(0xb9000bff) /* str wzr, [sp, #8] */
    LABEL(aliased_bad)
	W(0xd10063a0) /* sub x0, x29, #24 */
    LABEL(aliased_call)
	W(0x97ffff4e) /* bl check */
    LABEL(aliased_after)
	W(0xb9400be0) /* ldr w0, [sp, #8] */
	W(0xa9427bfd) /* ldp x29, x30, [sp, #32] */
	W(0x9100c3ff) /* add sp, sp, #48 */
	W(0xd50323bf) /* autiasp */
    LABEL(aliased_ret)
	W(0xd65f03c0) /* ret */
    END(aliased)

    /* errors[2] = x0 == 1 ? -EPERM : 0; errors[x1] = 0; return errors[2] */
    FUNC(stored)
    LABEL(stored_body)
	W(0xd503233f) /* paciasp */
	W(0xd100c3ff) /* sub sp, sp, #48 */
	W(0x12800008) /* mov w8, #-1 */
	W(0xb9000be8) /* str w8, [sp, #8] */
    LINE(135, 1)
	W(0x7100041f) /* cmp w0, #1 */
    LABEL(stored_eq)
	W(0x54000040) /* b.eq stored_bad */
	W(0xb9000bff) /* str wzr, [sp, #8] */
    LABEL(stored_bad)
	W(0xb8217bff) /* str wzr, [sp, x1, lsl #2] */
	W(0xb9400be0) /* ldr w0, [sp, #8] */
	W(0x9100c3ff) /* add sp, sp, #48 */
	W(0xd50323bf) /* autiasp */
    LABEL(stored_ret)
	W(0xd65f03c0) /* ret */
    END(stored)

    /* err = x0 == 1 ? -EPERM : 0; return err: stored relative to the stack, loaded relative to the frame */
    FUNC(mixed)
    LABEL(mixed_body)
	W(0xd503233f) /* paciasp */
	W(0xd100c3ff) /* sub sp, sp, #48 */
	W(0xa9027bfd) /* stp x29, x30, [sp, #32] */
	W(0x910083fd) /* add x29, sp, #32 */
	W(0x12800008) /* mov w8, #-1 */
	W(0xb9000be8) /* str w8, [sp, #8] */
    LINE(140, 1)
	W(0x7100041f) /* cmp w0, #1 */
    LABEL(mixed_eq)
	W(0x54000040) /* b.eq mixed_bad */
	W(0xb9000bff) /* str wzr, [sp, #8] */
    LABEL(mixed_bad)
	W(0xb85e83a0) /* ldur w0, [x29, #-24] */
	W(0xa9427bfd) /* ldp x29, x30, [sp, #32] */
	W(0x9100c3ff) /* add sp, sp, #48 */
	W(0xd50323bf) /* autiasp */
    LABEL(mixed_ret)
	W(0xd65f03c0) /* ret */
    END(mixed)

    /* Compilers make one branch of two conditions. */
    FUNC(either)
    LABEL(either_body)
    LINE(130, 1)
	W(0x71000c3f) /* cmp w1, #3 */
	W(0x7a431044) /* ccmp w2, w3, #4, ne */
    LABEL(either_beq)
	W(0x54000060) /* b.eq either_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(either_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(either_ret)
	W(0xd65f03c0) /* ret */
    END(either)

    FUNC(both)
    LABEL(both_body)
    LINE(140, 1)
	W(0x71000c3f) /* cmp w1, #3 */
	W(0xfa450840) /* ccmp x2, #5, #0, eq */
    LABEL(both_bne)
	W(0x54000061) /* b.ne both_good */
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(both_ret)
	W(0xd65f03c0) /* ret */
    LABEL(both_good)
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    END(both)

    FUNC(three)
    LABEL(three_body)
    LINE(150, 1)
	W(0x71000c3f) /* cmp w1, #3 */
	W(0x7a451844) /* ccmp w2, #5, #4, ne */
	W(0x3a411884) /* ccmn w4, #1, #4, ne */
    LABEL(three_beq)
	W(0x54000060) /* b.eq three_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(three_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(three_ret)
	W(0xd65f03c0) /* ret */
    END(three)

    FUNC(lost)
    LABEL(lost_body)
    LINE(160, 1)
	W(0x71000c21) /* subs w1, w1, #3 */
	W(0x7a451844) /* ccmp w2, #5, #4, ne */
    LABEL(lost_beq)
	W(0x54000060) /* b.eq lost_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(lost_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(lost_ret)
	W(0xd65f03c0) /* ret */
    END(lost)

    FUNC(among)
    LABEL(among_body)
    LINE(170, 1)
	W(0x71000c3f) /* cmp w1, #3 */
	W(0x7a450840) /* ccmp w2, #5, #0, eq */
	W(0x7a401884) /* ccmp w4, #0, #4, ne */
    LABEL(among_beq)
	W(0x54000060) /* b.eq among_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(among_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(among_ret)
	W(0xd65f03c0) /* ret */
    END(among)

    /*
     * kill_pid_info_type() of 7.2: err = p ? -EPERM : -ESRCH; if (preempt) unlock(); if (!p || number) return err;
     * return 0
     */
    FUNC(asks)
    LABEL(asks_body)
	W(0xaa0003f5) /* mov x21, x0 */
    LINE(180, 1)
    LABEL(asks_cbz)
	W(0xb4000120) /* cbz x0, asks_none */
	W(0x12800000) /* mov w0, #-1 */
	W(0x2a0103f6) /* mov w22, w1 */
    LABEL(asks_on)
    LINE(181, 1)
	W(0x34000043) /* cbz w3, 1f */
	W(0x52800004) /* mov w4, #0 */
    LINE(182, 1)
	W(0xf10002bf) /* cmp x21, #0 */
	W(0x7a401ac0) /* ccmp w22, #0, #0, ne */
    LABEL(asks_beq)
	W(0x540000a0) /* b.eq asks_fine */
    LABEL(asks_ret)
	W(0xd65f03c0) /* ret */
    LABEL(asks_none)
	W(0x52800016) /* mov w22, #0 */
	W(0x12800040) /* mov w0, #-3 */
    LABEL(asks_b)
	W(0x17fffff8) /* b asks_on */
    LABEL(asks_fine)
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    END(asks)

    /* if (!number) { *err = -EAGAIN; return NULL; } return object */
    FUNC(takes)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(takes_body)
	W(0xd503233f) /* paciasp */
	W(0xaa0103f3) /* mov x19, x1 */
    LINE(180, 1)
    LABEL(takes_cbz)
	W(0x34000040) /* cbz w0, takes_none */
	W(0xd65f03c0) /* ret */
    LABEL(takes_none)
	W(0x12800142) /* mov w2, #-11 */
	W(0xb9000262) /* str w2, [x19] */
	W(0xd2800000) /* mov x0, #0 */
    LABEL(takes_ret)
	W(0xd65f03c0) /* ret */
    END(takes)

    /* err = 0; if (!takes(number, &err)) return err; return 0 */
    FUNC(receives)
    LABEL(receives_body)
	W(0xd503233f) /* paciasp */
	W(0xd10083ff) /* sub sp, sp, #32 */
	W(0xb9000fff) /* str wzr, [sp, #12] */
	W(0x910033e1) /* add x1, sp, #12 */
    LABEL(receives_call)
	".long 0x94000000 | ((k_takes - .) >> 2 & 0x3ffffff)\n" /* bl takes */
    LABEL(receives_called)
	W(0xb5000080) /* cbnz x0, receives_fine */
	W(0xb9400fe0) /* ldr w0, [sp, #12] */
    LABEL(receives_out)
	W(0x910083ff) /* add sp, sp, #32 */
    LABEL(receives_ret)
	W(0xd65f03c0) /* ret */
	W(0x52800000) /* receives_fine: mov w0, #0 */
	W(0x17fffffd) /* b receives_out */
    END(receives)

    USER);
/* clang-format on */

enum {
	CHECK,
	KEPT,
	PAIRS,
	OVERWRITTEN,
	SELECTED,
	MASKED,
	ZERO,
	COUNTED,
	INVERTED,
	REFUSED,
	OPENED,
	CHOSEN,
	ALIASED,
	STORED,
	MIXED,
	EITHER,
	BOTH,
	THREE,
	LOST,
	AMONG,
	TAKES,
	RECEIVES,
	ASKS,
	TABLE,
	SUMMED,
	ALIKE,
	NR_FUNCS,
};

static const char *const func_names[] = {
	[CHECK] = "check",
	[TABLE] = "table",
	[SUMMED] = "summed",
	[ALIKE] = "alike",
	[KEPT] = "kept",
	[PAIRS] = "pairs",
	[OVERWRITTEN] = "overwritten",
	[SELECTED] = "selected",
	[MASKED] = "masked",
	[ZERO] = "zero",
	[COUNTED] = "counted",
	[INVERTED] = "inverted",
	[REFUSED] = "refused",
	[OPENED] = "opened",
	[CHOSEN] = "chosen",
	[ALIASED] = "aliased",
	[STORED] = "stored",
	[MIXED] = "mixed",
	[EITHER] = "either",
	[BOTH] = "both",
	[THREE] = "three",
	[LOST] = "lost",
	[AMONG] = "among",
	[TAKES] = "takes",
	[RECEIVES] = "receives",
	[ASKS] = "asks",
};

#include "decision_play.h"

/* The condition of the branch that decided; to be released. */
static struct decision_condition condition_at(FIXTURE_DATA(decision) * self, uint32_t func, int result)
{
	const struct code_source code = { read_test_code, &self->readable };
	const struct plan_func *of = &self->funcs[func];
	const struct code_function function = { of->addr, of->size, of->name };
	struct branches branches = {};
	struct decision_condition condition = {};
	struct decider *decider;

	decided(self, func, result);
	branches.v.data = self->records;
	branches.v.len = self->nr;
	branches.nr_shown = self->nr;
	if (decider_new(&self->symbolizer, &self->plan, &code, self->types, &decider) ||
	    decide_it(self, decider, &branches) ||
	    decider_condition(decider, &function, NULL, NULL, &self->decision, &condition))
		abort();
	decider_free(decider);
	return condition;
}

static const char *condition_of(FIXTURE_DATA(decision) * self, uint32_t func, int result)
{
	struct decision_condition condition = condition_at(self, func, result);
	static char text[64];

	snprintf(text, sizeof(text), "%s", condition.text ?: "not known");
	condition_release(&condition);
	return text;
}

TEST_F(decision, a_branch_that_compares_by_itself_decided)
{
	CALLED(check_body);
	TOOK(check_cbz, check_bad);
	RETURNED(check_ret);
	EXPECT_STREQ("(u32)x1 == 0", condition_of(self, CHECK, -EINVAL));
	EXPECT_BRANCH(DECISION_TAKEN, check_cbz, 10, true);
	/* Where it read what it compared. */
	EXPECT_EQ(10, self->decision.tested.line);
}

TEST_F(decision, a_branch_on_what_was_compared_before_decided)
{
	CALLED(check_body);
	TOOK(check_beq, check_bad);
	RETURNED(check_ret);
	EXPECT_STREQ("!((u32)x1 & 0x4)", condition_of(self, CHECK, -EINVAL));
	EXPECT_BRANCH(DECISION_TAKEN, check_beq, 11, true);
}

TEST_F(decision, a_branch_on_one_bit_decided)
{
	CALLED(check_body);
	TOOK(check_tbnz, check_big);
	RETURNED(check_ret_big);
	EXPECT_STREQ("(u32)x1 & 0x80000000", condition_of(self, CHECK, -E2BIG));
	EXPECT_BRANCH(DECISION_TAKEN, check_tbnz, 12, true);
}

/* As vm_mmap_pgoff() of 7.2. */
TEST_F(decision, a_result_is_found_among_many_saved_registers)
{
	CALLED(kept_body);
	TOOK(kept_call, check);
	TOOK(check_cbz, check_bad);
	TOOK(check_ret, kept_after);
	TOOK(kept_free, free);
	TOOK(free, kept_after_free);
	RETURNED(kept_ret);
	decided(self, KEPT, -EINVAL);
	EXPECT_EQ(AT(check_cbz), self->decision.from.addr);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("check", self->decision.callees.data[0].name);
}

TEST_F(decision, a_result_is_followed_through_stores_and_loads_of_pairs)
{
	CALLED(pairs_body);
	TOOK(pairs_call, check);
	TOOK(check_cbz, check_bad);
	TOOK(check_ret, pairs_after);
	TOOK(pairs_free, free);
	TOOK(free, pairs_after_free);
	RETURNED(pairs_ret);
	decided(self, PAIRS, -EINVAL);
	EXPECT_EQ(AT(check_cbz), self->decision.from.addr);
	ASSERT_EQ(1, self->decision.callees.len);
}

TEST_F(decision, a_store_of_a_pair_writes_both_places)
{
	CALLED(overwritten_body);
	TOOK(overwritten_call, check);
	TOOK(check_cbz, check_bad);
	TOOK(check_ret, overwritten_after);
	RETURNED(overwritten_ret);
	decided(self, OVERWRITTEN, -EINVAL);
	EXPECT_EQ(0, self->decision.callees.len);
}

TEST_F(decision, a_selected_result_has_no_branch)
{
	CALLED(selected_body);
	RETURNED(selected_ret);
	EXPECT_STREQ("(u32)x1 == 3", condition_of(self, SELECTED, -EPERM));
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	/* What else there was is not known. */
	EXPECT_TRUE(self->decision.likely);
	EXPECT_EQ(50, self->decision.from.line);
}

TEST_F(decision, an_error_from_a_table_is_decided_by_what_led_there)
{
	CALLED(table_body);
	RETURNED(table_ret);
	EXPECT_STREQ("(u32)x1 <= 2", condition_of(self, TABLE, -EBUSY));
	EXPECT_EQ(DECISION_NOT_TAKEN, self->decision.kind);
	EXPECT_EQ(AT(table_switch), self->decision.from.addr);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, a_call_that_got_an_address_made_of_two_registers_changed_what_is_there)
{
	CALLED(summed_body);
	TOOK(summed_call, free);
	TOOK(free, summed_after);
	TOOK(summed_beq, summed_bad);
	RETURNED(summed_ret);
	EXPECT_STREQ("x0 == 0xffffffffffffffff", condition_of(self, SUMMED, -EINVAL));
	EXPECT_EQ(AT(summed_beq), self->decision.from.addr);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, a_call_changed_what_is_no_longer_the_same)
{
	CALLED(alike_body);
	TOOK(alike_call, free);
	TOOK(free, alike_after);
	TOOK(alike_bne, alike_bad);
	RETURNED(alike_ret);
	EXPECT_STREQ("x0 != x1", condition_of(self, ALIKE, -EINVAL));
	EXPECT_EQ(AT(alike_bne), self->decision.from.addr);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, an_error_or_0_is_chosen_without_a_branch)
{
	CALLED(masked_body);
	RETURNED(masked_ret);
	EXPECT_STREQ("(u32)x1 == 3", condition_of(self, MASKED, -EPERM));
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	EXPECT_FALSE(self->decision.likely);
	EXPECT_EQ(60, self->decision.from.line);
}

TEST_F(decision, an_error_in_a_register_or_0_is_chosen)
{
	CALLED(zero_body);
	RETURNED(zero_ret);
	EXPECT_STREQ("(u32)x1 == 3", condition_of(self, ZERO, -EINVAL));
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, what_was_chosen_is_made_an_error_by_arithmetic)
{
	CALLED(counted_body);
	RETURNED(counted_ret);
	EXPECT_STREQ("(u32)x1 == 3", condition_of(self, COUNTED, -ENOENT));
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, what_is_chosen_is_changed_on_the_way)
{
	CALLED(inverted_body);
	RETURNED(inverted_ret);
	EXPECT_STREQ("(u32)x1 == 3", condition_of(self, INVERTED, -EINVAL));
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	EXPECT_FALSE(self->decision.likely);
}

/* As cap_validate_magic(): put_user() of an address that may have a tag in it. */
TEST_F(decision, a_check_that_the_programs_memory_is_there_did_not_decide)
{
	CALLED(refused_body);
	TOOK(refused_tagged, refused_check);
	RETURNED(refused_ret);
	EXPECT_STREQ("(u32)x1 != 3", condition_of(self, REFUSED, -EINVAL));
	EXPECT_BRANCH(DECISION_NOT_TAKEN, refused_ok, 100, true);
}

/* The same on 6.1: the error is selected by whether there was a fault. */
TEST_F(decision, a_check_of_memory_that_selects_the_error_did_not_decide)
{
	CALLED(chosen_body);
	TOOK(chosen_tagged, chosen_check);
	RETURNED(chosen_ret);
	EXPECT_STREQ("(u32)x1 != 3", condition_of(self, CHOSEN, -EINVAL));
	EXPECT_BRANCH(DECISION_NOT_TAKEN, chosen_ok, 120, true);
}

/* As path_openat(): the compiler made two calls of link_path_walk(), which returns the error in its name. */
TEST_F(decision, a_cleanup_before_another_call_that_returns_the_error_did_not_decide)
{
	self->passing = AT(opened_walk);
	self->passing_reg = 0;
	CALLED(opened_body);
	TOOK(opened_dropped, opened_again);
	TOOK(opened_walk, check);
	TOOK(check_cbz, check_bad);
	TOOK(check_ret, opened_out);
	RETURNED(opened_ret);
	decided(self, OPENED, -EROFS);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, opened_full, 110, true);
}

TEST_F(decision, a_result_on_the_stack_that_may_have_been_written_is_likely)
{
	CALLED(aliased_body);
	TOOK(aliased_eq, aliased_bad);
	TOOK(aliased_call, check);
	TOOK(check_cbz, check_bad);
	TOOK(check_ret, aliased_after);
	RETURNED(aliased_ret);
	decided(self, ALIASED, -EPERM);
	EXPECT_BRANCH(DECISION_TAKEN, aliased_eq, 130, false);

	self->nr = 0;
	CALLED(stored_body);
	TOOK(stored_eq, stored_bad);
	RETURNED(stored_ret);
	decided(self, STORED, -EPERM);
	EXPECT_BRANCH(DECISION_TAKEN, stored_eq, 135, false);
}

TEST_F(decision, a_result_that_a_called_function_stored_by_an_address)
{
	CALLED(receives_body);
	TOOK(receives_call, takes);
	TOOK(takes_cbz, takes_none);
	TOOK(takes_ret, receives_called);
	RETURNED(receives_ret);
	decided(self, RECEIVES, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, takes_cbz, 180, true);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("takes", self->decision.callees.data[0].name);
	EXPECT_EQ(2, self->decision.callees.data[0].stored_param);
}

TEST_F(decision, a_frame_pointer_inside_the_frame_is_one)
{
	CALLED(mixed_body);
	TOOK(mixed_eq, mixed_bad);
	RETURNED(mixed_ret);
	decided(self, MIXED, -EPERM);
	EXPECT_BRANCH(DECISION_TAKEN, mixed_eq, 140, true);
}

TEST_F(decision, values_tell_which_of_two_conditions_of_a_branch_held)
{
	struct decision_condition condition;

	CALLED(either_body);
	TOOK(either_beq, either_bad);
	RETURNED(either_ret);
	condition = condition_at(self, EITHER, -EINVAL);
	EXPECT_STREQ("(u32)x1 == 3 || (u32)x2 == (u32)x3", condition.text);
	EXPECT_FALSE(condition_is_failure(&condition));
	ASSERT_NE(NULL, condition.either);
	EXPECT_EQ(AT(either_beq) - 4, condition.compared_at);
	EXPECT_FALSE(condition_take_values(&condition.either[0], 4, 0));
	EXPECT_TRUE(condition_take_values(&condition.either[1], 7, 7));
	condition_choose(&condition, 1);
	EXPECT_STREQ("(u32)x2 == (u32)x3", condition.text);
	EXPECT_EQ(7, condition.b.value);
	EXPECT_EQ(NULL, condition.either);
	condition_release(&condition);
}

TEST_F(decision, two_conditions_of_a_branch_held)
{
	struct decision_condition condition;

	CALLED(both_body);
	RETURNED(both_ret);
	condition = condition_at(self, BOTH, -EINVAL);
	EXPECT_STREQ("x2 == 5", condition.text);
	EXPECT_STREQ("(u32)x1 == 3", condition.after);
	EXPECT_EQ(NULL, condition.either);
	condition_release(&condition);
}

TEST_F(decision, one_of_three_conditions_of_a_branch_held)
{
	struct decision_condition condition;

	CALLED(three_body);
	TOOK(three_beq, three_bad);
	RETURNED(three_ret);
	condition = condition_at(self, THREE, -EINVAL);
	EXPECT_STREQ("(u32)x1 == 3 || (u32)x2 == 5 || (u32)x4 == 0xffffffff", condition.text);
	/* It cannot be told which. */
	EXPECT_EQ(NULL, condition.either);
	EXPECT_EQ(0, condition.compared_at);
	condition_release(&condition);
}

TEST_F(decision, a_register_that_changes_between_two_comparisons_is_not_read)
{
	struct decision_condition condition;

	CALLED(lost_body);
	TOOK(lost_beq, lost_bad);
	RETURNED(lost_ret);
	condition = condition_at(self, LOST, -EINVAL);
	EXPECT_STREQ("(u32)x1 == 3 || (u32)x2 == 5", condition.text);
	EXPECT_EQ(NULL, condition.either);
	EXPECT_EQ(0, condition.compared_at);
	condition_release(&condition);
}

TEST_F(decision, a_second_condition_that_was_not_asked_for_decides_nothing)
{
	CALLED(asks_body);
	TOOK(asks_cbz, asks_none);
	TOOK(asks_b, asks_on);
	RETURNED(asks_ret);
	decided(self, ASKS, -ESRCH);
	EXPECT_BRANCH(DECISION_TAKEN, asks_cbz, 180, true);
	/* The first condition holds: the second one was asked for. */
	self->nr = 0;
	CALLED(asks_body);
	RETURNED(asks_ret);
	decided(self, ASKS, -EPERM);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, asks_beq, 182, true);
}

TEST_F(decision, mixed_conditions_of_a_branch_are_not_known)
{
	CALLED(among_body);
	TOOK(among_beq, among_bad);
	RETURNED(among_ret);
	EXPECT_STREQ("not known", condition_of(self, AMONG, -EINVAL));
}

TEST_HARNESS_MAIN
