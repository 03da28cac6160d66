// SPDX-License-Identifier: BSD-2-Clause
/* x86-64. */
#include <elf.h>

#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"

static const char *const arg_registers[] = { "di", "si", "dx", "cx", "r8", "r9" };

/* struct pt_regs */
static const char *const registers[] = {
	"r15", "r14", "r13", "r12", "bp",      "bx", "r11", "r10",   "r9", "r8", "ax",
	"cx",  "dx",  "si",  "di",  "orig_ax", "ip", "cs",  "flags", "sp", "ss",
};

static const struct arch_tls tls = {
	.elf_machine = EM_X86_64,
	.below = true,
	.reloc_offset = R_X86_64_TPOFF64,
	.reloc_module = R_X86_64_DTPMOD64,
	.reloc_descriptor = R_X86_64_TLSDESC,
};

/* arch/x86/entry/entry_64.S and entry_64_fred.S, whose labels are symbols too. */
static const struct interrupt_label interrupt_labels[] = {
	/* Tables of stubs, one a vector. */
	{ "irq_entries_start", INTERRUPT_ENTRY, INTERRUPT_ENTRY },
	{ "spurious_entries_start", INTERRUPT_ENTRY, INTERRUPT_ENTRY },
	{ "asm_exc_int3", INTERRUPT_ENTRY, INTERRUPT_INSIDE, .is_breakpoint = true },
	{ "asm_exc_*", INTERRUPT_ENTRY, INTERRUPT_INSIDE },
	{ "asm_sysvec_*", INTERRUPT_ENTRY, INTERRUPT_INSIDE },
	{ "asm_common_interrupt", INTERRUPT_ENTRY, INTERRUPT_INSIDE },
	{ "asm_spurious_interrupt", INTERRUPT_ENTRY, INTERRUPT_INSIDE },
	{ "asm_fred_entrypoint_kernel", INTERRUPT_ENTRY, INTERRUPT_INSIDE },
	{ "asm_call_irq_on_stack", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "asm_call_sysvec_on_stack", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "error_return", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "paranoid_exit", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "nested_nmi", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "first_nmi", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "repeat_nmi", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "end_repeat_nmi", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "nmi_no_fsgsbase", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "nmi_swapgs", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	/* System calls go this way, too. */
	{ "common_interrupt_return", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "swapgs_restore_regs_and_return_to_usermode", INTERRUPT_INSIDE, INTERRUPT_INSIDE },
	{ "restore_regs_and_return_to_kernel", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "early_xen_iret_patch", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "native_irq_return_iret", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "native_iret", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "xen_iret", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "nested_nmi_out", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "nmi_restore", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{},
};

const struct arch arch_x86 = {
	.name = "x86",
	.machine = "x86_64",
	/*
	 * System V:
	 *	- An integer, enum, bool or pointer takes the next register; __int128 the next two.
	 *	- A struct or union of up to 16 bytes takes one or two, or none if not all of it fits. A
	 *	  larger one, or one with unaligned members, takes none.
	 *	- An argument without a register is on the stack. Smaller arguments after it may still use the
	 *	  remaining registers.
	 *	- A function that returns a struct in memory (as above) has the address for it in di.
	 */
	.arg_rules = { .unaligned_as_large = true, .result_by_argument = true },
	.nr_arg_registers = ARRAY_SIZE(arg_registers),
	.arg_registers = arg_registers,
	.nr_registers = ARRAY_SIZE(registers),
	.registers = registers,
	.sp = 19,
	.ip = 16,
	.result = 10,
	/* flags; cs and ss */
	.flag_registers = 1 << 18,
	.narrow_registers = 1 << 17 | 1 << 20,
	.syscall_prefix = "__x64_",
	.syscall = { { 112, 104, 96, 56, 72, 64 }, { "di", "si", "dx", "r10", "r8", "r9" } },
	.compat_syscall = { { 40, 88, 96, 104, 112, 32 }, { "bx", "cx", "dx", "si", "di", "bp" } },
	.syscall_nr_at = 120,
	.syscall_first_at = 112,
	.syscall_callers = { "x64_sys_call", "do_syscall_64" },
	/* The code segment. */
	.mode_at = 136,
	.mode_mask = 0xffff,
	.compat_mode = 0x23,
	.return_address_size = 8,
	.registers_on_stack = true,
	.kprobes_on_ftrace = true,
	/* int3; jmp */
	.kprobe_code = { .size = 1, .breakpoints = { { 0xff, 0xcc } }, .jump = { 0xff, 0xe9 } },
	/* After the one-byte breakpoint, even where ftrace replaces that. */
	.kprobe_ip_offset = 1,
	/* exc_int3() */
	.breakpoint_is_nmi = true,
	.faults_hide_breakpoints = true,
	.has_multi_trampolines = true,
	.interrupt_labels = interrupt_labels,
	/* After endbr64. */
	.max_ftrace_offset = 4,
	/* __START_KERNEL_map (arch/x86/include/asm/page_64_types.h) */
	.code_from = 0xffffffff80000000,
	/* USER_PTR_MAX, with four levels of page tables and with five (arch/x86/kernel/cpu/common.c, 6.12) */
	.user_ends = { 0x7ffffffff000, 0xfffffffffff000 },
	.has_branch_records = true,
	.log_marks_byte = true,
	.has_why = true,
	.tls = &tls,
};
