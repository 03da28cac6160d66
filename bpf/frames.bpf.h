/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* A session's live frames: which are over, and which one returns. */
#ifndef RETSNOOP_BPF_FRAMES_BPF_H
#define RETSNOOP_BPF_FRAMES_BPF_H

#include "bpf/maps.bpf.h"

/*
 * How many of the live frames are at @sp or above. The stack grows down, so stack pointers fall
 * with depth: a frame below a new call, or below a returning one, is over although its return was
 * not seen.
 */
static __always_inline __u32 frames_above(struct session_state *session, const struct slot *slot,
					  __u32 depth, __u64 sp)
{
	__u32 above = 0;

#pragma unroll
	for (int step = EVENT_MAX_DEPTH; step; step /= 2) {
		if (above + step <= depth && slot->frames[bound_depth(above + step - 1)].sp >= sp)
			above += step;
		above = make_verifier_forget(session, above);
	}
	return above;
}

/*
 * A stack far away is an interrupt's: after the switch of stacks and before the change of the
 * preempt count, an interrupt's calls look like the task's.
 */
#define STACK_SPAN (64 << 10)

static __always_inline bool is_elsewhere(const struct slot *slot, __u64 sp)
{
	__u64 below = slot->frames[0].sp - sp;

	return below > STACK_SPAN && below < -(__u64)STACK_SPAN;
}

static __always_inline __u32 live_frames(struct session_state *session, const struct slot *slot,
					 __u32 depth, __u64 sp)
{
	__u32 live = depth;

	if (depth > EVENT_MAX_DEPTH)
		return 0;
	if (slot->frames[bound_depth(depth - 1)].sp < sp)
		live = frames_above(session, slot, depth, sp);
	return make_verifier_forget(session, live);
}

/*
 * Whether the hook is missing that the attach method puts at a frame's return address.
 *
 * Function graph tracing, which fprobe is built on since 6.14, sets the hook only after this
 * program has run and preemption is on again (kernel/trace/fgraph.c): until then, calls of the
 * scheduler come while the address is still the caller's.
 *
 * @sp	of a call that may be inside the frame's
 */
static __always_inline bool is_unhooked(const struct slot *slot, __u32 index, __u64 sp)
{
	const struct event_live_frame *frame = &slot->frames[bound_depth(index)];
	__u64 to = 0;

	if (!config.return_hooks[0] || bpf_probe_read_kernel(&to, sizeof(to), (void *)frame->sp))
		return false;
	if (config.late_hooks && sp < frame->sp && to == slot->callers[bound_depth(index)])
		return !to;
	/* A missing hook is 0 in config, and a reused stack slot may read 0: that is no match. */
	return !to || (to != config.return_hooks[0] && to != config.return_hooks[1] &&
		       to != config.return_hooks[2]);
}

/*
 * Whether a frame that may be live is over, or its return will not be seen because the kernel had
 * no instance left to hook it. If a hook replaces the return address, the return address tells.
 * Stack pointers do not: the next system call may begin at the same one, or, with
 * randomize_kstack_offset, below it.
 */
static __always_inline bool is_lost(const struct slot *slot, __u32 index, __u64 cookie, __u64 sp)
{
	const struct event_live_frame *frame = &slot->frames[bound_depth(index)];
	__u64 live_cookie = frame->cookie;

	/* A tail call begins where its caller did, but no function calls itself so. */
	if (frame->sp == sp && COOKIE_FUNC(live_cookie) == COOKIE_FUNC(cookie))
		return true;
	return live_cookie & COOKIE_HOOKED && is_unhooked(slot, index, sp);
}

/*
 * Whether the frame is the one that returns. A tail call has its caller's stack pointer, so the
 * function must match too.
 */
static __always_inline bool is_returning(const struct event_live_frame *frame, __u64 cookie,
					 __u64 sp)
{
	return frame->sp == sp &&
	       (COOKIE_FUNC(frame->cookie) == COOKIE_FUNC(cookie) || cookie == COOKIE_ANY);
}

/*
 * The depth of the returning frame plus one, 0 if there is none. Mostly it is the innermost frame.
 * Otherwise it is the outermost frame at the stack pointer, or, if that one ended in a tail call, a
 * frame further in.
 */
static __always_inline __u32 find_returning(struct session_state *session, const struct slot *slot,
					    __u32 depth, __u64 cookie, __u64 sp)
{
	__u32 found = depth, above;

	if (!is_returning(&slot->frames[bound_depth(depth - 1)], cookie, sp)) {
		above = frames_above(session, slot, depth, sp + 1);
		if (above + 1 < depth &&
		    is_returning(&slot->frames[bound_depth(above + 1)], cookie, sp))
			found = above + 2;
		else if (above < depth &&
			 is_returning(&slot->frames[bound_depth(above)], cookie, sp))
			found = above + 1;
		else
			found = 0;
	}
	return make_verifier_forget(session, found);
}

#endif
