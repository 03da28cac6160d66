// SPDX-License-Identifier: BSD-2-Clause
/* Why the function whose result the deciding branch tested returned that: "because find(id) == NULL". */
#include "util/base/report.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/view/session/condition_view.h"
#include "util/why/why_internal.h"

static struct why_level *last_tested(struct why *why)
{
	return why->tested.len ? &why->tested.data[why->tested.len - 1] : NULL;
}

static bool is_tested(const struct why *why, uint32_t target)
{
	return vec_find(level, &why->tested, level->target == target);
}

/* 0; -ENOENT it can tell no more; -ENOMEM (reported). */
static int add(struct why *why, const struct symbol *symbol)
{
	struct target *target;
	int index;

	if (!symbol || !why_can_trace(why->code, symbol))
		return -ENOENT;
	index = why_target(why, symbol);
	if (index < 0)
		return index;
	target = why->targets.data[index];
	/* What is known of a function is of one call of it. */
	if (target->unusable || target->by_breakpoints || target->asks || why_is_level(why, index) ||
	    is_tested(why, index))
		return -ENOENT;
	/* It may have been examined in vain, or for another call. */
	target->decided = false;
	target->likely = NULL;
	target->anchor = target->ambiguous = target->pointer_tried = 0;
	target->callee = 0;
	target->stored_param = target->stored_at = 0;
	target->pointer = TARGET_NO_PROBE;
	return vec_push(&why->tested, (struct why_level){ index }) ? report_oom() : 0;
}

/* Whether a condition decided. */
static bool has_condition(const struct target *target)
{
	return target->decided && target->decision.kind != DECISION_NONE &&
	       target->decision.kind != DECISION_CALLEE && target->condition.text;
}

/* Several calls of the function are told apart by where they return to. */
static int place_returned(struct why *why, struct probes *probes, struct tested_probes *ret)
{
	const struct target *decided = why->targets.data[why->levels.data[why->levels.len - 1].target];
	struct code_reader *reader = &why->code->reader;
	struct branch_insn insn;
	int err;

	if (!decided->decision.tested_call || code_branch(reader, decided->decision.tested_call, &insn))
		return 0;
	err = target_add_point(decided, reader, probes, decided->decision.tested_call + insn.length,
			       (struct probe_capture){});
	if (!err)
		ret->returned = probes->v.len - 1;
	return err;
}

int why_place_tested(struct why *why, struct probes *probes, struct pass_ask *ask, struct tested_probes *ret)
{
	const size_t nr_probes = probes->v.len;
	struct target *target;
	int err = 0;

	ret->values = ret->returned = TARGET_NO_PROBE;
	if (!why->tested.len && why->tested_at) {
		err = add(why, symbolizer_symbol(why->code->symbolizer, why->tested_at));
		why->tested_at = 0;
	}
	if (!why->tested.len)
		return err == -ENOENT ? 0 : err;
	target = why->targets.data[last_tested(why)->target];
	if (!target->decided) {
		err = why_place(why, target, probes);
	} else if (has_condition(target) && condition_lacks_values(&target->condition)) {
		err = target_place_condition(target, &why->code->reader, probes);
		if (!err)
			ret->values = probes->v.len - 1;
	}
	if (err != -ENOMEM && probes->v.len > nr_probes)
		err = place_returned(why, probes, ret);
	vec_foreach(level, &why->tested) {
		const struct target *each = why->targets.data[level->target];

		if (vec_push(&ask->funcs, why_symbol_of(why, each)))
			err = -ENOMEM;
	}
	return err == -ENOMEM ? report_oom() : 0;
}

/* Whether what the function returned is what the branch found. */
static bool is_as_tested(const struct decision_condition *condition, uint64_t result)
{
	return condition_holds_with(condition, result, condition->b.value);
}

/* What the function returned: compilers leave anything beside a bool. */
static uint64_t result_of(const struct why *why, const struct why_level *level, uint64_t result)
{
	return why->code->plan.funcs.data[level->target].returns == RETURN_BOOL ? (uint8_t)result : result;
}

/* Whether a result is an address, which differs from run to run. */
static bool is_address(const struct why *why, uint32_t target, uint64_t result)
{
	return why->code->plan.funcs.data[target].returns == RETURN_POINTER && result && result < (uint64_t)-4095;
}

/* Find the call whose result the branch tested. */
static bool find_tested(struct why_level *level, const struct target *decided, const struct pass *pass, uint64_t addr,
			uint32_t returned, struct activation *in)
{
	const struct activation caller = *in;
	const struct traced_call *hit;

	level->call = level->calls = pass_find_calls(pass, &caller, addr, in);
	if (level->calls < 2)
		return level->calls;
	hit = returned == TARGET_NO_PROBE ? NULL :
					    why_hit_of(pass, &caller, returned, decided->decision.tested_again);
	level->call = hit ? pass_find_returned(pass, &caller, addr, hit - pass->session->calls, in) : 0;
	return level->call;
}

/* Find the activation of one of the functions in that of its caller. */
static bool find_call(struct why *why, const struct pass *pass, size_t index, uint32_t returned,
		      struct activation *in)
{
	struct why_level *level = &why->tested.data[index];
	uint64_t addr = why->targets.data[level->target]->function.addr;
	const struct target *decided = why->targets.data[why->levels.data[why->levels.len - 1].target];

	if (index)
		return pass_find_called(pass, in, addr, in->result, in) == 1;
	return find_tested(level, decided, pass, addr, returned, in) &&
	       is_as_tested(&decided->condition, in->result);
}

/* Find out what one of the functions decided. 0, target->decided false: another run may show it; -ENOMEM (reported). */
static int look(struct why *why, const struct why_level *level, const struct pass *pass,
		const struct activation *in)
{
	struct target *target = why->targets.data[level->target];
	struct activation own = *in;
	int err;

	if (target_learn(target, &pass->attached))
		return report_oom();
	own.result = result_of(why, level, in->result);
	err = why_look(why, level->target, pass, &own);
	target->placed = false;
	return err;
}

int why_take_tested(struct why *why, const struct pass *pass, struct activation in, const struct tested_probes *asked,
		    bool *ret_again)
{
	const struct symbol *symbol;
	struct target *target;
	uint64_t result;
	int err;

	*ret_again = false;
	for (size_t i = 0; i < why->tested.len; i++) {
		struct why_level *level = &why->tested.data[i];

		target = why->targets.data[level->target];
		if (pass_func(pass, target->function.addr) == UINT32_MAX) {
			*ret_again = true;
			return 0;
		}
		if (pass_is_torn(pass, &in) || !find_call(why, pass, i, asked->returned, &in))
			return 0;
		why_set_kind(why, level->target, pass);
		/* A struct has no value that can be shown. */
		if (why->code->plan.funcs.data[level->target].returns == RETURN_STRUCT)
			return 0;
		result = result_of(why, level, in.result);
		/* What is known of it is about another result; of pointers, any will do. */
		if (target->decided && result != level->result &&
		    !(is_address(why, level->target, result) && is_address(why, level->target, level->result)))
			return 0;
		level->result = result;
		if (!target->decided) {
			err = look(why, level, pass, &in);
			if (err)
				return err;
			*ret_again = !target->decided || has_condition(target);
		} else if (asked->values != TARGET_NO_PROBE && i + 1 == why->tested.len) {
			why_take_values(why, target, pass, &in, asked->values);
		}
		if (target->decided && target->decision.kind == DECISION_CALLEE && i + 1 == why->tested.len) {
			symbol = why_callee(why, target, pass, &in);
			err = add(why, symbol);
			if (err)
				return err == -ENOENT ? 0 : err;
			*ret_again = true;
		}
	}
	return 0;
}

void why_end_tested(struct why *why)
{
	bool certain = why->tested.len && has_condition(why->targets.data[last_tested(why)->target]);

	/* What is likely, or was not found out, does not belong to an answer that is certain. */
	vec_foreach(level, &why->tested) {
		const struct target *target = why->targets.data[level->target];

		certain = certain && !target->likely && !target->decision.likely;
	}
	if (!certain)
		why->tested.len = 0;
}
