// SPDX-License-Identifier: BSD-2-Clause
/* Where the ways lead that were not taken: questions answered by walking all of them (result_walk.c). */
#include "util/base/cleanup.h"
#include "util/base/text/errnames.h"
#include "util/explain/flow/result_flow_internal.h"
#include "util/explain/flow/result_walk.h"

static bool is_constant(const struct origin *origin, uint32_t value)
{
	return origin_is_constant(origin) && (uint32_t)origin->choice.values[0] == value;
}

/* Where the way would have gone on. */
static struct flow_point other_side(const struct path *path, const struct flow_branch *branch)
{
	const struct path_step *step = &path->steps.data[branch->step];

	return (struct flow_point){
		.addr = branch->taken ? step->addr + step->insn.length : step->insn.target,
		.stack = branch->flow.stack,
		.frame = branch->flow.frame,
		.clear = branch->flow.clear,
	};
}

/*
 * Whether a branch's other side also returns the value from @origin. NULL: constants with the
 * result's value count, even if they were loaded earlier.
 *
 * @or_result	so does this one; 0: none
 */
static enum flow_ends walk_other_side(struct code_reader *reader,
				      const struct code_function *function,
				      const struct path *path, struct result_flow *flow,
				      const struct flow_branch *branch, const struct origin *result,
				      int32_t or_result)
{
	struct walk walk = {
		.reader = reader,
		.function = function,
		.results = flow,
		.for_all = true,
		.slots = branch->flow,
		.constants = or_result || !result || result->kind == ORIGIN_CONSTANT,
		.was_read = result && result->kind == ORIGIN_READ,
		.or_result = or_result,
		.is_number = !or_result && (!result || same_origin(result, &flow->result)),
	};
	struct flow_point from = other_side(path, branch);

	for (uint32_t i = 0; i < NR_REGISTERS + branch->flow.nr_slots; i++) {
		const struct origin *origin = &branch->flow.places[i];

		if (origin->kind == ORIGIN_UNKNOWN)
			from.unsure |= 1ull << i;
		else if ((result && same_origin(origin, result)) ||
			 ((or_result || !result) && is_constant(origin, flow->value)) ||
			 (or_result && is_constant(origin, or_result)))
			from.places |= 1ull << i;
	}
	from.settled = flow_still_settled(flow, branch);
	if (!function_contains(reader, function, from.addr))
		walk_out(&walk, &from, from.addr);
	else if (walk_all(&walk, from, &walk.different))
		return FLOW_UNCLEAR;
	if (walk.different)
		return FLOW_DIFFERENT;
	if (walk.unclear)
		return FLOW_UNCLEAR;
	return walk.different_behind_trap ? FLOW_BEHIND_TRAP : FLOW_SAME;
}

enum flow_ends flow_other_side(struct code_reader *reader, const struct code_function *function,
			       const struct path *path, struct result_flow *flow,
			       const struct flow_branch *branch)
{
	return walk_other_side(reader, function, path, flow, branch, &flow->result, 0);
}

/* Where the other side leads, if a constant counts as the result. */
static enum flow_ends ends_for(struct code_reader *reader, const struct code_function *function,
			 const struct path *path, struct result_flow *flow,
			 const struct flow_branch *branch, int32_t constant)
{
	uint32_t value = flow->value;
	enum flow_ends ends;

	flow->value = constant;
	ends = walk_other_side(reader, function, path, flow, branch, NULL, 0);
	flow->value = value;
	return ends;
}

bool flow_fails_with(struct code_reader *reader, const struct code_function *function,
		     const struct path *path, struct result_flow *flow,
		     const struct flow_branch *branch, int err)
{
	return (int32_t)flow->value != -err &&
	       walk_other_side(reader, function, path, flow, branch, &flow->result, -err) == FLOW_SAME;
}

bool flow_only_fails(struct code_reader *reader, const struct code_function *function,
		     const struct path *path, struct result_flow *flow,
		     const struct flow_branch *branch)
{
	enum flow_ends ends = FLOW_DIFFERENT;

	/* Too much code for one errno is too much for each. */
	for (int err = 1; err <= LAST_ERRNO && ends == FLOW_DIFFERENT; err++)
		ends = ends_for(reader, function, path, flow, branch, -err);
	return ends == FLOW_SAME;
}

/* The ends of the other side: same is set if some way returns a constant that is an error, but not @except. */
static struct walk walk_to_errors(struct code_reader *reader, const struct code_function *function,
				  const struct path *path, struct result_flow *flow,
				  const struct flow_branch *branch, uint32_t except)
{
	struct walk walk = { .reader = reader, .function = function, .results = flow, .slots = branch->flow,
			     .errors = true };
	struct flow_point from = other_side(path, branch);
	const uint32_t value = flow->value;

	for (uint32_t i = 0; i < NR_REGISTERS + branch->flow.nr_slots; i++) {
		const struct origin *origin = &branch->flow.places[i];

		if (origin->kind == ORIGIN_UNKNOWN)
			from.unsure |= 1ull << i;
		else if (origin_is_constant(origin) && is_error(origin->choice.values[0]) &&
			 !is_constant(origin, except))
			from.places |= 1ull << i;
	}
	from.settled = flow_still_settled(flow, branch);
	flow->value = except;
	if (!function_contains(reader, function, from.addr) || walk_all(&walk, from, NULL))
		walk.same = walk.different = false;
	flow->value = value;
	return walk;
}

bool flow_goes_on(struct code_reader *reader, const struct code_function *function, const struct path *path,
		  struct result_flow *flow, const struct flow_branch *branch)
{
	return walk_to_errors(reader, function, path, flow, branch, flow->value).same &&
	       walk_to_errors(reader, function, path, flow, branch, 0).different;
}

bool flow_returns_tested(struct code_reader *reader, const struct code_function *function,
			 const struct path *path, struct result_flow *flow,
			 const struct flow_branch *branch)
{
	for (uint32_t i = 0; i < branch->nr_tested; i++) {
		const struct origin *tested = &branch->tested[i];

		if (tested->kind == ORIGIN_CALL && tested->step > flow->result.step &&
		    flow_held_with_int(reader, path, branch, -1) != branch->taken &&
		    walk_other_side(reader, function, path, flow, branch, tested, 0) == FLOW_SAME)
			return true;
	}
	return false;
}

bool flow_slot_of(const struct flow *at, const struct operand *operand, int64_t *ret_slot)
{
	bool of_frame = operand->reg == REG_FRAME && is_frame_known(at->frame);

	*ret_slot = operand->value + (of_frame ? at->frame : at->stack);
	return operand->kind == OPERAND_MEMORY && (operand->reg == REG_STACK || of_frame);
}

enum flow_ends flow_leads_to_compare(struct code_reader *reader, const struct code_function *function,
				     const struct path *path, struct result_flow *flow,
				     const struct flow_branch *branch, const struct flow_branch *later)
{
	uint32_t at = flow_comparison(reader, path, later->step);
	struct insn_operands operands;
	struct walk walk = {
		.reader = reader,
		.function = function,
		.results = flow,
		.for_all = true,
		.slots = branch->flow,
		.path = path,
		.branch = later,
	};
	struct flow_point from = other_side(path, branch);
	int64_t slot;

	if (at == UINT32_MAX || code_operands(reader, path->steps.data[at].addr, &operands))
		return FLOW_UNCLEAR;
	walk.compared_at = path->steps.data[at].addr;
	if (operands.a.kind == OPERAND_REGISTER)
		walk.compared = operands.a.reg;
	else
		walk.compared = flow_slot_of(&later->flow, &operands.a, &slot) ?
					flow_slot_at(&walk.slots, slot, true) : -1;
	if (walk.compared < 0)
		return FLOW_UNCLEAR;
	for (uint32_t i = 0; i < NR_REGISTERS + branch->flow.nr_slots; i++) {
		const struct origin *origin = &branch->flow.places[i];
		bool is_constant = origin_is_constant(origin);
		int held = is_constant ? flow_held_with_int(reader, path, later, origin->choice.values[0]) : -1;

		if (origin->kind == ORIGIN_UNKNOWN || (is_constant && held < 0))
			from.unsure |= 1ull << i;
		else if (is_constant && held == later->taken)
			from.places |= 1ull << i;
	}
	from.settled = flow_still_settled(flow, branch);
	if (function_contains(reader, function, from.addr) && walk_all(&walk, from, &walk.different))
		return FLOW_UNCLEAR;
	if (walk.different)
		return FLOW_DIFFERENT;
	return walk.unclear || walk.different_behind_trap ? FLOW_UNCLEAR : FLOW_SAME;
}

bool flow_may_return_tested(struct code_reader *reader, const struct code_function *function,
			    const struct path *path, struct result_flow *flow, const struct flow_branch *branch,
			    const struct origin *tested)
{
	struct walk walk = { .reader = reader, .function = function, .results = flow, .slots = branch->flow };
	struct flow_point from = other_side(path, branch);

	for (uint32_t i = 0; i < NR_REGISTERS + branch->flow.nr_slots; i++) {
		if (same_origin(&branch->flow.places[i], tested))
			from.places |= 1ull << i;
	}
	if (!function_contains(reader, function, from.addr))
		walk_out(&walk, &from, from.addr);
	else if (walk_all(&walk, from, &walk.same))
		return true;
	return walk.same || walk.unclear;
}

bool flow_may_store_by(struct code_reader *reader, const struct code_function *function, const struct path *path,
		       struct result_flow *flow, const struct flow_branch *branch, uint8_t reg, bool *ret_sure)
{
	struct walk walk = { .reader = reader, .function = function, .results = flow, .slots = branch->flow,
			     .is_address = true };
	struct flow_point from = other_side(path, branch);

	for (uint32_t i = 0; i < NR_REGISTERS + branch->flow.nr_slots; i++) {
		const struct origin *origin = &branch->flow.places[i];

		if (origin->kind == ORIGIN_START && origin->step == reg)
			from.places |= 1ull << i;
		else if (origin->kind == ORIGIN_UNKNOWN)
			from.unsure |= 1ull << i;
	}
	if (!function_contains(reader, function, from.addr))
		walk_out(&walk, &from, from.addr);
	else if (walk_all(&walk, from, &walk.stored))
		walk.unclear = true;
	*ret_sure = walk.stored;
	return walk.stored || walk.may_store || walk.unclear;
}

int flow_without_calls(struct code_reader *reader, const struct code_function *function,
		       uint64_t from, uint64_t callee, const uint64_t *returns, uint32_t nr_returns,
		       uint64_t value, struct result_flow *flow, bool *ret_handed_on, bool *ret_own)
{
	struct walk walk = {
		.reader = reader,
		.function = function,
		.results = flow,
		.returns = returns,
		.nr_returns = nr_returns,
	};
	struct flow_point start = { .addr = from, .frame = FLOW_NO_FRAME };
	struct walk own;
	int err;

	own = walk;
	flow->value = value;
	start.places = 1ull << callee_at(reader, callee).result;
	err = walk_all(&walk, start, &walk.same);
	own.constants = true;
	start.places = 0;
	if (!err)
		err = walk_all(&own, start, &own.same);
	if (err)
		return err;
	*ret_handed_on = walk.same;
	*ret_own = own.same;
	return walk.same || own.same || !(walk.unclear || own.unclear) ? 0 : -ENOENT;
}

bool flow_hands_on(struct code_reader *reader, const struct code_function *function, uint64_t from, uint64_t value,
		   bool is_known)
{
	_cleanup_(flow_release) struct result_flow flow = { .value = value };
	struct walk walk = { .reader = reader, .function = function, .results = &flow, .for_all = true,
			     .hands_on = true, .is_number = is_known };
	struct flow_point start = {
		.addr = from,
		.frame = FLOW_NO_FRAME,
		.places = 1ull << REG_RESULT,
		.unsure = ~(1ull << REG_RESULT),
	};

	return !walk_all(&walk, start, &walk.unclear) && walk.same && !walk.unclear && !walk.stored;
}

bool flow_may_return(struct code_reader *reader, const struct code_function *function, uint64_t from, uint64_t value)
{
	_cleanup_(flow_release) struct result_flow flow = { .value = value };
	struct walk walk = { .reader = reader, .function = function, .results = &flow, .constants = true, .any = true };
	const struct flow_point start = { .addr = from, .frame = FLOW_NO_FRAME, .unsure = ~0ull };

	return walk_all(&walk, start, NULL) || walk.same || walk.unclear ||
	       !(walk.different || walk.different_behind_trap);
}
