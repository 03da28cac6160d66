/* SPDX-License-Identifier: BSD-2-Clause */
/* Which function goes on which rung. The rule and its figures: Documentation/performance.txt. */
#ifndef RETSNOOP_TRACE_RUNGS_H
#define RETSNOOP_TRACE_RUNGS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/trace/features.h"
#include "util/trace/plan.h"

/* Functions that go on fentry for the sake of their branch records. */
#define FENTRY_FOR_BRANCHES 100

/**
 * Give every function of the plan its rung.
 *
 * Functions that no rung of this kernel takes (or not the @forced one) keep RUNG_AUTO.
 *
 * @forced	the one rung to use, or RUNG_AUTO
 * @branches	PERF_SAMPLE_BRANCH_x: the CPU's last branches are wanted, so rungs that leave most of
 *		them, which is said of those functions that find no place there; 0: they are not
 * @return	0; -EOPNOTSUPP this kernel does not have the forced rung (reported)
 */
int rungs_assign(struct plan *plan, const struct features *features, enum rung forced,
		 uint64_t branches);

/* Where a function goes when @rung refused it; RUNG_AUTO: nowhere. */
enum rung rung_below(const struct plan_func *func, const struct features *features,
		     enum rung rung);

/* RUNG_BIT()s in use, and of those that functions may have to fall back to. */
uint32_t rungs_needed(const struct plan *plan, const struct features *features, enum rung forced);

/* Whether functions are attached, and detached, one by one on it. */
static inline bool rung_is_single(enum rung rung)
{
	return rung == RUNG_FENTRY || rung == RUNG_KPROBE;
}

#endif
