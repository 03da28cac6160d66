/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels made up for tests: symbols and traceable functions from texts in the kernel's formats. */
#ifndef RETSNOOP_TESTS_KERNEL_FIXTURE_H
#define RETSNOOP_TESTS_KERNEL_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/kernel/symbols/symbols.h"
#include "util/kernel/symbols/symbols_internal.h"
#include "util/kernel/traceable.h"

static inline struct symbols *make_symbols(const char *kallsyms)
{
	char path[] = "/tmp/kallsyms.XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	struct symbols *symbols = NULL;

	fputs(kallsyms, file);
	fclose(file);
	if (symbols_load_kallsyms_from(path, "/nonexistent", &symbols))
		abort();
	unlink(path);
	return symbols;
}

static inline struct traceable *make_traceable(const struct symbols *symbols, const char *functions,
					       bool with_addrs, const char *blacklist)
{
	struct traceable_text text = { strdup(functions), with_addrs,
				       blacklist ? strdup(blacklist) : NULL };
	struct traceable *traceable = NULL;

	if (traceable_parse(symbols, &text, &traceable))
		abort();
	traceable_text_release(&text);
	return traceable;
}

#endif
