/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The effect of an instruction on the general registers and the stack, as needed to follow a
 * value through a function: where it is copied and stored, and which values are lost.
 *
 * Registers are numbers. Those with a role in the calling convention have the same number on each
 * CPU; the mapping of a CPU numbers the others (arch/CPU/registers.h).
 */
#ifndef RETSNOOP_KERNEL_CODE_INSTRUCTION_EFFECT_H
#define RETSNOOP_KERNEL_CODE_INSTRUCTION_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	REG_RESULT, /* has a function's result */
	REG_STACK, /* the stack pointer */
	REG_FRAME, /* the frame pointer, in functions that have one */
	REG_FIRST_OTHER,
};

#define NR_REGISTERS 32

/* A set of registers, one bit each. */
typedef uint32_t reg_set;

#define REG_BIT(reg) ((reg_set)1 << (reg))
#define ALL_REGISTERS UINT32_MAX

enum effect_kind {
	EFFECT_OTHER, /* only `writes` is known */
	EFFECT_COPY, /* `to` becomes `from`, or 32 bits of it, extended */
	EFFECT_CONSTANT, /* `to` is `value` */
	EFFECT_LOAD, /* `to` is read from memory, whole */
	EFFECT_SELECT, /* `to` becomes `from` if a condition holds, else `other` */
	EFFECT_SWAP, /* `to` and `from` are exchanged */
	EFFECT_STORE, /* `from` is written to memory, whole */
	EFFECT_STORE_CONSTANT, /* `value` is written to memory */
	EFFECT_UNWIND, /* the stack pointer is the frame pointer + displacement */
};

/*
 * The lower 32 bits of `to` after EFFECT_OTHER. With EFFECT_SELECT: the value selected in place
 * of `from`, computed from `other`; COMPUTES_UNKNOWN: `other` itself.
 */
enum computes {
	COMPUTES_UNKNOWN,
	COMPUTES_FLAG, /* `value` if a condition holds, else 0 */
	COMPUTES_FLAG_BYTE, /* the same in the lowest byte; other bytes do not change */
	COMPUTES_BYTE, /* the lowest byte of `from`, extended with zeros */
	COMPUTES_AND, /* `from` and `value` */
	COMPUTES_OR,
	COMPUTES_XOR,
	COMPUTES_SUM, /* `from` + `value` */
	COMPUTES_MULTIPLE, /* `from` * `factor` + `value` */
	COMPUTES_NEGATED, /* -`from` */
};

struct insn_effect {
	enum effect_kind kind;
	enum computes computes;
	uint8_t to, from, other;
	bool from_is_zero, other_is_zero; /* EFFECT_SELECT: 0 in place of the register */
	bool from_is_memory; /* EFFECT_SELECT: a value in memory */
	bool from_on_stack; /* EFFECT_SELECT: in that at `base` + displacement, as with on_stack, which is false */
	uint8_t factor; /* COMPUTES_MULTIPLE */
	int64_t value;
	bool is_half; /* EFFECT_CONSTANT: the upper 32 bits of the register become 0 */
	/* Registers that may have changed afterwards, including `to`. */
	reg_set writes;
	/*
	 * Memory at `base` + displacement is used, and `base` is REG_STACK or REG_FRAME. With
	 * EFFECT_OTHER it may be written.
	 */
	bool on_stack;
	uint8_t base;
	int32_t displacement;
	uint8_t bytes; /* of that memory; 0: 8 or fewer; exact where a register or constant is stored */
	/*
	 * A load or store of two registers: `second` is loaded or stored, too, `bytes` after the
	 * first one, which has `bytes` then, too.
	 */
	bool is_pair;
	uint8_t second;
	/* By how much the stack pointer moves; if that is not known, it is in `writes`. */
	int32_t moves_stack;
	bool sets_flags; /* false: the flags surely stay the same */
	reg_set tests; /* registers that the flags come from, or that a branch itself tests */
	bool tests_memory; /* the flags come from memory, too, or from memory alone */
};

/* The value computed from @from. Not for COMPUTES_FLAG and unknown computations. */
static inline int32_t effect_computed(const struct insn_effect *effect, int32_t from)
{
	switch (effect->computes) {
	case COMPUTES_BYTE:
		return (uint8_t)from;
	case COMPUTES_AND:
		return from & effect->value;
	case COMPUTES_OR:
		return from | effect->value;
	case COMPUTES_XOR:
		return from ^ effect->value;
	case COMPUTES_SUM:
		return (uint32_t)from + (uint32_t)effect->value;
	case COMPUTES_MULTIPLE:
		return (uint32_t)from * effect->factor + (uint32_t)effect->value;
	default: /* COMPUTES_NEGATED */
		return -(uint32_t)from;
	}
}

/* The effect of a load or store of two registers on the second one. */
static inline struct insn_effect effect_of_second(const struct insn_effect *effect)
{
	struct insn_effect second = *effect;

	second.is_pair = false;
	second.to = second.from = effect->second;
	second.displacement += effect->bytes;
	return second;
}

/* Whether an instruction makes the frame pointer one: elsewhere it may be a register as others. */
static inline bool effect_sets_frame(const struct insn_effect *effect)
{
	return effect->writes & REG_BIT(REG_FRAME) && effect->from == REG_STACK &&
	       (effect->kind == EFFECT_COPY ||
		(effect->kind == EFFECT_OTHER && effect->computes == COMPUTES_SUM));
}

/* By how much it is then above the stack pointer. */
static inline int64_t frame_distance(const struct insn_effect *effect)
{
	return effect->kind == EFFECT_COPY ? 0 : effect->value;
}

#endif
