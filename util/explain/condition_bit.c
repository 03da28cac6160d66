// SPDX-License-Identifier: BSD-2-Clause
/* Conditions on one bit. */
#include "util/explain/condition_internal.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand.h"

void condition_take_known_bit(struct insn_operands *operands)
{
	const struct operand bit = operands->a;

	if (operands->kind != OPERANDS_BIT || bit.kind != OPERAND_CONSTANT)
		return;
	operands->kind = OPERANDS_MASK;
	operands->a = operands->b;
	operands->b = (struct operand){ OPERAND_CONSTANT, 0, bit.size, 1ull << bit.value };
}

/* Whether a number is negative, which its highest bit says. */
static bool tests_sign(const struct insn_operands *operands, enum condition condition)
{
	return operands->kind == OPERANDS_COMPARE && operands->b.kind == OPERAND_CONSTANT && !operands->b.value &&
	       (condition == CONDITION_LESS || condition == CONDITION_GREATER_EQUAL);
}

void condition_note_tested_bit(const struct insn_operands *operands, enum condition condition, struct operand_way *way)
{
	uint64_t mask = tests_sign(operands, condition) ? 1ull << (operands->a.size * 8 - 1) :
							  zero_extend(operands->b.value, operands->a.size);

	if (operands->a.kind != OPERAND_MEMORY || operands->b.kind != OPERAND_CONSTANT || !mask || mask & (mask - 1) ||
	    (operands->kind != OPERANDS_MASK && !tests_sign(operands, condition)))
		return;
	way->tested = &operands->a;
	way->tested_bit = __builtin_ctzll(mask);
}

void condition_take_sign_bit(struct decision_condition *condition)
{
	struct decision_operand *b = &condition->b;

	if (condition->kind != OPERANDS_COMPARE || !condition->a.is_bit)
		return;
	condition->kind = OPERANDS_MASK;
	condition->condition = condition->condition == CONDITION_LESS ? CONDITION_NOT_EQUAL : CONDITION_EQUAL;
	b->value = b->operand.value = 1ull << (condition->a.operand.size * 8 - 1);
}
