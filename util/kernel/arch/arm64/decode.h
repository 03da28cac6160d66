/* SPDX-License-Identifier: BSD-2-Clause */
/* An instruction of arm64 in parts, for code that finds its effect and its operands. */
#ifndef RETSNOOP_KERNEL_ARCH_ARM64_DECODE_H
#define RETSNOOP_KERNEL_ARCH_ARM64_DECODE_H

#include <stddef.h>

#include "util/kernel/arch/arm64/registers.h"
#include "util/kernel/code/instruction.h"

#define ARM64_INSN_SIZE 4

/* Instructions that are compared as whole words. */
#define ARM64_NOP 0xd503201fu

enum arm64_family {
	ARM64_OTHER, /* only `writes` and `sets_flags` are known */
	ARM64_CONSTANT, /* d = value */
	ARM64_MOVE, /* d = the low `from_size` bytes of n */
	ARM64_ADD, /* d = n + value */
	ARM64_COMPARE, /* flags of n - m, or of n - value; d has the difference */
	ARM64_MASK, /* flags of n & m, or of n & value; d has it */
	ARM64_SELECT, /* d = n, or `computes` applied to m */
	ARM64_COMPUTE, /* d = `computes` applied to n */
	ARM64_LOAD,
	ARM64_STORE,
	ARM64_TEST, /* a branch on n being 0 */
	ARM64_TEST_BIT, /* a branch on bit `value` of n being 0 */
};

struct arm64_insn {
	enum arm64_family family;
	bool is_known; /* false: it may change anything */
	bool sets_flags;
	bool has_value; /* in place of m */
	enum computes computes; /* with `value` */
	uint8_t size; /* bytes of registers: 4 or 8 */
	uint8_t d, n, m; /* ARM64_ZERO: no register */
	int64_t value;
	reg_set writes;

	/* ARM64_MOVE, ARM64_LOAD */
	bool extends_sign;
	uint8_t from_size;

	/*
	 * ARM64_LOAD, ARM64_STORE: d is loaded from, or stored at, n + value; with is_pair, m at
	 * the place after.
	 */
	bool is_pair;
	bool is_indexed; /* another register is added to the address */
	uint8_t memory_size; /* of one register */
	int64_t moves; /* added to n */

	enum branch_kind branch;
	uint64_t target;
};

/* Bits @high to @low of an instruction. */
static inline uint32_t arm64_bits(uint32_t word, int high, int low)
{
	return word >> low & (~0u >> (31 - (high - low)));
}

/* The instruction at @code; 0: fewer than 4 bytes. Kernels of arm64 run little-endian here. */
static inline uint32_t arm64_word(const uint8_t *code, size_t size)
{
	return size < ARM64_INSN_SIZE ? 0 :
					code[0] | code[1] << 8 | code[2] << 16 |
						(uint32_t)code[3] << 24;
}

/*
 * Take an instruction apart.
 *
 * @at	its address
 */
void arm64_decode(uint32_t word, uint64_t at, struct arm64_insn *ret_insn);

/* As code_made_constant() and code_jump_table() (util/kernel/code/machine_code.h). */
struct jump_table;
uint64_t arm64_made_constant(const uint8_t *code, size_t size, uint64_t at, size_t offset);
bool arm64_jump_table(const uint8_t *code, size_t size, uint64_t at, size_t jump,
		      struct jump_table *ret_table);

#endif
