/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of print fmts: the part of print_fmt.c that parses C expressions. */
#ifndef RETSNOOP_KERNEL_TRACEPOINTS_PRINT_TERM_H
#define RETSNOOP_KERNEL_TRACEPOINTS_PRINT_TERM_H

#include "util/base/text/scan.h"
#include "util/kernel/tracepoints/print_fmt_parts.h"

/* What a part of an argument is. */
enum kind {
	NUMBER,	/* @node */
	STRING,	/* @text prints it */
	DATA,	/* @text is a field, an array or a struct, whose bytes are printed */
};

struct term {
	enum kind kind;
	int node;
	const char *text;
	const struct print_fmt_field *field;	/* of DATA */
	bool unknown;				/* a NUMBER with a name whose value is not known */
};

struct fmt {
	struct scan s;
	const struct print_fmt_field *fields;
	size_t nr_fields;
	struct print_fmt *out;
	VEC(char *) texts; /* owned; of terms */
	int depth;
	bool bad;
};

/* These return false where they refuse, and then `bad` is set. */

/* Read an expression, which is all of an argument or a part of one. */
bool take_expression(struct fmt *f, struct term *t);

/* Append one or more string literals, which C joins, without quotes. @format: with escapes. */
bool take_strings(struct fmt *f, struct strbuf *sb, bool format);

/* What stands for a number in libtraceevent's print fmt; *ret is to be freed. */
bool number_text(struct fmt *f, const struct term *t, char **ret);

static inline bool refuse_fmt(struct fmt *f)
{
	f->bad = true;
	return false;
}

#endif
