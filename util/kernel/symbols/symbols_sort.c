// SPDX-License-Identifier: BSD-2-Clause
/* The order of a symbol table: by address, then by name. Every start waits for it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/kernel/symbols/symbols_internal.h"

int symbols_compare(const void *pa, const void *pb)
{
	const struct symbol *a = pa, *b = pb;
	int order;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (!a->name || !b->name)
		return !!b->name - !!a->name;
	order = strcmp(a->name, b->name);
	return order ?: (a->type > b->type) - (a->type < b->type);
}

/* Put the names of each address in order, in an array that is sorted by address. */
static void sort_aliases(struct symbol *all, size_t nr)
{
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && all[end].addr == all[i].addr; end++)
			;
		if (end - i > 1)
			qsort(all + i, end - i, sizeof(*all), symbols_compare);
	}
}

#define RADIX_BITS 11
#define RADIX_PASSES 3

struct sort_key {
	uint32_t index;
	uint64_t offset;	/* from the lowest address */
};

/*
 * Sort @from by one digit of the offsets into @to, leaving equals as they are.
 */
static void radix_pass(const struct sort_key *from, struct sort_key *to, size_t nr, int shift)
{
	const uint32_t mask = (1 << RADIX_BITS) - 1;
	uint32_t starts[(1 << RADIX_BITS) + 1] = {};

	for (size_t i = 0; i < nr; i++)
		starts[(from[i].offset >> shift & mask) + 1]++;
	for (uint32_t digit = 0; digit <= mask; digit++)
		starts[digit + 1] += starts[digit];
	for (size_t i = 0; i < nr; i++)
		to[starts[from[i].offset >> shift & mask]++] = from[i];
}

/* By address alone. A kernel's symbols are within 8 GiB of each other: three passes do. */
static int radix_sort(struct symbol *all, size_t nr, uint64_t lowest)
{
	_cleanup_(free_p) struct sort_key *keys = calloc(2 * nr, sizeof(*keys));
	_cleanup_(free_p) struct symbol *unsorted = malloc(nr * sizeof(*unsorted));
	struct sort_key *from = keys, *to;

	if (!keys || !unsorted)
		return -ENOMEM;
	to = keys + nr;
	for (size_t i = 0; i < nr; i++)
		keys[i] = (struct sort_key){ i, all[i].addr - lowest };
	for (int pass = 0; pass < RADIX_PASSES; pass++) {
		struct sort_key *swap = from;

		radix_pass(from, to, nr, pass * RADIX_BITS);
		from = to;
		to = swap;
	}
	memcpy(unsorted, all, nr * sizeof(*all));
	for (size_t i = 0; i < nr; i++)
		all[i] = unsorted[from[i].index];
	return 0;
}

static int sort_by_address(struct symbol *all, size_t nr)
{
	uint64_t lowest = UINT64_MAX, highest = 0;

	for (size_t i = 0; i < nr; i++) {
		lowest = all[i].addr < lowest ? all[i].addr : lowest;
		highest = all[i].addr > highest ? all[i].addr : highest;
	}
	if (highest - lowest < 1ull << (RADIX_BITS * RADIX_PASSES))
		return radix_sort(all, nr, lowest);
	qsort(all, nr, sizeof(*all), symbols_compare);
	return 0;
}

/* Merge the first @nr_first symbols with the @nr_rest behind them, both sorted by address. */
static int merge_runs(struct symbol *all, size_t nr_first, size_t nr_rest)
{
	_cleanup_(free_p) struct symbol *rest = NULL;
	struct symbol *to = all + nr_first + nr_rest;

	if (!nr_first || all[nr_first - 1].addr <= all[nr_first].addr)
		return 0;
	rest = malloc(nr_rest * sizeof(*rest));
	if (!rest)
		return -ENOMEM;
	memcpy(rest, all + nr_first, nr_rest * sizeof(*rest));
	/* From the end, where there is room for them. */
	while (nr_rest) {
		if (nr_first && all[nr_first - 1].addr > rest[nr_rest - 1].addr)
			*--to = all[--nr_first];
		else
			*--to = rest[--nr_rest];
	}
	return 0;
}

int symbols_sort(symbol_vec *vec)
{
	struct symbol *all = vec->data;
	size_t sorted = 0;

	/* The kernel tells of its own in order, and these are nearly all; then come those of modules. */
	while (sorted < vec->len && (!sorted || all[sorted - 1].addr <= all[sorted].addr))
		sorted++;
	if (sorted < vec->len) {
		size_t rest = vec->len - sorted;

		if (sort_by_address(all + sorted, rest) || merge_runs(all, sorted, rest))
			return -ENOMEM;
	}
	sort_aliases(all, vec->len);
	return 0;
}
