// SPDX-License-Identifier: BSD-2-Clause
/* Comma-separated values. */
#include "util/view/parts/csv.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "util/base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd"

static void begin_cell(struct csv *csv)
{
	if (csv->comma)
		strbuf_addch(csv->sb, ',');
	csv->comma = true;
}

/* Spreadsheets skip spaces first, and some know the wide forms of East Asian scripts. */
static bool is_formula(const char *text)
{
	static const char *const signs[] = { "=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b",
					     "\xef\xbc\x8d", "\xef\xbc\xa0" };

	while (isspace((unsigned char)*text))
		text++;
	return array_find(sign, signs, !strncmp(text, *sign, strlen(*sign)));
}

static bool is_plain(const char *text)
{
	for (; *text; text++) {
		if (!isalnum((unsigned char)*text) && !strchr("_./:-+", *text))
			return false;
	}
	return true;
}

static void add_quoted(struct strbuf *sb, const char *text)
{
	size_t left = strlen(text), bytes;
	uint32_t character;

	strbuf_addch(sb, '"');
	for (; left; text += bytes, left -= bytes) {
		bytes = utf8_decode(text, left, &character);
		if (!bytes) {
			strbuf_addstr(sb, REPLACEMENT);
			bytes = 1;
			continue;
		}
		if (*text == '"')
			strbuf_addch(sb, '"');
		/* A control character would break the line, or act on a terminal. */
		if (utf8_is_shown(character))
			strbuf_add(sb, text, bytes);
		else
			strbuf_addch(sb, '?');
	}
	strbuf_addch(sb, '"');
}

void csv_text(struct csv *csv, const char *text)
{
	struct strbuf cell = STRBUF_INIT;

	begin_cell(csv);
	if (!text)
		return;
	strbuf_addf(&cell, "%s%s", is_formula(text) ? "'" : "", text);
	if (is_plain(strbuf_str(&cell)))
		strbuf_addstr(csv->sb, strbuf_str(&cell));
	else
		add_quoted(csv->sb, strbuf_str(&cell));
	csv->sb->failed |= cell.failed;
	strbuf_release(&cell);
}

void csv_uint(struct csv *csv, uint64_t value)
{
	begin_cell(csv);
	strbuf_addf(csv->sb, "%" PRIu64, value);
}

void csv_none(struct csv *csv)
{
	begin_cell(csv);
}

void csv_known(struct csv *csv, bool known, uint64_t value)
{
	if (known)
		csv_uint(csv, value);
	else
		csv_none(csv);
}

void csv_end(struct csv *csv)
{
	strbuf_addch(csv->sb, '\n');
	csv->comma = false;
}
