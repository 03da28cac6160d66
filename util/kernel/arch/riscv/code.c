// SPDX-License-Identifier: BSD-2-Clause
/* Instructions that compilers and the kernel put into functions on riscv. */
#include "util/kernel/arch/arch.h"
#include "util/kernel/code/machine_code.h"

#include "util/kernel/arch/arch.h"
#include "util/kernel/arch/riscv/registers.h"
#include "util/kernel/code/instruction.h"

#define NOP 0x00000013u
#define C_NOP 0x0001u
#define EBREAK 0x00100073u
#define C_EBREAK 0x9002u
/* auipc t0, ...; jalr t0, ... */
#define IS_AUIPC_T0(word) (((word) & 0xfff) == 0x297)

static uint32_t half_at(const uint8_t *code)
{
	return code[0] | code[1] << 8;
}

static uint32_t word_at(const uint8_t *code)
{
	return half_at(code) | half_at(code + 2) << 16;
}

/* Tracing has 8 bytes (-fpatchable-function-entry): nop, or auipc and nop, or auipc and jalr. */
size_t code_entry_size(const uint8_t *code, size_t size)
{
	if (size < 8)
		return 0;
	if (word_at(code) == NOP || IS_AUIPC_T0(word_at(code)))
		return 8;
	for (int i = 0; i < 4; i++) {
		if (half_at(code + 2 * i) != C_NOP)
			return 0;
	}
	return 8;
}

bool code_is_padding(const uint8_t *code, size_t size)
{
	return (size >= 2 && (half_at(code) == C_NOP || !half_at(code))) ||
	       (size >= 4 && word_at(code) == NOP);
}

/* The kernel puts an ebreak of the instruction's own size there, and BUG() is one as well. */
static bool is_ebreak(const uint8_t *code, size_t size)
{
	return (size >= 2 && half_at(code) == C_EBREAK) || (size >= 4 && word_at(code) == EBREAK);
}

bool code_is_probed(const uint8_t *code, const uint8_t *last, size_t last_length)
{
	return is_ebreak(code, (half_at(code) & 3) == 3 ? 4 : 2);
}

/* Kprobes are breakpoints here. */
bool code_is_detour(const uint8_t *code)
{
	return false;
}

enum trap code_trap_kind(const uint8_t *code, size_t size)
{
	return is_ebreak(code, size) ? TRAP_UNCLEAR : TRAP_NONE;
}

const char *code_register_name(int reg)
{
	int at = code_saved_at(reg);

	return at < 0 ? NULL : arch_riscv.registers[at / 8];
}

/* RISC-V ABIs specification: x0 to x31 */
int code_dwarf_register(int reg)
{
	for (int n = 1; n <= 31; n++) {
		if (riscv_x(n) == reg)
			return n;
	}
	return -1;
}

/* Jump labels are nop or a jump. */
bool code_may_refuse_kprobe(const uint8_t *code, const struct branch_insn *insn)
{
	return insn->kind == BRANCH_JUMP || (insn->length == 4 && word_at(code) == NOP);
}

/* orig_a0, and a1 to a5 (arch/riscv/include/asm/syscall_wrapper.h, 7.2) */
int code_syscall_argument(uint32_t offset)
{
	if (offset == 280)
		return 0;
	return offset % 8 || offset < 88 || offset > 120 ? -1 : (int)(offset - 80) / 8;
}

/* struct user_regs_struct */
size_t code_saved_registers(void)
{
	return arch_riscv.nr_registers * 8;
}

/* x1 to x31 are after pc, in order. */
int code_saved_at(int reg)
{
	for (uint32_t n = 1; n < 32; n++) {
		if (riscv_x(n) == reg)
			return n * 8;
	}
	return -1;
}

const struct code_rules code_rules = {};
