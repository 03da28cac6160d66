// SPDX-License-Identifier: BSD-2-Clause
/* Escaping. */
#include "util/base/quote.h"

#include <stdint.h>

/* Bytes of the character at @s; 0: it is none, or one that controls terminals. */
static size_t character(const unsigned char *s, size_t len)
{
	static const uint32_t least[] = { 0, 0, 0xa0, 0x800, 0x10000 };
	size_t bytes = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	uint32_t c = s[0];

	if (c < 0x80)
		return c >= 0x20 && c != 0x7f;
	if (c < 0xc0 || c >= 0xf8 || bytes > len)
		return 0;
	c &= 0x7f >> bytes;
	for (size_t i = 1; i < bytes; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	/* Line and paragraph separators, marks that turn the direction of text. */
	if (c < least[bytes] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ||
	    (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
		return 0;
	return bytes;
}

void quote_add(struct strbuf *sb, const char *text, size_t len, char quote)
{
	if (quote)
		strbuf_addch(sb, quote);
	for (size_t i = 0; i < len;) {
		size_t bytes = character((const unsigned char *)text + i, len - i);
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
