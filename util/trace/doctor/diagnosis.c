// SPDX-License-Identifier: BSD-2-Clause
/* From facts and trials to checks. */
#include "util/trace/doctor/diagnosis.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/base/array.h"
#include "util/base/report.h"

/* Older kernels may do; nobody has looked. */
#define OLDEST_TESTED KERNEL_VERSION_OF(5, 10)

static char *format(struct diagnosis *d, const char *fmt, va_list args)
{
	char *text;

	if (vasprintf(&text, fmt, args) >= 0)
		return text;
	d->failed = true;
	return NULL;
}

/* The next check; what is said of it later is said of the last one. */
__attribute__((format(printf, 6, 7))) static void found(struct diagnosis *d, const char *group,
							const char *name, enum check_weight weight,
							enum check_state state, const char *fmt,
							...)
{
	struct check check = { .name = name, .group = group, .state = state, .weight = weight };
	va_list args;

	va_start(args, fmt);
	check.finding = format(d, fmt, args);
	va_end(args);
	if (vec_push(&d->checks, check)) {
		free(check.finding);
		d->failed = true;
	}
}

static struct check *last(struct diagnosis *d)
{
	static struct check nowhere;

	return d->checks.len ? &d->checks.data[d->checks.len - 1] : &nowhere;
}

__attribute__((format(printf, 2, 3))) static void effect(struct diagnosis *d, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	free(last(d)->effect);
	last(d)->effect = format(d, fmt, args);
	va_end(args);
}

__attribute__((format(printf, 2, 3))) static void advise(struct diagnosis *d, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	free(last(d)->advice);
	last(d)->advice = format(d, fmt, args);
	va_end(args);
}

/* Nothing that everybody would ask for. */
static void detail(struct diagnosis *d)
{
	last(d)->detail = true;
}

/* Whether tracing programs load at all, so that trying tells. */
static bool tried(const struct trials *trials)
{
	return !trials->load;
}

static bool may_not(int err)
{
	return err == -EPERM || err == -EACCES;
}

/* An ordinary user: what else that hides is not worth a line each. */
static bool has_no_rights(const struct machine *m)
{
	return m->own_users || (!machine_can(m, CAP_SYS_ADMIN) &&
				!(machine_can(m, CAP_BPF) && machine_can(m, CAP_PERFMON)));
}

/* Tracing */

static const char tracing[] = "Tracing";

static void check_kernel(struct diagnosis *d, const struct machine *m)
{
	bool known_cpu = !strcmp(m->arch, "x86_64") || !strcmp(m->arch, "aarch64");

	if (m->version && m->version < OLDEST_TESTED) {
		found(d, tracing, "kernel", WEIGHT_WANTED, CHECK_LIMITED, "%s, %s", m->release,
		      m->arch);
		effect(d, "older than 5.10, the oldest that is tested");
	} else if (!known_cpu) {
		found(d, tracing, "kernel", WEIGHT_WANTED, CHECK_LIMITED, "%s, %s", m->release,
		      m->arch);
		effect(d, "where arguments are is known on x86_64 and aarch64 only");
	} else {
		found(d, tracing, "kernel", WEIGHT_NEEDED, CHECK_OK, "%s, %s", m->release, m->arch);
	}
}

/* The capabilities that matter here, and what for: see the manual page. */
static const struct {
	int cap;
	const char *name;
} capabilities[] = {
	{ CAP_SYS_ADMIN, "CAP_SYS_ADMIN" },
	{ CAP_BPF, "CAP_BPF" },
	{ CAP_PERFMON, "CAP_PERFMON" },
	{ CAP_SYSLOG, "CAP_SYSLOG" },
	{ CAP_DAC_READ_SEARCH, "CAP_DAC_READ_SEARCH" },
	{ CAP_SYS_RAWIO, "CAP_SYS_RAWIO" },
	{ CAP_SYS_RESOURCE, "CAP_SYS_RESOURCE" },
};

#define NR_CAPABILITIES (ARRAY_SIZE(capabilities))

/* "CAP_BPF, CAP_PERFMON": those that are there, or those that are not. */
static void list_capabilities(const struct machine *m, bool there, struct strbuf *sb)
{
	for (size_t i = 0; i < NR_CAPABILITIES; i++) {
		if (machine_can(m, capabilities[i].cap) == there)
			strbuf_addf(sb, "%s%s", sb->len ? ", " : "", capabilities[i].name);
	}
}

/* "root, without CAP_SYS_RESOURCE"; "user 1000 with CAP_BPF, CAP_PERFMON". */
static void describe_user(const struct machine *m, struct strbuf *sb)
{
	struct strbuf caps = STRBUF_INIT;

	list_capabilities(m, m->uid, &caps);
	if (!m->uid)
		strbuf_addf(sb, "root%s%s", caps.len ? " without " : "", strbuf_str(&caps));
	else
		strbuf_addf(sb, "user %u%s%s", m->uid, caps.len ? " with " : "", strbuf_str(&caps));
	sb->failed |= caps.failed;
	strbuf_release(&caps);
}

static void check_rights(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	struct strbuf user = STRBUF_INIT;

	describe_user(m, &user);
	d->failed |= user.failed;
	if (m->uid == ~0u) {
		found(d, tracing, "rights", WEIGHT_NEEDED, CHECK_MISSING,
		      "not known: /proc is not mounted");
		effect(d, "no symbols, so nothing can be traced; what is said below may be wrong");
		advise(d, "mount -t proc proc /proc");
	} else if (m->own_users) {
		found(d, tracing, "rights", WEIGHT_NEEDED, CHECK_MISSING,
		      "those of a user namespace");
		effect(d, "BPF asks for rights on the machine, and root in here has none");
		advise(d, "run it on the machine itself, or in a container that is not rootless");
	} else if (has_no_rights(m)) {
		found(d, tracing, "rights", WEIGHT_NEEDED, CHECK_MISSING, "%s", strbuf_str(&user));
		effect(d, "tracing takes root, or CAP_BPF and CAP_PERFMON");
		advise(d, "sudo retsnoop doctor");
	} else if (!machine_can(m, CAP_SYS_ADMIN) && t->btf_ids == -EPERM &&
		   t->libbpf < KERNEL_VERSION_OF(1, 3) && !m->btf.err &&
		   m->version >= KERNEL_VERSION_OF(5, 11)) {
		found(d, tracing, "rights", WEIGHT_NEEDED, CHECK_MISSING, "%s", strbuf_str(&user));
		effect(d,
		       "this retsnoop has libbpf %u.%u, which lists modules' BTF, and that takes "
		       "CAP_SYS_ADMIN",
		       t->libbpf >> 16, t->libbpf & 0xffff);
		advise(d, "run it as root; with libbpf 1.3 or later these capabilities do");
	} else {
		found(d, tracing, "rights", WEIGHT_NEEDED, CHECK_OK, "%s", strbuf_str(&user));
	}
	strbuf_release(&user);
}

static void check_container(struct diagnosis *d, const struct machine *m)
{
	if (!m->container[0])
		return;
	found(d, tracing, "container", WEIGHT_EXTRA, CHECK_LIMITED, "this is a container (%s)",
	      m->container);
	effect(d, "process ids and cgroups are those of the machine, not of the container");
}

static void check_lockdown(struct diagnosis *d, const struct machine *m)
{
	if (m->lockdown.err) {
		/* Hardly any kernel has it on by itself. */
		found(d, tracing, "lockdown", WEIGHT_EXTRA, CHECK_UNKNOWN,
		      m->lockdown.err == -ENOENT ? "not known: securityfs is not mounted" :
						   "not known: it may not be read");
		detail(d);
	} else if (m->lockdown.value == LOCKDOWN_CONFIDENTIALITY) {
		found(d, tracing, "lockdown", WEIGHT_NEEDED, CHECK_MISSING, "confidentiality");
		effect(d, "the kernel lets nobody read its memory, trace it or set kprobes");
		advise(d, "boot without lockdown=confidentiality");
	} else if (m->lockdown.value == LOCKDOWN_INTEGRITY) {
		found(d, tracing, "lockdown", WEIGHT_NEEDED, CHECK_OK,
		      "integrity, which leaves tracing alone");
	} else {
		found(d, tracing, "lockdown", WEIGHT_NEEDED, CHECK_OK, "off");
		detail(d);
	}
}

static void check_bpf(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	if (!t->load) {
		found(d, tracing, "bpf", WEIGHT_NEEDED, CHECK_OK, "tracing programs load");
	} else if (may_not(t->load) && has_no_rights(m)) {
		found(d, tracing, "bpf", WEIGHT_NEEDED, CHECK_UNKNOWN,
		      "not known: trying takes rights");
	} else if (may_not(t->load)) {
		found(d, tracing, "bpf", WEIGHT_NEEDED, CHECK_MISSING,
		      "the kernel refuses tracing programs: %s", strerror(-t->load));
		effect(d, "nothing can be traced");
		advise(d, m->container[0] ?
				  "run it on the machine itself, or give the container CAP_BPF and "
				  "CAP_PERFMON and no seccomp filter on bpf(2)" :
				  "see what security modules and seccomp filters say of bpf(2)");
	} else {
		found(d, tracing, "bpf", WEIGHT_NEEDED, CHECK_MISSING,
		      "this kernel has no tracing programs: %s", strerror(-t->load));
		effect(d, "nothing can be traced");
		advise(d, "a kernel with CONFIG_BPF_SYSCALL, CONFIG_BPF_EVENTS and CONFIG_KPROBES");
	}
	if (!m->unprivileged_bpf.err) {
		found(d, tracing, "unprivileged-bpf", WEIGHT_EXTRA, CHECK_OK,
		      "kernel.unprivileged_bpf_disabled=%ld; tracing takes rights whatever it is",
		      m->unprivileged_bpf.value);
		detail(d);
	}
}

static void check_ring_buffer(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	bool there = tried(t) ? !t->ring_buffer : m->version >= KERNEL_VERSION_OF(5, 8);

	if (there) {
		found(d, tracing, "ring-buffer", WEIGHT_NEEDED, CHECK_OK, "BPF has it");
		detail(d);
	} else if (may_not(t->ring_buffer) && tried(t)) {
		/* Locked memory: said below. */
		found(d, tracing, "ring-buffer", WEIGHT_NEEDED, CHECK_UNKNOWN,
		      "not known: BPF maps are refused");
	} else {
		found(d, tracing, "ring-buffer", WEIGHT_NEEDED, CHECK_MISSING,
		      "BPF has none before Linux 5.8");
		effect(d, "nothing can be traced");
	}
}

static void check_memlock(struct diagnosis *d, const struct machine *m)
{
	bool counted = m->version && m->version < KERNEL_VERSION_OF(5, 11);

	/* Who has no rights gets root's limit with them. */
	if (m->memlock.err || has_no_rights(m))
		return;
	if (!counted || machine_can(m, CAP_SYS_RESOURCE) || m->memlock.value < 0 ||
	    m->memlock.value >= MEMLOCK_ENOUGH) {
		found(d, tracing, "memlock", WEIGHT_NEEDED, CHECK_OK, "%s",
		      !counted ? "BPF does not count as locked memory here" :
		      machine_can(m, CAP_SYS_RESOURCE) ? "BPF counts as locked memory; the limit "
							 "can be raised" :
							 "enough of it may be locked");
		detail(d);
		return;
	}
	found(d, tracing, "memlock", WEIGHT_NEEDED, CHECK_MISSING, "%ld KiB may be locked",
	      m->memlock.value >> 10);
	effect(d, "before Linux 5.11 BPF's buffers count as locked memory");
	advise(d, "ulimit -l unlimited, or CAP_SYS_RESOURCE");
}

static void check_jit(struct diagnosis *d, const struct machine *m)
{
	if (m->jit.err || m->jit.value) {
		found(d, tracing, "jit", WEIGHT_WANTED, CHECK_OK,
		      m->jit.err ? "not known" : "BPF programs are compiled");
		detail(d);
		return;
	}
	found(d, tracing, "jit", WEIGHT_WANTED, CHECK_LIMITED, "net.core.bpf_jit_enable=0");
	effect(d, "BPF programs are interpreted: tracing costs more, and has no trampolines");
	advise(d, "sysctl -w net.core.bpf_jit_enable=1");
}

static void check_addresses(struct diagnosis *d, const struct machine *m)
{
	long restricted = m->kptr_restrict.err ? 0 : m->kptr_restrict.value;

	if (!m->addresses_hidden) {
		found(d, tracing, "addresses", WEIGHT_NEEDED, CHECK_OK,
		      "functions' addresses are shown");
		detail(d);
		return;
	}
	found(d, tracing, "addresses", WEIGHT_NEEDED, CHECK_MISSING,
	      restricted >= 2 ?
		      "kernel.kptr_restrict=%ld hides functions' addresses from everybody" :
		      "functions' addresses are hidden from this user",
	      restricted);
	effect(d, "nothing can be traced, nor addresses be symbolized");
	advise(d, restricted >= 2 ? "sysctl -w kernel.kptr_restrict=1" :
				    "run it as root, or with CAP_SYSLOG");
}

static void check_functions(struct diagnosis *d, const struct machine *m)
{
	if (!m->tracefs.err) {
		found(d, tracing, "functions", WEIGHT_WANTED, CHECK_OK, "%lu can be traced",
		      m->nr_traceable);
		return;
	}
	if (m->tracefs.err == -ENOENT && !m->tracefs.path[0]) {
		found(d, tracing, "functions", WEIGHT_WANTED, CHECK_LIMITED,
		      "tracefs is not mounted");
		advise(d, "mount -t tracefs nodev /sys/kernel/tracing");
	} else if (!m->lockdown.err && m->lockdown.value == LOCKDOWN_CONFIDENTIALITY) {
		found(d, tracing, "functions", WEIGHT_WANTED, CHECK_LIMITED,
		      "%s is closed by lockdown", m->tracefs.path);
	} else if (m->tracefs.err == -ENOENT) {
		found(d, tracing, "functions", WEIGHT_WANTED, CHECK_LIMITED,
		      "%s has no list of functions: a kernel without function tracing",
		      m->tracefs.path);
	} else {
		found(d, tracing, "functions", WEIGHT_WANTED, CHECK_LIMITED, "%s may not be read",
		      m->tracefs.path);
		advise(d, "run it as root, or with CAP_DAC_READ_SEARCH");
	}
	effect(d, "%s taken for traceable; tracepoints are not known",
	       m->btf.err ? "any function is" : "functions in BTF are");
}

static void check_blacklist(struct diagnosis *d, const struct machine *m)
{
	if (!m->blacklist.err) {
		found(d, tracing, "blacklist", WEIGHT_EXTRA, CHECK_OK,
		      "functions that refuse kprobes are known");
		detail(d);
		return;
	}
	if (may_not(m->blacklist.err)) {
		found(d, tracing, "blacklist", WEIGHT_EXTRA, CHECK_LIMITED, "%s may not be read",
		      m->blacklist.path);
		advise(d, "run it as root, or with CAP_DAC_READ_SEARCH");
	} else {
		found(d, tracing, "blacklist", WEIGHT_EXTRA, CHECK_LIMITED,
		      "debugfs is not mounted, or has no list of what kprobes refuse");
		advise(d, "mount -t debugfs nodev /sys/kernel/debug");
	}
	effect(d, "functions that refuse kprobes are found out by trying");
	last(d)->detail = has_no_rights(m);
}

static void check_switches(struct diagnosis *d, const struct machine *m)
{
	if (m->switches.ftrace.err == -ENOENT) {
		found(d, tracing, "ftrace", WEIGHT_WANTED, CHECK_LIMITED,
		      "this kernel has no function tracing");
		effect(d, "functions can be attached to with single kprobes only");
		advise(d, "a kernel with CONFIG_FUNCTION_TRACER");
	} else if (setting_is_off(&m->switches.ftrace)) {
		found(d, tracing, "ftrace", WEIGHT_NEEDED, CHECK_MISSING,
		      "kernel.ftrace_enabled=0");
		effect(d, "functions cannot be attached to, or nothing is heard of them");
		advise(d, "sysctl -w kernel.ftrace_enabled=1");
	} else {
		found(d, tracing, "ftrace", WEIGHT_NEEDED, CHECK_OK, "function tracing is on");
		detail(d);
	}
	if (setting_is_off(&m->switches.kprobes)) {
		found(d, tracing, "kprobes", WEIGHT_WANTED, CHECK_LIMITED,
		      "switched off: /sys/kernel/debug/kprobes/enabled is 0");
		effect(d, "nothing is heard of single kprobes: on that rung, and of -J");
		advise(d, "echo 1 > /sys/kernel/debug/kprobes/enabled");
	} else if (!m->switches.kprobes.err) {
		found(d, tracing, "kprobes", WEIGHT_WANTED, CHECK_OK, "switched on");
		detail(d);
	}
}

static void check_perf(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	if (!t->perf) {
		found(d, tracing, "perf", WEIGHT_WANTED, CHECK_OK, "perf events may be used");
		detail(d);
		return;
	}
	found(d, tracing, "perf", WEIGHT_WANTED, CHECK_LIMITED,
	      may_not(t->perf) && !m->perf_paranoid.err ?
		      "kernel.perf_event_paranoid=%ld forbids perf events" :
		      "perf events cannot be used",
	      m->perf_paranoid.value);
	effect(d, "no single kprobes, no tracepoints: not that rung, and no -J");
	if (may_not(t->perf))
		advise(d, !m->perf_paranoid.err && m->perf_paranoid.value > 2 ?
				  "run it as root, or sysctl -w kernel.perf_event_paranoid=2" :
				  "run it as root, or with CAP_PERFMON");
	else
		advise(d, "a kernel with CONFIG_PERF_EVENTS");
}

/* Ways to attach */

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
	bool has = t->features.rungs[rungs[i].rung];
	bool refused = rungs[i].rung == RUNG_KPROBE && t->perf;
	const struct proof *proof = &t->features.proofs[rungs[i].rung];
	struct strbuf how = STRBUF_INIT;

	if (!t->features_known) {
		found(d, attaching, name, WEIGHT_EXTRA, CHECK_UNKNOWN,
		      "not known: trying takes rights");
	} else if (has && refused && tried(t)) {
		found(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
		      "perf events cannot be used: see above");
	} else if (has && rungs[i].rung == RUNG_KPROBE && t->kprobe) {
		found(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
		      has_no_sysfs(m) ? "/sys is not mounted, or this kernel was built without %s" :
					"this kernel was built without %s",
		      rungs[i].config);
	} else if (has && rungs[i].rung == RUNG_FENTRY && tried(t) && t->fentry) {
		found(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
		      "the kernel refuses programs for it: %s", strerror(-t->fentry));
	} else if (has && proof->verdict == PROOF_WRONG) {
		found(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
		      "gives wrong answers and is not used: %s", proof->why);
	} else if (has) {
		describe_proof(proof, &how);
		d->failed |= how.failed;
		found(d, attaching, name, WEIGHT_EXTRA, CHECK_OK, "%s%s%s", rungs[i].what,
		      strbuf_str(&how), tried(t) ? "" : ", as far as BTF tells");
	} else if (m->version && m->version < rungs[i].since) {
		found(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING, "from Linux %u.%u on",
		      rungs[i].since >> 16, rungs[i].since & 0xffff);
	} else if (rungs[i].typed && !t->features.btf) {
		found(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING, "takes BTF");
	} else {
		found(d, attaching, name, WEIGHT_EXTRA, CHECK_MISSING,
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
	if (!tried(t) || d->failed)
		return;
	last(d)->weight = WEIGHT_NEEDED;
	effect(d, "no way to attach is left: nothing can be traced");
	advise(d, has_no_sysfs(m) ? "mount -t sysfs sysfs /sys" :
				    "a kernel with CONFIG_KPROBES or CONFIG_FPROBE");
}

/* What can be shown */

static const char showing[] = "What can be shown";

static void check_btf(struct diagnosis *d, const struct machine *m)
{
	if (!m->btf.err) {
		found(d, showing, "btf", WEIGHT_WANTED, CHECK_OK,
		      "types of the kernel and of %u module%s", m->nr_module_btf,
		      m->nr_module_btf == 1 ? "" : "s");
		return;
	}
	found(d, showing, "btf", WEIGHT_WANTED, CHECK_MISSING,
	      m->btf.err == -ENOENT ? "the kernel does not describe its types" :
				      "the kernel's types may not be read");
	effect(d, "every function counts as returning an int; no arguments, no trampolines");
	if (m->btf.err == -ENOENT)
		advise(d, "a kernel with CONFIG_DEBUG_INFO_BTF");
}

static void check_debug_info(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	struct strbuf advice = STRBUF_INIT;
	const char *more = "";

	if (t->vmlinux == FIT_GOOD) {
		found(d, showing, "debug-info", WEIGHT_WANTED, CHECK_OK, "%s", t->vmlinux_path);
		return;
	}
	if (t->vmlinux == FIT_MISSING)
		found(d, showing, "debug-info", WEIGHT_WANTED, CHECK_MISSING,
		      "none found for this kernel");
	else
		found(d, showing, "debug-info", WEIGHT_WANTED, CHECK_MISSING,
		      t->vmlinux == FIT_OTHER_BUILD ? "%s is of another build" :
		      t->vmlinux == FIT_NO_DWARF    ? "%s has none" :
						      "%s cannot be read",
		      t->vmlinux_path ?: "vmlinux");
	effect(d, "no source lines, no inlined calls, no functions by source file");
	if (!t->debuginfod)
		more = ", or trace with --debuginfod";
	if (!distribution_debug_command(&m->os, m->release, &advice)) {
		distribution_debug_advice(&m->os, m->release, &advice);
		if (t->debuginfod == -ENODATA)
			more = ", or set DEBUGINFOD_URLS to your distribution's servers and trace with "
			       "--debuginfod";
		if (strstr(strbuf_str(&advice), "DEBUGINFOD_URLS"))
			more = "";
	}
	advise(d, "%s%s", strbuf_str(&advice), more);
	strbuf_release(&advice);
}

static void check_branches(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	/* Where programs load, whether they see them was tried, too. */
	bool helper = tried(t) ? t->features.branch_snapshot :
				 m->version >= KERNEL_VERSION_OF(5, 16);

	if (!t->branches && !helper) {
		found(d, showing, "lbr", WEIGHT_EXTRA, CHECK_MISSING,
		      "BPF can read branch records from Linux 5.16 on");
	} else if (!t->branches) {
		if (m->branches.err)
			found(d, showing, "lbr", WEIGHT_EXTRA, CHECK_OK,
			      "the CPU records branches");
		else
			found(d, showing, "lbr", WEIGHT_EXTRA, CHECK_OK,
			      "the CPU keeps %ld branches", m->branches.value);
		return;
	} else if (may_not(t->branches)) {
		found(d, showing, "lbr", WEIGHT_EXTRA, CHECK_UNKNOWN,
		      "not known: perf events may not be used");
	} else if (t->branches == -EBUSY) {
		found(d, showing, "lbr", WEIGHT_EXTRA, CHECK_LIMITED,
		      "another program has the CPU record branches, or takes all counters");
		advise(d, "end it first (perf record -b?)");
	} else if (m->hypervisor) {
		found(d, showing, "lbr", WEIGHT_EXTRA, CHECK_MISSING,
		      "this virtual machine has no branch records");
		advise(d, "run it on a machine itself, or give the virtual one a PMU with them");
	} else {
		found(d, showing, "lbr", WEIGHT_EXTRA, CHECK_MISSING,
		      "this CPU keeps no branch records that Linux gives to BPF: Intel since 2008, AMD "
		      "since Zen 4 with Linux 6.10");
	}
	effect(d, "no 'retsnoop lbr', no --lbr");
}

/* What the kernel says of its preempt count is compared with what an interrupt does to it. */
static void check_contexts(struct diagnosis *d, const struct trials *t)
{
	const struct contexts *contexts = &t->features.contexts;
	const char *problem = contexts_problem(contexts->told);

	if (!tried(t))
		return;
	if (problem) {
		found(d, showing, "contexts", WEIGHT_WANTED, CHECK_LIMITED, "%s", problem);
		effect(d, "%s", contexts_effect(contexts->told));
	} else if (t->hardirq >= 0 && !(t->hardirq & contexts->bits.hardirqs)) {
		found(d, showing, "contexts", WEIGHT_WANTED, CHECK_LIMITED,
		      "a timer interrupt was not told from a task: it adds 0x%llx to the preempt count",
		      (unsigned long long)t->hardirq);
		effect(d, "%s", contexts_effect(CONTEXTS_UNKNOWN_LAYOUT));
	} else {
		found(d, showing, "contexts", WEIGHT_EXTRA, CHECK_OK,
		      t->hardirq > 0 ? "interrupts are told from tasks; tried" :
				       "interrupts are told from tasks, as far as the kernel says");
		detail(d);
	}
}

static void check_nmi(struct diagnosis *d, const struct trials *t)
{
	if (!tried(t))
		return;
	if (t->features.attach_cookies) {
		found(d, showing, "nmi", WEIGHT_EXTRA, CHECK_OK, "calls in NMIs are followed");
		detail(d);
		return;
	}
	found(d, showing, "nmi", WEIGHT_EXTRA, CHECK_LIMITED, "safe in NMIs from Linux 5.15 on");
	effect(d, "calls in NMIs are counted, not followed");
}

static void check_points(struct diagnosis *d, const struct machine *m)
{
	if (!m->kcore.err) {
		found(d, showing, "code", WEIGHT_EXTRA, CHECK_OK,
		      "functions' code can be read, for points inside them");
		detail(d);
		return;
	}
	found(d, showing, "code", WEIGHT_EXTRA, CHECK_LIMITED, "%s",
	      may_not(m->kcore.err) ? "/proc/kcore may not be read" : "there is no /proc/kcore");
	effect(d, "points inside functions are not checked before they are tried");
	if (may_not(m->kcore.err) &&
	    !(machine_can(m, CAP_SYS_RAWIO) && machine_can(m, CAP_DAC_READ_SEARCH)))
		advise(d, "run it as root, or with CAP_SYS_RAWIO and CAP_DAC_READ_SEARCH");
	last(d)->detail = has_no_rights(m);
}

static void check_cgroups(struct diagnosis *d, const struct machine *m)
{
	if (!m->cgroup2.err) {
		found(d, showing, "cgroups", WEIGHT_EXTRA, CHECK_OK, "%s", m->cgroup2.path);
		detail(d);
		return;
	}
	found(d, showing, "cgroups", WEIGHT_EXTRA, CHECK_LIMITED, "cgroup2 is not mounted");
	effect(d, "--cgroup cannot be used");
}

static enum verdict judge(const struct diagnosis *d)
{
	enum verdict verdict = VERDICT_WORKS;

	vec_foreach(check, &d->checks) {
		if (check->state == CHECK_OK || check->weight == WEIGHT_EXTRA)
			continue;
		if (check->weight == WEIGHT_NEEDED)
			return VERDICT_IMPOSSIBLE;
		verdict = VERDICT_LIMITED;
	}
	return verdict;
}

int diagnose(const struct machine *m, const struct trials *t, struct diagnosis *ret_diagnosis)
{
	struct diagnosis d = {};

	check_kernel(&d, m);
	check_rights(&d, m, t);
	check_container(&d, m);
	check_lockdown(&d, m);
	check_bpf(&d, m, t);
	check_ring_buffer(&d, m, t);
	check_memlock(&d, m);
	check_jit(&d, m);
	check_addresses(&d, m);
	check_functions(&d, m);
	check_blacklist(&d, m);
	check_switches(&d, m);
	check_perf(&d, m, t);
	for (size_t i = 0; i < ARRAY_SIZE(rungs); i++)
		check_rung(&d, m, t, i);
	check_any_rung(&d, m, t);
	check_btf(&d, m);
	check_debug_info(&d, m, t);
	check_branches(&d, m, t);
	check_contexts(&d, t);
	check_nmi(&d, t);
	check_points(&d, m);
	check_cgroups(&d, m);
	d.verdict = judge(&d);
	if (d.failed) {
		diagnosis_release(&d);
		return report_oom();
	}
	*ret_diagnosis = d;
	return 0;
}

void diagnosis_release(struct diagnosis *diagnosis)
{
	vec_foreach(check, &diagnosis->checks) {
		free(check->finding);
		free(check->effect);
		free(check->advice);
	}
	vec_release(&diagnosis->checks);
}

const char *check_state_name(enum check_state state)
{
	static const char *const names[] = { "ok", "limited", "missing", "unknown" };

	return names[state];
}

const char *check_weight_name(enum check_weight weight)
{
	static const char *const names[] = { "needed", "wanted", "extra" };

	return names[weight];
}

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = { "works", "limited", "impossible" };

	return names[verdict];
}
