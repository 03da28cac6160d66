// SPDX-License-Identifier: BSD-2-Clause
/* A session's stack: taken when its call returned, or joined from stacks taken at entries. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/config.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/session/assembler_internal.h"
#include "util/trace/session/session.h"

/* How far after its beginning a function's entry may appear: endbr64, the call to a trampoline. */
#define ENTRY_SLACK 16

/* How many addresses of trampolines and BPF programs may come before the function's own. */
#define MAX_BEFORE_ENTRY 16

static const struct stack_record *stack_of(const struct stack_record *stack, uint32_t frame)
{
	while (stack && stack->frame != frame)
		stack = stack->next;
	return stack;
}

static const struct plan_func *func_of(const struct session_rules *rules,
				       const struct session *session, uint32_t frame)
{
	return &rules->plan->funcs.data[session->frames[frame].func];
}

static enum rung rung_of(const struct session_rules *rules, const struct session *session,
			 uint32_t frame)
{
	return rules->attached->rungs[session->frames[frame].func];
}

/*
 * Index of the function itself in a stack taken at its entry. With registers it is first, and
 * mostly twice (keep_entry_stack()); otherwise it comes after the BPF program and the trampoline.
 * -1: the stack belongs to another call.
 */
static int own_entry(const struct stack_record *stack, const struct plan_func *func)
{
	for (uint32_t i = 0; i < stack->nr_ips && i <= MAX_BEFORE_ENTRY; i++) {
		if (stack->ips[i] - func->addr > ENTRY_SLACK)
			continue;
		return i + 1 < stack->nr_ips && stack->ips[i + 1] == stack->ips[i] ? i + 1 : i;
	}
	return -1;
}

static bool is_trampoline(const struct session_rules *rules, uint64_t ip)
{
	return rules->trampoline && ip >= rules->trampoline && ip < rules->trampoline_end;
}

/* Whether the last address so far is in the function: its call is on the stack. */
static bool is_on_stack(const struct session *session, const struct plan_func *func)
{
	uint64_t last = session->ips[session->nr_ips - 1] - 1;

	return !func->size || last - func->addr < func->size;
}

/*
 * Join stacks taken at entries. Each ends where a return probe replaced the return address of the
 * nearest caller. The caller's own stack, taken before that, continues from there. A missing stack
 * leaves a gap, which the chain's frames show. Where the last one ends so, too, a return probe of another
 * session, or of another tool, is on a caller of the entry call.
 *
 * In older recordings, without EVENT_SESSION_OWN_STACKS, frames from the first stitched one on have no stacks:
 * a later call was at that depth, and the stacks belong to that call.
 */
static int join_entry_stacks(const struct session_rules *rules, const struct stack_record *first,
			     bool own_stacks, struct session *session)
{
	const struct stack_record *stack;
	size_t room = 0;
	bool cut = true, gap = false, full = false;
	uint32_t i;
	int own;

	for (stack = first; stack; stack = stack->next)
		room += stack->nr_ips + 1;
	session->ips = calloc(room ?: 1, sizeof(session->ips[0]));
	if (!session->ips)
		return -ENOMEM;

	for (i = 0; i < session->nr_frames; i++) {
		if (!own_stacks && session->frames[i].flags & EVENT_FRAME_STITCHED)
			break;
	}
	while (i-- && cut) {
		const struct plan_func *func = func_of(rules, session, i);

		/* Trampolines replace no return address: this function did not cut the stack. */
		if (session->nr_ips && rung_of(rules, session, i) != RUNG_KPROBE)
			continue;
		stack = stack_of(first, i);
		own = stack ? own_entry(stack, func) : -1;
		if (own < 0) {
			gap = true;
			continue;
		}
		if (session->nr_ips) {
			/*
			 * The function's return probe is on the stack, but not the function: it
			 * made a tail call.
			 */
			if (!gap && !is_on_stack(session, func))
				session->ips[session->nr_ips++] = func->addr;
			own++;
		}
		cut = gap = false;
		full = stack->nr_ips >= ENTRY_STACK_IPS;
		for (uint32_t ip = own; ip < stack->nr_ips && !cut; ip++) {
			cut = is_trampoline(rules, stack->ips[ip]);
			if (!cut)
				session->ips[session->nr_ips++] = stack->ips[ip];
		}
	}
	session->at_entry = session->nr_ips > 0;
	if (session->at_entry)
		session->callers_missing = cut ? CALLERS_HIDDEN : full ? CALLERS_TOO_DEEP : CALLERS_ALL_THERE;
	return 0;
}

int assembler_take_stacks(const struct session_rules *rules, const struct stack_record *first,
			  bool own_stacks, struct session *session)
{
	const struct stack_record *stack = stack_of(first, EVENT_STACK_RETURN);

	if (!stack)
		return join_entry_stacks(rules, first, own_stacks, session);
	session->ips = calloc(stack->nr_ips ?: 1, sizeof(session->ips[0]));
	if (!session->ips)
		return -ENOMEM;
	memcpy(session->ips, stack->ips, stack->nr_ips * sizeof(session->ips[0]));
	session->nr_ips = stack->nr_ips;
	if (stack->nr_ips >= EVENT_MAX_IPS)
		session->callers_missing = CALLERS_TOO_DEEP;
	return 0;
}
