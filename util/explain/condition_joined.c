// SPDX-License-Identifier: BSD-2-Clause
/* Two conditions of the source in one branch: "a && b", "a || b". */
#include <errno.h>
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/explain/condition_internal.h"
#include "util/explain/flow/result_flow.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand.h"

/* Whether the operands of a comparison have the same registers at a later step. */
static bool can_be_read_at(const struct operand_way *way, const struct decision_condition *condition,
			   uint32_t compared, uint32_t later)
{
	const struct operand *const operands[] = { &condition->a.operand, &condition->b.operand };

	if (condition->compared_at != way->path->steps.data[compared].addr)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(operands); i++) {
		if (operands[i]->kind == OPERAND_CONSTANT)
			continue;
		if (operands[i]->kind != OPERAND_REGISTER)
			return false;
		for (uint32_t step = compared; step < later; step++) {
			const struct insn_effect *effect =
				code_effect(way->reader, way->path->steps.data[step].addr);

			if (!effect || effect->writes & REG_BIT(operands[i]->reg))
				return false;
		}
	}
	return true;
}

/* One of two conditions held, or both did. */
static int join_either(const struct operand_way *way, struct decision_condition *first,
		       struct decision_condition *second, uint32_t at,
		       struct decision_condition *condition)
{
	uint32_t before = flow_comparison(way->reader, way->path, at);
	bool readable = !first->either && can_be_read_at(way, first, before, at) &&
			can_be_read_at(way, second, at, at);

	/* "a && b || c" has three values. */
	if (first->after || second->after)
		return -ENOENT;
	condition->text = strf("%s || %s", first->text, second->text);
	if (!condition->text)
		return -ENOMEM;
	if (!readable)
		return 0;
	condition->either = calloc(NR_EITHER, sizeof(*condition->either));
	if (!condition->either)
		return -ENOMEM;
	condition->compared_at = second->compared_at;
	condition->compared_again = second->compared_again;
	condition->either[0] = *first;
	condition->either[1] = *second;
	*first = *second = (struct decision_condition){};
	return 0;
}

int condition_of_second(const struct operand_way *way, uint32_t branch, bool taken, uint32_t at,
			const struct insn_operands *operands, bool otherwise,
			struct decision_condition *condition)
{
	_cleanup_(condition_release) struct decision_condition first = {}, second = {};
	bool both = taken != otherwise;
	int err = condition_of_branch(way, at, both, &first);

	if (err && (!both || err != -ENOENT))
		return err;
	err = condition_of_comparison(way, branch, taken, at, *operands, &second);
	if (err)
		return err;
	if (!both)
		return join_either(way, &first, &second, at, condition);
	*condition = second;
	second = (struct decision_condition){};
	if (!first.text)
		return 0;
	free(condition->after);
	condition->after = !first.after ? take_ptr(first.text) :
					  strf("%s && %s", first.after, first.text);
	return condition->after ? 0 : -ENOMEM;
}

/* A flag that is one of two conditions: its value tells whether that held. */
static void take_flag(const struct decision_condition *of, const struct operand *flag, struct decision_condition *own)
{
	own->compared_at = of->compared_at;
	own->compared_again = of->compared_again;
	own->kind = OPERANDS_COMPARE;
	own->condition = CONDITION_NOT_EQUAL;
	decision_operand_release(&own->a);
	decision_operand_release(&own->b);
	own->a = (struct decision_operand){ .operand = *flag, .is_bool = true };
	own->b = (struct decision_operand){ .operand = { OPERAND_CONSTANT, 0, flag->size, 0 }, .has_value = true };
}

int condition_of_flags(const struct operand_way *way, uint32_t at, const struct insn_operands *operands,
		       struct decision_condition *condition)
{
	_cleanup_(condition_release) struct decision_condition first = {}, second = {};
	bool any = condition->condition == CONDITION_NOT_EQUAL;
	uint32_t one = flag_written(way, operands->a, at), other = flag_written(way, operands->b, at);
	int err;

	if (one == UINT32_MAX || other == UINT32_MAX || (!any && condition->condition != CONDITION_EQUAL))
		return -ENOENT;
	err = condition_of_branch(way, one, any, &first) ?: condition_of_branch(way, other, any, &second);
	if (err)
		return err;
	if (first.either || second.either || first.after || second.after)
		return -ENOENT;
	condition->text = strf("%s %s %s", first.text, any ? "||" : "&&", second.text);
	if (!condition->text)
		return -ENOMEM;
	if (!any)
		return 0;
	condition->either = calloc(NR_EITHER, sizeof(*condition->either));
	if (!condition->either)
		return -ENOMEM;
	condition->compared_at = way->path->steps.data[at].addr;
	condition->compared_again = path_times_again(way->path, at);
	take_flag(condition, &operands->a, &first);
	take_flag(condition, &operands->b, &second);
	condition->either[0] = first;
	condition->either[1] = second;
	first = second = (struct decision_condition){};
	return 0;
}
