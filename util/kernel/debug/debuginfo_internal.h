/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the parts of debuginfo. For debuginfo*.c only. */
#ifndef RETSNOOP_KERNEL_DEBUG_DEBUGINFO_INTERNAL_H
#define RETSNOOP_KERNEL_DEBUG_DEBUGINFO_INTERNAL_H

#include "util/kernel/debug/debuginfo.h"
#include "util/kernel/dwarf/dwarf_line.h"
#include "util/kernel/dwarf/dwarf_scope.h"
#include "util/kernel/dwarf/dwarf_units.h"
#include "util/kernel/debug/source_path.h"

struct debuginfo {
	unsigned int shared;			/* holders besides the first */
	struct elf_file *file;
	struct dwarf_sections sections;
	bool has_locations;			/* those of variables are read, too */
	struct dwarf_units units;
	struct source_root root;
	VEC(char *) strings;			/* paths handed out */
	VEC(struct source_frame) frames;	/* of the last lookup */
	size_t touched;				/* atomic: bytes of sections since pages were dropped */
};

/*
 * The line table and the functions of an open unit, and the inlined calls of a function; read on
 * first use. NULL: none. Threads may call these at the same time for different units.
 */
struct line_table *debuginfo_lines(struct debuginfo *info, struct dwarf_unit *unit);
struct unit_functions *debuginfo_functions(struct debuginfo *info, struct dwarf_unit *unit);

struct scope_tree *debuginfo_tree(struct debuginfo *info, struct dwarf_unit *unit,
				  struct dwarf_function *function);

/*
 * Name a scope and the scopes it is inlined into, as far as possible with this unit alone; the
 * rest is done when the names are needed. For threads, as above.
 */
void debuginfo_name_scopes(struct debuginfo *info, struct dwarf_unit *unit,
			   struct scope_tree *tree, uint32_t innermost);

/* The path, in the kernel tree, of a file of a unit's line table; NULL: unknown. */
const char *debuginfo_file(struct debuginfo *info, struct dwarf_unit *unit, uint32_t number);

/* The directory of the tree that the file was built from. */
const struct source_root *debuginfo_root(struct debuginfo *info);

/* DIEs that say in turn what another one is; damaged ones may go round. */
#define DEBUGINFO_MAX_ORIGINS 8

/* What the DIE at *die says, and on to its origin, which may be in another unit. False: there is none. */
bool debuginfo_next_origin(struct debuginfo *info, struct dwarf_unit **unit, uint64_t *die,
			   struct die_identity *ret_identity);

/* A function DIE's name, and where it is declared, by its origins. */
struct function_identity {
	const char *name;		/* or NULL */
	struct dwarf_unit *file_unit;	/* the unit that numbers `file`; NULL: not known */
	uint32_t file, line;
};
void debuginfo_identify(struct debuginfo *info, struct dwarf_unit *unit, uint64_t die,
			struct function_identity *ret_identity);

/* The name, or a copy that a terminal only shows; "" for NULL, and without memory. */
const char *debuginfo_shown_name(struct debuginfo *info, const char *name);

/* Note that @size bytes were read, and drop pages when many were. Thread-safe. */
void debuginfo_touched(struct debuginfo *info, size_t size);

#endif
