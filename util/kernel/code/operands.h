/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The operands that an instruction compares or copies, as needed to find the source's condition.
 * One mapping per CPU implements this, arch/CPU/operands.c.
 */
#ifndef RETSNOOP_KERNEL_CODE_OPERANDS_H
#define RETSNOOP_KERNEL_CODE_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/kernel/code/instruction_effect.h"

enum operand_kind {
	OPERAND_NONE,		/* none, or one that is not followed */
	OPERAND_REGISTER,
	OPERAND_MEMORY,		/* at `reg` + `value` */
	OPERAND_CONSTANT,
	OPERAND_VARIABLE,	/* memory at the address `value` */
};

struct operand {
	uint8_t kind;		/* enum operand_kind */
	uint8_t reg;		/* of instruction_effect.h */
	uint8_t size;		/* bytes used; of a register, the lowest */
	/* The constant, or the displacement; operands_decode(): of a variable, from the instruction. */
	int64_t value;
};

enum operands_kind {
	OPERANDS_OTHER, /* none that are followed */
	OPERANDS_COPY, /* `a` becomes `b`, extended where `b` is smaller */
	OPERANDS_ADDRESS, /* `a` becomes the address of `b`, which is memory */
	OPERANDS_COMPARE, /* `a` with `b`; `a` may become the difference */
	OPERANDS_MASK, /* `a` & `b` with 0; `a` may become that */
	OPERANDS_EITHER, /* `a` | `b` with 0; `a` becomes that */
	OPERANDS_BIT, /* bit number `a` of `b` with 0; a constant is below the number of bits */
};

struct insn_operands {
	uint8_t kind;		/* enum operands_kind */
	bool extends_sign;	/* OPERANDS_COPY */
	struct operand a, b;
};

/* The relation between compared operands under which a conditional branch is taken. */
enum condition {
	CONDITION_UNKNOWN,
	CONDITION_EQUAL,
	CONDITION_NOT_EQUAL,
	CONDITION_LESS,		/* between signed numbers */
	CONDITION_LESS_EQUAL,
	CONDITION_GREATER,
	CONDITION_GREATER_EQUAL,
	CONDITION_BELOW,	/* between unsigned numbers */
	CONDITION_BELOW_EQUAL,
	CONDITION_ABOVE,
	CONDITION_ABOVE_EQUAL,
	NR_CONDITIONS,
};

/* The condition that holds if @condition does not. */
enum condition condition_not(enum condition condition);

/* Whether it compares signed numbers, or unsigned ones, whatever their types are; equality is neither. */
bool condition_is_signed(enum condition condition);
bool condition_is_unsigned(enum condition condition);

/* A number of @size bytes, 1 to 8, as a signed one. */
int64_t sign_extend(uint64_t value, uint8_t size);
/* The same as an unsigned one. */
uint64_t zero_extend(uint64_t value, uint8_t size);

/*
 * Whether it holds between two numbers of @size bytes, 1 to 8; higher bytes are ignored. False
 * with CONDITION_UNKNOWN.
 */
bool condition_holds(enum condition condition, uint64_t a, uint64_t b, uint8_t size);

/*
 * The operands of the instruction at @code; OPERANDS_OTHER: not known. A conditional branch has
 * operands if it compares by itself. For a load or store of two registers, those of the first.
 */
void operands_decode(const uint8_t *code, size_t size, struct insn_operands *ret_operands);

/* The condition of a conditional branch or move, given the compared operands. */
enum condition operands_condition(const uint8_t *code, size_t size,
				  const struct insn_operands *compared);

/* A number computed from two others: `to` becomes `a` OPERATOR (`b` << `shift`) + `addend`. */
struct insn_arithmetic {
	const char *operator; /* "+", "-", "<<", ">>", "^", "&" */
	struct operand to, a, b;
	uint8_t shift;
	int64_t addend;
};

/* Whether the instruction at @code computes a number so; sums with a constant are left to instruction_effect.h. */
bool operands_arithmetic(const uint8_t *code, size_t size, struct insn_arithmetic *ret_arithmetic);

/* Memory at `base` + `index` * `scale` + `displacement`, whose value, or its address, an instruction puts into `to`. */
struct insn_element {
	struct operand to;
	bool has_base, is_address;
	uint8_t base, index;
	uint8_t index_size; /* bytes used of the index, 4 or 8 */
	uint8_t size; /* bytes read */
	uint32_t scale;
	int64_t displacement;
};

/* Whether the instruction at @code is of that kind, with an index. */
bool operands_element(const uint8_t *code, size_t size, struct insn_element *ret_element);

/*
 * Whether the instruction at @code compares only if a condition holds between operands compared before
 * it, which is its own operands_condition() (arm64's ccmp). If that does not hold, it sets the flags to
 * constants.
 *
 * @branch		the branch or move that uses the flags
 * @ret_compared	what is compared; OPERANDS_OTHER: not known
 * @ret_otherwise	whether the condition of @branch holds with these constants
 */
bool operands_compared_if(const uint8_t *code, size_t size, const uint8_t *branch, size_t branch_size,
			  struct insn_operands *ret_compared, bool *ret_otherwise);

/*
 * Whether the instruction at @code, which is at @addr, only puts the address of the running task into a
 * register.
 *
 * @current_task	address of the per-CPU variable with the running task; 0: not known
 */
bool operands_is_current(const uint8_t *code, size_t size, uint64_t addr, uint64_t current_task);

/* The register that a function's parameter is passed in; -1: none. */
int operands_parameter(uint32_t index);
bool operands_is_parameter(uint8_t reg);

/*
 * Which of the parameters on the stack, from 0, begins at an offset from the stack pointer where the function begins;
 * -1: none. Only with parameters of up to 8 bytes.
 */
int operands_stack_parameter(int64_t offset);

#endif
