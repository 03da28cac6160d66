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

void strbuf_reset(struct strbuf *sb)
{
	sb->len = 0;
	sb->failed = false;
	if (sb->s)
		sb->s[0] = '\0';
}

/* Room for @extra more bytes and the NUL. */
static bool strbuf_grow(struct strbuf *sb, size_t extra)
{
	size_t need = sb->len + extra + 1, cap = sb->cap ?: 64;
	char *s;

	if (need <= sb->cap)
		return true;
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

void strbuf_addch(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void strbuf_addstr(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, args);
	if (n >= 0 && strbuf_grow(sb, n)) {
		vsnprintf(sb->s + sb->len, n + 1, fmt, again);
		sb->len += n;
	}
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
