/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Comma-separated values: quoted as in RFC 4180, one record per line, UTF-8. Unlike there, lines
 * end with LF: for sort(1), cut(1) and awk, a CR would be part of the last cell.
 *
 * Names come from processes and go to spreadsheets, which treat a cell that begins with =, +, -
 * or @ as a formula: such text gets an apostrophe. Text with any character that some program may
 * use as a separator is quoted.
 */
#ifndef RETSNOOP_VIEW_PARTS_CSV_H
#define RETSNOOP_VIEW_PARTS_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"

struct csv {
	struct strbuf *sb;
	bool comma;	/* this record already has a cell */
};

#define CSV_INIT(sb) { (sb), false }

/* NULL is an empty cell. Invalid UTF-8 becomes U+FFFD. */
void csv_text(struct csv *csv, const char *text);
void csv_uint(struct csv *csv, uint64_t value);
/* An empty cell: not known, or none. */
void csv_none(struct csv *csv);
void csv_end(struct csv *csv);

/* A number, or an empty cell. */
void csv_known(struct csv *csv, bool known, uint64_t value);

#endif
