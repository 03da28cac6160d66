/* SPDX-License-Identifier: BSD-2-Clause */
/* Print fmts of tracepoints that came from elsewhere. */
#ifndef RETSNOOP_KERNEL_TYPES_PRINT_FMT_H
#define RETSNOOP_KERNEL_TYPES_PRINT_FMT_H

#include <stdbool.h>
#include <stddef.h>

/* A field of the tracepoint; in the text of its format. */
struct print_fmt_field {
	const char *name;
	size_t len;
};

/*
 * Whether what stands behind "print fmt: " is built as kernels build it: a format string of plain
 * conversions, and expressions of C on fields that there are, with the few functions that print
 * fmts have, no deeper nested than those are. libtraceevent, which was made for kernels', is not to
 * be given anything else.
 */
bool print_fmt_is_plain(const char *text, size_t size, const struct print_fmt_field *fields,
			size_t nr_fields);

#endif
