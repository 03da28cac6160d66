// SPDX-License-Identifier: BSD-2-Clause
/* Names for the functions that values point to. */
#include "util/view/values/value_symbol.h"

#include <inttypes.h>

#include "util/kernel/symbols/symbolizer.h"

void value_symbols_release(struct value_symbols *symbols)
{
	strbuf_release(&symbols->text);
}

const char *value_symbol(void *arg, uint64_t addr)
{
	struct value_symbols *symbols = arg;
	const struct symbol *symbol = symbolizer_symbol(symbols->symbolizer, addr);

	if (!symbol)
		return NULL;
	strbuf_reset(&symbols->text);
	strbuf_addstr(&symbols->text, symbol->name);
	if (addr != symbol->addr)
		strbuf_addf(&symbols->text, "+0x%" PRIx64, addr - symbol->addr);
	if (symbol->module)
		strbuf_addf(&symbols->text, " [%s]", symbol->module);
	return strbuf_str(&symbols->text);
}
