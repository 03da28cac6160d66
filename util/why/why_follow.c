// SPDX-License-Identifier: BSD-2-Clause
/* From the findings of one pass to the origin of the result. */
#include <errno.h>

#include "util/base/report.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/plan/match/deny.h"
#include "util/why/reasons/check.h"
#include "util/why/why_internal.h"

/*
 * By its probes, a traced function called another one, but the trace lacks the call: one of them
 * is wrong.
 */
static const char unseen[] = "the way that its probes show leads to a call that was not seen; BPF does not run "
			     "where the kernel keeps it off";
static const char computed[] = "a result on the way was selected or computed without a branch";
static const char untraced[] = "a function on the way cannot be traced";
static const char one_of_many[] =
	"the call fails so more than once, and another one of them may have been looked at";
static const char called_itself[] = "it was called by itself, and its outer call was looked into";
static const char kept[] = "how it came into the request was not followed";
static const char excepted[] = "its caller looked for an exception after it had failed";

/* Functions inside that are examined together with one. */
#define MAX_INNER 4

/*
 * Make a function that cannot be traced a target by breakpoints, which needs several passes of
 * the same call. -ENOENT: not possible; -ENOMEM.
 */
static int target_untraced(struct why *why, const struct symbol *symbol)
{
	int index;

	if (deny_reason(symbol->name) || !why->ask->command)
		return -ENOENT;
	/* Where assembly could not access memory, no branch of it decided that. */
	if (asm_routine_by_name(symbol->name) && check_has_fault(&why->watched.calls.v.data[why->chosen].event))
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

static int add_level(struct why *why, uint32_t target, const struct activation *in)
{
	struct why_level level = { .target = target, .result = in->result, .first = in->first, .last = in->last };

	return vec_push(&why->levels, level) ? report_oom() : 0;
}

/*
 * The last of the levels, if its function called that target, or else NULL. *ret_in: its activation.
 */
static struct target *calling_level(struct why *why, const struct target *called, uint32_t *ret_index,
				    struct activation *ret_in)
{
	const struct why_level *level;
	struct target *target;

	if (!why->levels.len)
		return NULL;
	level = &why->levels.data[why->levels.len - 1];
	target = why->targets.data[level->target];
	if (target->decision.kind != DECISION_CALLEE || !target->decision.callees.len ||
	    target->decision.callees.data[0].addr != called->function.addr)
		return NULL;
	*ret_index = level->target;
	*ret_in = (struct activation){ level->first, level->last, level->result };
	return target;
}

void why_set_kind(struct why *why, uint32_t target, const struct pass *pass)
{
	enum return_kind *returns = &why->code->plan.funcs.data[target].returns;
	uint32_t func = pass_func(pass, why->targets.data[target]->function.addr);

	if (func != UINT32_MAX)
		*returns = pass->plan->funcs.data[func].returns;
}

/* How the innermost function of the caller's callees handed the result up: the parameter, or 0. */
static uint8_t stored_param_of(const struct target *caller)
{
	return caller->decision.callees.len ? caller->decision.callees.data[0].stored_param : 0;
}

/*
 * How the result came into an object, where the first function kept it, is not known: many functions get the object.
 * As returned_in() for the first function, which is the only level then.
 */
static int begin_kept(struct why *why, const struct target *target, const struct pass *pass, struct activation *in)
{
	const struct why_level *level = &why->levels.data[0];
	struct target *first = why->targets.data[level->target];
	/* What is completed elsewhere may get its result there. */
	uint64_t result = pass->session->frames[0].result;
	bool is_complete = why_request_take_kept(why, &result) == WHY_KEPT;
	int next;

	why->levels.len = 1;
	*in = (struct activation){ level->first, level->last, level->result };
	next = returned_in(why, pass, in);
	if (next == -ENOENT && (target != first || first->decision.kind == DECISION_CALLEE || !is_complete))
		why_not_known(first, kept);
	return next;
}

/*
 * Find the activation of the function that the caller got the result from. One that stored it by an address may have
 * returned anything. Returns the number of such activations.
 */
static uint32_t find_callee(const struct pass *pass, const struct target *caller, const struct symbol *symbol,
			    struct activation *in)
{
	const uint64_t result = in->result;
	uint32_t nr;

	if (!stored_param_of(caller))
		return pass_find_called(pass, in, symbol->addr, result, in);
	nr = pass_find_calls(pass, in, symbol->addr, in);
	in->result = result;
	return nr;
}

/* What is known of a function is of what it returned, or of what it stored by an address. */
static void set_stored_by(struct target *target, const struct target *caller)
{
	const uint16_t at = stored_param_of(caller) ? caller->decision.callees.data[0].stored_at : 0;

	if (target->stored_param != stored_param_of(caller) || target->stored_at != at)
		target->decided = false;
	target->stored_param = stored_param_of(caller);
	target->stored_at = at;
}

/* End the answer with a function that returned the result and is not examined. */
static void end_with(struct why *why, const struct symbol *symbol, const char *reason)
{
	why->last_callee = symbol ? symbol->name : NULL;
	why->last_reason = reason;
}

/* The innermost level's function that read the result from an object which it had passed to others; NULL: none did. */
static struct target *reader_of_object(struct why *why)
{
	for (size_t i = why->levels.len; i-- > 0;) {
		struct target *target = why->targets.data[why->levels.data[i].target];
		const struct decision *decision = &target->decision;

		if (target->decided && decision->callees.len && decision->callees.data[0].stored_in_object)
			return target;
	}
	return NULL;
}

/*
 * It is not known that the last level's function stored the result: what is known ends with its caller, unless a
 * function read it from an object, where it may have been before.
 */
static enum why_next end_unstored(struct why *why, const struct target *target, struct target *caller)
{
	struct target *reader;

	why->levels.len--;
	reader = target->decision.reason == decider_not_stored ? reader_of_object(why) : NULL;
	if (reader) {
		reader->was_there = true;
		reader->decided = false;
		return WHY_AGAIN;
	}
	if (target->decision.reason == decider_not_stored)
		why_not_known(caller, decider_stored_by_address);
	else
		end_with(why, why_symbol_of(why, target), target->decision.reason);
	return WHY_DONE;
}

bool why_is_level(const struct why *why, uint32_t target)
{
	return vec_find(level, &why->levels, level->target == target);
}

/*
 * Why it is not sure which way a function took, though the trace shows which of several calls was the one. A doubt
 * about which branch decided does not matter where a call's result was handed up.
 */
static const char *doubt_of(const struct target *target)
{
	if (target->decision.likely && target->decision.kind != DECISION_CALLEE)
		return target->decision.reason;
	return target->likely == why_repeated ? NULL : target->likely;
}

/*
 * As why_tested(), of a call through a pointer. *ret_again: only the next run shows whether the function
 * returned the same error; it is one of the targets then, as far as it is known.
 */
static int tested_through(struct why *why, struct target *target, const struct pass *pass,
			  const struct activation *in, struct activation *ret, bool *ret_several,
			  bool *ret_again, const struct symbol **ret_symbol)
{
	const struct symbol *symbol = why_tested_through(why, target, pass, in, ret_again);
	uint32_t func = symbol ? pass_func(pass, symbol->addr) : UINT32_MAX, nr;
	int next = 0;

	*ret_symbol = NULL;
	if (*ret_again)
		next = symbol ? why_target(why, symbol) : 0;
	if (*ret_again || !symbol || !pass_may_fail(pass, func))
		return next < 0 ? next : 0;
	nr = pass_find_called(pass, in, symbol->addr, in->result, ret);
	*ret_several = nr > 1;
	if (nr)
		*ret_symbol = symbol;
	return 0;
}

int why_follow(struct why *why, const struct pass *pass, enum why_next *ret_next)
{
	const struct session *session = pass->session;
	struct activation in = { 0, session->nr_calls ? session->nr_calls - 1 : 0,
				 session->frames[0].result };
	uint32_t index = why->levels.data[0].target, caller_index = 0;
	const struct symbol *symbol;
	struct target *target, *caller = NULL;
	struct activation outer;
	const char *carried = NULL, *doubt;
	bool several = false, repeated, before, again;
	uint32_t found;
	int next, err;

	*ret_next = WHY_DONE;
	why->last_callee = why->last_reason = NULL;
	why->levels.len = 0;
	why->tested_at = 0;
	if (why->kept_at)
		why_request_set_kept(why, why->targets.data[index],
				     why_request_take_kept(why, &in.result) != WHY_RETURNED);
	outer = in;
	for (;;) {
		target = why->targets.data[index];
		/* What is known of a function is of one call of it. */
		if (why_is_level(why, index)) {
			end_with(why, why_symbol_of(why, target), called_itself);
			return 0;
		}
		err = add_level(why, index, &in);
		if (err)
			return err;
		if (pass_is_torn(pass, &in)) {
			*ret_next = WHY_TORN;
			return 0;
		}
		why_set_kind(why, index, pass);
		if (carried && !target->likely)
			target->likely = carried;
		if (target->unusable)
			why_not_known(target, target->unusable);
		err = why_look_untraced(why, index, pass, &in);
		if (err)
			return err;
		if (!target->decided && !target->placed) {
			*ret_next = WHY_AGAIN;
			return add_likely(why, pass, &in);
		}
		if (!target->decided || (target->placed && !why->ask->command)) {
			err = why_look(why, index, pass, &in);
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
		/* If the way into the object is not found, they are. */
		if (why_is_kept(why, target) && target->decision.kind == DECISION_CALLEE && stored_param_of(target)) {
			err = add_likely(why, pass, &in);
			if (err)
				return err;
		}
		if (why_is_kept(why, target) && (target->decision.kind == DECISION_NONE ||
						 target->decision.kind == DECISION_READ)) {
			next = begin_kept(why, target, pass, &in);
			doubt = kept;
			goto inside;
		}
		if (target->stored_param && target->decision.kind == DECISION_NONE && caller) {
			*ret_next = end_unstored(why, target, caller);
			return 0;
		}
		if (target->decision.kind == DECISION_COMPUTED ||
		    (target->decision.kind == DECISION_SELECTED && target->decision.likely)) {
			next = returned_in(why, pass, &in);
			doubt = computed;
			goto inside;
		}
		symbol = why_passed(why, target, caller);
		if (symbol) {
			why->levels.len--;
			target = caller;
			index = caller_index;
			in = outer;
		} else if (caller && (next = why_find_passed(why, target, caller_index, outer.result))) {
			if (next < 0)
				return next;
			/* The caller may have been passed it, too. */
			why->levels.len -= 2;
			in = outer;
			index = caller_index;
			caller = calling_level(why, caller, &caller_index, &outer);
			continue;
		} else if (target->decision.kind != DECISION_CALLEE) {
			symbol = why_tested(why, target, pass, &in, &outer, &before, &repeated);
			if (!symbol) {
				before = false;
				err = tested_through(why, target, pass, &in, &outer, &repeated, &again,
						     &symbol);
				if (err || again) {
					*ret_next = again ? WHY_AGAIN : WHY_DONE;
					return err;
				}
			}
			if (!symbol) {
				why->tested_at = why_tested_function(why, target, pass, &in);
				return 0;
			}
			next = why_target(why, symbol);
			if (next < 0)
				return next;
			err = add_inner(why, pass, outer);
			if (err)
				return err;
			several |= repeated;
			carried = doubt_of(target) ?: before ? excepted : carried;
			in = outer;
			caller = NULL;
			index = next;
			continue;
		} else {
			symbol = why_callee(why, target, pass, &in);
		}
		carried = carried ?: doubt_of(target);
		if (!symbol && target_wants_pointer(target)) {
			*ret_next = WHY_AGAIN;
			return 0;
		}
		if (!symbol) {
			end_with(why, NULL, "which it was is not known");
			return 0;
		}
		if (!why_can_trace(why->code, symbol) && stored_param_of(target)) {
			if (!why_is_kept(why, target)) {
				end_with(why, symbol, "it cannot be traced");
				return 0;
			}
			next = begin_kept(why, target, pass, &in);
			doubt = kept;
			goto inside;
		}
		if (!why_can_trace(why->code, symbol)) {
			next = returned_in(why, pass, &in);
			if (next >= 0) {
				if (!why_surely_passed(why, pass, target, why->targets.data[next]->function.addr,
						       in.result))
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
		err = 0;
		set_stored_by(why->targets.data[next], target);
		if (pass_func(pass, symbol->addr) == UINT32_MAX) {
			err = why_look_one_way(why, next, in.result);
			if (!err) {
				err = add_level(why, next, &in);
				if (!err)
					why->levels.data[why->levels.len - 1].unseen = true;
				*ret_next = WHY_AGAIN;
				return err;
			}
			if (err < 0)
				return err;
		}
		caller = target;
		caller_index = index;
		outer = in;
		index = next;
		/* Probably it jumped to a function that is traced: it is part of the caller's activation. */
		if (err > 0)
			continue;
		found = find_callee(pass, caller, symbol, &in);
		if (!found && caller->decision.has_other && !why_kept_off(why)) {
			caller->not_by_call = true;
			caller->callee = 0;
			caller->decided = false;
			*ret_next = WHY_AGAIN;
			return 0;
		}
		if (!found) {
			why_not_known(target, why_kept_off(why) ?: unseen);
			return 0;
		}
		several |= found > 1;
		continue;
inside:
		/* Who called the function is not known. */
		if (next < 0)
			return next == -ENOENT ? 0 : next;
		carried = doubt;
		caller = NULL;
		index = next;
	}
}
