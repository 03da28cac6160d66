// SPDX-License-Identifier: BSD-2-Clause
/* riscv, of 64 bits. */
#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"

#define A0 10

/* struct user_regs_struct, with which struct pt_regs begins. Arguments are in a0 to a7. */
static const char *const registers[] = {
	"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
	"a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
	"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

/* a0 itself has the result when the call ends; orig_a0 keeps it. */
#define SYSCALL_REGISTERS                                                                          \
	{ { 280, 88, 96, 104, 112, 120 }, { "orig_a0", "a1", "a2", "a3", "a4", "a5" } }

const struct arch arch_riscv = {
	.name = "riscv",
	.machine = "riscv64",
	/*
	 * As on arm64, but
	 *	- An argument aligned to 16 begins at any register.
	 *	- An argument that needs two registers and finds one is half in it and half on the stack.
	 *	- The address for a result in memory is in a0.
	 */
	.arg_rules = { .large_by_address = true, .may_be_split = true, .result_by_argument = true },
	.nr_arg_registers = 8,
	.arg_registers = registers + A0,
	.nr_registers = ARRAY_SIZE(registers),
	.registers = registers,
	.sp = 2,
	.ip = 0,
	.result = A0,
	.syscall_prefix = "__riscv_",
	.syscall = SYSCALL_REGISTERS,
	.compat_syscall = SYSCALL_REGISTERS,
	.syscall_first_at = 280,
	.syscall_nr_at = 136,
	/* UXL of sstatus: 1 is 32 bits. */
	.mode_at = 260,
	.mode_mask = 0x3,
	.compat_mode = 0x1,
	.link = 1,
	.frame = 8,
	.breakpoint_is_nmi = true,
	.preempt_count_in_task = true,
	.preempt_count_places = { 8 },
	.jit_has_helpers = true,
	.trampolines_may_not_attach = true,
	/* After the first half of auipc and jalr. */
	.max_ftrace_offset = 4,
	/* MODULES_LOWEST_VADDR (arch/riscv/include/asm/pgtable.h, 5.13 and later) */
	.code_from = 0xffffffff00000000,
	.kprobes_on_ftrace = true,
	/* ebreak and c.ebreak; the kernel writes four bytes. */
	.kprobe_code = { .size = 4, .breakpoints = { { 0xffffffff, 0x00100073 }, { 0xffff, 0x9002 } } },
};
