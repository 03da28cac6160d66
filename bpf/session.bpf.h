/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Sessions in their slots: opened for an entry call, released when it is over. */
#ifndef RETSNOOP_BPF_SESSION_BPF_H
#define RETSNOOP_BPF_SESSION_BPF_H

#include "bpf/budget.bpf.h"
#include "bpf/context.bpf.h"
#include "bpf/gate.bpf.h"
#include "bpf/maps.bpf.h"
#include "bpf/trace_context.bpf.h"

/*
 * @err	an int: before 6.4 map operations return one, without sign extension in the register's
 *	upper half
 */
static __always_inline void count_not_opened(int err)
{
	if (err == -E2BIG || err == -ENOENT)
		count(no_slot);
	else
		count(map_busy);
}

/*
 * Releases the session's slot, and its map element or the gate. Map operations fail when the map is
 * locked by the code that an NMI interrupted, or for too long by another CPU. A slot that cannot be
 * released keeps its key, and is closed (depth 0): the next session of that task or interrupt takes
 * it, or the task's end frees it. So a slot always has one owner. A session that keeps a gate goes on
 * to keep it then. An element that cannot be deleted names a slot that has another key, or none.
 *
 * The gate is left after the slot is given back: whoever keeps it next takes a slot, and the lock of
 * that map orders both sessions' writes of the gate on all CPUs.
 */
static __noinline int session_release(struct session_state *session, __u64 key)
{
	__u32 index, gate, keeps;

	if (!session)
		return 0;
	index = session->slot;
	gate = session->gate;
	keeps = session->flags & SESSION_KEEPS_GATE;
	session->depth = 0;
	session->quick = 0;
	session->key = 0;
	if (!keeps)
		session->gate = GATE_NONE;
	if (bpf_map_push_elem(&free_slots, &index, 0)) {
		session->key = key;
		count(release_failed);
		if (!keeps)
			gate_add(gate, -1);
		return 0;
	}
	gate_add(gate, -1);
	if (!keeps && bpf_map_delete_elem(&sessions, &key))
		count(release_failed);
	return 0;
}

static __always_inline void session_close(struct session_state *session, __u64 key)
{
	stack_lost_session(session);
	session_release(session, key);
}

/* Takes a free slot, or counts why there is none. */
static __always_inline struct slot *slot_take(void)
{
	struct slot *slot;
	__u32 index;
	int err;

	err = bpf_map_pop_elem(&free_slots, &index);
	if (err) {
		count_not_opened(err);
		return NULL;
	}
	slot = bpf_map_lookup_elem(&slots, &index);
	if (slot)
		slot->session.slot = index;
	return slot;
}

/*
 * A slot that the map leads to. The map element is new, unless an earlier session's could not be
 * deleted.
 */
static __noinline struct slot *slot_by_map(__u64 key)
{
	__u32 index = SLOT_NONE, *place;
	struct slot *slot;
	int err;

	err = bpf_map_update_elem(&sessions, &key, &index, BPF_NOEXIST);
	place = bpf_map_lookup_elem(&sessions, &key);
	if (!place) {
		count_not_opened(err);
		return NULL;
	}
	slot = bpf_map_lookup_elem(&slots, place);
	if (slot && slot->session.key == key)
		return slot;
	slot = slot_take();
	if (slot)
		*place = slot->session.slot;
	else if (bpf_map_delete_elem(&sessions, &key))
		count(release_failed);
	return slot;
}

/* The flag goes through memory, or the verifier would follow both ways to the end. */
static __noinline struct session_state *session_open(__u64 key, __u32 gate)
{
	struct session_state *session;
	struct slot *slot;
	__u32 index, keeps;

	if (gate_enter(gate)) {
		slot = slot_take();
		if (slot)
			slot->session.flags = SESSION_KEEPS_GATE;
	} else {
		slot = gate_slot(key, gate);
		if (slot && slot->session.flags & SESSION_KEEPS_GATE) {
			gate_add(gate, -1);	/* it is counted already */
		} else {
			slot = slot_by_map(key);
			if (slot)
				slot->session.flags = 0;
		}
	}
	if (!slot) {
		gate_add(gate, -1);
		return NULL;
	}
	session = &slot->session;
	index = session->slot;
	keeps = session->flags & SESSION_KEEPS_GATE;
	__builtin_memset(session, 0, sizeof(*session));
	session->slot = index;
	session->id = ++slot->generation << 32 | index;
	session->gate = gate;
	session->flags = keeps;
	session->key = key;
	if ((keeps || gate == GATES) && gate <= GATES)
		gates[gate].slot = index;
	count(opened);
	return session;
}

/* A call outside any session. Returns the session that it opens, or NULL. */
static __noinline struct session_state *session_begin(void *ctx, __u64 cookie, __u64 key,
						      __u32 context, __u64 sp)
{
	struct session_state *session;

	if (!(cookie & COOKIE_ENTRY) || !context_wanted(context))
		return NULL;
	if (config.budget && budget_sheds(key, sp))
		return NULL;
	session = session_open(key, gate_of(key, context));
	if (session)
		stack_has_session(session, ctx);
	/* The call may be the last one of the span. */
	if (session && config.trace_context && context == CONTEXT_TASK)
		trace_context_read(session);
	return session;
}

#endif
