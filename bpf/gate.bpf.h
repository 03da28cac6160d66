/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The gate before everything else: most hits are of functions that are no entries, in tasks without
 * a session. Counters tell so without looking a session up. A counter of 0 is exact; another one may
 * be that of another task.
 */
#ifndef RETSNOOP_GATE_BPF_H
#define RETSNOOP_GATE_BPF_H

#include "bpf/maps.bpf.h"

/*
 * Open sessions of tasks, by the task's address: a task_struct is larger than one step. The last
 * counter is of all interrupts: a session whose end was missed is noticed by the next call in that
 * interrupt, whichever task that interrupts.
 */
#define GATE_SHIFT 12
#define GATES 1024
static __u32 gates[GATES + 1] SEC(".data.gates");

static __always_inline bool gate_is_open(void)
{
	__u32 gate = bpf_get_current_task() >> GATE_SHIFT & (GATES - 1);

	return *(volatile __u32 *)&gates[gate] | *(volatile __u32 *)&gates[GATES];
}

static __always_inline void gate_add(__u32 gate, __u32 n)
{
	barrier_var(gate);
	if (gate <= GATES)
		__sync_fetch_and_add(&gates[gate], n);
}

/* A session was opened. */
static __always_inline void gate_open(struct session_state *session, __u64 key, __u32 context)
{
	session->gate = context == CONTEXT_TASK ? key >> GATE_SHIFT & (GATES - 1) : GATES;
	gate_add(session->gate, 1);
}

static __always_inline void gate_close(const struct session_state *session)
{
	gate_add(session->gate, -1);
}

#endif
