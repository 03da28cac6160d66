/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* The ring buffer of the watch on system calls, and records in it about the current task. */
#ifndef RETSNOOP_BPF_WATCH_RESERVE_BPF_H
#define RETSNOOP_BPF_WATCH_RESERVE_BPF_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <stddef.h>

#include <bpf/bpf_helpers.h>

#include "bpf/watch/task.bpf.h"
#include "bpf/watch/watch_event.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 * 1024 * 1024);
} events SEC(".maps");

static __always_inline struct watch_event *reserve_bytes(__u64 size, __u32 kind, __u32 nr,
							  __s64 result)
{
	struct watch_event *event = bpf_ringbuf_reserve(&events, size, 0);
	__u64 ids = current_ids();

	if (!event) {
		__sync_fetch_and_add(&lost, 1);
		return NULL;
	}
	event->kind = kind;
	event->pid = ids >> 32;
	event->tid = ids;
	event->nr = nr;
	event->result = result;
	event->time_ns = bpf_ktime_get_ns();
	event->called_ns = 0;
	event->have = 0;
	event->compat = 0;
	event->address = 0;
	event->address_size = 0;
	event->by_seccomp = 0;
	event->netlink = 0;
	event->netlink_type = 0;
	event->so_error = 0;
	event->io_uring = 0;
	event->signal = 0;
	event->signal_code = 0;
	event->signal_pid = 0;
	event->restartable = 0;
	event->fault = WATCH_NO_FAULT;
	bpf_get_current_comm(event->comm, sizeof(event->comm));
	return event;
}

static __always_inline struct watch_event *reserve(__u32 kind, __u32 nr, __s64 result)
{
	return reserve_bytes(sizeof(struct watch_event), kind, nr, result);
}

#endif
