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

const struct arch arch_x86 = {
	.name = "x86",
	.machine = "x86_64",
	.arg_rules = ARG_RULES_SYSV,
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
	/* After the one-byte breakpoint, even where ftrace replaces that. */
	.kprobe_ip_offset = 1,
	/* exc_int3() */
	.breakpoint_is_nmi = true,
	.faults_hide_breakpoints = true,
	.has_multi_trampolines = true,
	/* After endbr64. */
	.max_ftrace_offset = 4,
	/* __START_KERNEL_map (arch/x86/include/asm/page_64_types.h) */
	.code_from = 0xffffffff80000000,
	.has_branch_records = true,
	.log_marks_byte = true,
	.has_why = true,
	.tls = &tls,
};
