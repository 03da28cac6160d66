// SPDX-License-Identifier: BSD-2-Clause
/* The condition behind a decision, and the one that led to it, on the way that decide() found. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/explain/condition.h"
#include "util/explain/decider_internal.h"
#include "util/explain/decision.h"
#include "util/explain/decision_lines.h"
#include "util/kernel/symbols/symbols.h"

/* The most conditions before one that are asked whether a call had failed. */
#define MAX_TOGETHER 8
/* The most conditions that are shown before a missing capability. */
#define MAX_REFUSED 3

/* Whether the condition is that a call returned this very error. */
static bool is_error_of_call(const struct decision_condition *condition, uint32_t error)
{
	const struct decision_operand *a = &condition->a, *b = &condition->b;

	return condition->kind == OPERANDS_COMPARE && condition->condition == CONDITION_EQUAL &&
	       a->is_result && b->operand.kind == OPERAND_CONSTANT && !b->name &&
	       (uint32_t)b->value == error;
}

static bool is_null(const struct decision_condition *condition)
{
	return condition->text && condition->kind == OPERANDS_COMPARE &&
	       condition->condition == CONDITION_EQUAL && condition->a.is_pointer &&
	       condition->b.operand.kind == OPERAND_CONSTANT && !condition->b.value;
}

/*
 * Whether the source has two branches in one function, as far as the debug info knows: what decided
 * that an inlined function was called did not decide in it.
 */
static bool in_one_function(const struct decider *decider, uint64_t a, uint64_t b)
{
	struct decision_place at_a, at_b;

	place_fill(&decider->reader, a, false, &at_a);
	place_fill(&decider->reader, b, false, &at_b);
	return !at_a.function || !at_b.function || !strcmp(at_a.function, at_b.function);
}

/* "err == 0": of what went well before. */
static bool is_success(const struct decision_condition *condition)
{
	return condition->kind == OPERANDS_COMPARE && condition->condition == CONDITION_EQUAL &&
	       condition->a.is_variable && condition->a.is_signed &&
	       condition->b.operand.kind == OPERAND_CONSTANT && !condition->b.value;
}

/* "is_over_limit(...)": a call returned true. */
static bool is_true(const struct decision_condition *condition)
{
	const struct decision_operand *a = &condition->a, *b = &condition->b;

	return a->is_result && a->is_bool && condition->condition == CONDITION_NOT_EQUAL &&
	       b->operand.kind == OPERAND_CONSTANT &&
	       (condition->kind == OPERANDS_MASK || (condition->kind == OPERANDS_COMPARE && !b->value));
}

/* Whether what calls returned is compared as numbers, "limit < round_size(size)", not asked whether they failed. */
static bool compares_numbers(const struct decision_condition *condition)
{
	return condition->kind == OPERANDS_COMPARE && condition->condition != CONDITION_EQUAL &&
	       condition->condition != CONDITION_NOT_EQUAL && condition->b.operand.kind != OPERAND_CONSTANT;
}

/*
 * Whether a condition decided together with a later branch, or with what the result was computed of, as in "if
 * (is_missing && !may_create) return -ENOENT": otherwise that is not reached, and the call need not fail.
 *
 * @is_needed	it is known that the later branch need not have been reached; it may be one of an inlined function
 */
static bool decided_too(struct decider *decider, const struct code_function *function,
			const struct flow_branch *before, const struct flow_branch *branch,
			const struct decision_condition *earlier, bool is_needed)
{
	const struct path_step *step = &decider->path.steps.data[before->step];
	uint64_t other = decider_other_side(step, before);

	/* A call that succeeded is no reason. */
	return !before->is_move && earlier->text &&
	       (is_true(earlier) || ((earlier->a.is_named || earlier->b.is_named) && compares_numbers(earlier)) ||
		(earlier->a.is_named && !earlier->a.is_result && !earlier->b.is_result) ||
		(branch->step == decider->flow.result.step && earlier->a.is_named && earlier->b.is_named)) &&
	       !is_success(earlier) &&
	       ((is_needed && branch->step != decider->flow.result.step) ||
		in_one_function(decider, step->addr, decider->path.steps.data[branch->step].addr)) &&
	       (is_needed ||
		!decider_may_lead(decider, function, other, decider->path.steps.data[branch->step].addr, 0)) &&
	       !flow_only_fails(&decider->reader, function, &decider->path, &decider->flow, before);
}

/* Whether what decided says it already: "state == 3" after "state != 2", "seals & 0x18" after "seals & 0x1c". */
static bool is_implied(const struct decision_condition *earlier, const struct decision_condition *condition)
{
	if (earlier->kind == OPERANDS_MASK && condition->kind == OPERANDS_MASK)
		return earlier->condition == CONDITION_NOT_EQUAL && condition->condition == CONDITION_NOT_EQUAL &&
		       earlier->b.operand.kind == OPERAND_CONSTANT && condition->b.operand.kind == OPERAND_CONSTANT &&
		       !earlier->b.name && !condition->b.name && !(condition->b.value & ~earlier->b.value) &&
		       earlier->a.name && condition->a.name && !strcmp(earlier->a.name, condition->a.name);
	return earlier->kind == OPERANDS_COMPARE && condition->kind == OPERANDS_COMPARE &&
	       earlier->condition == CONDITION_NOT_EQUAL && condition->condition == CONDITION_EQUAL &&
	       earlier->b.operand.kind == OPERAND_CONSTANT &&
	       condition->b.operand.kind == OPERAND_CONSTANT && earlier->a.name &&
	       condition->a.name && !strcmp(earlier->a.name, condition->a.name);
}

/* The last branch without which the place that set the constant result would not be reached. */
static const struct flow_branch *find_setting(struct decider *decider, const struct code_function *function)
{
	const struct path_step *steps = decider->path.steps.data;
	uint32_t set = decider->flow.result.step;

	for (size_t i = decider->flow.branches.len; i-- > 0;) {
		const struct flow_branch *branch = &decider->flow.branches.data[i];
		const struct path_step *step = &steps[branch->step];

		if (branch->step < set && !branch->is_move &&
		    !decider_may_lead(decider, function, decider_other_side(step, branch), steps[set].addr,
			      step->addr))
			return branch;
	}
	return NULL;
}

/*
 * The constant may have been set since a call had failed, and a later condition only made the
 * function return it: "err = want_write() ? -EROFS : may_create(); ... if (err && is_missing)
 * return err".
 */
static int fill_set_after(struct decider *decider, const struct operand_way *way,
			  struct decision *decision, struct decision_condition *condition)
{
	const struct flow_branch *setting = find_setting(decider, way->function);
	struct decision_condition earlier = {};
	const struct symbol *called = NULL;
	int err = setting ? condition_fill(way, setting->step, setting->taken, &earlier) : 0;

	/* Any function may return NULL or false: an error is more. */
	if (!err && condition_is_failure(&earlier) && earlier.a.is_signed && earlier.a.called) {
		if (!earlier.b.value || is_error_of_call(&earlier, decider->flow.value))
			called = called_symbol_of(&decider->reader, earlier.a.called);
		decision->failed_callee = called ? called->name : NULL;
		condition->after = take_ptr(earlier.text);
	}
	condition_release(&earlier);
	return err;
}

/*
 * Several conditions may have led to the branch together: "if (!p && sig > 31 && code != 0) return -EAGAIN". If one of
 * them is that a call had returned NULL, that one tells more than the others. Ways on which another call returned NULL
 * do not count as ways around it.
 */
static int fill_failure(struct decider *decider, const struct operand_way *way, const struct flow_branch *branch,
			const struct flow_branch *before, struct decision_condition *condition)
{
	const uint64_t to = decider->path.steps.data[branch->step].addr;
	const char *doubt = NULL;
	int err = 0;

	for (int i = 0; !err && before && !doubt && i < MAX_TOGETHER; i++) {
		const struct path_step *step = &decider->path.steps.data[before->step];
		struct decision_condition earlier = {};

		if (decider_may_lead_but(decider, way->function, decider_other_side(step, before), to, step->addr, true))
			break;
		err = condition_fill(way, before->step, before->taken, &earlier);
		if (!err && is_null(&earlier) && earlier.a.is_result) {
			if (!flow_only_fails(&decider->reader, way->function, &decider->path, &decider->flow, before)) {
				free(condition->after);
				condition->after = take_ptr(earlier.text);
			}
			before = NULL;
		}
		condition_release(&earlier);
		if (before)
			before = decider_find_branch(decider, way->function, before - decider->flow.branches.data,
						     true, &doubt);
	}
	return err;
}

/* Whether what decided is that a capability was missing: "!capable(CAP_IPC_LOCK)". */
static bool lacks_capability(struct decider *decider, const struct decision_condition *condition)
{
	const struct symbol *called = condition_is_failure(condition) && condition->a.called ?
					      called_symbol_of(&decider->reader, condition->a.called) :
					      NULL;

	return called && strstr(called->name, "capable");
}

/* Where code goes on at an address that may only have a jump. */
static uint64_t behind_jumps(struct decider *decider, const struct code_function *function, uint64_t at)
{
	struct branch_insn insn;

	for (int i = 0; i < MAX_TOGETHER && function_contains(&decider->reader, function, at) &&
			!code_branch(&decider->reader, at, &insn) && insn.kind == BRANCH_JUMP; i++)
		at = insn.target;
	return at;
}

/*
 * Whether the last branch need not have been reached, as a branch's other side leads elsewhere: "if (nr <= limit ||
 * capable(CAP_IPC_LOCK))". If it may lead there, too, it leads to that one's other side, and not over @around, the next
 * branch that counts.
 */
static bool leads_around(struct decider *decider, const struct code_function *function,
			 const struct flow_branch *before, const struct flow_branch *last,
			 const struct flow_branch *around)
{
	const struct path_step *steps = decider->path.steps.data;
	uint64_t fine = behind_jumps(decider, function, decider_other_side(&steps[last->step], last));
	uint64_t other = decider_other_side(&steps[before->step], before);

	return !decider_may_lead(decider, function, other, steps[last->step].addr, 0) ||
	       decider_may_lead(decider, function, other, fine, steps[around->step].addr);
}

/* Settings of the system that switch a check on. */
static bool is_setting(const struct decision_condition *condition)
{
	return condition->a.name && startswith(condition->a.name, "sysctl_");
}

/* "first && second", or "first" alone. Owned; NULL without memory. */
static char *and_of(const char *first, const char *second)
{
	if (!second)
		return strdup(first);
	return strf(strstr(first, " || ") ? "(%s) && %s" : "%s && %s", first, second);
}

/*
 * A capability is asked for where something else is not enough: "if (nr > limit && !capable(CAP_IPC_LOCK)) return
 * -ENOMEM". That is the reason. Add what decided together with it, and the setting without which nobody had asked.
 *
 * @branch	NULL: the result was computed of the condition; what led there counts, though another might have, too
 */
static int fill_refused(struct decider *decider, const struct operand_way *way, const struct flow_branch *branch,
			struct decision_condition *condition)
{
	const struct result_flow *flow = &decider->flow;
	const struct flow_branch *before = branch ?: flow->branches.data + flow->branches.len, *asked = branch;
	const struct flow_branch computed = { .step = flow->result.step }, *around = branch;
	int err = 0, nr = 0;
	bool next = true;

	for (int i = 0; !err && nr < MAX_REFUSED && i < MAX_TOGETHER; i++) {
		struct decision_condition earlier = {};
		const char *doubt = NULL;
		char *text = NULL;

		before = decider_find_branch(decider, way->function, before - flow->branches.data, true, &doubt);
		if (!before || doubt)
			break;
		err = condition_fill(way, before->step, before->taken, &earlier);
		if (!err && earlier.text && (next || is_setting(&earlier)) &&
		    (lacks_capability(decider, &earlier) ||
		     decided_too(decider, way->function, before, branch ?: &computed, &earlier,
				 branch ? leads_around(decider, way->function, before, asked, around) : !i))) {
			text = and_of(earlier.text, condition->after);
			err = text ? 0 : -ENOMEM;
		}
		if (asked && text && lacks_capability(decider, &earlier))
			asked = before;
		condition_release(&earlier);
		next = text;
		if (!text)
			continue;
		nr++;
		around = before;
		free(condition->after);
		condition->after = text;
	}
	return err;
}

static bool same_operand(const struct operand *a, const struct operand *b)
{
	return a->kind == b->kind && a->reg == b->reg && a->size == b->size && a->value == b->value;
}

/* Whether the instruction at @at is another one with these operands: a register, and a constant. */
static bool is_copy(struct decider *decider, const struct insn_operands *compared, uint64_t at)
{
	struct insn_operands operands;

	return !code_operands(&decider->reader, at, &operands) && operands.kind == compared->kind &&
	       same_operand(&operands.a, &compared->a) && same_operand(&operands.b, &compared->b);
}

/*
 * Whether code of the function leads from one address to another one that compares what the instruction at
 * @compared_at compares, without @except on the way. False if it is not known.
 */
static bool leads_to_copy(struct decider *decider, const struct code_function *function, uint64_t from,
			  uint64_t compared_at, uint64_t except)
{
	struct insn_operands compared;
	struct branch_insn insn;

	/* Many places compare a register with 0. */
	if (code_operands(&decider->reader, compared_at, &compared) || compared.kind != OPERANDS_COMPARE ||
	    compared.a.kind != OPERAND_REGISTER || compared.b.kind != OPERAND_CONSTANT || !compared.b.value)
		return false;
	for (uint64_t at = function->addr; at < function->addr + function->size; at += insn.length) {
		if (code_branch(&decider->reader, at, &insn))
			return false;
		if (at != compared_at && is_copy(decider, &compared, at) && decider_may_lead(decider, function, from, at, except))
			return true;
	}
	return false;
}

/*
 * Compilers copy a test to both sides of an earlier branch: "if (cmd == SET && file->tun) return -EEXIST" may find
 * the pointer first, and compare the command in two places, with the same result in both. Add the earlier branch, if
 * nothing else has been added: it decided which place was reached.
 */
static int fill_copied(struct decider *decider, const struct operand_way *way, const struct flow_branch *branch,
		       struct decision_condition *condition)
{
	const struct path_step *steps = decider->path.steps.data;
	const struct flow_branch *first = decider->flow.branches.data, *before = branch;
	struct decision_condition earlier = {};
	int err = 0;

	if (!condition->text || condition->after || condition_is_failure(condition) ||
	    decider->flow.result.kind != ORIGIN_CONSTANT || condition->kind != OPERANDS_COMPARE ||
	    condition->condition != CONDITION_EQUAL || !condition->compared_at)
		return 0;
	for (int i = 0; !err && !condition->after && before > first && i < MAX_TOGETHER; i++) {
		const struct path_step *step = &steps[(--before)->step];
		uint64_t other = decider_other_side(step, before);

		if (before->is_move || decider_may_lead(decider, way->function, other, steps[branch->step].addr, step->addr) ||
		    !leads_to_copy(decider, way->function, other, condition->compared_at, step->addr))
			continue;
		err = condition_fill(way, before->step, before->taken, &earlier);
		if (!err && !is_success(&earlier) && in_one_function(decider, step->addr, steps[branch->step].addr))
			condition->after = take_ptr(earlier.text);
		condition_release(&earlier);
	}
	return err;
}

/* "case S_IFDIR:" */
static bool is_case(const struct decision_condition *condition)
{
	return condition->kind == OPERANDS_COMPARE && condition->condition == CONDITION_EQUAL && condition->a.is_named &&
	       condition->b.operand.kind == OPERAND_CONSTANT && condition->b.value;
}

/*
 * Add what led to several errors, if between it and what decided there are only branches that fail otherwise: the case
 * of "case S_IFDIR: if (mask & MAY_WRITE) return -EISDIR; if (mask & MAY_EXEC) return -EACCES". If what decided fails
 * otherwise, too, it only chose which error: "is_empty ? -ENOENT : -EINVAL" of what is no symbolic link.
 */
static int fill_reason(struct decider *decider, const struct operand_way *way, const struct flow_branch *branch,
		       const struct flow_branch *before, struct decision_condition *condition)
{
	const struct path_step *steps = decider->path.steps.data, *step;
	struct decision_condition earlier = {};
	const char *doubt = NULL;
	int err = 0;

	for (int i = 0; !err && before && !doubt && !condition->after && i < MAX_TOGETHER; i++) {
		step = &steps[before->step];
		if (decider_may_lead(decider, way->function, decider_other_side(step, before), steps[branch->step].addr,
				     step->addr))
			break;
		if (!flow_only_fails(&decider->reader, way->function, &decider->path, &decider->flow, before)) {
			err = condition_fill(way, before->step, before->taken, &earlier);
			if (!err && earlier.text && !is_success(&earlier) && !is_implied(&earlier, condition) &&
			    ((is_case(&earlier) && decided_too(decider, way->function, before, branch, &earlier, false)) ||
			     flow_only_fails(&decider->reader, way->function, &decider->path, &decider->flow, branch)))
				condition->after = take_ptr(earlier.text);
			condition_release(&earlier);
			break;
		}
		before = decider_find_branch(decider, way->function, before - decider->flow.branches.data, true, &doubt);
	}
	return err;
}

/*
 * Add the condition that led to a constant result's branch, or move: the failure of a call, a
 * pointer that was NULL, or a condition that decided together with it.
 */
static int fill_after(struct decider *decider, const struct operand_way *way,
		      const struct flow_branch *branch, struct decision *decision,
		      struct decision_condition *condition)
{
	const struct flow_branch *before;
	const struct path_step *step;
	struct decision_condition earlier = {};
	const char *doubt = NULL;
	int err;

	if (!condition->after && (lacks_capability(decider, condition) ||
				  (branch->is_move && condition->text && decider->flow.result.kind == ORIGIN_COMPUTED)))
		return fill_refused(decider, way, branch, condition);
	if (!condition->text || condition_is_failure(condition) || decider->flow.result.kind != ORIGIN_CONSTANT)
		return 0;
	/* One branch tested two conditions: the first is known by now. */
	if (!condition->after && branch->step > decider->flow.result.step) {
		err = fill_set_after(decider, way, decision, condition);
		if (err || condition->after)
			return err;
	}
	before = decider_find_branch(decider, way->function, branch - decider->flow.branches.data,
				     true, &doubt);
	if (!before || doubt)
		return 0;
	step = &decider->path.steps.data[before->step];
	/* Otherwise the branch would have been reached, too: the condition did not lead to it. */
	if (condition->after || decider_may_lead(decider, way->function, decider_other_side(step, before),
		     decider->path.steps.data[branch->step].addr, step->addr))
		return fill_failure(decider, way, branch, before, condition);
	err = condition_fill(way, before->step, before->taken, &earlier);
	if (!err && is_error_of_call(&earlier, decider->flow.value))
		decision->failed_callee = decider_tested_callee(decider, before);
	/* Had the call not failed, the function would have, as behind "if (strchr(name, '\n')) return -EINVAL". */
	if (!err && (condition_is_failure(&earlier) || is_null(&earlier)) &&
	    flow_only_fails(&decider->reader, way->function, &decider->path, &decider->flow, before)) {
		condition_release(&earlier);
		return fill_reason(decider, way, branch, before, condition);
	}
	if (!err && (condition_is_failure(&earlier) || is_null(&earlier))) {
		condition->after = take_ptr(earlier.text);
		condition_release(&earlier);
		return 0;
	}
	if (!err && !is_implied(&earlier, condition) && decided_too(decider, way->function, before, branch, &earlier, false))
		condition->after = take_ptr(earlier.text);
	condition_release(&earlier);
	err = err ?: fill_failure(decider, way, branch, before, condition);
	return err || condition->after ? err : fill_reason(decider, way, branch, before, condition);
}

/*
 * "if (!capable(CAP_SYS_NICE)) { if (policy != p->policy) return -EPERM; ... }": what was refused is that capability,
 * and the condition one of several behind it. Add it.
 */
static int add_capability(struct decider *decider, const struct operand_way *way, const struct flow_branch *branch,
			  struct decision_condition *condition)
{
	const struct path_step *steps = decider->path.steps.data;
	struct decision_condition earlier = {};
	const char *callee;
	int err = 0;

	if (!condition->text || (int32_t)decider->flow.value != -EPERM || lacks_capability(decider, condition) ||
	    (condition->after && strstr(condition->after, "capable(")))
		return 0;
	for (const struct flow_branch *before = branch; !err && before-- > decider->flow.branches.data;) {
		callee = before->is_move ? NULL : decider_tested_callee(decider, before);
		if (!callee || !strstr(callee, "capable") ||
		    decider_may_lead(decider, way->function, decider_other_side(&steps[before->step], before),
				     steps[branch->step].addr, steps[before->step].addr))
			continue;
		err = condition_fill(way, before->step, before->taken, &earlier);
		if (!err && lacks_capability(decider, &earlier)) {
			char *after = and_of(earlier.text, condition->after);

			free(condition->after);
			condition->after = after;
			err = after ? 0 : -ENOMEM;
			before = decider->flow.branches.data;
		}
		condition_release(&earlier);
	}
	return err;
}

int decider_condition(struct decider *decider, const struct code_function *function,
		      const char *module, const struct syscall_params *syscall,
		      struct decision *decision, struct decision_condition *condition)
{
	struct operand_way way = decider_way(decider, function);
	int err;

	way.module = module;
	way.syscall = syscall;
	condition_release(condition);
	if (decision->kind == DECISION_COMPUTED && !decision->callees.len) {
		err = condition_fill_computed(&way, decider->flow.result.step, decider->value,
					      condition);
		if (condition->text)
			decision->kind = DECISION_SELECTED;
		if (!err && condition->text)
			return fill_refused(decider, &way, NULL, condition);
		return err ?: condition->text ? 0 : decider_fill_origin(&way, decider->flow.result.step, condition);
	}
	if (decision->kind == DECISION_READ && !decision->callees.len)
		return decider_fill_origin(&way, decider->flow.result.step, condition);
	if (decision->kind != DECISION_TAKEN && decision->kind != DECISION_NOT_TAKEN &&
	    decision->kind != DECISION_SELECTED)
		return 0;
	for (size_t i = decider->flow.branches.len; i-- > 0;) {
		const struct flow_branch *branch = &decider->flow.branches.data[i];

		if (branch->is_move == (decision->kind == DECISION_SELECTED) &&
		    branch->step == decider->decided &&
		    decider->path.steps.data[branch->step].addr == decision->from.addr) {
			err = condition_fill(&way, branch->step, branch->taken, condition);
			return err ?: fill_after(decider, &way, branch, decision, condition) ?:
				      fill_copied(decider, &way, branch, condition) ?:
				      add_capability(decider, &way, branch, condition);
		}
	}
	return 0;
}
