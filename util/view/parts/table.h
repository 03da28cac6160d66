/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of text: columns as wide as their contents. If that is too wide, the gaps between
 * columns shrink; then long names in the first column get a line of their own, above the rest of
 * their row.
 */
#ifndef RETSNOOP_VIEW_PARTS_TABLE_H
#define RETSNOOP_VIEW_PARTS_TABLE_H

#include <stdbool.h>

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/style.h"
#include "util/base/vec.h"

struct table_column {
	const char *heading;
	bool right;		/* numbers */
};

struct table_cell {
	char *text;		/* owned */
	enum style style;
};

/* An empty table is zeroed, except for the columns. */
struct table {
	const struct table_column *columns;	/* borrowed */
	unsigned int nr_columns;
	VEC(struct table_cell) cells;		/* row by row */
	bool color;				/* print headings and cells in their styles */
	bool failed;				/* out of memory: cells are missing */
};

#define TABLE_INIT(columns_, color_)                                                               \
	{                                                                                          \
		.columns = (columns_), .nr_columns = ARRAY_SIZE(columns_),                        \
		.color = (color_),                                                                 \
	}

void table_release(struct table *table);

/* Add the next cell, a copy of the text; rows fill from the left. */
void table_add(struct table *table, enum style style, const char *cell);

/* Append headings and rows to @text; @width in columns of the terminal. ASCII only. */
void table_print(const struct table *table, unsigned int width, struct strbuf *text);

#endif
