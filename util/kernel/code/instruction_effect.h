/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What x86-64 instructions do to the general registers, as far as following a value through a
 * function needs it: where it is copied, where it is put, and what becomes lost.
 *
 * Registers are numbers as the CPU has them: 0 rax, 1 rcx, 2 rdx, 3 rbx, 4 rsp, 5 rbp, 6 rsi,
 * 7 rdi, 8 to 15.
 */
#ifndef RETSNOOP_KERNEL_CODE_INSTRUCTION_EFFECT_H
#define RETSNOOP_KERNEL_CODE_INSTRUCTION_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define X86_RAX 0
#define X86_RCX 1
#define X86_RDX 2
#define X86_RBX 3
#define X86_RSP 4
#define X86_RBP 5
#define X86_RSI 6
#define X86_RDI 7
#define X86_NR_REGISTERS 16

/* What a function that is called may overwrite. */
#define X86_CALL_CLOBBERS 0x0fc7u /* rax, rcx, rdx, rsi, rdi, r8 to r11 */

enum effect_kind {
	EFFECT_OTHER, /* only `writes` tells */
	EFFECT_COPY, /* `to` has the number `from` has, or 32 bits of it, extended */
	EFFECT_CONSTANT, /* `to` is `value` */
	EFFECT_LOAD, /* `to` is read from memory, whole */
	EFFECT_SELECT, /* `to` is what it was, or what `from` has (cmov) */
	EFFECT_SWAP, /* `to` and `from` change places */
	EFFECT_STORE, /* `from` goes to memory, whole */
	EFFECT_STORE_CONSTANT, /* `value` does */
	EFFECT_UNWIND, /* rsp is rbp + displacement, and `writes` has what else is changed */
};

struct insn_effect {
	enum effect_kind kind;
	uint8_t to, from;
	int64_t value;
	/*
	 * Registers, a bit each, whose content is something else afterwards; kinds' `to` included.
	 */
	uint16_t writes;
	/*
	 * Memory that is used is at `base` + displacement, and that is rsp, or rbp, which may be
	 * the function's frame, too. With EFFECT_OTHER it may be written.
	 */
	bool on_stack;
	uint8_t base;
	int32_t displacement;
	/* rsp: moved by so much, or not known where to (writes has it then, too). */
	int32_t moves_stack;
	bool sets_flags; /* for all that is known; false: it surely does not */
	uint16_t tests; /* registers that the flags come from */
};

/*
 * Calls have the effect of the call alone: rsp is back when the callee returns.
 *
 * @return	0; -EINVAL no instruction, or one that is not known: anything may have changed
 */
int x86_effect(const uint8_t *code, size_t size, struct insn_effect *ret_effect);

/* The same for the machine that this is built for; -EOPNOTSUPP: not known here. */
int instruction_effect(const uint8_t *code, size_t size, struct insn_effect *ret_effect);

#endif
