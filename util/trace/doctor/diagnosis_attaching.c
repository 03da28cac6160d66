// SPDX-License-Identifier: BSD-2-Clause
/* Checks of the ways to attach to functions. */
#include <errno.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/trace/attach/rung_choice.h"
#include "util/trace/doctor/diagnosis_internal.h"

static const struct {
	enum rung rung;
	const char *what;
} rungs[] = {
	{ RUNG_FSESSION_MULTI, "all functions at once, by type" },
	{ RUNG_KPROBE_SESSION, "all functions at once" },
	{ RUNG_KPROBE_MULTI, "all functions at once" },
	{ RUNG_FENTRY, "each function by itself: slow to attach" },
	{ RUNG_KPROBE, "each function by itself" },
};

/* A guess: with sysfs, nearly every machine has types and cgroups. */
static bool has_no_sysfs(const struct machine *m)
{
	return m->btf.err == -ENOENT && m->cgroup2.err;
}

static bool is_locked_down(const struct machine *m)
{
	return !m->lockdown.err && m->lockdown.value == LOCKDOWN_CONFIDENTIALITY;
}

/* Appends "; works around ..." or "; not tested: ...". */
static void describe_proof(const struct proof *proof, struct strbuf *sb)
{
	struct strbuf adaptations = STRBUF_INIT;

	if (proof->verdict == PROOF_NONE && proof->why)
		strbuf_addf(sb, "; not tested: %s", proof->why);
	proof_add_adaptations(&adaptations, proof);
	if (proof->verdict == PROOF_WORKS && adaptations.len)
		strbuf_addf(sb, "; %s", strbuf_str(&adaptations));
	sb->failed |= adaptations.failed;
	strbuf_release(&adaptations);
}

static void check_rung(struct diagnosis *d, const struct machine *m, const struct trials *t,
		       size_t i)
{
	static const char attaching[] = "Ways to attach";
	const char *name = rung_name(rungs[i].rung);
	const struct proof *proof = &t->features.proofs[rungs[i].rung];
	struct strbuf how = STRBUF_INIT;

	if (!t->features_known) {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_UNKNOWN,
			  "not known: trying needs privileges");
	} else if (t->features.rungs[rungs[i].rung] && is_locked_down(m)) {
		/* The kernel has it, but nothing may be traced. */
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING, "lockdown forbids it");
		check_effect(d, "it cannot be used");
	} else if (t->features.rungs[rungs[i].rung] && proof->verdict == PROOF_WRONG) {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
			  "gives wrong answers and is not used: %s", proof->why);
	} else if (t->features.rungs[rungs[i].rung]) {
		describe_proof(proof, &how);
		d->failed |= how.failed;
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_OK, "%s%s%s", rungs[i].what,
			  strbuf_str(&how), bpf_loads(t) ? "" : ", as far as BTF tells");
	} else {
		rung_missing_add(&how, &t->features, rungs[i].rung, m->version);
		d->failed |= how.failed;
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING, "%s", strbuf_str(&how));
	}
	strbuf_release(&how);
}

/* Check whether there is any attach method, if programs load. */
static void check_any_rung(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	size_t first = d->checks.len - ARRAY_SIZE(rungs);

	for (size_t i = first; i < d->checks.len; i++) {
		if (d->checks.data[i].state != CHECK_MISSING)
			return;
	}
	/* Lockdown has a check of its own, as programs have. */
	if (!bpf_loads(t) || is_locked_down(m) || d->failed)
		return;
	last_check(d)->weight = WEIGHT_NEEDED;
	check_effect(d, "no way to attach is left: nothing can be traced");
	/* The switch has a check of its own, with the remedy. */
	if (setting_is_off(&m->switches.ftrace))
		return;
	check_advise(d, has_no_sysfs(m) ? "mount -t sysfs sysfs /sys" :
					  "a kernel with CONFIG_KPROBES or CONFIG_FPROBE");
}

void diagnose_attaching(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(rungs); i++)
		check_rung(d, m, t, i);
	check_any_rung(d, m, t);
}
