/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which symbols, and modules' facts, the addresses in events need that were not written yet.
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
 * @plan	says what is captured, in which addresses of functions are looked for, too
 * @code	reads the kernel's code, to go with branches; NULL: none is kept
 * @return	NULL: out of memory
 */
struct symbol_needs *symbol_needs_new(struct symbolizer *symbolizer, struct symbols *symbols,
				      const struct plan *plan,
				      const struct code_source *code);
void symbol_needs_free(struct symbol_needs *needs);

/* Everything is to be written again: another file begins. */
void symbol_needs_restart(struct symbol_needs *needs);

/* What a record needs (bpf/event.h). 0; -ENOMEM (reported). */
int symbol_needs_record(struct symbol_needs *needs, const void *data, size_t size);

/* What is needed and was not taken yet, as contents of chunks; reset them when they are written. */
struct strbuf *symbol_needs_symbols(struct symbol_needs *needs);
struct strbuf *symbol_needs_modules(struct symbol_needs *needs);
struct strbuf *symbol_needs_code(struct symbol_needs *needs);

#endif
