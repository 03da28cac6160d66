/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The few kernel types that BPF reads. CO-RE finds their members by name in the running kernel's
 * BTF, so the build machine needs no BTF.
 */
#ifndef RETSNOOP_BPF_KERNEL_TYPES_H
#define RETSNOOP_BPF_KERNEL_TYPES_H

#include <linux/types.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#include "bpf/arch/thread_struct.h"

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	atomic_t live;		/* threads that have not exited */
};

struct pid_namespace;

/* An id in one namespace. */
struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;	/* of the thread's own namespace */
	struct upid numbers[1];	/* one per level */
};

struct mnt_namespace;

struct nsproxy {
	struct mnt_namespace *mnt_ns;
};

struct task_struct {
	void *stack;
	unsigned int flags;
	int pid;
	int tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct nsproxy *nsproxy;
	struct pid *thread_pid;
	struct signal_struct *signal;
	char comm[16];
	int softirq_disable_cnt;	/* PREEMPT_RT has it */
	struct thread_struct thread;
};

#pragma clang attribute pop

#endif
