// SPDX-License-Identifier: BSD-2-Clause
/* Writes JSON into a string buffer (RFC 8259). */
#include "util/view/parts/json.h"

#include <inttypes.h>
#include <string.h>

#include "util/base/text/errnames.h"
#include "util/base/utf8.h"

/* Escapes have only letters and digits, so that a terminal can show any line of JSON. */
static void add_escaped(struct strbuf *sb, uint32_t c)
{
	if (c >= 0x10000)
		strbuf_addf(sb, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
			    0xdc00 + (c & 0x3ff));
	else
		strbuf_addf(sb, "\\u%04x", c);
}

/* Characters written unchanged: printable ASCII but quote and backslash. */
static const bool is_plain[256] = {
	[' '] = true, ['!'] = true, ['#' ... '['] = true, [']' ... '~'] = true,
};

/* The number of plain bytes at the beginning of the text. */
static size_t plain_bytes(const char *text)
{
	size_t bytes = 0;

	while (is_plain[(unsigned char)text[bytes]])
		bytes++;
	return bytes;
}

static void add_text(struct strbuf *sb, const char *text)
{
	size_t bytes;
	uint32_t c;

	strbuf_addch(sb, '"');
	for (; *text; text += bytes) {
		bytes = plain_bytes(text);
		if (bytes) {
			strbuf_add(sb, text, bytes);
			continue;
		}
		bytes = utf8_decode(text, strnlen(text, 4), &c);
		if (!bytes) {
			strbuf_addstr(sb, "\xef\xbf\xbd");
			bytes = 1;
		} else if (c == '"' || c == '\\') {
			strbuf_addf(sb, "\\%c", (char)c);
		} else if (c == '\n') {
			strbuf_addstr(sb, "\\n");
		} else if (c == '\t') {
			strbuf_addstr(sb, "\\t");
		} else if (!utf8_is_shown(c)) {
			add_escaped(sb, c);
		} else {
			strbuf_add(sb, text, bytes);
		}
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

void json_text(struct json *json, const char *key, const struct strbuf *text)
{
	json_string(json, key, strbuf_str(text));
	json->sb->failed |= text->failed;
}

void json_uint(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	strbuf_adduint(json->sb, value);
}

void json_int(struct json *json, const char *key, int64_t value)
{
	begin_value(json, key);
	if (value < 0)
		strbuf_addch(json->sb, '-');
	strbuf_adduint(json->sb, value < 0 ? -(uint64_t)value : (uint64_t)value);
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

void json_members(struct json *json, const struct strbuf *members)
{
	begin_value(json, NULL);
	strbuf_add(json->sb, strbuf_str(members), members->len);
}

void json_null(struct json *json, const char *key)
{
	begin_value(json, key);
	strbuf_addstr(json->sb, "null");
}

void json_known(struct json *json, const char *key, bool known, uint64_t value)
{
	if (known)
		json_uint(json, key, value);
	else
		json_null(json, key);
}

void json_errno(struct json *json, const char *key, int err)
{
	char number[ERRNO_WORD_SIZE];

	json_string(json, key, err ? errno_word(err, number) : "NULL");
}

void json_hex(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	strbuf_addstr(json->sb, "\"0x");
	strbuf_addhex(json->sb, value);
	strbuf_addch(json->sb, '"');
}

void json_address(struct json *json, uint64_t addr, const char *symbol, uint64_t offset)
{
	json_hex(json, "addr", addr);
	json_string(json, "symbol", symbol);
	if (symbol)
		json_uint(json, "offset", offset);
}
