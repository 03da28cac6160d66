// SPDX-License-Identifier: BSD-2-Clause
/* Numbers, pointers and strings in values. */
#include "util/view/values/value_text.h"

#include <inttypes.h>

#include "util/base/text/errnames.h"
#include "util/base/utf8.h"

/* Larger numbers look like addresses or flags: hex reads better. */
#define DECIMAL_MIN (1ull << 30)
#define DECIMAL_MAX (1ull << 20)

void value_number_add(struct strbuf *sb, uint64_t n, bool is_signed, unsigned int bits,
		       enum value_base base)
{
	bool negative = is_signed && (int64_t)n < 0;

	if (negative && -n <= DECIMAL_MIN && base == VALUE_BASE_BY_SIZE) {
		strbuf_addf(sb, "%" PRId64, (int64_t)n);
		return;
	}
	if (bits < 64)
		n &= (1ull << bits) - 1;
	if (base == VALUE_BASE_OCTAL)
		strbuf_addf(sb, n ? "0%" PRIo64 : "0", n);
	else if (n < 10 || (base == VALUE_BASE_BY_SIZE && n <= DECIMAL_MAX))
		strbuf_addf(sb, "%" PRIu64, n);
	else
		strbuf_addf(sb, "0x%" PRIx64, n);
}

void value_pointer_add(struct strbuf *sb, const struct value_format *format, uint64_t pointer,
		       bool function)
{
	const char *name;

	if (!pointer) {
		strbuf_addstr(sb, "NULL");
	} else if (pointer >= -(uint64_t)MAX_ERRNO) {
		name = errno_name(-pointer);
		if (name)
			strbuf_addf(sb, "-%s", name);
		else
			strbuf_addf(sb, "%" PRId64, (int64_t)pointer);
	} else {
		name = function && format->symbol ? format->symbol(format->symbol_arg, pointer) :
						    NULL;
		if (name)
			strbuf_addstr(sb, name);
		else
			strbuf_addf(sb, "0x%" PRIx64, pointer);
	}
}

static void add_escaped(struct strbuf *sb, uint8_t c)
{
	static const char letters[] = "abtnvfr";	/* from 7 on */

	if (c >= 7 && c < 7 + sizeof(letters) - 1)
		strbuf_addf(sb, "\\%c", letters[c - 7]);
	else
		strbuf_addf(sb, "\\x%02x", c);
}

void value_string_add(struct strbuf *sb, const void *text, size_t len, bool cut)
{
	const uint8_t *at = text;

	strbuf_addch(sb, '"');
	while (len) {
		size_t size = utf8_shown((const char *)at, len);

		if (!size) {
			add_escaped(sb, *at);
			size = 1;
		} else {
			if (*at == '"' || *at == '\\')
				strbuf_addch(sb, '\\');
			strbuf_add(sb, at, size);
		}
		at += size;
		len -= size;
	}
	strbuf_addch(sb, '"');
	if (cut)
		strbuf_addstr(sb, "…");
}

bool value_is_text(const uint8_t *text, size_t len, bool cut)
{
	while (len) {
		size_t size = *text == '\t' || *text == '\n' ? 1 :
			      utf8_shown((const char *)text, len);

		if (!size)
			return cut && len < 4 && *text >= 0xc2;
		text += size;
		len -= size;
	}
	return true;
}

void value_bytes_add(struct strbuf *sb, const void *bytes, size_t len, bool cut)
{
	const uint8_t *at = bytes;

	if (value_is_text(bytes, len, cut)) {
		value_string_add(sb, bytes, len, cut);
		return;
	}
	strbuf_addstr(sb, "&[");
	for (size_t i = 0; i < len; i++)
		strbuf_addf(sb, "%u,", at[i]);
	strbuf_addstr(sb, "…]");
}

void value_cut(struct strbuf *sb, size_t start, uint32_t columns)
{
	size_t bytes, last = start;
	uint32_t seen = 0, width;

	if (!columns || sb->failed)
		return;
	for (size_t i = start; i < sb->len; i += bytes) {
		width = utf8_next_width(sb->s + i, sb->len - i, &bytes);
		/* The mark that replaces the rest takes a column. */
		if (width && seen < columns)
			last = i;
		seen += width;
		if (seen <= columns)
			continue;
		sb->len = last;
		sb->s[last] = '\0';
		strbuf_addstr(sb, "…");
		return;
	}
}
