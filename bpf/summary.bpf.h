/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Sessions that are counted instead of sent (bpf/summary.h). */
#ifndef RETSNOOP_SUMMARY_BPF_H
#define RETSNOOP_SUMMARY_BPF_H

#include "bpf/maps.bpf.h"

static __noinline int count_producer(const struct chain_buf *buf, __u32 depth, __s32 outcome)
{
	struct producer_key key = { .epoch = epoch, .outcome = outcome };
	__u64 *times, one = 1;

	if (!buf)
		return 0;
	barrier_var(depth);
	key.func = buf->frames[(depth - 1) & (EVENT_MAX_DEPTH - 1)].func;
	key.err = buf->producer_err;
	times = bpf_map_lookup_elem(&producers, &key);
	if (!times && !bpf_map_update_elem(&producers, &key, &one, BPF_NOEXIST))
		return 0;
	if (!times)	/* another CPU was faster, or there is no room */
		times = bpf_map_lookup_elem(&producers, &key);
	if (times)
		__sync_fetch_and_add(times, 1);
	else
		count(summary_lost);
	return 0;
}

/* @err: of the entry call, or SUMMARY_SUCCESS */
static __noinline int count_call(__u32 func, __s32 err, __u64 duration_ns)
{
	struct summary_key key = { .epoch = epoch, .func = func, .err = err };
	struct summary_row *row = bpf_map_lookup_elem(&summary, &key), *fresh;
	__u32 zero = 0, bucket;

	if (!row) {
		fresh = bpf_map_lookup_elem(&summary_zero, &zero);
		if (!fresh)
			return 0;
		bpf_map_update_elem(&summary, &key, fresh, BPF_NOEXIST);
		row = bpf_map_lookup_elem(&summary, &key);
		if (!row) {
			count(summary_lost);
			return 0;
		}
	}
	bucket = summary_bucket(duration_ns);
	barrier_var(bucket);
	if (bucket >= SUMMARY_BUCKETS)
		return 0;
	__sync_fetch_and_add(&row->buckets[bucket], 1);
	__sync_fetch_and_add(&row->count, 1);
	__sync_fetch_and_add(&row->total_ns, duration_ns);
	/*
	 * Another CPU may overwrite a larger one with its own that it compared before: look again.
	 * (Compare and exchange is 5.12's.)
	 */
#pragma unroll
	for (int i = 0; i < 3; i++) {
		if (*(volatile __u64 *)&row->max_ns < duration_ns)
			*(volatile __u64 *)&row->max_ns = duration_ns;
	}
	return 0;
}

#endif
