/* SPDX-License-Identifier: BSD-2-Clause */
/* An address as a place in one function, with its lines and inlined calls. */
#ifndef RETSNOOP_EXPLAIN_PLACE_H
#define RETSNOOP_EXPLAIN_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/plan/plan.h"
#include "util/plan/plan_index.h"

struct place {
	uint64_t addr;
	const char *name;	/* NULL: not in any symbol; of the plan or the symbol table */
	const char *module;	/* NULL for vmlinux */
	uint64_t offset;	/* from the name's address */
	uint32_t first_source;	/* in places.sources: innermost first, as the symbolizer has them */
	uint32_t nr_sources;
};

/* The tools to find places, and the sources of places found. The plan's index is filled already. */
struct places {
	struct symbolizer *symbolizer;	/* borrowed, as the three below */
	const struct plan *plan;
	const struct attached *attached;
	const struct plan_index *index;
	VEC(struct source_frame) sources;	/* strings live as long as the symbolizer */
};

/*
 * Find the place of an address. A traced function's own name is preferred to the symbol table's: of
 * several names for one address, the plan has the user's.
 *
 * @is_return	a return address: the line is that of the call before it
 * @found	the symbolizer's answer; may be NULL
 */
struct place place_find(const struct places *places, uint64_t addr, bool is_return,
			struct symbolized *found);

/* Keep a place's sources; @found was filled in by place_find(). 0; -ENOMEM. */
int place_keep_sources(struct places *places, const struct symbolized *found, struct place *place);

/* A place's sources, innermost first; NULL when there are none. */
const struct source_frame *place_frames(const struct places *places, const struct place *place);

/* A place's sources from the outermost, which is the function itself, inwards; NULL beyond. */
const struct source_frame *place_source(const struct places *places, const struct place *place,
					uint32_t inwards);

#endif
