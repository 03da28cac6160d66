/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Putting records into the ring buffer. */
#ifndef RETSNOOP_BPF_RING_BPF_H
#define RETSNOOP_BPF_RING_BPF_H

#include "bpf/maps.bpf.h"

/*
 * The ring buffer position of the last wake-up. Until the reader has read that far it is awake, and
 * it reads every record before it sleeps.
 */
static volatile __u64 woken_for SEC(".data.ring");

static __always_inline int ring_send(void *data, __u32 size, __u64 flags)
{
	__u32 zero = 0;
	struct event_stats *all;

	if (bpf_ringbuf_output(&events, data, size, flags))
		return -1;
	all = bpf_map_lookup_elem(&stats, &zero);
	if (all) {
		all->ring_records++;
		all->ring_bytes += size;
	}
	return 0;
}

/*
 * The same, with a wake-up if the reader may sleep. The kernel's own rule wakes it only if nothing
 * is unread before this record: after records sent without waking that is never true.
 */
static __always_inline int send_and_wake(void *data, __u32 size)
{
	bool asleep = bpf_ringbuf_query(&events, BPF_RB_CONS_POS) >= woken_for;
	__u64 at = bpf_ringbuf_query(&events, BPF_RB_PROD_POS);

	if (ring_send(data, size, asleep ? BPF_RB_FORCE_WAKEUP : 0))
		return -1;
	if (asleep)
		woken_for = at + 1;
	return 0;
}

#endif
