/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The tasks that the watch on system calls knows, and its filters. Tasks are identified by the address
 * of their task_struct, which the fork tracepoint has too.
 */
#ifndef RETSNOOP_BPF_WATCH_TASK_BPF_H
#define RETSNOOP_BPF_WATCH_TASK_BPF_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include "bpf/define_map.bpf.h"
#include "bpf/watch/watch_event.h"

#define MAX_ERRNO 4095
/* THREAD_SIZE without KASAN; with KASAN only half of the stack is covered. */
#define STACK_SIZE 16384
/* siginfo_t: signal-dependent members begin after three numbers. */
#define SIGNAL_CODE_AT 8
/* SOFTIRQ_OFFSET: a softirq is running. */
#define SERVING_SOFTIRQ 0x100

const volatile struct watch_config config;

__u64 lost;
/* A process of -p that has forked; 0: none has. */
__u32 forked;

struct watch_task {
	__u64 called_ns;	/* start of the current system call; 0: none, or not seen */
	__u64 regs;		/* struct pt_regs of its system calls, at the end of its stack; 0: none yet */
	__u64 log;		/* struct fc_log, while logfc() adds to it */
	__u64 verifier_log;	/* the program's empty buffer for the log; 0: none in this call */
	__u64 fault;		/* address in the program of the kernel's last fault in this call */
	__u64 copies_of_2;	/* bits of the descriptors that perror(3), or a shell's >&2, made of 2 */
	__u32 interrupted_nr;	/* of the last call; arm64 forgets it before it delivers a signal */
	__s64 interrupted;	/* result of the last call, if a signal may have ended it; else 0 */
	__u64 interrupted_ns;	/* when that call began */
	bool is_entered, is_returned;	/* on_skipped_enter(), on_skipped_return() came before the main programs */
};

MAP(tasks, HASH, 16384, __u64, struct watch_task);

MAP(pids, HASH, 1, __u32, __u8);

struct watch_comm {
	char text[16];
};

MAP(comms, HASH, 1, struct watch_comm, __u8);

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, WATCH_CGROUPS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} cgroups SEC(".maps");

static __always_inline __u64 current_ids(void)
{
	struct bpf_pidns_info ids = {};

	/* It knows only processes whose own namespace this is, and none of those below. */
	if (!config.namespace_ino)
		return bpf_get_current_pid_tgid();
	bpf_get_ns_current_pid_tgid(config.namespace_dev, config.namespace_ino, &ids, sizeof(ids));
	return (__u64)ids.tgid << 32 | ids.pid;
}

static __always_inline bool in_cgroups(void)
{
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < WATCH_CGROUPS; i++) {
		if (i >= config.nr_cgroups)
			break;
		if (bpf_current_task_under_cgroup(&cgroups, i) == 1)
			return true;
	}
	return false;
}

/* The same filters as in bpf/filter.bpf.h. @comm: name of the current thread, or of the one that it works for. */
static __always_inline bool passes_filters_as(const struct watch_comm *comm)
{
	__u32 pid;

	if (config.filter_pids) {
		pid = current_ids() >> 32;
		if (!bpf_map_lookup_elem(&pids, &pid))
			return false;
	}
	if (config.filter_comms && !bpf_map_lookup_elem(&comms, comm))
		return false;
	return !config.nr_cgroups || in_cgroups();
}

static __always_inline bool passes_filters(void)
{
	struct watch_comm comm = {};

	if (config.filter_comms)
		bpf_get_current_comm(&comm, sizeof(comm));
	/* retsnoop's own calls would keep it busy with themselves. */
	return passes_filters_as(&comm) && current_ids() >> 32 != config.own_pid;
}

/* NULL: the task is not watched. */
static __always_inline struct watch_task *watched_task(void)
{
	__u64 key = bpf_get_current_task();
	struct watch_task none = {}, *task;

	if (!config.root && !passes_filters())
		return NULL;
	task = bpf_map_lookup_elem(&tasks, &key);
	if (task)
		return task;
	if (config.root && current_ids() >> 32 != config.root)
		return NULL;
	bpf_map_update_elem(&tasks, &key, &none, BPF_ANY);
	return bpf_map_lookup_elem(&tasks, &key);
}

static __always_inline __u64 word_at(__u64 base, __u32 offset)
{
	__u64 word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), (void *)(base + offset));
	return word;
}

static __always_inline __u32 number_at(__u64 base, __u32 offset)
{
	__u32 number = 0;

	bpf_probe_read_kernel(&number, sizeof(number), (void *)(base + offset));
	return number;
}

/* Whether a system call is one of a 32-bit program. */
static __always_inline bool is_compat(__u64 regs)
{
	return (word_at(regs, config.mode_at) & config.mode_mask) == config.compat_mode;
}

/* PREEMPT_RT runs softirqs on the stacks of tasks, and counts them in the task. */
static __always_inline bool runs_softirq(__u64 task)
{
	return config.softirq_count_at && number_at(task, config.softirq_count_at) & SERVING_SOFTIRQ;
}

/*
 * The current task, if it is in a system call of its own. @ctx is on the current stack: an
 * interrupt has a stack of its own. NULL: the task is not watched, or in no call.
 */
static __always_inline struct watch_task *task_in_call(void *ctx)
{
	__u64 key = bpf_get_current_task(), here = 0;
	struct watch_task *task = bpf_map_lookup_elem(&tasks, &key);

	if (!task || !task->called_ns || runs_softirq(key))
		return NULL;
	bpf_probe_read_kernel(&here, sizeof(here), &ctx);
	return task->regs - here < STACK_SIZE ? task : NULL;
}

#endif
