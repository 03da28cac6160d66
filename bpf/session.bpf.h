/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Sessions in their slots: opened for an entry call, released when it is over. */
#ifndef RETSNOOP_SESSION_BPF_H
#define RETSNOOP_SESSION_BPF_H

#include "bpf/budget.bpf.h"
#include "bpf/context.bpf.h"
#include "bpf/gate.bpf.h"
#include "bpf/maps.bpf.h"
#include "bpf/trace_context.bpf.h"

/*
 * Releases the session's slot and its map element. Map operations fail when the map is locked by
 * the code that an NMI interrupted, or for too long by another CPU. A slot that cannot be released
 * keeps its key, and is closed (depth 0): the next session of that task or interrupt takes it, or the
 * task's end frees it. So a slot always has one owner. An element that cannot be deleted names a slot
 * that has another key, or none.
 */
static __noinline int session_release(struct session_state *session, __u64 key)
{
	__u32 index;

	if (!session)
		return 0;
	session->depth = 0;
	session->key = 0;
	index = session->slot;
	if (bpf_map_push_elem(&free_slots, &index, 0)) {
		session->key = key;
		count(release_failed);
		return 0;
	}
	if (bpf_map_delete_elem(&sessions, &key))
		count(release_failed);
	return 0;
}

static __always_inline void session_uncount(const struct session_state *session)
{
	gate_add(session, -1);
	stack_lost_session(session);
}

static __always_inline void session_close(struct session_state *session, __u64 key)
{
	session_uncount(session);
	session_release(session, key);
}

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

/* The map element is new, unless an earlier session's could not be deleted. */
static __noinline struct session_state *session_open(__u64 key, __u32 gate)
{
	__u32 index = SLOT_NONE, *place;
	struct session_state *session;
	struct slot *slot;
	int err;

	err = bpf_map_update_elem(&sessions, &key, &index, BPF_NOEXIST);
	place = bpf_map_lookup_elem(&sessions, &key);
	if (!place) {
		count_not_opened(err);
		return NULL;
	}
	slot = bpf_map_lookup_elem(&slots, place);
	if (!slot || slot->session.key != key) {
		err = bpf_map_pop_elem(&free_slots, &index);
		if (err) {
			count_not_opened(err);
			if (bpf_map_delete_elem(&sessions, &key))
				count(release_failed);
			return NULL;
		}
		*place = index;
		slot = bpf_map_lookup_elem(&slots, &index);
		if (!slot)
			return NULL;
	}
	session = &slot->session;
	__builtin_memset(session, 0, sizeof(*session));
	session->slot = *place;
	session->id = ++slot->generation << 32 | session->slot;
	session->gate = gate;
	session->key = key;
	if (gate <= GATES)
		gates[gate].slot = session->slot;
	gate_add(session, 1);
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
