/* SPDX-License-Identifier: BSD-2-Clause */
/* A plan's functions by address. */
#ifndef RETSNOOP_PLAN_PLAN_INDEX_H
#define RETSNOOP_PLAN_PLAN_INDEX_H

#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/symbols/symbols.h"
#include "util/plan/plan.h"

/* All zeros to begin with. */
struct plan_index {
	VEC(uint32_t) by_addr;	/* ids */
};

/* Call it once per plan. 0; -ENOMEM. */
int plan_index_fill(struct plan_index *index, const struct plan *plan);
void plan_index_release(struct plan_index *index);

/*
 * The function of the plan that contains the address @at, or NULL.
 *
 * @symbol	the symbol table's entry for @at, for functions of unknown size; may be NULL
 */
const struct plan_func *plan_func_at(const struct plan_index *index, const struct plan *plan,
				     uint64_t at, const struct symbol *symbol);

#endif
