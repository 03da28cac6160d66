// SPDX-License-Identifier: BSD-2-Clause
/*
 * Effects of x86-64 instructions on registers, the stack and flags, according to Capstone. Comments
 * say where version 4 is wrong.
 */
#include <capstone/capstone.h>
#include <errno.h>

#include "util/kernel/arch/x86/decode.h"
#include "util/kernel/arch/x86/registers.h"
#include "util/kernel/code/instruction_effect.h"

static reg_set bit_of(const cs_x86_op *op)
{
	uint8_t number = op->type == X86_OP_REG ? x86_register(op->reg) : NO_REGISTER;

	return number == NO_REGISTER ? 0 : REG_BIT(number);
}

/* Whether an operand is a register with a value as large as a result at least. */
static bool is_whole(const cs_x86_op *op)
{
	return bit_of(op) && op->size >= 4;
}

static bool is_low_byte(const cs_x86_op *op)
{
	return bit_of(op) && op->size == 1 && !x86_is_high_byte(op->reg);
}

static reg_set written_registers(const cs_insn *insn)
{
	uint8_t nr_read = 0, nr_written = 0, number;
	cs_regs read, written;
	reg_set writes = 0;

	/* Capstone 4 lists rax as written by the first three, not as written by the others. */
	switch (insn->id) {
	case X86_INS_TEST:
		return 0;
	case X86_INS_CDQ:
	case X86_INS_CQO:
		return REG_BIT(X86_RDX);
	case X86_INS_CMPXCHG:
	case X86_INS_XLATB:
		writes = REG_BIT(X86_RAX);
		break;
	}
	cs_regs_access(x86_decoder, insn, read, &nr_read, written, &nr_written);
	for (int i = 0; i < nr_written; i++) {
		number = x86_register(written[i]);
		if (number != NO_REGISTER)
			writes |= REG_BIT(number);
	}
	return writes;
}

static bool sets_flags(const cs_insn *insn)
{
	const uint64_t keeps = X86_EFLAGS_TEST_OF | X86_EFLAGS_TEST_SF | X86_EFLAGS_TEST_ZF |
			       X86_EFLAGS_TEST_PF | X86_EFLAGS_TEST_CF | X86_EFLAGS_TEST_NT |
			       X86_EFLAGS_TEST_DF | X86_EFLAGS_TEST_AF | X86_EFLAGS_TEST_RF |
			       X86_EFLAGS_TEST_IF | X86_EFLAGS_TEST_TF | X86_EFLAGS_MODIFY_DF |
			       X86_EFLAGS_MODIFY_IF | X86_EFLAGS_MODIFY_TF | X86_EFLAGS_MODIFY_NT |
			       X86_EFLAGS_MODIFY_RF | X86_EFLAGS_RESET_DF | X86_EFLAGS_RESET_IF |
			       X86_EFLAGS_RESET_TF | X86_EFLAGS_RESET_NT | X86_EFLAGS_RESET_RF |
			       X86_EFLAGS_RESET_AC | X86_EFLAGS_SET_DF | X86_EFLAGS_SET_IF |
			       X86_EFLAGS_PRIOR_OF | X86_EFLAGS_PRIOR_SF | X86_EFLAGS_PRIOR_ZF |
			       X86_EFLAGS_PRIOR_AF | X86_EFLAGS_PRIOR_PF | X86_EFLAGS_PRIOR_CF |
			       X86_EFLAGS_PRIOR_TF | X86_EFLAGS_PRIOR_IF | X86_EFLAGS_PRIOR_DF |
			       X86_EFLAGS_PRIOR_NT;
	size_t left;
	const uint8_t *opcode = x86_opcode_of(insn->bytes, insn->size, &left);

	/*
	 * Capstone lacks the flags of some comparisons of the FPU and of SSE 4; version 5 those of a
	 * test of a register with memory, too.
	 */
	if (x86_is_in_group(insn, X86_GRP_FPU) ||
	    (left > 1 && opcode[0] == 0x0f && (opcode[1] == 0x38 || opcode[1] == 0x3a)))
		return true;
	return insn->id == X86_INS_CALL || insn->id == X86_INS_POPFQ || insn->id == X86_INS_TEST ||
	       insn->detail->x86.eflags & ~keeps;
}

/* An operand on the stack, read or written. Only fs and gs change an address. */
static void fill_memory(const cs_x86 *x86, bool is_mov, struct insn_effect *effect)
{
	for (int i = 0; i < x86->op_count; i++) {
		const x86_op_mem *mem = &x86->operands[i].mem;

		if (x86->operands[i].type != X86_OP_MEM || mem->index != X86_REG_INVALID ||
		    mem->segment == X86_REG_FS || mem->segment == X86_REG_GS ||
		    (mem->base != X86_REG_RSP && mem->base != X86_REG_RBP))
			continue;
		effect->on_stack = true;
		effect->base = x86_register(mem->base);
		effect->displacement = mem->disp;
		/* Capstone has smaller sizes wrong for some that write more than one number. */
		if (x86->operands[i].size > 8 || is_mov)
			effect->bytes = x86->operands[i].size;
	}
}

/*
 * Whether an instruction may write its operand in memory. Capstone 4 has the access to operands
 * wrong for cmpxchg, sete, rol and others; the order of operands is right for all.
 */
static bool may_write_memory(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_BT:
	case X86_INS_CALL:
	case X86_INS_CMP:
	case X86_INS_DIV:
	case X86_INS_IDIV:
	case X86_INS_IMUL:
	case X86_INS_JMP:
	case X86_INS_LEA:
	case X86_INS_MUL:
	case X86_INS_NOP:
	case X86_INS_TEST:
		return false;
	default:
		return insn->detail->x86.operands[0].type == X86_OP_MEM;
	}
}

static void set_move(struct insn_effect *effect, enum effect_kind kind, const cs_x86_op *to,
		    const cs_x86_op *from)
{
	effect->kind = kind;
	if (to && to->type == X86_OP_REG)
		effect->to = x86_register(to->reg);
	if (from && from->type == X86_OP_REG)
		effect->from = x86_register(from->reg);
	if (from && from->type == X86_OP_IMM)
		effect->value = from->size == 4 ? (int32_t)from->imm : from->imm;
}

static void set_constant(struct insn_effect *effect, const cs_x86_op *to, int64_t value)
{
	set_move(effect, EFFECT_CONSTANT, to, NULL);
	effect->value = value;
}

/* Between a register and a register, memory or a constant, of the same size or extended. */
static void fill_move(struct insn_effect *effect, const cs_x86_op *to, const cs_x86_op *from)
{
	if (to->type == X86_OP_MEM) {
		if (is_whole(from))
			set_move(effect, EFFECT_STORE, NULL, from);
		else if (from->type == X86_OP_IMM && (to->size >= 4 || to->size == 1))
			set_move(effect, EFFECT_STORE_CONSTANT, NULL, from);
		return;
	}
	if (!is_whole(to))
		return;
	if (from->type == X86_OP_IMM) {
		set_move(effect, EFFECT_CONSTANT, to, from);
		effect->is_half = to->size == 4;
	} else if (from->type == X86_OP_MEM) {
		set_move(effect, EFFECT_LOAD, to, from);
	} else if (is_whole(from)) {
		set_move(effect, EFFECT_COPY, to, from);
	}
}

static void computes(struct insn_effect *effect, enum computes what, const cs_x86_op *to,
		     const cs_x86_op *from, int64_t value)
{
	effect->computes = what;
	effect->to = x86_register(to->reg);
	effect->from = x86_register(from->reg);
	effect->value = value;
}

/* A result computed from a register and a constant. */
static void compute(const cs_insn *insn, struct insn_effect *effect, const cs_x86_op *to,
		    int64_t value)
{
	switch (insn->id) {
	case X86_INS_AND:
		computes(effect, COMPUTES_AND, to, to, value);
		break;
	case X86_INS_OR:
		computes(effect, COMPUTES_OR, to, to, value);
		break;
	case X86_INS_XOR:
		computes(effect, COMPUTES_XOR, to, to, value);
		break;
	case X86_INS_ADD:
		computes(effect, COMPUTES_SUM, to, to, value);
		break;
	case X86_INS_SUB:
		computes(effect, COMPUTES_SUM, to, to, -value);
		break;
	}
}

/* "and $0xf000,%cx": the bytes above do not change. */
static void mask_part(const cs_insn *insn, struct insn_effect *effect, const cs_x86_op *to, const cs_x86_op *from)
{
	int64_t part = to->size == 1 ? 0xff : 0xffff;

	if (insn->id == X86_INS_AND && to->type == X86_OP_REG && to->size <= 2 && !x86_is_high_byte(to->reg) &&
	    from->type == X86_OP_IMM)
		computes(effect, COMPUTES_AND, to, to, (from->imm & part) | ~part);
}

static void fill_arithmetic(const cs_insn *insn, struct insn_effect *effect)
{
	const cs_x86_op *to = &insn->detail->x86.operands[0], *from = to + 1;
	bool same = from->type == X86_OP_REG && to->reg == from->reg;
	bool immediate = from->type == X86_OP_IMM;

	effect->tests = bit_of(to) | bit_of(from);
	effect->tests_memory = to->type == X86_OP_MEM || from->type == X86_OP_MEM;
	if (!is_whole(to)) {
		mask_part(insn, effect, to, from);
		return;
	}
	/* Common ways to load a constant. */
	if (same && (insn->id == X86_INS_XOR || insn->id == X86_INS_SUB)) {
		set_constant(effect, to, 0);
	} else if (immediate && insn->id == X86_INS_AND && !from->imm) {
		set_constant(effect, to, 0);
	} else if (immediate && insn->id == X86_INS_OR && (int32_t)from->imm == -1) {
		set_constant(effect, to, -1);
	} else if (immediate && to->reg == X86_REG_RSP &&
		   (insn->id == X86_INS_ADD || insn->id == X86_INS_SUB)) {
		effect->moves_stack = insn->id == X86_INS_ADD ? from->imm : -from->imm;
		effect->writes = 0;
	} else if (immediate) {
		compute(insn, effect, to, from->imm);
	} else if (same && insn->id == X86_INS_SBB) {
		computes(effect, COMPUTES_FLAG, to, to, -1);
	} else if (insn->id == X86_INS_INC || insn->id == X86_INS_DEC) {
		computes(effect, COMPUTES_SUM, to, to, insn->id == X86_INS_INC ? 1 : -1);
	}
}

/* sete and so on */
static bool is_flag(const cs_insn *insn)
{
	const uint8_t *opcode = insn->detail->x86.opcode;

	return opcode[0] == 0x0f && (opcode[1] & 0xf0) == 0x90;
}

/* Instructions of one operand, or two, that the errors which compilers choose go through. */
static void other_arithmetic(const cs_insn *insn, struct insn_effect *effect, const cs_x86_op *to,
			     const cs_x86_op *from)
{
	if (insn->id == X86_INS_NEG && is_whole(to))
		computes(effect, COMPUTES_NEGATED, to, to, 0);
	else if (insn->id == X86_INS_NOT && is_whole(to))
		computes(effect, COMPUTES_XOR, to, to, -1);
	else if (insn->id == X86_INS_MOVZX && is_whole(to) && is_low_byte(from))
		computes(effect, COMPUTES_BYTE, to, from, 0);
	else if (is_flag(insn) && is_low_byte(to))
		computes(effect, COMPUTES_FLAG_BYTE, to, to, 1);
}

/* The stack pointer is taken from the frame's. */
static void is_unwinding(struct insn_effect *effect, int32_t displacement)
{
	effect->kind = EFFECT_UNWIND;
	effect->on_stack = false;
	effect->displacement = displacement;
}

static void load_address(struct insn_effect *effect, const cs_x86_op *to, const x86_op_mem *mem)
{
	if (effect->on_stack && to->reg == X86_REG_RSP) {
		if (effect->base == X86_RBP) {
			is_unwinding(effect, effect->displacement);
		} else {
			effect->moves_stack = effect->displacement;
			effect->writes = 0;
		}
	}
	effect->on_stack = false;
	if (!is_whole(to) || to->reg == X86_REG_RSP)
		return;
	if (mem->base != X86_REG_INVALID && mem->index == X86_REG_INVALID &&
	    x86_register(mem->base) != NO_REGISTER) {
		effect->computes = COMPUTES_SUM;
		effect->from = x86_register(mem->base);
	} else if (mem->index != X86_REG_INVALID && x86_register(mem->index) != NO_REGISTER &&
		   (mem->base == X86_REG_INVALID || mem->base == mem->index)) {
		effect->computes = COMPUTES_MULTIPLE;
		effect->from = x86_register(mem->index);
		effect->factor = mem->scale + (mem->base == mem->index);
	}
	if (effect->computes) {
		effect->to = x86_register(to->reg);
		effect->value = mem->disp;
	}
}

/* The place on the stack is known even if the value is not. */
static int push_or_pop(const cs_insn *insn, struct insn_effect *effect, int moves)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *op = &x86->operands[0];

	/* Operands of 16 bits */
	if (x86->prefix[2] == 0x66)
		return -EINVAL;
	if (moves > 0 && bit_of(op) == REG_BIT(X86_RSP)) {
		effect->writes = REG_BIT(X86_RSP);
		return 0;
	}
	effect->writes &= ~REG_BIT(X86_RSP);
	effect->moves_stack = moves;
	effect->on_stack = moves < 0 || bit_of(op);
	effect->base = X86_RSP;
	effect->displacement = moves < 0 ? moves : 0;
	if (bit_of(op))
		set_move(effect, moves < 0 ? EFFECT_STORE : EFFECT_LOAD, op, op);
	else if (op->type == X86_OP_IMM)
		set_move(effect, EFFECT_STORE_CONSTANT, NULL, op);
	else if (op->type == X86_OP_MEM && moves > 0)
		return -EINVAL;
	return 0;
}

int x86_fill_effect(const cs_insn *insn, struct insn_effect *effect)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *to = &x86->operands[0], *from = &x86->operands[1];
	int err = 0;

	effect->writes = written_registers(insn);
	effect->sets_flags = sets_flags(insn);
	fill_memory(x86, insn->id == X86_INS_MOV, effect);
	switch (insn->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
	case X86_INS_MOVNTI:
	case X86_INS_MOVSXD:
		fill_move(effect, to, from);
		break;
	case X86_INS_CDQE:
		effect->kind = EFFECT_COPY;
		effect->to = effect->from = X86_RAX;
		break;
	case X86_INS_XCHG:
		if (is_whole(to) && is_whole(from))
			set_move(effect, EFFECT_SWAP, to, from);
		/* Of what is written there in return, nothing is known. */
		else if (to->type == X86_OP_MEM && is_whole(from) && !effect->on_stack)
			set_move(effect, EFFECT_LOAD, from, to);
		break;
	case X86_INS_ADC:
	case X86_INS_ADD:
	case X86_INS_AND:
	case X86_INS_CMP:
	case X86_INS_DEC:
	case X86_INS_INC:
	case X86_INS_OR:
	case X86_INS_SBB:
	case X86_INS_SUB:
	case X86_INS_TEST:
	case X86_INS_XOR:
		fill_arithmetic(insn, effect);
		break;
	case X86_INS_BT:
	case X86_INS_BTC:
	case X86_INS_BTR:
	case X86_INS_BTS:
		effect->tests = bit_of(to) | bit_of(from);
		effect->tests_memory = to->type == X86_OP_MEM;
		break;
	case X86_INS_PUSH:
	case X86_INS_PUSHFQ:
		err = push_or_pop(insn, effect, -8);
		break;
	case X86_INS_POP:
	case X86_INS_POPFQ:
		err = push_or_pop(insn, effect, 8);
		break;
	case X86_INS_LEA:
		load_address(effect, to, &from->mem);
		break;
	case X86_INS_LEAVE: /* rsp from rbp, which is popped then */
		is_unwinding(effect, 8);
		break;
	case X86_INS_CALL:
	case X86_INS_RET:
		effect->writes = 0;
		break;
	default:
		if (x86_is_in_group(insn, X86_GRP_CMOV) && is_whole(to) &&
		    (is_whole(from) || from->type == X86_OP_MEM)) {
			set_move(effect, EFFECT_SELECT, to, from);
			effect->other = effect->to;
			effect->from_is_memory = from->type == X86_OP_MEM;
			effect->from_on_stack = effect->from_is_memory && effect->on_stack;
			effect->on_stack &= !effect->from_is_memory;
		} else {
			other_arithmetic(insn, effect, to, from);
		}
		break;
	}
	if (err)
		return err;
	if (effect->kind == EFFECT_COPY && to->reg == X86_REG_RSP && from->reg == X86_REG_RBP)
		is_unwinding(effect, 0);
	/* A result that lands there would be the stack's end. */
	if (effect->writes & REG_BIT(X86_RSP) && effect->kind != EFFECT_UNWIND) {
		effect->kind = EFFECT_OTHER;
		effect->on_stack = false;
	}
	if (effect->kind == EFFECT_OTHER && !effect->moves_stack && !may_write_memory(insn))
		effect->on_stack = false;
	return 0;
}
