// SPDX-License-Identifier: BSD-2-Clause
/* From the findings of one pass to the origin of the result. */
#include <errno.h>
#include <string.h>

#include "util/base/report.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/trace/explain/stack_rows.h"
#include "util/trace/plan/deny.h"
#include "util/why/way_records.h"
#include "util/why/why_internal.h"

/*
 * By its probes, a traced function called another one, but the trace lacks the call: one of them
 * is wrong.
 */
static const char unseen[] = "the way that its probes show leads to a call that was not seen; BPF does not run "
			     "where the kernel keeps it off";
static const char missed[] = "a probe may have been missed";
static const char computed[] = "a result on the way was selected or computed without a branch";
static const char untraced[] = "a function on the way cannot be traced";
static const char ambiguous[] = "the probes do not tell which way it took";
static const char differs[] = "the calls that failed so did not all take the same way";
static const char one_of_many[] =
	"the call fails so more than once, and another one of them may have been looked at";
static const char by_table[] = "it jumps by a table, which is not followed";
static const char excepted[] = "its caller looked for an exception after it had failed";

/* Functions inside that are examined together with one. */
#define MAX_INNER 4

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

static bool may_have_missed(const struct pass *pass, const struct target *target)
{
	const struct ledger *ledger = &pass->ledger;

	return ledger->stats.probes_skipped ||
	       (!target->by_breakpoints && ledger->probes_missed) ||
	       ((target->by_breakpoints || target->breakpoints_too) && ledger->breakpoints_missed);
}

static void not_known(struct target *target, const char *reason)
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
		not_known(target, "its code cannot be read");
		return 0;
	}
	decider_set_passing(code->decider, target->passing_call, target->passing_reg);
	err = decide(code->decider, &session, &code->branches, &no_stack, &target->decision);
	err = err ?: decider_condition(code->decider, &target->function, target->module,
				       is_syscall ? &params : NULL, &target->decision,
				       &target->condition);
	err = err ?: note_passed(code, target);
	if (err)
		return report_oom();
	target->decided = true;
	return 0;
}

int why_certain_callee(struct why *why, uint32_t index, uint64_t result,
		       const struct symbol **ret_symbol)
{
	struct target *target = why->targets.data[index];
	const struct block *block = target->graph.blocks.data;
	const struct decision *decision = &target->decision;
	const struct symbol *symbol = NULL;
	int err = 0;

	*ret_symbol = NULL;
	if (target->unusable || target->by_breakpoints || target->graph.blocks.len != 1 ||
	    block->nr_edges != 1)
		return 0;
	if (!target->decided) {
		target->way.blocks.len = 0;
		target->way.begin = WAY_WHOLE;
		target->way.faulted = false;
		err = vec_push(&target->way.blocks, (struct way_block){ 0, block->edges[0] }) ?
			      report_oom() :
			      decide_target(why, index, result);
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
static bool can_rule_out(struct target *target, const struct pass *pass)
{
	uint32_t entered = times_entered(target);

	if (!target->probed[0])
		not_known(target, "the CPU's breakpoints are taken, or are not to be had");
	else if (entered > 1 && !may_have_repeated(target))
		not_known(target, "it cannot be traced, and was called more than once");
	else if (entered > 1)
		return false;
	else if (entered && !may_have_missed(pass, target))
		return true;
	else if (++target->ambiguous > MAX_AMBIGUOUS)
		not_known(target, entered ? missed : "its breakpoints were not hit");
	return false;
}

/* Whether to give up. If passes ask for single blocks, they go on until one way is left. */
static bool has_been_asked_enough(struct target *target)
{
	if (target->by_breakpoints)
		return target->asked_all;
	return !target->asks && ++target->ambiguous > MAX_AMBIGUOUS;
}

/* The origin of the function's result: the address of the branch or of the call. */
static uint64_t place_of(const struct decision *decision)
{
	if (decision->kind == DECISION_CALLEE && decision->callees.len)
		return decision->callees.data[0].call.addr;
	return decision->kind == DECISION_NONE ? 0 : decision->from.addr;
}

/* Whether the unknown part of the way, before the known one, matters: it may settle a doubt, too. */
static bool depends_on_more(const struct target *target)
{
	const struct decision *decision = &target->decision;

	return target->way.begin == WAY_AMBIGUOUS &&
	       (decision->kind == DECISION_NONE || decision->kind == DECISION_COMPUTED ||
		decision->likely);
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
	target->result = in->result;
	target->likely = NULL;
	if (target->by_breakpoints && !can_rule_out(target, pass))
		return 0;
	if (target->asks && may_have_missed(pass, target)) {
		target->decided = ++target->ambiguous > MAX_AMBIGUOUS;
		target->decision.reason = missed;
		return 0;
	}
	err = target_find_way(target);
	if (!err && target->way.begin == WAY_AMBIGUOUS && !target->by_breakpoints && !target->asks)
		err = why_find_way_by_calls(why->code, target, pass, in);
	if (err)
		return report_oom();
	/* Every call passes the first probe. */
	if (target->probed[0] && (!target->hits.len || target->hits.data[0])) {
		not_known(target, "its probes were not hit");
		return 0;
	}
	if (target->way.begin == WAY_MISMATCH && may_have_repeated(target))
		return 0;
	if (target->way.begin == WAY_MISMATCH) {
		not_known(target, target->graph.has_tables ? by_table :
							     "probes and code do not agree");
		return 0;
	}
	if (ends_in_table(why->code, target)) {
		not_known(target, by_table);
		return 0;
	}
	if (target->way.faulted) {
		not_known(target, "memory that it used was not there: a fault led elsewhere");
		return 0;
	}
	err = decide_target(why, index, in->result);
	if (err)
		return err;
	if (depends_on_more(target)) {
		target->decided = has_been_asked_enough(target);
		if (target->decision.kind == DECISION_NONE)
			target->decision.reason = ambiguous;
	}
	if (may_have_missed(pass, target))
		target->likely = missed;
	else if (target->hit_again)
		target->likely = "two hits of a breakpoint were taken for one";
	else if (may_have_jumped(target))
		target->likely = "it may have jumped by a table";
	else if (target->graph.faults_unknown || (efault && (target->module ||
							     !why->code->have_faults)))
		target->likely = "a fault may have led there";
	return 0;
}

/*
 * Without a command, each pass sees another call: check that it takes the same way as earlier
 * ones.
 */
static int look_again(struct why *why, uint32_t index, const struct pass *pass,
		      const struct activation *in)
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

/*
 * Make a function that cannot be traced a target by breakpoints, which needs several passes of
 * the same call. -ENOENT: not possible; -ENOMEM.
 */
static int target_untraced(struct why *why, const struct symbol *symbol)
{
	int index;

	if (deny_reason(symbol->name) || !why->ask->command)
		return -ENOENT;
	index = why_target(why, symbol);
	if (index >= 0)
		why->targets.data[index]->by_breakpoints = true;
	return index;
}

/*
 * For a result that was computed, or passed on by an untraced function: the target of the
 * function called inside that returned the same result. *in becomes its activation. -ENOENT:
 * none, or several.
 */
static int returned_in(struct why *why, const struct pass *pass, struct activation *in)
{
	const struct symbol *symbol;
	struct activation found;
	uint32_t func;

	if (!pass_find_outermost(pass, in, &func, &found))
		return -ENOENT;
	symbol = symbolizer_symbol(why->code->symbolizer, pass->plan->funcs.data[func].addr);
	if (!symbol)
		return -ENOENT;
	*in = found;
	return why_target(why, symbol);
}

/* Add targets for the functions that returned the same result inside: they are examined next. */
static int add_inner(struct why *why, const struct pass *pass, struct activation in)
{
	int next = 0;

	for (int i = 0; next >= 0 && i < MAX_INNER; i++)
		next = returned_in(why, pass, &in);
	return next == -ENOMEM ? next : 0;
}

/*
 * Add targets for the functions that returned the same result inside, each inside the other or not: they may
 * have passed it up. If so, they are examined one run earlier. 0; -ENOMEM (reported).
 */
static int add_likely(struct why *why, const struct pass *pass, const struct activation *in)
{
	uint32_t funcs[MAX_INNER], nr = pass_find_same(pass, in, funcs, MAX_INNER);
	const struct symbol *symbol;
	int err = 0;

	for (uint32_t i = 0; err >= 0 && i < nr; i++) {
		symbol = symbolizer_symbol(why->code->symbolizer,
					   pass->plan->funcs.data[funcs[i]].addr);
		if (symbol)
			err = why_target(why, symbol);
	}
	return err < 0 ? err : 0;
}

static int add_level(struct why *why, uint32_t target, uint64_t result)
{
	return vec_push(&why->levels, (struct why_level){ target, result }) ? report_oom() : 0;
}

/* Copy the kind of the result from the pass's plan, for views. */
static void set_kind(struct why *why, uint32_t target, const struct pass *pass, uint64_t addr)
{
	enum return_kind *returns = &why->code->plan.funcs.data[target].returns;
	uint32_t func = pass_func(pass, addr);

	if (func != UINT32_MAX)
		*returns = pass->plan->funcs.data[func].returns;
}

/*
 * If the caller passed the result to the function, find where the caller got it from. Returns 1; 0:
 * it is not so; -ENOMEM (reported).
 */
static int find_passed(struct why *why, const struct target *target, uint32_t caller_index,
		       uint64_t result)
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
	if (!err && depends_on_more(caller))
		caller->decided = has_been_asked_enough(caller);
	return err ?: 1;
}

/* End the answer with a function that returned the result and is not examined. */
static void end_with(struct why *why, const struct symbol *symbol, const char *reason)
{
	why->last_callee = symbol ? symbol->name : NULL;
	why->last_reason = reason;
}

int why_follow(struct why *why, const struct pass *pass, enum why_next *ret_next)
{
	const struct session *session = pass->session;
	struct activation in = { 0, session->nr_calls ? session->nr_calls - 1 : 0,
				 session->frames[0].result };
	uint32_t index = why->levels.data[0].target, caller_index = 0;
	const struct symbol *symbol;
	struct target *target, *caller = NULL;
	struct activation outer = in;
	const char *carried = NULL;
	bool several = false, repeated, before;
	uint32_t found;
	int next, err;

	*ret_next = WHY_DONE;
	why->last_callee = why->last_reason = NULL;
	why->levels.len = 0;
	for (;;) {
		target = why->targets.data[index];
		err = add_level(why, index, in.result);
		if (err)
			return err;
		if (pass_is_torn(pass, &in)) {
			*ret_next = WHY_TORN;
			return 0;
		}
		set_kind(why, index, pass, target->function.addr);
		if (carried && !target->likely)
			target->likely = carried;
		if (target->unusable)
			not_known(target, target->unusable);
		if (target->by_breakpoints && !target->decided &&
		    why_rule_out_by_calls(why->code, target, pass, &in))
			return report_oom();
		if (!target->decided && !target->placed) {
			*ret_next = WHY_AGAIN;
			return add_likely(why, pass, &in);
		}
		if (!target->decided || (target->placed && !why->ask->command)) {
			err = look_again(why, index, pass, &in);
			target->placed = false;
			if (err || why->unknown)
				return err;
			why->runs.data[why->runs.len - 1].hits += target->hits.len;
			if ((several || carried) && !target->likely)
				target->likely = several ? why_repeated : carried;
			if (why->is_one_of_many && !target->likely)
				target->likely = one_of_many;
		}
		if (!target->decided) {
			*ret_next = WHY_AGAIN;
			return 0;
		}
		if (target->decision.kind == DECISION_COMPUTED ||
		    (target->decision.kind == DECISION_SELECTED && target->decision.likely)) {
			next = returned_in(why, pass, &in);
			if (next < 0)
				return next == -ENOENT ? 0 : next;
			carried = computed;
			caller = NULL;
			index = next;
			continue;
		}
		symbol = why_passed(why, target, caller);
		if (symbol) {
			why->levels.len--;
			target = caller;
			in = outer;
		} else if (caller && (next = find_passed(why, target, caller_index, outer.result))) {
			if (next < 0)
				return next;
			why->levels.len -= 2;
			in = outer;
			caller = NULL;
			index = caller_index;
			continue;
		} else if (target->decision.kind != DECISION_CALLEE) {
			symbol = why_tested(why, target, pass, &in, &outer, &before, &repeated);
			next = symbol ? why_target(why, symbol) : 0;
			if (!symbol || next < 0)
				return next;
			err = add_inner(why, pass, outer);
			if (err)
				return err;
			several |= repeated;
			if (target->decision.likely)
				carried = target->decision.reason;
			else if (before)
				carried = excepted;
			in = outer;
			caller = NULL;
			index = next;
			continue;
		} else {
			symbol = why_callee(why, target, pass, &in);
		}
		if (!symbol && target_wants_pointer(target)) {
			*ret_next = WHY_AGAIN;
			return 0;
		}
		if (!symbol) {
			end_with(why, NULL, "it was called through a pointer");
			return 0;
		}
		if (!why_can_trace(why->code, symbol)) {
			next = returned_in(why, pass, &in);
			if (next >= 0) {
				carried = untraced;
				caller = NULL;
			} else if (next == -ENOENT) {
				next = target_untraced(why, symbol);
				if (next == -ENOENT)
					end_with(why, symbol, "it cannot be traced");
				/* The caller's activation includes the function's calls. */
				caller = target;
				caller_index = index;
				outer = in;
			}
			if (next < 0)
				return next == -ENOENT ? 0 : next;
			index = next;
			continue;
		}
		next = why_target(why, symbol);
		if (next < 0)
			return next;
		if (pass_func(pass, symbol->addr) == UINT32_MAX) {
			err = add_level(why, next, in.result);
			if (!err)
				why->levels.data[why->levels.len - 1].unseen = true;
			*ret_next = WHY_AGAIN;
			return err;
		}
		caller = target;
		caller_index = index;
		outer = in;
		found = pass_find_called(pass, &in, symbol->addr, in.result, &in);
		if (!found) {
			not_known(target, unseen);
			return 0;
		}
		several |= found > 1;
		index = next;
	}
}
