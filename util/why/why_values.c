// SPDX-License-Identifier: BSD-2-Clause
/* One more run, for the values that the deciding branch compared. */
#include <errno.h>

#include "util/base/report.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/why/why_internal.h"

/* The comparison that decided: the last one but @again. NULL: there are fewer. */
static const struct traced_call *deciding_hit(const struct pass *pass, const struct activation *in,
					      uint32_t again)
{
	struct probe_walk count = {}, walk = {};
	const struct traced_call *hit;
	uint32_t nr = 0;

	while (pass_next_probe(pass, in, &count))
		nr++;
	if (nr <= again)
		return NULL;
	do
		hit = pass_next_probe(pass, in, &walk);
	while (--nr > again);
	return hit;
}

/* Down to the function that decided, the way that is known already. */
static bool find_activation(const struct why *why, const struct pass *pass, struct activation *in)
{
	const struct session *session = pass->session;

	if (!session || !session->nr_calls)
		return false;
	*in = (struct activation){ 0, session->nr_calls - 1, session->frames[0].result };
	for (size_t i = 0; i < why->levels.len; i++) {
		const struct why_level *level = &why->levels.data[i];
		const struct target *target = why->targets.data[level->target];

		if (pass_is_torn(pass, in) ||
		    (i && !target->by_breakpoints &&
		     pass_find(pass, in, target->function.addr, level->result, in) != 1))
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

static void take_values(struct why *why, struct target *target, const struct pass *pass)
{
	const struct traced_call *hit;
	struct activation in;

	if (pass->plan->probes->v.data[0].refused || !find_activation(why, pass, &in))
		return;
	hit = deciding_hit(pass, &in, target->condition.compared_again);
	if (!hit)
		return;
	why->runs.data[why->runs.len - 1].hits = 1;
	target_take_values(target, pass->session->args + hit->args_at, hit->args_size);
}

int why_read_values(struct why *why, const struct failed_call *call)
{
	struct target *target = why->targets.data[why->levels.data[why->levels.len - 1].target];
	struct probes *probes;
	struct pass_ask ask;
	struct pass pass = {};
	int err;

	if (!target->decided || !has_operands_to_read(&target->condition))
		return 0;
	probes = calloc(1, sizeof(*probes));
	if (!probes)
		return report_oom();
	err = target_place_condition(target, probes);
	if (err) {
		probes_free(probes);
		return err == -ENOENT ? 0 : report_oom();
	}
	why_fill_ask(why, call, &ask);
	ask.probes = probes;
	for (size_t i = 1; !err && i < why->levels.len; i++) {
		const struct target *level = why->targets.data[why->levels.data[i].target];

		if (level->by_breakpoints)
			continue;
		if (vec_push(&ask.funcs, symbolizer_symbol(why->code->symbolizer,
							   level->function.addr)))
			err = report_oom();
	}
	err = err ?: why_run_pass(why, call, &ask, &pass);
	/* Interrupted or not, the answer is known. */
	if (!err && !pass.interrupted && pass.session &&
	    (!why->ask->command || pass.alike.len == call->count))
		take_values(why, target, &pass);
	if (ask.probes)
		probes_free(ask.probes);
	vec_release(&ask.funcs);
	pass_release(&pass);
	return err;
}
