/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The choice of a rung for each function. The rule and its figures: Documentation/performance.txt.
 */
#ifndef RETSNOOP_TRACE_ATTACH_RUNG_CHOICE_H
#define RETSNOOP_TRACE_ATTACH_RUNG_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/plan/plan.h"
#include "util/trace/attach/features.h"

/* At most this many functions are put on fentry for their branch records. */
#define FENTRY_FOR_BRANCHES 100

/* Tests a rung, and puts the verdict into features->proofs[rung]. */
struct prover {
	void (*prove)(void *arg, struct features *features, enum rung rung);
	void *arg;
};

/**
 * Give every function of the plan its rung.
 *
 * Functions that no rung of this kernel (or not the @forced rung) can attach to get RUNG_AUTO. A
 * rung that gives wrong answers is reported and removed from @features. One that could not be tested
 * is reported if it is used.
 *
 * @forced	the one rung to use, or RUNG_AUTO
 * @branches	PERF_SAMPLE_BRANCH_x of the branches to record: prefer rungs that preserve most of
 *		them, and report functions that cannot use those; 0: no branches
 * @prover	tests the rungs that functions use or may fall back to; NULL: no tests
 * @ret_rungs	by function id
 * @return	0; -EOPNOTSUPP this kernel does not have the forced rung, or it gives wrong answers
 *		(reported)
 */
int rungs_assign(const struct plan *plan, struct features *features, enum rung forced,
		 uint64_t branches, const struct prover *prover, enum rung *ret_rungs);

/*
 * The same for the functions from @first on, which were appended to the plan.
 *
 * @usable	RUNG_BIT()s of the rungs whose programs are there
 */
void rungs_assign_more(const struct plan *plan, const struct features *features, enum rung forced,
		       uint64_t branches, uint32_t usable, uint32_t first, enum rung *rungs);

/* The next rung for a function that @rung refused; RUNG_AUTO: none. */
enum rung rung_below(const struct plan_func *func, const struct features *features,
		     enum rung rung);

/* RUNG_BIT()s of the rungs in use, and of those that functions may fall back to. */
uint32_t rungs_needed(const struct plan *plan, const enum rung *assigned,
		      const struct features *features, enum rung forced);

/* Whether the rung attaches and detaches functions one by one. */
static inline bool rung_is_single(enum rung rung)
{
	return rung == RUNG_FENTRY || rung == RUNG_KPROBE;
}

/**
 * Append why a rung that is not among features->rungs is missing: "from Linux 6.10 on", "this kernel
 * was built without CONFIG_KPROBES". Runs, --dry-run, funcs and doctor give the same answer.
 *
 * @version	KERNEL_VERSION_OF() the kernel; 0: not known
 */
void rung_missing_add(struct strbuf *sb, const struct features *features, enum rung rung,
		      unsigned int version);

#endif
