/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Ids of processes and threads in retsnoop's own PID namespace, as user space sees them. In the
 * initial namespace these are the kernel's own ids, and this costs nothing. And tasks' mounts.
 */
#ifndef RETSNOOP_BPF_PROCESS_BPF_H
#define RETSNOOP_BPF_PROCESS_BPF_H

#include "bpf/kernel_types.h"
#include "bpf/maps.bpf.h"

#ifndef NO_KERNEL_BTF
/*
 * The thread's id in retsnoop's namespace; 0 if the thread is not in it, as in the kernel. A thread
 * has an id for each namespace from the initial one (level 0) down to its own.
 */
static __always_inline __u32 id_in_namespace(struct task_struct *task)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	__u32 level = namespace_level;
	struct upid *id;

	if (BPF_CORE_READ(pid, level) < level)
		return 0;
	id = (void *)&pid->numbers[0] + level * bpf_core_type_size(struct upid);
	if ((__u64)BPF_CORE_READ(id, ns) != namespace_address)
		return 0;
	return BPF_CORE_READ(id, nr);
}

static __always_inline __u32 process_of(struct task_struct *task)
{
	if (!config.pid_namespace)
		return BPF_CORE_READ(task, tgid);
	return id_in_namespace(BPF_CORE_READ(task, group_leader));
}

/* Process in the upper half, thread in the lower one, as of bpf_get_current_pid_tgid(). */
static __always_inline __u64 current_ids(void)
{
	struct task_struct *task;

	if (!config.pid_namespace)
		return bpf_get_current_pid_tgid();
	task = (void *)bpf_get_current_task();
	return (__u64)process_of(task) << 32 | id_in_namespace(task);
}

/* The task's mount namespace; 0: the task is exiting and has none. */
static __always_inline __u64 mounts_of(struct task_struct *task)
{
	struct nsproxy *all = BPF_CORE_READ(task, nsproxy);

	return all ? (__u64)BPF_CORE_READ(all, mnt_ns) : 0;
}
#else
/* Without types only the kernel knows, and only for processes whose own namespace this is. */
static __always_inline __u64 current_ids(void)
{
	struct bpf_pidns_info ids = {};

	if (!config.pid_namespace)
		return bpf_get_current_pid_tgid();
	bpf_get_ns_current_pid_tgid(config.pid_namespace_dev, config.pid_namespace_ino, &ids,
				    sizeof(ids));
	return (__u64)ids.tgid << 32 | ids.pid;
}
#endif

#endif
