// SPDX-License-Identifier: BSD-2-Clause
/* Operands of x86-64's instructions that copy and compare. */
#include "util/kernel/code/operands.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/arch/x86/registers.h"
#include "util/kernel/arch/x86/decode.h"

/* The second byte of a register, which x86_register() gives the register's own number. */
static bool is_high_byte(x86_reg reg)
{
	return reg == X86_REG_AH || reg == X86_REG_BH || reg == X86_REG_CH || reg == X86_REG_DH;
}

static struct operand operand_of(const cs_x86_op *op)
{
	struct operand operand = { .size = op->size };

	switch (op->type) {
	case X86_OP_IMM:
		operand.kind = OPERAND_CONSTANT;
		operand.value = op->imm;
		break;
	case X86_OP_REG:
		operand.reg = x86_register(op->reg);
		if (operand.reg != NO_REGISTER && !is_high_byte(op->reg))
			operand.kind = OPERAND_REGISTER;
		break;
	case X86_OP_MEM:
		operand.reg = x86_register(op->mem.base);
		operand.value = op->mem.disp;
		if (operand.reg != NO_REGISTER && op->mem.index == X86_REG_INVALID &&
		    op->mem.segment == X86_REG_INVALID)
			operand.kind = OPERAND_MEMORY;
		break;
	default:
		break;
	}
	return operand;
}

void operands_decode(const uint8_t *code, size_t size, struct insn_operands *ret_operands)
{
	const cs_insn *insn = x86_decode(code, size);
	const cs_x86_op *ops;

	*ret_operands = (struct insn_operands){};
	if (!insn || insn->detail->x86.op_count != 2)
		return;
	ops = insn->detail->x86.operands;
	switch (insn->id) {
	case X86_INS_MOVSX:
	case X86_INS_MOVSXD:
		ret_operands->extends_sign = true;
		/* fall through */
	case X86_INS_MOV:
	case X86_INS_MOVABS:
	case X86_INS_MOVZX:
		ret_operands->kind = OPERANDS_COPY;
		break;
	case X86_INS_LEA:
		ret_operands->kind = OPERANDS_ADDRESS;
		break;
	case X86_INS_CMP:
		ret_operands->kind = OPERANDS_COMPARE;
		break;
	case X86_INS_TEST:
		ret_operands->kind = OPERANDS_MASK;
		break;
	default:
		return;
	}
	ret_operands->a = operand_of(&ops[0]);
	ret_operands->b = operand_of(&ops[1]);
	/* A constant is as large as what it is used with. */
	if (ret_operands->b.kind == OPERAND_CONSTANT)
		ret_operands->b.size = ret_operands->a.size;
}

static enum condition condition_of(unsigned int id)
{
	switch (id) {
	case X86_INS_JE:
		return CONDITION_EQUAL;
	case X86_INS_JNE:
		return CONDITION_NOT_EQUAL;
	case X86_INS_JL:
		return CONDITION_LESS;
	case X86_INS_JLE:
		return CONDITION_LESS_EQUAL;
	case X86_INS_JG:
		return CONDITION_GREATER;
	case X86_INS_JGE:
		return CONDITION_GREATER_EQUAL;
	case X86_INS_JB:
		return CONDITION_BELOW;
	case X86_INS_JBE:
		return CONDITION_BELOW_EQUAL;
	case X86_INS_JA:
		return CONDITION_ABOVE;
	case X86_INS_JAE:
		return CONDITION_ABOVE_EQUAL;
	default:
		return CONDITION_UNKNOWN;
	}
}

enum condition operands_condition(const uint8_t *code, size_t size,
				  const struct insn_operands *compared)
{
	const cs_insn *insn = x86_decode(code, size);

	if (!insn)
		return CONDITION_UNKNOWN;
	/* The sign alone: the same as a comparison with 0, which cannot overflow. */
	if (compared->kind == OPERANDS_MASK && insn->id == X86_INS_JS)
		return CONDITION_LESS;
	if (compared->kind == OPERANDS_MASK && insn->id == X86_INS_JNS)
		return CONDITION_GREATER_EQUAL;
	return condition_of(insn->id);
}

int operands_parameter(uint32_t index)
{
	static const uint8_t registers[] = { X86_RDI, X86_RSI, X86_RDX, X86_RCX, X86_R8, X86_R9 };

	return index < ARRAY_SIZE(registers) ? registers[index] : -1;
}
