/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Sessions that are counted instead of sent (bpf/summary_rows.h). */
#ifndef RETSNOOP_BPF_SUMMARY_BPF_H
#define RETSNOOP_BPF_SUMMARY_BPF_H

#include "bpf/process.bpf.h"
#include "bpf/maps.bpf.h"

/* The innermost function of the chain. */
static __always_inline __u32 producer_of(const struct chain_buf *buf, __u32 depth)
{
	barrier_var(depth);
	return buf->frames[(depth - 1) & (EVENT_MAX_DEPTH - 1)].func;
}

/* 0; 1: there is no room. */
static __noinline int count_producer(const struct chain_buf *buf, __u32 depth, __s32 outcome)
{
	struct producer_key key = { .epoch = epoch, .outcome = outcome };
	__u64 *times, one = 1;

	if (!buf)
		return 0;
	key.func = producer_of(buf, depth);
	key.err = buf->producer_err;
	times = bpf_map_lookup_elem(&producers, &key);
	if (!times && !bpf_map_update_elem(&producers, &key, &one, BPF_NOEXIST))
		return 0;
	if (!times)	/* another CPU added the row, or there is no room */
		times = bpf_map_lookup_elem(&producers, &key);
	if (!times)
		return 1;
	__sync_fetch_and_add(times, 1);
	return 0;
}

/* Groups by the name of the process, not of the thread: its threads are one row. */
static __always_inline void group_by_comm(struct summary_group *group)
{
#ifndef NO_KERNEL_BTF
	struct task_struct *task = (void *)bpf_get_current_task();

	task = BPF_CORE_READ(task, group_leader);
	bpf_core_read(group->comm, sizeof(group->comm), &task->comm);
#else
	bpf_get_current_comm(group->comm, sizeof(group->comm));
#endif
}

#ifndef NO_KERNEL_BTF
static __always_inline bool has_host_mounts(void)
{
	return host_mounts && mounts_of((void *)bpf_get_current_task()) == host_mounts;
}
#else
static __always_inline bool has_host_mounts(void)
{
	return false;
}
#endif

/*
 * @err		of the entry call, or SUMMARY_SUCCESS
 * @producer	function + 1; 0 none
 * @return	0; 1 there is no room
 */
static __noinline int count_call(__u32 func, __s32 err, __u64 duration_ns, __u32 producer,
				 __u32 context)
{
	struct summary_key key = { .epoch = epoch, .func = func, .err = err };
	struct summary_row *row, *fresh;
	__u32 zero = 0, bucket;

	if (config.summary_producers)
		key.producer = producer;
	if (config.summary_by == SUMMARY_BY_PRODUCER)
		key.group.id = producer;
	if (config.summary_by == SUMMARY_BY_CGROUP && config.cgroup_ids && context == CONTEXT_TASK) {
		key.group.id = bpf_get_current_cgroup_id();
		if (config.summary_producers)
			key.group.host_mounts = has_host_mounts();
	}
	if (config.summary_by == SUMMARY_BY_PROCESS && context == CONTEXT_TASK)
		key.group.id = current_ids() >> 32;
	if (config.summary_by >= SUMMARY_BY_PROCESS && context == CONTEXT_TASK)
		group_by_comm(&key.group);
	row = bpf_map_lookup_elem(&summary, &key);
	if (!row) {
		fresh = bpf_map_lookup_elem(&summary_zero, &zero);
		if (!fresh)
			return 0;
		bpf_map_update_elem(&summary, &key, fresh, BPF_NOEXIST);
		row = bpf_map_lookup_elem(&summary, &key);
		if (!row)
			return 1;
	}
	bucket = summary_bucket(duration_ns);
	barrier_var(bucket);
	if (bucket >= SUMMARY_BUCKETS)
		return 0;
	__sync_fetch_and_add(&row->buckets[bucket], 1);
	__sync_fetch_and_add(&row->count, 1);
	__sync_fetch_and_add(&row->total_ns, duration_ns);
	/*
	 * Another CPU may overwrite a larger value with its own, compared earlier: look again.
	 * (Compare and exchange needs 5.12.)
	 */
#pragma unroll
	for (int i = 0; i < 3; i++) {
		if (*(volatile __u64 *)&row->max_ns < duration_ns)
			*(volatile __u64 *)&row->max_ns = duration_ns;
	}
	return 0;
}

#endif
