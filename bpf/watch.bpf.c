// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/*
 * The watch on the system calls of a command and its children: which failed, what was written to
 * descriptor 2, who exited with which status. Tasks are known by the address of their task_struct,
 * which the fork tracepoint has, too, so that no types of the kernel are needed.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include "bpf/watch.h"

#define MAX_ERRNO 4095
/* ERESTARTSYS to ERESTART_RESTARTBLOCK: the call goes on after a signal. */
#define FIRST_RESTART 512
#define LAST_RESTART 516

char _license[] SEC("license") = "Dual BSD/GPL";

const volatile struct watch_config config;

__u64 lost;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, __u32);
	__uint(max_entries, 16384);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 * 1024 * 1024);
} events SEC(".maps");

static __always_inline __u64 current_ids(void)
{
	struct bpf_pidns_info ids = {};

	bpf_get_ns_current_pid_tgid(config.namespace_dev, config.namespace_ino, &ids, sizeof(ids));
	return (__u64)ids.tgid << 32 | ids.pid;
}

static __always_inline bool is_watched(void)
{
	__u64 task = bpf_get_current_task();
	__u32 one = 1;

	if (bpf_map_lookup_elem(&tasks, &task))
		return true;
	if (current_ids() >> 32 != config.root)
		return false;
	bpf_map_update_elem(&tasks, &task, &one, BPF_ANY);
	return true;
}

static __always_inline __u64 word_at(__u64 regs, __u32 offset)
{
	__u64 word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), (void *)(regs + offset));
	return word;
}

static __always_inline void send(__u32 kind, __u64 regs, __u32 nr, __s64 result)
{
	struct watch_event *event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
	__u64 ids = current_ids();

	if (!event) {
		__sync_fetch_and_add(&lost, 1);
		return;
	}
	event->kind = kind;
	event->pid = ids >> 32;
	event->tid = ids;
	event->nr = nr;
	event->result = result;
	event->time_ns = bpf_ktime_get_ns();
	event->have = 0;
	event->compat = word_at(regs, config.code_segment_at) == config.compat_segment;
	bpf_get_current_comm(event->comm, sizeof(event->comm));
#pragma unroll
	for (int i = 0; i < WATCH_ARGS; i++) {
		__u64 arg = word_at(regs, config.args_at[i]);

		event->args[i] = arg;
		event->strings[i][0] = 0;
		if (kind == WATCH_FAILED &&
		    bpf_probe_read_user_str(event->strings[i], WATCH_STRING, (void *)arg) >= 0)
			event->have |= 1u << i;
	}
	bpf_ringbuf_submit(event, 0);
}

SEC("raw_tracepoint/sys_enter")
int on_enter(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 regs = ctx->args[0], nr = ctx->args[1];

	if (nr != config.exit_nr && nr != config.exit_group_nr)
		return 0;
	if (is_watched() && (__u32)word_at(regs, config.args_at[0]))
		send(WATCH_EXITED, regs, nr, (__u32)word_at(regs, config.args_at[0]));
	return 0;
}

SEC("raw_tracepoint/sys_exit")
int on_exit(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 regs = ctx->args[0];
	__s64 result = ctx->args[1];
	__u32 nr;

	if (!is_watched())
		return 0;
	nr = word_at(regs, config.nr_at);
	if (result < 0 && result >= -MAX_ERRNO) {
		if (result > -FIRST_RESTART || result < -LAST_RESTART)
			send(WATCH_FAILED, regs, nr, result);
	} else if ((nr == config.write_nr || nr == config.writev_nr) &&
		   word_at(regs, config.args_at[0]) == 2) {
		send(WATCH_WROTE, regs, nr, result);
	}
	return 0;
}

SEC("raw_tracepoint/sched_process_fork")
int on_fork(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 child = ctx->args[1];
	__u32 one = 1;

	if (is_watched())
		bpf_map_update_elem(&tasks, &child, &one, BPF_ANY);
	return 0;
}

/* The address is used again for other tasks. */
SEC("raw_tracepoint/sched_process_free")
int on_free(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 task = ctx->args[0];

	bpf_map_delete_elem(&tasks, &task);
	return 0;
}
