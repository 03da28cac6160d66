/* SPDX-License-Identifier: BSD-2-Clause */
/* Names for the functions that values point to. */
#ifndef RETSNOOP_VIEW_VALUES_VALUE_SYMBOL_H
#define RETSNOOP_VIEW_VALUES_VALUE_SYMBOL_H

#include <stdint.h>

#include "util/base/strbuf.h"

struct symbolizer;

/* Starts zeroed, except for the symbolizer, which is borrowed. */
struct value_symbols {
	struct symbolizer *symbolizer;
	struct strbuf text;
};

void value_symbols_release(struct value_symbols *symbols);

/*
 * For struct value_format, with a struct value_symbols as its argument: "filldir64",
 * "dummy_xmit+0x4 [dummy]"; NULL: no function. Borrowed until the next call.
 */
const char *value_symbol(void *arg, uint64_t addr);

#endif
