/* SPDX-License-Identifier: BSD-2-Clause */
/* Text in columns of a terminal: the widths of characters count, not bytes. */
#ifndef RETSNOOP_VIEW_PARTS_COLUMNS_H
#define RETSNOOP_VIEW_PARTS_COLUMNS_H

#include <stddef.h>

#include "util/base/strbuf.h"

/* The number of columns of UTF-8 text (utf8_width()). */
size_t columns_of(const char *text);

/*
 * Append @text if it fits in @columns; else its beginning, "…", and its end: similar names differ
 * at the end more often than in the middle. Returns the columns used; fewer than @columns if a wide
 * character does not fit.
 */
size_t columns_add_cut(struct strbuf *sb, const char *text, size_t columns);

#endif
