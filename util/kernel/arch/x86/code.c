// SPDX-License-Identifier: BSD-2-Clause
/* Bytes that compilers and the kernel put into functions on x86-64. */
#include "util/kernel/code/machine_code.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/code/instruction.h"
#include "util/kernel/arch/x86/registers.h"

#define INT3 0xcc

size_t code_entry_size(const uint8_t *code, size_t size)
{
	/* endbr64, and what apply_seal_endbr() replaces it with: before 6.15, and since. */
	static const uint8_t marks[][ENTRY_MARK_SIZE] = {
		{ 0xf3, 0x0f, 0x1e, 0xfa },
		{ 0x66, 0x0f, 0x1f, 0x00 },
		{ 0x0f, 0x1f, 0x40, 0xd6 },
	};

	return array_find(mark, marks,
			  size > ENTRY_MARK_SIZE && !memcmp(code, *mark, ENTRY_MARK_SIZE)) ?
		       ENTRY_MARK_SIZE + ENTRY_CALL_SIZE :
		       ENTRY_CALL_SIZE;
}

bool code_is_padding(const uint8_t *code, size_t size)
{
	/* Before the next function, padding may be one or two bytes long. */
	while (size > 1 && (*code == 0x66 || *code == 0x2e)) {
		code++;
		size--;
	}
	if (size && (*code == 0x90 || *code == INT3))
		return true;
	return size > 1 && code[0] == 0x0f && code[1] == 0x1f;
}

/* Whether an instruction never continues at the next one: a return, a jump. */
static bool is_end(const uint8_t *code, size_t length)
{
	while (length > 1 && (*code == 0x2e || *code == 0x3e || *code == 0xf2 || *code == 0xf3 ||
			      (*code & 0xf0) == 0x40)) {
		code++;
		length--;
	}
	return *code == 0xc3 || *code == 0xc2 || *code == 0xe9 || *code == 0xeb || *code == INT3 ||
	       (*code == 0xff && length > 1 && (code[1] & 0x38) == 0x20);
}

/* Compilers put the same byte after a return or a jump, against speculation. */
bool code_is_probed(const uint8_t *code, const uint8_t *last, size_t last_length)
{
	return *code == INT3 && !(last_length && is_end(last, last_length));
}

/* optprobe_template_entry of arch/x86/kernel/kprobes/opt.c, 5.10 to 7.2; newer ones push a segment first. */
bool code_is_detour(const uint8_t *code)
{
	static const uint8_t begin[CODE_DETOUR] = { 0x6a, 0x18, 0x54, 0x9c };

	return !memcmp(code, begin, 4) || !memcmp(code, begin + 2, 2);
}

enum trap code_trap_kind(const uint8_t *code, size_t size)
{
	/* ud1 (%edx),%rdi: a WARN() with a text, since 6.19. */
	static const uint8_t warns[] = { 0x67, 0x48, 0x0f, 0xb9, 0x3a };

	if (size >= sizeof(warns) && !memcmp(code, warns, sizeof(warns)))
		return TRAP_GOES_ON;
	/* Prefixes of ud1. */
	while (size > 2 && (*code == 0x67 || (*code & 0xf0) == 0x40)) {
		code++;
		size--;
	}
	if (size < 2 || code[0] != 0x0f)
		return TRAP_NONE;
	switch (code[1]) {
	case 0x0b: /* ud2: BUG() and WARN() */
		return TRAP_UNCLEAR;
	case 0xb9: /* ud1 */
	case 0xff: /* ud0 */
		return TRAP_ENDS;
	default:
		return TRAP_NONE;
	}
}

static const struct {
	const char *name;
	uint16_t at; /* in struct pt_regs */
} registers[] = {
	[X86_RAX] = { "rax", 80 },  [X86_RCX] = { "rcx", 88 },	[X86_RDX] = { "rdx", 96 },
	[X86_RBX] = { "rbx", 40 },  [X86_RSP] = { "rsp", 152 }, [X86_RBP] = { "rbp", 32 },
	[X86_RSI] = { "rsi", 104 }, [X86_RDI] = { "rdi", 112 }, [X86_R8] = { "r8", 72 },
	[X86_R9] = { "r9", 64 },    [X86_R10] = { "r10", 56 },	[X86_R11] = { "r11", 48 },
	[X86_R12] = { "r12", 24 },  [X86_R13] = { "r13", 16 },	[X86_R14] = { "r14", 8 },
	[X86_R15] = { "r15", 0 },
};

static int call_register(const uint8_t *code, size_t size)
{
	/* As instructions number them. */
	static const uint8_t numbers[] = {
		X86_RAX, X86_RCX, X86_RDX, X86_RBX, X86_RSP, X86_RBP, X86_RSI, X86_RDI,
		X86_R8,	 X86_R9,  X86_R10, X86_R11, X86_R12, X86_R13, X86_R14, X86_R15,
	};
	const uint8_t *end = code + size;
	int high = 0;

	/* Segment prefixes pad a call to the length of the instruction it replaces. */
	while (code < end && (*code == 0x2e || *code == 0x3e))
		code++;
	if (code < end && (*code & 0xf0) == 0x40)
		high = (*code++ & 1) * 8;
	/* call *%reg, jmp *%reg */
	if (end - code < 2 || code[0] != 0xff ||
	    ((code[1] & 0xf8) != 0xd0 && (code[1] & 0xf8) != 0xe0))
		return -1;
	return numbers[high + (code[1] & 7)];
}

/* ITS: indirect target selection, whose thunks are made at boot and have no symbols (its_allocate_thunk()). */
static int jump_register(const uint8_t *code, size_t size)
{
	size_t modrm = 1 + (size && *code == 0x41);

	return size > modrm && (code[modrm] & 0xf8) == 0xe0 ? call_register(code, size) : -1;
}

/*
 * Bytes of sarq $5,%gs:ADDRESS, which the kernel puts before functions, and calls, with call depth tracking
 * (skl_call_thunk_template in arch/x86/kernel/callthunks.c). The address is relative to rip since 6.9.
 */
static size_t call_depth_size(const uint8_t *code, size_t size)
{
	static const uint8_t absolute[] = { 0x65, 0x48, 0xc1, 0x3c, 0x25 }, relative[] = { 0x65, 0x48, 0xc1, 0x3d };

	if (size >= 10 && !memcmp(code, absolute, sizeof(absolute)) && code[9] == 5)
		return 10;
	return size >= 9 && !memcmp(code, relative, sizeof(relative)) && code[8] == 5 ? 9 : 0;
}

static uint64_t veneer_target(const uint8_t *code, size_t size, uint64_t at)
{
	size_t veneer = call_depth_size(code, size);

	return veneer ? at + veneer : 0;
}

static size_t veneer_before(const uint8_t *code, size_t size)
{
	for (size_t veneer = 9; veneer <= 10; veneer++) {
		if (size >= veneer && call_depth_size(code + size - veneer, veneer) == veneer)
			return veneer;
	}
	return 0;
}

const char *code_register_name(int reg)
{
	return reg >= 0 && reg < (int)ARRAY_SIZE(registers) ? registers[reg].name : NULL;
}

/* System V ABI for x86-64, figure 3.36 */
int code_dwarf_register(int reg)
{
	static const int8_t numbers[] = {
		[X86_RAX] = 0,	[X86_RDX] = 1,	[X86_RCX] = 2,	[X86_RBX] = 3,	[X86_RSI] = 4,	[X86_RDI] = 5,
		[X86_RBP] = 6,	[X86_RSP] = 7,	[X86_R8] = 8,	[X86_R9] = 9,	[X86_R10] = 10, [X86_R11] = 11,
		[X86_R12] = 12, [X86_R13] = 13, [X86_R14] = 14, [X86_R15] = 15,
	};

	return reg >= 0 && reg < (int)ARRAY_SIZE(numbers) ? numbers[reg] : -1;
}

/* opcode and displacement */
#define CALL_SIZE 5

static bool breaks_kprobe(const struct branch_insn *insn)
{
	return insn->kind == BRANCH_CALL && insn->length > CALL_SIZE;
}

/* Sizes of jump labels and static calls. */
bool code_may_refuse_kprobe(const uint8_t *code, const struct branch_insn *insn)
{
	if (insn->kind == BRANCH_NONE || insn->kind == BRANCH_JUMP)
		return insn->length == 2 || insn->length == 5;
	return insn->kind == BRANCH_CALL;
}

int code_syscall_argument(uint32_t offset)
{
	/* SYSCALL_PT_REGS_PARM1 to 6 (arch/x86/include/asm/syscall_wrapper.h, 6.1) */
	static const uint8_t arguments[] = { X86_RDI, X86_RSI, X86_RDX,
					     X86_R10, X86_R8,  X86_R9 };

	for (size_t i = 0; i < ARRAY_SIZE(arguments); i++) {
		if (registers[arguments[i]].at == offset)
			return i;
	}
	return -1;
}

size_t code_saved_registers(void)
{
	return 21 * 8;
}

int code_saved_at(int reg)
{
	return code_register_name(reg) ? registers[reg].at : -1;
}

/* mov $HASH,%r10d; add -N(%reg),%r10d; je +2 */
static bool is_type_check(const uint8_t *code, size_t size)
{
	return size > TYPE_CHECK_SIZE && code[0] == 0x41 && code[1] == 0xba &&
	       (code[6] | 1) == 0x45 && code[7] == 0x03 && (code[8] & 0xf8) == 0x50 &&
	       code[10] == 0x74 && code[11] == 0x02;
}

/* Whether a number of four bytes at @at is moved into a register or variable, or selected by an and. */
static bool takes_number(const uint8_t *code, size_t at)
{
	/* mov $N,%r32; mov $N,%r64; mov $N,D(%reg); mov $N,D(%rsp); and $N,%eax; and $N,%r32 */
	return (at >= 1 && (code[at - 1] & 0xf8) == 0xb8) ||
	       (at >= 2 && code[at - 2] == 0xc7 && (code[at - 1] & 0xf8) == 0xc0) ||
	       (at >= 3 && code[at - 3] == 0xc7 && (code[at - 2] & 0xf8) == 0x40) ||
	       (at >= 4 && code[at - 4] == 0xc7 && code[at - 3] == 0x44) ||
	       (at >= 1 && code[at - 1] == 0x25) ||
	       (at >= 2 && code[at - 2] == 0x81 && (code[at - 1] & 0xf8) == 0xe0);
}

static size_t find_number(const uint8_t *code, size_t size, size_t from, int32_t number)
{
	const uint8_t *found;

	for (size_t at = from; at < size; at++) {
		found = memchr(code + at, (uint8_t)number, size - at);
		if (!found)
			break;
		at = found - code;
		/* and $N,%r32 with a number of one byte */
		if (number >= INT8_MIN && at >= 2 && code[at - 2] == 0x83 &&
		    (code[at - 1] & 0xf8) == 0xe0)
			return at;
		if (size - at >= sizeof(number) && !memcmp(found, &number, sizeof(number)) &&
		    takes_number(code, at))
			return at;
	}
	return size;
}

static uint64_t target_of(const uint8_t *code, uint64_t at)
{
	int32_t distance;

	memcpy(&distance, code + 1, sizeof(distance));
	return at + CALL_SIZE + (int64_t)distance;
}

#define EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

/* The lowest bit that is set is the upper one of the lowest byte that is zero; 0: none is. */
static uint64_t zero_bytes(uint64_t bytes)
{
	return (bytes - EACH_BYTE(0x01)) & ~bytes & EACH_BYTE(0x80);
}

/* The next of two opcodes. The code of the whole kernel is searched, so it looks at 8 bytes at a time. */
static size_t find_opcode(const uint8_t *code, size_t size, size_t from, uint8_t one, uint8_t other)
{
	uint64_t bytes, found;

	for (; from + sizeof(bytes) <= size; from += sizeof(bytes)) {
		memcpy(&bytes, code + from, sizeof(bytes));
		found = zero_bytes(bytes ^ EACH_BYTE(one)) | zero_bytes(bytes ^ EACH_BYTE(other));
		if (found)
			return from + __builtin_ctzll(found) / 8;
	}
	while (from < size && code[from] != one && code[from] != other)
		from++;
	return from;
}

static size_t find_call(const uint8_t *code, size_t size, uint64_t at, size_t from, uint64_t *ret_target)
{
	/* call, jmp */
	from = find_opcode(code, size, from, 0xe8, 0xe9);
	if (from + CALL_SIZE > size)
		return size;
	*ret_target = target_of(code + from, at + from);
	return from;
}

static size_t find_pointer_jump(const uint8_t *code, size_t size, uint64_t at, size_t from, uint64_t *ret_thunk)
{
	for (;; from++) {
		/* jmp; jmp *%reg */
		from = find_opcode(code, size, from, 0xe9, 0xff);
		if (from + CALL_SIZE > size)
			return size;
		*ret_thunk = code[from] == 0xe9 ? target_of(code + from, at + from) : 0;
		if (*ret_thunk || (code[from] == 0xff && (code[from + 1] & 0xf8) == 0xe0))
			return from;
	}
}

/* Symbols of data are there, and kernels are built without tables of jumps, or go through a thunk. */
const struct code_rules code_rules = {
	.call_register = call_register,
	.jump_register = jump_register,
	/* CONFIG_RETPOLINE, which means -fno-jump-tables, too (arch/x86/Makefile) */
	.pointer_thunk = "__x86_indirect_thunk_rax",
	.breaks_kprobe = breaks_kprobe,
	.veneer_target = veneer_target,
	.veneer_before = veneer_before,
	.find_number = find_number,
	.find_call = find_call,
	.find_pointer_jump = find_pointer_jump,
	.is_type_check = is_type_check,
};
