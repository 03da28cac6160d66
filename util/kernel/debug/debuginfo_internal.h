/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of debuginfo share. For debuginfo*.c only. */
#ifndef RETSNOOP_KERNEL_DEBUG_DEBUGINFO_INTERNAL_H
#define RETSNOOP_KERNEL_DEBUG_DEBUGINFO_INTERNAL_H

#include "util/kernel/debug/debuginfo.h"
#include "util/kernel/debug/dwarf_line.h"
#include "util/kernel/debug/dwarf_scope.h"
#include "util/kernel/debug/dwarf_units.h"
#include "util/kernel/debug/source_path.h"

struct debuginfo {
	unsigned int shared;			/* holders besides the first */
	struct elf_file *file;
	struct dwarf_sections sections;
	struct dwarf_units units;
	struct source_root root;
	VEC(char *) strings;			/* paths handed out */
	VEC(struct source_frame) frames;	/* of the last lookup */
	size_t touched;				/* atomic: bytes of sections since pages were dropped */
};

/*
 * Line table and functions of a unit that is open, and the inside of one, read when first asked
 * for; NULL when there are none. Threads may call these at the same time for different units.
 */
struct line_table *debuginfo_lines(struct debuginfo *info, struct dwarf_unit *unit);
struct unit_functions *debuginfo_functions(struct debuginfo *info, struct dwarf_unit *unit);

struct scope_tree *debuginfo_tree(struct debuginfo *info, struct dwarf_unit *unit,
				  struct dwarf_function *function);

/*
 * Name a scope and those it is inlined into, as far as the unit alone can tell; what is left is
 * done when the names are asked for. For threads, as above.
 */
void debuginfo_name_scopes(struct debuginfo *info, struct dwarf_unit *unit,
			   struct scope_tree *tree, uint32_t innermost);

/* The path of a file of a unit's line table, as the kernel tree names it; NULL: unknown. */
const char *debuginfo_file(struct debuginfo *info, struct dwarf_unit *unit, uint32_t number);

/* Where the tree was that the file was built from. */
const struct source_root *debuginfo_root(struct debuginfo *info);

/* What a function DIE is called and where it is declared, through its origins. */
struct function_identity {
	const char *name;		/* or NULL */
	struct dwarf_unit *file_unit;	/* whose file @file is; NULL: not said */
	uint32_t file, line;
};
void debuginfo_identify(struct debuginfo *info, struct dwarf_unit *unit, uint64_t die,
			struct function_identity *ret_identity);

/* Note that @size bytes were read, and let go of pages when it has become much. Thread-safe. */
void debuginfo_touched(struct debuginfo *info, size_t size);

#endif
