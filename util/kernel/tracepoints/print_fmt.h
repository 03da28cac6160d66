/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Print fmts of tracepoints, made such that libtraceevent prints what the kernel prints.
 *
 * libtraceevent takes every number as unsigned and of 64 bits, names that it does not know as 0,
 * and `a & (b | c)` as `(a & b) | c`. So it does not compute: each number of a print fmt becomes
 * a field of the record, whose value is computed here (print_expr.h). Forms that it prints
 * otherwise than the kernel in other ways, and forms that it was not written for, are refused.
 */
#ifndef RETSNOOP_KERNEL_TRACEPOINTS_PRINT_FMT_H
#define RETSNOOP_KERNEL_TRACEPOINTS_PRINT_FMT_H

#include <stdbool.h>
#include <stddef.h>

#include "util/kernel/tracepoints/print_fmt_parts.h"

/**
 * Translate the text after "print fmt: ".
 *
 * It must have the form that kernels use: a format string of plain conversions, and C expressions
 * of existing fields with the few functions of print fmts, not nested deeper than in kernels. A
 * name in a list of flags or symbols whose value is not known is left out of the list. A number
 * that takes such a name, as the kernel's variable jiffies, is printed as "?".
 *
 * @ret		PRINT_FMT_INIT; release in any case
 * @return	false: the fields have to be shown instead
 */
bool print_fmt_compile(const char *text, size_t size, const struct print_fmt_field *fields,
		       size_t nr_fields, struct print_fmt *ret);

void print_fmt_release(struct print_fmt *fmt);

#endif
