// SPDX-License-Identifier: BSD-2-Clause
/* A plan's functions by address. */
#include "util/plan/plan_index.h"

#include "util/base/search.h"

static int compare_addr(const void *a, const void *b, void *arg)
{
	const struct plan *plan = arg;
	uint64_t x = plan->funcs.data[*(const uint32_t *)a].addr;
	uint64_t y = plan->funcs.data[*(const uint32_t *)b].addr;

	/* Of functions at one address, the one that was appended last is the one that is there now. */
	return x < y ? -1 : x > y ? 1 : *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

int plan_index_fill(struct plan_index *index, const struct plan *plan)
{
	if (index->by_addr.len == plan->funcs.len)
		return 0;
	index->by_addr.len = 0;
	for (uint32_t i = 0; i < plan->funcs.len; i++) {
		if (vec_push(&index->by_addr, i))
			return -ENOMEM;
	}
	qsort_r(index->by_addr.data, index->by_addr.len, sizeof(uint32_t), compare_addr,
		(void *)plan);
	return 0;
}

void plan_index_release(struct plan_index *index)
{
	vec_release(&index->by_addr);
}

/* Whether @at is between the bounds of the function's symbol. */
static bool func_contains(const struct plan_func *func, uint64_t at, const struct symbol *symbol)
{
	if (func->size)
		return at - func->addr < func->size;
	return symbol && symbol->addr == func->addr;
}

const struct plan_func *plan_func_at(const struct plan_index *index, const struct plan *plan,
				     uint64_t at, const struct symbol *symbol)
{
	const uint32_t *by_addr = index->by_addr.data;
	size_t above = bisect(i, index->by_addr.len, plan->funcs.data[by_addr[i]].addr <= at);
	const struct plan_func *func;

	if (!above)
		return NULL;
	func = &plan->funcs.data[by_addr[above - 1]];
	return func_contains(func, at, symbol) ? func : NULL;
}
