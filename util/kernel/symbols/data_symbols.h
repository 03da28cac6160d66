/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of the running kernel's variables (and functions) by address: symbols.h has only code.
 * The first look-up of each address goes through all symbols.
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_DATA_SYMBOLS_H
#define RETSNOOP_KERNEL_SYMBOLS_DATA_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"

struct btf;

struct data_symbol {
	uint64_t addr;
	char *name;	/* NULL: no variable begins there */
};

/* Starts zeroed. */
struct data_symbols {
	const char *path;	/* for tests: read this instead of the kernel's; NULL; borrowed */
	const struct btf *types; /* of the kernel; borrowed; NULL: its memory is not read for modules */
	VEC(struct data_symbol) v;
};

/* Whether a number may be the address of a variable: all are near the kernel's code, at @code. */
bool data_symbol_is_near(uint64_t number, uint64_t code);

/* The variable that begins at @addr; NULL: none, not known, or out of memory. Valid until release. */
const char *data_symbol_name(struct data_symbols *symbols, uint64_t addr);
void data_symbols_release(struct data_symbols *symbols);

#endif
