// SPDX-License-Identifier: BSD-2-Clause
/* Conditions on one bit, or on a flag, and what was computed of them. */
#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
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

/* Whether a register has a number that was shifted by another one: its lowest bit is the one of that number. */
static bool find_shifted_bit(const struct operand_way *way, const struct operand *operand, uint32_t step,
			     struct insn_operands *ret_bit, uint32_t *ret_step)
{
	const struct written written = value_written(way, operand, step);
	struct insn_arithmetic made;

	if (operand->kind != OPERAND_REGISTER || written.by != WRITTEN_HERE ||
	    !code_arithmetic(way->reader, way->path->steps.data[written.step].addr, &made) ||
	    strcmp(made.operator, ">>") || made.to.reg != operand->reg || made.b.kind != OPERAND_REGISTER)
		return false;
	*ret_bit = (struct insn_operands){ .kind = OPERANDS_BIT, .a = made.b, .b = made.a };
	*ret_step = written.step;
	return true;
}

uint32_t condition_take_shifted_bit(const struct operand_way *way, uint32_t at, struct insn_operands *operands)
{
	struct operand operand = operands->a;
	uint32_t step = at;

	if (operands->b.kind != OPERAND_CONSTANT || operand.kind != OPERAND_REGISTER)
		return at;
	if (operands->kind == OPERANDS_COMPARE && !operands->b.value) {
		const struct written written = value_written(way, &operand, at);
		const struct insn_effect *effect =
			written.by == WRITTEN_HERE ? code_effect(way->reader, way->path->steps.data[written.step].addr) : NULL;

		if (!effect || effect->kind != EFFECT_OTHER || effect->computes != COMPUTES_AND || effect->value != 1)
			return at;
		operand.reg = effect->from;
		step = written.step;
	} else if (operands->kind != OPERANDS_MASK || operands->b.value != 1) {
		return at;
	}
	return find_shifted_bit(way, &operand, step, operands, &step) ? step : at;
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

int condition_fill_loaded_bit(const struct operand_way *way, const struct insn_operands *operands,
			      enum condition condition, uint32_t step, struct decision_operand *to)
{
	_cleanup_(decision_operand_release) struct decision_operand own = {};
	struct insn_operands test = *operands;
	struct operand_way way_of_bit = *way;
	uint32_t shift, loaded;
	int err;

	/* What has a name, or a type, says more. */
	if (operands->a.kind != OPERAND_REGISTER || to->is_typed || to->is_masked || strncmp(to->name ?: "", "*(u", 3) ||
	    !operand_loaded_from(way, &operands->a, step, &test.a, &loaded) ||
	    (tests_sign(operands, condition) && test.a.size != operands->a.size))
		return 0;
	condition_note_tested_bit(&test, condition, &way_of_bit);
	if (!way_of_bit.tested)
		return 0;
	err = condition_fill_operand(&way_of_bit, &test.a, loaded, &shift, &own);
	if (err || !own.is_bit)
		return err == -ENOENT ? 0 : err;
	own.operand = operands->a;
	decision_operand_release(to);
	*to = own;
	own = (struct decision_operand){};
	return 0;
}

/* Whether an instruction computes a number from one register, as effect_computed() does. */
static bool is_computing(const struct insn_effect *effect)
{
	return effect && effect->kind == EFFECT_OTHER && effect->computes >= COMPUTES_BYTE;
}

/*
 * Follow a computed number back to the register that it was computed from.
 *
 * @values	what becomes of 0, and of 1, or of the one bit that is taken of the register first
 * @ret_step	the first computing instruction
 */
static uint8_t find_computed_from(const struct operand_way *way, uint32_t step, int32_t values[2],
				  uint32_t *ret_step)
{
	const struct insn_effect *effect =
		code_effect(way->reader, way->path->steps.data[step].addr);
	const struct operand from = { .kind = OPERAND_REGISTER, .reg = effect->from, .size = 8 };
	const struct written written = value_written(way, &from, step);

	*ret_step = step;
	if (written.by == WRITTEN_HERE &&
	    is_computing(code_effect(way->reader, way->path->steps.data[written.step].addr))) {
		uint8_t reg = find_computed_from(way, written.step, values, ret_step);

		values[0] = effect_computed(effect, values[0]);
		values[1] = effect_computed(effect, values[1]);
		return reg;
	}
	values[0] = effect_computed(effect, 0);
	values[1] = effect_computed(effect, effect->computes == COMPUTES_AND ? -1 : 1);
	return effect->from;
}

/* "sbi->options.quiet ? 0 : -EPERM": a bit, less 1. @from: what it is taken of, by the step @first. */
static int fill_computed_bit(const struct operand_way *way, const struct operand *from, uint32_t bit, uint32_t first,
			     struct decision_condition *condition)
{
	struct insn_operands test = { .kind = OPERANDS_MASK };
	struct operand_way way_of_bit = *way;
	uint32_t shift, loaded;
	int err;

	if (!bit || bit & (bit - 1) || !operand_loaded_from(way, from, first, &test.a, &loaded) ||
	    bit != zero_extend(bit, test.a.size))
		return -ENOENT;
	test.b = (struct operand){ OPERAND_CONSTANT, 0, test.a.size, bit };
	condition_note_tested_bit(&test, CONDITION_NOT_EQUAL, &way_of_bit);
	err = condition_fill_operand(way, &test.b, loaded, &shift, &condition->b);
	err = err ?: condition_fill_operand(&way_of_bit, &test.a, loaded, &shift, &condition->a);
	if (!err && (!condition->a.is_named || !(condition->a.is_typed || condition->a.is_bit) || shift))
		err = -ENOENT;
	condition->kind = test.kind;
	condition->compared_at = way->path->steps.data[loaded].addr;
	condition->compared_again = path_times_again(way->path, loaded);
	return err;
}

/* "(cred->cap_effective.val >> cap) & 1", less 1. */
static int fill_shifted_bit(const struct operand_way *way, const struct operand *from, uint32_t first,
			    struct decision_condition *condition)
{
	struct insn_operands bit;
	uint32_t step, shift_a, shift_b;
	int err;

	if (!find_shifted_bit(way, from, first, &bit, &step))
		return -ENOENT;
	err = condition_fill_operand(way, &bit.a, step, &shift_a, &condition->a) ?:
	      condition_fill_operand(way, &bit.b, step, &shift_b, &condition->b);
	if (!err && (!condition->a.is_named || !condition->b.is_named || !condition->b.is_typed || shift_a || shift_b))
		err = -ENOENT;
	condition->kind = bit.kind;
	condition->compared_at = way->path->steps.data[step].addr;
	condition->compared_again = path_times_again(way->path, step);
	return err;
}

int condition_fill_computed(const struct operand_way *way, uint32_t step, int32_t result,
			    struct decision_condition *condition)
{
	struct operand operand = { .kind = OPERAND_REGISTER, .size = 4 };
	_cleanup_(strbuf_release) struct strbuf text = {};
	const struct insn_effect *effect;
	uint32_t first, shift;
	int32_t values[2];
	int err = -ENOENT;

	condition_release(condition);
	if (!is_computing(code_effect(way->reader, way->path->steps.data[step].addr)))
		return 0;
	operand.reg = find_computed_from(way, step, values, &first);
	if (values[0] == values[1] || (result != values[0] && result != values[1]))
		return 0;
	effect = code_effect(way->reader, way->path->steps.data[first].addr);
	if (effect->computes == COMPUTES_AND)
		err = fill_computed_bit(way, &operand, effect->value, first, condition);
	if (err == -ENOENT && effect->computes == COMPUTES_AND && effect->value == 1) {
		condition_release(condition);
		err = fill_shifted_bit(way, &operand, first, condition);
	}
	if (err == -ENOENT && (effect->computes != COMPUTES_AND || effect->value == 1)) {
		condition_release(condition);
		operand.size = 1;
		err = condition_fill_operand(way, &operand, first, &shift, &condition->a);
		if (!err && (!condition->a.is_bool || !condition->a.is_result))
			err = -ENOENT;
		condition->kind = OPERANDS_COMPARE;
		condition->b.operand = (struct operand){ .kind = OPERAND_CONSTANT, .size = 1 };
	}
	if (err) {
		condition_release(condition);
		return err == -ENOENT ? 0 : err;
	}
	condition->condition = result == values[0] ? CONDITION_EQUAL : CONDITION_NOT_EQUAL;
	condition_add_text(&text, condition);
	condition->text = strdup(strbuf_str(&text));
	return condition->text ? 0 : -ENOMEM;
}
