// SPDX-License-Identifier: BSD-2-Clause
/*
 * Results that were chosen without a branch.
 *
 * `return flag ? -EPERM : 0` is often compiled without a branch: to a conditional move, or to a
 * flag in a register that arithmetic turns into an error. In both cases the result is one of two
 * values, which are known here if they are constants. The actual result then shows whether the
 * condition held.
 */
#include "util/base/text/errnames.h"
#include "util/explain/flow/result_flow_internal.h"
#include "util/explain/function/operand.h"

struct choice choice_of_constant(int64_t value)
{
	return (struct choice){
		.is_known = { true, true },
		.values = { value, value },
	};
}

bool choice_is_constant(const struct choice *choice)
{
	return !choice->move && choice->is_known[0] && choice->is_known[1];
}

bool origin_is_constant(const struct origin *origin)
{
	return (origin->kind == ORIGIN_CONSTANT || origin->kind == ORIGIN_OTHER) &&
	       choice_is_constant(&origin->choice);
}

struct choice choice_of_move(uint32_t move, const struct origin *to, const struct origin *from)
{
	return (struct choice){
		.move = move,
		.is_known = { choice_is_constant(&to->choice), choice_is_constant(&from->choice) },
		.was_stored = { to->was_stored, from->was_stored },
		.loaded = { to->loaded, from->loaded },
		.values = { to->choice.values[0], from->choice.values[0] },
	};
}

struct choice choice_compute(const struct insn_effect *effect, uint32_t move,
			     const struct choice *to, const struct choice *from)
{
	struct choice choice = *from;

	switch (effect->computes) {
	case COMPUTES_UNKNOWN:
		return (struct choice){};
	case COMPUTES_FLAG:
	case COMPUTES_FLAG_BYTE:
		return (struct choice){
			.move = move,
			.is_byte = effect->computes == COMPUTES_FLAG_BYTE &&
				   !(choice_is_constant(to) && !to->values[0]),
			.is_known = { true, true },
			.values = { 0, effect->value },
		};
	default:
		break;
	}
	if (!choice.move || (choice.is_byte && effect->computes != COMPUTES_BYTE))
		return (struct choice){};
	choice.is_byte = false;
	for (int i = 0; i < 2; i++)
		choice.values[i] = effect_computed(effect, choice.values[i]);
	return choice;
}

/* Give all places that have the value of the move at @step the origin @origin. */
static void replace(struct result_flow *results, uint32_t step, const struct origin *origin)
{
	vec_foreach(branch, &results->branches) {
		for (int i = 0; branch->step > step && i < FLOW_PLACES; i++) {
			struct origin *place = &branch->flow.places[i];

			if (place->kind == ORIGIN_COMPUTED && place->step == step)
				*place = *origin;
		}
		for (uint32_t i = 0; branch->step > step && i < branch->nr_tested; i++) {
			struct origin *tested = &branch->tested[i];

			if (tested->kind == ORIGIN_COMPUTED && tested->step == step)
				*tested = *origin;
		}
	}
}

/* Whether a move only tested the value that it leaves: then earlier code decided the value. */
static bool is_of_itself(const struct flow_branch *move, const struct origin *left)
{
	for (uint32_t i = 0; i < move->nr_tested; i++) {
		if (!same_origin(&move->tested[i], left))
			return false;
	}
	return move->nr_tested;
}

uint32_t flow_comparison(struct code_reader *reader, const struct path *path, uint32_t branch)
{
	struct insn_operands operands;

	/* Some branches compare by themselves. */
	if (!code_operands(reader, path->steps.data[branch].addr, &operands) &&
	    (operands.kind == OPERANDS_COMPARE || operands.kind == OPERANDS_MASK))
		return branch;
	for (uint32_t i = branch; i-- > 0;) {
		const struct path_step *step = &path->steps.data[i];
		const struct insn_effect *effect = code_effect(reader, step->addr);

		if (!effect || step->exception || step->insn.kind == BRANCH_CALL ||
		    step->insn.kind == BRANCH_INDIRECT_CALL)
			return UINT32_MAX;
		if (effect->sets_flags)
			return i;
	}
	return UINT32_MAX;
}

const struct origin *flow_side_of(struct code_reader *reader, const struct path *path,
				  const struct flow_branch *move, bool held)
{
	const struct insn_effect *effect = code_effect(reader, path->steps.data[move->step].addr);
	const struct flow *flow = &move->flow;
	int slot;

	if (!effect || effect->kind != EFFECT_SELECT)
		return NULL;
	if (held && effect->from_on_stack && !(effect->base == REG_STACK && flow->stack_lost)) {
		slot = flow_find_slot(flow, slot_place(flow->stack, flow->frame, effect));
		return slot < 0 ? NULL : &flow->places[slot];
	}
	if (held)
		return effect->from_is_zero || effect->from_is_memory ? NULL : &flow->places[effect->from];
	return effect->other_is_zero || effect->computes ? NULL : &flow->places[effect->other];
}

/* The lower half of a constant; false: it is none. */
static bool number_of(const struct origin *origin, uint32_t *ret_number)
{
	*ret_number = origin->choice.values[0];
	return origin_is_constant(origin);
}

int flow_held_with(struct code_reader *reader, const struct path *path,
		   const struct flow_branch *branch, int64_t a, uint8_t size)
{
	uint32_t at = flow_comparison(reader, path, branch->step);
	struct insn_operands operands;
	enum condition condition;
	int64_t b;

	if (at == UINT32_MAX || branch->nr_tested > 1 ||
	    code_operands(reader, path->steps.data[at].addr, &operands) || operands.a.size != size ||
	    operands.a.kind != (branch->nr_tested ? OPERAND_REGISTER : OPERAND_MEMORY))
		return -1;
	if (operands.b.kind == OPERAND_CONSTANT)
		b = operands.b.value;
	else if (operands.b.kind == OPERAND_REGISTER && operands.b.reg == operands.a.reg)
		b = a;
	else
		return -1;
	condition = code_condition(reader, path->steps.data[branch->step].addr, &operands);
	if (condition == CONDITION_UNKNOWN)
		return -1;
	if (operands.kind == OPERANDS_MASK)
		return condition_holds(condition, a & b, 0, size);
	return operands.kind == OPERANDS_COMPARE ? condition_holds(condition, a, b, size) : -1;
}

int flow_held_with_int(struct code_reader *reader, const struct path *path, const struct flow_branch *branch,
		       int32_t value)
{
	int held = flow_held_with(reader, path, branch, value, 4);

	return held < 0 ? flow_held_with(reader, path, branch, value, 8) : held;
}

/* Whether one of two registers that a bitwise "and" has is clear. */
static bool operand_is_clear(const struct insn_operands *operands, reg_set clear)
{
	return (operands->a.kind == OPERAND_REGISTER && clear & REG_BIT(operands->a.reg)) ||
	       (operands->b.kind == OPERAND_REGISTER && clear & REG_BIT(operands->b.reg));
}

bool flow_is_clear(const struct insn_operands *operands, reg_set clear)
{
	return operands->kind == OPERANDS_MASK && operands->a.size == 1 &&
	       operand_is_clear(operands, clear);
}

int flow_held_by_number(const struct operand_way *way, const struct flow_branch *move)
{
	const struct origin *tested = &move->tested[0];
	uint32_t number;

	if (move->nr_tested != 1 || !number_of(tested, &number) ||
	    (tested->was_stored && loaded_is_shared(way, tested->loaded)))
		return -1;
	return flow_held_with(way->reader, way->path, move, number, 4);
}

/* The register that a bitwise "and" of registers makes clear; NO_CLEAR: none. */
#define NO_CLEAR (-1)

static int cleared_by_and(struct code_reader *reader, uint64_t addr,
			  const struct insn_effect *effect, reg_set clear)
{
	struct insn_operands operands;

	/* A test has the same operands, and writes none. */
	if (!clear || code_operands(reader, addr, &operands) ||
	    operands.kind != OPERANDS_MASK || operands.a.kind != OPERAND_REGISTER ||
	    !(effect->writes & REG_BIT(operands.a.reg)) || !operand_is_clear(&operands, clear))
		return NO_CLEAR;
	return operands.a.reg;
}

reg_set flow_clear_after(struct code_reader *reader, uint64_t addr,
			 const struct insn_effect *effect, reg_set clear, int held)
{
	bool from = clear & REG_BIT(effect->from);
	int to = NO_CLEAR;

	if (effect->kind == EFFECT_COPY) {
		to = from ? effect->to : NO_CLEAR;
	} else if (effect->kind == EFFECT_OTHER) {
		switch (effect->computes) {
		case COMPUTES_FLAG:
		case COMPUTES_FLAG_BYTE:
			to = held == 0 ? effect->to : NO_CLEAR;
			break;
		case COMPUTES_BYTE:
		case COMPUTES_AND:
			to = from ? effect->to : NO_CLEAR;
			break;
		case COMPUTES_UNKNOWN:
			to = cleared_by_and(reader, addr, effect, clear);
			break;
		default:
			break;
		}
	}
	return (clear & ~effect->writes) | (to == NO_CLEAR ? 0 : REG_BIT(to));
}

bool flow_tested_another(struct code_reader *reader, const struct path *path, const struct result_flow *results,
			 const struct origin *origin)
{
	vec_foreach(branch, &results->branches) {
		int held;

		if (branch->is_move || branch->nr_tested != 1 || !same_origin(&branch->tested[0], origin))
			continue;
		held = flow_held_with(reader, path, branch, (int32_t)results->value, 4);
		if (held >= 0 && held != branch->taken)
			return true;
	}
	return false;
}

/*
 * Whether the call whose result a move tests did not return the function's result: an earlier branch found that, and
 * no called function can have changed the value since.
 */
static bool is_another(const struct operand_way *way, const struct flow_branch *move, const struct result_flow *results)
{
	const struct origin *tested = &move->tested[0];

	return flow_tested_another(way->reader, way->path, results, tested) &&
	       !(tested->was_stored && loaded_is_shared(way, tested->loaded));
}

/*
 * "return err ?: count" where a call returned err: if it returned this very result, the move left that.
 * Returns which side it is; -1: it is not so.
 */
static int held_by_call(struct code_reader *reader, const struct path *path,
			const struct flow_branch *move, uint32_t result)
{
	const struct origin *side;
	int held;

	if (move->nr_tested != 1 || move->tested[0].kind != ORIGIN_CALL)
		return -1;
	held = flow_held_with_int(reader, path, move, result);
	side = held < 0 ? NULL : flow_side_of(reader, path, move, held);
	return side && same_origin(side, &move->tested[0]) ? held : -1;
}

void choice_resolve(const struct operand_way *way, struct result_flow *results)
{
	struct code_reader *reader = way->reader;
	const struct path *path = way->path;
	struct origin *result = &results->result;

	results->chosen = results->later_move = -1;
	results->assumed = results->by_call = false;
	while (result->kind == ORIGIN_COMPUTED && result->choice.move && !result->choice.is_byte) {
		struct choice *choice = &result->choice;
		struct flow_branch *move = &results->branches.data[choice->move - 1];
		const struct origin *side = NULL;
		int known = flow_held_by_number(way, move);
		struct origin origin;
		bool may[2], held, assumed, refuted;
		int by_call;

		for (int i = 0; i < 2; i++) {
			/* The result may be what a called function stored in its place. */
			if (choice->values[i] != (int32_t)results->value &&
			    choice->was_stored[i] && loaded_is_shared(way, choice->loaded[i]))
				choice->is_known[i] = false;
			may[i] = (known < 0 || known == i) &&
				 (!choice->is_known[i] ||
				  choice->values[i] == (int32_t)results->value);
		}
		by_call = may[0] && may[1] && !choice->is_known[0] && !choice->is_known[1] &&
					  result->step == move->step ?
				  held_by_call(reader, path, move, results->value) :
				  -1;
		assumed = by_call >= 0;
		refuted = assumed && (results->not_by_call || is_another(way, move, results));
		/* Neither value fits, or both do and nothing tells which it was. */
		if (!assumed && may[0] == may[1] &&
		    (!may[0] || choice->is_known[0] == choice->is_known[1]))
			return;
		held = assumed ? by_call ^ refuted : may[0] && may[1] ? choice->is_known[1] : may[1];
		if (result->step == move->step)
			side = flow_side_of(reader, path, move, held);
		if (choice->is_known[held] && !(side && is_of_itself(move, side))) {
			results->chosen = choice->move - 1;
			results->chosen_surely = may[0] != may[1];
			move->taken = held;
			return;
		}
		/*
		 * The move left the other value, not the constant. If it was computed with since,
		 * its origin is not known.
		 */
		if (!side || (may[0] == may[1] && !assumed))
			return;
		/* Another call's result is looked for among what that call returned. */
		results->assumed |= assumed && !(refuted && side->kind == ORIGIN_CALL);
		results->by_call |= assumed && !refuted;
		if (!assumed && known < 0 && results->later_move < 0 && choice->is_known[!held] &&
		    !is_error(choice->values[!held]) && !is_of_itself(move, side)) {
			results->later_move = choice->move - 1;
			move->taken = held;
		}
		origin = *side;
		if (choice->was_stored[held] && !origin.was_stored) {
			origin.was_stored = true;
			origin.loaded = choice->loaded[held];
		}
		if (result->was_stored)
			origin.loaded = origin.was_stored ? UINT32_MAX : result->loaded;
		origin.was_stored |= result->was_stored;
		replace(results, move->step, &origin);
		*result = origin;
	}
}
