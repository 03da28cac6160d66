/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The value of a register or a place in memory, as an expression of the function's parameters and
 * of calls' results: found by following the taken way backwards. Types are BTF's, so no debug info
 * is needed. What this does not name may be a variable of the source: debug info, if there is any, tells.
 */
#ifndef RETSNOOP_EXPLAIN_FUNCTION_OPERAND_H
#define RETSNOOP_EXPLAIN_FUNCTION_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#include "util/explain/function/branch_path.h"
#include "util/explain/function/expression.h"
#include "util/kernel/code/operands.h"

/**
 * The value of an operand of the way's @step-th instruction, before that instruction.
 *
 * @ret		text empty: not known; call expression_release() either way
 * @return	0; -ENOMEM
 */
int operand_expression(const struct operand_way *way, const struct operand *operand, uint32_t step,
		       struct expression *ret);

enum writer {
	WRITTEN_BEFORE,		/* nothing on the way wrote it */
	WRITTEN_UNKNOWN,
	WRITTEN_HERE,		/* an instruction; of a place on the stack, perhaps a part of it */
	WRITTEN_BY_CALL,	/* only registers */
};

struct written {
	enum writer by;
	uint32_t step;
	struct operand value;	/* a place on the stack, as the step addresses it */
	bool called;		/* functions were called since: see stack_is_shared() */
};

/*
 * Walk the way back from before @step to the last step that wrote a register, or a place on the
 * stack (memory at REG_STACK or REG_FRAME).
 */
struct written value_written(const struct operand_way *way, const struct operand *value,
			     uint32_t step);

static inline bool operand_is_on_stack(const struct operand *operand)
{
	return operand->kind == OPERAND_MEMORY && (operand->reg == REG_STACK || operand->reg == REG_FRAME);
}

/*
 * Whether memory may be on the stack at @step: at the stack pointer, or at the frame pointer, unless an instruction
 * on the way made that register another one, as kernels without frame pointers do.
 */
bool operand_may_be_on_stack(const struct operand_way *way, const struct operand *operand, uint32_t step);

/* The memory that a register was loaded from before @step, as *ret_step addresses it. False: none, or the stack. */
bool operand_loaded_from(const struct operand_way *way, const struct operand *operand, uint32_t step,
			 struct operand *ret_memory, uint32_t *ret_step);

/*
 * The step that set a byte to whether its condition held: "ok = !get_write(mnt); if (!ok)".
 * UINT32_MAX: something else set it, or it is not known.
 */
uint32_t flag_written(const struct operand_way *way, struct operand byte, uint32_t step);

/*
 * Whether the address of a value on the stack, or of a lower part of the same object, may have been
 * taken on the way before @step: then any called function, or store by a pointer, may write there.
 *
 * @called	functions were called since: of an older part of the way, nothing is known
 */
bool stack_is_shared(const struct operand_way *way, const struct operand *value, uint32_t step,
		     bool called);
/*
 * The same of a parameter on the stack, which no object of the function itself contains.
 *
 * @offset	how far it is above the stack pointer where the function begins
 */
bool parameter_is_shared(const struct operand_way *way, const struct operand *value, uint32_t step, int64_t offset);
/* As stack_is_shared(), where step @but may have taken the address: what that was passed to is known. */
bool stack_is_shared_but(const struct operand_way *way, const struct operand *value, uint32_t step, bool called,
			 uint32_t but);

/* Whether an instruction does not read, change or store a register. */
bool code_leaves_alone(struct code_reader *reader, uint64_t addr, uint8_t reg);

/*
 * Whether a called function may have changed what the instruction at @step loads or pops from the stack.
 * UINT32_MAX, as in struct origin: several loaded it, which may.
 */
bool loaded_is_shared(const struct operand_way *way, uint32_t step);

#endif
