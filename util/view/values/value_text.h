/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers, pointers and strings in values, and how values are shown. */
#ifndef RETSNOOP_VIEW_VALUES_VALUE_TEXT_H
#define RETSNOOP_VIEW_VALUES_VALUE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

/* -C args.fmt-mode */
enum value_mode {
	VALUE_COMPACT,		/* all arguments on the line of their call */
	VALUE_MULTILINE,	/* a line for each argument */
	VALUE_VERBOSE,		/* a line for each member, with its type */
};

struct value_format {
	enum value_mode mode;
	uint32_t max_width;	/* columns, except with VALUE_VERBOSE; 0: no limit */
	uint32_t indent;	/* VALUE_VERBOSE: columns before all lines but the first */
	/*
	 * The function at an address: "name", "name+0x10" (borrowed until the next call), or NULL.
	 */
	const char *(*symbol)(void *arg, uint64_t addr);
	void *symbol_arg;
};

enum value_base { VALUE_BASE_BY_SIZE, VALUE_BASE_HEX, VALUE_BASE_OCTAL };

/* Append a number of @bits bits. @n is sign-extended if it has a sign. */
void value_number_add(struct strbuf *sb, uint64_t n, bool is_signed, unsigned int bits,
		      enum value_base base);

/* NULL, -EINVAL, 0xffff888126ae9100; for functions "do_exit". */
void value_pointer_add(struct strbuf *sb, const struct value_format *format, uint64_t pointer,
		       bool function);

/* Whether all bytes are characters. @cut: the text was cut, perhaps within a character. */
bool value_is_text(const uint8_t *text, size_t len, bool cut);

/* In quotes, with escapes for other bytes. @cut: the text was cut. */
void value_string_add(struct strbuf *sb, const void *text, size_t len, bool cut);

/* The same for `unsigned char` that a pointer leads to: as numbers if it is no text. */
void value_bytes_add(struct strbuf *sb, const void *bytes, size_t len, bool cut);

/* Cut the text in @sb from @start on to @columns, of which the last becomes "…". */
void value_cut(struct strbuf *sb, size_t start, uint32_t columns);

#endif
