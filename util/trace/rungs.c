// SPDX-License-Identifier: BSD-2-Clause
/* The automatic choice of rungs. */
#include "util/trace/rungs.h"

#include <errno.h>

#include "util/base/report.h"

/*
 * With a multi rung, all functions cost one link. Without one (before 5.18, or no CONFIG_FPROBE),
 * fentry takes longer to attach than a pair of kprobes but is quicker to leave, and costs a third
 * to a tenth of them a call.
 */
static const enum rung preference[] = {
	RUNG_FSESSION_MULTI, RUNG_KPROBE_SESSION, RUNG_KPROBE_MULTI, RUNG_FENTRY, RUNG_KPROBE,
};

#define NR_PREFERENCE (sizeof(preference) / sizeof(preference[0]))

static bool takes(const struct plan_func *func, const struct features *features, enum rung rung)
{
	return features->rungs[rung] && (func->rungs & RUNG_BIT(rung));
}

int rungs_assign(struct plan *plan, const struct features *features, enum rung forced)
{
	if (forced != RUNG_AUTO && !features->rungs[forced])
		return report(-EOPNOTSUPP,
			      "this kernel has no %s; leave out --attach to use the best it has",
			      rung_name(forced));
	vec_foreach(func, &plan->funcs) {
		func->rung = RUNG_AUTO;
		for (size_t i = 0; i < NR_PREFERENCE && func->rung == RUNG_AUTO; i++) {
			if (forced != RUNG_AUTO && preference[i] != forced)
				continue;
			if (takes(func, features, preference[i]))
				func->rung = preference[i];
		}
	}
	return 0;
}

enum rung rung_below(const struct plan_func *func, const struct features *features,
		     enum rung rung)
{
	/* What one flavour of kprobe refuses the others refuse too. */
	if (rung != RUNG_FSESSION_MULTI && rung != RUNG_FENTRY)
		return RUNG_AUTO;
	if (takes(func, features, RUNG_KPROBE_SESSION))
		return RUNG_KPROBE_SESSION;
	if (takes(func, features, RUNG_KPROBE_MULTI))
		return RUNG_KPROBE_MULTI;
	/* Single return probes that cannot unwind would cut the stacks of all others. */
	if (takes(func, features, RUNG_KPROBE) && features->return_unwinds)
		return RUNG_KPROBE;
	return RUNG_AUTO;
}

uint32_t rungs_needed(const struct plan *plan, const struct features *features, enum rung forced)
{
	uint32_t rungs = 0;

	vec_foreach(func, &plan->funcs) {
		enum rung below = rung_below(func, features, func->rung);

		if (func->rung != RUNG_AUTO)
			rungs |= RUNG_BIT(func->rung);
		if (forced == RUNG_AUTO && below != RUNG_AUTO)
			rungs |= RUNG_BIT(below);
	}
	return rungs;
}
