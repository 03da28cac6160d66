/* SPDX-License-Identifier: BSD-2-Clause */
/* Where machine instructions begin: kprobes go nowhere else. */
#ifndef RETSNOOP_KERNEL_CODE_INSTRUCTION_H
#define RETSNOOP_KERNEL_CODE_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

/*
 * Bytes that the x86-64 instruction at @code takes; 0: it is none that a kernel has, or it goes on
 * beyond @size.
 */
size_t x86_instruction_length(const uint8_t *code, size_t size);

/* The same for the machine that this is built for. */
size_t instruction_length(const uint8_t *code, size_t size);

/* Where an instruction may lead, other than to the next one. */
enum branch_kind {
	BRANCH_NONE,
	BRANCH_CONDITIONAL,	/* jcc, loop, jcxz */
	BRANCH_JUMP,
	BRANCH_CALL,
	BRANCH_RETURN,		/* near ret */
	BRANCH_INDIRECT_JUMP,
	BRANCH_INDIRECT_CALL,
	BRANCH_SYSTEM,		/* iret, sysret, syscall, int, traps (int3, ud2) */
};

struct branch_insn {
	enum branch_kind kind;
	uint8_t length;
	uint64_t target;	/* of direct ones; 0 otherwise */
};

/*
 * Decode the x86-64 instruction that stands at address @at. 0; -EINVAL it is none that a kernel
 * has.
 */
int x86_branch(const uint8_t *code, size_t size, uint64_t at, struct branch_insn *ret_insn);

/* The same for the machine that this is built for; -EOPNOTSUPP: not known here. */
int branch_decode(const uint8_t *code, size_t size, uint64_t at, struct branch_insn *ret_insn);

#endif
