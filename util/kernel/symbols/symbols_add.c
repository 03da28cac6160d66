// SPDX-License-Identifier: BSD-2-Clause
/* Symbol tables filled symbol by symbol, from a recording. */
#include "util/kernel/symbols/symbols.h"

#include <errno.h>
#include <string.h>

#include "util/kernel/symbols/symbols_internal.h"

/* Looking for a module's name takes time by their number. No machine has that many. */
#define MAX_MODULES 1024

static int fill_table(struct symbols *symbols, symbol_vec *now, const struct symbol *added,
		      size_t nr)
{
	if (vec_reserve(now, nr))
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		const char *module = added[i].module;

		if (module && !symbols_intern_module(symbols, module, strlen(module)))
			return -ENOMEM;
		if (symbols->modules.len > MAX_MODULES)
			return -E2BIG;
		now->data[now->len++] = added[i];
	}
	return symbols_sort(now);
}

int symbols_add(struct symbols *symbols, const struct symbol *added, size_t nr)
{
	struct symbols now = {};
	symbol_vec merged = VEC_INIT;
	bool changed;
	int err;

	if (!nr)
		return 0;
	err = fill_table(symbols, &now.all, added, nr);
	err = err ?: symbols_merge(symbols, &now, &merged, &changed);
	vec_release(&now.all);
	if (err)
		return err;
	symbols->additions++;
	free(symbols->all.data);
	symbols->all.data = merged.data;
	symbols->all.len = merged.len;
	symbols->all.cap = merged.cap;
	symbols_forget_names(symbols);
	return 0;
}

unsigned int symbols_additions(const struct symbols *symbols)
{
	return symbols->additions;
}
