/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a register or a place in memory had in it, as an expression of the function's parameters and
 * of what calls returned: found by following the way that was taken backwards. Types are BTF's, so
 * that it takes no debug info.
 */
#ifndef RETSNOOP_TRACE_EXPLAIN_OPERAND_H
#define RETSNOOP_TRACE_EXPLAIN_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/capture/branches/branch_path.h"
#include "util/kernel/code/operands.h"

struct btf;
struct kernel_btf;
struct syscall_params;

/* A value as it is called in the source, or would be: `path->mnt->mnt_root`, `get_fs_type()`. */
struct expression {
	struct strbuf text;	/* empty: not known */
	const struct btf *btf;	/* of type */
	uint32_t type;		/* 0: not known */
	/* Of pointers: what was added to it, in bytes. */
	int64_t offset;
	bool is_masked; /* bits were taken of it: "flags & 0x700000" */
	/* Of a part of a larger member: where it begins, in bits. */
	uint32_t shift;
	bool is_constant;
	int64_t value;		/* the constant */
	/* The call that returned it, and nothing was done with it since; 0: it is none. */
	uint64_t called, called_at;
	bool is_by_pointer;	/* the same of a call through a pointer */
};

/* A way through a function that ends where it is asked about. */
struct operand_way {
	struct code_reader *reader;
	struct kernel_btf *btf;	/* NULL: there is none */
	const struct code_function *function;
	const char *module;	/* NULL for vmlinux */
	const struct path *path;
	/* The function is a system call's, and has these in its struct pt_regs; NULL: not known. */
	const struct syscall_params *syscall;
};

/**
 * What an operand of the way's @step-th instruction had in it before that.
 *
 * @ret		text empty where that is not known; expression_release() it either way
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

#endif
