/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A growing string. Appending never fails in the middle of a line: if memory runs out, the buffer
 * keeps its text and `failed` is set, for one check at the end.
 */
#ifndef RETSNOOP_BASE_STRBUF_H
#define RETSNOOP_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "util/base/macros.h"

struct strbuf {
	char *s;	/* NUL-terminated, or NULL while empty */
	size_t len;
	size_t cap;
	bool failed;
};

#define STRBUF_INIT { NULL, 0, 0, false }

void strbuf_release(struct strbuf *sb);
/* Empty it, for another text. */
void strbuf_reset(struct strbuf *sb);
/* Empty it, for the next part of the same output: `failed` stays. */
void strbuf_clear(struct strbuf *sb);
void strbuf_add(struct strbuf *sb, const void *data, size_t len);
/* Append a decimal number, and a hexadecimal one without "0x". Fast: views write millions. */
void strbuf_adduint(struct strbuf *sb, uint64_t value);
/* With leading zeros up to @digits, at most 20. */
void strbuf_adduint_wide(struct strbuf *sb, uint64_t value, unsigned int digits);
void strbuf_addhex(struct strbuf *sb, uint64_t value);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) _printf_(2, 3);
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list args);
/* @n copies of @c; none if @n is not positive. */
void strbuf_pad(struct strbuf *sb, int n, char c);
/* The text so far, never NULL; valid until the buffer changes. */
const char *strbuf_str(const struct strbuf *sb);

/* Only for strbuf_grow(): room for @need bytes in all, or false and `failed`. */
bool strbuf_grow_to(struct strbuf *sb, size_t need);

/* Room for @extra more bytes and the NUL. */
static inline bool strbuf_grow(struct strbuf *sb, size_t extra)
{
	return sb->len + extra < sb->cap || strbuf_grow_to(sb, sb->len + extra + 1);
}

static inline void strbuf_addch(struct strbuf *sb, char c)
{
	if (!strbuf_grow(sb, 1))
		return;
	sb->s[sb->len++] = c;
	sb->s[sb->len] = '\0';
}

static inline void strbuf_addstr(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

/* The printf output on the heap; NULL: out of memory. free() it. */
char *strf(const char *fmt, ...) _printf_(1, 2);

#endif
