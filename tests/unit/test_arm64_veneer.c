// SPDX-License-Identifier: BSD-2-Clause
/*
 * Calls of arm64's modules, which lead through veneers to functions of the kernel. What reads the code is built into
 * this test, in place of what is for this machine.
 */
#include <errno.h>

#include "decision_fixture.h"
#include "decision_types.h"
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
asm(KERNEL ".p2align 12\n"
    FUNC(foo) LABEL(foo_ret) W(0xd65f03c0) END(foo)
    /* GCC -O2 -fstack-protector: return v ? -EINVAL : 0; at offset 16 of a page */
    FUNC(guard)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(guard_body)
	W(0x52800002) /* mov w2, #0 */
    LABEL(guard_cbz)
	W(0x34000041) /* cbz w1, guard_check */
	W(0x128002a2) /* mov w2, #-22 */
	W(0xeb04007f) /* cmp x3, x4 */
	W(0x54000061) /* b.ne guard_fail */
	W(0x2a0203e0) /* mov w0, w2 */
    LABEL(guard_ret)
	W(0xd65f03c0) /* ret */
	W(0x94000003) /* bl veneer */
	W(0x52800000) /* mov w0, #0: what follows is another part of the function */
	W(0xd65f03c0) /* ret */
    END(guard)
    /* At offset 64. Symbols before a module's PLT seem to contain it. */
    FUNC(veneer)
	W(0x90000010) /* adrp x16, __stack_chk_fail */
	W(0x91014210) /* add x16, x16, #80 */
	W(0xd61f0200) /* br x16 */
    END(veneer)
    FUNC(__stack_chk_fail) W(0xd65f03c0) END(__stack_chk_fail)
    USER);
/* clang-format on */

enum { GUARD, NR_FUNCS };
static const char *const func_names[] = { "guard" };
#include "decision_play.h"

TEST_F(decision, a_check_that_calls_through_a_veneer_what_never_returns_decides_nothing)
{
	struct btf *btf = btf__new_empty();
	int i32 = add_int(btf);

	add_function(btf, "guard", add_thing(btf, i32), "p", i32, "v");
	ASSERT_EQ(0, kernel_btf_from(btf, &self->btf));
	CALLED(guard_body);
	RETURNED(guard_ret);
	decided(self, GUARD, -EINVAL);
	EXPECT_STREQ("v != 0", self->condition.text);
	EXPECT_EQ(AT(guard_cbz), self->decision.from.addr);
	kernel_btf_free(self->btf);
}

TEST(what_a_veneer_is)
{
	const uint32_t veneer[] = { 0x90000010, 0x91014210, 0xd61f0200 };
	const uint32_t by_x17[] = { 0x90000010, 0x91014210, 0xd61f0220 };
	const uint32_t to_x17[] = { 0x90000011, 0x91014210, 0xd61f0200 };
	const uint32_t shifted[] = { 0x90000010, 0x91414210, 0xd61f0200 };
	const uint32_t added[] = { 0x90000010, 0x91014230, 0xd61f0200 };

	EXPECT_EQ(0x1050, veneer_target((const uint8_t *)veneer, sizeof(veneer), 0x1fe4));
	EXPECT_EQ(0, veneer_target((const uint8_t *)veneer, sizeof(veneer) - 4, 0x1fe4));
	EXPECT_EQ(0, veneer_target((const uint8_t *)by_x17, sizeof(by_x17), 0x1fe4));
	EXPECT_EQ(0, veneer_target((const uint8_t *)to_x17, sizeof(to_x17), 0x1fe4));
	EXPECT_EQ(0, veneer_target((const uint8_t *)shifted, sizeof(shifted), 0x1fe4));
	EXPECT_EQ(0, veneer_target((const uint8_t *)added, sizeof(added), 0x1fe4));
}

TEST_HARNESS_MAIN
