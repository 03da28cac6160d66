// SPDX-License-Identifier: BSD-2-Clause
/* The automatic choice of rungs, and why one is missing. */
#include "util/trace/attach/rung_choice.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/machine.h"

static const struct {
	unsigned int since;
	bool typed;	/* needs BTF */
	const char *config;
} needs[NR_RUNGS] = {
	[RUNG_FSESSION_MULTI] = { KERNEL_VERSION_OF(7, 2), true,
				  "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS" },
	[RUNG_KPROBE_SESSION] = { KERNEL_VERSION_OF(6, 10), true, "CONFIG_FPROBE" },
	[RUNG_KPROBE_MULTI] = { KERNEL_VERSION_OF(5, 18), false, "CONFIG_FPROBE" },
	[RUNG_FENTRY] = { KERNEL_VERSION_OF(5, 5), true,
			  "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS" },
	[RUNG_KPROBE] = { 0, false, "CONFIG_KPROBES" },
};

void rung_missing_add(struct strbuf *sb, const struct features *features, enum rung rung,
		      unsigned int version)
{
	if (features->lacks[rung][0])
		strbuf_addstr(sb, features->lacks[rung]);
	else if (rung == RUNG_FSESSION_MULTI && !arch_native->has_multi_trampolines)
		strbuf_addf(sb, "kernels for %s do not have it", arch_native->name);
	else if (version && version < needs[rung].since)
		strbuf_addf(sb, "from Linux %u.%u on", needs[rung].since >> 16,
			    needs[rung].since & 0xffff);
	else if (rung_is_session(rung) && features->session_needs_jit)
		strbuf_addstr(sb, "needs BPF's JIT compiler, which is off");
	else if (needs[rung].typed && !features->btf_ids)
		strbuf_addstr(sb, "needs BTF");
	else
		strbuf_addf(sb, "this kernel was built without %s", needs[rung].config);
}

/*
 * Multi rungs first: all functions cost one link. fsession-multi costs a little less per call
 * than kprobe-session, but loses calls: its program, one for all functions, can be preempted, and
 * meanwhile the kernel skips it for every other thread on that CPU. Kprobes run with preemption
 * off.
 */
static const enum rung with_multi[] = {
	RUNG_KPROBE_SESSION, RUNG_FSESSION_MULTI, RUNG_KPROBE_MULTI, RUNG_KPROBE, RUNG_FENTRY,
	RUNG_AUTO,
};

/*
 * Kernels without multi rungs (before 5.18, or no CONFIG_FPROBE) attach functions one by one. Per
 * call, fentry costs a third to a tenth of a pair of kprobes, but it takes two to three times as
 * long to attach and detach. With a few functions that does not matter; with many the user waits
 * for it. Where tasks can be preempted in the kernel, fentry's programs lose calls as
 * fsession-multi's do.
 */
#define FEW_FUNCTIONS 4

static const enum rung single_few[] = { RUNG_FENTRY, RUNG_KPROBE, RUNG_AUTO };
static const enum rung single_many[] = { RUNG_KPROBE, RUNG_FENTRY, RUNG_AUTO };

/*
 * Between a function's return and the snapshot of the CPU's last branches, a trampoline takes
 * half as many branches as a return hook. With default mitigations, a return hook takes as many
 * as the CPU keeps. (Counting returns alone, it takes 5 to 8.) For more than a few dozen
 * functions, attaching one by one takes too long.
 */
static const enum rung for_branches[] = {
	RUNG_FSESSION_MULTI, RUNG_FENTRY, RUNG_KPROBE_SESSION, RUNG_KPROBE_MULTI, RUNG_KPROBE,
	RUNG_AUTO,
};

/*
 * If return probes cannot unwind (see rung_below()), one function that fentry would refuse means
 * kprobes for all functions. So does a name that no function has: it may be one of a module that is
 * loaded later, and 5.10 has no BTF of modules.
 */
static bool fentry_takes_all(const struct plan *plan, const struct features *features)
{
	if (!features->proofs[RUNG_KPROBE].stacks_at_entry)
		return true;
	if (vec_find(unmatched, &plan->unmatched, strcmp(unmatched->option, "-d")))
		return false;
	vec_foreach(func, &plan->funcs) {
		/* Kernels whose return probes cannot unwind are older than 6.1. */
		if (func->arg_slots > arch_native->nr_arg_registers || func->struct_args)
			return false;
	}
	return true;
}

static const enum rung *preferred_rungs(const struct plan *plan, const struct features *features)
{
	if (features->rungs[RUNG_FSESSION_MULTI] || features->rungs[RUNG_KPROBE_SESSION] ||
	    features->rungs[RUNG_KPROBE_MULTI])
		return with_multi;
	if (plan->funcs.len > FEW_FUNCTIONS || features->preemptible)
		return single_many;
	return fentry_takes_all(plan, features) ? single_few : single_many;
}

static bool rung_takes(const struct plan_func *func, const struct features *features,
		       enum rung rung)
{
	return features->rungs[rung] && (func->rungs & RUNG_BIT(rung));
}

/* @without: RUNG_BIT()s of rungs that do not count */
static enum rung choose_rung(const struct plan_func *func, const struct features *features,
			     const enum rung *order, enum rung forced, uint32_t without)
{
	for (int i = 0; order[i] != RUNG_AUTO; i++) {
		if ((forced == RUNG_AUTO || order[i] == forced) &&
		    !(without & RUNG_BIT(order[i])) && rung_takes(func, features, order[i]))
			return order[i];
	}
	return RUNG_AUTO;
}

/*
 * A trampoline's frame takes about 80 bytes of the kernel's stack while the call is open: 200 calls
 * inside each other overflow 16 KiB, which is a panic. Kprobes keep return addresses elsewhere.
 */
static enum rung choose_safe_rung(const struct plan_func *func, const struct features *features,
				  const enum rung *order, enum rung forced)
{
	enum rung rung = RUNG_AUTO;

	if (func->calls_itself)
		rung = choose_rung(func, features, order, forced, RUNG_TRAMPOLINES);
	return rung != RUNG_AUTO ? rung : choose_rung(func, features, order, forced, 0);
}

/* Where the user wants trampolines, say which functions may take all of the stack. */
static void warn_of_recursion(const struct plan *plan, enum rung forced)
{
	const char *first = NULL;
	uint32_t nr = 0;

	if (!rung_is_trampoline(forced))
		return;
	vec_foreach(func, &plan->funcs) {
		if (!func->calls_itself)
			continue;
		first = first ?: func->name;
		nr++;
	}
	if (nr == 1)
		warning("%s calls itself, and with %s each call that is open takes about 80 bytes of the "
			"kernel's stack: deep recursion ends in a panic; --attach=kprobe is safe",
			first, rung_name(forced));
	else if (nr)
		warning("%u functions call themselves, %s for one, and with %s each call that is open takes "
			"about 80 bytes of the kernel's stack: deep recursion ends in a panic; "
			"--attach=kprobe is safe",
			nr, first, rung_name(forced));
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

/* Counts of functions on fentry, and of those beyond FENTRY_FOR_BRANCHES. */
struct rest {
	uint32_t on_fentry, nr;
	enum rung rung;
};

static void assign_rungs(const struct plan *plan, const struct features *features,
			 enum rung forced, uint64_t branches, enum rung *ret_rungs,
			 struct rest *ret_rest)
{
	const enum rung *order = branches ? for_branches : preferred_rungs(plan, features);
	struct rest rest = {};
	enum rung rung;

	for (size_t i = 0; i < plan->funcs.len; i++) {
		const struct plan_func *func = &plan->funcs.data[i];

		ret_rungs[i] = choose_safe_rung(func, features, order, forced);
		if (!branches || forced != RUNG_AUTO || ret_rungs[i] != RUNG_FENTRY)
			continue;
		if (rest.on_fentry < FENTRY_FOR_BRANCHES) {
			rest.on_fentry++;
			continue;
		}
		rung = choose_rung(func, features, order, RUNG_AUTO, RUNG_BIT(RUNG_FENTRY));
		if (rung != RUNG_AUTO) {
			ret_rungs[i] = rest.rung = rung;
			rest.nr++;
		}
	}
	*ret_rest = rest;
}

/* Test all rungs in use; the first with wrong answers is in *ret_wrong. */
static bool all_work(const struct plan *plan, const enum rung *rungs, struct features *features,
		     enum rung forced, const struct prover *prover, enum rung *ret_wrong)
{
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		/* A verdict can change the fallback to a later rung. */
		if (!(rungs_needed(plan, rungs, features, forced) & RUNG_BIT(rung)))
			continue;
		prover->prove(prover->arg, features, rung);
		if (features->proofs[rung].verdict != PROOF_WRONG)
			continue;
		*ret_wrong = rung;
		return false;
	}
	return true;
}

/* A method that could not be tested is used all the same: most are right. */
static void say_what_was_not_tested(const struct plan *plan, const struct features *features,
				    const enum rung *rungs)
{
	uint32_t used = 0;

	for (size_t i = 0; i < plan->funcs.len; i++)
		used |= RUNG_BIT(rungs[i]);
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		const struct proof *proof = &features->proofs[rung];

		if (used & RUNG_BIT(rung) && proof->verdict == PROOF_NONE && proof->why)
			warning("%s could not be tested and may give wrong answers: %s",
				rung_name(rung), proof->why);
	}
}

static bool has_any_rung(const struct features *features)
{
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		if (features->rungs[rung])
			return true;
	}
	return false;
}

/* Report why no rung can be used; a reason common to all rungs is reported once. */
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

	/* For a kernel that does not run, nothing more is known. */
	if (features->version)
		rung_missing_add(&why, features, rung, features->version);
	return report(-EOPNOTSUPP,
		      "this kernel has no %s%s%s; leave out --attach to use the best it has",
		      rung_name(rung), why.len ? ": " : "", strbuf_str(&why));
}

int rungs_assign(const struct plan *plan, struct features *features, enum rung forced,
		 uint64_t branches, const struct prover *prover, enum rung *ret_rungs)
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
	warn_of_recursion(plan, forced);
	assign_rungs(plan, features, forced, branches, ret_rungs, &rest);
	while (prover && !all_work(plan, ret_rungs, features, forced, prover, &wrong)) {
		if (wrong == forced)
			return report(-EOPNOTSUPP,
				      "%s gives wrong answers on this kernel: %s; leave out "
				      "--attach to use the best that gives right ones",
				      rung_name(wrong), features->proofs[wrong].why);
		say(VERBOSITY_NORMAL,
		    "retsnoop: %s is not used: it gives wrong answers on this kernel (%s)",
		    rung_name(wrong), features->proofs[wrong].why);
		features->rungs[wrong] = false;
		assign_rungs(plan, features, forced, branches, ret_rungs, &rest);
	}
	if (prover)
		say_what_was_not_tested(plan, features, ret_rungs);
	if (rest.nr)
		say_what_lacks_branches(rest.on_fentry, rest.nr, rest.rung, branches);
	return 0;
}

void rungs_assign_more(const struct plan *plan, const struct features *features, enum rung forced,
		       uint64_t branches, uint32_t usable, uint32_t first, enum rung *rungs)
{
	const enum rung *order = branches ? for_branches : preferred_rungs(plan, features);
	struct features loaded = *features;

	for (int rung = 0; rung < NR_RUNGS; rung++)
		loaded.rungs[rung] &= !!(usable & RUNG_BIT(rung));
	for (size_t i = first; i < plan->funcs.len; i++)
		rungs[i] = choose_safe_rung(&plan->funcs.data[i], &loaded, order, forced);
}

enum rung rung_below(const struct plan_func *func, const struct features *features,
		     enum rung rung)
{
	static const enum rung below[] = { RUNG_KPROBE_SESSION, RUNG_KPROBE_MULTI, RUNG_KPROBE };

	/* A function that one kind of kprobe refuses is refused by the others too. */
	if (!rung_is_trampoline(rung))
		return RUNG_AUTO;
	/*
	 * If one function is on a rung that needs entry stacks, the stacks of all functions are
	 * entry stacks, and 5.10's kprobes cut those, too.
	 */
	for (size_t i = 0; i < ARRAY_SIZE(below); i++) {
		if (rung_takes(func, features, below[i]) &&
		    !features->proofs[below[i]].stacks_at_entry)
			return below[i];
	}
	return RUNG_AUTO;
}

uint32_t rungs_needed(const struct plan *plan, const enum rung *assigned,
		      const struct features *features, enum rung forced)
{
	uint32_t rungs = 0;

	for (size_t i = 0; i < plan->funcs.len; i++) {
		enum rung below = rung_below(&plan->funcs.data[i], features, assigned[i]);

		if (assigned[i] != RUNG_AUTO)
			rungs |= RUNG_BIT(assigned[i]);
		if (forced == RUNG_AUTO && below != RUNG_AUTO)
			rungs |= RUNG_BIT(below);
	}
	return rungs;
}
