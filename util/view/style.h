/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Colours, as few as will do. Text is measured and padded first and styled then: escapes take bytes
 * but no columns.
 */
#ifndef RETSNOOP_VIEW_STYLE_H
#define RETSNOOP_VIEW_STYLE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/base/strbuf.h"

enum style {
	STYLE_NONE,
	STYLE_BAD,	/* errors: red */
	STYLE_GOOD,	/* green */
	STYLE_DOUBT,	/* yellow */
	STYLE_NAME,	/* what stands out: bold */
	STYLE_ADDED,	/* ours, in other people's text: cyan */
	STYLE_ASIDE,	/* what stands back: dim */
};

/* Append @len bytes in a style; plain without @color. Nothing is put around nothing. */
void style_add_bytes(struct strbuf *sb, bool color, enum style style, const char *text, size_t len);
void style_add(struct strbuf *sb, bool color, enum style style, const char *text);

/* Give what was appended since @from a style, line by line; spaces at their ends stay outside. */
void style_since(struct strbuf *sb, size_t from, bool color, enum style style);

#endif
