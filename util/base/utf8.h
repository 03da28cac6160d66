/* SPDX-License-Identifier: BSD-2-Clause */
/* UTF-8 characters in any bytes, and whether a terminal only shows them. */
#ifndef RETSNOOP_BASE_UTF8_H
#define RETSNOOP_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a byte continues a character; every other byte begins one. */
static inline bool utf8_is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Whether a character is printable ASCII, as in most text. */
static inline bool utf8_is_plain(char c)
{
	return c >= ' ' && c <= '~';
}

/* The number of such characters at the beginning of @text. */
static inline size_t utf8_plain(const char *text)
{
	size_t len = 0;

	while (utf8_is_plain(text[len]))
		len++;
	return len;
}

/* Bytes of the character at @text; 0: no character that is complete in @len bytes. */
size_t utf8_decode(const char *text, size_t len, uint32_t *ret_character);

/*
 * Whether a terminal, or a browser, shows the character and does nothing else: no control
 * character (C0, C1, DEL), no line separator, no mark that changes the direction of text or has
 * no width.
 */
bool utf8_is_shown(uint32_t character);

/*
 * Columns of a terminal that the character takes: 0 for combining ones, 2 for wide ones of East Asia
 * and emoji. Only the main ranges are known.
 */
unsigned int utf8_width(uint32_t character);

/* The same of @text's first character, of *@ret_bytes bytes; a byte that is part of none takes 1. */
unsigned int utf8_next_width(const char *text, size_t len, size_t *ret_bytes);

/* Bytes of the character at @text if a terminal shows it; else 0. */
size_t utf8_shown(const char *text, size_t len);

/* The length of text that was cut after @len bytes, without a character of which only the first bytes are left. */
size_t utf8_whole(const char *text, size_t len);

/* Replace each byte of all other characters by '?'. @keep: a character to keep; 0 none */
void utf8_hide(char *text, size_t len, char keep);

#endif
