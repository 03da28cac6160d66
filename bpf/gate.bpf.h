/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The gate before everything else: most hits are in tasks without a session, of functions that are
 * no entries. Counters show this without a session lookup. A counter of 0 is exact; another value
 * may belong to another task.
 */
#ifndef RETSNOOP_BPF_GATE_BPF_H
#define RETSNOOP_BPF_GATE_BPF_H

#include "bpf/context.bpf.h"
#include "bpf/gate_state.h"
#include "bpf/maps.bpf.h"

/*
 * Open sessions of tasks, by the task's address: a task_struct is larger than one step. All
 * interrupts share the last gate: if a session's end was missed, the next call in that interrupt
 * notices, whichever task it interrupts.
 */
#ifndef GATE_SHIFT	/* tests choose who shares a gate */
#define GATE_SHIFT 12
#endif
#define GATE_NONE (GATES + 1)

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

static __always_inline void gate_add(__u32 gate, __u32 n)
{
	barrier_var(gate);
	if (gate <= GATES)
		__sync_fetch_and_add(&gates[gate].open, n);
}

/*
 * Counts a session that a task opens. Returns whether it keeps the gate: it is alone there. No other
 * session can keep the gate until this one is uncounted, since others count themselves before they
 * look. Two that come at once may both see the other. (Atomic operations with a result need 5.12.)
 */
static __always_inline bool gate_enter(__u32 gate)
{
	gate_add(gate, 1);
	return gate < GATES && *(volatile __u32 *)&gates[gate].open == 1;
}

/* The slot that the gate names, if it is this key's; or NULL. */
static __always_inline struct slot *gate_slot(__u64 key, __u32 gate)
{
	struct slot *slot;

	if (gate > GATES)
		return NULL;
	slot = bpf_map_lookup_elem(&slots, &gates[gate].slot);
	return slot && slot->session.key == key ? slot : NULL;
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

	if (gate > GATES || !*(volatile __u32 *)&gates[gate].open)
		return NULL;
	slot = gate_slot(key, gate);
	if (!slot)
		slot = session_search(key);
	return slot ? &slot->session : NULL;
}

#endif
