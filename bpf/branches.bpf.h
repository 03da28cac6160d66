/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Snapshots of the CPU's last branches.
 *
 * The CPU keeps few branches, and records until the snapshot is taken: each branch before that
 * pushes out one of the function's own. So the exit programs take the snapshot first of all, in
 * straight code: no taken jumps, no calls (before 6.10 a lookup in a per-CPU map is a call).
 *
 * Most exits belong to no session, and a snapshot takes a microsecond or more. So open sessions are
 * counted by the stack they are on; on a stack without sessions no snapshot is taken.
 */
#ifndef RETSNOOP_BPF_BRANCHES_BPF_H
#define RETSNOOP_BPF_BRANCHES_BPF_H

#include "bpf/maps.bpf.h"
#include "bpf/ring.bpf.h"

/*
 * A program holds one snapshot while it runs; its stack decides which. A program that finds it in
 * use, by another CPU or by a preempted program, does without.
 */
#define SNAPSHOTS 256
#define SNAPSHOT_INDEX_SHIFT 56

struct snapshot {
	__u64 users;	/* its owner, and programs about to find it taken */
	__s64 size;	/* bytes of entries; or a negative errno */
	struct event_branch entries[EVENT_MAX_BRANCHES];
} __attribute__((aligned(64)));

/* The first one is for programs that do without: it is written, never read. */
static struct snapshot snapshots[1 + SNAPSHOTS];

/*
 * Sessions open on a stack, or on another stack with the same number. Numbers rise with addresses;
 * a stack, of 16 or 32 KiB, has one or two.
 */
#define STACK_SHIFT 15
#define STACKS 1024
static __u64 sessions_on[STACKS];

/*
 * A number that tells stacks apart and rises with their addresses. The only arithmetic on pointers
 * that the verifier allows here is the difference of two.
 */
static __always_inline __u64 number_of(const void *ctx)
{
	__u64 number = (__u64)ctx - (__u64)snapshots;

	barrier_var(number);
	return number;
}

static __always_inline __u32 stack_of(const void *ctx)
{
	return number_of(ctx) >> STACK_SHIFT & (STACKS - 1);
}

/* A session was opened by a program with context @ctx. */
static __always_inline void stack_has_session(struct session_state *session, const void *ctx)
{
	if (!config.branches)
		return;
	session->stack = stack_of(ctx);
	__sync_fetch_and_add(&sessions_on[session->stack & (STACKS - 1)], 1);
}

static __always_inline void stack_lost_session(const struct session_state *session)
{
	if (config.branches)
		__sync_fetch_and_add(&sessions_on[session->stack & (STACKS - 1)], -1);
}

/*
 * A call is deeper in the stack than the one that opened the session: at the same number, or the
 * one below.
 */
static __always_inline bool may_have_session(__u64 number)
{
	__u64 stack = number >> STACK_SHIFT;

	return sessions_on[stack & (STACKS - 1)] | sessions_on[(stack + 1) & (STACKS - 1)];
}

/*
 * Take a snapshot if it may be needed. Returns its index, for snapshot_release(); 0: none.
 *
 * Atomic operations with a result need 5.12. Instead a program adds itself as a user, and gives way
 * if it then sees another one; both may give way. The index is calculated, to avoid a jump.
 */
static __always_inline __u64 snapshot_take(const void *ctx)
{
	struct snapshot *snapshot;
	__u64 number, index, busy;

	if (!config.branches || !recording)
		return 0;
	number = number_of(ctx);
	if (!may_have_session(number))
		return 0;
	index = 1 + (number * 0x9e3779b97f4a7c15ull >> SNAPSHOT_INDEX_SHIFT);
	snapshot = &snapshots[index];
	__sync_fetch_and_add(&snapshot->users, 1);
	busy = *(volatile __u64 *)&snapshot->users - 1;
	busy = (busy | -busy) >> 63;
	__sync_fetch_and_add(&snapshot->users, -busy);
	index &= busy - 1;
	barrier_var(index);
	snapshot = &snapshots[index];
	snapshot->size = bpf_get_branch_snapshot(snapshot->entries, sizeof(snapshot->entries), 0);
	return index;
}

static __always_inline void snapshot_release(__u64 index)
{
	if (!config.branches)
		return;
	barrier_var(index);
	if (index <= SNAPSHOTS)
		__sync_fetch_and_add(&snapshots[index].users, -1);
}

/* Keeps the snapshot of the return that a chain begins with. */
static __always_inline void branches_keep(const struct session_state *session, __u32 which,
					  const struct event_frame *frame, __u64 index)
{
	__u32 slot = session->slot;
	struct branch_bufs *bufs = bpf_map_lookup_elem(&branches, &slot);
	struct branch_buf *buf;
	__s64 size, nobodys;

	if (!bufs || index > SNAPSHOTS)
		return;
	buf = &bufs->chains[which & 1];
	/* Calculated, so that the verifier does not follow both branches to the end. */
	nobodys = (index | -index) >> 63;
	nobodys--;
	barrier_var(nobodys);
	size = snapshots[index].size & ~nobodys;
	buf->event.func = frame->func;
	buf->event.result = frame->result;
	buf->event.err = size < 0 ? size : 0;
	if (size < 0 || size > (__s64)sizeof(buf->entries))
		size = 0;
	buf->event.nr = (__u64)size / sizeof(struct event_branch);
	barrier_var(size);
	if ((__u64)size <= sizeof(buf->entries))
		bpf_probe_read_kernel(buf->entries, size, snapshots[index].entries);
}

/* Sends the branches kept with a chain. Returns 0; negative: none were kept, or no room. */
static __always_inline int branches_send(const struct session_state *session, __u32 which)
{
	__u32 slot = session->slot;
	struct branch_bufs *bufs = bpf_map_lookup_elem(&branches, &slot);
	struct branch_buf *buf;
	__u64 size;

	if (!bufs)
		return -1;
	buf = &bufs->chains[which & 1];
	if (!buf->event.nr && !buf->event.err)
		return -1;
	size = sizeof(buf->event) + buf->event.nr * sizeof(struct event_branch);
	buf->event.header.kind = EVENT_BRANCHES;
	buf->event.header.size = size;
	buf->event.header.session = session->id;
	barrier_var(size);
	if (size > sizeof(*buf))
		return -1;
	return ring_send(buf, size, BPF_RB_NO_WAKEUP);
}

#endif
