/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Putting records into the ring buffer. */
#ifndef RETSNOOP_RING_BPF_H
#define RETSNOOP_RING_BPF_H

#include "bpf/maps.bpf.h"

static __always_inline int send(void *data, __u32 size, __u64 flags)
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

#endif
