/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Comma-separated values: quoted as RFC 4180 has it, one record per line, UTF-8. Lines end with LF and
 * not with its CRLF, which sort(1), cut(1) and awk would take for part of the last cell.
 *
 * Names come from processes and go to spreadsheets, which take a cell that begins with =, +, - or @
 * for a formula: such text gets an apostrophe. Text with any character that could separate cells
 * somewhere is quoted.
 */
#ifndef RETSNOOP_VIEW_PARTS_CSV_H
#define RETSNOOP_VIEW_PARTS_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"

struct csv {
	struct strbuf *sb;
	bool comma;	/* a cell stands before, in this record */
};

#define CSV_INIT(sb) { (sb), false }

/* NULL is an empty cell. What is not UTF-8 becomes U+FFFD. */
void csv_text(struct csv *csv, const char *text);
void csv_uint(struct csv *csv, uint64_t value);
/* An empty cell: not known, or there is none. */
void csv_none(struct csv *csv);
void csv_end(struct csv *csv);

/* A number, or an empty cell. */
void csv_known(struct csv *csv, bool known, uint64_t value);

#endif
