/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks print fmts of tracepoints that do not come from the running kernel. */
#ifndef RETSNOOP_KERNEL_TYPES_PRINT_FMT_H
#define RETSNOOP_KERNEL_TYPES_PRINT_FMT_H

#include <stdbool.h>
#include <stddef.h>

/* A field of the tracepoint; strings are in the text of its format. */
struct print_fmt_field {
	const char *name;
	size_t len;
};

/*
 * Whether the text after "print fmt: " has the form that kernels use: a format string of plain
 * conversions, and C expressions of existing fields with the few functions of print fmts, not
 * nested deeper than in kernels. libtraceevent was written for kernels' texts, and must not get
 * others.
 */
bool print_fmt_is_plain(const char *text, size_t size, const struct print_fmt_field *fields,
			size_t nr_fields);

#endif
