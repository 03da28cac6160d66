/* SPDX-License-Identifier: BSD-2-Clause */
/* Characters in bytes that came from anywhere, and which of them a terminal only shows. */
#ifndef RETSNOOP_BASE_TEXT_UTF8_H
#define RETSNOOP_BASE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A byte that continues a character; every other byte begins one. */
static inline bool utf8_is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Printable ASCII, which most text is. */
static inline bool utf8_is_plain(char c)
{
	return c >= ' ' && c <= '~';
}

/* How many of them @text begins with. */
static inline size_t utf8_plain(const char *text)
{
	size_t len = 0;

	while (utf8_is_plain(text[len]))
		len++;
	return len;
}

/* Bytes of the character at @text; 0: no character begins there that is all in @len bytes. */
size_t utf8_decode(const char *text, size_t len, uint32_t *ret_character);

/*
 * Whether a terminal, or a browser, shows the character and does nothing else: no control (C0, C1,
 * DEL), no separator of lines, no mark that turns the direction of text or has no width.
 */
bool utf8_is_shown(uint32_t character);

/* Bytes of the character at @text if it is one that is shown; else 0. */
size_t utf8_shown(const char *text, size_t len);

/* Put '?' in place of each byte of all others. @keep: one of those that stays; 0 none */
void utf8_hide(char *text, size_t len, char keep);

#endif
