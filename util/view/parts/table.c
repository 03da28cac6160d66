// SPDX-License-Identifier: BSD-2-Clause
/* Tables of text. */
#include "util/view/parts/table.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 16
#define GAP 2
#define NARROW_GAP 1	/* columns of numbers can be closer */

/* The first column is at least this wide: it has headings and short names. */
#define MIN_FIRST 8

void table_release(struct table *table)
{
	vec_foreach(cell, &table->cells)
		free(cell->text);
	vec_release(&table->cells);
}

void table_add(struct table *table, enum style style, const char *text)
{
	struct table_cell cell = { strdup(text), style };

	if (!cell.text || vec_push(&table->cells, cell)) {
		free(cell.text);
		table->failed = true;
	}
}

/* The gap before a column. */
static unsigned int gap_of(const struct table *table, unsigned int column, unsigned int narrow)
{
	return !column ? 0 : table->columns[column].right ? narrow : GAP;
}

static void add_line(const struct table *table, const struct table_cell *cells, const unsigned int *widths,
		     unsigned int gap, struct strbuf *text)
{
	for (unsigned int i = 0; i < table->nr_columns; i++) {
		const struct table_column *column = &table->columns[i];
		const char *cell = cells ? cells[i].text : column->heading;
		enum style style = cells ? cells[i].style : STYLE_ASIDE;
		int room = (int)widths[i] - (int)strlen(cell);
		bool last = i + 1 == table->nr_columns;

		strbuf_pad(text, gap_of(table, i, gap), ' ');
		/* A name that is too long for its column gets a line of its own. */
		if (room < 0) {
			style_add(text, table->color, style, cell);
			strbuf_addch(text, '\n');
			strbuf_pad(text, widths[i], ' ');
		} else {
			strbuf_pad(text, column->right ? room : 0, ' ');
			style_add(text, table->color, style, cell);
			strbuf_pad(text, column->right || last ? 0 : room, ' ');
		}
	}
	strbuf_addch(text, '\n');
}

void table_print(const struct table *table, unsigned int width, struct strbuf *text)
{
	unsigned int widths[MAX_COLUMNS] = {}, gap = GAP, rest = 0, numbers = 0, least;
	size_t nr_rows = table->cells.len / table->nr_columns;

	for (unsigned int i = 0; i < table->nr_columns; i++) {
		widths[i] = strlen(table->columns[i].heading);
		for (size_t row = 0; row < nr_rows; row++) {
			size_t len = strlen(table->cells.data[row * table->nr_columns + i].text);

			if (len > widths[i])
				widths[i] = len;
		}
		rest += i ? GAP + widths[i] : 0;
		numbers += table->columns[i].right;
	}
	if (widths[0] + rest > width) {
		gap = NARROW_GAP;
		rest -= numbers * (GAP - NARROW_GAP);
	}
	least = strlen(table->columns[0].heading);
	if (least < MIN_FIRST)
		least = MIN_FIRST;
	if (widths[0] + rest > width && widths[0] > least)
		widths[0] = rest + least < width ? width - rest : least;

	add_line(table, NULL, widths, gap, text);
	for (size_t row = 0; row < nr_rows; row++)
		add_line(table, &table->cells.data[row * table->nr_columns], widths, gap, text);
}
