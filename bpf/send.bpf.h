/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Sends a session to user space.
 */
#ifndef RETSNOOP_BPF_SEND_BPF_H
#define RETSNOOP_BPF_SEND_BPF_H

#include "bpf/branches.bpf.h"
#include "bpf/kernel_types.h"
#include "bpf/maps.bpf.h"
#include "bpf/process.bpf.h"
#include "bpf/ring.bpf.h"
#include "bpf/trace.bpf.h"
#include "bpf/trace_context.bpf.h"

/* Sends the stack of the chain's frame @index. */
static __noinline int send_entry_stack(struct session_state *session, struct entry_stack *stack, __u32 index)
{
	__u32 nr;

	if (!session || !stack)
		return 0;
	/* At most ENTRY_STACK_IPS. A mask: a comparison doubles the verifier's paths. */
	nr = stack->event.nr_ips & (2 * ENTRY_STACK_IPS - 1);
	stack->event.header.kind = EVENT_STACK;
	stack->event.header.session = session->id;
	stack->event.header.size = sizeof(stack->event) + nr * 8;
	stack->event.frame = index;
	if (ring_send(stack, sizeof(stack->event) + nr * 8, BPF_RB_NO_WAKEUP))
		session->scratch++;
	return 0;
}

/*
 * Sends the entry stacks of the chain's frames, outermost first. The number that found no room is
 * left in session->scratch: outside memory the verifier would follow each count to the end.
 *
 * @nr_frames	of the chain
 * @stitched	the first stitched one
 */
static __noinline int send_entry_stacks(struct session_state *session, __u32 nr_frames, __u32 stitched)
{
	struct entry_stacks *all;
	__u32 slot, which;

	if (!session)
		return 0;
	session->scratch = 0;
	slot = session->slot;
	all = bpf_map_lookup_elem(&entry_stacks, &slot);
	if (!all)
		return 0;
	for (__u32 i = 0; i < ENTRY_STACK_DEPTH; i++) {
		if (i >= nr_frames || i >= stitched)
			break;
		slot = i;
		barrier_var(slot);
		send_entry_stack(session, &all->frames[slot & (ENTRY_STACK_DEPTH - 1)], i);
	}
	which = session->chains.current & 1;
	for (__u32 i = BROKEN_STACKS; i--;) {
		if (i < nr_frames && nr_frames - 1 - i >= stitched)
			send_entry_stack(session, &all->broken[which][i], nr_frames - 1 - i);
	}
	return 0;
}

/* Sends the current chain. */
static __noinline int session_send(struct session_state *session, __u64 flags_and_context)
{
	struct chain_state *chain;
	struct event_session *event;
	struct chain_buf *buf;
	struct slot *slot;
	__u32 nr, which, flags = flags_and_context & 0xff, context = flags_and_context >> 8;
	__u64 now = bpf_ktime_get_ns(), size, id, ids;
	int err;

	if (!session)
		return 0;
	slot = slot_of(session);
	which = session->chains.current & 1;
	chain = &session->chains.state[which];
	buf = &slot->chains[which];
	id = session->id;
	event = &buf->event;
	/* In memory, or the verifier would follow each set of flags to the end. */
	event->flags = flags;
	nr = chain->depth;
	if (nr > EVENT_MAX_DEPTH)
		nr = EVENT_MAX_DEPTH;

	if (config.interim && chain->at) {
		size = chain->at;
		if (size > EVENT_MAX_DEPTH)
			size = EVENT_MAX_DEPTH;
		slot->live.header.kind = EVENT_LIVE;
		slot->live.header.session = id;
		slot->live.nr_frames = size;
		slot->live.spare = 0;
		size = sizeof(slot->live) + size * sizeof(slot->frames[0]);
		slot->live.header.size = size;
		barrier_var(size);
		if (size <= sizeof(slot->live) + sizeof(slot->frames) &&
		    ring_send(&slot->live, size, BPF_RB_NO_WAKEUP)) {
			count(no_room);
			return 0;
		}
	}

	if (config.trace && !(flags & EVENT_SESSION_INTERIM))
		trace_finish(session);

	if (!config.stacks) {
		event->flags |= EVENT_SESSION_NO_STACK;
	} else if (config.entry_stacks) {
		/* Otherwise the verifier follows the loop for each path that led to a number. */
		send_entry_stacks(session, make_verifier_forget(session, nr),
				  make_verifier_forget(session, chain->stitched));
		event->flags |= EVENT_SESSION_OWN_STACKS;
		if (session->scratch)
			event->flags |= EVENT_SESSION_NO_STACK;
	} else {
		size = buf->stack_bytes;
		if (buf->stack_is_cut)
			event->flags |= EVENT_SESSION_NO_STACK;
		if (!size || size > sizeof(buf->ips)) {
			event->flags |= EVENT_SESSION_NO_STACK;
		} else {
			buf->stack.header.kind = EVENT_STACK;
			buf->stack.header.size = sizeof(buf->stack) + size;
			buf->stack.header.session = id;
			buf->stack.frame = EVENT_STACK_RETURN;
			buf->stack.nr_ips = size / 8;
			if (ring_send(&buf->stack, sizeof(buf->stack) + size, BPF_RB_NO_WAKEUP))
				event->flags |= EVENT_SESSION_NO_STACK;
		}
	}

	if (config.branches && branches_send(session, which))
		event->flags |= EVENT_SESSION_NO_BRANCHES;
	if (config.trace_context && context == CONTEXT_TASK && trace_context_send(session))
		event->flags |= EVENT_SESSION_NO_CONTEXT;

	event->header.kind = EVENT_SESSION;
	event->header.size = sizeof(*event) + nr * sizeof(struct event_frame);
	event->header.session = id;
	event->start_ns = slot->frames[0].start_ns;
	event->end_ns = now > event->start_ns ? now : event->start_ns;
	ids = current_ids();
	event->tid = ids;
	event->pid = ids >> 32;
	bpf_get_current_comm(event->comm, sizeof(event->comm));
#ifndef NO_KERNEL_BTF
	{
		struct task_struct *task = (void *)bpf_get_current_task();

		if (host_mounts && context == CONTEXT_TASK)
			event->flags |= mounts_of(task) == host_mounts ?
						EVENT_SESSION_HOST_MOUNTS :
						EVENT_SESSION_OWN_MOUNTS;
		task = BPF_CORE_READ(task, group_leader);
		bpf_core_read(event->proc_comm, sizeof(event->proc_comm), &task->comm);
	}
#else
	event->proc_comm[0] = '\0';
#endif
	event->context = context;
	if (chain->flags & CHAIN_FAILED)
		event->flags |= EVENT_SESSION_FAILED;
	event->nr_frames = nr;
	event->stitched = chain->stitched;
	event->unfinished = chain->at;
	event->truncated = session->truncated;
	event->parts = session->parts;
	event->calls = session->calls;
	event->spare = 0;
	event->uid = bpf_get_current_uid_gid();
	event->cpu = bpf_get_smp_processor_id();
	event->cgroup = config.cgroup_ids ? bpf_get_current_cgroup_id() : 0;
	/* The verifier needs the bound on the size itself. */
	size = sizeof(*event) + nr * sizeof(struct event_frame);
	barrier_var(size);
	if (size > sizeof(*event) + sizeof(buf->frames))
		return 0;
	err = send_and_wake(event, size);
	if (err) {
		count(no_room);
		/* Parts sent earlier can no longer be shown. */
		if (config.trace && !(flags & EVENT_SESSION_INTERIM))
			count_n(calls_lost, session->calls_sent);
	} else {
		count(sent);
	}
	if (config.stacks && !err && (event->flags & EVENT_SESSION_NO_STACK)) {
		count(stacks_lost);
		if (!config.entry_stacks && (buf->stack_is_cut || !buf->stack_bytes))
			count(stacks_refused);
	}
	if (config.branches && !err && (event->flags & EVENT_SESSION_NO_BRANCHES))
		count(branches_lost);
	return 0;
}

#endif
