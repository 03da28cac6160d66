// SPDX-License-Identifier: BSD-2-Clause
/* The condition behind a decision, and values passed to calls, on the way that decide() found. */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/trace/explain/condition.h"
#include "util/trace/explain/decider_internal.h"
#include "util/trace/explain/decision.h"
#include "util/trace/explain/operand.h"

/* Whether the condition is that a call returned this very error. */
static bool is_error_of_call(const struct decision_condition *condition, uint32_t error)
{
	const struct decision_operand *a = &condition->a, *b = &condition->b;

	return condition->kind == OPERANDS_COMPARE && condition->condition == CONDITION_EQUAL &&
	       a->is_result && b->operand.kind == OPERAND_CONSTANT && !b->name &&
	       (uint32_t)b->value == error;
}

/* Add the failure of a call that led to a constant result's branch, or move. */
static int fill_after(struct decider *decider, const struct operand_way *way,
		      const struct flow_branch *branch, struct decision *decision,
		      struct decision_condition *condition)
{
	const struct flow_branch *before;
	struct decision_condition earlier = {};
	const char *doubt = NULL;
	int err;

	if (!condition->text || condition_is_failure(condition) ||
	    decider->flow.result.kind != ORIGIN_CONSTANT)
		return 0;
	before = decider_find_branch(decider, way->function, branch - decider->flow.branches.data,
				     true, &doubt);
	if (!before || doubt)
		return 0;
	err = condition_fill(way, before->step, before->taken, &earlier);
	if (!err && condition_is_failure(&earlier)) {
		if (is_error_of_call(&earlier, decider->flow.value))
			decision->failed_callee = decider_tested_callee(decider, before);
		condition->after = take_ptr(earlier.text);
	}
	condition_release(&earlier);
	return err;
}

int decider_condition(struct decider *decider, const struct code_function *function,
		      const char *module, const struct syscall_params *syscall,
		      struct decision *decision, struct decision_condition *condition)
{
	const struct operand_way way = {
		.reader = &decider->reader,
		.btf = decider->btf,
		.function = function,
		.module = module,
		.path = &decider->path,
		.syscall = syscall,
	};
	int err;

	condition_release(condition);
	if (decision->kind == DECISION_COMPUTED && !decision->callees.len) {
		err = condition_fill_computed(&way, decider->flow.result.step, decider->value,
					      condition);
		if (condition->text)
			decision->kind = DECISION_SELECTED;
		return err;
	}
	if (decision->kind != DECISION_TAKEN && decision->kind != DECISION_NOT_TAKEN &&
	    decision->kind != DECISION_SELECTED)
		return 0;
	/* The last pass of this place: in a loop, earlier passes did not decide. */
	for (size_t i = decider->flow.branches.len; i-- > 0;) {
		const struct flow_branch *branch = &decider->flow.branches.data[i];

		if (branch->is_move == (decision->kind == DECISION_SELECTED) &&
		    decider->path.steps.data[branch->step].addr == decision->from.addr) {
			err = condition_fill(&way, branch->step, branch->taken, condition);
			return err ?: fill_after(decider, &way, branch, decision, condition);
		}
	}
	return 0;
}

int decider_passed(struct decider *decider, const struct code_function *function, uint64_t call,
		   struct passed_value *passed, uint32_t nr)
{
	const struct operand_way way = {
		.reader = &decider->reader,
		.function = function,
		.path = &decider->path,
	};
	struct operand operand = { .kind = OPERAND_REGISTER, .size = 8 };
	size_t step;
	int err;

	memset(passed, 0, nr * sizeof(*passed));
	/* decider->path may belong to a callee, where decide() looked last. */
	err = path_find(&decider->reader, function, decider->branches, 0, decider->branches->v.len,
			decider->types & PERF_SAMPLE_BRANCH_ANY, &decider->path);
	if (err)
		return err == -ENOMEM ? err : 0;
	for (step = decider->path.steps.len;
	     step && decider->path.steps.data[step - 1].addr != call;)
		step--;
	for (uint32_t i = 0; step && !err && i < nr && operands_parameter(i) >= 0; i++) {
		_cleanup_(expression_release) struct expression expression = {};

		operand.reg = operands_parameter(i);
		err = operand_expression(&way, &operand, step - 1, &expression);
		passed[i] = (struct passed_value){ expression.called, expression.called_at };
	}
	return err;
}
