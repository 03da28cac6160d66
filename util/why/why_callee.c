// SPDX-License-Identifier: BSD-2-Clause
/*
 * The function whose result a function passed on: called by name, through a pointer, or by its
 * caller; and functions that likely passed it on, to be examined before that is known.
 */
#include <string.h>

#include "util/base/report.h"
#include "util/explain/condition.h"
#include "util/explain/decision_lines.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/plan/plan.h"
#include "util/why/pointer_call.h"
#include "util/why/why_internal.h"

const char why_repeated[] = "the function was called more than once";

/*
 * The function that was called at an address, by the kernel's stack of the innermost failed call.
 * Needed for calls through pointers, whose code does not show it. If that function jumped to another
 * one at its end, it is the other one.
 */
static const struct symbol *called_by_stack(const struct why *why, const struct pass *pass,
					    uint64_t call)
{
	const struct session *session = pass->session;
	struct branch_insn insn;
	uint32_t found = 0;

	if (code_branch(&why->code->reader, call, &insn))
		return NULL;
	for (uint32_t i = 1; i < session->nr_ips; i++) {
		if (session->ips[i] != call + insn.length)
			continue;
		/* It called itself. */
		if (found)
			return NULL;
		found = i;
	}
	return found ? symbolizer_symbol(why->code->symbolizer, session->ips[found - 1] - 1) : NULL;
}

/*
 * The function in the register of a call through a pointer: of several hits that of the last one, or if it
 * is among them that which the stack has.
 *
 * @stacked	the latter; NULL: not known
 * @ret_nr	number of hits that it may be
 */
static const struct symbol *called_by_register(const struct why *why,
					       const struct pointer_site *site,
					       const struct pass *pass,
					       const struct activation *in,
					       const struct symbol *stacked, uint32_t *ret_nr)
{
	const struct session *session = pass->session;
	const struct symbol *symbol = NULL;
	const struct traced_call *call;
	struct probe_walk walk = {};
	uint64_t value = 0;

	*ret_nr = 0;
	/* Without those of recursive calls. */
	while ((call = pass_next_probe(pass, in, &walk))) {
		if (call->func != site->probe ||
		    !pointer_call_value(session->args + call->args_at, call->args_size,
					site->reg, &value))
			continue;
		symbol = called_symbol_of(&why->code->reader, value);
		if (symbol && stacked && symbol->addr == stacked->addr) {
			*ret_nr = 1;
			return symbol;
		}
		++*ret_nr;
	}
	return symbol;
}

/*
 * The function that was called through a pointer at @call. If it is not known, the next pass is to have a
 * probe there (target_wants_pointer()).
 *
 * @reg		the register with the pointer; -1: none, or not known
 */
static const struct symbol *called_through(struct why *why, struct target *target, const struct pass *pass,
					   const struct activation *in, uint64_t call, int reg)
{
	struct pointer_site *site = target_site(target, call), missing = { .probe = TARGET_NO_PROBE };
	const struct symbol *stacked = called_by_stack(why, pass, call), *symbol = NULL;
	struct branch_insn insn;
	uint32_t nr = 0;

	if (site && site->probe != TARGET_NO_PROBE)
		symbol = called_by_register(why, site, pass, in, stacked, &nr);
	if (!symbol)
		symbol = stacked;
	if (nr > 1 && !target->likely)
		target->likely = why_repeated;
	/* It was hit, but leads to no function: another pass would not help. */
	if (nr && !symbol)
		target->pointer_tried = TARGET_MAX_POINTER_TRIES;
	if (symbol) {
		target->callee = symbol->addr;
	} else if (reg >= 0 && target->pointer == TARGET_NO_PROBE) {
		missing.call = call;
		missing.reg = reg;
		missing.breaks = !code_branch(&why->code->reader, call, &insn) && code_breaks_kprobe(&insn);
		if (!site && !vec_push(&target->sites, missing))
			site = &target->sites.data[target->sites.len - 1];
		if (site)
			target->pointer = site - target->sites.data;
	}
	return symbol;
}

const struct symbol *why_callee(struct why *why, struct target *target, const struct pass *pass,
				const struct activation *in)
{
	struct decision_callee *callee;
	const struct symbol *symbol;
	int reg;

	if (!target->decision.callees.len)
		return NULL;
	callee = &target->decision.callees.data[0];
	if (target->callee)
		return symbolizer_symbol(why->code->symbolizer, target->callee);
	reg = pointer_call_register(&why->code->reader, why->code->symbols, callee->call.addr);
	/* A thunk is no callee, whatever its name. */
	if (reg >= 0) {
		callee->addr = 0;
		callee->name = NULL;
	}
	symbol = callee->addr ? symbolizer_symbol(why->code->symbolizer, callee->addr) : NULL;
	if (symbol)
		target->callee = symbol->addr;
	else
		symbol = called_through(why, target, pass, in, callee->call.addr, reg);
	if (symbol) {
		callee->addr = symbol->addr;
		callee->name = symbol->name;
	}
	return symbol;
}

/* "conv(...) != 0", "f(...) < 0": what was called may have returned the error. */
static bool asks_for_failure(const struct decision_condition *condition)
{
	return condition->text && condition->kind == OPERANDS_COMPARE &&
	       (condition->condition == CONDITION_NOT_EQUAL || condition->condition == CONDITION_LESS) &&
	       condition->b.operand.kind == OPERAND_CONSTANT && !condition->b.value;
}

const struct symbol *why_tested_through(struct why *why, struct target *target, const struct pass *pass,
					const struct activation *in, bool *ret_again)
{
	const struct decision *decision = &target->decision;
	const char *likely = target->likely;
	const struct symbol *symbol;
	int reg;

	*ret_again = false;
	if ((decision->kind != DECISION_TAKEN && decision->kind != DECISION_NOT_TAKEN) ||
	    !decision->tested_call || target->by_breakpoints || !asks_for_failure(&target->condition))
		return NULL;
	reg = pointer_call_register(&why->code->reader, why->code->symbols, decision->tested_call);
	if (reg < 0)
		return NULL;
	/* It takes a run to see the function, and one to see which way it took. */
	if (why->runs.len + 2 >= why->ask->max_runs) {
		why_end_with_unseen(why, NULL);
		return NULL;
	}
	symbol = target->callee ? symbolizer_symbol(why->code->symbolizer, target->callee) :
				  called_through(why, target, pass, in, decision->tested_call, reg);
	/* Several calls are no doubt about the branch, which tested the last one. */
	target->likely = likely;
	if (!symbol) {
		*ret_again = target_wants_pointer(target);
		return NULL;
	}
	if (!why_can_trace(why->code, symbol))
		return NULL;
	if (pass_func(pass, symbol->addr) != UINT32_MAX)
		return symbol;
	/* It was to be traced in this run. */
	*ret_again = !why_is_target(why, symbol);
	return *ret_again ? symbol : NULL;
}

uint64_t why_tested_function(struct why *why, struct target *target, const struct pass *pass,
			     const struct activation *in)
{
	const struct decision_condition *condition = &target->condition;
	const struct decision *decision = &target->decision;
	const char *likely = target->likely;
	const struct symbol *symbol;
	struct branch_insn insn;
	int reg;

	/* Without a command each run takes as long as the next failure does to come. */
	if ((decision->kind != DECISION_TAKEN && decision->kind != DECISION_NOT_TAKEN &&
	     decision->kind != DECISION_SELECTED) ||
	    decision->likely || why->is_one_of_many || !decision->tested_call || target->by_breakpoints ||
	    !why->ask->command || !condition->text || !condition->a.is_result || condition->b.operand.kind != OPERAND_CONSTANT)
		return 0;
	reg = pointer_call_register(&why->code->reader, why->code->symbols, decision->tested_call);
	if (reg >= 0)
		symbol = target->callee ? symbolizer_symbol(why->code->symbolizer, target->callee) :
					  called_through(why, target, pass, in, decision->tested_call, reg);
	else if (code_branch(&why->code->reader, decision->tested_call, &insn) || insn.kind != BRANCH_CALL)
		symbol = NULL;
	else
		symbol = called_symbol_of(&why->code->reader, insn.target);
	target->likely = likely;
	return symbol && why_has_reasons(why->code, symbol) ? symbol->addr : 0;
}

const struct symbol *why_passed(struct why *why, const struct target *target, struct target *caller)
{
	struct decision_callee *callee;
	const struct symbol *symbol;

	if (target->decision.kind != DECISION_NONE || target->decision.given_in < 0 || !caller ||
	    !caller->decision.callees.len)
		return NULL;
	for (uint32_t i = 0; i < TARGET_MAX_PASSED; i++) {
		if (operands_parameter(i) != target->decision.given_in || !caller->passed[i].called)
			continue;
		symbol = called_symbol_of(&why->code->reader, caller->passed[i].called);
		if (!symbol)
			return NULL;
		callee = &caller->decision.callees.data[0];
		callee->addr = caller->callee = symbol->addr;
		callee->name = symbol->name;
		place_fill(&why->code->reader, caller->passed[i].called_at, false, &callee->call);
		/* They were passed to the call that this one takes the place of. */
		memset(caller->passed, 0, sizeof(caller->passed));
		return symbol;
	}
	return NULL;
}

/* The call of a function that was open when the kernel's stack was taken; 0: not known. */
static uint64_t call_on_stack(const struct session *session, struct code_reader *reader,
			      const struct code_function *function)
{
	uint64_t found = 0;

	for (uint32_t i = session->at_entry; i < session->nr_ips; i++) {
		if (!function_contains(reader, function, session->ips[i] - 1))
			continue;
		/* It called itself. */
		if (found)
			return 0;
		found = session->ips[i] - 1;
	}
	return found;
}

/* The function that was open, by an address of the stack: one after a call, or a function's start. */
static const struct symbol *on_stack(const struct why *why, uint64_t ip)
{
	const struct symbol *symbol = symbolizer_symbol(why->code->symbolizer, ip);

	return symbol && symbol->addr == ip ? symbol :
					      symbolizer_symbol(why->code->symbolizer, ip - 1);
}

/*
 * Use the stack of the innermost call that failed so: the functions that were open then likely
 * passed the result up, also those called through pointers. Outer ones come first.
 */
static int add_stack(struct why *why, const struct session *session)
{
	const struct event_frame *innermost = &session->frames[session->nr_frames - 1];
	uint32_t entry = session->at_entry;
	const struct symbol *symbol;
	int err;

	/* The outermost that is examined: a system call's function may have jumped to it, and is not there then. */
	for (uint32_t i = session->at_entry; i < session->nr_ips; i++) {
		symbol = on_stack(why, session->ips[i]);
		if (symbol && why_is_target(why, symbol))
			entry = i;
	}
	if ((int32_t)innermost->result != (int32_t)session->frames[0].result)
		return 0;
	while (entry-- > session->at_entry) {
		symbol = on_stack(why, session->ips[entry]);
		if (!symbol || !why_can_trace(why->code, symbol))
			continue;
		err = why_target(why, symbol);
		if (err < 0)
			return err;
	}
	return 0;
}

int why_add_hints(struct why *why, const struct pass *pass)
{
	const struct session *session = pass->session;
	int err = add_stack(why, session);

	if (err)
		return err;
	for (uint32_t i = 1; i < session->nr_frames; i++) {
		const struct event_frame *frame = &session->frames[i];
		const struct symbol *symbol;

		if ((int32_t)frame->result != (int32_t)session->frames[0].result)
			continue;
		symbol = symbolizer_symbol(why->code->symbolizer,
					   pass->plan->funcs.data[frame->func].addr);
		if (!symbol || !why_can_trace(why->code, symbol))
			continue;
		err = why_target(why, symbol);
		if (err < 0)
			return err;
	}
	vec_foreach(target, &why->targets) {
		/* It was examined from the anchor before, without success. */
		if ((*target)->decided || (*target)->unusable || (*target)->hits.len)
			continue;
		(*target)->anchor = target_block_at(
			*target, call_on_stack(session, &why->code->reader, &(*target)->function));
		if (why_want_by_calls(why->code, *target, pass))
			return report_oom();
	}
	return 0;
}
