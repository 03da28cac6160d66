/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* 64-bit riscv. For arch.bpf.h. */
#ifndef RETSNOOP_BPF_ARCH_RISCV_BPF_H
#define RETSNOOP_BPF_ARCH_RISCV_BPF_H

#include "bpf/arch/preempt_in_task.bpf.h"
#include "bpf/maps.bpf.h"

/* The return address is in a register. */
#define ARCH_STACK_ARGS_AT 0
#define ARCH_ENTRIES_BREAK 1

/* struct pt_regs begins with these. */
#define ARCH_REGS(ctx) ((const volatile struct user_regs_struct *)(ctx))

static __always_inline __u64 call_sp(void *ctx, const volatile struct config_exit_sp *how)
{
	__u64 frame = ARCH_REGS(ctx)->s0, sp = ARCH_REGS(ctx)->sp;

	return how->by_frame ? frame : sp;
}

/* Unchanged since the entry: the return address is in a register, not on the stack. */
static __always_inline __u64 entry_sp(void *ctx, const volatile struct config_exit_sp *how)
{
	return call_sp(ctx, how);
}

static __always_inline __u64 arch_link(const void *ctx)
{
	return ARCH_REGS(ctx)->ra;
}

static __always_inline void arch_save_args(const void *ctx, __u64 *args)
{
	args[0] = ARCH_REGS(ctx)->a0;
	args[1] = ARCH_REGS(ctx)->a1;
	args[2] = ARCH_REGS(ctx)->a2;
	args[3] = ARCH_REGS(ctx)->a3;
	args[4] = ARCH_REGS(ctx)->a4;
	args[5] = ARCH_REGS(ctx)->a5;
	args[6] = ARCH_REGS(ctx)->a6;
	args[7] = ARCH_REGS(ctx)->a7;
}

#endif
