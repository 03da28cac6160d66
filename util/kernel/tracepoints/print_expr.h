/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers in print fmts: C expressions of a record's fields, computed as the kernel's compiler
 * does on a 64-bit machine. Whatever C leaves undefined, such as a division by zero, has no value.
 */
#ifndef RETSNOOP_KERNEL_TRACEPOINTS_PRINT_EXPR_H
#define RETSNOOP_KERNEL_TRACEPOINTS_PRINT_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/vec.h"

struct print_type {
	uint8_t size;	/* 1, 2, 4, 8 */
	bool is_signed, pointer, boolean;
};

enum print_op {
	PRINT_CONSTANT,
	PRINT_FIELD,	/* of a record, at @offset */
	PRINT_LENGTH,	/* of a dynamic field, whose word is at @offset */
	PRINT_CAST,
	PRINT_NOT, PRINT_COMPLEMENT, PRINT_NEGATE,
	PRINT_MUL, PRINT_DIV, PRINT_MOD,
	PRINT_ADD, PRINT_SUB,
	PRINT_SHL, PRINT_SHR,
	PRINT_LT, PRINT_GT, PRINT_LE, PRINT_GE,
	PRINT_EQ, PRINT_NE,
	PRINT_AND, PRINT_XOR, PRINT_OR,
	PRINT_LOGICAL_AND, PRINT_LOGICAL_OR,
	PRINT_CHOICE,	/* a ? b : c */
};

struct print_node {
	enum print_op op;
	struct print_type type;
	uint32_t offset;
	uint64_t value;		/* of a constant */
	int a, b, c;		/* operands: nodes before this one */
	uint32_t depth;		/* of operators; 0: none */
};

/* Nodes of any number of expressions. */
struct print_expr {
	VEC(struct print_node) nodes;
};

/*
 * Add a node; its operands are nodes. Its number, or -1: C does not allow it, its value cannot be
 * known, or memory is out. Constants are folded.
 */
int print_expr_constant(struct print_expr *expr, uint64_t value, struct print_type type);
int print_expr_field(struct print_expr *expr, uint32_t offset, struct print_type type);
int print_expr_length(struct print_expr *expr, uint32_t offset);
int print_expr_cast(struct print_expr *expr, struct print_type type, int a);
int print_expr_unary(struct print_expr *expr, enum print_op op, int a);
int print_expr_binary(struct print_expr *expr, enum print_op op, int a, int b);
int print_expr_choice(struct print_expr *expr, int a, int b, int c);

void print_expr_release(struct print_expr *expr);

/**
 * The value of a node, extended to 64 bits as its type says.
 *
 * @data	a record with all its fields
 * @return	false: C does not define it
 */
bool print_expr_value(const struct print_expr *expr, int node, const void *data, uint64_t *ret);

/* The type "unsigned long", "const struct page *", "u8"; false: unknown, or no number. */
bool print_type_parse(const char *text, size_t len, struct print_type *ret);

/* The value of "1", "0x10UL"; false: it is no number of C. */
bool print_number_parse(const char *text, size_t len, uint64_t *ret, struct print_type *ret_type);

/*
 * The value of a constant that kernels leave as a name in print fmts, and that is the same in all
 * of them; false: it is not known.
 */
bool print_constant_named(const char *name, size_t len, uint64_t *ret);

#endif
