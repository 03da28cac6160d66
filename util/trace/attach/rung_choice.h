/* SPDX-License-Identifier: BSD-2-Clause */
/* Which function goes on which rung. The rule and its figures: Documentation/performance.txt. */
#ifndef RETSNOOP_TRACE_ATTACH_RUNG_CHOICE_H
#define RETSNOOP_TRACE_ATTACH_RUNG_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/trace/attach/features.h"
#include "util/trace/plan/plan.h"

/* Functions that go on fentry for the sake of their branch records. */
#define FENTRY_FOR_BRANCHES 100

/* Tests a rung and puts the verdict into features->proofs[rung]. */
struct prover {
	void (*prove)(void *arg, struct features *features, enum rung rung);
	void *arg;
};

/**
 * Give every function of the plan its rung.
 *
 * Functions that no rung of this kernel takes (or not the @forced one) keep RUNG_AUTO. A rung that
 * gives wrong answers is reported and removed from @features.
 *
 * @forced	the one rung to use, or RUNG_AUTO
 * @branches	PERF_SAMPLE_BRANCH_x: the CPU's last branches are wanted, so rungs that leave most of
 *		them, which is said of those functions that find no place there; 0: they are not
 * @prover	tests the rungs that functions use or may fall back to; NULL: no tests
 * @return	0; -EOPNOTSUPP this kernel does not have the forced rung, or it gives wrong answers
 *		(reported)
 */
int rungs_assign(struct plan *plan, struct features *features, enum rung forced, uint64_t branches,
		 const struct prover *prover);

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
