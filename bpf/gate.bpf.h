/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The gate before everything else: most hits are in tasks without a session, of functions that are
 * no entries. Counters show this without a session lookup. A counter of 0 is exact; another value
 * may belong to another task.
 */
#ifndef RETSNOOP_GATE_BPF_H
#define RETSNOOP_GATE_BPF_H

#include "bpf/context.bpf.h"
#include "bpf/maps.bpf.h"

/*
 * Open sessions of tasks, by the task's address: a task_struct is larger than one step. All
 * interrupts share the last gate: if a session's end was missed, the next call in that interrupt
 * notices, whichever task it interrupts.
 */
#define GATE_SHIFT 12
#define GATES 1024

struct gate {
	__u32 open;	/* sessions */
	__u32 slot;	/* of the session opened last; it may be closed */
};

static struct gate gates[GATES + 1] SEC(".data.gates");

static __always_inline __u32 gate_of(__u64 key, __u32 context)
{
	return context == CONTEXT_TASK ? key >> GATE_SHIFT & (GATES - 1) : GATES;
}

static __always_inline bool gate_is_open(void)
{
	__u32 gate = gate_of(bpf_get_current_task(), CONTEXT_TASK);

	return *(volatile __u32 *)&gates[gate].open | *(volatile __u32 *)&gates[GATES].open;
}

static __always_inline void gate_add(const struct session_state *session, __u32 n)
{
	__u32 gate = session->gate;

	barrier_var(gate);
	if (gate <= GATES)
		__sync_fetch_and_add(&gates[gate].open, n);
}

/* Looks a key's slot up in the map only. */
static __noinline struct slot *session_search(__u64 key)
{
	const __u32 *index = bpf_map_lookup_elem(&sessions, &key);
	struct slot *slot = index ? bpf_map_lookup_elem(&slots, index) : NULL;

	return slot && slot->session.key == key ? slot : NULL;
}

/* A key's open session, or a closed one that could not be released; or NULL. */
static __always_inline struct session_state *session_find(__u64 key, __u32 gate)
{
	struct slot *slot;
	__u32 index;

	if (gate > GATES || !*(volatile __u32 *)&gates[gate].open)
		return NULL;
	index = gates[gate].slot;
	slot = bpf_map_lookup_elem(&slots, &index);
	if (!slot || slot->session.key != key)
		slot = session_search(key);
	return slot ? &slot->session : NULL;
}

#endif
