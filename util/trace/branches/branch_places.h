/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds places for trimming, from a kernel's symbols. */
#ifndef RETSNOOP_TRACE_BRANCHES_BRANCH_PLACES_H
#define RETSNOOP_TRACE_BRANCHES_BRANCH_PLACES_H

#include "util/kernel/symbols/code_source.h"
#include "util/kernel/symbols/symbols.h"
#include "util/plan/plan.h"
#include "util/plan/plan_index.h"
#include "util/trace/branches/branch_trim.h"

struct branch_places {
	const struct symbols *symbols;	/* NULL: only `func` is known */
	const struct plan_func *func;	/* whose return it was; NULL not known */
	const struct plan *plan;	/* what is traced; NULL not known */
	const struct plan_index *index;	/* of it */
	const struct code_source *code;	/* NULL: none can be read */
};

/* Rules that use @places, which must outlive them. */
struct branch_place_rules branch_places_rules(const struct branch_places *places);

/* Whether a symbol is the function's own code elsewhere: "F.cold", "F.cold.12", "F.part.0.cold". */
bool is_cold_part_of(const char *symbol, const char *function);

/* The kind of code at @offset of a symbol. @module: its module, or NULL. */
struct code_place code_place_by_name(const char *symbol, const char *module, uint64_t offset);

#endif
