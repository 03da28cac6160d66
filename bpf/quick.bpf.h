/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The short way of healthy calls: a call in an open session, or a return without an error, that adds
 * or removes a frame and adds an edge, and changes nothing else.
 *
 * The long way (bpf/engine.bpf.h) finds out how far the short way leads: up to session->quick, a
 * number of edges in the trace's buffer; without a trace, a depth. It is 0 while a chain waits, and
 * while the long way removes frames.
 * Up to there neither the depth limit nor the end of the buffer can be reached, so that no call is
 * beyond the limit, and no edge is lost. One comparison tells. The rest is tested each time: the
 * stack pointer, a missed return, the result, the time since the last edge.
 */
#ifndef RETSNOOP_BPF_QUICK_BPF_H
#define RETSNOOP_BPF_QUICK_BPF_H

#include "bpf/filter.bpf.h"
#include "bpf/frames.bpf.h"
#include "bpf/trace.bpf.h"

/* Whether there is a short way: nothing is captured or tested at each call. */
static __always_inline bool quick_is_possible(void)
{
	return !(config.args || config.wheres || config.probes || config.entry_stacks ||
		 config.successes || config.fn_longer_ns);
}

static __always_inline bool quick_leads_on(const struct session_state *session)
{
	__u32 place;

	if (!quick_is_possible())
		return false;
	if (config.trace)
		place = *(const volatile __u32 *)&session->edges;
	else
		place = *(const volatile __u32 *)&session->depth;
	return place < session->quick;
}

/*
 * Called where the long way ends, which kept an edge or found the buffer full: while edges or marks
 * wait for room, the buffer's end is behind the session.
 */
static __always_inline void quick_renew(struct session_state *session)
{
	const struct chain_state *chains = session->chains.state;
	__u32 end = config.max_depth, edges = session->edges;

	if (!quick_is_possible())
		return;
	if ((chains[0].flags | chains[1].flags) & CHAIN_VALID) {
		session->quick = 0;
		return;
	}
	if (config.trace) {
		/* Each step is an edge, and adds one call at most. */
		end += edges - session->depth;
		if (end > config.trace_size - EDGE_ROOM)
			end = config.trace_size - EDGE_ROOM;
	}
	session->quick = end;
}

/* A session has just opened: it has one frame and, with a trace, at least one edge. */
static __always_inline void quick_begin(struct session_state *session)
{
	if (!quick_is_possible())
		return;
	session->quick = config.trace && config.trace_size - EDGE_ROOM < config.max_depth ?
				 config.trace_size - EDGE_ROOM :
				 config.max_depth;
}

/* Returns whether the call was entered; if not, nothing has changed. */
static __always_inline bool quick_entered(struct session_state *session, __u64 cookie,
					  bool by_slots, __u64 sp)
{
	struct slot *slot = slot_of(session);
	struct event_live_frame *frame;
	__u32 depth;
	__u64 now;

	if (!quick_leads_on(session))
		return false;
	frame = &slot->frames[bound_depth(session->depth - 1)];
	sp = make_verifier_forget(session, sp);
	if (frame->sp <= sp &&
	    (frame->sp < sp || COOKIE_FUNC(frame->cookie) == COOKIE_FUNC(cookie)))
		return false;
	if (slot->frames[0].sp - sp > STACK_SPAN)
		return false;
	if (frame->cookie & COOKIE_HOOKED && is_unhooked(slot, session->depth - 1, sp))
		return false;
	if (config.late_hooks && !by_slots)
		bpf_probe_read_kernel(&slot->callers[bound_depth(session->depth)], sizeof(__u64),
				      (void *)sp);
	now = bpf_ktime_get_ns();
	depth = session->depth;
	if (config.trace && !trace_put(session, COOKIE_FUNC(cookie), CALL_ENTER, depth + 1, now, 0))
		return false;
	frame = &slot->frames[bound_depth(depth)];
	frame->cookie = by_slots ? cookie : cookie | COOKIE_HOOKED;
	frame->sp = sp;
	frame->start_ns = now;
	session->depth = depth + 1;
	return true;
}

/* Whether no kind of function fails with this result: none of its halves is an error number. */
static __always_inline bool quick_is_healthy(__u64 result, __u64 cookie)
{
	__u32 rule;

	if ((__u32)result >= (__u32)-RESULT_MAX_ERRNO)
		return false;
	if (!result && COOKIE_RETURNS(cookie) == RETURN_POINTER)
		return false;
	if (!config.nr_rules)
		return true;
	/* Or the compiler would compute it before the test. */
	barrier_var(cookie);
	rule = COOKIE_RULE(cookie);
	return !rule;
}

/* Returns whether the call returned; if not, nothing has changed. */
static __always_inline bool quick_returned(struct session_state *session, __u64 cookie, __u64 sp,
					   __u64 result, __u64 now)
{
	const struct event_live_frame *frame;
	__u32 depth = session->depth - 1;
	__u64 live_cookie;

	/* The entry call's return ends the session. */
	if (!depth || !quick_leads_on(session))
		return false;
	frame = &slot_of(session)->frames[bound_depth(depth)];
	live_cookie = frame->cookie;
	if (!is_returning(frame, cookie, sp))
		return false;
	barrier_var(live_cookie);
	if (!quick_is_healthy(result, live_cookie))
		return false;
	if (config.trace &&
	    !trace_put(session, COOKIE_FUNC(live_cookie), CALL_RETURN, depth, now, result))
		return false;
	session->depth = depth;
	return true;
}

#endif
