/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* x86-64. For arch.bpf.h. */
#ifndef RETSNOOP_BPF_ARCH_X86_BPF_H
#define RETSNOOP_BPF_ARCH_X86_BPF_H

#include "bpf/kernel_types.h"
#include "bpf/maps.bpf.h"

/* The return address comes first. */
#define ARCH_STACK_ARGS_AT 8
#define ARCH_ENTRIES_BREAK 0 /* ftrace handles them */

static __always_inline __u64 call_sp(struct pt_regs *ctx, const volatile struct config_exit_sp *how)
{
	return PT_REGS_SP(ctx);
}

static __always_inline __u64 entry_sp(struct pt_regs *ctx,
				      const volatile struct config_exit_sp *how)
{
	return (how->by_context ? (__u64)(ctx + 1) : PT_REGS_SP(ctx)) - how->delta;
}

static __always_inline __u64 arch_link(const void *ctx)
{
	return 0;
}

static __always_inline void arch_save_args(const struct pt_regs *regs, __u64 *args)
{
	args[0] = PT_REGS_PARM1(regs);
	args[1] = PT_REGS_PARM2(regs);
	args[2] = PT_REGS_PARM3(regs);
	args[3] = PT_REGS_PARM4(regs);
	args[4] = PT_REGS_PARM5(regs);
	args[5] = regs->r9; /* libbpf 1.1 has no name for it */
}

/* For kernels whose BTF lacks it (5.10's has no per-CPU variables): by the symbols' addresses. */
static __always_inline __u32 preempt_count_by_address(void)
{
	__u64 base = 0;
	__u32 count_now = 0;

	if (!config.per_cpu_offsets)
		return 0;
	bpf_probe_read_kernel(&base, sizeof(base),
			      (void *)(config.per_cpu_offsets + 8 * bpf_get_smp_processor_id()));
	bpf_probe_read_kernel(&count_now, sizeof(count_now), (void *)(base + config.preempt_count));
	return count_now;
}

#ifndef NO_KERNEL_BTF
#define ARCH_DTV_AT 8

/* Current when the task has set it through the kernel, as C libraries do. */
static __always_inline __u64 thread_pointer(struct task_struct *task)
{
	return BPF_CORE_READ(task, thread.fsbase);
}

/* __preempt_count; from 6.2 to 6.14 a member of pcpu_hot. */
static __always_inline __u32 preempt_count(void)
{
	const char *count_of_cpu;

	if (!config.preempt_variable)
		return preempt_count_by_address();
	count_of_cpu = bpf_this_cpu_ptr((const char *)PATCHED(PREEMPT_MARKER_STRING));
	return *(const __u32 *)(count_of_cpu + config.preempt_count);
}
#else
static __always_inline __u32 preempt_count(void)
{
	return preempt_count_by_address();
}
#endif

#endif
