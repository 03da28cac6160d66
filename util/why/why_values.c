// SPDX-License-Identifier: BSD-2-Clause
/*
 * More runs, for the values that the deciding branch compared, for facts about the object whose access was
 * refused, and for the reason why a function returned what the branch tested.
 */
#include <errno.h>
#include <string.h>

#include "util/base/report.h"
#include "util/why/reasons/check.h"
#include "util/why/why_internal.h"

/* Probes of the run. */
struct asked {
	uint32_t condition;	/* on the deciding comparison; TARGET_NO_PROBE: none */
	uint32_t refused;	/* the first of REFUSED_PROBES; TARGET_NO_PROBE: none */
	size_t refused_level;	/* level of the function that checks */
	struct tested_probes tested;
};

/* The answer is known: more than these runs are not worth the time. */
#define MAX_RUNS 3

const struct traced_call *why_hit_of(const struct pass *pass, const struct activation *in, uint32_t probe,
				     uint32_t again)
{
	struct probe_walk count = {}, walk = {};
	const struct traced_call *hit;
	uint32_t nr = 0;

	if (attached_refused_probe(&pass->attached, probe))
		return NULL;
	while ((hit = pass_next_probe(pass, in, &count)))
		nr += hit->func == probe;
	if (nr <= again)
		return NULL;
	do {
		hit = pass_next_probe(pass, in, &walk);
		nr -= hit->func == probe;
	} while (nr > again);
	return hit;
}

/* Find the activation of a level's function, along the known levels. */
static bool find_activation(const struct why *why, const struct pass *pass, size_t to,
			    struct activation *in)
{
	const struct session *session = pass->session;

	if (!session || !session->nr_calls)
		return false;
	*in = (struct activation){ 0, session->nr_calls - 1, session->frames[0].result };
	for (size_t i = 0; i <= to; i++) {
		const struct why_level *level = &why->levels.data[i];
		const struct target *target = why->targets.data[level->target];

		if (pass_is_torn(pass, in))
			return false;
		if (!i || target->by_breakpoints)
			continue;
		if (target->stored_param ? pass_find_calls(pass, in, target->function.addr, in) != 1 :
					   pass_find_called(pass, in, target->function.addr, level->result,
							    in) != 1)
			return false;
	}
	return true;
}

static bool has_operands_to_read(const struct decision_condition *condition)
{
	return condition->text && condition->compared_at &&
	       (condition->a.operand.kind != OPERAND_CONSTANT ||
		condition->b.operand.kind != OPERAND_CONSTANT);
}

/* Name a pointer to a kernel variable: all variables are near the code. */
static void name_variable(struct why *why, const struct target *target,
			  struct decision_operand *operand)
{
	const char *name;

	if (!operand->has_value || operand->object || operand->operand.kind == OPERAND_CONSTANT ||
	    operand->operand.size != 8 ||
	    !data_symbol_is_near(operand->value, target->function.addr))
		return;
	name = data_symbol_name(&why->code->data, operand->value);
	operand->object = name ? strdup(name) : NULL;
}

/* Whether a register that was compared with a constant had another value than the one that was set before. */
static bool is_another_value(const struct target *target)
{
	const struct decision_operand *a = &target->condition.a, *b = &target->condition.b;
	uint8_t size = a->operand.size < 4 ? a->operand.size : 4;
	/* As it was compared. */
	uint64_t value = a->value + (target->condition.is_range ? a->addend : 0);

	return a->has_value && b->operand.kind == OPERAND_CONSTANT && a->operand.kind == OPERAND_REGISTER &&
	       size && zero_extend(value, size) != zero_extend(target->decision.constant, size);
}

static enum values_read read_probe(struct why *why, struct target *target, const struct pass *pass,
				   const struct activation *in, uint32_t probe)
{
	const struct traced_call *hit = why_hit_of(pass, in, probe, target->condition.compared_again);
	enum values_read read;

	if (!hit)
		return VALUES_NOT_READ;
	why->runs.data[why->runs.len - 1].hits++;
	read = target_take_values(target, pass->session->args + hit->args_at, hit->args_size);
	if (read == VALUES_HOLD) {
		name_variable(why, target, &target->condition.a);
		name_variable(why, target, &target->condition.b);
	}
	return read;
}

void why_take_values(struct why *why, struct target *target, const struct pass *pass, const struct activation *in,
		     uint32_t probe)
{
	enum values_read read = read_probe(why, target, pass, in, probe);
	struct decision *decision = &target->decision;

	if (read == VALUES_HOLD && decision->may_be_constant && is_another_value(target)) {
		decision->likely = false;
		decision->reason = NULL;
	}
	if (!decision->settled_by_values || read == VALUES_NOT_READ)
		return;
	decision->settled_by_values = decision->likely = false;
	decision->reason = NULL;
	if (read == VALUES_DIFFER) {
		decision->kind = DECISION_COMPUTED;
		condition_release(&target->condition);
	}
}

static int take_refused(struct why *why, const struct pass *pass, const struct asked *asked)
{
	const struct traced_call *hit;
	struct activation in;

	if (!find_activation(why, pass, asked->refused_level, &in))
		return 0;
	for (uint32_t i = 0; i < REFUSED_PROBES; i++) {
		hit = why_hit_of(pass, &in, asked->refused + i, 0);
		if (!hit)
			continue;
		why->runs.data[why->runs.len - 1].hits++;
		if (refused_take(i, pass->session->args + hit->args_at, hit->args_size,
				 &why->refused))
			return report_oom();
	}
	return 0;
}

/* The function that refused access by mode or ACL; false: none did. */
static bool find_refused(const struct why *why, const struct failed_call *call, size_t *ret_level)
{
	for (size_t i = 1; call->event.result == -EACCES && i < why->levels.len; i++) {
		const struct target *target = why->targets.data[why->levels.data[i].target];

		if (!check_is_of_permissions(target->function.name))
			continue;
		*ret_level = i;
		return true;
	}
	return false;
}

static int place(struct why *why, const struct failed_call *call, struct probes *probes,
		 struct asked *asked)
{
	struct target *target = why->targets.data[why->levels.data[why->levels.len - 1].target];
	const struct target *checks;
	int err = -ENOENT;

	if (target->decided && has_operands_to_read(&target->condition))
		err = target_place_condition(target, &why->code->reader, probes);
	if (!err)
		asked->condition = probes->v.len - 1;
	if (err == -ENOMEM || !find_refused(why, call, &asked->refused_level))
		return err == -ENOMEM ? err : 0;
	checks = why->targets.data[why->levels.data[asked->refused_level].target];
	err = refused_place(checks, &why->code->reader, why->code->btf, probes);
	if (!err)
		asked->refused = probes->v.len - REFUSED_PROBES;
	return err == -ENOMEM ? err : 0;
}

/* Of the functions that are known to have handed the result up. */
static int add_functions(struct why *why, struct pass_ask *ask)
{
	for (size_t i = 1; i < why->levels.len; i++) {
		const struct target *level = why->targets.data[why->levels.data[i].target];

		if (!level->by_breakpoints &&
		    vec_push(&ask->funcs, why_symbol_of(why, level)))
			return report_oom();
	}
	return 0;
}

static int take(struct why *why, const struct pass *pass, const struct asked *asked, bool *ret_again)
{
	struct target *target = why->targets.data[why->levels.data[why->levels.len - 1].target];
	bool was_likely = target->decision.likely;
	struct activation in;
	int err = 0;

	if (find_activation(why, pass, why->levels.len - 1, &in)) {
		if (asked->condition != TARGET_NO_PROBE)
			why_take_values(why, target, pass, &in, asked->condition);
		err = why_take_tested(why, pass, in, &asked->tested, ret_again);
		/* It is known only now that this decided, and so that what it tested is worth a look. */
		if (!err && was_likely && !target->decision.likely && !why->tested.len) {
			why->tested_at = why_tested_function(why, target, pass, &in);
			*ret_again |= why->tested_at;
		}
	}
	if (!err && asked->refused != TARGET_NO_PROBE)
		err = take_refused(why, pass, asked);
	return err;
}

/* @first	this is the first run for values */
static int read_values(struct why *why, const struct failed_call *call, bool first, bool *ret_again)
{
	struct probes *probes = calloc(1, sizeof(*probes));
	struct asked asked = { TARGET_NO_PROBE, TARGET_NO_PROBE, 0, { TARGET_NO_PROBE, TARGET_NO_PROBE } };
	struct pass_ask ask;
	struct pass pass = {};
	int err;

	*ret_again = false;
	if (!probes)
		return report_oom();
	why_fill_ask(why, call, &ask);
	err = add_functions(why, &ask);
	if (!err && first)
		err = place(why, call, probes, &asked) ? report_oom() : 0;
	err = err ?: why_place_tested(why, probes, &ask, &asked.tested);
	if (err || !probes->v.len) {
		probes_free(probes);
		vec_release(&ask.funcs);
		return err;
	}
	ask.probes = probes;
	err = why_run_pass(why, call, &ask, &pass);
	/* An interrupted run is no error here: the answer is known. */
	if (!err && !pass.interrupted && pass.session &&
	    (!why->ask->command || pass.alike.len == call->count ||
	     (why->is_one_of_many && pass_is_uniform(&pass))))
		err = take(why, &pass, &asked, ret_again);
	pass_ask_release(&ask);
	pass_release(&pass);
	return err;
}

int why_read_values(struct why *why, const struct failed_call *call)
{
	bool again = true;
	int err = 0;

	for (uint32_t i = 0; !err && again && i < MAX_RUNS && why->runs.len + 1 < why->ask->max_runs; i++)
		err = read_values(why, call, !i, &again);
	why_end_tested(why);
	return err;
}
