// SPDX-License-Identifier: BSD-2-Clause
/* Finding places. */
#include "util/explain/place.h"

#include <errno.h>

struct place place_find(const struct places *places, uint64_t addr, bool is_return,
			struct symbolized *found)
{
	struct place place = { .addr = addr };
	const struct plan_func *func;
	struct symbolized own;

	found = found ?: &own;
	symbolizer_lookup(places->symbolizer, addr, is_return, found);
	func = plan_func_at(places->index, places->plan, addr - is_return, found->symbol);
	if (found->symbol) {
		place.name = found->symbol->name;
		place.module = found->symbol->module;
		place.offset = found->offset;
	}
	if (func) {
		place.name = func->name;
		place.module = func->module;
		place.offset = addr - func->addr;
	}
	return place;
}

int place_keep_sources(struct places *places, const struct symbolized *found, struct place *place)
{
	place->first_source = places->sources.len;
	for (int i = 0; i < found->nr_frames; i++) {
		if (vec_push(&places->sources, found->frames[i]))
			return -ENOMEM;
		place->nr_sources++;
	}
	return 0;
}

const struct source_frame *place_frames(const struct places *places, const struct place *place)
{
	return place->nr_sources ? &places->sources.data[place->first_source] : NULL;
}

const struct source_frame *place_source(const struct places *places, const struct place *place,
					uint32_t inwards)
{
	if (inwards >= place->nr_sources)
		return NULL;
	return &places->sources.data[place->first_source + place->nr_sources - 1 - inwards];
}
