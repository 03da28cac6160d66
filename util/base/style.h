/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A few colours. Text is measured and padded before it is styled: escapes have bytes, but no
 * columns.
 */
#ifndef RETSNOOP_BASE_STYLE_H
#define RETSNOOP_BASE_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "util/base/strbuf.h"

enum style {
	STYLE_NONE,
	STYLE_BAD,	/* errors: red */
	STYLE_GOOD,	/* results that are no errors, and checks that passed: green */
	STYLE_DOUBT,	/* warnings, and missing things: yellow */
	STYLE_NAME,	/* traced functions, headings: bold */
	STYLE_PLACE,	/* places in source: cyan */
	STYLE_VALUE,	/* names of arguments and fields, before their values: magenta */
	STYLE_ASIDE,	/* less important text, such as times: dim */
};

/* Append @len bytes in a style; plain without @color. Empty text gets no escapes. */
void style_add_bytes(struct strbuf *sb, bool color, enum style style, const char *text, size_t len);
void style_add(struct strbuf *sb, bool color, enum style style, const char *text);

/* Print in a style; the text must have no line end. */
void style_print(FILE *out, bool color, enum style style, const char *fmt, ...)
	_printf_(4, 5);

/* Style the text appended since @from, line by line, without spaces at the lines' ends. */
void style_since(struct strbuf *sb, size_t from, bool color, enum style style);

#endif
