// SPDX-License-Identifier: BSD-2-Clause
/* Where a function's result came from, and why that is not known. */
#include <bpf/btf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/explain/condition.h"
#include "util/explain/decider_internal.h"
#include "util/explain/function/operand.h"
#include "util/kernel/types/btf_types.h"

/* The most copies of a register that are followed. */
#define MAX_COPIES 8

const char decider_not_stored[] = "its way does not show that it stored the error by the address that it was passed";
const char decider_stored_by_address[] = "a called function or another task stored it by an address on the stack";

void decider_set_stored(struct decider *decider, uint8_t param, uint16_t at)
{
	decider->stored_param = param;
	decider->stored_at = at;
}

void decider_set_was_there(struct decider *decider, bool was_there)
{
	decider->was_there = was_there;
}

void decider_set_not_by_call(struct decider *decider, bool not_by_call)
{
	decider->flow.not_by_call = not_by_call;
}

void decider_set_pointer_thunk(struct decider *decider, uint64_t thunk)
{
	decider->reader.pointer_thunk = thunk;
}

const char *decider_why_no_older(enum path_begin begin)
{
	switch (begin) {
	case PATH_UNREADABLE:
		return "code could not be read";
	case PATH_MISMATCH:
		return "code and branch records do not agree";
	case PATH_EXCEPTION:
		return "an exception led elsewhere";
	default:
		return "the branch records do not go back far enough";
	}
}

bool decider_may_have_changed(struct decider *decider, const struct code_function *function)
{
	const struct operand_way way = decider_way(decider, function);
	const struct origin *result = &decider->flow.result;

	return result->was_stored && (decider->flow.lent || loaded_is_shared(&way, result->loaded));
}

/* Whether the result was on the stack, and is not what the function itself had put there. */
static bool may_be_stored(struct decider *decider)
{
	const struct origin *result = &decider->flow.result;

	return result->kind == ORIGIN_READ ||
	       (result->was_stored && (result->kind == ORIGIN_OTHER || decider_tested_another(decider)));
}

int decider_follow(struct decider *decider, const struct code_function *function, struct flow_stored *ret)
{
	const struct operand_way way = decider_way(decider, function);
	struct result_flow *flow = &decider->flow;
	struct flow_stored lent;
	int err;

	*ret = (struct flow_stored){};
	decider->knows_elsewhere = false;
	flow->store.addr = 0;
	if (decider->stored_param)
		err = flow_follow_stored(&way, &decider->path, decider->stored_param, decider->stored_at,
					 decider->value, flow, ret);
	else
		err = flow_follow(&way, decider->value, flow);
	if (err || (decider->stored_param && ret->by != STORED_HERE) || !may_be_stored(decider))
		return err;
	err = flow_find_lent(&way, decider->value, flow, &lent);
	if (!err && lent.by == STORED_BY_CALL && !(lent.in_object && decider->was_there))
		*ret = lent;
	return err;
}

/* The register where the value was at the function's start that @reg has before @step; NR_REGISTERS: none. */
static uint8_t register_at_start(const struct operand_way *way, uint8_t reg, uint32_t step)
{
	struct operand operand = { .kind = OPERAND_REGISTER, .reg = reg, .size = 8 };

	for (int i = 0; i < MAX_COPIES; i++) {
		const struct written written = value_written(way, &operand, step);
		const struct insn_effect *effect;

		if (written.by == WRITTEN_BEFORE)
			return operand.reg;
		if (written.by != WRITTEN_HERE)
			break;
		step = written.step;
		effect = code_effect(way->reader, way->path->steps.data[step].addr);
		if (!effect || effect->kind != EFFECT_COPY)
			break;
		operand.reg = effect->from;
	}
	return NR_REGISTERS;
}

bool decider_negates_param(struct decider *decider, const struct code_function *function)
{
	const struct operand_way way = decider_way(decider, function);
	const struct origin *result = &decider->flow.result;
	const struct insn_effect *effect;
	uint8_t param;

	if (result->kind != ORIGIN_COMPUTED || result->was_stored || decider->path.begin != PATH_WHOLE)
		return false;
	effect = code_effect(&decider->reader, decider->path.steps.data[result->step].addr);
	if (!effect || effect->kind != EFFECT_OTHER || effect->computes != COMPUTES_NEGATED)
		return false;
	param = register_at_start(&way, effect->from, result->step);
	if (param == NR_REGISTERS)
		return false;
	vec_foreach(branch, &decider->flow.branches) {
		for (uint32_t i = 0; i < branch->nr_tested; i++) {
			if (branch->tested[i].kind == ORIGIN_START && branch->tested[i].step == param)
				return false;
		}
	}
	return true;
}

bool decider_reads_table(struct decider *decider, const struct code_function *function)
{
	const struct operand_way way = decider_way(decider, function);
	const struct origin *result = &decider->flow.result;
	_cleanup_(expression_release) struct expression base = {};
	struct insn_element element;

	if (result->kind != ORIGIN_READ || result->was_stored ||
	    !code_element(&decider->reader, decider->path.steps.data[result->step].addr, &element) ||
	    element.is_address)
		return false;
	/* Elements with more than an error are of a table of the source's: what chose the element is no condition. */
	if (element.scale != element.size)
		return false;
	/* A positive one is a place in the data of each CPU. */
	if (!element.has_base)
		return element.displacement < 0;
	return !operand_expression(&way, &(struct operand){ .kind = OPERAND_REGISTER, .reg = element.base, .size = 8 },
				   result->step, &base) &&
	       expression_is_address(&base) && base.value;
}

static const char *why_no_origin(struct decider *decider, const struct code_function *function,
				 const struct flow_stored *stored)
{
	const struct origin *result = &decider->flow.result;
	bool is_whole = decider->path.begin == PATH_WHOLE;

	/* It stored another constant, and a later function this one. */
	if (decider->stored_param && result->kind == ORIGIN_OTHER && !result->was_stored)
		return decider_not_stored;
	if (decider->stored_param && stored->by == STORED_NOT)
		return is_whole ? decider_not_stored : decider_why_no_older(decider->path.begin);
	if (result->was_stored && decider_tested_another(decider))
		return decider_stored_by_address;
	switch (result->kind) {
	case ORIGIN_UNKNOWN:
		return is_whole ? "where the result came from could not be followed" :
				  decider_why_no_older(decider->path.begin);
	case ORIGIN_OTHER:
		return is_whole && decider_may_have_changed(decider, function) ?
			       decider_stored_by_address :
			       decider_why_no_older(PATH_MISMATCH);
	case ORIGIN_START:
		return is_whole ? "the function was given it by who called" :
				  decider_why_no_older(decider->path.begin);
	default:
		return NULL;
	}
}

bool decider_has_origin(struct decider *decider, const struct code_function *function,
			const struct flow_stored *stored, struct decision *decision)
{
	const struct origin *result = &decider->flow.result;
	const char *reason = why_no_origin(decider, function, stored);

	if (!reason)
		return true;
	decision_set_none(decision, reason);
	if (result->kind == ORIGIN_START && decider->path.begin == PATH_WHOLE && !decider->stored_param &&
	    result->step < NR_REGISTERS)
		decision->given_in = result->step;
	return false;
}

/* The parameter, and its function's BTF; NULL: not known. */
static const struct btf_param *find_param(struct decider *decider, const struct code_function *function,
					  const char *module, uint8_t param, const struct btf **ret_btf)
{
	const struct operand_way way = { .reader = &decider->reader, .btf = decider->btf, .function = function };
	const struct btf_type *proto =
		param ? function_prototype(&way, function->addr, function->name, module, ret_btf) : NULL;

	return proto ? parameter_in(*ret_btf, proto, operands_parameter(param - 1)) : NULL;
}

const char *decider_param_name(struct decider *decider, const struct code_function *function, const char *module,
			       uint8_t param)
{
	const struct btf *btf;
	const struct btf_param *named = find_param(decider, function, module, param, &btf);

	return named ? btf_name(btf, named->name_off) : NULL;
}

const char *decider_param_member(struct decider *decider, const struct code_function *function, const char *module,
				 uint8_t param, uint16_t at)
{
	const struct btf *btf;
	const struct btf_param *named = find_param(decider, function, module, param, &btf);
	const struct btf_type *type = named ? btf_underneath(btf, named->type) : NULL;

	if (!type || !btf_is_ptr(type))
		return NULL;
	type = btf_underneath(btf, type->type);
	for (uint32_t i = 0; type && btf_is_composite(type) && i < btf_vlen(type); i++) {
		const struct btf_place place = btf_member_place(btf, type, i);

		if (!place.bits && place.bit_offset == at * 8u)
			return btf_name(btf, btf_members(type)[i].name_off);
	}
	return NULL;
}

int decider_fill_origin(const struct operand_way *way, uint32_t step, struct decision_condition *condition)
{
	_cleanup_(expression_release) struct expression expression = {};
	uint64_t addr = way->path->steps.data[step].addr;
	const struct insn_effect *effect = code_effect(way->reader, addr);
	bool is_negative = effect && effect->kind == EFFECT_OTHER && effect->computes == COMPUTES_NEGATED;
	struct insn_operands operands = {};
	struct operand from;
	int err;

	if (is_negative)
		from = (struct operand){ .kind = OPERAND_REGISTER, .reg = effect->from, .size = 4 };
	else if (effect && !code_operands(way->reader, addr, &operands) && operands.kind == OPERANDS_COPY &&
		 operands.b.kind == OPERAND_MEMORY && !effect->is_pair)
		from = operands.b;
	else
		return 0;
	/* A variable of the function's own says nothing. */
	if (from.kind == OPERAND_MEMORY && (from.reg == REG_STACK || from.reg == REG_FRAME))
		return 0;
	err = operand_expression(way, &from, step, &expression);
	if (err || !expression_is_number(&expression) || expression.is_masked || expression.is_negated ||
	    strchr(strbuf_str(&expression.text), ' '))
		return err;
	condition->origin = strf("%s%s", is_negative ? "-" : "", strbuf_str(&expression.text));
	return condition->origin ? 0 : -ENOMEM;
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
