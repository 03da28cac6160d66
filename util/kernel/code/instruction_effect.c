// SPDX-License-Identifier: BSD-2-Clause
/*
 * What x86-64 instructions do to general registers, opcode by opcode (Intel's manual, volume 2).
 * What kernels do not have, or have where no result passes by (vectors), is not known here, and
 * that is safe: who follows a value loses it.
 */
#include "util/kernel/code/instruction_effect.h"

#include <errno.h>
#include <string.h>

#include "util/kernel/code/instruction_internal.h"

#define BIT(reg) ((uint16_t)(1u << (reg)))
#define RAX BIT(X86_RAX)
#define RCX BIT(X86_RCX)
#define RDX BIT(X86_RDX)
#define RBX BIT(X86_RBX)
#define RSP BIT(X86_RSP)
#define RBP BIT(X86_RBP)
#define RSI BIT(X86_RSI)
#define RDI BIT(X86_RDI)

/* Arithmetic, as the first opcodes and group 1 number it. */
enum {
	OP_ADD,
	OP_OR,
	OP_ADC,
	OP_SBB,
	OP_AND,
	OP_SUB,
	OP_XOR,
	OP_CMP,
};

/* Without REX, byte registers 4 to 7 are the second bytes of the first four. */
static unsigned int byte_register(const struct x86_insn *insn, unsigned int reg)
{
	return !insn->rex && reg >= 4 ? reg - 4 : reg;
}

/* Its r/m operand is written: a register, or memory. */
static void writes_rm(const struct x86_insn *insn, struct insn_effect *effect, bool byte)
{
	if (insn->mod == 3)
		effect->writes |= BIT(byte ? byte_register(insn, insn->rm) : insn->rm);
}

static void writes_reg(const struct x86_insn *insn, struct insn_effect *effect)
{
	effect->writes |= BIT(insn->reg);
}

static void is_constant(struct insn_effect *effect, unsigned int to, int64_t value)
{
	effect->kind = EFFECT_CONSTANT;
	effect->to = to;
	effect->value = value;
	effect->writes |= BIT(to);
}

static void is_move(struct insn_effect *effect, enum effect_kind kind, unsigned int to,
		    unsigned int from)
{
	effect->kind = kind;
	effect->to = to;
	effect->from = from;
	effect->writes |= BIT(to);
	if (kind == EFFECT_SWAP)
		effect->writes |= BIT(from);
}

/* To a register from r/m, as it is. */
static void is_load(const struct x86_insn *insn, struct insn_effect *effect)
{
	if (insn->operand16)
		writes_reg(insn, effect);
	else
		is_move(effect, insn->mod == 3 ? EFFECT_COPY : EFFECT_LOAD, insn->reg, insn->rm);
}

static void is_store(const struct x86_insn *insn, struct insn_effect *effect)
{
	if (insn->operand16) {
		writes_rm(insn, effect, false);
	} else if (insn->mod == 3) {
		is_move(effect, EFFECT_COPY, insn->rm, insn->reg);
	} else {
		effect->kind = EFFECT_STORE;
		effect->from = insn->reg;
	}
}

/* What is pushed lands below. */
static void is_push(struct insn_effect *effect, enum effect_kind kind)
{
	effect->kind = kind;
	effect->moves_stack = -8;
	effect->on_stack = true;
	effect->base = X86_RSP;
	effect->displacement = -8;
}

static void is_pop(struct insn_effect *effect, unsigned int to)
{
	if (to == X86_RSP) {
		effect->writes |= RSP;
		return;
	}
	is_move(effect, EFFECT_LOAD, to, 0);
	effect->moves_stack = 8;
	effect->on_stack = true;
	effect->base = X86_RSP;
	effect->displacement = 0;
}

/* rsp is taken from rbp. */
static void is_unwinding(struct insn_effect *effect, int32_t displacement)
{
	effect->kind = EFFECT_UNWIND;
	effect->writes |= RSP;
	effect->displacement = displacement;
}

/* Instructions that put all they do into memory only read it when they compare. */
static void only_reads(struct insn_effect *effect)
{
	effect->on_stack = false;
}

static void tests_rm(const struct x86_insn *insn, struct insn_effect *effect, bool byte)
{
	if (insn->mod == 3)
		effect->tests |= BIT(byte ? byte_register(insn, insn->rm) : insn->rm);
}

static void tests_reg(const struct x86_insn *insn, struct insn_effect *effect, bool byte)
{
	effect->tests |= BIT(byte ? byte_register(insn, insn->reg) : insn->reg);
}

static void arithmetic(const struct x86_insn *insn, struct insn_effect *effect)
{
	unsigned int what = insn->op >> 3 & 7, form = insn->op & 7;
	bool byte = !(form & 1);

	effect->sets_flags = true;
	if (form >= 4) {
		effect->tests = RAX;
		if (what != OP_CMP)
			effect->writes = RAX;
		return;
	}
	tests_rm(insn, effect, byte);
	tests_reg(insn, effect, byte);
	if (what == OP_CMP || form >= 2)
		only_reads(effect);
	if (what == OP_CMP)
		return;
	if (form >= 2)
		effect->writes |= BIT(byte ? byte_register(insn, insn->reg) : insn->reg);
	else
		writes_rm(insn, effect, byte);
	/* The common ways to have a zero. */
	if (insn->mod == 3 && insn->reg == insn->rm && !byte && !insn->operand16 &&
	    (what == OP_XOR || what == OP_SUB))
		is_constant(effect, insn->rm, 0);
}

/* Arithmetic with an immediate. */
static void group1(const struct x86_insn *insn, struct insn_effect *effect)
{
	bool byte = insn->op == 0x80, whole = !byte && !insn->operand16;

	effect->sets_flags = true;
	tests_rm(insn, effect, byte);
	if (insn->digit == OP_CMP) {
		only_reads(effect);
		return;
	}
	if (insn->mod != 3)
		return;
	if (insn->rm == X86_RSP) {
		if (insn->digit == OP_ADD)
			effect->moves_stack = insn->immediate;
		else if (insn->digit == OP_SUB)
			effect->moves_stack = -insn->immediate;
		else
			effect->writes = RSP;
		return;
	}
	writes_rm(insn, effect, byte);
	if (whole && insn->digit == OP_OR && insn->immediate == -1)
		is_constant(effect, insn->rm, -1);
	else if (whole && insn->digit == OP_AND && !insn->immediate)
		is_constant(effect, insn->rm, 0);
}

/* test, not, neg, mul, div */
static void group3(const struct x86_insn *insn, struct insn_effect *effect)
{
	bool byte = insn->op == 0xf6;

	effect->sets_flags = insn->digit != 2;
	switch (insn->digit) {
	case 0 ... 1:
		tests_rm(insn, effect, byte);
		only_reads(effect);
		break;
	case 2 ... 3:
		writes_rm(insn, effect, byte);
		break;
	default:
		effect->writes = byte ? RAX : RAX | RDX;
		only_reads(effect);
	}
}

static int group5(const struct x86_insn *insn, struct insn_effect *effect)
{
	switch (insn->digit) {
	case 0 ... 1:
		effect->sets_flags = true;
		writes_rm(insn, effect, insn->op == 0xfe);
		tests_rm(insn, effect, insn->op == 0xfe);
		return 0;
	case 2:
	case 4:
		effect->sets_flags = insn->digit == 2;
		only_reads(effect);
		return insn->op == 0xff ? 0 : -EINVAL;
	case 6:
		/* What was in memory. */
		is_push(effect, EFFECT_OTHER);
		return insn->op == 0xff && !insn->operand16 ? 0 : -EINVAL;
	default:
		return -EINVAL;
	}
}

static void string_op(const struct x86_insn *insn, struct insn_effect *effect)
{
	switch (insn->op) {
	case 0x6c ... 0x6d:
	case 0xaa ... 0xab:
		effect->writes = RDI;
		break;
	case 0x6e ... 0x6f:
		effect->writes = RSI;
		break;
	case 0xac ... 0xad:
		effect->writes = RAX | RSI;
		break;
	case 0xae ... 0xaf:
		effect->writes = RDI;
		effect->sets_flags = true;
		break;
	default:
		effect->writes = RSI | RDI;
		effect->sets_flags = insn->op == 0xa6 || insn->op == 0xa7;
	}
	if (insn->repeat)
		effect->writes |= RCX;
}

static int one_byte(const struct x86_insn *insn, struct insn_effect *effect)
{
	unsigned int reg = (insn->op & 7) | (insn->rex & 1) << 3;

	switch (insn->op) {
	case 0x00 ... 0x3f:
		arithmetic(insn, effect);
		return 0;
	case 0x50 ... 0x57:
		is_push(effect, EFFECT_STORE);
		effect->from = reg;
		return insn->operand16 ? -EINVAL : 0;
	case 0x58 ... 0x5f:
		is_pop(effect, reg);
		return insn->operand16 ? -EINVAL : 0;
	case 0x63:
		is_load(insn, effect);
		return 0;
	case 0x68:
	case 0x6a:
		is_push(effect, EFFECT_STORE_CONSTANT);
		effect->value = insn->immediate;
		return insn->operand16 ? -EINVAL : 0;
	case 0x69:
	case 0x6b:
		effect->sets_flags = true;
		only_reads(effect);
		writes_reg(insn, effect);
		return 0;
	case 0x6c ... 0x6f:
	case 0xa4 ... 0xa7:
	case 0xaa ... 0xaf:
		string_op(insn, effect);
		return 0;
	case 0x70 ... 0x7f:
		return 0;
	case 0x80 ... 0x83:
		group1(insn, effect);
		return 0;
	case 0x84 ... 0x85:
		effect->sets_flags = true;
		tests_rm(insn, effect, insn->op == 0x84);
		tests_reg(insn, effect, insn->op == 0x84);
		only_reads(effect);
		return 0;
	case 0x86:
		writes_rm(insn, effect, true);
		effect->writes |= BIT(byte_register(insn, insn->reg));
		return 0;
	case 0x87:
		if (insn->mod == 3 && !insn->operand16) {
			is_move(effect, EFFECT_SWAP, insn->reg, insn->rm);
		} else {
			writes_rm(insn, effect, false);
			writes_reg(insn, effect);
		}
		return 0;
	case 0x88:
		writes_rm(insn, effect, true);
		return 0;
	case 0x89:
		is_store(insn, effect);
		return 0;
	case 0x8a:
		effect->writes |= BIT(byte_register(insn, insn->reg));
		only_reads(effect);
		return 0;
	case 0x8b:
		is_load(insn, effect);
		return 0;
	case 0x8c:
		writes_rm(insn, effect, false);
		return 0;
	case 0x8d:
		only_reads(effect);
		if (insn->reg == X86_RSP && insn->base == X86_RSP && !insn->indexed)
			effect->moves_stack = insn->displacement;
		else if (insn->reg == X86_RSP && insn->base == X86_RBP && !insn->indexed)
			is_unwinding(effect, insn->displacement);
		else
			writes_reg(insn, effect);
		return 0;
	case 0x8e:
		only_reads(effect);
		return 0;
	case 0x90 ... 0x97:
		if (reg && !insn->operand16)
			is_move(effect, EFFECT_SWAP, X86_RAX, reg);
		else if (reg)
			effect->writes = RAX | BIT(reg);
		return 0;
	case 0x98:
		if (insn->wide)
			is_move(effect, EFFECT_COPY, X86_RAX, X86_RAX);
		else
			effect->writes = RAX;
		return 0;
	case 0x99:
		effect->writes = RDX;
		return 0;
	case 0x9b:
	case 0xa2 ... 0xa3:
	case 0xe6 ... 0xe7:
	case 0xee ... 0xef:
	case 0xf4:
	case 0xfa ... 0xfd:
		return 0;
	case 0x9c:
		is_push(effect, EFFECT_OTHER);
		return 0;
	case 0x9d:
		effect->moves_stack = 8;
		effect->sets_flags = true;
		return 0;
	case 0x9e:
	case 0xf5:
	case 0xf8 ... 0xf9:
		effect->sets_flags = true;
		return 0;
	case 0x9f:
	case 0xa0 ... 0xa1:
	case 0xd7:
	case 0xe4 ... 0xe5:
	case 0xec ... 0xed:
		effect->writes = RAX;
		return 0;
	case 0xa8 ... 0xa9:
		effect->sets_flags = true;
		effect->tests = RAX;
		return 0;
	case 0xb0 ... 0xb7:
		effect->writes = BIT(byte_register(insn, reg));
		return 0;
	case 0xb8 ... 0xbf:
		if (insn->operand16)
			effect->writes = BIT(reg);
		else
			is_constant(effect, reg, insn->immediate);
		return 0;
	case 0xc0 ... 0xc1:
	case 0xd0 ... 0xd3:
		effect->sets_flags = true;
		writes_rm(insn, effect, !(insn->op & 1));
		return 0;
	case 0xc2 ... 0xc3: /* as calls: as if it had not been */
	case 0xeb:
	case 0xe9:
		return 0;
	case 0xc6 ... 0xc7:
		if (insn->digit)
			return -EINVAL; /* xbegin, xabort */
		if (insn->op == 0xc6 || insn->operand16) {
			writes_rm(insn, effect, insn->op == 0xc6);
		} else if (insn->mod == 3) {
			is_constant(effect, insn->rm, insn->immediate);
		} else {
			effect->kind = EFFECT_STORE_CONSTANT;
			effect->value = insn->immediate;
		}
		return 0;
	case 0xc9: /* leave: rsp from rbp, which is popped then */
		is_unwinding(effect, 8);
		effect->writes |= RBP;
		return 0;
	case 0xd8 ... 0xdf:
		effect->sets_flags = true;
		if (insn->op == 0xdf && insn->mod == 3 && insn->digit == 4)
			effect->writes = RAX;
		return 0;
	case 0xe0 ... 0xe3:
		effect->writes = insn->op == 0xe3 ? 0 : RCX;
		return 0;
	case 0xe8:
		effect->sets_flags = true;
		return 0;
	case 0xf6 ... 0xf7:
		group3(insn, effect);
		return 0;
	case 0xfe ... 0xff:
		return group5(insn, effect);
	default:
		return -EINVAL;
	}
}

/* 0f 01: a mixed lot. */
static int group7(const struct x86_insn *insn, struct insn_effect *effect)
{
	if (insn->mod != 3 || insn->digit == 4) {
		writes_rm(insn, effect, false); /* smsw; the others are memory's */
		return 0;
	}
	switch (insn->digit << 3 | (insn->rm & 7)) {
	case 010 ... 013: /* monitor, mwait, clac, stac */
	case 021: /* xsetbv */
	case 050: /* serialize */
	case 057: /* wrpkru */
	case 070: /* swapgs */
		return insn->repeat ? -EINVAL : 0;
	case 020: /* xgetbv */
	case 056: /* rdpkru */
		effect->writes = RAX | RDX;
		return 0;
	case 071: /* rdtscp */
		effect->writes = RAX | RCX | RDX;
		return 0;
	default:
		return -EINVAL;
	}
}

static int two_bytes(const struct x86_insn *insn, struct insn_effect *effect)
{
	switch (insn->op) {
	case 0x00:
		effect->sets_flags = true;
		if (insn->digit < 2)
			writes_rm(insn, effect, false);
		return 0;
	case 0x01:
		return group7(insn, effect);
	case 0x02 ... 0x03:
	case 0xaf:
	case 0xb8:
	case 0xbc ... 0xbd:
		effect->sets_flags = true;
		only_reads(effect);
		writes_reg(insn, effect);
		return 0;
	case 0x06:
	case 0x08 ... 0x09:
	case 0x30:
	case 0x77:
		return 0;
	case 0x0d:
	case 0x18 ... 0x1d:
	case 0x1f:
		only_reads(effect);
		return 0;
	case 0x1e: /* rdssp, else endbr and other nops */
		only_reads(effect);
		if (insn->repeat && insn->mod == 3 && insn->digit == 1)
			writes_rm(insn, effect, false);
		return 0;
	case 0x10 ... 0x17:
	case 0x22 ... 0x23:
	case 0x28 ... 0x2b:
	case 0x51 ... 0x6f:
	case 0x70 ... 0x76:
	case 0x7c ... 0x7d:
	case 0x7f:
	case 0xc2:
	case 0xc4:
	case 0xc6:
	case 0xd0 ... 0xd6:
	case 0xd8 ... 0xfe:
		return 0; /* vectors, control registers; memory that is written is marked */
	case 0x20 ... 0x21:
		writes_rm(insn, effect, false);
		effect->writes |= BIT(insn->rm); /* whatever mod says */
		return 0;
	case 0x2c ... 0x2d:
	case 0x50:
	case 0xc5:
	case 0xd7:
		writes_reg(insn, effect);
		return 0;
	case 0x2e ... 0x2f:
		effect->sets_flags = true;
		only_reads(effect);
		return 0;
	case 0x31 ... 0x33: /* rdtsc, rdmsr, rdpmc */
		effect->writes = RAX | RDX;
		return 0;
	case 0x40 ... 0x4f:
		only_reads(effect);
		if (insn->mod == 3 && !insn->operand16)
			is_move(effect, EFFECT_SELECT, insn->reg, insn->rm);
		else
			writes_reg(insn, effect);
		return 0;
	case 0x7e:
		if (insn->repeat != 0xf3)
			writes_rm(insn, effect, false);
		return 0;
	case 0x80 ... 0x8f:
		return 0;
	case 0x90 ... 0x9f:
		writes_rm(insn, effect, true);
		return 0;
	case 0xa0:
	case 0xa8:
		is_push(effect, EFFECT_OTHER);
		return 0;
	case 0xa1:
	case 0xa9:
		effect->moves_stack = 8;
		return 0;
	case 0xa2:
		effect->writes = RAX | RBX | RCX | RDX;
		return 0;
	case 0xa3:
		effect->sets_flags = true;
		tests_rm(insn, effect, false);
		only_reads(effect);
		return 0;
	case 0xba:
		effect->sets_flags = true;
		tests_rm(insn, effect, false);
		if (insn->digit == 4)
			only_reads(effect);
		else
			writes_rm(insn, effect, false);
		return 0;
	case 0xab:
	case 0xb3:
	case 0xbb:
		effect->sets_flags = true;
		tests_rm(insn, effect, false);
		writes_rm(insn, effect, false);
		return 0;
	case 0xa4 ... 0xa5:
	case 0xac ... 0xad:
		effect->sets_flags = true;
		writes_rm(insn, effect, false);
		return 0;
	case 0xae:
		if (insn->repeat && insn->mod == 3 && insn->digit < 2)
			writes_rm(insn, effect, false);
		return 0;
	case 0xb0 ... 0xb1:
		effect->sets_flags = true;
		writes_rm(insn, effect, insn->op == 0xb0);
		effect->writes |= RAX;
		return 0;
	case 0xb2:
	case 0xb4 ... 0xb5:
	case 0xb6 ... 0xb7:
	case 0xbe ... 0xbf:
		only_reads(effect);
		writes_reg(insn, effect);
		return 0;
	case 0xc0 ... 0xc1:
		effect->sets_flags = true;
		writes_rm(insn, effect, insn->op == 0xc0);
		effect->writes |=
			BIT(insn->op == 0xc0 ? byte_register(insn, insn->reg) : insn->reg);
		return 0;
	case 0xc3:
		is_store(insn, effect);
		return 0;
	case 0xc7:
		effect->sets_flags = true;
		if (insn->mod == 3)
			writes_rm(insn, effect, false);
		else if (insn->digit == 1)
			effect->writes = RAX | RDX;
		return 0;
	case 0xc8 ... 0xcf:
		effect->writes = BIT((insn->op & 7) | (insn->rex & 1) << 3);
		return 0;
	default:
		return -EINVAL;
	}
}

static int three_bytes(const struct x86_insn *insn, struct insn_effect *effect)
{
	if (insn->map == X86_MAP_0F3A) {
		effect->sets_flags = true;
		if (insn->op >= 0x14 && insn->op <= 0x17)
			writes_rm(insn, effect, false);
		else if (insn->op >= 0x60 && insn->op <= 0x63)
			effect->writes = RCX;
		return 0;
	}
	switch (insn->op) {
	case 0x00 ... 0xdf:
		effect->sets_flags = true;
		return 0;
	case 0xf0 ... 0xf1: /* movbe, crc32 */
		if (insn->op == 0xf0 || insn->repeat)
			writes_reg(insn, effect);
		return 0;
	case 0xf6: /* adcx, adox */
		effect->sets_flags = true;
		writes_reg(insn, effect);
		return 0;
	default:
		return -EINVAL;
	}
}

int x86_effect(const uint8_t *code, size_t size, struct insn_effect *ret_effect)
{
	struct insn_effect effect = { .kind = EFFECT_OTHER };
	struct x86_insn insn;
	int err = -EINVAL;

	if (x86_parse(code, size, &insn))
		return -EINVAL;
	if (insn.has_modrm && insn.mod != 3 && !insn.indexed && !insn.segment &&
	    (insn.base == X86_RSP || insn.base == X86_RBP)) {
		effect.on_stack = true;
		effect.base = insn.base;
		effect.displacement = insn.displacement;
	}
	if (insn.map == X86_MAP_ONE)
		err = one_byte(&insn, &effect);
	else if (insn.map == X86_MAP_0F)
		err = two_bytes(&insn, &effect);
	else if (insn.map == X86_MAP_0F38 || insn.map == X86_MAP_0F3A)
		err = three_bytes(&insn, &effect);
	if (err)
		return err;
	if (effect.kind == EFFECT_COPY && effect.to == X86_RSP && effect.from == X86_RBP &&
	    insn.wide)
		is_unwinding(&effect, 0);
	/* A result that lands there would be the stack's end. */
	if (effect.writes & RSP && effect.kind != EFFECT_OTHER && effect.kind != EFFECT_UNWIND) {
		effect.kind = EFFECT_OTHER;
		effect.on_stack = false;
	}
	*ret_effect = effect;
	return 0;
}

int instruction_effect(const uint8_t *code, size_t size, struct insn_effect *ret_effect)
{
#if defined(__x86_64__)
	return x86_effect(code, size, ret_effect);
#else
	return -EOPNOTSUPP;
#endif
}
