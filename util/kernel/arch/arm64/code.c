// SPDX-License-Identifier: BSD-2-Clause
/* Instructions that compilers and the kernel put into functions on arm64. */
#include "util/kernel/code/machine_code.h"

#include "util/kernel/arch/arch.h"
#include "util/kernel/arch/arm64/decode.h"

#define BRK 0xd4200000u
/* Uses of brk (arch/arm64/include/asm/brk-imm.h, 7.2). */
#define BRK_KPROBE 0x004
#define BRK_UPROBE 0x005
#define BRK_KPROBE_STEP 0x006
#define BRK_BUG 0x800

#define SAVED_SP (31 * 8)
/* Bytes before an instruction in which ldxr makes it part of an atomic sequence. */
#define MAX_ATOMIC 128

/* struct user_pt_regs */
#define SAVED_SIZE (34 * 8)

/* bti, bti c, bti j, bti jc */
static bool is_landing_pad(uint32_t word)
{
	return (word & ~0xc0u) == 0xd503241f;
}

/*
 * Tracing uses two instructions (-fpatchable-function-entry): two nop; or mov x9, x30 and a nop; or
 * mov x9, x30 and bl ftrace_caller.
 */
static bool is_call_of_tracing(uint32_t first, uint32_t second)
{
	return (first == ARM64_NOP || first == 0xaa1e03e9) &&
	       (second == ARM64_NOP || second >> 26 == 0x25);
}

size_t code_entry_size(const uint8_t *code, size_t size)
{
	size_t mark = is_landing_pad(arm64_word(code, size)) ? ARM64_INSN_SIZE : 0;

	if (size < mark + 2 * ARM64_INSN_SIZE ||
	    !is_call_of_tracing(arm64_word(code + mark, size - mark),
				arm64_word(code + mark + ARM64_INSN_SIZE, ARM64_INSN_SIZE)))
		return mark;
	return mark + 2 * ARM64_INSN_SIZE;
}

bool code_is_padding(const uint8_t *code, size_t size)
{
	uint32_t word = arm64_word(code, size);

	return size >= ARM64_INSN_SIZE && (word == ARM64_NOP || !word);
}

/* The number in a brk; -1: not a brk. */
static int number_of_brk(const uint8_t *code, size_t size)
{
	uint32_t word = arm64_word(code, size);

	return (word & ~0x1fffe0u) == BRK ? (int)arm64_bits(word, 20, 5) : -1;
}

bool code_is_probed(const uint8_t *code, const uint8_t *last, size_t last_length)
{
	return number_of_brk(code, ARM64_INSN_SIZE) == BRK_KPROBE;
}

/* Kprobes are breakpoints here. */
bool code_is_detour(const uint8_t *code)
{
	return false;
}

enum trap code_trap_kind(const uint8_t *code, size_t size)
{
	if (size >= ARM64_INSN_SIZE && !(arm64_word(code, size) >> 16)) /* udf */
		return TRAP_ENDS;
	switch (number_of_brk(code, size)) {
	case -1:
	case BRK_KPROBE:
	case BRK_UPROBE:
	case BRK_KPROBE_STEP:
		return TRAP_NONE;
	case BRK_BUG: /* BUG() and WARN() */
		return TRAP_UNCLEAR;
	default:
		return TRAP_ENDS;
	}
}

static int call_register(const uint8_t *code, size_t size)
{
	struct arm64_insn insn;

	arm64_decode(arm64_word(code, size), 0, &insn);
	if ((insn.branch != BRANCH_INDIRECT_CALL && insn.branch != BRANCH_INDIRECT_JUMP) ||
	    insn.n == ARM64_ZERO)
		return -1;
	return insn.n;
}

const char *code_register_name(int reg)
{
	int at = code_saved_at(reg);

	return at < 0 ? NULL : arch_arm64.registers[at / 8];
}

/* DWARF for the Arm 64-bit Architecture: x0 to x30, and the stack pointer */
int code_dwarf_register(int reg)
{
	for (int n = 0; n <= 30; n++) {
		if (arm64_x(n) == reg)
			return n;
	}
	return reg == ARM64_SP ? 31 : -1;
}

/* ldxr, stxr and the like, for bytes to pairs, with a bit for the order of accesses. */
static bool is_exclusive(uint32_t word)
{
	return (word & 0x3fa00000) == 0x08000000 || (word & 0xbfa00000) == 0x88200000;
}

static bool is_store_exclusive(uint32_t word)
{
	return is_exclusive(word) && !arm64_bits(word, 22, 22);
}

/* A jump label is a nop or a jump. */
bool code_may_refuse_kprobe(const uint8_t *code, const struct branch_insn *insn)
{
	return insn->kind == BRANCH_JUMP || arm64_word(code, insn->length) == ARM64_NOP;
}

/* Before 6.15, the kernel takes ldar and casa for ldxr, and stlr and cas for stxr. */
static bool begins_atomic(uint32_t word, bool loosely)
{
	return loosely ? (word & 0x3f400000) == 0x08400000 :
			 is_exclusive(word) && !is_store_exclusive(word);
}

static bool ends_atomic(uint32_t word, bool loosely)
{
	return loosely ? (word & 0x3f400000) == 0x08000000 : is_store_exclusive(word);
}

/* From ldxr to stxr, as in is_probed_address_atomic() (arch/arm64/kernel/probes, 5.10 to 7.2). */
static bool takes_no_kprobe(const uint8_t *code, size_t before, bool loosely)
{
	if (is_exclusive(arm64_word(code, ARM64_INSN_SIZE)))
		return true;
	for (size_t back = ARM64_INSN_SIZE; back <= before && back <= MAX_ATOMIC;
	     back += ARM64_INSN_SIZE) {
		uint32_t word = arm64_word(code - back, ARM64_INSN_SIZE);

		if (begins_atomic(word, loosely))
			return true;
		if (ends_atomic(word, loosely))
			return false;
	}
	return false;
}

/* stxr w3, ...; cbnz w3, back to the ldxr */
static bool is_retry(const uint8_t *code, size_t before)
{
	uint32_t word = arm64_word(code, ARM64_INSN_SIZE), stored;

	if (before < ARM64_INSN_SIZE || word >> 24 != 0x35)
		return false;
	stored = arm64_word(code - ARM64_INSN_SIZE, ARM64_INSN_SIZE);
	return is_store_exclusive(stored) &&
	       arm64_bits(stored, 20, 16) == arm64_bits(word, 4, 0) && arm64_bits(word, 23, 23);
}

/* mov wN, #number, which is movn wN, #~number; or the same with xN */
static size_t find_number(const uint8_t *code, size_t size, size_t from, int32_t number)
{
	uint32_t wanted = 0x12800000 | (uint32_t)~number << 5, word;

	from += -from % ARM64_INSN_SIZE;
	for (size_t at = from; at + ARM64_INSN_SIZE <= size; at += ARM64_INSN_SIZE) {
		word = arm64_word(code + at, ARM64_INSN_SIZE);
		if ((word & 0x7fffffe0) == wanted)
			return at;
	}
	return size;
}

/* adrp x16, ...; add x16, x16, ...; br x16: an entry of a module's PLT. */
static uint64_t veneer_target(const uint8_t *code, size_t size, uint64_t at)
{
	if (size < CODE_VENEER_SIZE || (arm64_word(code, size) & 0x9f00001f) != 0x90000010 ||
	    (arm64_word(code + 4, ARM64_INSN_SIZE) & 0xffc003ff) != 0x91000210 ||
	    arm64_word(code + 8, ARM64_INSN_SIZE) != 0xd61f0200)
		return 0;
	return arm64_made_constant(code, size, at, ARM64_INSN_SIZE);
}

static size_t find_call(const uint8_t *code, size_t size, uint64_t at, size_t from, uint64_t *ret_target)
{
	from += -from % ARM64_INSN_SIZE;
	for (; from + ARM64_INSN_SIZE <= size; from += ARM64_INSN_SIZE) {
		uint32_t word = arm64_word(code + from, ARM64_INSN_SIZE);

		/* b, bl: a signed number of instructions */
		if ((word & 0x7c000000) != 0x14000000)
			continue;
		*ret_target = at + from + (int64_t)((int32_t)(word << 6) >> 4);
		return from;
	}
	return size;
}

/* br xN */
static size_t find_pointer_jump(const uint8_t *code, size_t size, uint64_t at, size_t from, uint64_t *ret_thunk)
{
	from += -from % ARM64_INSN_SIZE;
	for (; from + ARM64_INSN_SIZE <= size; from += ARM64_INSN_SIZE) {
		*ret_thunk = 0;
		if ((arm64_word(code + from, ARM64_INSN_SIZE) & 0xfffffc1f) == 0xd61f0000)
			return from;
	}
	return size;
}

int code_syscall_argument(uint32_t offset)
{
	/* regs->regs[0] to [5] (arch/arm64/include/asm/syscall_wrapper.h, 6.1) */
	return offset % 8 || offset >= 6 * 8 ? -1 : (int)offset / 8;
}

size_t code_saved_registers(void)
{
	return SAVED_SIZE;
}

int code_saved_at(int reg)
{
	for (uint32_t n = 0; n <= 30; n++) {
		if (arm64_x(n) == reg)
			return n * 8;
	}
	return reg == ARM64_SP ? SAVED_SP : -1;
}

const struct code_rules code_rules = {
	.call_register = call_register,
	.takes_no_kprobe = takes_no_kprobe,
	.is_retry = is_retry,
	.made_address = arm64_made_constant,
	.veneer_target = veneer_target,
	.find_number = find_number,
	.find_call = find_call,
	.find_pointer_jump = find_pointer_jump,
	.jump_table = arm64_jump_table,
};
