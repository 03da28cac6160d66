// SPDX-License-Identifier: BSD-2-Clause
/* Instructions of arm64, which are read here on any machine: words, and what they mean. */
#include <stdio.h>

#include "unit.h"
#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arm64/code.c"
#include "util/kernel/arch/arm64/decode.c"
#include "util/kernel/arch/arm64/instruction.c"
#include "util/kernel/arch/arm64/jump_table.c"
#include "util/kernel/arch/arm64/operands.c"
#include "util/kernel/arch/arm64/routines.c"

#define AT 0xffff800080010000ull

struct meaning {
	uint32_t word;
	const char *assembly, *effect;
};

static void add_registers(struct strbuf *text, reg_set registers)
{
	const char *before = "changes ";

	for (int r = 0; r < NR_REGISTERS; r++) {
		if (!(registers >> r & 1))
			continue;
		strbuf_addf(text, "%s%s", before, code_register_name(r));
		before = ", ";
	}
}

/* "[sp + 8]"; "memory": not on the stack. */
static void add_memory(struct strbuf *text, const struct insn_effect *effect)
{
	if (effect->on_stack)
		strbuf_addf(text, "[%s %c %d]", code_register_name(effect->base),
			    effect->displacement < 0 ? '-' : '+', abs(effect->displacement));
	else
		strbuf_addstr(text, "memory");
}

static void add_pair(struct strbuf *text, const struct insn_effect *effect, uint8_t first)
{
	strbuf_addstr(text, code_register_name(first));
	if (effect->is_pair)
		strbuf_addf(text, ", %s of %d bytes", code_register_name(effect->second),
			    effect->bytes);
}

/* "x1 or x2", "x1 or 0 ^ -1" */
static void add_selected(struct strbuf *text, const struct insn_effect *effect)
{
	strbuf_addf(text, "%s or %s", effect->from_is_zero ? "0" : code_register_name(effect->from),
		    effect->other_is_zero ? "0" : code_register_name(effect->other));
	if (effect->computes == COMPUTES_SUM)
		strbuf_addf(text, " + %lld", (long long)effect->value);
	else if (effect->computes == COMPUTES_XOR)
		strbuf_addf(text, " ^ %lld", (long long)effect->value);
	else if (effect->computes == COMPUTES_NEGATED)
		strbuf_addstr(text, " negated");
}

static void add_effect(struct strbuf *text, const struct insn_effect *effect)
{
	const char *to = code_register_name(effect->to), *from = code_register_name(effect->from);

	switch (effect->kind) {
	case EFFECT_OTHER:
		add_registers(text, effect->writes);
		if (effect->on_stack) {
			strbuf_addstr(text, text->len ? "; loses " : "loses ");
			add_memory(text, effect);
			strbuf_addf(text, " of %d bytes", effect->bytes);
		}
		break;
	case EFFECT_COPY:
		strbuf_addf(text, "%s = %s", to, from);
		break;
	case EFFECT_CONSTANT:
		strbuf_addf(text, "%s = %lld%s", to, (long long)effect->value,
			    effect->is_half && effect->value < 0 ? " of 32 bits" : "");
		break;
	case EFFECT_LOAD:
		add_pair(text, effect, effect->to);
		strbuf_addstr(text, " = ");
		add_memory(text, effect);
		break;
	case EFFECT_SELECT:
		strbuf_addf(text, "%s = ", to);
		add_selected(text, effect);
		break;
	case EFFECT_STORE:
		add_memory(text, effect);
		strbuf_addstr(text, " = ");
		add_pair(text, effect, effect->from);
		break;
	case EFFECT_STORE_CONSTANT:
		add_memory(text, effect);
		strbuf_addf(text, " = %lld%s", (long long)effect->value,
			    effect->is_pair ? " twice" : "");
		break;
	case EFFECT_UNWIND:
		strbuf_addf(text, "sp = x29 %c %d", effect->displacement < 0 ? '-' : '+',
			    abs(effect->displacement));
		break;
	default:
		break;
	}
	if (effect->moves_stack)
		strbuf_addf(text, "%ssp %+d", text->len ? "; " : "", effect->moves_stack);
	if (effect->sets_flags)
		strbuf_addf(text, "%sflags", text->len ? "; " : "");
}

static void effect_text(uint32_t word, struct strbuf *text)
{
	struct insn insn;

	strbuf_reset(text);
	if (insn_decode((const uint8_t *)&word, sizeof(word), AT, &insn))
		strbuf_addstr(text, "error");
	else if (!insn.is_known)
		strbuf_addstr(text, "anything");
	else
		add_effect(text, &insn.effect);
}

static const struct meaning meanings[] = {
	{ 0xd4000002, "hvc #0", "anything" },
	{ 0xd4000003, "smc #0", "anything" },
	{ 0xd503201f, "nop", "" },
	{ 0xd503245f, "bti c", "" },
	{ 0xd503233f, "paciasp", "changes x30" },
	{ 0xd50323bf, "autiasp", "changes x30" },
	{ 0xd5033fdf, "isb", "" },
	{ 0xd5033bbf, "dmb ish", "" },
	{ 0xd503229f, "csdb", "" },
	{ 0x2a1303e0, "mov w0, w19", "x0 = x19" },
	{ 0xaa0003f3, "mov x19, x0", "x19 = x0" },
	{ 0x93407c03, "sxtw x3, w0", "x3 = x0" },
	{ 0x53001c20, "uxtb w0, w1", "changes x0" },
	{ 0x13003c20, "sxth w0, w1", "changes x0" },
	{ 0x12001c20, "and w0, w1, #0xff", "changes x0" },
	{ 0x128002a0, "mov w0, #-22", "x0 = -22 of 32 bits" },
	{ 0x928002a0, "mov x0, #-22", "x0 = -22" },
	{ 0x2a1f03e0, "mov w0, wzr", "x0 = 0" },
	{ 0x52a0c000, "mov w0, #0x6000000", "x0 = 100663296" },
	{ 0x72a24680, "movk w0, #0x1234, lsl #16", "changes x0" },
	{ 0x3200f3e0, "orr w0, wzr, #0x55555555", "x0 = 1431655765" },
	{ 0xd2ffffe0, "mov x0, #0xffff000000000000", "x0 = -281474976710656" },
	{ 0x1a800020, "csel w0, w1, w0, eq", "x0 = x1 or x0" },
	{ 0x1a810000, "csel w0, w0, w1, eq", "x0 = x0 or x1" },
	{ 0x1a810040, "csel w0, w2, w1, eq", "x0 = x2 or x1" },
	{ 0x1a9f0020, "csel w0, w1, wzr, eq", "x0 = x1 or 0" },
	{ 0x5a9f0000, "csinv w0, w0, wzr, eq", "x0 = x0 or 0 ^ -1" },
	{ 0x1a9f07e0, "cset w0, ne", "x0 = 0 or 0 + 1" },
	{ 0x5a9f03e0, "csetm w0, ne", "x0 = 0 or 0 ^ -1" },
	{ 0x1a810420, "cinc w0, w1, ne", "x0 = x1 or x1 + 1" },
	{ 0x5a810420, "cneg w0, w1, ne", "x0 = x1 or x1 negated" },
	{ 0x11000c20, "add w0, w1, #3", "changes x0" },
	{ 0x910043e0, "add x0, sp, #16", "changes x0" },
	{ 0x910003fd, "mov x29, sp", "x29 = sp" },
	{ 0x910003bf, "mov sp, x29", "sp = x29 + 0" },
	{ 0xd10043bf, "sub sp, x29, #0x10", "sp = x29 - 16" },
	{ 0xd100c3ff, "sub sp, sp, #0x30", "sp -48" },
	{ 0x914007ff, "add sp, sp, #1, lsl #12", "sp +4096" },
	{ 0xcb2163ff, "sub sp, sp, x1", "changes sp" },
	{ 0xa9be7bfd, "stp x29, x30, [sp, #-32]!", "[sp - 32] = x29, x30 of 8 bytes; sp -32" },
	{ 0xa8c27bfd, "ldp x29, x30, [sp], #32", "x29, x30 of 8 bytes = [sp + 0]; sp +32" },
	{ 0x29050be1, "stp w1, w2, [sp, #40]", "[sp + 40] = x1, x2 of 4 bytes" },
	{ 0xa9017fff, "stp xzr, xzr, [sp, #16]", "[sp + 16] = 0 twice" },
	{ 0xa90107ff, "stp xzr, x1, [sp, #16]", "loses [sp + 16] of 16 bytes" },
	{ 0xad0087e0, "stp q0, q1, [sp, #16]", "loses [sp + 16] of 32 bytes" },
	{ 0xa9400440, "ldp x0, x1, [x2]", "x0, x1 of 8 bytes = memory" },
	{ 0x69410440, "ldpsw x0, x1, [x2, #8]", "x0, x1 of 4 bytes = memory" },
	{ 0xf9000fe0, "str x0, [sp, #24]", "[sp + 24] = x0" },
	{ 0xb9001bff, "str wzr, [sp, #24]", "[sp + 24] = 0" },
	{ 0x390063e0, "strb w0, [sp, #24]", "loses [sp + 24] of 1 bytes" },
	{ 0xb81fc3a0, "stur w0, [x29, #-4]", "[x29 - 4] = x0" },
	{ 0xb9401be0, "ldr w0, [sp, #24]", "x0 = [sp + 24]" },
	{ 0xf9400420, "ldr x0, [x1, #8]", "x0 = memory" },
	{ 0x39402020, "ldrb w0, [x1, #8]", "changes x0" },
	{ 0x39802020, "ldrsb x0, [x1, #8]", "changes x0" },
	{ 0xb89fc020, "ldrsw x0, [x1, #-4]", "x0 = memory" },
	{ 0xb8404420, "ldr w0, [x1], #4", "changes x0, x1" },
	{ 0xb8404c20, "ldr w0, [x1, #4]!", "changes x0, x1" },
	{ 0xb81f0fe0, "str w0, [sp, #-16]!", "[sp - 16] = x0; sp -16" },
	{ 0xf8626820, "ldr x0, [x1, x2]", "x0 = memory" },
	{ 0xf8627820, "ldr x0, [x1, x2, lsl #3]", "x0 = memory" },
	{ 0x58000040, "ldr x0, .+8", "changes x0" },
	{ 0x88dffc20, "ldar w0, [x1]", "x0 = memory" },
	{ 0xb8bfc020, "ldapr w0, [x1]", "x0 = memory" },
	{ 0xf8408820, "ldtr x0, [x1, #8]", "x0 = memory" },
	{ 0xc85f7c20, "ldxr x0, [x1]", "x0 = memory" },
	{ 0xc8027c20, "stxr w2, x0, [x1]", "changes x2" },
	{ 0x889ffc20, "stlr w0, [x1]", "memory = x0" },
	{ 0xb8e00041, "ldaddal w0, w1, [x2]", "changes x1" },
	{ 0xb820005f, "stadd w0, [x2]", "" },
	{ 0xc8e0fc41, "casal x0, x1, [x2]", "changes x0" },
	{ 0xb8e08041, "swpal w0, w1, [x2]", "changes x1" },
	{ 0xd5384100, "mrs x0, sp_el0", "changes x0" },
	{ 0xd51b4200, "msr nzcv, x0", "flags" },
	{ 0xf9800000, "prfm pldl1keep, [x0]", "" },
	{ 0x3dc00020, "ldr q0, [x1]", "" },
	{ 0x9e660000, "fmov x0, d0", "anything" },
	{ 0x7100141f, "cmp w0, #5", "flags" },
	{ 0xeb01001f, "cmp x0, x1", "flags" },
	{ 0xeb22c03f, "cmp x1, w2, sxtw", "flags" },
	{ 0x6b02083f, "cmp w1, w2, lsl #2", "flags" },
	{ 0xeb2163ff, "cmp sp, x1", "flags" },
	{ 0x3100581f, "cmn w0, #22", "flags" },
	{ 0xb140041f, "cmn x0, #1, lsl #12", "flags" },
	{ 0x3100001f, "cmn w0, #0", "flags" },
	{ 0x6b1f001f, "cmp w0, wzr", "flags" },
	{ 0x71000400, "subs w0, w0, #1", "changes x0; flags" },
	{ 0x721e001f, "tst w0, #4", "flags" },
	{ 0xea01001f, "tst x0, x1", "flags" },
	{ 0xf2607c1f, "tst x0, #0xffffffff00000000", "flags" },
	{ 0x6a010c1f, "tst w0, w1, lsl #3", "flags" },
	{ 0x6a020020, "ands w0, w1, w2", "changes x0; flags" },
	{ 0x6a220020, "bics w0, w1, w2", "changes x0; flags" },
	{ 0x7a410804, "ccmp w0, #1, #4, eq", "flags" },
	{ 0x2b010000, "adds w0, w0, w1", "changes x0; flags" },
	{ 0xba020020, "adcs x0, x1, x2", "changes x0; flags" },
	{ 0x90000000, "adrp x0, .", "changes x0" },
	{ 0xf8200420, "ldraa x0, [x1]", "x0 = memory" },
	{ 0xd63f0220, "blr x17", "flags" },
};

TEST(what_instructions_do_to_registers_and_the_stack)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(meanings); i++) {
		effect_text(meanings[i].word, &text);
		EXPECT_STREQ(meanings[i].effect, strbuf_str(&text))
		{
			TH_LOG("%s", meanings[i].assembly);
		}
	}
}

static const char *name_of(const struct operand *operand, char text[32])
{
	const char *reg = code_register_name(operand->reg);

	switch (operand->kind) {
	case OPERAND_REGISTER:
		snprintf(text, 32, "%s:%d", reg, operand->size);
		break;
	case OPERAND_MEMORY:
		snprintf(text, 32, "[%s%+lld]:%d", reg, (long long)operand->value, operand->size);
		break;
	case OPERAND_CONSTANT:
		snprintf(text, 32, "%lld", (long long)operand->value);
		break;
	default:
		return "?";
	}
	return text;
}

/* Operands with their bytes, such as "x0:4 = [x1+8]:4". */
static void operands_text(uint32_t word, struct strbuf *text)
{
	static const char *const signs[] = { "", "=", "= address of", "-", "&" };
	struct insn_operands operands;
	char a[32], b[32];

	operands_decode((const uint8_t *)&word, sizeof(word), &operands);
	strbuf_reset(text);
	if (operands.kind != OPERANDS_OTHER)
		strbuf_addf(text, "%s %s %s%s", name_of(&operands.a, a), signs[operands.kind],
			    operands.extends_sign ? "signed " : "", name_of(&operands.b, b));
}

static const struct meaning operand_meanings[] = {
	{ 0xb4000043, "cbz x3, .+8", "x3:8 - 0" },
	{ 0x35ffffe3, "cbnz w3, .-4", "x3:4 - 0" },
	{ 0xb6400103, "tbz x3, #40, .+0x20", "x3:8 & 1099511627776" },
	{ 0x371fff03, "tbnz w3, #3, .-0x20", "x3:4 & 8" },
	{ 0x2a1303e0, "mov w0, w19", "x0:4 = x19:4" },
	{ 0xaa0003f3, "mov x19, x0", "x19:8 = x0:8" },
	{ 0x93407c03, "sxtw x3, w0", "x3:8 = signed x0:4" },
	{ 0x53001c20, "uxtb w0, w1", "x0:4 = x1:1" },
	{ 0x13003c20, "sxth w0, w1", "x0:4 = signed x1:2" },
	{ 0x12001c20, "and w0, w1, #0xff", "x0:4 = x1:1" },
	{ 0x128002a0, "mov w0, #-22", "x0:4 = -22" },
	{ 0x928002a0, "mov x0, #-22", "x0:8 = -22" },
	{ 0x2a1f03e0, "mov w0, wzr", "x0:4 = 0" },
	{ 0x52a0c000, "mov w0, #0x6000000", "x0:4 = 100663296" },
	{ 0x3200f3e0, "orr w0, wzr, #0x55555555", "x0:4 = 1431655765" },
	{ 0xd2ffffe0, "mov x0, #0xffff000000000000", "x0:8 = -281474976710656" },
	{ 0x11000c20, "add w0, w1, #3", "x0:4 = address of [x1+3]:4" },
	{ 0x910043e0, "add x0, sp, #16", "x0:8 = address of [sp+16]:8" },
	{ 0x910003fd, "mov x29, sp", "" },
	{ 0x910003bf, "mov sp, x29", "" },
	{ 0xd10043bf, "sub sp, x29, #0x10", "" },
	{ 0xd100c3ff, "sub sp, sp, #0x30", "" },
	{ 0x914007ff, "add sp, sp, #1, lsl #12", "" },
	{ 0xa9be7bfd, "stp x29, x30, [sp, #-32]!", "[sp-32]:8 = x29:8" },
	{ 0xa8c27bfd, "ldp x29, x30, [sp], #32", "x29:8 = [sp+0]:8" },
	{ 0x29050be1, "stp w1, w2, [sp, #40]", "[sp+40]:4 = x1:4" },
	{ 0xa9017fff, "stp xzr, xzr, [sp, #16]", "[sp+16]:8 = 0" },
	{ 0xa90107ff, "stp xzr, x1, [sp, #16]", "[sp+16]:8 = 0" },
	{ 0xa9400440, "ldp x0, x1, [x2]", "x0:8 = [x2+0]:8" },
	{ 0x69410440, "ldpsw x0, x1, [x2, #8]", "x0:8 = signed [x2+8]:4" },
	{ 0xf9000fe0, "str x0, [sp, #24]", "[sp+24]:8 = x0:8" },
	{ 0xb9001bff, "str wzr, [sp, #24]", "[sp+24]:4 = 0" },
	{ 0x390063e0, "strb w0, [sp, #24]", "[sp+24]:1 = x0:1" },
	{ 0xb81fc3a0, "stur w0, [x29, #-4]", "[x29-4]:4 = x0:4" },
	{ 0xb9401be0, "ldr w0, [sp, #24]", "x0:4 = [sp+24]:4" },
	{ 0xf9400420, "ldr x0, [x1, #8]", "x0:8 = [x1+8]:8" },
	{ 0x39402020, "ldrb w0, [x1, #8]", "x0:4 = [x1+8]:1" },
	{ 0x39802020, "ldrsb x0, [x1, #8]", "x0:8 = signed [x1+8]:1" },
	{ 0xb89fc020, "ldrsw x0, [x1, #-4]", "x0:8 = signed [x1-4]:4" },
	{ 0xb8404420, "ldr w0, [x1], #4", "x0:4 = [x1+0]:4" },
	{ 0xb8404c20, "ldr w0, [x1, #4]!", "x0:4 = [x1+4]:4" },
	{ 0xb81f0fe0, "str w0, [sp, #-16]!", "[sp-16]:4 = x0:4" },
	{ 0xf8626820, "ldr x0, [x1, x2]", "x0:8 = ?" },
	{ 0xf8627820, "ldr x0, [x1, x2, lsl #3]", "x0:8 = ?" },
	{ 0x88dffc20, "ldar w0, [x1]", "x0:4 = [x1+0]:4" },
	{ 0xb8bfc020, "ldapr w0, [x1]", "x0:4 = [x1+0]:4" },
	{ 0xf8408820, "ldtr x0, [x1, #8]", "x0:8 = [x1+8]:8" },
	{ 0xc85f7c20, "ldxr x0, [x1]", "x0:8 = [x1+0]:8" },
	{ 0x889ffc20, "stlr w0, [x1]", "[x1+0]:4 = x0:4" },
	{ 0x7100141f, "cmp w0, #5", "x0:4 - 5" },
	{ 0xeb01001f, "cmp x0, x1", "x0:8 - x1:8" },
	{ 0xeb22c03f, "cmp x1, w2, sxtw", "" },
	{ 0x6b02083f, "cmp w1, w2, lsl #2", "" },
	{ 0xeb2163ff, "cmp sp, x1", "" },
	{ 0x3100581f, "cmn w0, #22", "x0:4 - -22" },
	{ 0xb140041f, "cmn x0, #1, lsl #12", "x0:8 - -4096" },
	{ 0x3100001f, "cmn w0, #0", "" },
	{ 0x6b1f001f, "cmp w0, wzr", "x0:4 - 0" },
	{ 0x71000400, "subs w0, w0, #1", "x0:4 - 1" },
	{ 0x721e001f, "tst w0, #4", "x0:4 & 4" },
	{ 0xea01001f, "tst x0, x1", "x0:8 & x1:8" },
	{ 0xf2607c1f, "tst x0, #0xffffffff00000000", "x0:8 & -4294967296" },
	{ 0x6a010c1f, "tst w0, w1, lsl #3", "" },
	{ 0x6a020020, "ands w0, w1, w2", "x1:4 & x2:4" },
	{ 0x72001c1f, "tst w0, #0xff", "x0:1 - 0" },
	{ 0xf2403c1f, "tst x0, #0xffff", "x0:2 - 0" },
	{ 0xf8200420, "ldraa x0, [x1]", "x0:8 = ?" },
};

TEST(operands)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(operand_meanings); i++) {
		operands_text(operand_meanings[i].word, &text);
		EXPECT_STREQ(operand_meanings[i].effect, strbuf_str(&text))
		{
			TH_LOG("%s", operand_meanings[i].assembly);
		}
	}
}

static const struct {
	uint32_t word;
	enum branch_kind kind;
	int target; /* from the instruction; 0: none */
} branches[] = {
	{ 0x14000400, BRANCH_JUMP, 0x1000 }, /* b */
	{ 0x17fffffe, BRANCH_JUMP, -8 },
	{ 0x5400008e, BRANCH_JUMP, 0x10 }, /* b.al */
	{ 0x94000040, BRANCH_CALL, 0x100 }, /* bl */
	{ 0x54000080, BRANCH_CONDITIONAL, 0x10 }, /* b.eq */
	{ 0x54ffff81, BRANCH_CONDITIONAL, -0x10 }, /* b.ne */
	{ 0xb4000043, BRANCH_CONDITIONAL, 8 }, /* cbz x3 */
	{ 0x35ffffe3, BRANCH_CONDITIONAL, -4 }, /* cbnz w3 */
	{ 0xb6400103, BRANCH_CONDITIONAL, 0x20 }, /* tbz x3, #40 */
	{ 0x371fff03, BRANCH_CONDITIONAL, -0x20 }, /* tbnz w3, #3 */
	{ 0xd65f03c0, BRANCH_RETURN }, /* ret */
	{ 0xd65f0bff, BRANCH_RETURN }, /* retaa */
	{ 0xd61f0020, BRANCH_INDIRECT_JUMP }, /* br x1 */
	{ 0xd71f0822, BRANCH_INDIRECT_JUMP }, /* braa x1, x2 */
	{ 0xd63f0220, BRANCH_INDIRECT_CALL }, /* blr x17 */
	{ 0xd63f0a3f, BRANCH_INDIRECT_CALL }, /* blraaz x17 */
	{ 0xd4000001, BRANCH_SYSTEM }, /* svc */
	{ 0xd4210000, BRANCH_SYSTEM }, /* brk */
	{ 0xd69f03e0, BRANCH_SYSTEM }, /* eret */
	{ 0x00000000, BRANCH_SYSTEM }, /* udf */
	{ 0xd4000002, BRANCH_NONE }, /* hvc comes back */
	{ 0xd4000003, BRANCH_NONE }, /* smc */
	{ 0xd503201f, BRANCH_NONE }, /* nop */
	{ 0xd503245f, BRANCH_NONE }, /* bti c */
	{ 0xd503229f, BRANCH_NONE }, /* csdb */
};

TEST(branches_have_a_kind_and_a_target)
{
	for (size_t i = 0; i < ARRAY_SIZE(branches); i++) {
		uint64_t target = branches[i].target ? AT + branches[i].target : 0;
		struct insn insn = {};

		ASSERT_EQ(0, insn_decode((const uint8_t *)&branches[i].word, 4, AT, &insn));
		EXPECT_EQ(4, insn.branch.length);
		EXPECT_EQ(branches[i].kind, insn.branch.kind)
		{
			TH_LOG("%08x", branches[i].word);
		}
		EXPECT_EQ(target, insn.branch.target);
	}
	EXPECT_EQ(-EINVAL, insn_decode((const uint8_t *)"\xc0\x03\x5f", 3, AT, &(struct insn){}));
	EXPECT_EQ(-EINVAL, insn_decode((const uint8_t *)"\x00\x00\x00\x02", 4, AT, &(struct insn){}));
}

static enum condition condition_after(uint32_t compare, uint32_t branch)
{
	struct insn_operands operands;

	operands_decode((const uint8_t *)&compare, 4, &operands);
	return operands_condition((const uint8_t *)&branch, 4, &operands);
}

TEST(conditions_of_branches)
{
	const uint32_t cmp = 0x7100141f, cmp_zero = 0x6b1f001f, tst = 0x721e001f, b = 0x54000080;

	EXPECT_EQ(CONDITION_EQUAL, condition_after(cmp, b | 0));
	EXPECT_EQ(CONDITION_NOT_EQUAL, condition_after(cmp, b | 1));
	EXPECT_EQ(CONDITION_ABOVE_EQUAL, condition_after(cmp, b | 2));
	EXPECT_EQ(CONDITION_BELOW, condition_after(cmp, b | 3));
	EXPECT_EQ(CONDITION_ABOVE, condition_after(cmp, b | 8));
	EXPECT_EQ(CONDITION_BELOW_EQUAL, condition_after(cmp, b | 9));
	EXPECT_EQ(CONDITION_GREATER_EQUAL, condition_after(cmp, b | 10));
	EXPECT_EQ(CONDITION_LESS, condition_after(cmp, b | 11));
	EXPECT_EQ(CONDITION_GREATER, condition_after(cmp, b | 12));
	EXPECT_EQ(CONDITION_LESS_EQUAL, condition_after(cmp, b | 13));
	/* The sign alone, where the difference may overflow, and where not. */
	EXPECT_EQ(CONDITION_UNKNOWN, condition_after(cmp, b | 4));
	EXPECT_EQ(CONDITION_LESS, condition_after(cmp_zero, b | 4));
	EXPECT_EQ(CONDITION_GREATER_EQUAL, condition_after(cmp_zero, b | 5));
	EXPECT_EQ(CONDITION_UNKNOWN, condition_after(cmp, b | 6)); /* overflow */
	EXPECT_EQ(CONDITION_NOT_EQUAL, condition_after(tst, b | 1));
	EXPECT_EQ(CONDITION_UNKNOWN, condition_after(tst, b | 8));
	EXPECT_EQ(CONDITION_NOT_EQUAL, condition_after(0x72001c1f, b | 1));
	EXPECT_EQ(CONDITION_UNKNOWN, condition_after(0x72001c1f, b | 4));
	/* By themselves. */
	EXPECT_EQ(CONDITION_EQUAL, condition_after(0xb4000043, 0xb4000043));
	EXPECT_EQ(CONDITION_NOT_EQUAL, condition_after(0x35ffffe3, 0x35ffffe3));
	EXPECT_EQ(CONDITION_EQUAL, condition_after(0xb6400103, 0xb6400103));
	EXPECT_EQ(CONDITION_NOT_EQUAL, condition_after(0x371fff03, 0x371fff03));
	EXPECT_EQ(CONDITION_UNKNOWN, condition_after(cmp, 0x14000400));
}

static size_t entry_size(uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t words[] = { a, b, c };

	return code_entry_size((const uint8_t *)words, sizeof(words));
}

TEST(entries_of_functions)
{
	EXPECT_EQ(8, entry_size(0xd503201f, 0xd503201f, 0xd503233f)); /* nop; nop; paciasp */
	EXPECT_EQ(8, entry_size(0xaa1e03e9, 0xd503201f, 0xd503233f)); /* mov x9, x30; nop */
	EXPECT_EQ(8, entry_size(0xaa1e03e9, 0x97ff32cc, 0xd503233f)); /* mov x9, x30; bl */
	EXPECT_EQ(12, entry_size(0xd503245f, 0xd503201f, 0xd503201f)); /* bti c */
	/* What nobody can trace. */
	EXPECT_EQ(0, entry_size(0xd503233f, 0xa9be7bfd, 0x910003fd));
	EXPECT_EQ(4, entry_size(0xd503245f, 0xd503233f, 0xa9be7bfd));
	EXPECT_EQ(0, entry_size(0xd503201f, 0xd503233f, 0xa9be7bfd));
}

#define BYTES(word) ((const uint8_t *)&(uint32_t){ word })

TEST(traps)
{
	EXPECT_EQ(TRAP_UNCLEAR, code_trap_kind(BYTES(0xd4210000), 4)); /* BUG(), WARN() */
	EXPECT_EQ(TRAP_ENDS, code_trap_kind(BYTES(0xd42aa240), 4)); /* UBSAN */
	EXPECT_EQ(TRAP_ENDS, code_trap_kind(BYTES(0), 4)); /* udf */
	EXPECT_EQ(TRAP_NONE, code_trap_kind(BYTES(0xd4200080), 4)); /* a kprobe */
	EXPECT_EQ(TRAP_NONE, code_trap_kind(BYTES(0xd4000001), 4)); /* svc */
	EXPECT_TRUE(code_is_probed(BYTES(0xd4200080), NULL, 0));
	EXPECT_FALSE(code_is_probed(BYTES(0xd4210000), NULL, 0));
	EXPECT_TRUE(code_is_padding(BYTES(0xd503201f), 4));
	EXPECT_FALSE(code_is_padding(BYTES(0xd65f03c0), 4));
}

TEST(calls_through_registers)
{
	EXPECT_STREQ("x17", code_register_name(code_call_register(BYTES(0xd63f0220), 4)));
	EXPECT_STREQ("x1", code_register_name(code_call_register(BYTES(0xd61f0020), 4)));
	EXPECT_EQ(-1, code_call_register(BYTES(0x94000040), 4)); /* bl */
	EXPECT_EQ(-1, code_call_register(BYTES(0xd65f03c0), 4)); /* ret */
}

static bool may_refuse(uint32_t word)
{
	struct insn insn;

	return !insn_decode(BYTES(word), 4, AT, &insn) &&
	       code_may_refuse_kprobe(BYTES(word), &insn.branch);
}

TEST(where_kprobes_are_likely_to_be_refused)
{
	EXPECT_TRUE(may_refuse(0xd503201f)); /* nop */
	EXPECT_TRUE(may_refuse(0x14000400)); /* b */
	EXPECT_FALSE(may_refuse(0x35ffffe3)); /* cbnz */
	EXPECT_FALSE(may_refuse(0xf9000fe0)); /* str */
}

TEST(where_an_errno_is_made_and_who_is_called)
{
	const uint32_t words[] = {
		0x128002a0, /* mov w0, #-22 */
		0x52800160, /* mov w0, #11 */
		0x928002b3, /* mov x19, #-22 */
		0x12800160, /* mov w0, #-12 */
		0x97fffffe, /* bl .-8 */
		0x14000003, /* b .+12 */
		0xd63f0020, /* blr x1 */
		0xd61f0040, /* br x2 */
	};
	const uint8_t *code = (const uint8_t *)words;
	const size_t size = sizeof(words);
	uint64_t target = 1;

	EXPECT_EQ(0u, code_find_number(code, size, 0, -22));
	EXPECT_EQ(8u, code_find_number(code, size, 1, -22));
	EXPECT_EQ(size, code_find_number(code, size, 9, -22));
	EXPECT_EQ(12u, code_find_number(code, size, 0, -12));
	EXPECT_EQ(16u, code_find_call(code, size, AT, 0, &target));
	EXPECT_EQ(AT + 8, target);
	EXPECT_EQ(20u, code_find_call(code, size, AT, 17, &target));
	EXPECT_EQ(AT + 32, target);
	EXPECT_EQ(size, code_find_call(code, size, AT, 21, &target));
	EXPECT_EQ(28u, code_find_pointer_jump(code, size, AT, 0, &target));
	EXPECT_EQ(0u, target);
	EXPECT_EQ(size, code_find_pointer_jump(code, size, AT, 29, &target));
}

TEST(atomic_sequences)
{
	/* A spin lock's, of unix_getname() in 6.12. */
	const uint32_t words[] = {
		0xf9800091, /* prfm pstl1strm, [x4] */
		0x885ffc82, /* ldaxr w2, [x4] */
		0x4a000043, /* eor w3, w2, w0 */
		0x35000063, /* cbnz w3, .+12 */
		0x88037c81, /* stxr w3, w1, [x4] */
		0x35ffff83, /* cbnz w3, .-16 */
		0x35000e22, /* cbnz w2, .+0x1c4 */
	};
	static const bool is_atomic[] = { false, true, true, true, true, false, false };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const uint8_t *code = (const uint8_t *)&words[i];

		EXPECT_EQ(is_atomic[i], code_takes_no_kprobe(code, i * 4, false));
		EXPECT_EQ(is_atomic[i], code_takes_no_kprobe(code, i * 4, true));
		EXPECT_EQ(i == 5, code_is_retry(code, i * 4));
	}
	EXPECT_TRUE(code_takes_no_kprobe(BYTES(0xc87f0440), 0, false)); /* ldxp x0, x1, [x2] */
	EXPECT_FALSE(code_takes_no_kprobe(BYTES(0x88dffc20), 0, false)); /* ldar */
	EXPECT_FALSE(code_takes_no_kprobe(BYTES(0xc8e0fc41), 0, false)); /* casal */
	EXPECT_FALSE(code_takes_no_kprobe(BYTES(0x089ffeff), 0, false)); /* stlrb */
}

TEST(what_older_kernels_take_for_atomic_sequences)
{
	const uint32_t words[] = {
		0x88dffc20, /* ldar w0, [x1] */
		0xf9400009, /* ldr x9, [x0] */
		0x889ffc20, /* stlr w0, [x1] */
		0xf9400009, /* ldr x9, [x0] */
		0xc8e0fc41, /* casal x0, x1, [x2] */
		0xf9400009, /* ldr x9, [x0] */
		0x88a07c41, /* cas w0, w1, [x2] */
		0xf9400009, /* ldr x9, [x0] */
	};
	static const bool is_atomic[] = { false, true, true, false, false, true, true, false };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		EXPECT_EQ(is_atomic[i], code_takes_no_kprobe((const uint8_t *)&words[i], i * 4, true));
		EXPECT_FALSE(code_takes_no_kprobe((const uint8_t *)&words[i], i * 4, false));
	}
}

/* As __sys_bpf() of 7.2 has it. */
static const uint32_t table_jump[] = {
	0x71009a7f, /* cmp w19, #38 */
	0x54000089, /* b.ls .+16 */
	0x128002a3, /* mov w3, #-22 */
	0x17ffffc0, /* b .-0x100 */
	0xd503201f, /* nop */
	0x90000000, /* adrp x0, . */
	0x91351000, /* add x0, x0, #0xd44 */
	0x78735800, /* ldrh w0, [x0, w19, uxtw #1] */
	0x10000073, /* adr x19, .+12 */
	0x8b20aa60, /* add x0, x19, w0, sxth #2 */
	0xd61f0000, /* br x0 */
};

static bool find_jump_table(const uint32_t *words, struct jump_table *table)
{
	return code_jump_table((const uint8_t *)words, sizeof(table_jump), AT, 10 * 4, table);
}

TEST(constants_in_parts)
{
	static const uint32_t code[] = {
		0x529effc1, /* mov w1, #0xf7fe */
		0x72bffee1, /* movk w1, #0xfff7, lsl #16 */
		0xd2824682, /* mov x2, #0x1234 */
		0xf2aacf02, /* movk x2, #0x5678, lsl #16 */
		0xf9400009, /* ldr x9, [x0] */
		0xf2f35782, /* movk x2, #0x9abc, lsl #48 */
		0xf2a00023, /* movk x3, #0x1, lsl #16 */
		0x52800024, /* mov w4, #0x1 */
		0x54000020, /* b.eq .+4 */
		0x72a00044, /* movk w4, #0x2, lsl #16 */
		0x52800025, /* mov w5, #0x1 */
		0x94000000, /* bl . */
		0x72a00045, /* movk w5, #0x2, lsl #16 */
		0xb9400006, /* ldr w6, [x0] */
		0x72a00026, /* movk w6, #0x1, lsl #16 */
	};
	static const uint64_t made[ARRAY_SIZE(code)] = {
		[1] = 0xfffffffffff7f7fe, [3] = 0x56781234, [5] = 0x9abc000056781234, [9] = 0x20001,
	};

	for (size_t i = 0; i < ARRAY_SIZE(code); i++) {
		EXPECT_EQ(made[i], code_made_constant((const uint8_t *)code, sizeof(code), AT, i * 4))
		{
			TH_LOG("instruction %zu", i);
		}
	}
}

/* As do_fcntl() of 7.2 has it. */
TEST(the_index_of_a_table_may_have_been_copied_long_before)
{
	uint32_t words[] = {
		0x2a0103e5, /* mov w5, w1 */
		0xa9077bfd, /* stp x29, x30, [sp, #112] */
		0x9101c3fd, /* add x29, sp, #0x70 */
		0xaa0403e3, /* mov x3, x4 */
		0x2a0403e8, /* mov w8, w4 */
		0xf9001fff, /* str xzr, [sp, #56] */
		0xa904ffff, /* stp xzr, xzr, [sp, #72] */
		0xa905ffff, /* stp xzr, xzr, [sp, #88] */
		0x7100983f, /* cmp w1, #38 */
		0x54000268, /* b.hi .+76 */
		0x90000000, /* adrp x0, . */
		0x91351000, /* add x0, x0, #0xd44 */
		0x78655800, /* ldrh w0, [x0, w5, uxtw #1] */
		0x10000061, /* adr x1, .+12 */
		0x8b20a820, /* add x0, x1, w0, sxth #2 */
		0xd61f0000, /* br x0 */
		0xd503201f, /* nop */
	};
	struct jump_table table = {};

	ASSERT_TRUE(code_jump_table((const uint8_t *)words, sizeof(words), AT, 15 * 4, &table));
	EXPECT_EQ(39, table.nr);
	/* Others come to the comparison without the copy. */
	words[16] = 0x17fffff2; /* b .-56 */
	EXPECT_FALSE(code_jump_table((const uint8_t *)words, sizeof(words), AT, 15 * 4, &table));
	words[16] = 0x17fffff8; /* b .-32: to the comparison itself */
	EXPECT_FALSE(code_jump_table((const uint8_t *)words, sizeof(words), AT, 15 * 4, &table));
	words[16] = 0x17fffff0; /* b .-64: to the copy */
	EXPECT_TRUE(code_jump_table((const uint8_t *)words, sizeof(words), AT, 15 * 4, &table));
}

TEST(jumps_by_a_table)
{
	struct jump_table table = {};
	uint32_t words[ARRAY_SIZE(table_jump)];

	ASSERT_TRUE(find_jump_table(table_jump, &table));
	EXPECT_EQ(AT + 0xd44, table.at);
	EXPECT_EQ(AT + 0x2c, table.base);
	EXPECT_EQ(39, table.nr);
	EXPECT_EQ(2, table.entry_size);
	EXPECT_EQ(AT + 0xd44, code_made_constant((const uint8_t *)table_jump, sizeof(table_jump), AT, 24));
	EXPECT_EQ(0, code_made_constant((const uint8_t *)table_jump, sizeof(table_jump), AT, 36));
	memcpy(words, table_jump, sizeof(words));

	/* Of bytes, and after a comparison that goes on here. */
	words[7] = 0x38734800; /* ldrb w0, [x0, w19, uxtw] */
	words[9] = 0x8b208a60; /* add x0, x19, w0, sxtb #2 */
	words[3] = 0x71009a7f; /* cmp w19, #38 */
	words[4] = 0x54000808; /* b.hi .+0x100 */
	ASSERT_TRUE(find_jump_table(words, &table));
	EXPECT_EQ(39, table.nr);
	EXPECT_EQ(1, table.entry_size);

	/* The index is another one than was compared, and the same in another register. */
	words[5] = 0x2a0203f3; /* mov w19, w2 */
	EXPECT_FALSE(find_jump_table(words, &table));
	memcpy(words, table_jump, sizeof(words));
	words[4] = 0x2a1303e6; /* mov w6, w19 */
	words[1] = 0x54000069; /* b.ls .+12 */
	words[7] = 0x78665800; /* ldrh w0, [x0, w6, uxtw #1] */
	ASSERT_TRUE(find_jump_table(words, &table));
	EXPECT_EQ(39, table.nr);
	words[1] = 0x54000089; /* b.ls .+16: past that */
	EXPECT_FALSE(find_jump_table(words, &table));
	/* It was copied before the comparison, as in shmem_parse_one() of 7.2. */
	words[0] = 0x2a1303e6; /* mov w6, w19 */
	words[1] = 0x37f80073; /* tbnz w19, #31, .+12 */
	words[2] = 0x71009a7f; /* cmp w19, #38 */
	words[3] = 0x54000049; /* b.ls .+8 */
	words[4] = 0x17ffffc0; /* b .-0x100 */
	ASSERT_TRUE(find_jump_table(words, &table));
	EXPECT_EQ(39, table.nr);
	words[0] = 0x2a0603f3; /* mov w19, w6 */
	ASSERT_TRUE(find_jump_table(words, &table));
	/* One of the two was written since, or it is a copy of another. */
	words[1] = 0x52800024; /* mov w4, #1 */
	EXPECT_TRUE(find_jump_table(words, &table));
	words[1] = 0x52800026; /* mov w6, #1 */
	EXPECT_FALSE(find_jump_table(words, &table));
	words[1] = 0xd503201f;
	words[0] = 0x2a1303e5; /* mov w5, w19 */
	EXPECT_FALSE(find_jump_table(words, &table));
	words[0] = 0x94000000; /* bl . */
	EXPECT_FALSE(find_jump_table(words, &table));
	/* The entries' size and what is done with them do not agree. */
	memcpy(words, table_jump, sizeof(words));
	words[9] = 0x8b208a60;
	EXPECT_FALSE(find_jump_table(words, &table));
	/* Nothing tells how many there are. */
	memcpy(words, table_jump, sizeof(words));
	words[0] = 0xd503201f;
	EXPECT_FALSE(find_jump_table(words, &table));
	/* A call through a pointer at the function's end. */
	memcpy(words, table_jump, sizeof(words));
	words[9] = 0xf9400260; /* ldr x0, [x19] */
	EXPECT_FALSE(find_jump_table(words, &table));
}

TEST(registers_as_the_kernel_saves_them)
{
	EXPECT_EQ(272, code_saved_registers());
	EXPECT_EQ(0, code_saved_at(ARM64_X0));
	EXPECT_EQ(8, code_saved_at(ARM64_X1));
	EXPECT_EQ(28 * 8, code_saved_at(ARM64_X28));
	EXPECT_EQ(29 * 8, code_saved_at(ARM64_X29));
	EXPECT_EQ(30 * 8, code_saved_at(ARM64_X30));
	EXPECT_EQ(31 * 8, code_saved_at(ARM64_SP));
	EXPECT_EQ(-1, code_saved_at(NR_REGISTERS));
	for (uint32_t n = 0; n <= 30; n++) {
		char name[8];

		snprintf(name, sizeof(name), "x%u", n);
		EXPECT_STREQ(name, code_register_name(arm64_x(n)));
		EXPECT_EQ(n * 8, code_saved_at(arm64_x(n)));
		/* x0 to x18 and the return address are not kept by who is called. */
		EXPECT_EQ(n <= 18 || n == 30, usual_routine.writes >> arm64_x(n) & 1);
	}
	EXPECT_EQ(ARM64_X0, operands_parameter(0));
	EXPECT_EQ(arm64_x(7), operands_parameter(7));
	EXPECT_EQ(-1, operands_parameter(8));
	EXPECT_EQ(3, code_syscall_argument(24));
	EXPECT_EQ(-1, code_syscall_argument(48));
	EXPECT_EQ(-1, code_syscall_argument(4));
}

/* "x2:4 - 5, else 1": 1 if the branch's condition holds otherwise. "?": not known; "": it always compares. */
static void compared_if(uint32_t word, uint32_t branch, struct strbuf *text)
{
	struct insn_operands operands;
	bool otherwise = false;
	char a[32], b[32];

	strbuf_reset(text);
	if (!operands_compared_if((const uint8_t *)&word, 4, (const uint8_t *)&branch, 4, &operands,
				  &otherwise))
		return;
	if (operands.kind == OPERANDS_COMPARE)
		strbuf_addf(text, "%s - %s, else %d", name_of(&operands.a, a), name_of(&operands.b, b),
			    otherwise);
	else
		strbuf_addstr(text, "?");
}

TEST(comparisons_under_a_condition)
{
	static const uint32_t beq = 0x54ffff20, csel_lt = 0x1a82b020;
	static const struct meaning meanings[] = {
		{ 0x7a431044, "ccmp w2, w3, #4, ne", "x2:4 - x3:4, else 1" },
		{ 0xfa450840, "ccmp x2, #5, #0, eq", "x2:8 - 5, else 0" },
		{ 0x3a411884, "ccmn w4, #1, #4, ne", "x4:4 - -1, else 1" },
		{ 0xfa5f8040, "ccmp x2, xzr, #0, hi", "x2:8 - 0, else 0" },
		{ 0x3a408840, "ccmn w2, #0, #0, hi", "?" },
		{ 0x3a438040, "ccmn w2, w3, #0, hi", "?" },
		{ 0x7a438be0, "ccmp wzr, #3, #0, hi", "?" },
		{ 0x1e218400, "fccmp s0, s1, #0, hi", "" },
		{ 0x71000c3f, "cmp w1, #3", "" },
		{ 0x1a82b020, "csel w0, w1, w2, lt", "" },
	};
	/* For each condition, the flags (bit 1 << NZCV) with which it holds, as the architecture defines it. */
	static const uint16_t met_by[] = {
		0xf0f0, 0x0f0f, 0xcccc, 0x3333, 0xff00, 0x00ff, 0xaaaa, 0x5555,
		0x0c0c, 0xf3f3, 0xaa55, 0x55aa, 0x0a05, 0xf5fa,
	};
	_cleanup_(strbuf_release) struct strbuf text = {};

	for (size_t i = 0; i < ARRAY_SIZE(meanings); i++) {
		compared_if(meanings[i].word, beq, &text);
		EXPECT_STREQ(meanings[i].effect, strbuf_str(&text))
		{
			TH_LOG("%s", meanings[i].assembly);
		}
	}
	for (uint32_t condition = 0; condition < ARRAY_SIZE(met_by); condition++) {
		for (uint32_t flags = 0; flags < 16; flags++) {
			compared_if(0xfa450840 | flags, (beq & ~0xfu) | condition, &text);
			EXPECT_STREQ(met_by[condition] >> flags & 1 ? "x2:8 - 5, else 1" :
								      "x2:8 - 5, else 0",
				     strbuf_str(&text))
			{
				TH_LOG("condition %u, flags %u", condition, flags);
			}
		}
	}
	compared_if(0xfa450848, csel_lt, &text);
	EXPECT_STREQ("x2:8 - 5, else 1", strbuf_str(&text));
	compared_if(0xfa450840, 0xd65f03c0, &text); /* ret */
	EXPECT_STREQ("?", strbuf_str(&text));
	EXPECT_EQ(CONDITION_ABOVE, condition_after(0x71000c3f, 0xfa5f8040));
}

TEST_HARNESS_MAIN
