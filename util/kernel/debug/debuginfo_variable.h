/* SPDX-License-Identifier: BSD-2-Clause */
/* The source's variables by where the code keeps them: what a register or a place on the stack means. */
#ifndef RETSNOOP_KERNEL_DEBUG_DEBUGINFO_VARIABLE_H
#define RETSNOOP_KERNEL_DEBUG_DEBUGINFO_VARIABLE_H

#include <stdbool.h>
#include <stdint.h>

struct debuginfo;

enum variable_kind {
	VARIABLE_OTHER, /* void, or not known */
	VARIABLE_NUMBER,
	VARIABLE_ENUM,
	VARIABLE_STRUCT,
	VARIABLE_UNION,
	VARIABLE_FUNCTION,
};

/* A variable's type, without qualifiers and other names for it. */
struct variable_type {
	enum variable_kind kind; /* behind all pointers, of an array's elements */
	const char *name; /* NULL: it has none */
	uint8_t pointers; /* that lead to it */
	uint64_t element; /* of an array: the size of an element, in bytes; else 0 */
	uint64_t named; /* size of what the name stands for, in bytes; 0: not known */
	uint64_t size; /* of the whole variable, in bytes; 0: not known */
};

/* Registers have DWARF's numbers for the CPU. */
struct variable_place {
	bool in_memory; /* at reg + offset; else in reg */
	uint8_t reg;
	uint8_t size; /* bytes of the memory, or that are used of the register; 0: not known */
	int64_t offset;
};

struct source_variable {
	const char *name; /* belongs to the debug info */
	uint64_t inside; /* in memory: where in the variable the place is, in bytes */
	int64_t added; /* in a register: what the variable has to be added to get the register */
	struct variable_type type;
};

/**
 * The variable or parameter that is at a place, or a pointer that the register is an offset from, while
 * the instruction at an address is about to run: of the innermost function or block that has one. Macros'
 * variables, "__x", do not count, nor do those that have fewer bytes than the place.
 *
 * @addr	link-time address
 * @return	0; -ENOENT none is known; -ENOMEM
 */
int debuginfo_variable_at(struct debuginfo *info, uint64_t addr, const struct variable_place *place,
			  struct source_variable *ret_variable);

#endif
