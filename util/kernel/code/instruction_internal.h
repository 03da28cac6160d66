/* SPDX-License-Identifier: BSD-2-Clause */
/* An x86-64 instruction taken apart. For instruction*.c only. */
#ifndef RETSNOOP_KERNEL_CODE_INSTRUCTION_INTERNAL_H
#define RETSNOOP_KERNEL_CODE_INSTRUCTION_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which table of opcodes `op` is of. */
enum x86_map {
	X86_MAP_ONE,	/* one byte */
	X86_MAP_0F,
	X86_MAP_0F38,
	X86_MAP_0F3A,
	X86_MAP_VEX,	/* any of VEX and EVEX; `op` is not set */
};

#define X86_NO_REGISTER 0xff

struct x86_insn {
	uint8_t length;
	uint8_t map;		/* enum x86_map */
	uint8_t op;
	uint8_t rex;		/* 0 none */
	uint8_t repeat;		/* f2, f3, or 0 */
	bool operand16, address32, segment, wide;
	bool has_modrm;
	/*
	 * Of ModRM; registers are whole numbers, 0 (rax) to 15, but `digit`, which is an opcode's.
	 */
	uint8_t mod, digit, reg, rm;
	/* Of an operand in memory (mod != 3). */
	uint8_t base;		/* X86_NO_REGISTER: none, or rip */
	bool indexed;
	int32_t displacement;
	int64_t immediate;	/* sign extended; of two, both as one number */
};

/* 0; -EINVAL it is none that a kernel has, or it goes on beyond @size. */
int x86_parse(const uint8_t *code, size_t size, struct x86_insn *ret_insn);

#endif
