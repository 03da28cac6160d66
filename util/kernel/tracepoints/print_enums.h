/* SPDX-License-Identifier: BSD-2-Clause */
/* Enumerators in print fmts, whose values tracefs leaves to whoever reads it. */
#ifndef RETSNOOP_KERNEL_TRACEPOINTS_PRINT_ENUMS_H
#define RETSNOOP_KERNEL_TRACEPOINTS_PRINT_ENUMS_H

struct btf;
struct print_enums;

/* @types: the kernel's BTF, which must outlive it. They are read when they are needed. NULL: none. */
struct print_enums *print_enums_new(const struct btf *types);
void print_enums_free(struct print_enums *enums);

/**
 * Put numbers in place of enumerators in the print fmt of a format file, as the kernel does where its
 * sources ask for it (TRACE_DEFINE_ENUM): those in { NAME, "text" }, and others of capitals. One that two
 * enums have with different values stays.
 *
 * @return	the text, to be freed; NULL: it would be the same, or memory is out
 */
char *print_enums_resolve(struct print_enums *enums, const char *format);

#endif
