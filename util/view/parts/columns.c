// SPDX-License-Identifier: BSD-2-Clause
/* Text in columns of a terminal. */
#include "util/view/parts/columns.h"

#include <string.h>

#include "util/base/utf8.h"

size_t columns_of(const char *text)
{
	size_t columns = 0, bytes;

	for (size_t len = strlen(text); len; text += bytes, len -= bytes)
		columns += utf8_next_width(text, len, &bytes);
	return columns;
}

/* The longest beginning of @text in @columns, with its combining characters; its width is added. */
static const char *after_columns(const char *text, size_t columns, size_t *width)
{
	size_t bytes, used = 0, next;

	for (size_t len = strlen(text); len; text += bytes, len -= bytes) {
		next = utf8_next_width(text, len, &bytes);
		if (used + next > columns)
			break;
		used += next;
	}
	*width += used;
	return text;
}

/* Where @columns or more of @text, which has more, have gone by; combining characters, too. */
static const char *from_column(const char *text, size_t columns)
{
	size_t bytes, used = 0, next;

	for (size_t len = strlen(text); len; text += bytes, len -= bytes) {
		next = utf8_next_width(text, len, &bytes);
		if (next && used >= columns)
			break;
		used += next;
	}
	return text;
}

size_t columns_add_cut(struct strbuf *sb, const char *text, size_t columns)
{
	size_t total = columns_of(text), tail, used = 1;
	const char *end;

	if (total <= columns) {
		strbuf_addstr(sb, text);
		return total;
	}
	if (!columns)
		return 0;
	tail = (columns - 1) / 2;
	strbuf_add(sb, text, after_columns(text, columns - 1 - tail, &used) - text);
	strbuf_addstr(sb, "…");
	end = from_column(text, total - tail);
	strbuf_addstr(sb, end);
	return used + columns_of(end);
}
