/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of a unit and the calls inlined into them.
 *
 * Read in two steps, because most functions of a unit are never needed: one pass over the unit's
 * outer DIEs finds the functions; a function's inlined calls are read when an address in it is
 * first looked up.
 */
#ifndef RETSNOOP_KERNEL_DWARF_DWARF_SCOPE_H
#define RETSNOOP_KERNEL_DWARF_DWARF_SCOPE_H

#include "util/kernel/dwarf/dwarf_unit.h"

#define NO_SCOPE UINT32_MAX
#define NO_FILE UINT32_MAX

/* A function, or a call inlined into one. */
struct scope {
	uint64_t die;		/* offset in .debug_info of the DIE that names it */
	const char *name;	/* filled in by users of the tree */
	uint32_t parent;	/* index of the scope it is inlined into; NO_SCOPE: the function */
	uint32_t call_file;	/* where it is called, in its parent; number in the line table,
				 * or NO_FILE */
	uint32_t call_line, call_column;
};

struct scope_range {
	uint64_t low, high;
	uint32_t scope;
};

/* A function with its inlined calls. Scope 0 is the function. */
struct scope_tree {
	VEC(struct scope) scopes;
	VEC(struct scope_range) ranges;		/* of inlined calls; outer before inner */
};

/* A range of addresses of a function; a function split in hot and cold parts has several. */
struct dwarf_function {
	uint64_t low, high;
	uint64_t die;
	struct scope_tree *tree;	/* not shared; NULL until read */
	bool first;			/* the range with the entry */
};

struct unit_functions {
	VEC(struct dwarf_function) all;	/* by low */
};

/* Find an open unit's functions that have code. 0; -ENOEXEC damaged; -ENOMEM. */
int unit_functions_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			struct unit_functions **ret_functions);
void unit_functions_free(struct unit_functions *functions);

/* The function that has code at @addr, or NULL. */
struct dwarf_function *unit_function_at(struct unit_functions *functions, uint64_t addr);

/* Read the inlined calls of a function. 0; -ENOEXEC damaged; -ENOMEM. */
int scope_tree_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		    uint64_t die, struct scope_tree **ret_tree);
void scope_tree_free(struct scope_tree *tree);

/* The innermost scope at an address; 0, the function, if nothing is inlined there. */
uint32_t scope_tree_find(const struct scope_tree *tree, uint64_t addr);

/*
 * Called for every function DIE on the outer level of a unit, with or without code; a non-zero
 * result ends the walk and is returned.
 */
typedef int (*function_die_fn)(void *arg, uint64_t die, const struct abbrev *abbrev,
			       struct cursor attrs);
int unit_walk_functions(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			function_die_fn fn, void *arg);

/* A DIE's own attributes; other attributes are in the DIE at `origin`. */
struct die_identity {
	uint16_t tag;		/* DW_TAG_x */
	const char *name;	/* or NULL */
	uint64_t origin;	/* DW_AT_abstract_origin or DW_AT_specification; 0: none */
	uint64_t type;		/* DW_AT_type, a DIE; 0: none, or void */
	uint64_t size;		/* DW_AT_byte_size of a type; 0: none */
	uint32_t file;		/* where it is declared: number in the line table, or NO_FILE */
	uint32_t line;		/* 0: not known */
	bool changed;		/* of a function: the compiler changed its parameters or result (DW_CC_nocall) */
};

/* 0 or -ENOEXEC. @die is in @unit, which is open. */
int die_identity_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		      uint64_t die, struct die_identity *ret_identity);

/* Move from the attributes of a DIE to the next DIE on its level. */
void die_skip(const struct dwarf_sections *sections, const struct dwarf_unit *unit, struct cursor *c,
	      const struct abbrev *abbrev);

/*
 * Move over the attributes of a block or an inlined call; @ret_there tells whether it has code at @addr.
 * 0; -ENOEXEC damaged.
 */
int die_covers(const struct dwarf_sections *sections, const struct dwarf_unit *unit, struct cursor *c,
	       const struct abbrev *abbrev, uint64_t addr, bool *ret_there);

#endif
