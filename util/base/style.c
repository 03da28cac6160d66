// SPDX-License-Identifier: BSD-2-Clause
/* Colours: the sequences that every terminal knows. */
#include "util/base/style.h"

#include <stdarg.h>
#include <string.h>

#include "util/base/cleanup.h"

/* The eight that users choose themselves, and none for light or dark ground alone. */
static const char *const begins[] = {
	[STYLE_NONE] = "",	      [STYLE_BAD] = "\033[31m",   [STYLE_GOOD] = "\033[32m",
	[STYLE_DOUBT] = "\033[33m",   [STYLE_NAME] = "\033[1m",   [STYLE_PLACE] = "\033[36m",
	[STYLE_VALUE] = "\033[35m",   [STYLE_ASIDE] = "\033[2m",
};

void style_add_bytes(struct strbuf *sb, bool color, enum style style, const char *text, size_t len)
{
	bool styled = color && style != STYLE_NONE && len;

	if (styled)
		strbuf_addstr(sb, begins[style]);
	strbuf_add(sb, text, len);
	if (styled)
		strbuf_addstr(sb, "\033[m");
}

void style_add(struct strbuf *sb, bool color, enum style style, const char *text)
{
	style_add_bytes(sb, color, style, text, strlen(text));
}

/* A style ends with its line: what follows may be cut off there. */
void style_since(struct strbuf *sb, size_t from, bool color, enum style style)
{
	_cleanup_(strbuf_release) struct strbuf rest = STRBUF_INIT;
	const char *line, *end;

	if (!color || style == STYLE_NONE || sb->len <= from)
		return;
	strbuf_add(&rest, sb->s + from, sb->len - from);
	sb->failed |= rest.failed;
	sb->len = from;
	for (line = strbuf_str(&rest); *line; line = end) {
		size_t len;

		end = strchrnul(line, '\n');
		for (len = end - line; len && line[len - 1] == ' '; len--)
			;
		end += *end == '\n';
		style_add_bytes(sb, color, style, line, len);
		strbuf_add(sb, line + len, end - line - len);
	}
}

void style_print(FILE *out, bool color, enum style style, const char *fmt, ...)
{
	bool styled = color && style != STYLE_NONE;
	va_list args;

	if (styled)
		fputs(begins[style], out);
	va_start(args, fmt);
	vfprintf(out, fmt, args);
	va_end(args);
	if (styled)
		fputs("\033[m", out);
}
