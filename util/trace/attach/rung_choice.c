// SPDX-License-Identifier: BSD-2-Clause
/* The automatic choice of rungs. */
#include "util/trace/attach/rung_choice.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/trace/attach/rung_missing.h"

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

/*
 * Where return probes cannot unwind (see rung_below()), what fentry would refuse has nowhere to go
 * but kprobes for all.
 */
static bool fentry_takes_all(const struct plan *plan, const struct features *features)
{
	if (!features->proofs[RUNG_KPROBE].stacks_at_entry)
		return true;
	vec_foreach(func, &plan->funcs) {
		if (func->arg_slots > arch_native->nr_arg_registers)
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

static bool rung_takes(const struct plan_func *func, const struct features *features,
		       enum rung rung)
{
	return features->rungs[rung] && (func->rungs & RUNG_BIT(rung));
}

static enum rung choose_rung(const struct plan_func *func, const struct features *features,
			     const enum rung *order, enum rung forced, enum rung without)
{
	for (int i = 0; order[i] != RUNG_AUTO; i++) {
		if ((forced == RUNG_AUTO || order[i] == forced) && order[i] != without &&
		    rung_takes(func, features, order[i]))
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

/* Functions beyond FENTRY_FOR_BRANCHES. */
struct rest {
	uint32_t on_fentry, nr;
	enum rung rung;
};

static void assign_rungs(struct plan *plan, const struct features *features, enum rung forced,
			 uint64_t branches, struct rest *ret_rest)
{
	const enum rung *order = branches ? for_branches : preference(plan, features);
	struct rest rest = {};
	enum rung rung;

	vec_foreach(func, &plan->funcs) {
		func->rung = choose_rung(func, features, order, forced, RUNG_AUTO);
		if (!branches || forced != RUNG_AUTO || func->rung != RUNG_FENTRY)
			continue;
		if (rest.on_fentry < FENTRY_FOR_BRANCHES) {
			rest.on_fentry++;
			continue;
		}
		rung = choose_rung(func, features, order, RUNG_AUTO, RUNG_FENTRY);
		if (rung != RUNG_AUTO) {
			func->rung = rest.rung = rung;
			rest.nr++;
		}
	}
	*ret_rest = rest;
}

/* Tests all rungs in use; the first with wrong answers is in *ret_wrong. */
static bool all_work(const struct plan *plan, struct features *features, enum rung forced,
		       const struct prover *prover, enum rung *ret_wrong)
{
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		/* A verdict can change the fallback to a later rung. */
		if (!(rungs_needed(plan, features, forced) & RUNG_BIT(rung)))
			continue;
		prover->prove(prover->arg, features, rung);
		if (features->proofs[rung].verdict != PROOF_WRONG)
			continue;
		*ret_wrong = rung;
		return false;
	}
	return true;
}

static bool has_any_rung(const struct features *features)
{
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		if (features->rungs[rung])
			return true;
	}
	return false;
}

/* Why no rung can be used; what all of them lack is said once. */
static int report_no_rung(const struct features *features)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *first = NULL;
	bool same = true;

	for (int rung = 0; rung < NR_RUNGS; rung++) {
		const char *lacks = features->lacks[rung];

		if (!lacks[0])
			continue;
		same &= !first || !strcmp(first, lacks);
		first = first ?: lacks;
		strbuf_addf(&text, "; %s: %s", rung_name(rung), lacks);
	}
	if (first && same) {
		strbuf_reset(&text);
		strbuf_addf(&text, "; %s", first);
	}
	return report(-EOPNOTSUPP,
		      "no attach method can be used on this machine, so nothing can be traced%s",
		      strbuf_str(&text));
}

static int report_no_such_rung(const struct features *features, enum rung rung)
{
	_cleanup_(strbuf_release) struct strbuf why = STRBUF_INIT;

	/* Of a kernel that does not run there is nothing more to say. */
	if (features->version)
		rung_missing_add(&why, features, rung, features->version);
	return report(-EOPNOTSUPP,
		      "this kernel has no %s%s%s; leave out --attach to use the best it has",
		      rung_name(rung), why.len ? ": " : "", strbuf_str(&why));
}

int rungs_assign(struct plan *plan, struct features *features, enum rung forced, uint64_t branches,
		 const struct prover *prover)
{
	struct rest rest;
	enum rung wrong;

	if (features->session_needs_jit && rung_is_session(forced))
		return report(-EOPNOTSUPP,
			      "%s needs BPF's JIT compiler, which is off; try sysctl -w "
			      "net.core.bpf_jit_enable=1, or leave out --attach",
			      rung_name(forced));
	if (features->session_needs_jit && forced == RUNG_AUTO)
		say(VERBOSITY_NORMAL,
		    "retsnoop: kprobe-session is not used: it needs BPF's JIT compiler, which is off "
		    "(net.core.bpf_jit_enable=0)");
	if (forced != RUNG_AUTO && features->lacks[forced][0])
		return report(-EOPNOTSUPP,
			      "%s cannot be used here: %s%s",
			      rung_name(forced), features->lacks[forced],
			      has_any_rung(features) ? "; or leave out --attach to use the best "
						       "that can" : "");
	if (forced == RUNG_AUTO && !has_any_rung(features))
		return report_no_rung(features);
	if (forced != RUNG_AUTO && !features->rungs[forced])
		return report_no_such_rung(features, forced);
	assign_rungs(plan, features, forced, branches, &rest);
	while (prover && !all_work(plan, features, forced, prover, &wrong)) {
		if (wrong == forced)
			return report(-EOPNOTSUPP,
				      "%s gives wrong answers on this kernel: %s; leave out "
				      "--attach to use the best that gives right ones",
				      rung_name(wrong), features->proofs[wrong].why);
		say(VERBOSITY_NORMAL,
		    "retsnoop: %s is not used: it gives wrong answers on this kernel (%s)",
		    rung_name(wrong), features->proofs[wrong].why);
		features->rungs[wrong] = false;
		assign_rungs(plan, features, forced, branches, &rest);
	}
	if (rest.nr)
		say_what_lacks_branches(rest.on_fentry, rest.nr, rest.rung, branches);
	return 0;
}

enum rung rung_below(const struct plan_func *func, const struct features *features,
		     enum rung rung)
{
	static const enum rung below[] = { RUNG_KPROBE_SESSION, RUNG_KPROBE_MULTI, RUNG_KPROBE };

	/* What one flavour of kprobe refuses the others refuse too. */
	if (!rung_is_trampoline(rung))
		return RUNG_AUTO;
	/*
	 * One function on a rung that needs entry stacks makes all functions' stacks entry stacks, and
	 * 5.10's kprobes cut them, too.
	 */
	for (size_t i = 0; i < ARRAY_SIZE(below); i++) {
		if (rung_takes(func, features, below[i]) &&
		    !features->proofs[below[i]].stacks_at_entry)
			return below[i];
	}
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
