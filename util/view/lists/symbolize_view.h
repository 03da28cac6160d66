/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses with their symbols and lines, one after the other: for `retsnoop symbolize`.
 *
 * As text, an address has one line, and another, beginning with ". ", for each call inlined
 * there, outermost first, as in stacks.
 */
#ifndef RETSNOOP_VIEW_LISTS_SYMBOLIZE_VIEW_H
#define RETSNOOP_VIEW_LISTS_SYMBOLIZE_VIEW_H

#include <stdbool.h>

#include "util/base/strbuf.h"
#include "util/kernel/symbols/symbolizer.h"

/**
 * @text	appended to
 * @input	the address as the user wrote it
 * @color	use colours
 * @found	without symbol and frames, @addr is not known
 */
typedef void (*symbolize_view_fn)(struct strbuf *text, bool color, const char *input,
				  uint64_t addr, const struct symbolized *found);

void symbolize_view_text(struct strbuf *text, bool color, const char *input, uint64_t addr,
			 const struct symbolized *found);
void symbolize_view_json(struct strbuf *text, bool color, const char *input, uint64_t addr,
			 const struct symbolized *found);

#endif
