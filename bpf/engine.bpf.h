/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Calls: a traced function's entry and exit reach call_entered() and call_returned() from any kind of
 * program. While the gate is closed (bpf/gate.bpf.h), only entries of entry functions do.
 */
#ifndef RETSNOOP_BPF_ENGINE_BPF_H
#define RETSNOOP_BPF_ENGINE_BPF_H

#include "bpf/branches.bpf.h"
#include "bpf/budget.bpf.h"
#include "bpf/context.bpf.h"
#include "bpf/filter.bpf.h"
#include "bpf/frames.bpf.h"
#include "bpf/gate.bpf.h"
#include "bpf/kept.bpf.h"
#include "bpf/quick.bpf.h"
#include "bpf/send.bpf.h"
#include "bpf/session.bpf.h"
#include "bpf/summary.bpf.h"
#include "bpf/trace.bpf.h"
#include "bpf/trace_context.bpf.h"
#include "bpf/where.bpf.h"

/*
 * A call at @depth begins. If that broke the chain, this and later calls will have their stacks where its own are.
 * Those that it had before it broke the last time are kept already.
 */
static __noinline void keep_broken_stacks(struct session_state *session, __u32 depth)
{
	struct chain_state *chain;
	struct entry_stacks *all;
	__u32 slot, which, frame;

	if (!session)
		return;
	which = session->chains.current & 1;
	chain = &session->chains.state[which];
	if ((chain->flags & (CHAIN_BROKEN | CHAIN_KEPT)) != CHAIN_BROKEN || chain->at != depth)
		return;
	slot = session->slot;
	all = bpf_map_lookup_elem(&entry_stacks, &slot);
	if (!all)
		return;
	chain->flags |= CHAIN_KEPT;
	for (__u32 i = 0; i < BROKEN_STACKS; i++) {
		frame = chain->depth - 1 - i;
		if (i >= chain->depth || frame < chain->at)
			break;
		if (frame >= chain->stitched)
			continue;
		if (frame >= ENTRY_STACK_DEPTH) {
			all->broken[which][i].event.nr_ips = 0;
			continue;
		}
		barrier_var(frame);
		bpf_probe_read_kernel(&all->broken[which][i], sizeof(struct entry_stack),
				      &all->frames[frame & (ENTRY_STACK_DEPTH - 1)]);
	}
}

/*
 * With 6.17's incomplete registers the stack may lack the function itself. So its address is put
 * first; user space drops a duplicate. If the kernel leaves out the caller, it is read from the
 * registers: the function has not made its own frame yet.
 */
static __always_inline void keep_entry_stack(void *ctx, __u32 slot_index, __u32 depth,
					     bool by_slots)
{
	struct entry_stacks *all;
	struct entry_stack *stack;
	__u32 first = !by_slots;
	long size;

	if (depth >= ENTRY_STACK_DEPTH)
		return;
	all = bpf_map_lookup_elem(&entry_stacks, &slot_index);
	if (!all)
		return;
	barrier_var(depth);
	stack = &all->frames[depth & (ENTRY_STACK_DEPTH - 1)];
	if (config.callers_by_link && !by_slots) {
		stack->ips[0] = PT_REGS_IP((struct pt_regs *)ctx);
		stack->ips[1] = arch_link(ctx);
		size = bpf_get_stack(ctx, stack->ips + 2, sizeof(stack->ips) - 16, 1);
		stack->event.nr_ips = 2 + (size > 0 ? (__u32)size / 8 : 0);
		return;
	}
	if (first)
		stack->ips[0] = PT_REGS_IP((struct pt_regs *)ctx);
	size = bpf_get_stack(ctx, stack->ips + first, sizeof(stack->ips) - 8 * first, 0);
	stack->event.nr_ips = size > 0 ? first + (__u32)size / 8 : 0;
}

static __noinline void missed_returns(struct session_state *session, __u32 depth)
{
	__u32 zero = 0;
	struct event_stats *all = bpf_map_lookup_elem(&stats, &zero);

	if (!session)
		return;
	if (all)
		all->missed_returns += session->depth - depth;
	session->depth = depth;
	session->quick = 0;
	chain_truncate(&session->chains, depth);
	if (config.trace && depth)
		trace_unseen(session, bpf_ktime_get_ns());
}

/* The error was handled inside the session. */
static __always_inline void send_interim(struct session_state *session, __u32 context)
{
	struct chain_state *chain = chain_current(&session->chains);

	if (config.summary || !errnos_pass(chain))
		return;
	session->flags |= SESSION_INTERIM;
	if (config.stacks || config.branches)
		session_send(session, EVENT_SESSION_INTERIM | context << 8);
}

/*
 * Copies the call's arguments to an array. A probe sees registers and the stack; a trampoline has
 * all arguments in slots of its context.
 */
static __always_inline void save_args(void *ctx, struct slot *slot, bool by_slots)
{
	if (by_slots) {
		slot->args_sp = 0;
		bpf_probe_read_kernel(slot->args, ARGS_SLOTS * 8, ctx);
	} else {
		arch_save_args(ctx, slot->args);
		slot->args_sp = PT_REGS_SP((struct pt_regs *)ctx) + ARCH_STACK_ARGS_AT;
	}
}

/* What call_entered() returns. */
#define ENTERED 0		/* the call belongs to a session */
#define ENTERED_NOTHING 1	/* its return is ignored */
#define ENTERED_SHED 2		/* the call is not followed, until it returns */

/* No session for this call. */
static __always_inline int entered_nothing(__u64 key, __u64 sp)
{
	return config.budget && budget_is_marked(key, sp) ? ENTERED_SHED : ENTERED_NOTHING;
}

static __noinline int call_entered(void *ctx, __u64 cookie, bool by_slots, __u64 sp)
{
	__u32 context, depth, broken;
	struct event_live_frame *frame;
	struct session_state *session;
	__u64 key, safe_sp;
	struct slot *slot;

	if (!recording)
		return 1;
	if ((ARCH_ENTRIES_BREAK || config.entries_break) && !by_slots)
		context = kprobe_context(sp);
	else
		context = current_context();
	if (context == CONTEXT_NMI && !config.nmi) {
		if (cookie & COOKIE_ENTRY)
			count(nmi_skipped);
		return 1;
	}
	key = session_key(context);
	context = hide_from_verifier(context, key);
	session = session_find(key, gate_of(key, context));
	if (session && quick_entered(session, cookie, by_slots, sp))
		return 0;
	if (!session || !session->depth) {
		if (config.budget)
			sp = budget_sp(sp);
		session = session_begin(ctx, cookie, key, context, sp);
		if (!session)
			return entered_nothing(key, sp);
	}
	slot = slot_of(session);

	safe_sp = make_verifier_forget(session, sp);
	depth = session->depth;
	if (depth && is_elsewhere(slot, safe_sp)) {
		if (cookie & COOKIE_ENTRY)
			count(elsewhere);
		return 1;
	}
	if (depth) {
		depth = live_frames(session, slot, depth, safe_sp);
		if (depth && depth <= EVENT_MAX_DEPTH &&
		    is_lost(slot, depth - 1, cookie, safe_sp)) {
			/* Without the entry call's return there is no session. */
			depth = is_lost(slot, 0, cookie, safe_sp) ? 0 : depth - 1;
			depth = make_verifier_forget(session, depth);
		}
		if (depth != session->depth) {
			missed_returns(session, depth);
			session->over = 0;
		}
		if (!depth) {
			/* All frames were over: this call begins another session, or none. */
			if (config.trace)
				trace_drop(session);
			session_close(session, key);
			session = session_begin(ctx, cookie, key, context, safe_sp);
			if (!session)
				return entered_nothing(key, safe_sp);
			slot = slot_of(session);
		}
	}
	if (depth >= EVENT_MAX_DEPTH || depth >= config.max_depth) {
		session->over++;
		session->truncated++;
		session->deep++;
		count(truncated);
		return 0;
	}

	/* Until the edge is kept; a failure before that closes the session. */
	if (config.probes)
		session->flags |= SESSION_BUSY;
	if (config.args || config.wheres)
		save_args(ctx, slot, by_slots);
	if (config.wheres && !meets_where(session, COOKIE_FUNC(cookie), !depth)) {
		count(filtered);
		session_close(session, key);
		return 1;
	}

	broken = chain_call(&session->chains, depth);
	if (broken && config.interim)
		send_interim(session, context);

	frame = &slot->frames[bound_depth(depth)];
	frame->cookie = by_slots ? cookie : cookie | COOKIE_HOOKED;
	frame->sp = safe_sp;
	if (config.late_hooks && !by_slots)
		bpf_probe_read_kernel(&slot->callers[bound_depth(depth)], sizeof(__u64), (void *)safe_sp);
	if (config.entry_stacks) {
		keep_broken_stacks(session, depth);
		keep_entry_stack(ctx, session->slot, depth, by_slots);
	}
	frame->start_ns = config.trace ? trace_call(session, COOKIE_FUNC(cookie)) : 0;
	session->depth = depth + 1;
	if (depth) {
		quick_renew(session);
	} else {
		quick_begin(session);
		if (config.kept_at) {
			save_args(ctx, slot, by_slots);
			kept_begin(slot);
		}
	}
	if (!config.trace)
		frame->start_ns = bpf_ktime_get_ns();
	return 0;
}

/*
 * Returns 1 when the exit is to be ignored.
 *
 * @by_slots	@ctx is a trampoline's; otherwise it is registers, and the return will be hooked
 */
static __always_inline int on_entry(void *ctx, __u64 cookie, bool by_slots, __u64 sp)
{
	__u64 start;
	int entered;

	if (!(cookie & COOKIE_ENTRY) && !gate_is_open())
		return 1;
	if (!config.budget)
		return call_entered(ctx, cookie, by_slots, sp);
	start = bpf_ktime_get_ns();
	entered = call_entered(ctx, cookie, by_slots, sp);
	budget_spent(start, entered == ENTERED);
	return entered & ENTERED_NOTHING;
}

/*
 * Keep the returning call as part of a chain, with the kernel stack and the branches where a chain
 * begins.
 */
static __always_inline void keep_frame(void *ctx, struct session_state *session, struct slot *slot,
				       __u32 depth, const struct event_frame *frame, int err,
				       bool start, __u64 snapshot)
{
	__u32 which = session->chains.current & 1;
	struct chain_state *chain = &session->chains.state[which];
	struct chain_buf *buf = &slot->chains[which];
	bool take;
	long size;

	buf->frames[bound_depth(depth)] = *frame;
	if (frame->flags & EVENT_FRAME_FAILED) {
		if (config.allow_errnos_used && errno_in(config.allow_errnos, err))
			chain->flags |= CHAIN_ALLOWED;
		if (config.deny_errnos_used && errno_in(config.deny_errnos, err))
			chain->flags |= CHAIN_DENIED;
	}
	if (start && config.summary)
		buf->producer_err = err;
	if (start && config.branches)
		branches_keep(session, which, frame, snapshot);
	if (!config.stacks || config.entry_stacks)
		return;
	/*
	 * 7.2's unwinder stops where a function and its tail call are both hooked at the same
	 * return address. At the outer one's return it does not.
	 */
	take = start || slot->frames[bound_depth(depth)].sp ==
				slot->frames[bound_depth((__u32)chain->depth - 1)].sp;
	/*
	 * 6.18's, before 6.18.13, finds nothing if an interrupt used the word below the stack
	 * pointer before return_to_handler() claimed it. A caller's stack is better than none.
	 */
	if (start) {
		buf->stack_is_cut = 0;
	} else if (!take && !buf->stack_bytes) {
		buf->stack_is_cut = 1;
		take = true;
	}
	if (take) {
		size = bpf_get_stack(ctx, buf->ips, sizeof(buf->ips), 0);
		buf->stack_bytes = size > 0 ? size : 0;
	}
}

/* The entry call returned. */
static __noinline int session_end(struct session_state *session, __u64 key, __u64 cookie,
				  __u32 context, const struct event_frame *entry)
{
	const struct slot *slot = slot_of(session);
	struct chain_state *chain = chain_current(&session->chains);
	bool pass = session_passes(session, chain, cookie, entry->result, entry->duration_ns);
	const struct chain_buf *buf;
	__s32 err = SUMMARY_SUCCESS;
	__u32 producer = 0;
	int lost = 0;

	if (!pass && config.interim && config.trace && session->flags & SESSION_INTERIM)
		pass = conditions_hold(session, cookie, entry->result, entry->duration_ns);
	if (!pass) {
		count(filtered);
		if (config.trace)
			trace_drop(session);
	} else if (config.summary) {
		if (entry->flags & EVENT_FRAME_FAILED) {
			find_errno(session, cookie, entry->result);
			err = session->scratch;
		}
		buf = &slot->chains[session->chains.current & 1];
		if (chain->flags & CHAIN_FAILED) {
			/* Rows by producer need no table of them. */
			if (!config.summary_producers)
				lost = count_producer(buf, chain->depth, err);
			producer = producer_of(buf, chain->depth) + 1;
		}
		if (count_call(entry->func, err, entry->duration_ns, producer, context) | lost)
			count(summary_lost);
		count(sent);
	} else {
		session_send(session, context << 8);
	}
	session_close(session, key);
	return 0;
}

/*
 * @cookie	the function's, or COOKIE_ANY
 * @sp		stack pointer at the entry
 * @snapshot	returned by snapshot_take(), which ran before all else
 */
static __noinline int call_returned(void *ctx, __u64 cookie, __u64 sp, __u64 result, __u64 snapshot)
{
	__u32 context, depth;
	struct chain_state *chain;
	struct event_live_frame *live;
	struct event_frame frame;
	struct session_state *session;
	struct slot *slot;
	int err, failed, action;
	__u64 key, now;

	if (!recording)
		return 0;
	context = current_context();
	key = session_key(context);
	session = session_find(key, gate_of(key, context));
	if (!session)
		return 0;
	slot = slot_of(session);
	now = bpf_ktime_get_ns();
	if (quick_returned(session, cookie, sp, result, now))
		return 0;
	sp = make_verifier_forget(session, sp);
	/* What the short way has found out would be followed to the end, case by case. */
	result = make_verifier_forget(session, result);
	cookie = make_verifier_forget(session, cookie);
	/* Otherwise the verifier follows eight paths to the end: four contexts, two outcomes. */
	context = make_verifier_forget(session, context);

	depth = session->depth;
	if (!depth || depth > EVENT_MAX_DEPTH || is_elsewhere(slot, sp))
		return 0;
	if (session->over) {
		if (sp < slot->frames[bound_depth(depth - 1)].sp) {
			session->over--;
			return 0;
		}
		session->over = 0;
	}
	depth = find_returning(session, slot, depth, cookie, sp);
	if (!depth) {
		count(missed_entries);
		return 0;
	}
	if (depth != session->depth)
		missed_returns(session, depth);
	depth--;
	session->depth = depth;
	/* What follows may be hit itself, in trampolines' programs. */
	session->quick = 0;

	live = &slot->frames[bound_depth(depth)];
	cookie = live->cookie;
	find_errno(session, cookie, result);
	err = session->scratch;
	failed = make_verifier_forget(session, err != RESULT_NOT_FAILED);
	frame.func = COOKIE_FUNC(cookie);
	if (failed)
		budget_failed(frame.func);
	frame.flags = failed ? EVENT_FRAME_FAILED : 0;
	/* Through memory, or the verifier would follow both branches to the end. */
	frame.duration_ns = make_verifier_forget(session, event_elapsed(live->start_ns, now));
	frame.result = result;
	if (config.trace)
		trace_return(session, frame.func, now, result);
	if (config.fn_longer_ns && depth && frame.duration_ns >= config.fn_longer_ns)
		session->flags |= SESSION_FN_LONGER;

	chain = chain_current(&session->chains);
	if (config.interim && !failed && can_fail(cookie) && chain_is_failure(chain) &&
	    !(chain->flags & CHAIN_BROKEN) && chain->at == depth + 1)
		send_interim(session, context);

	action = chain_return(&session->chains, depth, failed, can_fail(cookie),
			      config.successes);
	/* A session that showed an interim stack is shown to its end, whatever its result. */
	if (config.interim && config.trace && !depth && (session->flags & SESSION_INTERIM) &&
	    !(chain_current(&session->chains)->flags & CHAIN_VALID))
		action = chain_start(&session->chains, 0, 0);
	action = make_verifier_forget(session, action);
	if (action != CHAIN_IGNORE)
		keep_frame(ctx, session, slot, depth, &frame, err, action == CHAIN_START,
			   snapshot);
	if (depth)
		quick_renew(session);
	else
		session_end(session, key, cookie, context, &frame);
	return 0;
}

/* What counts as the result of a call: of an entry function with config.kept_at, the error that it kept. */
static __noinline __u64 result_or_kept(__u64 result)
{
	__u32 context = current_context();
	__u64 key = session_key(context);
	struct session_state *session = session_find(key, gate_of(key, context));

	return session && session->depth == 1 ? kept_or(slot_of(session), result) : result;
}

/* A traced function returned. */
static __always_inline void on_return(void *ctx, __u64 cookie, __u64 sp, __u64 result,
				      __u64 snapshot)
{
	__u64 start;

	/* Not in call_returned(): there, the verifier follows results of two kinds. */
	if (config.kept_at)
		result = result_or_kept(result);
	if (!config.budget) {
		call_returned(ctx, cookie, sp, result, snapshot);
		return;
	}
	start = bpf_ktime_get_ns();
	budget_returned(sp);
	call_returned(ctx, cookie, sp, result, snapshot);
	budget_spent(start, true);
}

/* A cheap check whether a return may matter. If not, it may still end a call not followed. */
static __always_inline bool exit_matters(__u64 sp)
{
	if (gate_is_open())
		return true;
	if (config.budget)
		budget_returned(sp);
	return false;
}

/*
 * A task ends, or has ended: its open calls do not return, and that is no loss. Returns that were
 * missed: of calls deeper in the stack than the end itself, and of a call whose return is no longer
 * hooked. After recording no return is looked at, so none is missed.
 *
 * @sp	the task's stack pointer where it ends; 0: it has ended
 */
static __noinline int session_abandon(struct slot *slot, __u64 key, __u64 sp)
{
	struct session_state *session;
	__u32 depth, live;

	if (!slot)
		return 0;
	session = &slot->session;
	depth = session->depth;
	if (depth) {
		if (sp && recording) {
			sp = make_verifier_forget(session, sp);
			live = live_frames(session, slot, depth, sp);
			if (live && live <= EVENT_MAX_DEPTH &&
			    is_lost(slot, live - 1, COOKIE_NONE, sp))
				live--;
			count_n(missed_returns, depth - live);
		}
		if (config.trace)
			trace_drop(session);
		stack_lost_session(session);
	}
	session_release(session, key);
	return 0;
}

/*
 * Both ways lead to a session, if one that could not be released is left behind, or if a program
 * interrupted itself while it opened one.
 */
static __always_inline void task_ends(__u64 key, __u64 sp)
{
	struct slot *slot;

	budget_forget(key);
	session_abandon(gate_slot(key, gate_of(key, CONTEXT_TASK)), key, sp);
	slot = session_search(key);
	if (slot)
		session_abandon(slot, key, sp);
	else if (bpf_map_lookup_elem(&sessions, &key))
		bpf_map_delete_elem(&sessions, &key);	/* earlier it could not be deleted */
}

#endif
