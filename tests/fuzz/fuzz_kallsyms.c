// SPDX-License-Identifier: BSD-2-Clause
/*
 * The kernel's lists in /proc and tracefs: an input is /proc/kallsyms, the same later,
 * /proc/modules, available_filter_functions and the blacklist of kprobes, with NULs between.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/kernel/symbols/symbols_internal.h"
#include "util/kernel/traceable.h"

#define MAX_LOOKUPS 200

static void look_up(const struct symbols *symbols)
{
	const struct symbol *all, *first;
	const struct symbol *const *named;
	size_t nr = symbols_all(symbols, &all);

	for (size_t i = 0; i < nr && i < MAX_LOOKUPS; i++) {
		if (i && all[i].addr < all[i - 1].addr)
			abort();
		if (!symbols_aliases(symbols, all[i].addr, &first) ||
		    !symbols_named(symbols, all[i].name, &named))
			abort();
		symbols_at(symbols, all[i].addr);
		symbols_at(symbols, all[i].addr + all[i].size);
		symbols_at(symbols, all[i].addr - 1);
	}
	symbols_named(symbols, "", &named);
	symbols_tables(symbols);
}

static void use_traceable(const struct symbols *symbols, char *functions, char *blacklist,
			  bool with_addrs)
{
	struct traceable_text text = { strdup(functions), with_addrs, strdup(blacklist) };
	struct traceable *traceable;
	const struct symbol *all;
	size_t nr = symbols_all(symbols, &all);

	if (!traceable_parse(symbols, &text, &traceable)) {
		for (size_t i = 0; i < nr && i < MAX_LOOKUPS; i++) {
			traceable_has(traceable, all[i].addr);
			traceable_is_blacklisted(traceable, all[i].addr);
		}
		traceable_free(traceable);
	}
	traceable_text_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static struct fuzz_file kallsyms, modules;
	struct wire wire = wire_of(input, size);
	struct symbols *symbols;
	char *texts[5];

	fuzz_quiet();
	for (int i = 0; i < 5; i++)
		texts[i] = fuzz_text(&wire, '\0');
	fuzz_file_write(&kallsyms, texts[0], strlen(texts[0]));
	fuzz_file_write(&modules, texts[2], strlen(texts[2]));
	if (!symbols_load_kallsyms_from(kallsyms.path, modules.path, &symbols)) {
		look_up(symbols);
		use_traceable(symbols, texts[3], texts[4], size & 1);
		fuzz_file_write(&kallsyms, texts[1], strlen(texts[1]));
		symbols_refresh(symbols);
		look_up(symbols);
		symbols_free(symbols);
	}
	for (int i = 0; i < 5; i++)
		free(texts[i]);
	return 0;
}
