// SPDX-License-Identifier: BSD-2-Clause
/* UTF-8 (RFC 3629). */
#include "util/base/text/utf8.h"

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

bool utf8_is_shown(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
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

	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++) {
		if (character >= hidden[i].first && character <= hidden[i].last)
			return false;
	}
	return true;
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
