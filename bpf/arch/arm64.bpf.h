/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* arm64. For arch.bpf.h. */
#ifndef RETSNOOP_ARCH_ARM64_BPF_H
#define RETSNOOP_ARCH_ARM64_BPF_H

#include "bpf/arch/preempt_in_task.bpf.h"
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

#endif
