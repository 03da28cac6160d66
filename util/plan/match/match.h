/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Matches the specs of a request with the symbols of a kernel: which symbols each list selects, and
 * how many each spec matches. Does not know which functions can be traced.
 */
#ifndef RETSNOOP_PLAN_MATCH_MATCH_H
#define RETSNOOP_PLAN_MATCH_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/kernel/symbols/symbols.h"

struct kernel;
struct spec_list;
struct trace_request;

/* Why a symbol is marked; the first ones are 1 << LIST_x. */
enum mark {
	MARK_ENTRY = 1 << 0,	/* -e */
	MARK_ALLOW = 1 << 1,	/* -a */
	MARK_DENY = 1 << 2,	/* -d */
	MARK_EXACT = 1 << 3,	/* by its full name, not a glob; for -e or -a */
};

enum { LIST_ENTRY, LIST_ALLOW, LIST_DENY, NR_LISTS };

struct match {
	const struct symbol *symbols;	/* borrowed: the table that is marked */
	size_t nr_symbols;
	uint8_t *marks;			/* one each */
	uint32_t *hits[NR_LISTS];	/* for each spec of a list, how many symbols it marked */
};

/**
 * @return	0; -ENODATA a source path, but no debug info; -errno (all reported). Release
 *		@match either way.
 */
int match_request(struct kernel *kernel, const struct trace_request *request, struct match *match);
/* The same for a list by itself: it counts as LIST_ENTRY. */
int match_list(struct kernel *kernel, const struct spec_list *list, struct match *match);
void match_release(struct match *match);

/* False for symbols that no spec can select: generated code, padding before functions. */
bool is_function_symbol(const struct symbol *symbol);

#endif
