/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Where a call runs: in a task, or in an interrupt of some kind. Sessions never cross that.
 */
#ifndef RETSNOOP_CONTEXT_BPF_H
#define RETSNOOP_CONTEXT_BPF_H

#include "bpf/kernel_types.h"
#include "bpf/maps.bpf.h"

/*
 * Contexts. The preempt count tells (include/linux/preempt.h, 5.10 to 7.2).
 */
#define SOFTIRQ_SERVING 0x00000100
#define HARDIRQ_MASK 0x000f0000
#define NMI_MASK 0x00f00000
#define HARDIRQ_OFFSET 0x00010000
#define NMI_OFFSET 0x00100000

#define TASK_STACK_MAX 32768	/* THREAD_SIZE with KASAN; stacks are aligned to theirs */

/* Where BTF does not have it (5.10's does not describe per-CPU variables), symbols do. */
static __always_inline __u32 preempt_count_by_address(void)
{
	__u64 base = 0;
	__u32 count_now = 0;

	if (!config.per_cpu_offsets)
		return 0;
	bpf_probe_read_kernel(&base, sizeof(base),
			      (void *)(config.per_cpu_offsets + 8 * bpf_get_smp_processor_id()));
	bpf_probe_read_kernel(&count_now, sizeof(count_now),
			      (void *)(base + config.preempt_count));
	return count_now;
}

#ifndef NO_KERNEL_BTF
extern const int __preempt_count __ksym __weak;		/* up to 6.1, and from 6.15 */
extern const struct pcpu_hot pcpu_hot __ksym __weak;	/* 6.2 to 6.14 */

static __always_inline __u32 preempt_count(void)
{
	const int *count_ptr;
	const struct pcpu_hot *hot;

	if (&__preempt_count) {
		count_ptr = bpf_this_cpu_ptr(&__preempt_count);
		return *count_ptr;
	}
	if (&pcpu_hot) {
		hot = bpf_this_cpu_ptr(&pcpu_hot);
		return hot->preempt_count;
	}
	return preempt_count_by_address();
}
#else
static __always_inline __u32 preempt_count(void)
{
	return preempt_count_by_address();
}
#endif

static __always_inline __u32 context_of(__u32 count_now)
{
	if (!(count_now & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_SERVING)))
		return CONTEXT_TASK;
	if (count_now & NMI_MASK)
		return CONTEXT_NMI;
	return count_now & HARDIRQ_MASK ? CONTEXT_HARDIRQ : CONTEXT_SOFTIRQ;
}

static __always_inline __u32 current_context(void)
{
	return context_of(preempt_count());
}

/*
 * Where the code runs that has a kprobe. One that is a breakpoint counts as an NMI inside of that
 * (exc_int3()); one that the kernel has made a jump or a call does not. Of a real NMI with the
 * latter the stack tells, as far as it is a task that it interrupted.
 */
static __always_inline __u32 kprobe_context(__u64 sp)
{
	__u32 count_now = preempt_count(), below = count_now - (NMI_OFFSET + HARDIRQ_OFFSET);
	__u32 context = context_of(count_now);
	__u64 stack = 0;

	if (context != CONTEXT_NMI || !(count_now & HARDIRQ_MASK))
		return context;
	context = context_of(below);
	if (context != CONTEXT_TASK)
		return context;
#ifndef NO_KERNEL_BTF
	struct task_struct *task = (void *)bpf_get_current_task();

	stack = (__u64)BPF_CORE_READ(task, stack);
#endif
	return sp - stack < TASK_STACK_MAX ? CONTEXT_TASK : CONTEXT_NMI;
}

/*
 * A session belongs to a task, or to a CPU's interrupt context. The task's address tells tasks
 * apart, idle ones included, which all have pid 0.
 */
static __always_inline __u64 session_key(__u32 context)
{
	if (context == CONTEXT_TASK)
		return bpf_get_current_task();
	return (__u64)context << 32 | bpf_get_smp_processor_id();
}

#endif
