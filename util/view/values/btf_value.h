/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Values of BTF's types as text:
 *
 *	{.usage={.counter=8},.uid={.val=1001},.securebits=0x2000000,.name="kworker",…}
 *
 * Members that are all zero are left out. "…" stands for what was not captured. Neither types nor
 * data need make sense, and what they say is not followed for long.
 */
#ifndef RETSNOOP_VIEW_VALUES_BTF_VALUE_H
#define RETSNOOP_VIEW_VALUES_BTF_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

struct btf;

/* -C args.fmt-mode */
enum value_mode {
	VALUE_COMPACT,		/* all arguments on the line of their call */
	VALUE_MULTILINE,	/* a line for each argument */
	VALUE_VERBOSE,		/* a line for each member, with its type */
};

struct value_format {
	enum value_mode mode;
	uint32_t max_width;	/* columns, but for VALUE_VERBOSE; 0: no limit */
	uint32_t indent;	/* VALUE_VERBOSE: columns in front of the lines behind the first */
	/* The function at an address: "name", "name+0x10" (borrowed until the next call), or NULL. */
	const char *(*symbol)(void *arg, uint64_t addr);
	void *symbol_arg;
};

struct value {
	const struct btf *btf;	/* NULL: a number without a type, of `len` bytes */
	uint32_t type;
	const char *name;	/* of the argument: "flags" are hexadecimal; may be NULL */
	const uint8_t *data;	/* little endian */
	size_t len;		/* may be less than the type takes */
	uint8_t bit_offset;	/* of a bitfield, */
	uint8_t bits;		/* and its bits; 0: none */
	bool is_signed;		/* a number without a type is */
};

void value_add(struct strbuf *sb, const struct value_format *format, const struct value *value);

/* NULL, -EINVAL, 0xffff888126ae9100; of functions "do_exit". */
void value_pointer_add(struct strbuf *sb, const struct value_format *format, uint64_t pointer,
		       bool function);

/* In quotes, what is no text escaped. @cut: it goes on. */
void value_string_add(struct strbuf *sb, const void *text, size_t len, bool cut);

/* The same of `unsigned char`, which a pointer led to: as numbers if it is no text. */
void value_bytes_add(struct strbuf *sb, const void *bytes, size_t len, bool cut);

/* The type's name in C: "const struct file *". */
void value_type_add(struct strbuf *sb, const struct btf *btf, uint32_t type);

/* Cuts what is in @sb from @start on to that many columns, the last of which is then "…". */
void value_cut(struct strbuf *sb, size_t start, uint32_t columns);

#endif
