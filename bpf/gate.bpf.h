/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The gate before everything else: most hits are of functions that are no entries, in tasks without
 * a session. Counters tell so without looking a session up. A counter of 0 is exact; another one may
 * be that of another task.
 */
#ifndef RETSNOOP_GATE_BPF_H
#define RETSNOOP_GATE_BPF_H

#include "bpf/context.bpf.h"
#include "bpf/maps.bpf.h"

/*
 * Open sessions of tasks, by the task's address: a task_struct is larger than one step. The last
 * gate is of all interrupts: a session whose end was missed is noticed by the next call in that
 * interrupt, whichever task that interrupts.
 */
#define GATE_SHIFT 12
#define GATES 1024

struct gate {
	__u32 open;	/* sessions */
	__u32 slot;	/* of the one that was opened last; it may be closed */
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

/* The slot of a key, by the map alone. */
static __noinline struct slot *session_search(__u64 key)
{
	const __u32 *index = bpf_map_lookup_elem(&sessions, &key);
	struct slot *slot = index ? bpf_map_lookup_elem(&slots, index) : NULL;

	return slot && slot->session.key == key ? slot : NULL;
}

/* The open session of a key, or NULL; or one that was closed and could not be given back. */
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
