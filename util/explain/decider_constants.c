// SPDX-License-Identifier: BSD-2-Clause
/* Branches that compared only constants: then earlier code decided. */
#include <stdbool.h>
#include <stdint.h>

#include "util/base/cleanup.h"
#include "util/explain/decider_internal.h"
#include "util/explain/flow/result_flow_internal.h"
#include "util/explain/function/operand.h"

/* The value of an operand that was a constant on this way, and that no other code could change. */
static bool is_constant(const struct operand_way *way, const struct operand *operand, uint32_t step,
			uint64_t *ret_value)
{
	_cleanup_(expression_release) struct expression expression = {};

	*ret_value = operand->value;
	if (operand->kind == OPERAND_CONSTANT)
		return true;
	if (operand_expression(way, operand, step, &expression))
		return false;
	*ret_value = expression.value;
	return expression.is_constant;
}

/*
 * Whether the bits of a register that step @at tests were cleared on the way: "if (create_error)
 * flags &= ~O_CREAT", and later "if (flags & O_CREAT)".
 */
static bool tests_cleared_bits(const struct operand_way *way, const struct insn_operands *operands,
			       uint32_t at)
{
	struct operand value = operands->a;
	uint64_t mask = operands->b.value;
	struct written written;

	if (operands->kind != OPERANDS_MASK || value.kind != OPERAND_REGISTER ||
	    operands->b.kind != OPERAND_CONSTANT)
		return false;
	if (value.size < 8)
		mask &= (1ull << value.size * 8) - 1;
	for (; (written = value_written(way, &value, at)).by == WRITTEN_HERE; at = written.step) {
		const struct insn_effect *effect =
			code_effect(way->reader, way->path->steps.data[written.step].addr);

		if (value.kind == OPERAND_MEMORY) {
			if (effect->kind != EFFECT_STORE ||
			    effect->displacement != written.value.value ||
			    stack_is_shared(way, &value, at, written.called))
				return false;
			value.kind = OPERAND_REGISTER;
			value.reg = effect->from;
		} else if (effect->kind == EFFECT_COPY) {
			value.reg = effect->from;
		} else if (effect->kind == EFFECT_LOAD && effect->on_stack) {
			value.kind = OPERAND_MEMORY;
			value.reg = effect->base;
			value.value = effect->displacement;
		} else if (effect->computes != COMPUTES_AND || effect->on_stack) {
			return false;
		} else if (!(mask & effect->value)) {
			return true;
		} else {
			/* arm64 clears bits of one register and writes another. */
			value.reg = effect->from;
		}
	}
	return false;
}

bool decider_compares_constants(struct decider *decider, const struct code_function *function,
				const struct flow_branch *branch)
{
	const struct operand_way way = decider_way(decider, function);
	const struct path_step *steps = decider->path.steps.data;
	uint32_t at = flow_comparison(&decider->reader, &decider->path, branch->step);
	struct insn_operands operands;
	enum condition condition;
	uint64_t a, b;

	if (decider->path.begin != PATH_WHOLE || at == UINT32_MAX ||
	    code_operands(&decider->reader, steps[at].addr, &operands) ||
	    (operands.kind != OPERANDS_COMPARE && operands.kind != OPERANDS_MASK))
		return false;
	if (tests_cleared_bits(&way, &operands, at))
		a = b = 0;
	else if (!is_constant(&way, &operands.a, at, &a) || !is_constant(&way, &operands.b, at, &b))
		return false;
	condition = code_condition(&decider->reader, steps[branch->step].addr, &operands);
	if (condition == CONDITION_UNKNOWN)
		return true;
	if (operands.kind == OPERANDS_MASK) {
		a &= b;
		b = 0;
	}
	/* If they would have led elsewhere, they are not what was compared. */
	return condition_holds(condition, a, b, operands.a.size) == branch->taken;
}

bool decider_tested_constant(struct decider *decider, const struct flow_branch *branch, struct origin *ret)
{
	uint32_t at = flow_comparison(&decider->reader, &decider->path, branch->step);
	struct insn_operands operands;
	int64_t slot;
	int place;

	if (branch->nr_tested) {
		*ret = branch->tested[0];
		return branch->nr_tested == 1 && origin_is_constant(ret);
	}
	if (at == UINT32_MAX || code_operands(&decider->reader, decider->path.steps.data[at].addr, &operands) ||
	    operands.b.kind != OPERAND_CONSTANT || !flow_slot_of(&branch->flow, &operands.a, &slot))
		return false;
	place = flow_find_slot(&branch->flow, slot);
	if (place < 0)
		return false;
	*ret = branch->flow.places[place];
	return origin_is_constant(ret);
}

/* Where a constant result appeared, also one that a move chose: "return copied ?: err". UINT32_MAX: not known. */
static uint32_t result_appeared(struct decider *decider)
{
	const struct result_flow *flow = &decider->flow;
	const struct origin *chosen = &flow->result;
	const struct flow_branch *move;

	if (chosen->kind != ORIGIN_CONSTANT && flow->chosen >= 0 && flow->chosen_surely) {
		move = &flow->branches.data[flow->chosen];
		chosen = flow_side_of(&decider->reader, &decider->path, move, move->taken);
	}
	return chosen && origin_is_constant(chosen) && (uint32_t)chosen->choice.values[0] == flow->value ?
		       chosen->step : UINT32_MAX;
}

bool decider_led_to_result(struct decider *decider, const struct code_function *function,
			   const struct flow_branch *branch)
{
	uint32_t appeared = result_appeared(decider);
	struct origin tested;

	return appeared != UINT32_MAX && appeared > branch->step && decider_tested_constant(decider, branch, &tested) &&
	       flow_held_with_int(&decider->reader, &decider->path, branch, tested.choice.values[0]) ==
		       branch->taken &&
	       !flow_may_return_tested(&decider->reader, function, &decider->path, &decider->flow, branch,
				       &tested) &&
	       !flow_only_fails(&decider->reader, function, &decider->path, &decider->flow, branch);
}

bool decider_was_changed(struct decider *decider, const struct flow_branch *branch)
{
	const struct origin *tested = branch->tested;
	uint32_t at = flow_comparison(&decider->reader, &decider->path, branch->step);
	struct insn_operands operands;
	enum condition condition;
	int held = -1;

	if (!branch->nr_tested || !origin_is_constant(&tested[0]))
		return false;
	if (branch->nr_tested == 1) {
		held = flow_held_with_int(&decider->reader, &decider->path, branch, tested[0].choice.values[0]);
	} else if (origin_is_constant(&tested[1]) && tested[0].choice.values[0] == tested[1].choice.values[0] &&
		   at != UINT32_MAX && !code_operands(&decider->reader, decider->path.steps.data[at].addr, &operands) &&
		   operands.kind == OPERANDS_COMPARE) {
		condition = code_condition(&decider->reader, decider->path.steps.data[branch->step].addr, &operands);
		if (condition != CONDITION_UNKNOWN)
			held = condition_holds(condition, 0, 0, operands.a.size);
	}
	return held >= 0 && held != branch->taken;
}

/*
 * The place on the stack of a value that a branch compared, either directly or by a register that
 * was loaded from there. False: it was elsewhere.
 */
static bool slot_compared(struct decider *decider, const struct flow_branch *branch,
			  const struct operand *operand, uint32_t at, int64_t *ret_slot)
{
	const struct path_step *steps = decider->path.steps.data;
	bool in_register = operand->kind == OPERAND_REGISTER, is_there;
	int64_t stack = branch->flow.stack;

	for (uint32_t i = branch->step; i-- > 0;) {
		const struct insn_effect *effect = code_effect(&decider->reader, steps[i].addr);

		if (!effect || steps[i].exception || effect->writes & REG_BIT(REG_STACK))
			return false;
		stack -= effect->moves_stack;
		is_there = in_register ? i < at && effect->writes & REG_BIT(operand->reg) : i == at;
		if (!is_there)
			continue;
		if (in_register)
			*ret_slot = slot_place(stack, branch->flow.frame, effect);
		else
			*ret_slot = operand->value + stack;
		return in_register ? effect->kind == EFFECT_LOAD && effect->on_stack :
				     operand->kind == OPERAND_MEMORY && operand->reg == REG_STACK;
	}
	return false;
}

/* Whether a register that was compared had a constant in all of it: of a negative one, half is known. */
static bool compared_register(const struct flow_branch *branch, const struct operand *operand)
{
	const struct origin *tested = &branch->tested[0];

	return operand->kind == OPERAND_REGISTER && branch->nr_tested == 1 && !tested->was_stored &&
	       origin_is_constant(tested) && tested->choice.values[0] >= 0;
}

void decider_note_settled(struct decider *decider, const struct flow_branch *branch)
{
	uint32_t at = flow_comparison(&decider->reader, &decider->path, branch->step);
	const struct path_step *steps = decider->path.steps.data;
	struct flow_settled settled = {
		.addr = steps[branch->step].addr,
		.taken = branch->taken,
	};
	struct flow flow = branch->flow;
	struct insn_operands operands;
	int slot;

	if (decider->flow.settled.len == FLOW_MAX_SETTLED || at == UINT32_MAX ||
	    code_operands(&decider->reader, steps[at].addr, &operands))
		return;
	if (operands.a.kind == OPERAND_CONSTANT)
		operands.a = operands.b;
	/* A register tested with itself is one value. */
	else if (operands.b.kind != OPERAND_CONSTANT &&
		 (operands.b.kind != operands.a.kind || operands.b.reg != operands.a.reg))
		return;
	if (compared_register(branch, &operands.a)) {
		settled.in_register = true;
		settled.reg = operands.a.reg;
		settled.value = branch->tested[0].choice.values[0];
	} else {
		if (!slot_compared(decider, branch, &operands.a, at, &settled.slot))
			return;
		slot = flow_slot_at(&flow, settled.slot, false);
		if (slot < 0 || !choice_is_constant(&flow.places[slot].choice))
			return;
		settled.value = flow.places[slot].choice.values[0];
	}
	/* Without memory, both sides are walked. */
	(void)vec_push(&decider->flow.settled, settled);
}

void decider_note_succeeded(struct decider *decider, const struct flow_branch *branch)
{
	struct result_flow *flow = &decider->flow;
	bool tests_call = false;

	for (uint32_t i = 0; i < branch->nr_tested; i++)
		tests_call |= branch->tested[i].kind == ORIGIN_CALL && branch->tested[i].step > flow->result.step;
	if (!tests_call || flow->settled.len == FLOW_MAX_SETTLED)
		return;
	/* Without memory, both sides are walked. */
	(void)vec_push(&flow->settled, (struct flow_settled){
					       .addr = decider->path.steps.data[branch->step].addr,
					       .taken = branch->taken,
					       .always = true,
				       });
}
