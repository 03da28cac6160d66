// SPDX-License-Identifier: BSD-2-Clause
/* Several conditions of the source in one branch: "a && b", "a || b". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/explain/condition_internal.h"
#include "util/explain/flow/result_flow.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand.h"

/* The most members that are compared at once; more are texts, or structs. */
#define MAX_MEMBERS 3

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

/* Whether a flag is the highest bit of a number, shifted down, as compilers have it for "pid < 0 || flags". */
static bool find_sign(const struct operand_way *way, const struct operand *flag, uint32_t step,
		      struct insn_operands *ret_test, uint32_t *ret_step)
{
	const struct written written = value_written(way, flag, step);
	struct insn_arithmetic made;
	uint64_t addr;

	if (flag->kind != OPERAND_REGISTER || written.by != WRITTEN_HERE)
		return false;
	addr = way->path->steps.data[written.step].addr;
	*ret_step = written.step;
	return code_arithmetic(way->reader, addr, &made) && !strcmp(made.operator, ">>") &&
	       made.to.reg == flag->reg && !code_operands(way->reader, addr, ret_test) &&
	       ret_test->kind == OPERANDS_MASK &&
	       zero_extend(ret_test->b.value, ret_test->a.size) == 1ull << (ret_test->a.size * 8 - 1);
}

/* The condition that set a flag, if it is set, or that did not: @any. */
static int condition_of_flag(const struct operand_way *way, uint32_t branch, bool taken, uint32_t at,
			     const struct operand *flag, bool any, struct decision_condition *condition)
{
	struct insn_operands test;
	uint32_t step = flag_written(way, *flag, at);

	if (step != UINT32_MAX)
		return condition_of_branch(way, step, any, condition);
	if (!find_sign(way, flag, at, &test, &step))
		return -ENOENT;
	return condition_of_comparison(way, branch, taken, step, test, condition);
}

int condition_of_flags(const struct operand_way *way, uint32_t branch, bool taken, uint32_t at,
		       const struct insn_operands *operands, struct decision_condition *condition)
{
	_cleanup_(condition_release) struct decision_condition first = {}, second = {};
	bool any = condition->condition == CONDITION_NOT_EQUAL;
	int err;

	if (!any && condition->condition != CONDITION_EQUAL)
		return -ENOENT;
	err = condition_of_flag(way, branch, taken, at, &operands->a, any, &first) ?:
	      condition_of_flag(way, branch, taken, at, &operands->b, any, &second);
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

/* The constant that a register has before @step. */
static bool find_constant(const struct operand_way *way, const struct operand *operand, uint32_t step, uint64_t *ret)
{
	_cleanup_(expression_release) struct expression expression = {};

	*ret = operand->value;
	if (operand->kind == OPERAND_CONSTANT)
		return true;
	if (operand->kind != OPERAND_REGISTER || operand_expression(way, operand, step, &expression) ||
	    !expression.is_constant)
		return false;
	*ret = expression.value;
	return true;
}

/* Memory of which some bits are compared with a constant at once. */
struct wide {
	struct operand memory;
	uint32_t step; /* where its address is in a register */
	uint64_t mask, value;
};

static bool is_object(const struct operand *operand)
{
	return operand->kind == OPERAND_MEMORY && !operand_is_on_stack(operand);
}

/* The memory that an operand is, or that a register was loaded from. */
static bool find_memory(const struct operand_way *way, const struct operand *operand, uint32_t step, struct wide *wide)
{
	wide->memory = *operand;
	wide->step = step;
	if (is_object(operand))
		return true;
	return operand->kind == OPERAND_REGISTER &&
	       operand_loaded_from(way, operand, step, &wide->memory, &wide->step) &&
	       wide->memory.size == operand->size;
}

/* What of memory an instruction masks, or tests with a mask. */
static bool find_masked(const struct operand_way *way, const struct insn_operands *operands, uint32_t step,
			struct wide *wide)
{
	return operands->kind == OPERANDS_MASK &&
	       ((find_constant(way, &operands->b, step, &wide->mask) && find_memory(way, &operands->a, step, wide)) ||
		(find_constant(way, &operands->a, step, &wide->mask) && find_memory(way, &operands->b, step, wide)));
}

static bool find_wide(const struct operand_way *way, const struct insn_operands *operands, uint32_t at,
		      struct wide *wide)
{
	const struct insn_effect *effect;
	struct insn_operands before;
	struct operand masked = operands->a;
	struct written written;

	*wide = (struct wide){};
	if (operands->a.size < 2)
		return false;
	if (operands->kind != OPERANDS_COMPARE)
		return find_masked(way, operands, at, wide);
	if (!find_constant(way, &operands->b, at, &wide->value))
		return false;
	wide->mask = UINT64_MAX;
	if (is_object(&operands->a))
		return find_memory(way, &operands->a, at, wide);
	if (operands->a.kind != OPERAND_REGISTER)
		return false;
	written = value_written(way, &operands->a, at);
	if (written.by != WRITTEN_HERE || code_operands(way->reader, way->path->steps.data[written.step].addr, &before))
		return false;
	if (before.kind == OPERANDS_MASK)
		return before.a.kind == OPERAND_REGISTER && before.a.reg == operands->a.reg &&
		       before.a.size == operands->a.size && find_masked(way, &before, written.step, wide);
	effect = code_effect(way->reader, way->path->steps.data[written.step].addr);
	if (effect && effect->kind == EFFECT_OTHER && effect->computes == COMPUTES_AND) {
		wide->mask = effect->value;
		masked.reg = effect->from;
		return find_memory(way, &masked, written.step, wide);
	}
	return find_memory(way, &operands->a, at, wide);
}

/* The condition of one member; -ENOENT: none has that place and size, or how it is compared is not known. */
static int condition_of_member(const struct operand_way *way, uint32_t branch, bool taken, const struct wide *wide,
			       uint8_t at, uint8_t size, struct decision_condition *condition)
{
	uint64_t mask = zero_extend(wide->mask >> 8 * at, size), value = zero_extend(wide->value >> 8 * at, size);
	bool is_all = mask == zero_extend(UINT64_MAX, size), is_bit = value == mask && !(mask & (mask - 1));
	const struct insn_operands operands = {
		.kind = is_all ? OPERANDS_COMPARE : OPERANDS_MASK,
		.a = { OPERAND_MEMORY, wide->memory.reg, size, wide->memory.value + at },
		.b = { OPERAND_CONSTANT, 0, size, is_all ? value : mask },
	};
	int err;

	if (!is_all && value && !is_bit)
		return -ENOENT;
	err = condition_of_comparison(way, branch, taken != (!is_all && value), wide->step, operands, condition);
	if (!err && (!condition->a.is_named || !condition->a.is_typed || condition->a.whole ||
		     endswith(condition->a.name, "]")))
		err = -ENOENT;
	if (err)
		condition_release(condition);
	return err;
}

/* The condition of the member that has the byte @at, and where the member ends. */
static int condition_of_byte(const struct operand_way *way, uint32_t branch, bool taken, const struct wide *wide,
			     uint8_t at, uint8_t *ret_end, struct decision_condition *condition)
{
	int err = -ENOENT;

	for (uint8_t size = wide->memory.size; err == -ENOENT && size; size /= 2) {
		uint8_t begin = at / size * size;

		err = condition_of_member(way, branch, taken, wide, begin, size, condition);
		*ret_end = begin + size;
	}
	return err;
}

/* "first && second", or "first || second". */
static int join(struct decision_condition *condition, const char *operator, struct decision_condition *second)
{
	char *text = strf("%s %s %s", condition->text, operator, second->text);

	condition_release(condition);
	*condition = (struct decision_condition){ .text = text };
	return text ? 0 : -ENOMEM;
}

/* One of several held: all are the condition's. All of them held: the last is, after the others. */
static int add_member(struct decision_condition *condition, struct decision_condition *member, bool all)
{
	char *after;

	if (!condition->text) {
		*condition = *member;
		*member = (struct decision_condition){};
		return 0;
	}
	if (!all)
		return join(condition, "||", member);
	after = condition->after ? strf("%s && %s", condition->after, condition->text) : strdup(condition->text);
	condition_release(condition);
	*condition = *member;
	*member = (struct decision_condition){};
	free(condition->after);
	condition->after = after;
	return after ? 0 : -ENOMEM;
}

int condition_of_members(const struct operand_way *way, uint32_t branch, bool taken, uint32_t at,
			 const struct insn_operands *operands, struct decision_condition *condition)
{
	enum condition relation = code_condition(way->reader, way->path->steps.data[branch].addr, operands);
	_cleanup_(condition_release) struct decision_condition all = {};
	bool is_whole = false;
	struct wide wide;
	uint32_t nr = 0;
	int err = 0;

	if (relation != CONDITION_EQUAL && relation != CONDITION_NOT_EQUAL)
		return -ENOENT;
	if (!find_wide(way, operands, at, &wide))
		return -ENOENT;
	for (uint8_t byte = 0, end; !err && byte < wide.memory.size; byte = end) {
		_cleanup_(condition_release) struct decision_condition member = {};

		end = byte + 1;
		if (!(uint8_t)(wide.mask >> 8 * byte))
			continue;
		err = condition_of_byte(way, branch, taken, &wide, byte, &end, &member);
		is_whole = member.a.operand.size == wide.memory.size;
		err = err ?: add_member(&all, &member, (relation == CONDITION_EQUAL) == taken);
		nr++;
	}
	if (err || !nr || is_whole || nr > MAX_MEMBERS)
		return err ?: -ENOENT;
	condition_release(condition);
	*condition = all;
	all = (struct decision_condition){};
	return 0;
}
