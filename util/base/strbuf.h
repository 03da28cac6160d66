/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A growing string. Appending never fails in the middle of a line: when memory runs out the
 * buffer keeps what it has and `failed` is set, for one check at the end.
 */
#ifndef RETSNOOP_BASE_STRBUF_H
#define RETSNOOP_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "util/base/macros.h"

struct strbuf {
	char *s;	/* NUL-terminated, or NULL while empty */
	size_t len;
	size_t cap;
	bool failed;
};

#define STRBUF_INIT { NULL, 0, 0, false }

void strbuf_release(struct strbuf *sb);
void strbuf_reset(struct strbuf *sb);
void strbuf_addch(struct strbuf *sb, char c);
void strbuf_addstr(struct strbuf *sb, const char *s);
void strbuf_add(struct strbuf *sb, const void *data, size_t len);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) _printf_(2, 3);
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list args);
/* @n copies of @c; none when @n is not positive. */
void strbuf_pad(struct strbuf *sb, int n, char c);
/* The text so far, never NULL; valid until the buffer changes. */
const char *strbuf_str(const struct strbuf *sb);

/* A heap copy of the printf output, NULL when out of memory; free() it. */
char *strf(const char *fmt, ...) _printf_(1, 2);

#endif
