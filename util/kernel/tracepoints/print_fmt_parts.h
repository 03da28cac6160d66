/* SPDX-License-Identifier: BSD-2-Clause */
/* What print fmts are translated from, and into. */
#ifndef RETSNOOP_KERNEL_TRACEPOINTS_PRINT_FMT_PARTS_H
#define RETSNOOP_KERNEL_TRACEPOINTS_PRINT_FMT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/kernel/tracepoints/print_expr.h"

/* A field of the tracepoint; texts are in that of its format. */
struct print_fmt_field {
	const char *name;
	size_t len;
	const char *type;	/* "__data_loc char[]", "const char *", "u8" of an array of them */
	size_t type_len;
	uint32_t offset, size;
	bool is_signed, array, dynamic;
};

/* The fields that stand for numbers begin with this; the first is PRINT_VALUE "0". */
#define PRINT_VALUE "retsnoop_value_"

struct print_fmt_value {
	int node;
	bool precision;	/* of a string: libtraceevent must not get a negative one */
	bool character;	/* a string of one character: libtraceevent does not know "%c" */
};

struct print_fmt {
	struct strbuf text;	/* for libtraceevent */
	struct print_expr expr;
	VEC(struct print_fmt_value) values;	/* one for each field for a number */
};

#define PRINT_FMT_INIT { .text = STRBUF_INIT }

#endif
