/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A format of the kernel's printf() with its arguments, as far as they are known. What it does not
 * say is what the kernel would look up behind `%p`: that stays a pointer.
 */
#ifndef RETSNOOP_VIEW_VALUES_PRINTF_TEXT_H
#define RETSNOOP_VIEW_VALUES_PRINTF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

struct value_format;

/* What was passed in the place of one argument. */
struct printf_word {
	uint64_t value;
	const char *text;	/* what it leads to, if it is a string; NULL: not known */
	size_t len;
	bool cut;		/* the text goes on */
};

struct printf_call {
	const char *format;
	size_t len;
	bool cut;		/* the format goes on */
	const struct printf_word *words;
	uint32_t nr;		/* of words; for what lies beyond "…" is shown */
};

/* Whether the format takes any arguments at all. */
bool printf_takes_words(const char *format, size_t len);

/* The text as it is, not escaped: value_string_add() makes it fit for a terminal. */
void printf_text_add(struct strbuf *sb, const struct value_format *format,
		     const struct printf_call *call);

#endif
