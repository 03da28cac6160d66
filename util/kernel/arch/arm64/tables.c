// SPDX-License-Identifier: BSD-2-Clause
/* arm64. */
#include <elf.h>

#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"

/* struct user_pt_regs, with which struct pt_regs begins. Arguments are in the first 8. */
static const char *const registers[] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",	 "x7",	"x8",  "x9",	 "x10", "x11",
	"x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",	 "x22", "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",	"pc",  "pstate",
};

static const struct arch_tls tls = {
	.elf_machine = EM_AARCH64,
	.reserved = 16,
	.reloc_offset = R_AARCH64_TLS_TPREL,
	.reloc_module = R_AARCH64_TLS_DTPMOD,
	.reloc_descriptor = R_AARCH64_TLSDESC,
};

/* What there was of arch/arm64/kernel/entry.S. */
static const struct interrupt_label interrupt_labels[] = {
	{ "vectors", INTERRUPT_ENTRY, INTERRUPT_ENTRY },
	{ "el1?_64_*", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "ret_to_kernel", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{},
};

const struct arch arch_arm64 = {
	.name = "arm64",
	.machine = "aarch64",
	/*
	 * AAPCS64:
	 *	- An integer, enum, bool or pointer takes the next register; an argument aligned to 16
	 *	  begins at an even register and takes two.
	 *	- A struct or union of up to 16 bytes takes one or two.
	 *	- A larger one is somewhere in memory, and the argument is its address.
	 *	- If an argument finds too few registers, it and all after it are on the stack.
	 *	- The address for a result in memory is in x8, which has no argument.
	 */
	.arg_rules = { .large_by_address = true, .pairs_begin_even = true, .stack_ends_registers = true },
	.nr_arg_registers = 8,
	.arg_registers = registers,
	.nr_registers = ARRAY_SIZE(registers),
	.registers = registers,
	.sp = 31,
	.ip = 32,
	.result = 0,
	/* pstate */
	.flag_registers = 1ull << 33,
	.syscall_prefix = "__arm64_",
	.open_flags_as_arm = true,
	.syscall = { { 0, 8, 16, 24, 32, 40 }, { "x0", "x1", "x2", "x3", "x4", "x5" } },
	.compat_syscall = { { 0, 8, 16, 24, 32, 40 }, { "x0", "x1", "x2", "x3", "x4", "x5" } },
	/* After struct user_pt_regs: orig_x0, and syscallno. */
	.syscall_first_at = 272,
	.syscall_nr_at = 280,
	/* 6.1 of Debian has no symbols of data. */
	.syscall_dispatcher = "do_el0_svc",
	.syscall_callers = { "invoke_syscall" },
	/* PSR_MODE32_BIT of pstate */
	.mode_at = 264,
	.mode_mask = 0x10,
	.compat_mode = 0x10,
	.link = 30,
	.frame = 29,
	.preempt_count_in_task = true,
	/* In thread_info after flags, addr_limit (up to 5.10) and ttbr0 (ARM64_SW_TTBR0_PAN), or without these. */
	.preempt_count_places = { 24, 16, 8 },
	.jit_has_helpers = true,
	.trampolines_may_not_attach = true,
	/* After bti and the first of two nop; before 5.18 the kernel moved it by as much. */
	.max_ftrace_offset = 8,
	/* _PAGE_END(48) (arch/arm64/include/asm/memory.h), the lowest of all sizes of addresses */
	.code_from = 0xffff800000000000,
	.interrupt_labels = interrupt_labels,
	.insn_size = 4,
	/* brk */
	.kprobe_code = { .size = 4, .breakpoints = { { 0xffe0001f, 0xd4200000 } } },
	.faults_refuse_kprobes = true,
	.breakpoints_repeat = true,
	.has_why = true,
	.tls = &tls,
};
