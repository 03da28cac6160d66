/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The value of a register or a place in memory, as an expression of the function's parameters and
 * of calls' results: found by following the taken way backwards. Types are BTF's, so no debug info
 * is needed.
 */
#ifndef RETSNOOP_TRACE_EXPLAIN_OPERAND_H
#define RETSNOOP_TRACE_EXPLAIN_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/capture/branches/branch_path.h"
#include "util/kernel/code/operands.h"

struct btf;
struct btf_param;
struct btf_type;
struct kernel_btf;
struct syscall_params;

/* A value as the source would write it: `path->mnt->mnt_root`, `get_fs_type()`. */
struct expression {
	struct strbuf text;	/* empty: not known */
	const struct btf *btf;	/* of type */
	uint32_t type;		/* 0: not known */
	uint8_t bytes;		/* of the value that a register has at most; 0: not known */
	/* Of a pointer: the offset added to it, in bytes. */
	int64_t offset;
	bool is_masked; /* some bits of it: "flags & 0x700000" */
	/* Of a part of a larger member: its offset in bits. */
	uint32_t shift;
	bool is_constant;
	int64_t value;		/* the constant */
	/* The call that returned it, unchanged since; 0: none. */
	uint64_t called, called_at;
	bool is_by_pointer;	/* that call went through a pointer */
};

/* A way through a function, up to the place in question. */
struct operand_way {
	struct code_reader *reader;
	struct kernel_btf *btf;	/* NULL: there is none */
	const struct code_function *function;
	const char *module;	/* NULL for vmlinux */
	const struct path *path;
	/*
	 * Parameters in the struct pt_regs of a system call's function; NULL: not known, or
	 * another function.
	 */
	const struct syscall_params *syscall;
};

/**
 * The value of an operand of the way's @step-th instruction, before that instruction.
 *
 * @ret		text empty: not known; call expression_release() either way
 * @return	0; -ENOMEM
 */
int operand_expression(const struct operand_way *way, const struct operand *operand, uint32_t step,
		       struct expression *ret);
void expression_release(struct expression *expression);

/* Whether the expression is a pointer, as far as its type is known. */
bool expression_is_pointer(const struct expression *expression);
/* Whether it is a signed number. */
bool expression_is_signed(const struct expression *expression);
bool expression_is_bool(const struct expression *expression);

/* A function's prototype by name, if all functions of that name have the same; else NULL. */
const struct btf_type *function_prototype(const struct operand_way *way, const char *name,
					  const char *module, const struct btf **ret_btf);
/* The parameter that is passed in a register; NULL: none, or not known. */
const struct btf_param *parameter_in(const struct btf *btf, const struct btf_type *proto,
				     uint8_t reg);

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

/*
 * Whether the address of a value on the stack, or of a lower part of the same object, may have been
 * taken on the way before @step: then any called function, or store by a pointer, may write there.
 *
 * @called	functions were called since: of an older part of the way, nothing is known
 */
bool stack_is_shared(const struct operand_way *way, const struct operand *value, uint32_t step,
		     bool called);

/*
 * Whether a called function may have changed what the instruction at @step loads or pops from the stack.
 * UINT32_MAX, as in struct origin: several loaded it, which may.
 */
bool loaded_is_shared(const struct operand_way *way, uint32_t step);

#endif
