// SPDX-License-Identifier: BSD-2-Clause
/* Escaping. */
#include "util/base/text/quote.h"

#include "util/base/utf8.h"

void quote_add(struct strbuf *sb, const char *text, size_t len, char quote)
{
	if (quote)
		strbuf_addch(sb, quote);
	for (size_t i = 0; i < len;) {
		size_t bytes = utf8_shown(text + i, len - i);
		char c = text[i];

		if (c == '\n' || c == '\t' || (quote && (c == '\\' || c == quote))) {
			strbuf_addch(sb, '\\');
			strbuf_addch(sb, c == '\n' ? 'n' : c == '\t' ? 't' : c);
			i++;
		} else if (bytes) {
			strbuf_add(sb, text + i, bytes);
			i += bytes;
		} else {
			strbuf_addf(sb, "\\x%02x", (unsigned char)c);
			i++;
		}
	}
	if (quote)
		strbuf_addch(sb, quote);
}

void quote_name_add(struct strbuf *sb, const char *text)
{
	size_t start = sb->len, plain = utf8_plain(text);

	strbuf_addstr(sb, text);
	if (!sb->failed && text[plain])
		utf8_hide(sb->s + start + plain, sb->len - start - plain, 0);
}
