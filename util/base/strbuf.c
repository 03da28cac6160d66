// SPDX-License-Identifier: BSD-2-Clause
/* Growing strings. */
#include "util/base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void strbuf_release(struct strbuf *sb)
{
	free(sb->s);
	*sb = (struct strbuf)STRBUF_INIT;
}

void strbuf_clear(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->s)
		sb->s[0] = '\0';
}

void strbuf_reset(struct strbuf *sb)
{
	strbuf_clear(sb);
	sb->failed = false;
}

bool strbuf_grow_to(struct strbuf *sb, size_t need)
{
	size_t cap = sb->cap ?: 64;
	char *s;

	while (cap < need)
		cap *= 2;
	s = realloc(sb->s, cap);
	if (!s) {
		sb->failed = true;
		return false;
	}
	sb->s = s;
	sb->cap = cap;
	return true;
}

void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	if (!strbuf_grow(sb, len))
		return;
	if (len)
		memcpy(sb->s + sb->len, data, len);
	sb->len += len;
	sb->s[sb->len] = '\0';
}

/* @min	as many digits are there at least */
static inline void add_digits(struct strbuf *sb, uint64_t value, unsigned int base,
			      unsigned int min)
{
	char digits[20], *end = digits + sizeof(digits), *at = end;

	do {
		*--at = "0123456789abcdef"[value % base];
		value /= base;
	} while (value || at > end - min);
	strbuf_add(sb, at, end - at);
}

void strbuf_adduint(struct strbuf *sb, uint64_t value)
{
	add_digits(sb, value, 10, 1);
}

void strbuf_adduint_wide(struct strbuf *sb, uint64_t value, unsigned int digits)
{
	add_digits(sb, value, 10, digits);
}

void strbuf_addhex(struct strbuf *sb, uint64_t value)
{
	add_digits(sb, value, 16, 1);
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list args)
{
	size_t room = sb->cap - sb->len;
	va_list again;
	int n;

	/* Most of it fits where it belongs, and is done then. */
	va_copy(again, args);
	n = vsnprintf(sb->s ? sb->s + sb->len : NULL, room, fmt, args);
	if (n >= 0 && (size_t)n >= room) {
		n = strbuf_grow(sb, n) ? vsnprintf(sb->s + sb->len, n + 1, fmt, again) : 0;
		if (!n && sb->s)
			sb->s[sb->len] = '\0';
	}
	if (n > 0)
		sb->len += n;
	va_end(again);
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(sb, fmt, args);
	va_end(args);
}

void strbuf_pad(struct strbuf *sb, int n, char c)
{
	if (n <= 0 || !strbuf_grow(sb, n))
		return;
	memset(sb->s + sb->len, c, n);
	sb->len += n;
	sb->s[sb->len] = '\0';
}

const char *strbuf_str(const struct strbuf *sb)
{
	return sb->s ?: "";
}

char *strf(const char *fmt, ...)
{
	va_list args;
	char *s;
	int n;

	va_start(args, fmt);
	n = vasprintf(&s, fmt, args);
	va_end(args);
	return n < 0 ? NULL : s;
}
