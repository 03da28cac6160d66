// SPDX-License-Identifier: BSD-2-Clause
/* What one pass shows of one function: the way through it, and the decision on it. */
#include <errno.h>
#include <string.h>

#include "util/base/report.h"
#include "util/explain/decision_lines.h"
#include "util/explain/stack_rows.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/why/bpf_command.h"
#include "util/why/way/way_records.h"
#include "util/why/why_internal.h"

static const char missed[] = "a probe may have been missed";
static const char ambiguous[] = "the probes do not tell which way it took";
static const char differs[] = "the calls that failed so did not all take the same way";
static const char by_table[] = "it jumps by a table, which is not followed";

/* Passes through one function before giving up: other probes do not help. */
#define MAX_AMBIGUOUS 3

/*
 * Whether a hit is that of a breakpoint which was just hit there, with the same first registers and with
 * nothing traced in between: some CPUs report a hit twice. A loop's next round may look the same: the way out
 * of the loop stays the same without it.
 */
static bool is_reported_again(const struct target *target, const struct pass *pass,
			      const struct traced_call *hit)
{
	const struct session *session = pass->session;
	const struct traced_call *before = hit - 1;

	if (!arch_native->breakpoints_repeat || hit == session->calls || before->kind != TRACED_PROBE ||
	    before->func != hit->func || before->args_size != hit->args_size ||
	    !(target->by_breakpoints || pass->plan->probes->v.data[hit->func].by_breakpoint))
		return false;
	return hit->args_size && !memcmp(session->args + before->args_at, session->args + hit->args_at,
					 hit->args_size);
}

/* Take the blocks that were passed, without those of recursive calls. */
static int take_hits(struct target *target, const struct pass *pass, const struct activation *in)
{
	const struct traced_call *call;
	struct probe_walk walk = {};
	uint32_t block;

	target->hits.len = 0;
	target->hit_again = false;
	while ((call = pass_next_probe(pass, in, &walk))) {
		block = target_block_of(target, call->func);
		/* A breakpoint that some CPUs refused shows nothing, even if it is hit. */
		if (block == BLOCK_EXIT || !target->probed[block])
			continue;
		if (is_reported_again(target, pass, call)) {
			target->hit_again = true;
			continue;
		}
		if (vec_push(&target->hits, block))
			return report_oom();
	}
	return 0;
}

/* The command of a bpf(2) call; NULL: the call is another one. */
static const struct bpf_command *command_of(const struct why *why)
{
	if (!why->syscall || strcmp(why->syscall, "bpf") || why->chosen < 0)
		return NULL;
	return bpf_command_find(why->watched.calls.v.data[why->chosen].event.args[0]);
}

const char *why_kept_off(const struct why *why)
{
	const struct bpf_command *command = command_of(why);

	return command && command->keeps_off ? "probes do not run while bpf(2) accesses a map" : NULL;
}

static const char *missed_reason(const struct why *why)
{
	return why_kept_off(why) ?: missed;
}

static bool may_have_missed(const struct pass *pass, const struct target *target)
{
	const struct ledger *ledger = &pass->ledger;

	return ledger->stats.probes_skipped ||
	       (!target->by_breakpoints && ledger->probes_missed) ||
	       ((target->by_breakpoints || target->breakpoints_too) && ledger->breakpoints_missed);
}

static const char *mismatch_reason(const struct why *why, const struct target *target, const struct pass *pass)
{
	if (why_kept_off(why) || may_have_missed(pass, target))
		return missed_reason(why);
	return target->graph.has_tables ? by_table : "probes and code do not agree";
}

static bool another_run_may_show_more(const struct why *why, struct target *target, const struct pass *pass)
{
	return !why_kept_off(why) && may_have_missed(pass, target) && ++target->ambiguous <= MAX_AMBIGUOUS;
}

void why_not_known(struct target *target, const char *reason)
{
	target->decision.kind = DECISION_NONE;
	target->decision.reason = reason;
	target->decision.given_in = -1;
	target->decision.callees.len = 0;
	target->decided = true;
}

/* Whether the way ends with a jump that is, or may be, through a table. */
static bool ends_in_table(struct why_code *code, const struct target *target)
{
	const struct way *way = &target->way;
	struct branch_insn insn;
	uint64_t last;

	if (!way->blocks.len)
		return false;
	last = target->graph.blocks.data[way->blocks.data[way->blocks.len - 1].block].last;
	return code_branch(&code->reader, last, &insn) || insn.kind == BRANCH_INDIRECT_JUMP;
}

/* Whether there are jumps through tables, not followed, that no probe would have shown. */
static bool may_have_jumped(const struct target *target)
{
	for (size_t i = 1; i < target->graph.blocks.len; i++) {
		if (target->graph.blocks.data[i].by_table && !target->probed[i] &&
		    !target->by_breakpoints)
			return true;
	}
	return false;
}

/* Note which values passed to the deciding call had been returned by other calls. */
static int note_passed(struct why_code *code, struct target *target)
{
	memset(target->passed, 0, sizeof(target->passed));
	if (target->decision.kind != DECISION_CALLEE || !target->decision.callees.len)
		return 0;
	return decider_passed(code->decider, &target->function,
			      target->decision.callees.data[0].call.addr, target->passed,
			      TARGET_MAX_PASSED);
}

static int decide_target(struct why *why, uint32_t index, uint64_t result)
{
	struct why_code *code = why->code;
	struct target *target = why->targets.data[index];
	const struct bpf_command *command = command_of(why);
	const struct session session = {
		.failed = true,
		.nr_branches = 1,
		.branches_func = index,
		.branches_result = result,
	};
	static const struct stack_rows no_stack;
	struct syscall_params params;
	bool is_syscall = syscall_formats_find(&why->syscalls, target->function.name, &params);
	int err = way_records(&code->reader, &target->function, &target->graph, &target->way,
			      &code->branches);

	if (err == -ENOMEM)
		return report_oom();
	if (err || !target->way.blocks.len) {
		why_not_known(target, "its code cannot be read");
		return 0;
	}
	decider_set_passing(code->decider, target->passing_call, target->passing_reg);
	decider_set_stored(code->decider, target->stored_param, target->stored_at);
	decider_set_was_there(code->decider, target->was_there);
	decider_set_not_by_call(code->decider, target->not_by_call);
	decider_set_union(code->decider, command ? &command->in_use : NULL);
	err = decide(code->decider, &session, &code->branches, &no_stack, &target->decision);
	err = err ?: decider_condition(code->decider, &target->function, target->module,
				       is_syscall ? &params : NULL, &target->decision,
				       &target->condition);
	err = err ?: note_passed(code, target);
	target->decision.stored_name = decider_param_name(code->decider, &target->function, target->module,
							  target->stored_param);
	target->decision.stored_member = why_is_kept(why, target) ? why_request_member :
					 decider_param_member(code->decider, &target->function, target->module,
							      target->stored_param, target->stored_at);
	if (err)
		return report_oom();
	target->decided = true;
	return 0;
}

/* The last access to memory on the way whose fault led on; 0: none did. */
static uint64_t faulting_access(const struct target *target)
{
	uint64_t access = 0;

	vec_foreach(step, &target->way.blocks) {
		if (step->edge.kind == EDGE_FAULT)
			access = target->graph.blocks.data[step->block].last;
	}
	return access;
}

/* Memory that could not be accessed decided on -EFAULT, and no branch after that. */
static void decide_fault(struct why *why, uint32_t index, uint64_t result)
{
	struct target *target = why->targets.data[index];
	struct decision *decision = &target->decision;

	condition_release(&target->condition);
	decision_begin(decision, index, result);
	decision->kind = DECISION_FAULTED;
	decision->given_in = -1;
	place_fill(&why->code->reader, faulting_access(target), false, &decision->from);
	target->decided = true;
}

/* The origin of the function's result: the address of the branch or of the call. */
static uint64_t place_of(const struct decision *decision)
{
	if (decision->kind == DECISION_CALLEE && decision->callees.len)
		return decision->callees.data[0].call.addr;
	return decision->kind == DECISION_NONE ? 0 : decision->from.addr;
}

/* Whether there is only one way through the function: no probe is needed to know it. */
static bool has_one_way(const struct target *target)
{
	return !target->unusable && target->graph.blocks.len == 1 &&
	       target->graph.blocks.data[0].nr_edges == 1;
}

static int decide_one_way(struct why *why, uint32_t index, uint64_t result)
{
	struct target *target = why->targets.data[index];
	struct way_block only = { 0, target->graph.blocks.data[0].edges[0] };
	int err;

	target->way.blocks.len = 0;
	target->way.begin = WAY_WHOLE;
	target->way.faulted = false;
	err = vec_push(&target->way.blocks, only) ? report_oom() : decide_target(why, index, result);
	target->decided_kind = target->decision.kind;
	target->decided_at = place_of(&target->decision);
	return err;
}

int why_look_one_way(struct why *why, uint32_t index, uint64_t result)
{
	return has_one_way(why->targets.data[index]) ? decide_one_way(why, index, result) ?: 1 : 0;
}

int why_look_untraced(struct why *why, uint32_t index, const struct pass *pass, const struct activation *in)
{
	struct target *target = why->targets.data[index];
	int err;

	if (!target->by_breakpoints || target->decided)
		return 0;
	err = why_look_one_way(why, index, in->result);
	if (!err)
		err = target_rule_out_by_result(target, &why->code->reader, in->result) ||
				      why_rule_out_by_calls(why->code, target, pass, in) ?
			      report_oom() :
			      0;
	return err < 0 ? err : 0;
}

int why_certain_callee(struct why *why, uint32_t index, uint64_t result,
		       const struct symbol **ret_symbol)
{
	struct target *target = why->targets.data[index];
	const struct decision *decision = &target->decision;
	const struct symbol *symbol = NULL;
	int err = 0;

	*ret_symbol = NULL;
	if (target->by_breakpoints || !has_one_way(target))
		return 0;
	if (!target->decided) {
		err = decide_one_way(why, index, result);
		/* Its probe has to show that it was called. */
		target->decided = false;
	}
	if (!err && decision->kind == DECISION_CALLEE && decision->callees.len &&
	    decision->callees.data[0].addr)
		symbol = symbolizer_symbol(why->code->symbolizer, decision->callees.data[0].addr);
	if (symbol && why_can_trace(why->code, symbol))
		*ret_symbol = symbol;
	return err;
}

static uint32_t times_entered(const struct target *target)
{
	uint32_t nr = 0;

	vec_foreach(hit, &target->hits)
		nr += !*hit;
	return nr;
}

/* Whether a breakpoint may have been hit twice: another run will probably not show that again. */
static bool may_have_repeated(struct target *target)
{
	return target->by_breakpoints && arch_native->breakpoints_repeat &&
	       ++target->ambiguous <= MAX_AMBIGUOUS;
}

/* Whether the pass has all hits of a target by breakpoints, and of only one call. */
static bool can_rule_out(const struct why *why, struct target *target, const struct pass *pass)
{
	uint32_t entered = times_entered(target);

	if (!target->probed[0])
		why_not_known(target, "the CPU's breakpoints are taken, or are not to be had");
	else if (entered > 1 && !may_have_repeated(target))
		why_not_known(target, "it cannot be traced, and was called more than once");
	else if (entered > 1)
		return false;
	else if (entered && !may_have_missed(pass, target))
		return true;
	else if (++target->ambiguous > MAX_AMBIGUOUS)
		why_not_known(target, entered ? missed_reason(why) : "its breakpoints were not hit");
	return false;
}

/* Whether to give up. If passes ask for single blocks, they go on until one way is left. */
static bool has_been_asked_enough(struct target *target)
{
	if (target->by_breakpoints)
		return target->asked_all || target_is_asked(target) > 0;
	return !target->asks && ++target->ambiguous > MAX_AMBIGUOUS;
}

/* Whether a fault in the unknown part of the way may have led to -EFAULT, and not a branch after it. */
static bool may_have_faulted(const struct target *target, uint64_t result)
{
	if ((int32_t)result != -EFAULT || target->way.begin != WAY_AMBIGUOUS ||
	    target->decision.kind == DECISION_CALLEE)
		return false;
	return vec_find(block, &target->graph.blocks, block_after_fault(block) != BLOCK_EXIT);
}

/* Whether the unknown part of the way, before the known one, matters: it may settle a doubt, too. */
static bool depends_on_more(const struct target *target, uint64_t result)
{
	const struct decision *decision = &target->decision;

	return target->way.begin == WAY_AMBIGUOUS &&
	       (decision->kind == DECISION_NONE || decision->kind == DECISION_COMPUTED ||
		decision->likely || may_have_faulted(target, result));
}

/*
 * Find the way through the function, and the decision on it. target->decided stays false if
 * another run may show it.
 */
static int look_into(struct why *why, uint32_t index, const struct pass *pass,
		     const struct activation *in)
{
	struct target *target = why->targets.data[index];
	bool efault = (int32_t)in->result == -EFAULT;
	int err = take_hits(target, pass, in);

	if (err)
		return err;
	target->likely = NULL;
	if (target->by_breakpoints && !can_rule_out(why, target, pass))
		return 0;
	if (target->asks && may_have_missed(pass, target)) {
		target->decided = ++target->ambiguous > MAX_AMBIGUOUS || why_kept_off(why);
		target->decision.reason = missed_reason(why);
		return 0;
	}
	err = target_find_way(target);
	if (!err && target->way.begin == WAY_AMBIGUOUS && !target->by_breakpoints && !target->asks)
		err = why_find_way_by_calls(why->code, target, pass, in);
	if (err)
		return report_oom();
	/* Every call passes the first probe. */
	if (target->probed[0] && (!target->hits.len || target->hits.data[0])) {
		why_not_known(target, "its probes were not hit");
		return 0;
	}
	if (target->way.begin == WAY_MISMATCH &&
	    (may_have_repeated(target) || another_run_may_show_more(why, target, pass)))
		return 0;
	if (target->way.begin == WAY_MISMATCH) {
		why_not_known(target, mismatch_reason(why, target, pass));
		return 0;
	}
	if (ends_in_table(why->code, target)) {
		why_not_known(target, by_table);
		return 0;
	}
	if (target->way.faulted && efault) {
		decide_fault(why, index, in->result);
		return 0;
	}
	if (target->way.faulted) {
		why_not_known(target, "memory that it used was not there: a fault led elsewhere");
		return 0;
	}
	err = decide_target(why, index, in->result);
	if (err)
		return err;
	if (depends_on_more(target, in->result)) {
		target->decided = has_been_asked_enough(target);
		if (target->decision.kind == DECISION_NONE)
			target->decision.reason = ambiguous;
	}
	if (may_have_missed(pass, target)) {
		target->likely = missed_reason(why);
		/* Where a pointer led would not be seen either. */
		if (why_kept_off(why))
			target->pointer_tried = TARGET_MAX_POINTER_TRIES;
	} else if (target->hit_again) {
		target->likely = "two hits of a breakpoint were taken for one";
	} else if (may_have_jumped(target)) {
		target->likely = "it may have jumped by a table";
	} else if (target->graph.faults_unknown || may_have_faulted(target, in->result) ||
		   (efault && (target->module || !why->code->have_faults))) {
		target->likely = "a fault may have led there";
	}
	return 0;
}

int why_look(struct why *why, uint32_t index, const struct pass *pass, const struct activation *in)
{
	struct target *target = why->targets.data[index];
	bool again = target->decided;
	int err;

	target->decided = false;
	err = look_into(why, index, pass, in);
	if (err || !target->decided)
		return err;
	if (again && (target->decided_kind != target->decision.kind ||
		      target->decided_at != place_of(&target->decision)))
		why->unknown = differs;
	target->decided_kind = target->decision.kind;
	target->decided_at = place_of(&target->decision);
	return 0;
}

int why_find_passed(struct why *why, const struct target *target, uint32_t caller_index, uint64_t result)
{
	struct target *caller = why->targets.data[caller_index];
	int err;

	if (target->decision.kind != DECISION_NONE || target->decision.given_in < 0 ||
	    caller->passing_call || !caller->decision.callees.len)
		return 0;
	caller->passing_call = caller->decision.callees.data[0].call.addr;
	caller->passing_reg = target->decision.given_in;
	caller->callee = 0;
	err = decide_target(why, caller_index, result);
	if (!err && depends_on_more(caller, result))
		caller->decided = has_been_asked_enough(caller);
	return err ?: 1;
}

