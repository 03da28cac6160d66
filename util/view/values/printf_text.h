/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text of the kernel's printf(): a format with its known arguments. Extensions of `%p`, which
 * read memory in the kernel, are shown as pointers.
 */
#ifndef RETSNOOP_VIEW_VALUES_PRINTF_TEXT_H
#define RETSNOOP_VIEW_VALUES_PRINTF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

struct value_format;

/* The word passed for one argument. */
struct printf_word {
	uint64_t value;
	const char *text;	/* the string that it leads to; NULL: none, or not known */
	size_t len;
	bool cut;		/* the text was cut */
};

struct printf_call {
	const char *format;
	size_t len;
	bool cut;		/* the format was cut */
	const struct printf_word *words;
	uint32_t nr;		/* number of words; "…" is shown for further ones */
};

/* Whether the format uses any arguments. */
bool printf_takes_words(const char *format, size_t len);

/* Append the text without escapes: value_string_add() makes it safe for a terminal. */
void printf_text_add(struct strbuf *sb, const struct value_format *format,
		     const struct printf_call *call);

#endif
