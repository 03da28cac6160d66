// SPDX-License-Identifier: BSD-2-Clause
/* Operands of arm64's instructions that copy and compare. */
#include "util/kernel/code/operands.h"

#include <string.h>

#include "util/kernel/arch/arm64/decode.h"

static struct operand register_of(uint8_t reg, uint8_t size)
{
	if (reg == ARM64_ZERO)
		return (struct operand){ .kind = OPERAND_CONSTANT, .size = size };
	return (struct operand){ .kind = OPERAND_REGISTER, .reg = reg, .size = size };
}

static struct operand constant_of(int64_t value, uint8_t size)
{
	return (struct operand){ .kind = OPERAND_CONSTANT, .size = size, .value = value };
}

static struct operand memory_of(const struct arm64_insn *insn)
{
	if (insn->is_indexed)
		return (struct operand){ .reg = insn->n, .size = insn->memory_size };
	return (struct operand){
		.kind = OPERAND_MEMORY,
		.reg = insn->n,
		.size = insn->memory_size,
		.value = insn->value,
	};
}

static void fill_copy(struct insn_operands *operands, struct operand a, struct operand b,
		      bool extends_sign)
{
	operands->kind = OPERANDS_COPY;
	operands->extends_sign = extends_sign;
	operands->a = a;
	operands->b = b;
}

static void fill_test(struct insn_operands *operands, const struct arm64_insn *insn)
{
	bool is_bit = insn->family == ARM64_TEST_BIT;
	uint8_t size = !is_bit ? insn->size : insn->value < 32 ? 4 : 8;

	operands->kind = is_bit ? OPERANDS_MASK : OPERANDS_COMPARE;
	operands->a = register_of(insn->n, size);
	operands->b = constant_of(is_bit ? (int64_t)(1ull << insn->value) : 0, size);
}

/* A mask of a whole byte, or two, compares a smaller number with 0. */
static void take_whole_parts(struct insn_operands *operands)
{
	uint8_t size = operands->b.value == 0xff ? 1 : operands->b.value == 0xffff ? 2 : 0;

	if (!size)
		return;
	operands->kind = OPERANDS_COMPARE;
	operands->a.size = size;
	operands->b = constant_of(0, size);
}

/*
 * bic of bit 55, which only accesses to the program's memory do: addresses there have it clear, so that a program's
 * address stays as it is, and one of the kernel is never accessed.
 */
static bool is_user_address_mask(const struct arm64_insn *insn)
{
	return insn->family == ARM64_COMPUTE && insn->computes == COMPUTES_AND && insn->has_value &&
	       insn->size == 8 && insn->value == (int64_t)~(1ull << 55);
}

/*
 * add of the stack pointer and a register, where a variable's offset on the stack is a number that was in a register
 * already: "copy_from_user(&count, buf, 8)". Which variable it is, the instruction does not tell.
 */
static bool takes_stack_address(uint32_t word)
{
	return arm64_bits(word, 31, 21) == 0x459 && arm64_bits(word, 9, 5) == 31 && arm64_bits(word, 4, 0) != 31;
}

void operands_decode(const uint8_t *code, size_t size, struct insn_operands *ret_operands)
{
	struct insn_element element;
	struct arm64_insn insn;

	*ret_operands = (struct insn_operands){};
	if (size < ARM64_INSN_SIZE)
		return;
	arm64_decode(arm64_word(code, size), 0, &insn);
	switch (insn.family) {
	case ARM64_CONSTANT:
		fill_copy(ret_operands, register_of(insn.d, insn.size),
			  constant_of(insn.value, insn.size), false);
		break;
	case ARM64_MOVE:
		fill_copy(ret_operands, register_of(insn.d, insn.size),
			  register_of(insn.n, insn.from_size), insn.extends_sign);
		break;
	case ARM64_ADD:
		/* An add that sets the stack or frame pointer computes no operand's address. */
		if (insn.d == ARM64_SP || (insn.d == ARM64_X29 && insn.n == ARM64_SP))
			break;
		ret_operands->kind = OPERANDS_ADDRESS;
		ret_operands->a = register_of(insn.d, insn.size);
		ret_operands->b = (struct operand){
			.kind = OPERAND_MEMORY,
			.reg = insn.n,
			.size = insn.size,
			.value = insn.value,
		};
		break;
	case ARM64_COMPARE:
	case ARM64_MASK:
		if (insn.n == ARM64_SP || insn.n == ARM64_ZERO)
			break;
		ret_operands->kind = insn.family == ARM64_MASK ? OPERANDS_MASK : OPERANDS_COMPARE;
		ret_operands->a = register_of(insn.n, insn.size);
		ret_operands->b = insn.has_value ? constant_of(insn.value, insn.size) :
						   register_of(insn.m, insn.size);
		if (insn.family == ARM64_MASK && insn.has_value)
			take_whole_parts(ret_operands);
		break;
	case ARM64_LOAD:
		if (insn.size)
			fill_copy(ret_operands, register_of(insn.d, insn.size), memory_of(&insn),
				  insn.extends_sign);
		break;
	case ARM64_STORE:
		if (insn.size)
			fill_copy(ret_operands, memory_of(&insn),
				  register_of(insn.d, insn.memory_size), false);
		break;
	case ARM64_TEST:
	case ARM64_TEST_BIT:
		if (insn.n != ARM64_ZERO)
			fill_test(ret_operands, &insn);
		break;
	case ARM64_COMPUTE:
		if (is_user_address_mask(&insn))
			fill_copy(ret_operands, register_of(insn.d, 8), register_of(insn.n, 8), false);
		break;
	default:
		/* Which register is the pointer is told by where they were written. */
		if (operands_element(code, size, &element) && element.has_base) {
			ret_operands->kind = OPERANDS_ADDRESS;
			ret_operands->a = element.to;
			ret_operands->b = (struct operand){ .reg = element.base, .size = 8 };
		} else if (takes_stack_address(arm64_word(code, size))) {
			ret_operands->kind = OPERANDS_ADDRESS;
			ret_operands->a = register_of(arm64_x(arm64_bits(arm64_word(code, size), 4, 0)), 8);
			ret_operands->b = (struct operand){ .reg = ARM64_SP, .size = 8 };
		}
		break;
	}
}

/* lsl, lsr and asr by a constant: aliases of ubfm and sbfm. */
static bool take_shift(uint32_t word, uint8_t bytes, struct insn_arithmetic *arithmetic)
{
	uint32_t last = bytes * 8 - 1, immr = arm64_bits(word, 21, 16), imms = arm64_bits(word, 15, 10);
	bool is_signed = !arm64_bits(word, 30, 30);

	if (arm64_bits(word, 28, 23) != 0x26 || arm64_bits(word, 29, 29) ||
	    arm64_bits(word, 22, 22) != arm64_bits(word, 31, 31))
		return false;
	if (imms == last)
		arithmetic->operator = ">>";
	else if (!is_signed && imms + 1 == immr)
		arithmetic->operator = "<<";
	else
		return false;
	arithmetic->b = constant_of(imms == last ? immr : last - imms, bytes);
	return true;
}

/* add, sub, eor, orr and and of two registers; the second one may be shifted to the left. */
static bool take_registers(uint32_t word, uint8_t bytes, struct insn_arithmetic *arithmetic)
{
	bool adds = arm64_bits(word, 28, 24) == 0x0b && !arm64_bits(word, 29, 29);
	bool eor = arm64_bits(word, 30, 24) == 0x4a, and = arm64_bits(word, 30, 24) == 0x0a;
	bool orr = arm64_bits(word, 30, 24) == 0x2a;

	if ((!adds && !eor && !and && !orr) || arm64_bits(word, 23, 21))
		return false;
	arithmetic->operator = and ? "&" : orr ? "|" : eor ? "^" : arm64_bits(word, 30, 30) ? "-" : "+";
	arithmetic->b = register_of(arm64_x(arm64_bits(word, 20, 16)), bytes);
	arithmetic->shift = arm64_bits(word, 15, 10);
	return arm64_bits(word, 20, 16) != 31;
}

/* lsl, lsr and asr by a register, of which the lowest bits count. */
static bool take_shift_by_register(uint32_t word, uint8_t bytes, struct insn_arithmetic *arithmetic)
{
	uint32_t kind = word & 0x7fe0fc00;

	if (kind != 0x1ac02000 && kind != 0x1ac02400 && kind != 0x1ac02800)
		return false;
	arithmetic->operator = kind == 0x1ac02000 ? "<<" : ">>";
	arithmetic->b = register_of(arm64_x(arm64_bits(word, 20, 16)), bytes);
	return arm64_bits(word, 20, 16) != 31;
}

bool operands_arithmetic(const uint8_t *code, size_t size, struct insn_arithmetic *ret_arithmetic)
{
	struct arm64_insn insn;
	uint32_t word, from, to;
	uint8_t bytes;

	*ret_arithmetic = (struct insn_arithmetic){};
	if (size < ARM64_INSN_SIZE)
		return false;
	word = arm64_word(code, size);
	bytes = arm64_bits(word, 31, 31) ? 8 : 4;
	from = arm64_bits(word, 9, 5);
	to = arm64_bits(word, 4, 0);
	if (from == 31 || to == 31)
		return false;
	ret_arithmetic->to = register_of(arm64_x(to), bytes);
	ret_arithmetic->a = register_of(arm64_x(from), bytes);
	arm64_decode(word, 0, &insn);
	if (insn.family == ARM64_COMPUTE && insn.computes == COMPUTES_AND && insn.has_value) {
		ret_arithmetic->operator = "&";
		ret_arithmetic->b = constant_of(insn.value, bytes);
		return true;
	}
	return take_shift(word, bytes, ret_arithmetic) || take_registers(word, bytes, ret_arithmetic) ||
	       take_shift_by_register(word, bytes, ret_arithmetic);
}

/* ccmp and ccmn of a register with another one, or with a constant. */
static bool is_conditional_compare(uint32_t word)
{
	return (word & 0x3fe00410) == 0x3a400000;
}

/* The condition that an instruction tests; false: none. */
static bool tested_condition(uint32_t word, uint32_t *ret_condition)
{
	struct arm64_insn insn;

	arm64_decode(word, 0, &insn);
	*ret_condition = arm64_bits(word, 3, 0);
	if (insn.family == ARM64_SELECT || is_conditional_compare(word))
		*ret_condition = arm64_bits(word, 15, 12);
	else
		return insn.branch == BRANCH_CONDITIONAL;
	return true;
}

/* Whether a condition holds with these flags, N Z C V from the highest bit. */
static bool flags_meet(uint32_t flags, uint32_t condition)
{
	bool n = flags & 8, z = flags & 4, c = flags & 2, v = flags & 1;
	const bool met[] = { z, c, n, v, c && !z, n == v, !z && n == v, true };

	/* Each odd condition is the opposite of the one before, but for "always". */
	return condition >= 14 || met[condition / 2] != (condition & 1);
}

/* How an instruction extends a register that it adds; 0: not as an index of an array is. */
static uint8_t extended_bytes(uint32_t option)
{
	return (option & 3) == 2 ? 4 : (option & 3) == 3 ? 8 : 0;
}

/* ldr of the sum of two registers, of which the second may be extended or shifted. */
static bool take_indexed_load(uint32_t word, struct insn_element *element)
{
	struct arm64_insn insn;

	arm64_decode(word, 0, &insn);
	if (insn.family != ARM64_LOAD || !insn.is_indexed || arm64_bits(word, 11, 10) != 2 || !insn.size)
		return false;
	element->to = register_of(insn.d, insn.size);
	element->size = insn.memory_size;
	element->scale = arm64_bits(word, 12, 12) ? insn.memory_size : 1;
	element->index_size = extended_bytes(arm64_bits(word, 15, 13));
	return true;
}

/* add of two 64-bit registers, of which the second may be extended or shifted to the left. */
static bool take_indexed_address(uint32_t word, struct insn_element *element)
{
	bool is_extended = arm64_bits(word, 21, 21);

	if (arm64_bits(word, 31, 22) != 0x22c)
		return false;
	element->scale = 1u << (is_extended ? arm64_bits(word, 12, 10) : arm64_bits(word, 14, 10));
	element->index_size = is_extended ? extended_bytes(arm64_bits(word, 15, 13)) : 8;
	return is_extended || !arm64_bits(word, 15, 15);
}

/* lsl of a 64-bit register by a constant, and ubfiz and sbfiz, which take the lower 32 bits. */
static bool take_multiple(uint32_t word, struct insn_element *element)
{
	uint32_t immr = arm64_bits(word, 21, 16), imms = arm64_bits(word, 15, 10), shift = 64 - immr;
	uint32_t kind = arm64_bits(word, 31, 22);
	bool is_signed = kind == 0x24d;

	if ((!is_signed && kind != 0x34d) || !immr || shift > 31)
		return false;
	element->scale = 1u << shift;
	element->index_size = imms == 31 ? 4 : 8;
	return imms == 31 || (!is_signed && imms + 1 == immr);
}

bool operands_element(const uint8_t *code, size_t size, struct insn_element *ret_element)
{
	uint32_t word = arm64_word(code, size);
	uint8_t to = arm64_bits(word, 4, 0), n = arm64_bits(word, 9, 5), m = arm64_bits(word, 20, 16);

	*ret_element = (struct insn_element){};
	if (to == 31 || n == 31)
		return false;
	if (take_multiple(word, ret_element)) {
		ret_element->to = register_of(arm64_x(to), 8);
		ret_element->is_address = true;
		ret_element->index = arm64_x(n);
		return true;
	}
	ret_element->has_base = true;
	ret_element->base = arm64_x(n);
	ret_element->index = arm64_x(m);
	if (take_indexed_load(word, ret_element))
		return m != 31 && ret_element->index_size;
	ret_element->to = register_of(arm64_x(to), 8);
	ret_element->is_address = true;
	return take_indexed_address(word, ret_element) && m != 31 && ret_element->index_size;
}

bool operands_compared_if(const uint8_t *code, size_t size, const uint8_t *branch, size_t branch_size,
			  struct insn_operands *ret_compared, bool *ret_otherwise)
{
	uint32_t word = arm64_word(code, size), condition;
	uint8_t bytes = arm64_bits(word, 31, 31) ? 8 : 4, n = arm64_bits(word, 9, 5);
	bool has_value = arm64_bits(word, 11, 11), adds = !arm64_bits(word, 30, 30);
	int64_t value = arm64_bits(word, 20, 16);

	if (!is_conditional_compare(word))
		return false;
	*ret_compared = (struct insn_operands){};
	/* The flags of n + 5 are those of n - -5, but for 0. */
	if (!tested_condition(arm64_word(branch, branch_size), &condition) || n == 31 ||
	    (adds && (!has_value || !value)))
		return true;
	*ret_otherwise = flags_meet(arm64_bits(word, 3, 0), condition);
	ret_compared->kind = OPERANDS_COMPARE;
	ret_compared->a = register_of(arm64_x(n), bytes);
	ret_compared->b = has_value ? constant_of(adds ? -value : value, bytes) :
			  value == 31 ? constant_of(0, bytes) : register_of(arm64_x(value), bytes);
	return true;
}

enum condition operands_condition(const uint8_t *code, size_t size,
				  const struct insn_operands *compared)
{
	static const uint8_t after_compare[16] = {
		[0] = CONDITION_EQUAL,		/* eq */
		[1] = CONDITION_NOT_EQUAL,	/* ne */
		[2] = CONDITION_ABOVE_EQUAL,	/* cs */
		[3] = CONDITION_BELOW,		/* cc */
		[8] = CONDITION_ABOVE,		/* hi */
		[9] = CONDITION_BELOW_EQUAL,	/* ls */
		[10] = CONDITION_GREATER_EQUAL, /* ge */
		[11] = CONDITION_LESS,		/* lt */
		[12] = CONDITION_GREATER,	/* gt */
		[13] = CONDITION_LESS_EQUAL,	/* le */
	};
	uint32_t word = arm64_word(code, size), condition;
	bool with_zero = compared->kind == OPERANDS_MASK ||
			 (compared->b.kind == OPERAND_CONSTANT && !compared->b.value);
	struct arm64_insn insn;

	if (!tested_condition(word, &condition))
		return CONDITION_UNKNOWN;
	arm64_decode(word, 0, &insn);
	/* cbz and tbz, or cbnz and tbnz. */
	if (insn.family == ARM64_TEST || insn.family == ARM64_TEST_BIT)
		return arm64_bits(word, 24, 24) ? CONDITION_NOT_EQUAL : CONDITION_EQUAL;
	/* Of take_whole_parts(), the sign is that of a larger number. */
	if (compared->a.size < 4 && condition > 1)
		return CONDITION_UNKNOWN;
	/* The sign of the difference with 0, which cannot overflow. */
	if (with_zero && condition == 4)
		return CONDITION_LESS;
	if (with_zero && condition == 5)
		return CONDITION_GREATER_EQUAL;
	/* and leaves the carry clear, whatever it finds. */
	if (compared->kind == OPERANDS_MASK && after_compare[condition] >= CONDITION_BELOW)
		return CONDITION_UNKNOWN;
	return after_compare[condition];
}

bool operands_is_current(const uint8_t *code, size_t size, uint64_t addr, uint64_t current_task)
{
	/* mrs REGISTER, sp_el0 */
	static const uint32_t mrs = 0xd5384100;
	uint32_t word;

	if (size < sizeof(word))
		return false;
	memcpy(&word, code, sizeof(word));
	return (word & ~0x1fu) == mrs;
}

int operands_parameter(uint32_t index)
{
	return index < 8 ? arm64_x(index) : -1;
}

int operands_stack_parameter(int64_t offset)
{
	return offset >= 0 && offset % 8 == 0 ? offset / 8 : -1;
}
