/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Values of BTF's types as text:
 *
 *	{.usage={.counter=8},.uid={.val=1001},.securebits=0x2000000,.name="kworker",…}
 *
 * Members that are all zero are left out. "…" stands for what was not captured. Types and data
 * are not trusted: they are followed only to a limited depth.
 */
#ifndef RETSNOOP_VIEW_VALUES_BTF_VALUE_H
#define RETSNOOP_VIEW_VALUES_BTF_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/view/values/value_text.h"

struct btf;

struct value {
	const struct btf *btf;	/* NULL: a number of `len` bytes, without a type */
	uint32_t type;
	const char *name;	/* of the argument: "flags" are hexadecimal; may be NULL */
	const uint8_t *data;	/* little endian */
	size_t len;		/* may be less than the type's size */
	uint8_t bit_offset;	/* of a bitfield, */
	uint8_t bits;		/* and its bits; 0: none */
	bool is_signed;		/* a number without a type is signed */
};

void value_add(struct strbuf *sb, const struct value_format *format, const struct value *value);

#endif
