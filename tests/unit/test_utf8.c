// SPDX-License-Identifier: BSD-2-Clause
/* Which bytes reach a terminal as they are. */
#include "unit.h"

#include <string.h>

#include "util/base/text/quote.h"
#include "util/base/utf8.h"

/* As bytes, for every character there is. */
static size_t encode(uint32_t c, char *to)
{
	if (c < 0x80) {
		to[0] = c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = 0xc0 | c >> 6;
		to[1] = 0x80 | (c & 0x3f);
		return 2;
	}
	if (c < 0x10000) {
		to[0] = 0xe0 | c >> 12;
		to[1] = 0x80 | (c >> 6 & 0x3f);
		to[2] = 0x80 | (c & 0x3f);
		return 3;
	}
	to[0] = 0xf0 | c >> 18;
	to[1] = 0x80 | (c >> 12 & 0x3f);
	to[2] = 0x80 | (c >> 6 & 0x3f);
	to[3] = 0x80 | (c & 0x3f);
	return 4;
}

TEST(every_character_is_decoded)
{
	uint32_t wrong = 0;

	for (uint32_t c = 0; c < 0x120000; c++) {
		bool is_one = c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
		uint32_t got = ~0u;
		char bytes[4];
		size_t len = encode(c, bytes), found = utf8_decode(bytes, len, &got);

		wrong += is_one ? found != len || got != c : found != 0;
		/* It is all there, or it is none. */
		wrong += len > 1 && utf8_decode(bytes, len - 1, &got);
	}
	EXPECT_EQ(0, wrong);
}

TEST(a_longer_form_is_no_character)
{
	static const char *const forms[] = {
		"\xc0\x80", "\xc1\xbf", "\xe0\x80\x9b", "\xe0\x82\x9b",
		"\xf0\x80\x82\x9b", "\x80", "\xff", "\xf8\x88\x80\x80",
	};
	uint32_t c;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		EXPECT_EQ(0, utf8_decode(forms[i], strlen(forms[i]), &c)) TH_LOG("form %zu", i);
	}
	EXPECT_EQ(0, utf8_decode("", 0, &c));
}

TEST(terminals_do_nothing_but_show)
{
	static const uint32_t hidden[] = {
		0, 7, 0x1b, 0x7f, 0x80, 0x85, 0x8d, 0x90, 0x9b, 0x9c, 0x9f, 0x61c, 0x200b, 0x200e,
		0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066,
		0x2067, 0x2068, 0x2069, 0xfeff, 0xe0041,
	};
	static const uint32_t shown[] = {
		' ', '~', 0xa0, 0xe9, 0x61b, 0x20ac, 0x2010, 0x2026, 0x2070, 0x4e2d, 0x1f427,
	};

	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++) {
		EXPECT_FALSE(utf8_is_shown(hidden[i])) TH_LOG("U+%04X", hidden[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
		EXPECT_TRUE(utf8_is_shown(shown[i])) TH_LOG("U+%04X", shown[i]);
	}
}

TEST(widths_are_those_of_terminals)
{
	static const uint32_t none[] = { 0x301, 0x64b, 0x20d0, 0x3099, 0xfe0f },
			      one[] = { ' ', '~', 0xe9, 0x2026, 0x2192, 0x203c, 0xff71 },
			      two[] = { 0x1100, 0x3042, 0x4e2d, 0xac00, 0xff21, 0x1f427, 0x20000 };
	size_t bytes;

	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		EXPECT_EQ(0, utf8_width(none[i])) TH_LOG("U+%04X", none[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(one); i++) {
		EXPECT_EQ(1, utf8_width(one[i])) TH_LOG("U+%04X", one[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(two); i++) {
		EXPECT_EQ(2, utf8_width(two[i])) TH_LOG("U+%04X", two[i]);
	}
	EXPECT_EQ(2, utf8_next_width("中a", 4, &bytes));
	EXPECT_EQ(3, bytes);
	EXPECT_EQ(1, utf8_next_width("\xe4\xb8", 2, &bytes));
	EXPECT_EQ(1, bytes);
}

static const char *name(struct strbuf *sb, const char *text)
{
	strbuf_reset(sb);
	quote_name_add(sb, text);
	return strbuf_str(sb);
}

static const char *quoted(struct strbuf *sb, const char *text)
{
	strbuf_reset(sb);
	quote_add(sb, text, strlen(text), 0);
	return strbuf_str(sb);
}

TEST(names_lose_what_is_not_shown)
{
	struct strbuf sb = STRBUF_INIT;

	EXPECT_STREQ("kworker/0:1", name(&sb, "kworker/0:1"));
	EXPECT_STREQ("caf\xc3\xa9", name(&sb, "caf\xc3\xa9"));
	EXPECT_STREQ("?[2J", name(&sb, "\x1b[2J"));
	EXPECT_STREQ("??2J", name(&sb, "\xc2\x9b" "2J"));
	EXPECT_STREQ("?2J", name(&sb, "\x9b" "2J"));
	EXPECT_STREQ("???txt", name(&sb, "\xe2\x80\xae" "txt"));
	/* The kernel cuts names in the middle of a character. */
	EXPECT_STREQ("caf?", name(&sb, "caf\xc3"));
	EXPECT_STREQ("", name(&sb, ""));
	strbuf_release(&sb);
}

TEST(text_has_it_as_escapes)
{
	struct strbuf sb = STRBUF_INIT;

	EXPECT_STREQ("\\xc2\\x9b" "2J", quoted(&sb, "\xc2\x9b" "2J"));
	EXPECT_STREQ("\\x9b", quoted(&sb, "\x9b"));
	EXPECT_STREQ("\\xd8\\x9c", quoted(&sb, "\xd8\x9c"));
	EXPECT_STREQ("\\xe2\\x80\\x8f\\xe2\\x81\\xa7", quoted(&sb, "\xe2\x80\x8f\xe2\x81\xa7"));
	EXPECT_STREQ("\xe2\x82\xac", quoted(&sb, "\xe2\x82\xac"));
	strbuf_release(&sb);
}

TEST(text_that_was_cut_loses_a_part_of_a_character)
{
	EXPECT_EQ(0, utf8_whole("", 0));
	EXPECT_EQ(3, utf8_whole("abc", 3));
	EXPECT_EQ(3, utf8_whole("a\xc3\xa4", 3));
	EXPECT_EQ(1, utf8_whole("a\xc3", 2));
	EXPECT_EQ(1, utf8_whole("a\xe2\x82", 3));
	EXPECT_EQ(4, utf8_whole("a\xe2\x82\xac", 4));
	EXPECT_EQ(0, utf8_whole("\xf0\x9f\x98", 3));
	/* No character begins like this. */
	EXPECT_EQ(2, utf8_whole("\x82\x82", 2));
	EXPECT_EQ(2, utf8_whole("a\xff", 2));
}

TEST_HARNESS_MAIN
