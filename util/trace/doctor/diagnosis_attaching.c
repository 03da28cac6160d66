// SPDX-License-Identifier: BSD-2-Clause
/* Checks of the ways to attach to functions. */
#include <errno.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/trace/doctor/diagnosis_internal.h"

static const struct {
	enum rung rung;
	unsigned int since;
	bool typed;	/* takes BTF */
	const char *what;
	const char *config;
} rungs[] = {
	{ RUNG_FSESSION_MULTI, KERNEL_VERSION_OF(7, 2), true, "all functions at once, by type",
	  "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS" },
	{ RUNG_KPROBE_SESSION, KERNEL_VERSION_OF(6, 10), true, "all functions at once",
	  "CONFIG_FPROBE" },
	{ RUNG_KPROBE_MULTI, KERNEL_VERSION_OF(5, 18), false, "all functions at once",
	  "CONFIG_FPROBE" },
	{ RUNG_FENTRY, KERNEL_VERSION_OF(5, 5), true, "each function by itself: slow to attach",
	  "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS" },
	{ RUNG_KPROBE, 0, false, "each function by itself", "CONFIG_KPROBES" },
};

/* As far as can be told: types and cgroups are there nearly everywhere. */
static bool has_no_sysfs(const struct machine *m)
{
	return m->btf.err == -ENOENT && m->cgroup2.err;
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
	bool has = t->features.rungs[rungs[i].rung] || t->features.lacks[rungs[i].rung][0];
	bool refused = rungs[i].rung == RUNG_KPROBE && t->perf;
	const struct proof *proof = &t->features.proofs[rungs[i].rung];
	struct strbuf how = STRBUF_INIT;

	if (!t->features_known) {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_UNKNOWN,
			  "not known: trying takes rights");
	} else if (has && refused && bpf_loads(t)) {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
			  "perf events cannot be used: see above");
	} else if (has && rungs[i].rung == RUNG_KPROBE && t->kprobe) {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
			  has_no_sysfs(m) ?
				  "/sys is not mounted, or this kernel was built without %s" :
				  "this kernel was built without %s",
			  rungs[i].config);
	} else if (has && rungs[i].rung == RUNG_FENTRY && bpf_loads(t) && t->fentry) {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
			  "the kernel refuses programs for it: %s", strerror(-t->fentry));
	} else if (has && proof->verdict == PROOF_WRONG) {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
			  "gives wrong answers and is not used: %s", proof->why);
	} else if (has) {
		describe_proof(proof, &how);
		d->failed |= how.failed;
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_OK, "%s%s%s", rungs[i].what,
			  strbuf_str(&how), bpf_loads(t) ? "" : ", as far as BTF tells");
	} else if (m->version && m->version < rungs[i].since) {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING, "from Linux %u.%u on",
			  rungs[i].since >> 16, rungs[i].since & 0xffff);
	} else if (rung_is_session(rungs[i].rung) && t->features.session_needs_jit) {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
			  "needs BPF's JIT compiler: see above");
	} else if (rungs[i].typed && !t->features.btf) {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING, "takes BTF");
	} else {
		check_add(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
			  "this kernel was built without %s", rungs[i].config);
	}
	strbuf_release(&how);
}

/* With programs that load, but nothing to attach them to functions with. */
static void check_any_rung(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	size_t first = d->checks.len - ARRAY_SIZE(rungs);

	for (size_t i = first; i < d->checks.len; i++) {
		if (d->checks.data[i].state != CHECK_MISSING)
			return;
	}
	if (!bpf_loads(t) || d->failed)
		return;
	last_check(d)->weight = WEIGHT_NEEDED;
	check_effect(d, "no way to attach is left: nothing can be traced");
	check_advise(d, has_no_sysfs(m) ? "mount -t sysfs sysfs /sys" :
					  "a kernel with CONFIG_KPROBES or CONFIG_FPROBE");
}

void diagnose_attaching(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(rungs); i++)
		check_rung(d, m, t, i);
	check_any_rung(d, m, t);
}
