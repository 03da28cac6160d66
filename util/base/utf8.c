// SPDX-License-Identifier: BSD-2-Clause
/* UTF-8 (RFC 3629). */
#include "util/base/utf8.h"

#include "util/base/macros.h"

size_t utf8_decode(const char *text, size_t len, uint32_t *ret_character)
{
	/* The least character that takes so many bytes: a longer form of it is none. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)text;
	uint32_t c;
	size_t bytes;

	if (!len)
		return 0;
	c = s[0];
	if (c < 0x80) {
		*ret_character = c;
		return 1;
	}
	bytes = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
	if (c < 0xc0 || c >= 0xf8 || bytes > len)
		return 0;
	c &= 0x7f >> bytes;
	for (size_t i = 1; i < bytes; i++) {
		if (!utf8_is_continuation(s[i]))
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[bytes] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*ret_character = c;
	return bytes;
}

struct range {
	uint32_t first, last;
};

static bool is_in(uint32_t character, const struct range *ranges, size_t nr)
{
	return find_first(known, ranges, nr, character >= known->first && character <= known->last);
}

bool utf8_is_shown(uint32_t character)
{
	static const struct range hidden[] = {
		{ 0x00, 0x1f },		/* C0 */
		{ 0x7f, 0x9f },		/* DEL, C1 */
		{ 0x61c, 0x61c },	/* Arabic letter mark */
		{ 0x200b, 0x200f },	/* no width; marks of direction */
		{ 0x2028, 0x202e },	/* line and paragraph separators; embeddings, overrides */
		{ 0x2060, 0x206f },	/* no width; isolates */
		{ 0xfeff, 0xfeff },	/* byte order mark */
		{ 0xfff9, 0xfffb },	/* annotations */
		{ 0xe0000, 0xe007f },	/* tags */
	};

	return !is_in(character, hidden, ARRAY_SIZE(hidden));
}

unsigned int utf8_width(uint32_t character)
{
	static const struct range combining[] = {
		{ 0x300, 0x36f },	/* marks on letters */
		{ 0x483, 0x489 },	/* Cyrillic */
		{ 0x591, 0x5bd },	/* Hebrew */
		{ 0x610, 0x61a },	/* Arabic */
		{ 0x64b, 0x65f },
		{ 0x93c, 0x93c },	/* Devanagari */
		{ 0x941, 0x948 },
		{ 0x94d, 0x94d },
		{ 0xe31, 0xe31 },	/* Thai */
		{ 0xe34, 0xe3a },
		{ 0xe47, 0xe4e },
		{ 0x1ab0, 0x1aff },	/* more marks */
		{ 0x1dc0, 0x1dff },
		{ 0x20d0, 0x20ff },
		{ 0x302a, 0x302d },	/* tones */
		{ 0x3099, 0x309a },	/* kana */
		{ 0xfe00, 0xfe0f },	/* variants */
		{ 0xfe20, 0xfe2f },	/* half marks */
		{ 0xe0100, 0xe01ef },	/* variants */
	};
	static const struct range wide[] = {
		{ 0x1100, 0x115f },	/* Hangul Jamo */
		{ 0x2e80, 0x303e },	/* radicals, punctuation */
		{ 0x3041, 0x4dbf },	/* kana, compatibility, ideographs */
		{ 0x4e00, 0xa4cf },	/* ideographs, Yi */
		{ 0xa960, 0xa97f },	/* Hangul Jamo */
		{ 0xac00, 0xd7a3 },	/* Hangul */
		{ 0xf900, 0xfaff },	/* ideographs */
		{ 0xfe30, 0xfe6f },	/* forms of punctuation */
		{ 0xff01, 0xff60 },	/* full width */
		{ 0xffe0, 0xffe6 },
		{ 0x1f300, 0x1f64f },	/* pictures, faces */
		{ 0x1f680, 0x1f6ff },
		{ 0x1f900, 0x1faff },
		{ 0x20000, 0x3fffd },	/* ideographs */
	};

	if (character < combining[0].first)
		return 1;
	if (is_in(character, combining, ARRAY_SIZE(combining)))
		return 0;
	return 1 + is_in(character, wide, ARRAY_SIZE(wide));
}

unsigned int utf8_next_width(const char *text, size_t len, size_t *ret_bytes)
{
	uint32_t character;
	size_t bytes = utf8_decode(text, len, &character);

	*ret_bytes = bytes ?: 1;
	return bytes ? utf8_width(character) : 1;
}

size_t utf8_shown(const char *text, size_t len)
{
	uint32_t character;
	size_t bytes = utf8_decode(text, len, &character);

	return bytes && utf8_is_shown(character) ? bytes : 0;
}

void utf8_hide(char *text, size_t len, char keep)
{
	for (size_t i = 0, bytes; i < len; i += bytes ?: 1) {
		bytes = utf8_is_plain(text[i]) ? 1 : utf8_shown(text + i, len - i);
		if (!bytes && (!keep || text[i] != keep))
			text[i] = '?';
	}
}

size_t utf8_whole(const char *text, size_t len)
{
	unsigned char first;
	size_t start = len;

	while (start && len - start < 3 && utf8_is_continuation(text[start - 1]))
		start--;
	if (!start)
		return len;
	first = text[start - 1];
	/* What begins with it takes more bytes than there are. */
	if (first >= 0xc2 && first < 0xf5 && len - (start - 1) < (first >= 0xf0 ? 4u : first >= 0xe0 ? 3u : 2u))
		return start - 1;
	return len;
}
