/* SPDX-License-Identifier: BSD-2-Clause */
/* Suffixes that compilers append to the names of functions: "foo.llvm.123", "foo.isra.0.part.1". */
#ifndef RETSNOOP_KERNEL_TYPES_SYMBOL_VARIANT_H
#define RETSNOOP_KERNEL_TYPES_SYMBOL_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

enum symbol_variant {
	VARIANT_NONE,		/* nothing is appended */
	VARIANT_RENAMED,	/* the function itself: ".llvm.N", ".lto_priv.N" */
	VARIANT_CLONE,		/* a copy with the same results: ".constprop.N" */
	VARIANT_CHANGED,	/* it may return something else, or nothing: ".isra.N", ".part.N" */
	VARIANT_COLD,		/* no function, only a part of one: ".cold" */
};

enum symbol_variant symbol_variant(const char *name);

/* The length of a name without a suffix of link-time optimisation, as in VARIANT_RENAMED. */
size_t symbol_known_length(const char *name);

/*
 * Whether a name in a module's symbol table is none of a function or variable, but marks code or data
 * inside of it, for the linker: "$x", "$d", ".L12", "L0". By the kernel's own rule
 * (is_mapping_symbol() in include/linux/module_symbol.h).
 */
bool symbol_is_mapping(const char *name, size_t len);

#define SYMBOL_NAME_SIZE 512	/* KSYM_NAME_LEN, since 6.1 */

/* Copy the name without such a suffix. False: it has none, and nothing was copied. */
bool symbol_known_name(const char *name, char known[SYMBOL_NAME_SIZE]);

#endif
