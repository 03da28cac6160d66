/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Collects symbols, and facts about modules, for addresses in events, as far as they were not
 * written yet.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_SYMBOLS_H
#define RETSNOOP_TRACE_RECORD_RECORDING_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

struct code_source;
struct plan;
struct symbolizer;
struct symbols;

struct symbol_needs;

/**
 * @symbolizer	finds symbols; its table may grow
 * @symbols	that table
 * @plan	describes captured data, which is searched for addresses of functions too
 * @code	reads the kernel's code, for branches; NULL: no code is kept
 * @return	NULL: out of memory
 */
struct symbol_needs *symbol_needs_new(struct symbolizer *symbolizer, struct symbols *symbols,
				      const struct plan *plan,
				      const struct code_source *code);
void symbol_needs_free(struct symbol_needs *needs);

/* Another file begins: everything must be written again. */
void symbol_needs_restart(struct symbol_needs *needs);

/* Note the needs of a record (bpf/event.h). 0; -ENOMEM (reported). */
int symbol_needs_record(struct symbol_needs *needs, const void *data, size_t size);

/* New needs, as contents of chunks; reset them after writing. */
struct strbuf *symbol_needs_symbols(struct symbol_needs *needs);
struct strbuf *symbol_needs_modules(struct symbol_needs *needs);
struct strbuf *symbol_needs_code(struct symbol_needs *needs);

#endif
