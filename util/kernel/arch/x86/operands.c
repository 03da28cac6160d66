// SPDX-License-Identifier: BSD-2-Clause
/* Operands of x86-64's instructions that copy and compare. */
#include "util/kernel/code/operands.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/arch/x86/registers.h"
#include "util/kernel/arch/x86/decode.h"

static struct operand operand_of(const cs_x86_op *op, const cs_insn *insn)
{
	struct operand operand = { .size = op->size };

	switch (op->type) {
	case X86_OP_IMM:
		operand.kind = OPERAND_CONSTANT;
		operand.value = op->imm;
		break;
	case X86_OP_REG:
		operand.reg = x86_register(op->reg);
		if (operand.reg != NO_REGISTER && !x86_is_high_byte(op->reg))
			operand.kind = OPERAND_REGISTER;
		break;
	case X86_OP_MEM:
		operand.reg = x86_register(op->mem.base);
		operand.value = op->mem.disp;
		if (operand.reg != NO_REGISTER && op->mem.index == X86_REG_INVALID &&
		    op->mem.segment == X86_REG_INVALID)
			operand.kind = OPERAND_MEMORY;
		if (op->mem.base == X86_REG_RIP && op->mem.index == X86_REG_INVALID &&
		    op->mem.segment == X86_REG_INVALID) {
			operand.kind = OPERAND_VARIABLE;
			operand.value += insn->size;
		}
		break;
	default:
		break;
	}
	return operand;
}

/* Bits of ah are bits 8 to 15 of rax; only tests of them are understood. */
static void take_high_byte(const cs_x86_op *ops, struct insn_operands *operands)
{
	bool is_self = ops[1].type == X86_OP_REG && ops[1].reg == ops[0].reg;
	uint8_t mask = is_self ? 0xff : ops[1].imm;

	if (ops[0].type != X86_OP_REG || !x86_is_high_byte(ops[0].reg) ||
	    !(is_self || ops[1].type == X86_OP_IMM))
		return;
	operands->a.kind = OPERAND_REGISTER;
	operands->a.size = 2;
	operands->b = (struct operand){ .kind = OPERAND_CONSTANT, .size = 2, .value = mask << 8 };
}

/* What a shift to the right leaves is 0 if the bits above are: "flags & 0xfffffffc00000000". */
static void take_shift(struct insn_operands *operands)
{
	int64_t bits = operands->b.value;

	if (operands->b.kind != OPERAND_CONSTANT || bits <= 0 || bits >= operands->a.size * 8)
		operands->kind = OPERANDS_OTHER;
	else
		operands->b.value = (int64_t)(UINT64_MAX << bits);
}

/* In memory, a register counts bits from the address on: the bit may be far away. */
static void take_bit(const cs_x86_op *ops, const cs_insn *insn, struct insn_operands *operands)
{
	operands->b = operand_of(&ops[0], insn);
	operands->a = operand_of(&ops[1], insn);
	if (operands->a.kind == OPERAND_CONSTANT) {
		operands->a.value &= operands->b.size * 8 - 1;
		operands->a.size = operands->b.size;
	}
	if (operands->a.kind == OPERAND_CONSTANT || ops[0].type == X86_OP_REG)
		operands->kind = OPERANDS_BIT;
}

void operands_decode(const uint8_t *code, size_t size, struct insn_operands *ret_operands)
{
	const cs_insn *insn = x86_decode(code, size);
	const cs_x86_op *ops;

	*ret_operands = (struct insn_operands){};
	if (!insn)
		return;
	ops = insn->detail->x86.operands;
	/* Its flags are those of 0 compared with it. */
	if (insn->id == X86_INS_NEG) {
		ret_operands->kind = OPERANDS_COMPARE;
		ret_operands->b = operand_of(&ops[0], insn);
		ret_operands->a = (struct operand){ .kind = OPERAND_CONSTANT,
						    .size = ret_operands->b.size };
		return;
	}
	if (insn->id == X86_INS_CDQE) {
		ret_operands->kind = OPERANDS_COPY;
		ret_operands->extends_sign = true;
		ret_operands->a = (struct operand){ OPERAND_REGISTER, X86_RAX, 8 };
		ret_operands->b = (struct operand){ OPERAND_REGISTER, X86_RAX, 4 };
		return;
	}
	if (insn->detail->x86.op_count != 2)
		return;
	/* As effect.c has it; memory comes first. */
	if (insn->id == X86_INS_XCHG && ops[0].type == X86_OP_MEM) {
		ret_operands->a = operand_of(&ops[1], insn);
		ret_operands->b = operand_of(&ops[0], insn);
		if (ret_operands->b.kind == OPERAND_MEMORY && ret_operands->b.reg != REG_STACK &&
		    ret_operands->b.reg != REG_FRAME)
			ret_operands->kind = OPERANDS_COPY;
		return;
	}
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
	case X86_INS_SUB:
		ret_operands->kind = OPERANDS_COMPARE;
		break;
	case X86_INS_TEST:
	case X86_INS_AND:
	case X86_INS_SHR:
		ret_operands->kind = OPERANDS_MASK;
		break;
	case X86_INS_OR:
		ret_operands->kind = OPERANDS_EITHER;
		break;
	case X86_INS_BT:
		take_bit(ops, insn, ret_operands);
		return;
	default:
		return;
	}
	ret_operands->a = operand_of(&ops[0], insn);
	ret_operands->b = operand_of(&ops[1], insn);
	/* A constant has the size of the other operand. */
	if (ret_operands->b.kind == OPERAND_CONSTANT)
		ret_operands->b.size = ret_operands->a.size;
	if (insn->id == X86_INS_TEST || insn->id == X86_INS_AND)
		take_high_byte(ops, ret_operands);
	else if (insn->id == X86_INS_SHR)
		take_shift(ret_operands);
}

/*
 * The condition of a conditional branch, a conditional move, a flag that is put into a register,
 * or the -1 of sbb.
 */
static enum condition condition_of_id(unsigned int id)
{
	switch (id) {
	case X86_INS_JE:
	case X86_INS_CMOVE:
	case X86_INS_SETE:
		return CONDITION_EQUAL;
	case X86_INS_JNE:
	case X86_INS_CMOVNE:
	case X86_INS_SETNE:
		return CONDITION_NOT_EQUAL;
	case X86_INS_JL:
	case X86_INS_CMOVL:
	case X86_INS_SETL:
		return CONDITION_LESS;
	case X86_INS_JLE:
	case X86_INS_CMOVLE:
	case X86_INS_SETLE:
		return CONDITION_LESS_EQUAL;
	case X86_INS_JG:
	case X86_INS_CMOVG:
	case X86_INS_SETG:
		return CONDITION_GREATER;
	case X86_INS_JGE:
	case X86_INS_CMOVGE:
	case X86_INS_SETGE:
		return CONDITION_GREATER_EQUAL;
	case X86_INS_JB:
	case X86_INS_CMOVB:
	case X86_INS_SETB:
	case X86_INS_SBB:
		return CONDITION_BELOW;
	case X86_INS_JBE:
	case X86_INS_CMOVBE:
	case X86_INS_SETBE:
		return CONDITION_BELOW_EQUAL;
	case X86_INS_JA:
	case X86_INS_CMOVA:
	case X86_INS_SETA:
		return CONDITION_ABOVE;
	case X86_INS_JAE:
	case X86_INS_CMOVAE:
	case X86_INS_SETAE:
		return CONDITION_ABOVE_EQUAL;
	default:
		return CONDITION_UNKNOWN;
	}
}

/* Whether it is the sign alone that counts; 0: no; 1: set; -1: not set. */
static int asks_for_sign(unsigned int id)
{
	switch (id) {
	case X86_INS_JS:
	case X86_INS_CMOVS:
	case X86_INS_SETS:
		return 1;
	case X86_INS_JNS:
	case X86_INS_CMOVNS:
	case X86_INS_SETNS:
		return -1;
	default:
		return 0;
	}
}

static bool is_with_zero(const struct insn_operands *compared)
{
	return compared->kind == OPERANDS_COMPARE && compared->b.kind == OPERAND_CONSTANT && !compared->b.value;
}

/* The carry alone has the bit that was tested. */
static enum condition condition_of_carry(enum condition condition)
{
	switch (condition) {
	case CONDITION_BELOW:
		return CONDITION_NOT_EQUAL;
	case CONDITION_ABOVE_EQUAL:
		return CONDITION_EQUAL;
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
	if (compared->kind == OPERANDS_BIT)
		return condition_of_carry(condition_of_id(insn->id));
	/* A comparison with 0, which cannot overflow. */
	if ((compared->kind == OPERANDS_MASK || compared->kind == OPERANDS_EITHER || is_with_zero(compared)) &&
	    asks_for_sign(insn->id))
		return asks_for_sign(insn->id) > 0 ? CONDITION_LESS : CONDITION_GREATER_EQUAL;
	/* The carry has the last bit that was shifted out, or is 0: no number is compared. */
	if ((compared->kind == OPERANDS_MASK || compared->kind == OPERANDS_EITHER) &&
	    condition_is_unsigned(condition_of_id(insn->id)))
		return CONDITION_UNKNOWN;
	return condition_of_id(insn->id);
}

static const char *operator_of(unsigned int id)
{
	switch (id) {
	case X86_INS_ADD:
		return "+";
	case X86_INS_SUB:
		return "-";
	case X86_INS_XOR:
		return "^";
	case X86_INS_AND:
		return "&";
	case X86_INS_SHL:
		return "<<";
	case X86_INS_SHR:
	case X86_INS_SAR:
		return ">>";
	default:
		return NULL;
	}
}

/* lea of two registers: a sum, as the compiler uses it. */
static bool take_address(const cs_x86_op *ops, struct insn_arithmetic *arithmetic)
{
	const x86_op_mem *mem = &ops[1].mem;
	uint8_t base = x86_register(mem->base), index = x86_register(mem->index);

	if (base == NO_REGISTER || index == NO_REGISTER || mem->segment != X86_REG_INVALID)
		return false;
	arithmetic->operator = "+";
	arithmetic->a = (struct operand){ OPERAND_REGISTER, base, ops[0].size };
	arithmetic->b = (struct operand){ OPERAND_REGISTER, index, ops[0].size };
	arithmetic->shift = __builtin_ctz(mem->scale);
	arithmetic->addend = mem->disp;
	return true;
}

bool operands_arithmetic(const uint8_t *code, size_t size, struct insn_arithmetic *ret_arithmetic)
{
	const cs_insn *insn = x86_decode(code, size);
	const cs_x86_op *ops;

	*ret_arithmetic = (struct insn_arithmetic){};
	if (!insn || insn->detail->x86.op_count != 2)
		return false;
	ops = insn->detail->x86.operands;
	ret_arithmetic->to = operand_of(&ops[0], insn);
	if (ret_arithmetic->to.kind != OPERAND_REGISTER)
		return false;
	if (insn->id == X86_INS_LEA)
		return take_address(ops, ret_arithmetic);
	ret_arithmetic->operator = operator_of(insn->id);
	ret_arithmetic->a = ret_arithmetic->to;
	ret_arithmetic->b = operand_of(&ops[1], insn);
	/* A shift by a register has no bound. */
	return ret_arithmetic->operator &&
	       (ret_arithmetic->b.kind == OPERAND_CONSTANT || !strchr("<>", *ret_arithmetic->operator));
}

bool operands_element(const uint8_t *code, size_t size, struct insn_element *ret_element)
{
	const cs_insn *insn = x86_decode(code, size);
	const cs_x86_op *ops;
	const x86_op_mem *mem;

	*ret_element = (struct insn_element){};
	if (!insn || insn->detail->x86.op_count != 2)
		return false;
	ops = insn->detail->x86.operands;
	mem = &ops[1].mem;
	if ((insn->id != X86_INS_MOV && insn->id != X86_INS_MOVZX && insn->id != X86_INS_MOVSX &&
	     insn->id != X86_INS_MOVSXD && insn->id != X86_INS_LEA) ||
	    ops[1].type != X86_OP_MEM || mem->index == X86_REG_INVALID || mem->segment != X86_REG_INVALID)
		return false;
	ret_element->to = operand_of(&ops[0], insn);
	ret_element->is_address = insn->id == X86_INS_LEA;
	ret_element->has_base = mem->base != X86_REG_INVALID;
	ret_element->base = ret_element->has_base ? x86_register(mem->base) : 0;
	ret_element->index = x86_register(mem->index);
	ret_element->index_size = 8;
	ret_element->scale = mem->scale;
	ret_element->size = ops[1].size;
	ret_element->displacement = mem->disp;
	return ret_element->to.kind == OPERAND_REGISTER && ret_element->index != NO_REGISTER &&
	       ret_element->base != NO_REGISTER;
}

bool operands_compared_if(const uint8_t *code, size_t size, const uint8_t *branch, size_t branch_size,
			  struct insn_operands *ret_compared, bool *ret_otherwise)
{
	return false;
}

bool operands_is_current(const uint8_t *code, size_t size, uint64_t addr, uint64_t current_task)
{
	const cs_insn *insn = x86_decode(code, size);
	const cs_x86_op *to, *from;
	uint64_t variable;

	if (!insn || insn->id != X86_INS_MOV || !current_task)
		return false;
	to = &insn->detail->x86.operands[0];
	from = &insn->detail->x86.operands[1];
	if (to->type != X86_OP_REG || to->size != 8 || from->type != X86_OP_MEM ||
	    from->mem.segment != X86_REG_GS || from->mem.index != X86_REG_INVALID)
		return false;
	variable = from->mem.disp;
	if (from->mem.base == X86_REG_RIP)
		variable += addr + insn->size;
	else if (from->mem.base != X86_REG_INVALID)
		return false;
	return variable == current_task;
}

int operands_parameter(uint32_t index)
{
	static const uint8_t registers[] = { X86_RDI, X86_RSI, X86_RDX, X86_RCX, X86_R8, X86_R9 };

	return index < ARRAY_SIZE(registers) ? registers[index] : -1;
}

int operands_stack_parameter(int64_t offset)
{
	/* Where it begins, the stack pointer has the return address. */
	return offset >= 8 && offset % 8 == 0 ? offset / 8 - 1 : -1;
}
