// SPDX-License-Identifier: BSD-2-Clause
/*
 * Conditions and values of arm64's code, from what GCC 12 makes of C. What reads it is built into this test, in
 * place of what is for this machine.
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
#include "util/kernel/symbols/data_symbols.h"

#define W(word) ".long " #word "\n"

/* clang-format off */
asm(KERNEL
    FUNC(foo) LABEL(foo_ret) W(0xd65f03c0) END(foo)
    /* GCC -O2: if (p->early) return 0; err = p->is_dir ? -EISDIR : -ENOTDIR; if (p->ok) err = 0; return err; */
    FUNC(two)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(two_body)
    LINE(10, 1)
	W(0xb9400001) /* ldr w1, [x0] */
    LABEL(two_cbnz)
	W(0x35000101) /* cbnz w1, two_zero */
    LINE(11, 1)
	W(0x29408402) /* ldp w2, w1, [x0, #4] */
	W(0x7100005f) /* cmp w2, #0 */
	W(0x1a9f17e0) /* cset w0, eq */
	W(0x7100003f) /* cmp w1, #0 */
	W(0x51005400) /* sub w0, w0, #21 */
    LINE(12, 1)
    LABEL(two_move)
	W(0x1a9f0000) /* csel w0, w0, wzr, eq */
    LABEL(two_ret)
	W(0xd65f03c0) /* ret */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    END(two)

    /* GCC -O2: if ((p->flags & 0xfffffffff000) == v) return -EINVAL; */
    FUNC(mask)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(mask_body)
	W(0xf9400c00) /* ldr x0, [x0, #24] */
	W(0x92748c00) /* and x0, x0, #0xfffffffff000 */
	W(0xeb01001f) /* cmp x0, x1 */
    LABEL(mask_beq)
	W(0x54000060) /* b.eq mask_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(mask_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(mask_ret)
	W(0xd65f03c0) /* ret */
    END(mask)

    /* GCC -O2: if (!n) n = 1; if (n > p->n) return -EINVAL; */
    FUNC(least)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(least_body)
	W(0x7100003f) /* cmp w1, #0 */
	W(0xb9400c00) /* ldr w0, [x0, #12] */
	W(0x1a9f1421) /* csinc w1, w1, wzr, ne */
	W(0x6b01001f) /* cmp w0, w1 */
    LABEL(least_blt)
	W(0x5400006b) /* b.lt least_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(least_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(least_ret)
	W(0xd65f03c0) /* ret */
    END(least)

    /* none = !v; if (none) return -EINVAL; */
    FUNC(flag)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(flag_body)
	W(0x7100003f) /* cmp w1, #0 */
	W(0x1a9f17e0) /* cset w0, eq */
    LABEL(flag_cbnz)
	W(0x35000060) /* cbnz w0, flag_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(flag_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(flag_ret)
	W(0xd65f03c0) /* ret */
    END(flag)

    /* GCC 12 -O2, static struct { ..., ops } all: if (p == &all.ops) return -EINVAL; */
    FUNC(part)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(part_body)
	W(0x90000002) /* adrp x2, . */
	W(0x912de042) /* add x2, x2, #0xb78 */
	W(0x91004042) /* add x2, x2, #0x10 */
	W(0xeb02001f) /* cmp x0, x2 */
    LABEL(part_beq)
	W(0x54000060) /* b.eq part_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(part_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(part_ret)
	W(0xd65f03c0) /* ret */
    END(part)

    /* if (p->early & 1 && !(p->is_dir & 1)) return -EINVAL; */
    FUNC(both)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(both_body)
	W(0xf9400001) /* ldr x1, [x0] */
	W(0x92000021) /* and x1, x1, #0x100000001 */
	W(0xf100043f) /* cmp x1, #1 */
    LABEL(both_beq)
	W(0x54000060) /* b.eq both_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(both_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(both_ret)
	W(0xd65f03c0) /* ret */
    END(both)

    /* if (!(p->flags & BIT(v))) return -EINVAL; */
    FUNC(bit)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(bit_body)
	W(0xf9400c00) /* ldr x0, [x0, #24] */
	W(0x9ac12400) /* lsr x0, x0, x1 */
    LABEL(bit_tbz)
	W(0x36000060) /* tbz w0, #0, bit_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(bit_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(bit_ret)
	W(0xd65f03c0) /* ret */
    END(bit)

    /* return p->flags & BIT(v) ? 0 : -1, as cap_capable() has it */
    FUNC(less)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(less_body)
	W(0xf9400c00) /* ldr x0, [x0, #24] */
	W(0x9ac12400) /* lsr x0, x0, x1 */
	W(0x92400000) /* and x0, x0, #1 */
	W(0x51000400) /* sub w0, w0, #1 */
    LABEL(less_ret)
	W(0xd65f03c0) /* ret */
    END(less)

    /* if (!is_power_of_2(p->flags)) return -EINVAL; */
    FUNC(power)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(power_body)
	W(0xf9400c01) /* ldr x1, [x0, #24] */
	W(0xd1000420) /* sub x0, x1, #1 */
	W(0xca000021) /* eor x1, x1, x0 */
	W(0xeb00003f) /* cmp x1, x0 */
    LABEL(power_bls)
	W(0x54000069) /* b.ls power_bad */
	W(0x52800000) /* mov w0, #0 */
	W(0xd65f03c0) /* ret */
    LABEL(power_bad)
	W(0x128002a0) /* mov w0, #-22 */
    LABEL(power_ret)
	W(0xd65f03c0) /* ret */
    END(power)

    /* if ((!foo() || !foo()) && p > 1 && v) return -EAGAIN; return 0; */
    FUNC(joint)
	W(0xd503201f) /* nop */
	W(0xd503201f) /* nop */
    LABEL(joint_body)
	W(0xa9be7bfd) /* stp x29, x30, [sp, #-32]! */
	W(0xa90153f3) /* stp x19, x20, [sp, #16] */
	W(0xaa0003f3) /* mov x19, x0 */
	W(0x2a0103f4) /* mov w20, w1 */
    LABEL(joint_call)
	".long 0x94000000 + ((k_foo - .) / 4 & 0x3ffffff)\n" /* bl foo */
    LABEL(joint_back)
	W(0xb4000080) /* cbz x0, joint_none */
	".long 0x94000000 + ((k_foo - .) / 4 & 0x3ffffff)\n" /* bl foo */
	W(0xb4000040) /* cbz x0, joint_none */
	W(0x14000006) /* b joint_fine */
    LABEL(joint_none)
	W(0xf100067f) /* cmp x19, #1 */
	W(0x7a408a84) /* ccmp w20, #0, #4, hi */
    LABEL(joint_beq)
	W(0x54000060) /* b.eq joint_fine */
	W(0x12800140) /* mov w0, #-11 */
	W(0x14000002) /* b joint_end */
    LABEL(joint_fine)
	W(0x52800000) /* mov w0, #0 */
    LABEL(joint_end)
	W(0xa94153f3) /* ldp x19, x20, [sp, #16] */
	W(0xa8c27bfd) /* ldp x29, x30, [sp], #32 */
    LABEL(joint_ret)
	W(0xd65f03c0) /* ret */
    END(joint)
    USER);
/* clang-format on */

enum { TWO, MASK, LEAST, FLAG, PART, BOTH, BIT, LESS_ONE, POWER, JOINT, NR_FUNCS };
static const char *const func_names[] = {
	"two", "mask", "least", "flag", "part", "both", "bit", "less", "power", "joint",
};
#include "decision_play.h"

/* All functions are int (struct thing *p, int v), but flag() has int x in place of p. */
static void add_types(FIXTURE_DATA(decision) *self)
{
	struct btf *btf = btf__new_empty();
	int i32 = add_int(btf), pointer = add_thing(btf, i32);

	btf__add_func(btf, "foo", BTF_FUNC_STATIC, btf__add_func_proto(btf, pointer));
	for (int i = 0; i < NR_FUNCS; i++)
		add_function(btf, func_names[i], i == FLAG ? i32 : pointer, i == FLAG ? "x" : "p", i32, "v");
	if (kernel_btf_from(btf, &self->btf))
		abort();
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

TEST_F(decision, a_mask_has_all_its_bits)
{
	add_types(self);
	CALLED(mask_body);
	TOOK(mask_beq, mask_bad);
	RETURNED(mask_ret);
	decided(self, MASK, -EINVAL);
	EXPECT_STREQ("(p->flags & 0xfffffffff000) == v", self->condition.text);
	kernel_btf_free(self->btf);
}

TEST_F(decision, one_of_two_numbers_is_no_sum)
{
	add_types(self);
	CALLED(least_body);
	TOOK(least_blt, least_bad);
	RETURNED(least_ret);
	decided(self, LEAST, -EINVAL);
	EXPECT_STREQ("p->n < (u32)x1", self->condition.text);
	kernel_btf_free(self->btf);
}

TEST_F(decision, nor_is_a_flag)
{
	add_types(self);
	CALLED(flag_body);
	TOOK(flag_cbnz, flag_bad);
	RETURNED(flag_ret);
	decided(self, FLAG, -EINVAL);
	EXPECT_STREQ("(u32)x0 != 0", self->condition.text);
	kernel_btf_free(self->btf);
}

TEST_F(decision, the_address_of_a_variable_may_be_made_of_three_parts)
{
	char name[] = "ops";
	const struct data_symbol ops = { (AT(part_body) & ~0xfffull) + 0xb88, name };
	struct data_symbols data = {};

	add_types(self);
	ASSERT_EQ(0, vec_push(&data.v, ops));
	self->data = &data;
	CALLED(part_body);
	TOOK(part_beq, part_bad);
	RETURNED(part_ret);
	decided(self, PART, -EINVAL);
	EXPECT_STREQ("p == &ops", self->condition.text);
	vec_release(&data.v);
	kernel_btf_free(self->btf);
}

TEST_F(decision, bits_of_two_members_may_be_tested_at_once)
{
	add_types(self);
	CALLED(both_body);
	TOOK(both_beq, both_bad);
	RETURNED(both_ret);
	decided(self, BOTH, -EINVAL);
	EXPECT_STREQ("!(p->is_dir & 0x1)", self->condition.text);
	EXPECT_STREQ("p->early & 0x1", self->condition.after);
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_bit_by_its_number)
{
	add_types(self);
	CALLED(bit_body);
	TOOK(bit_tbz, bit_bad);
	RETURNED(bit_ret);
	decided(self, BIT, -EINVAL);
	EXPECT_STREQ("!(p->flags & BIT(v))", self->condition.text);
	/* What is shifted is read, not what is tested. */
	EXPECT_EQ(AT(bit_tbz) - 4, self->condition.compared_at);
	self->nr = 0;
	CALLED(less_body);
	RETURNED(less_ret);
	decided(self, LESS_ONE, -EPERM);
	EXPECT_STREQ("!(p->flags & BIT(v))", self->condition.text ?: "");
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_number_that_is_no_power_of_two)
{
	add_types(self);
	CALLED(power_body);
	TOOK(power_bls, power_bad);
	RETURNED(power_ret);
	decided(self, POWER, -EINVAL);
	EXPECT_STREQ("!is_power_of_2(p->flags)", self->condition.text);
	EXPECT_TRUE(condition_take_values(&self->condition, 98, 1));
	EXPECT_EQ(99, self->condition.a.value);
	kernel_btf_free(self->btf);
}

TEST_F(decision, of_conditions_that_led_to_it_together_a_failed_call_tells_more)
{
	add_types(self);
	CALLED(joint_body);
	TOOK(joint_call, foo);
	TOOK(foo_ret, joint_back);
	TOOK(joint_back, joint_none);
	took(self, AT(joint_beq) + 8, AT(joint_end));
	RETURNED(joint_ret);
	decided(self, JOINT, -EAGAIN);
	EXPECT_STREQ("v != 0", self->condition.text ?: "");
	EXPECT_STREQ("foo() == NULL", self->condition.after ?: "");
	kernel_btf_free(self->btf);
}

/* "x0 = x1 + x2 << 3"; "" for an instruction that is not taken. */
static const char *computed(uint32_t word)
{
	static char text[80];
	struct insn_arithmetic made;

	*text = '\0';
	if (operands_arithmetic((const uint8_t *)&word, sizeof(word), &made) &&
	    made.a.kind == OPERAND_REGISTER && !made.addend)
		snprintf(text, sizeof(text), "%c%s = %s %s %s%lld << %d", made.to.size == 8 ? 'x' : 'w',
			 code_register_name(made.to.reg) + 1, code_register_name(made.a.reg), made.operator,
			 made.b.kind == OPERAND_REGISTER ? code_register_name(made.b.reg) : "#",
			 (long long)made.b.value, made.shift);
	return text;
}

TEST(numbers_computed_from_two)
{
	EXPECT_STREQ("x0 = x1 + x20 << 3", computed(0x8b020c20));	/* add x0, x1, x2, lsl #3 */
	EXPECT_STREQ("w0 = x1 - x20 << 0", computed(0x4b020020));	/* sub w0, w1, w2 */
	EXPECT_STREQ("x0 = x1 ^ x20 << 0", computed(0xca020020));	/* eor x0, x1, x2 */
	EXPECT_STREQ("x0 = x1 >> #12 << 0", computed(0xd34cfc20));	/* lsr x0, x1, #12 */
	EXPECT_STREQ("x0 = x1 >> #12 << 0", computed(0x934cfc20));	/* asr x0, x1, #12 */
	EXPECT_STREQ("x0 = x1 << #3 << 0", computed(0xd37df020));	/* lsl x0, x1, #3 */
	EXPECT_STREQ("w0 = x1 << #3 << 0", computed(0x531d7020));	/* lsl w0, w1, #3 */
	EXPECT_STREQ("x0 = x1 & #-4 << 0", computed(0x927ef420));	/* and x0, x1, #0xfffffffffffffffc */
	EXPECT_STREQ("x0 = x1 & x20 << 0", computed(0x8a020020));	/* and x0, x1, x2 */
	EXPECT_STREQ("x0 = x1 >> x20 << 0", computed(0x9ac22420));	/* lsr x0, x1, x2 */
	EXPECT_STREQ("w0 = x1 << x20 << 0", computed(0x1ac22020));	/* lsl w0, w1, w2 */
	EXPECT_STREQ("", computed(0x9ac22c20));				/* ror x0, x1, x2 */
	EXPECT_STREQ("", computed(0x9ac20820));				/* udiv x0, x1, x2 */
	EXPECT_STREQ("", computed(0xd3442c20));				/* ubfx x0, x1, #4, #8 */
	EXPECT_STREQ("", computed(0x93407c20));				/* sxtw x0, w1 */
	EXPECT_STREQ("", computed(0x53001c20));				/* uxtb w0, w1 */
	EXPECT_STREQ("", computed(0xab020020));				/* adds x0, x1, x2 */
	EXPECT_STREQ("", computed(0x8b420c20));				/* add x0, x1, x2, lsr #3 */
	EXPECT_STREQ("", computed(0xcb0203e0));				/* neg x0, x2 */
	EXPECT_STREQ("", computed(0x8a220020));				/* bic x0, x1, x2 */
	EXPECT_STREQ("", computed(0x8b22c020));				/* add x0, x1, w2, sxtw */
	EXPECT_STREQ("", computed(0x9b027c20));				/* mul x0, x1, x2 */
}

TEST_HARNESS_MAIN
