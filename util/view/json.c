// SPDX-License-Identifier: BSD-2-Clause
/* Writes JSON into a string buffer (RFC 8259). */
#include "util/view/json.h"

#include <inttypes.h>
#include <string.h>

/* The length of the UTF-8 sequence at @s (Unicode 15, table 3-7), 0 when it is none. */
static size_t utf8_len(const unsigned char *s)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t len;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		len = 2;
	} else if (s[0] >= 0xe0 && s[0] <= 0xef) {
		len = 3;
		if (s[0] == 0xe0)
			low = 0xa0;
		else if (s[0] == 0xed)
			high = 0x9f; /* no surrogates */
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		len = 4;
		if (s[0] == 0xf0)
			low = 0x90;
		else if (s[0] == 0xf4)
			high = 0x8f;
	} else {
		return 0;
	}
	/* The NUL at the end is in no range. */
	if (s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < len; i++) {
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	}
	return len;
}

static void add_text(struct strbuf *sb, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len;

	strbuf_addch(sb, '"');
	while (*s) {
		len = utf8_len(s);
		if (!len) {
			strbuf_addstr(sb, "\xef\xbf\xbd");
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\')
			strbuf_addf(sb, "\\%c", *s);
		else if (*s == '\n')
			strbuf_addstr(sb, "\\n");
		else if (*s == '\t')
			strbuf_addstr(sb, "\\t");
		else if (*s < ' ' || *s == 0x7f)
			strbuf_addf(sb, "\\u%04x", *s);
		else
			strbuf_add(sb, s, len);
		s += len;
	}
	strbuf_addch(sb, '"');
}

static void begin_value(struct json *json, const char *key)
{
	if (json->comma)
		strbuf_addch(json->sb, ',');
	json->comma = true;
	if (key) {
		add_text(json->sb, key);
		strbuf_addch(json->sb, ':');
	}
}

static void open_level(struct json *json, const char *key, char opening, char closing)
{
	begin_value(json, key);
	strbuf_addch(json->sb, opening);
	if (json->depth < JSON_MAX_DEPTH)
		json->closing[json->depth] = closing;
	json->depth++;
	json->comma = false;
}

void json_object(struct json *json, const char *key)
{
	open_level(json, key, '{', '}');
}

void json_array(struct json *json, const char *key)
{
	open_level(json, key, '[', ']');
}

void json_close(struct json *json)
{
	json->depth--;
	if (json->depth < JSON_MAX_DEPTH)
		strbuf_addch(json->sb, json->closing[json->depth]);
	json->comma = true;
}

void json_string(struct json *json, const char *key, const char *text)
{
	if (!text) {
		json_null(json, key);
		return;
	}
	begin_value(json, key);
	add_text(json->sb, text);
}

void json_uint(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	strbuf_addf(json->sb, "%" PRIu64, value);
}

void json_int(struct json *json, const char *key, int64_t value)
{
	begin_value(json, key);
	strbuf_addf(json->sb, "%" PRId64, value);
}

void json_thousandths(struct json *json, const char *key, uint64_t whole, unsigned int thousandths)
{
	begin_value(json, key);
	strbuf_addf(json->sb, "%" PRIu64 ".%03u", whole, thousandths);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin_value(json, key);
	strbuf_addstr(json->sb, value ? "true" : "false");
}

void json_null(struct json *json, const char *key)
{
	begin_value(json, key);
	strbuf_addstr(json->sb, "null");
}

void json_hex(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	strbuf_addf(json->sb, "\"0x%" PRIx64 "\"", value);
}
