// SPDX-License-Identifier: BSD-2-Clause
/* Text in columns of a terminal. */
#include "util/view/parts/columns.h"

#include <string.h>

#include "util/base/text/utf8.h"

size_t columns_of(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		columns += !utf8_is_continuation(*text);
	return columns;
}

/* The beginning of the @number-th character in @text. */
static const char *character_at(const char *text, size_t number)
{
	for (; *text; text++) {
		if (!utf8_is_continuation(*text) && !number--)
			break;
	}
	return text;
}

size_t columns_add_cut(struct strbuf *sb, const char *text, size_t columns)
{
	size_t total = columns_of(text), tail;

	if (total <= columns) {
		strbuf_addstr(sb, text);
		return total;
	}
	if (!columns)
		return 0;
	tail = (columns - 1) / 2;
	strbuf_add(sb, text, character_at(text, columns - 1 - tail) - text);
	strbuf_addstr(sb, "…");
	strbuf_addstr(sb, character_at(text, total - tail));
	return columns;
}
