/* SPDX-License-Identifier: BSD-2-Clause */
/* Line tables: the source line of an address, and the files of a unit. */
#ifndef RETSNOOP_KERNEL_DWARF_DWARF_LINE_H
#define RETSNOOP_KERNEL_DWARF_DWARF_LINE_H

#include "util/kernel/dwarf/dwarf_unit.h"

/*
 * A file in the table: path = dir/name, unless name is absolute. The strings are in the ELF file.
 */
struct line_file {
	const char *dir;	/* "": the compilation directory */
	const char *name;
};

/* The line from an address on; 12 bytes, because a kernel has millions of rows. */
struct line_row {
	uint32_t offset;	/* from the start of its sequence */
	uint32_t line;
	uint16_t file;
	uint16_t column : 15;
	uint16_t statement : 1;		/* a statement begins there: is_stmt, as GCC sets it */
};

struct line_sequence {
	uint64_t low, high;
	uint32_t first_row, nr_rows;
};

struct line_table {
	VEC(struct line_row) rows;
	VEC(struct line_sequence) sequences;	/* by high */
	const char **paths;			/* by file number; filled in by the user of the table */
	uint32_t nr_files;			/* file numbers are smaller */
	uint64_t program, end;			/* position in .debug_line */
};

/* Decode a unit's table. 0; -ENODATA it has none; -ENOEXEC damaged; -ENOMEM. */
int line_table_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		    struct line_table **ret_table);
void line_table_free(struct line_table *table);

/* The row for an address, or NULL. */
const struct line_row *line_table_find(const struct line_table *table, uint64_t addr);

/* Called for each file of a unit; a non-zero result ends the walk and is returned. */
typedef int (*line_file_fn)(void *arg, uint32_t number, const struct line_file *file);

/* Walk the files in the header of a unit's table. */
int line_table_files(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		     line_file_fn fn, void *arg);

/*
 * Called for each row of a unit's program, in order; a non-zero result ends the walk and is
 * returned. @line 0 and @file 0: the sequence ends.
 *
 * @is_stmt	a statement begins there
 */
typedef int (*line_row_fn)(void *arg, uint64_t addr, uint32_t file, uint32_t line, bool is_stmt);

/* Walk all rows, including rows that struct line_table leaves out. */
int line_table_rows(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		    line_row_fn fn, void *arg);

#endif
