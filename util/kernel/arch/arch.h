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

/*
 * How arguments are placed (util/kernel/types/arg_layout.h). Those of up to 16 bytes are in registers while there
 * are enough, then in 8-byte slots on the stack, which are aligned to 16 if the argument's type is.
 */
struct arg_rules {
	/* A larger struct is anywhere in memory, and its address is the argument; else it is itself on the stack. */
	bool large_by_address;
	/* A struct with unaligned members (__packed) is as a large one. */
	bool unaligned_as_large;
	/* An argument aligned to 16 begins at an even register. */
	bool pairs_begin_even;
	/* After an argument on the stack all are there; else a smaller one still has a register. */
	bool stack_ends_registers;
	/* Of an argument that finds one register for two, half is in it and half on the stack. */
	bool may_be_split;
	/* The address for a result that is large is the first argument. */
	bool result_by_argument;
};

/* Instructions that have the bits `value` in `mask`; no bits in `mask`: none has. */
struct arch_insn {
	uint32_t mask, value;
};

/* What kprobes put in place of code. */
struct kprobe_code {
	uint8_t size; /* bytes of the instruction */
	struct arch_insn breakpoints[2];
	struct arch_insn jump; /* in place of a breakpoint, and of the code behind it */
};

enum kprobe_insn {
	KPROBE_NONE,
	KPROBE_BREAKPOINT,
	KPROBE_JUMP,
};

/* Parts of the code for interrupts and exceptions. */
enum interrupt_part {
	INTERRUPT_ENTRY, /* the CPU goes there by itself */
	INTERRUPT_INSIDE,
	INTERRUPT_EXIT, /* the last branch from there goes back */
};

/* Symbols whose first instruction is one part of it, and the others one, too. */
struct interrupt_label {
	const char *glob;
	enum interrupt_part at_start, further_in;
	bool is_breakpoint; /* what a breakpoint leads to */
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
	struct arg_rules arg_rules;
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
	bool open_flags_as_arm; /* O_DIRECTORY, O_NOFOLLOW and O_DIRECT are other numbers than in asm-generic/fcntl.h */
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
	struct kprobe_code kprobe_code;
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
	/* The first that matches counts; ends with one without a glob. NULL: none are known. */
	const struct interrupt_label *interrupt_labels;
	/* The largest offset of ftrace's location in its function. */
	uint8_t max_ftrace_offset;
	/* No code of the kernel, its modules and its BPF programs is below, whatever the configuration. */
	uint64_t code_from;
	/* Ends of programs' memory, which the kernel accesses in place of any address above; 0: it does not. */
	uint64_t user_ends[2];
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

/* Whose kernel has a function of that name for a system call, "__x64_sys_openat"; NULL: none. */
const struct arch *arch_of_wrapper(const char *func);

/* Whether a function calls those of system calls, on any architecture: syscall_callers. */
bool arch_calls_syscalls(const char *name);

/* What a kprobe has put in place of the instruction of @size bytes at @code, on any architecture. */
enum kprobe_insn arch_kprobe_insn(const void *code, size_t size);

/* The label of vmlinux's code for interrupts, on any architecture; NULL: the symbol is none. */
const struct interrupt_label *arch_interrupt_label(const char *symbol);

/* The name of the argument register at @index; "?": no such register. */
const char *arch_arg_register(const struct arch *arch, uint32_t index);

static inline size_t arch_registers_size(const struct arch *arch)
{
	return arch->nr_registers * sizeof(uint64_t);
}

#endif
