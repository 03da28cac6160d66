/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Where a call runs: in a task, or in an interrupt of some kind. A session stays in one context.
 */
#ifndef RETSNOOP_BPF_CONTEXT_BPF_H
#define RETSNOOP_BPF_CONTEXT_BPF_H

#include "bpf/arch/arch.bpf.h"
#include "bpf/kernel_types.h"
#include "bpf/maps.bpf.h"

#define TASK_STACK_MAX 32768	/* THREAD_SIZE with KASAN; stacks are aligned to their size */

/*
 * PREEMPT_RT runs softirqs in tasks: in ksoftirqd, ktimers and threads of interrupts, and in any task
 * that enables softirqs again. The bit is in the task there, not in the preempt count.
 */
static __always_inline bool tasks_run_softirqs(void)
{
#ifndef NO_KERNEL_BTF
	return bpf_core_field_exists(((struct task_struct *)0)->softirq_disable_cnt);
#else
	return false;
#endif
}

static __always_inline bool in_softirq(__u32 count_now)
{
#ifndef NO_KERNEL_BTF
	struct task_struct *task;

	if (tasks_run_softirqs()) {
		task = (void *)bpf_get_current_task();
		count_now = BPF_CORE_READ(task, softirq_disable_cnt);
	}
#endif
	return count_now & config.contexts.softirq;
}

static __always_inline __u32 context_of(__u32 count_now)
{
	/* Mostly no bit is set. */
	if (!tasks_run_softirqs() && !(count_now & config.contexts.any))
		return CONTEXT_TASK;
	if (count_now & config.contexts.nmis)
		return CONTEXT_NMI;
	if (count_now & config.contexts.hardirqs)
		return CONTEXT_HARDIRQ;
	return in_softirq(count_now) ? CONTEXT_SOFTIRQ : CONTEXT_TASK;
}

static __always_inline __u32 current_context(void)
{
	return context_of(preempt_count());
}

/*
 * The context of code with a kprobe. A kprobe that is a breakpoint counts as an NMI in the probed
 * code's context (exc_int3()); a kprobe that the kernel made a jump or a call does not. Then a real
 * NMI is told by its stack, if it interrupted a task. Without types the task's stack is not known:
 * such an NMI counts as the task, and the session's frames tell it (on_probe()).
 */
static __always_inline __u32 kprobe_context(__u64 sp)
{
	__u32 count_now = preempt_count(), below = count_now - config.contexts.breakpoint;
	__u32 context = context_of(count_now);

	if (context != CONTEXT_NMI || !(count_now & config.contexts.hardirqs))
		return context;
	context = context_of(below);
	if (context != CONTEXT_TASK)
		return context;
#ifndef NO_KERNEL_BTF
	struct task_struct *task = (void *)bpf_get_current_task();

	if (sp - (__u64)BPF_CORE_READ(task, stack) >= TASK_STACK_MAX)
		return CONTEXT_NMI;
#endif
	return CONTEXT_TASK;
}

/*
 * The same value, which the verifier no longer knows: otherwise it follows each context to the end.
 *
 * @unknown	any number that it does not know
 */
static __always_inline __u32 hide_from_verifier(__u32 value, __u32 unknown)
{
	value ^= unknown;
	barrier_var(value);
	return value ^ unknown;
}

/*
 * A session belongs to a task, or to a CPU's interrupt context. Tasks are told apart by address:
 * idle tasks all have pid 0. A softirq that runs in a task may be preempted by another softirq on
 * that CPU: so it belongs to the task too, next to the task's own session.
 */
static __always_inline __u64 session_key(__u32 context)
{
	if (context == CONTEXT_TASK)
		return bpf_get_current_task();
	if (context == CONTEXT_SOFTIRQ && tasks_run_softirqs())
		return bpf_get_current_task() | CONTEXT_SOFTIRQ;
	return (__u64)context << 32 | bpf_get_smp_processor_id();
}

#endif
