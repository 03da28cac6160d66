/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How CPU architectures differ, besides their instructions (util/kernel/code): one constant table
 * per architecture. Live runs use arch_native; recordings use the table of the machine that made
 * them.
 */
#ifndef RETSNOOP_KERNEL_ARCH_ARCH_H
#define RETSNOOP_KERNEL_ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How parameters are placed (util/kernel/types/arg_layout.h). */
enum arg_rules {
	ARG_RULES_SYSV,
	ARG_RULES_AAPCS64,
	ARG_RULES_RISCV,
};

#define ARCH_SYSCALL_ARGS 6

/* Arguments of system calls in the saved registers: offsets, and names. */
struct syscall_registers {
	uint16_t at[ARCH_SYSCALL_ARGS];
	const char *names[ARCH_SYSCALL_ARGS];
};

/* Where programs keep thread-local variables. */
struct arch_tls {
	uint16_t elf_machine;	/* EM_x */
	/* The executable's own are below the thread pointer, or this many bytes above it. */
	bool below;
	uint8_t reserved;
	/* Relocations: an offset from the thread pointer; a module and an offset; a descriptor. */
	uint16_t reloc_offset, reloc_module, reloc_descriptor;
};

struct arch {
	const char *name; /* in the kernel's sources */
	const char *machine; /* as in uname(2) */

	/* Registers for arguments, in order. */
	enum arg_rules arg_rules;
	uint8_t nr_arg_registers;
	const char *const *arg_registers;

	/* The words of BPF's struct pt_regs, in order. */
	uint8_t nr_registers;
	const char *const *registers;
	uint8_t sp, ip, result; /* indexes in `registers` */
	/* Bits by index: registers of flags, and those of which the CPU has 16 bits. */
	uint64_t flag_registers, narrow_registers;

	/* System calls, and those of 32-bit programs; their wrappers' prefix without "sys_NAME". */
	const char *syscall_prefix;
	struct syscall_registers syscall, compat_syscall;
	uint16_t syscall_nr_at;
	/* The function whose code has the address of sys_call_table; NULL: symbols have it. */
	const char *syscall_dispatcher;
	/* Functions that call those of system calls; ends with NULL. */
	const char *syscall_callers[4];
	/* Offset of the first argument after the call has ended. */
	uint16_t syscall_first_at;
	/*
	 * A 32-bit program has the bits `mode_mask` of this word of the saved registers set to
	 * `compat_mode`.
	 */
	uint16_t mode_at, mode_mask, compat_mode;

	/*
	 * By how much a return moves the stack pointer: the size of the return address that the
	 * return instruction pops. 0: the return address is in a register.
	 */
	uint8_t return_address_size;
	/* The index of the return address's register in `registers`; 0: it is on the stack. */
	uint8_t link;
	/*
	 * The frame pointer's index in `registers` if all functions have a frame pointer; else 0.
	 */
	uint8_t frame;
	/* Registers at a return of fprobe are at the end of the stack on some kernels. */
	bool registers_on_stack;
	/* Offset of the instruction pointer that a kprobe sees from the probed address. */
	uint8_t kprobe_ip_offset;
	/* Kprobes on functions use ftrace's calls there, and need ftrace (CONFIG_KPROBES_ON_FTRACE). */
	bool kprobes_on_ftrace;
	/* A breakpoint counts as an NMI and a hardirq while it is handled. */
	bool breakpoint_is_nmi;
	/*
	 * A breakpoint of the CPU may be hit twice in one pass: the kernel leaves it by a single
	 * step, which an interrupt may use up before the instruction runs.
	 */
	bool breakpoints_repeat;
	/*
	 * The CPU passes over a breakpoint at the instruction where execution goes on after a fault (Intel's manual,
	 * volume 3, on the flag RF).
	 */
	bool faults_hide_breakpoints;
	/* The preempt count is a member of the task, not a per-CPU variable. */
	bool preempt_count_in_task;
	/* Known offsets of the count in the task, to try without types; ends with 0. */
	uint8_t preempt_count_places[3];
	/* Its JIT compiler replaces some of BPF's helpers with code of its own (6.10). */
	bool jit_has_helpers;
	/* Kernels load programs for trampolines that they cannot attach. */
	bool trampolines_may_not_attach;
	/* The kernel attaches one trampoline to many functions (7.2). */
	bool has_multi_trampolines;
	/* The largest offset of ftrace's location in its function. */
	uint8_t max_ftrace_offset;
	/* No code of the kernel, its modules and its BPF programs is below, whatever the configuration. */
	uint64_t code_from;
	/* The kernel gives BPF the CPU's branch records. */
	bool has_branch_records;
	/* Its kernel logs code byte by byte, and marks the first one of an instruction: <48> */
	bool log_marks_byte;
	/* `retsnoop why` supports its code. */
	bool has_why;
	/* Bytes of an instruction, if all have the same size; else 0. */
	uint8_t insn_size;
	/* The kernel refuses kprobes on instructions that are in its exception table. */
	bool faults_refuse_kprobes;
	/* Thread-local variables of 64-bit programs; NULL: BPF cannot find them. */
	const struct arch_tls *tls;
};

extern const struct arch arch_x86, arch_arm64, arch_riscv;

/* The architecture of this build. */
extern const struct arch *const arch_native;

/* NULL: unknown. @machine from uname(2) */
const struct arch *arch_of_machine(const char *machine);

/* The architecture with @nr words of registers; NULL: none. */
const struct arch *arch_of_registers(size_t nr);

/* Whether a function calls those of system calls, on any architecture: syscall_callers. */
bool arch_calls_syscalls(const char *name);

/* The name of the argument register at @index; "?": no such register. */
const char *arch_arg_register(const struct arch *arch, uint32_t index);

static inline size_t arch_registers_size(const struct arch *arch)
{
	return arch->nr_registers * sizeof(uint64_t);
}

#endif
