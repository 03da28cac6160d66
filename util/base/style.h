/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Colours, as few as will do. Text is measured and padded first and styled then: escapes take bytes
 * but no columns.
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
	STYLE_GOOD,	/* results that are none, and what is in order: green */
	STYLE_DOUBT,	/* warnings, and what is missing: yellow */
	STYLE_NAME,	/* functions that are traced, headings: bold */
	STYLE_PLACE,	/* places in source: cyan */
	STYLE_VALUE,	/* names of arguments and fields, before their values: magenta */
	STYLE_ASIDE,	/* what stands back, times among it: dim */
};

/* Append @len bytes in a style; plain without @color. Nothing is put around nothing. */
void style_add_bytes(struct strbuf *sb, bool color, enum style style, const char *text, size_t len);
void style_add(struct strbuf *sb, bool color, enum style style, const char *text);

/* Print in a style; nothing with a line end in it. */
void style_print(FILE *out, bool color, enum style style, const char *fmt, ...)
	_printf_(4, 5);

/* Give what was appended since @from a style, line by line; spaces at their ends stay outside. */
void style_since(struct strbuf *sb, size_t from, bool color, enum style style);

#endif
