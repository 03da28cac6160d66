// SPDX-License-Identifier: BSD-2-Clause
/*
 * The branch that decided: the last conditional branch on the way whose other side could have led
 * to another result. No later branch could change the result any more.
 *
 * To find out, all ways from the other side are walked up to the function's returns, following
 * the value from place to place. So branches of epilogues, cleanups and checks of the stack
 * protector decide nothing; nor does a branch on the result itself, which was settled with the
 * result.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/base/text/errnames.h"
#include "util/explain/decider_internal.h"
#include "util/explain/flow/result_flow_internal.h"

/* Whether a branch only tests a flag that was settled with the result: "if (should_retry)". */
static bool tests_clear_flag(struct decider *decider, const struct flow_branch *branch)
{
	const struct path_step *steps = decider->path.steps.data;
	uint32_t at = flow_comparison(&decider->reader, &decider->path, branch->step);
	struct insn_operands operands;
	enum condition condition;

	if (at == UINT32_MAX || at + 1 != branch->step ||
	    code_operands(&decider->reader, steps[at].addr, &operands) ||
	    !flow_is_clear(&operands, branch->flow.clear))
		return false;
	condition = code_condition(&decider->reader, steps[branch->step].addr, &operands);
	return condition != CONDITION_UNKNOWN &&
	       condition_holds(condition, 0, 0, operands.a.size) == branch->taken;
}

/* Whether a branch only tests the result: its outcome was settled with the result. */
static bool is_settled(const struct result_flow *flow, const struct flow_branch *branch)
{
	for (uint32_t i = 0; i < branch->nr_tested; i++) {
		if (!same_origin(&branch->tested[i], &flow->result))
			return false;
	}
	return branch->nr_tested;
}

/* Whether a jump through a table follows the branch: its other targets are not examined. */
static bool jumps_by_table_after(const struct path *path, const struct flow_branch *branch)
{
	for (uint32_t i = branch->step + 1; i + 1 < path->steps.len; i++) {
		if (path->steps.data[i].insn.kind == BRANCH_INDIRECT_JUMP)
			return true;
	}
	return false;
}

static bool is_elsewhere(const struct operand *operand)
{
	return operand->kind == OPERAND_VARIABLE ||
	       (operand->kind == OPERAND_MEMORY && operand->reg != REG_STACK &&
		operand->reg != REG_FRAME);
}

/*
 * As compares_constants(), by the stack alone: a call may have got the address since, and changed
 * the value.
 */
static bool may_compare_constants(struct decider *decider, const struct flow_branch *branch)
{
	uint32_t at = flow_comparison(&decider->reader, &decider->path, branch->step);
	bool is_partial = decider->path.begin != PATH_WHOLE, was_stored = false;
	struct insn_operands operands;

	if (at != UINT32_MAX &&
	    !code_operands(&decider->reader, decider->path.steps.data[at].addr, &operands) &&
	    (is_elsewhere(&operands.a) || is_elsewhere(&operands.b)))
		return false;
	if (decider_was_changed(decider, branch))
		return false;
	for (uint32_t i = 0; i < branch->nr_tested; i++) {
		const struct origin *tested = &branch->tested[i];

		/* What was on the stack where the known way begins may be a constant from before. */
		if (tested->kind != ORIGIN_CONSTANT && tested->kind != ORIGIN_OTHER &&
		    !(tested->kind == ORIGIN_START && is_partial))
			return false;
		was_stored |= tested->was_stored;
	}
	return was_stored;
}

/*
 * Whether the result was set for this branch, after the last call: "err = -ENOTDIR; if (...) goto out". Then a
 * later test of what a call may have changed could only have replaced it.
 */
static bool was_set_for(struct decider *decider, const struct code_function *function,
			const struct flow_branch *branch)
{
	const struct path_step *steps = decider->path.steps.data;
	const struct origin *result = &decider->flow.result;
	uint64_t body = function_body(&decider->reader, function);
	bool called = false;

	if (result->kind != ORIGIN_CONSTANT || branch->step < result->step)
		return false;
	for (uint32_t i = 0; i < branch->step; i++) {
		if (!is_call(&steps[i].insn))
			continue;
		if (i > result->step)
			return false;
		called |= steps[i].addr >= body;
	}
	return called;
}

/*
 * Whether a branch only chose between the result and an error that is no reason to fail. -EFAULT: it belongs
 * to a check that the program's memory is present. -ECHILD: the kernel looks a path up once more, with locks
 * (link_path_walk() of fs/namei.c, 5.10 to 7.2), so no program sees it.
 */
static bool is_no_reason(struct decider *decider, const struct code_function *function,
			 const struct flow_branch *branch)
{
	struct result_flow *flow = &decider->flow;

	return flow_fails_with(&decider->reader, function, &decider->path, flow, branch, EFAULT) ||
	       flow_fails_with(&decider->reader, function, &decider->path, flow, branch, ECHILD);
}

static const struct flow_branch *find_branch(struct decider *decider,
					     const struct code_function *function, size_t nr,
					     bool constant, const char **ret_doubt);

static const char set_before[] = "what it compared may have been set before";

bool decider_compared_constant(const struct flow_branch *branch, const char *doubt, int32_t *ret_constant)
{
	const struct origin *tested = &branch->tested[0];

	if (doubt != set_before || branch->nr_tested != 1 || !choice_is_constant(&tested->choice) ||
	    (tested->kind != ORIGIN_CONSTANT && tested->kind != ORIGIN_OTHER))
		return false;
	*ret_constant = tested->choice.values[0];
	return true;
}

/* A branch that may have compared constants, or an earlier one for which the result was set. */
static const struct flow_branch *find_likelier(struct decider *decider,
					       const struct code_function *function,
					       const struct flow_branch *branch,
					       const char **ret_doubt)
{
	const size_t nr_settled = decider->flow.settled.len;
	const struct flow_branch *before;
	const char *doubt = NULL;

	decider_note_settled(decider, branch);
	before = find_branch(decider, function, branch - decider->flow.branches.data, true, &doubt);
	if (before && !doubt && was_set_for(decider, function, before)) {
		*ret_doubt = "a call may have changed what was tested later";
		return before;
	}
	decider->flow.settled.len = nr_settled;
	*ret_doubt = set_before;
	return branch;
}

/*
 * The value that a branch found what it tested to be equal to, and how many bytes of it. False: it found something
 * else.
 */
static bool found_equal(struct decider *decider, const struct flow_branch *branch, int32_t *ret_value,
			uint8_t *ret_size)
{
	const struct path_step *steps = decider->path.steps.data;
	uint32_t at = flow_comparison(&decider->reader, &decider->path, branch->step);
	struct insn_operands operands;
	enum condition condition;

	if (at == UINT32_MAX || code_operands(&decider->reader, steps[at].addr, &operands) || operands.a.size < 4)
		return false;
	condition = code_condition(&decider->reader, steps[branch->step].addr, &operands);
	if (condition != (branch->taken ? CONDITION_EQUAL : CONDITION_NOT_EQUAL))
		return false;
	*ret_size = operands.a.size;
	if (operands.kind == OPERANDS_COMPARE && operands.b.kind == OPERAND_CONSTANT)
		*ret_value = operands.b.value;
	else if (operands.kind == OPERANDS_MASK && operands.a.kind == OPERAND_REGISTER &&
		 operands.b.kind == OPERAND_REGISTER && operands.a.reg == operands.b.reg)
		*ret_value = 0;
	else
		return false;
	return true;
}

/* Whether it is one value wherever it is tested: a parameter, what a call returned, or what was read at one place. */
static bool is_one_value(const struct decider *decider, const struct origin *tested)
{
	switch (tested->kind) {
	case ORIGIN_START:
		return decider->path.begin == PATH_WHOLE && tested->step < NR_REGISTERS;
	case ORIGIN_READ:
	case ORIGIN_CALL:
		return true;
	default:
		return false;
	}
}

/* The first branch before @end that found a value to be equal to a number, from @begin on; NULL: none did. */
static const struct flow_branch *found_number(struct decider *decider, const struct origin *tested,
					      const struct flow_branch *begin, const struct flow_branch *end,
					      int32_t *ret_value, uint8_t *ret_size)
{
	for (const struct flow_branch *before = begin; before < end; before++) {
		if (!before->is_move && before->nr_tested == 1 && same_origin(&before->tested[0], tested) &&
		    found_equal(decider, before, ret_value, ret_size))
			return before;
	}
	return NULL;
}

/*
 * The first of two comparisons of a branch, where the second one is not made if the first one's condition does not
 * hold: then the branch goes as it did.
 *
 * @operands	the first one's: a register, which is still the same at the branch, and a constant
 * @return	its condition; CONDITION_UNKNOWN: it is no such branch
 */
static enum condition first_of_two(struct decider *decider, const struct flow_branch *branch,
				   struct insn_operands *operands)
{
	const struct path_step *steps = decider->path.steps.data;
	uint32_t at = flow_comparison(&decider->reader, &decider->path, branch->step), first;
	bool otherwise;

	if (at == UINT32_MAX ||
	    !code_compared_if(&decider->reader, steps[at].addr, steps[branch->step].addr, operands, &otherwise) ||
	    operands->kind == OPERANDS_OTHER || otherwise != branch->taken)
		return CONDITION_UNKNOWN;
	first = flow_comparison(&decider->reader, &decider->path, at);
	if (first == UINT32_MAX || code_operands(&decider->reader, steps[first].addr, operands) ||
	    operands->kind != OPERANDS_COMPARE || operands->a.kind != OPERAND_REGISTER ||
	    operands->b.kind != OPERAND_CONSTANT)
		return CONDITION_UNKNOWN;
	for (uint32_t i = first; i < branch->step; i++) {
		const struct insn_effect *effect = code_effect(&decider->reader, steps[i].addr);

		if (!effect || effect->writes & REG_BIT(operands->a.reg))
			return CONDITION_UNKNOWN;
	}
	return code_condition(&decider->reader, steps[at].addr, operands);
}

/*
 * The earlier branch that had found the value which the first of two comparisons tested, so that the second one was
 * not made: "if (!p || err != -ESRCH) return err" behind "if (p) err = ...". NULL: there is none.
 */
static const struct flow_branch *found_before_second(struct decider *decider, const struct flow_branch *branch)
{
	const struct flow_branch *before = decider->flow.branches.data;
	struct insn_operands operands;
	const enum condition condition = first_of_two(decider, branch, &operands);
	const struct origin *tested;
	uint8_t size;
	int32_t value;

	if (condition == CONDITION_UNKNOWN)
		return NULL;
	tested = &branch->flow.places[operands.a.reg];
	if (tested->was_stored || !is_one_value(decider, tested))
		return NULL;
	while ((before = found_number(decider, tested, before, branch, &value, &size))) {
		if (size >= operands.a.size && !condition_holds(condition, value, operands.b.value, operands.a.size))
			return before;
		before++;
	}
	return NULL;
}

/*
 * The earlier branch that had found the value which a branch tested, so that this one could only do the same: compilers
 * use a variable that is 0 on the way in place of another one, as in "return sent ?: err"; and the source tests a
 * parameter once more, as "if (!bitmap) return 1" behind "bitmap || port == num". NULL: there is none.
 */
static const struct flow_branch *found_before(struct decider *decider, const struct flow_branch *branch)
{
	const struct flow_branch *before = decider->flow.branches.data;
	const struct origin *tested = &branch->tested[0];
	uint8_t size;
	int32_t value;
	int held;

	if (branch->nr_tested != 1 || !is_one_value(decider, tested) ||
	    (tested->was_stored && decider->flow.lent))
		return found_before_second(decider, branch);
	while ((before = found_number(decider, tested, before, branch, &value, &size))) {
		/* Of half a value, all of it may have been something else. */
		held = size == 8 ? flow_held_with_int(&decider->reader, &decider->path, branch, value) :
				   flow_held_with(&decider->reader, &decider->path, branch, value, size);
		if (held == branch->taken)
			return before;
		before++;
	}
	return found_before_second(decider, branch);
}

/* Note a branch whose value an earlier one had found, for ways to be walked from branches after that. */
static void note_found(struct decider *decider, const struct flow_branch *branch, const struct flow_branch *before)
{
	const struct path_step *steps = decider->path.steps.data;
	uint32_t at = flow_comparison(&decider->reader, &decider->path, branch->step);
	const struct origin *found = &branch->tested[0];
	struct insn_operands operands;

	if (first_of_two(decider, branch, &operands) != CONDITION_UNKNOWN)
		found = &branch->flow.places[operands.a.reg];
	else if (at == UINT32_MAX || code_operands(&decider->reader, steps[at].addr, &operands))
		return;
	if (decider->flow.settled.len == FLOW_MAX_SETTLED || operands.a.kind != OPERAND_REGISTER)
		return;
	/* Without memory, both sides are walked. */
	(void)vec_push(&decider->flow.settled, (struct flow_settled){
						       .addr = steps[branch->step].addr,
						       .taken = branch->taken,
						       .in_register = true,
						       .reg = operands.a.reg,
						       .found = *found,
						       .found_at = before->step,
					       });
}

static const char not_followed[] = "part of the code could not be followed";

/*
 * Whether a branch would have ended a loop without a failure, which a later one, that compares a constant, ended with
 * one: "for (;;) { if (used < size) break; if (!timeout) { *err = -EAGAIN; return NULL; } wait(); }". Where errors are
 * returned, it is not known which results are none: then only the branch next to the later one counts, and if the
 * function does its work after that. "if (shutdown) return 0" does not end a wait.
 */
static bool could_end_loop(struct decider *decider, const struct code_function *function,
			   const struct flow_branch *branch, const struct flow_branch *compares, bool is_next)
{
	const struct path_step *steps = decider->path.steps.data;
	struct result_flow *flow = &decider->flow;
	const size_t nr_settled = flow->settled.len;
	struct origin tested;
	bool could;

	if ((!decider->stored_param && !is_next) || !decider_tested_constant(decider, compares, &tested) ||
	    branch->step < tested.step ||
	    !decider_may_lead(decider, function, decider_other_side(&steps[compares->step], compares),
			      steps[branch->step].addr, steps[compares->step].addr))
		return false;
	decider_note_settled(decider, compares);
	could = flow_other_side(&decider->reader, function, &decider->path, flow, branch) == FLOW_DIFFERENT &&
		!flow_only_fails(&decider->reader, function, &decider->path, flow, branch) &&
		!is_no_reason(decider, function, branch) &&
		(decider->stored_param ||
		 flow_goes_on(&decider->reader, function, &decider->path, flow, branch));
	flow->settled.len = nr_settled;
	return could;
}

/*
 * The branch that decided that a later one compared this constant: "if (!kind) ops = NULL; ... if (!ops) return
 * -EOPNOTSUPP". Branches between them from which no way leads to that comparison with another value have no part in
 * it, though they lead to other results, unless they would have ended a loop. NULL: there is none.
 *
 * @compares	the later branch, or move
 */
static const struct flow_branch *find_setter(struct decider *decider, const struct code_function *function,
					     const struct flow_branch *compares, const char **ret_doubt)
{
	struct result_flow *flow = &decider->flow;
	bool is_next = true;

	for (const struct flow_branch *branch = compares; branch-- > flow->branches.data;) {
		if (branch->is_move || decider_compares_constants(decider, function, branch) ||
		    found_before(decider, branch))
			continue;
		if (could_end_loop(decider, function, branch, compares, is_next))
			return branch;
		is_next = false;
		switch (flow_leads_to_compare(&decider->reader, function, &decider->path, flow, branch, compares)) {
		case FLOW_DIFFERENT:
			if (is_no_reason(decider, function, branch) || may_compare_constants(decider, branch))
				return NULL;
			if (jumps_by_table_after(&decider->path, branch))
				*ret_doubt = "a jump by a table came after it";
			return branch;
		case FLOW_SAME:
			break;
		default:
			*ret_doubt = not_followed;
			return compares;
		}
	}
	return NULL;
}

static const struct flow_branch *find_branch(struct decider *decider,
					     const struct code_function *function, size_t nr,
					     bool constant, const char **ret_doubt)
{
	struct result_flow *flow = &decider->flow;
	const struct flow_branch *later = NULL, *aside = NULL, *settled = NULL, *before, *setter;

	for (size_t i = nr; i-- > 0;) {
		const struct flow_branch *branch = &flow->branches.data[i];

		/* Branches before the value existed did not decide to return it. */
		if (!constant && branch->step < flow->result.step)
			return NULL;
		before = constant && !branch->is_move ? found_before(decider, branch) : NULL;
		if (before)
			note_found(decider, branch, before);
		if (branch->is_move || is_settled(flow, branch) || tests_clear_flag(decider, branch))
			continue;
		if (flow_only_replaces(&decider->reader, &decider->path, flow, branch)) {
			decider_note_succeeded(decider, branch);
			continue;
		}
		flow->takes_address = false;
		switch (flow_other_side(&decider->reader, function, &decider->path, flow, branch)) {
		case FLOW_DIFFERENT:
			if (constant && is_no_reason(decider, function, branch)) {
				aside = aside ?: branch;
				break;
			}
			if (constant && decider_compares_constants(decider, function, branch)) {
				setter = decider_led_to_result(decider, function, branch) ?
						 find_setter(decider, function, branch, ret_doubt) : NULL;
				if (setter)
					return setter;
				decider_note_settled(decider, branch);
				settled = settled ?: branch;
				break;
			}
			if (before) {
				settled = settled ?: branch;
				break;
			}
			if (jumps_by_table_after(&decider->path, branch))
				*ret_doubt = "a jump by a table came after it";
			if (!flow_returns_tested(&decider->reader, function, &decider->path, flow,
						 branch)) {
				if (constant && may_compare_constants(decider, branch))
					return find_likelier(decider, function, branch, ret_doubt);
				return branch;
			}
			decider_note_succeeded(decider, branch);
			later = later ?: branch;
			*ret_doubt = "a later call could have returned another one";
			break;
		case FLOW_UNCLEAR:
			*ret_doubt = not_followed;
			return branch;
		case FLOW_BEHIND_TRAP:
			/* copy_to_user() checks its size: behind a WARN(), too, it is no reason. */
			if (!constant || !is_no_reason(decider, function, branch))
				*ret_doubt = "another way ends in a trap that may be a WARN()";
			break;
		case FLOW_SAME:
			flow->lent |= flow->takes_address;
			break;
		}
	}
	if (constant && decider->path.begin != PATH_WHOLE)
		return NULL;
	if (!later)
		return aside ?: settled;
	/* No earlier branch could have led to another result: `later` decided. */
	*ret_doubt = NULL;
	return later;
}

const struct flow_branch *decider_find_branch(struct decider *decider,
					      const struct code_function *function, size_t nr,
					      bool constant, const char **ret_doubt)
{
	struct result_flow *flow = &decider->flow;

	flow->settled.len = 0;
	if (constant && flow->chosen >= 0 && flow->chosen_surely)
		decider_note_settled(decider, &flow->branches.data[flow->chosen]);
	if (constant)
		decider_note_elsewhere(decider, function);
	return find_branch(decider, function, nr, constant, ret_doubt);
}

bool decider_tested_another(struct decider *decider)
{
	return flow_tested_another(&decider->reader, &decider->path, &decider->flow, &decider->flow.result);
}

/*
 * Whether a conditional move did not decide that the function fails: its other value is an error,
 * too, or all values that it compared were constants on this way.
 */
static bool is_beside_the_point(const struct result_flow *flow, const struct flow_branch *move)
{
	const struct choice *choice = &flow->result.choice;

	if (choice->is_known[!move->taken] && is_error(choice->values[!move->taken]) &&
	    choice->values[!move->taken] != (int32_t)flow->value)
		return true;
	for (uint32_t i = 0; i < move->nr_tested; i++) {
		if (move->tested[i].kind != ORIGIN_CONSTANT && move->tested[i].kind != ORIGIN_OTHER)
			return false;
	}
	return move->nr_tested;
}

/*
 * Whether a branch tested the value that a later move found equal to a constant, so that it could not have gone
 * elsewhere: "case 3:" before the "case 1:" that selected one of two errors.
 */
static bool is_implied_by(struct decider *decider, const struct flow_branch *move, const struct flow_branch *branch)
{
	int32_t value;
	uint8_t size;

	return move->nr_tested == 1 && branch->nr_tested == 1 && !move->tested[0].was_stored &&
	       move->tested[0].kind != ORIGIN_UNKNOWN && same_origin(&move->tested[0], &branch->tested[0]) &&
	       found_equal(decider, move, &value, &size) &&
	       flow_held_with(&decider->reader, &decider->path, branch, value, size) == branch->taken;
}

const struct flow_branch *decider_find_before(struct decider *decider,
					      const struct code_function *function,
					      const struct flow_branch *move,
					      const char **ret_doubt)
{
	struct result_flow *flow = &decider->flow;
	const struct flow_branch *branch = move;

	if (!is_beside_the_point(flow, move))
		return NULL;
	if (flow->later_move >= 0) {
		*ret_doubt = NULL;
		return &flow->branches.data[flow->later_move];
	}
	/* Nor does a branch whose other side fails, too. */
	do {
		*ret_doubt = NULL;
		branch = decider_find_branch(decider, function, branch - flow->branches.data, true,
					     ret_doubt);
	} while (branch &&
		 ((flow->chosen_surely && is_implied_by(decider, move, branch)) ||
		  flow_only_fails(&decider->reader, function, &decider->path, flow, branch)));
	if (branch)
		return branch;
	*ret_doubt = NULL;
	if (decider->path.begin != PATH_WHOLE)
		*ret_doubt = "what decided may be before the known way";
	return NULL;
}
