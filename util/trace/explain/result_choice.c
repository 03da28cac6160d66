// SPDX-License-Identifier: BSD-2-Clause
/*
 * Results that were chosen without a branch.
 *
 * `return flag ? -EPERM : 0` has no branch often, but a conditional move, or a flag that is put into a
 * register and made an error by arithmetic. In both cases the result is one of two values, of which
 * constants are known here. Since the result is known, so is whether the condition held.
 */
#include "util/trace/explain/result_flow_internal.h"

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

struct choice choice_of_move(uint32_t move, const struct choice *to, const struct choice *from)
{
	return (struct choice){
		.move = move,
		.is_known = { choice_is_constant(to), choice_is_constant(from) },
		.values = { to->values[0], from->values[0] },
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

/* After a move, what has its value has that of @origin. */
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

/* Whether a move asked for nothing but the value that it leaves: what it is was settled before. */
static bool is_of_itself(const struct flow_branch *move, const struct origin *left)
{
	for (uint32_t i = 0; i < move->nr_tested; i++) {
		if (!same_origin(&move->tested[i], left))
			return false;
	}
	return move->nr_tested;
}

/* What a move leaves if its condition holds, or not; NULL: nothing that has an origin. */
static const struct origin *side_of(struct code_reader *reader, const struct path *path,
				    const struct flow_branch *move, bool held)
{
	const struct insn_effect *effect = code_effect(reader, path->steps.data[move->step].addr);

	if (!effect || effect->kind != EFFECT_SELECT)
		return NULL;
	if (held)
		return effect->from_is_zero ? NULL : &move->flow.places[effect->from];
	return effect->other_is_zero || effect->computes ? NULL : &move->flow.places[effect->other];
}

void choice_resolve(struct code_reader *reader, const struct path *path,
		    struct result_flow *results)
{
	struct origin *result = &results->result;

	results->chosen = -1;
	while (result->kind == ORIGIN_COMPUTED && result->choice.move && !result->choice.is_byte) {
		const struct choice *choice = &result->choice;
		struct flow_branch *move = &results->branches.data[choice->move - 1];
		const struct origin *side = NULL;
		struct origin origin;
		bool may[2], held;

		for (int i = 0; i < 2; i++)
			may[i] = !choice->is_known[i] ||
				 choice->values[i] == (int32_t)results->value;
		/* Neither, or nothing that would tell which. */
		if (may[0] == may[1] && (!may[0] || choice->is_known[0] == choice->is_known[1]))
			return;
		held = may[0] && may[1] ? choice->is_known[1] : may[1];
		if (result->step == move->step)
			side = side_of(reader, path, move, held);
		if (choice->is_known[held] && !(side && is_of_itself(move, side))) {
			results->chosen = choice->move - 1;
			results->chosen_surely = may[0] != may[1];
			move->taken = held;
			return;
		}
		/* The constant is not what came of it; what did may have been computed with since. */
		if (!side || may[0] == may[1])
			return;
		origin = *side;
		origin.was_stored |= result->was_stored;
		replace(results, move->step, &origin);
		*result = origin;
	}
}
