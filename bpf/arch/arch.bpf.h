/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Everything in BPF that depends on the CPU architecture it is built for. Each header has:
 *
 *	arch_save_args()	copies the registers that have arguments to an array
 *	ARCH_STACK_ARGS_AT	where arguments on the stack begin, from the entry's stack pointer
 *	ARCH_ENTRIES_BREAK	kprobes at entries are breakpoints, which count as NMIs, with ftrace, too
 *	call_sp()		the stack pointer at the entry
 *	entry_sp()		the same stack pointer, computed at the return
 *	arch_link()		the return address at the entry, if a register has it
 *	preempt_count()
 *	thread_pointer(), ARCH_DTV_AT	if known: the thread pointer of the current task's memory, and
 *			the offset from it at which glibc has the address of the thread's DTV
 */
#ifndef RETSNOOP_BPF_ARCH_ARCH_BPF_H
#define RETSNOOP_BPF_ARCH_ARCH_BPF_H

#if defined(__TARGET_ARCH_x86)
#include "bpf/arch/x86.bpf.h"
#elif defined(__TARGET_ARCH_arm64)
#include "bpf/arch/arm64.bpf.h"
#elif defined(__TARGET_ARCH_riscv)
#include "bpf/arch/riscv.bpf.h"
#else
#error "no header for this CPU architecture"
#endif

#endif
