/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Machine instructions of this build's CPU: where they begin, where they lead, and their effect.
 * One mapping per CPU implements insn_decode(), arch/CPU/instruction.c. The decoder is shared:
 * call it from one thread only.
 */
#ifndef RETSNOOP_KERNEL_CODE_INSTRUCTION_H
#define RETSNOOP_KERNEL_CODE_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

#include "util/kernel/code/instruction_effect.h"

/* Bytes of the longest instruction. */
#define INSN_MAX_LENGTH 15

/* Where an instruction may lead, other than to the next one. */
enum branch_kind {
	BRANCH_NONE,
	BRANCH_CONDITIONAL,
	BRANCH_JUMP,
	BRANCH_CALL,
	BRANCH_RETURN,
	BRANCH_INDIRECT_JUMP,
	BRANCH_INDIRECT_CALL,
	BRANCH_SYSTEM,		/* a system call, a trap, a return from one */
};

struct branch_insn {
	enum branch_kind kind;
	uint8_t length;
	uint64_t target;	/* of direct branches; else 0 */
};

struct insn {
	struct branch_insn branch;
	bool is_known;		/* false: the instruction may have changed anything */
	/*
	 * Of a call, only the effect of the call itself: the stack pointer is restored when the
	 * callee returns.
	 */
	struct insn_effect effect;
};

/**
 * Decode the instruction at address @at.
 *
 * @return	0; -EINVAL no instruction of a kernel, or it is longer than @size; -ENOMEM
 */
int insn_decode(const uint8_t *code, size_t size, uint64_t at, struct insn *ret_insn);

/* The same, without the instruction's effect. */
int branch_decode(const uint8_t *code, size_t size, uint64_t at, struct branch_insn *ret_insn);

/* The length of an instruction in bytes; 0: see insn_decode(). */
size_t instruction_length(const uint8_t *code, size_t size);

#endif
