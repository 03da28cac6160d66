/* SPDX-License-Identifier: BSD-2-Clause */
/* Text in columns of a terminal: characters count, not bytes. */
#ifndef RETSNOOP_VIEW_PARTS_COLUMNS_H
#define RETSNOOP_VIEW_PARTS_COLUMNS_H

#include <stddef.h>

#include "util/base/strbuf.h"

/* How many columns UTF-8 text takes; none of what we print is wide or combining. */
size_t columns_of(const char *text);

/*
 * Append @text if it takes no more than @columns; else its beginning, "…", and its end. Names that
 * are alike differ at the end more often than in the middle. Returns the columns taken.
 */
size_t columns_add_cut(struct strbuf *sb, const char *text, size_t columns);

#endif
