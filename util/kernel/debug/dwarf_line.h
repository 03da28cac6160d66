/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Line tables: what source line an address comes from, and which files a unit is made of.
 */
#ifndef RETSNOOP_KERNEL_DEBUG_DWARF_LINE_H
#define RETSNOOP_KERNEL_DEBUG_DWARF_LINE_H

#include "util/kernel/debug/dwarf_unit.h"

/* A file as the table names it: path = dir/name, unless name is absolute. Strings in the file. */
struct line_file {
	const char *dir;	/* "" when it has none of its own: the compilation directory */
	const char *name;
};

/* From an address on; 12 bytes, because a kernel has millions. */
struct line_row {
	uint32_t offset;	/* from the start of its sequence */
	uint32_t line;
	uint16_t file;
	uint16_t column : 15;
	uint16_t statement : 1;		/* one begins there: is_stmt, as GCC sets it */
};

struct line_sequence {
	uint64_t low, high;
	uint32_t first_row, nr_rows;
};

struct line_table {
	VEC(struct line_row) rows;
	VEC(struct line_sequence) sequences;	/* by high */
	const char **paths;			/* by file number; filled in by the user of the table */
	uint32_t nr_files;			/* file numbers are below that */
	uint64_t program, end;			/* where it is in .debug_line */
};

/* Decode a unit's table. 0; -ENODATA it has none; -ENOEXEC damaged; -ENOMEM. */
int line_table_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		    struct line_table **ret_table);
void line_table_free(struct line_table *table);

/* The row for an address, or NULL. */
const struct line_row *line_table_find(const struct line_table *table, uint64_t addr);

/* Called for each file of a unit; a non-zero return stops and is handed back. */
typedef int (*line_file_fn)(void *arg, uint32_t number, const struct line_file *file);

/* Walk the files in the header of a unit's table. */
int line_table_files(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		     line_file_fn fn, void *arg);

/*
 * Called for each row of a unit's program, in its order; a non-zero return stops and is handed
 * back. @line 0 and @file 0: the sequence ends.
 *
 * @is_stmt	a statement begins there
 */
typedef int (*line_row_fn)(void *arg, uint64_t addr, uint32_t file, uint32_t line, bool is_stmt);

/* Walk all rows, those included that tables leave out. */
int line_table_rows(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		    line_row_fn fn, void *arg);

#endif
