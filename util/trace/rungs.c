// SPDX-License-Identifier: BSD-2-Clause
/* The automatic choice of rungs. */
#include "util/trace/rungs.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "util/base/report.h"

/*
 * Multi rungs first: all functions cost one link. fsession-multi is a little cheaper a call than
 * kprobe-session, but loses calls: its program runs preemptible, and while a thread is preempted
 * inside, the kernel skips the program, which is the same for all functions, for every other
 * thread on that CPU. Kprobes run with preemption off.
 */
static const enum rung with_multi[] = {
	RUNG_KPROBE_SESSION, RUNG_FSESSION_MULTI, RUNG_KPROBE_MULTI, RUNG_KPROBE, RUNG_FENTRY,
	RUNG_AUTO,
};

/*
 * Kernels without (before 5.18, or no CONFIG_FPROBE) attach one by one. fentry costs a third to a
 * tenth of a pair of kprobes a call, but two to three times as long to attach and leave: for a
 * handful of functions that is no matter, for many it is what the user waits for.
 */
#define FEW_FUNCTIONS 4

static const enum rung single_few[] = { RUNG_FENTRY, RUNG_KPROBE, RUNG_AUTO };
static const enum rung single_many[] = { RUNG_KPROBE, RUNG_FENTRY, RUNG_AUTO };

/*
 * The way from a function's return to the snapshot of the CPU's last branches is half as long through
 * a trampoline as it is through a return hook, which with default mitigations takes as many branches
 * as the CPU keeps. (Of returns alone, it is 5 to 8.) Attached one by one, more functions than a few
 * dozen are not worth the wait.
 */
static const enum rung for_branches[] = {
	RUNG_FSESSION_MULTI, RUNG_FENTRY, RUNG_KPROBE_SESSION, RUNG_KPROBE_MULTI, RUNG_KPROBE,
	RUNG_AUTO,
};

/* What these kernels' trampolines hand on. */
#define TRAMPOLINE_ARGS 6

/*
 * Where return probes cannot unwind (see rung_below()), what fentry would refuse has nowhere to go
 * but kprobes for all.
 */
static bool fentry_takes_all(const struct plan *plan, const struct features *features)
{
	if (features->return_unwinds)
		return true;
	vec_foreach(func, &plan->funcs) {
		if (func->arg_slots > TRAMPOLINE_ARGS)
			return false;
	}
	return true;
}

static const enum rung *preference(const struct plan *plan, const struct features *features)
{
	if (features->rungs[RUNG_FSESSION_MULTI] || features->rungs[RUNG_KPROBE_SESSION] ||
	    features->rungs[RUNG_KPROBE_MULTI])
		return with_multi;
	return plan->funcs.len <= FEW_FUNCTIONS && fentry_takes_all(plan, features) ? single_few :
										       single_many;
}

static bool takes(const struct plan_func *func, const struct features *features, enum rung rung)
{
	return features->rungs[rung] && (func->rungs & RUNG_BIT(rung));
}

static enum rung choose(const struct plan_func *func, const struct features *features,
			const enum rung *order, enum rung forced, enum rung without)
{
	for (int i = 0; order[i] != RUNG_AUTO; i++) {
		if ((forced == RUNG_AUTO || order[i] == forced) && order[i] != without &&
		    takes(func, features, order[i]))
			return order[i];
	}
	return RUNG_AUTO;
}

static void say_what_lacks_branches(uint32_t on_fentry, uint32_t rest, enum rung rung,
				    uint64_t branches)
{
	say(VERBOSITY_NORMAL,
	    "retsnoop: branch records: %u functions go on fentry, %u more on %s, where %s of their own "
	    "are left; choose fewer functions, or --attach=fentry for all",
	    on_fentry, rest, rung_name(rung),
	    branches & PERF_SAMPLE_BRANCH_ANY ? "few or none" : "some less");
}

int rungs_assign(struct plan *plan, const struct features *features, enum rung forced,
		 uint64_t branches)
{
	const enum rung *order = branches ? for_branches : preference(plan, features);
	uint32_t on_fentry = 0, rest = 0;
	enum rung rung_of_rest = RUNG_AUTO, rung;

	if (forced != RUNG_AUTO && !features->rungs[forced])
		return report(-EOPNOTSUPP,
			      "this kernel has no %s; leave out --attach to use the best it has",
			      rung_name(forced));
	vec_foreach(func, &plan->funcs) {
		func->rung = choose(func, features, order, forced, RUNG_AUTO);
		if (!branches || forced != RUNG_AUTO || func->rung != RUNG_FENTRY)
			continue;
		if (on_fentry < FENTRY_FOR_BRANCHES) {
			on_fentry++;
			continue;
		}
		rung = choose(func, features, order, RUNG_AUTO, RUNG_FENTRY);
		if (rung != RUNG_AUTO) {
			func->rung = rung_of_rest = rung;
			rest++;
		}
	}
	if (rest)
		say_what_lacks_branches(on_fentry, rest, rung_of_rest, branches);
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
