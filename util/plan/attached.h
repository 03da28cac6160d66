/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What became of a plan on this machine: the plan says what is to be attached and is constant, this
 * says how, and what the kernel refused. Assigning rungs and attaching fill it in; views and
 * recordings read it.
 */
#ifndef RETSNOOP_PLAN_ATTACHED_H
#define RETSNOOP_PLAN_ATTACHED_H

#include <stdbool.h>
#include <stdint.h>

#include "util/ask/rung.h"
#include "util/base/vec.h"
#include "util/plan/plan.h"

/* All zeros before attached_init(). Strings belong to the plan. */
struct attached {
	enum rung *rungs;			/* by function id; RUNG_AUTO: not attached. Owned */
	VEC(struct plan_refusal) refused;	/* functions that the kernel refused */
	VEC(uint32_t) probes_refused;		/* probe ids, in order */
};

/* Whether the kernel refused the probe with this id. */
bool attached_refused_probe(const struct attached *attached, uint32_t probe);

/* Whether the plan has a function like @func, of its module, that is attached. */
bool attached_has(const struct attached *attached, const struct plan *plan, const struct plan_func *func);

/* Nothing is attached yet. 0; -ENOMEM (reported). */
int attached_init(struct attached *attached, const struct plan *plan);
void attached_release(struct attached *attached);

#endif
