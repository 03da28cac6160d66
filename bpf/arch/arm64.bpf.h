/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* arm64. For arch.bpf.h. */
#ifndef RETSNOOP_BPF_ARCH_ARM64_BPF_H
#define RETSNOOP_BPF_ARCH_ARM64_BPF_H

#include "bpf/arch/preempt_in_task.bpf.h"
#include "bpf/kernel_types.h"
#include "bpf/maps.bpf.h"

/* The return address is in a register. */
#define ARCH_STACK_ARGS_AT 0
#define ARCH_ENTRIES_BREAK 0

#define FRAME_POINTER 29

static __always_inline __u64 call_sp(void *ctx, const volatile struct config_exit_sp *how)
{
	/* Two loads: 6.1's verifier refuses one load with a variable offset. */
	const volatile struct user_pt_regs *regs = ctx;
	__u64 frame = regs->regs[FRAME_POINTER], sp = regs->sp;

	return how->by_frame ? frame : sp;
}

/* Unchanged since the entry: the return address is in a register, not on the stack. */
static __always_inline __u64 entry_sp(void *ctx, const volatile struct config_exit_sp *how)
{
	return call_sp(ctx, how);
}

static __always_inline __u64 arch_link(const void *ctx)
{
	const struct user_pt_regs *regs = ctx;

	return regs->regs[30];
}

static __always_inline void arch_save_args(const void *ctx, __u64 *args)
{
	/* struct pt_regs begins with these. */
	const struct user_pt_regs *regs = ctx;

#pragma unroll
	for (int i = 0; i < 8; i++)
		args[i] = regs->regs[i];
}

#ifndef NO_KERNEL_BTF
#define ARCH_DTV_AT 0

/*
 * Saved when the task leaves the CPU; of a new thread it is there from the start. A process that has
 * not left the CPU since its C library set the register has none yet.
 */
static __always_inline __u64 thread_pointer(struct task_struct *task)
{
	return BPF_CORE_READ(task, thread.uw.tp_value);
}
#endif

#endif
