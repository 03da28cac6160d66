// SPDX-License-Identifier: BSD-2-Clause
/* JSON text. Whether a comma is due can be told from the last byte written. */
#include "util/base/json.h"

#include <string.h>

/* The length of a well-formed UTF-8 sequence at @s, 0 if it is none. */
static int utf8_length(const unsigned char *s)
{
	int len = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 : *s >= 0xe0 && *s < 0xf0 ? 3 :
		  *s >= 0xf0 && *s < 0xf5 ? 4 : 0;

	for (int i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	/* Overlong forms, surrogates, beyond U+10FFFF. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
		return 0;
	return len;
}

static void add_quoted(struct strbuf *sb, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	strbuf_addch(sb, '"');
	while (*s) {
		int len = utf8_length(s);

		if (!len)
			strbuf_addstr(sb, "\\ufffd");
		else if (*s == '"' || *s == '\\')
			strbuf_addf(sb, "\\%c", *s);
		else if (*s == '\n')
			strbuf_addstr(sb, "\\n");
		else if (*s == '\t')
			strbuf_addstr(sb, "\\t");
		else if (*s < 0x20 || *s == 0x7f)
			strbuf_addf(sb, "\\u%04x", *s);
		else
			strbuf_add(sb, s, len);
		s += len ?: 1;
	}
	strbuf_addch(sb, '"');
}

static void add_key(struct strbuf *sb, const char *key)
{
	if (sb->len && !strchr("{[:\n", sb->s[sb->len - 1]))
		strbuf_addch(sb, ',');
	if (key) {
		add_quoted(sb, key);
		strbuf_addch(sb, ':');
	}
}

void json_begin_object(struct strbuf *sb, const char *key)
{
	add_key(sb, key);
	strbuf_addch(sb, '{');
}

void json_end_object(struct strbuf *sb)
{
	strbuf_addch(sb, '}');
}

void json_begin_array(struct strbuf *sb, const char *key)
{
	add_key(sb, key);
	strbuf_addch(sb, '[');
}

void json_end_array(struct strbuf *sb)
{
	strbuf_addch(sb, ']');
}

void json_add_string(struct strbuf *sb, const char *key, const char *value)
{
	add_key(sb, key);
	if (value)
		add_quoted(sb, value);
	else
		strbuf_addstr(sb, "null");
}

void json_add_int(struct strbuf *sb, const char *key, int64_t value)
{
	add_key(sb, key);
	strbuf_addf(sb, "%" PRId64, value);
}

void json_add_uint(struct strbuf *sb, const char *key, uint64_t value)
{
	add_key(sb, key);
	strbuf_addf(sb, "%" PRIu64, value);
}

void json_add_bool(struct strbuf *sb, const char *key, bool value)
{
	add_key(sb, key);
	strbuf_addstr(sb, value ? "true" : "false");
}

void json_add_address(struct strbuf *sb, const char *key, uint64_t value)
{
	add_key(sb, key);
	strbuf_addf(sb, "\"0x%" PRIx64 "\"", value);
}
