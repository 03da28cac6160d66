// SPDX-License-Identifier: BSD-2-Clause
/* Checks of the requirements of tracing: privileges, BPF, the kernel's lists and switches. */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/text/capability_name.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/capabilities.h"
#include "util/trace/doctor/diagnosis_internal.h"

/* Older kernels may work; they are not tested. */
#define OLDEST_TESTED KERNEL_VERSION_OF(5, 10)

static const char tracing[] = "Tracing";

static void check_kernel(struct diagnosis *d, const struct machine *m)
{
	bool known_cpu = arch_of_machine(m->arch);

	if (m->version && m->version < OLDEST_TESTED) {
		check_add(d, tracing, "kernel", WEIGHT_WANTED, CHECK_LIMITED, "%s, %s", m->release,
			  m->arch);
		check_effect(d, "older than 5.10, the oldest that is tested");
	} else if (!known_cpu) {
		check_add(d, tracing, "kernel", WEIGHT_WANTED, CHECK_LIMITED, "%s, %s", m->release,
			  m->arch);
		check_effect(d, "retsnoop does not support this CPU architecture");
	} else {
		check_add(d, tracing, "kernel", WEIGHT_NEEDED, CHECK_OK, "%s, %s", m->release,
			  m->arch);
	}
}

/* The relevant capabilities; the manual page says what each is for. */
static const int capabilities[] = {
	CAP_SYS_ADMIN,	     CAP_BPF,	    CAP_PERFMON,      CAP_SYSLOG,
	CAP_DAC_READ_SEARCH, CAP_SYS_RAWIO, CAP_SYS_RESOURCE,
};

#define NR_CAPABILITIES ARRAY_SIZE(capabilities)

/* "CAP_BPF, CAP_PERFMON": the capabilities that the user has, or lacks. */
static void list_capabilities(const struct machine *m, bool there, struct strbuf *sb)
{
	for (size_t i = 0; i < NR_CAPABILITIES; i++) {
		if (machine_can(m, capabilities[i]) == there)
			strbuf_addf(sb, "%s%s", sb->len ? ", " : "",
				    capability_name(capabilities[i]));
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

/* The capabilities that tracing needs here, as in the commands' messages. */
static uint64_t capabilities_needed(const struct machine *m, const struct trials *t)
{
	const struct tracing_needs needs = {
		.lists_modules = libbpf_lists_modules(t->libbpf, m->version, !m->btf.err),
		.addresses_hidden = m->addresses_hidden,
		.memory_counted = m->version && m->version < KERNEL_VERSION_OF(5, 11) &&
				  !m->memlock.err && m->memlock.value >= 0 &&
				  m->memlock.value < MEMLOCK_ENOUGH,
	};

	return tracing_capabilities(&needs);
}

static void check_rights(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	struct strbuf user = STRBUF_INIT, needed = STRBUF_INIT;

	describe_user(m, &user);
	capabilities_add(&needed, capabilities_needed(m, t));
	d->failed |= user.failed || needed.failed;
	if (m->uid == ~0u) {
		check_add(d, tracing, "rights", WEIGHT_NEEDED, CHECK_MISSING,
			  "not known: /proc is not mounted");
		check_effect(d, "no symbols, so nothing can be traced; the checks below may be "
			     "wrong");
		check_advise(d, "mount -t proc proc /proc");
	} else if (m->own_users) {
		check_add(d, tracing, "rights", WEIGHT_NEEDED, CHECK_MISSING,
			  "those of a user namespace");
		check_effect(d, "BPF needs privileges on the machine, which root in here lacks");
		check_advise(d, "run it on the machine itself, or in a container that is not "
			     "rootless");
	} else if (lacks_privileges(m)) {
		check_add(d, tracing, "rights", WEIGHT_NEEDED, CHECK_MISSING, "%s",
			  strbuf_str(&user));
		check_effect(d, "tracing needs %s%s", m->uid ? "root, or " : "",
			     strbuf_str(&needed));
		if (m->uid)
			check_advise(d, "sudo retsnoop doctor");
		else
			advise_capability(d, m, capabilities_needed(m, t));
	} else if (!machine_can(m, CAP_SYS_ADMIN) && t->btf_ids == -EPERM &&
		   libbpf_lists_modules(t->libbpf, m->version, !m->btf.err)) {
		check_add(d, tracing, "rights", WEIGHT_NEEDED, CHECK_MISSING, "%s",
			  strbuf_str(&user));
		check_effect(d, "this retsnoop has libbpf %u.%u, which lists modules' BTF, and "
			     "that takes CAP_SYS_ADMIN", t->libbpf >> 16, t->libbpf & 0xffff);
		if (m->uid)
			check_advise(d, "run it as root; with libbpf 1.3 or later these "
				     "capabilities do");
		else
			advise_capability(d, m, CAPABILITY(CAP_SYS_ADMIN));
	} else {
		check_add(d, tracing, "rights", WEIGHT_NEEDED, CHECK_OK, "%s", strbuf_str(&user));
	}
	strbuf_release(&user);
	strbuf_release(&needed);
}

static void check_container(struct diagnosis *d, const struct machine *m)
{
	if (!m->container[0])
		return;
	check_add(d, tracing, "container", WEIGHT_EXTRA, CHECK_LIMITED, "this is a container (%s)",
		  m->container);
	if (m->own_pids)
		check_effect(d, "process ids are those of the container, 0 for processes outside of it; cgroups are "
				"those of the machine");
	else
		check_effect(d, "process ids and cgroups are those of the machine, not of the container");
}

static void check_lockdown(struct diagnosis *d, const struct machine *m)
{
	if (m->lockdown.err) {
		/* Few kernels have lockdown on by default. */
		check_add(d, tracing, "lockdown", WEIGHT_EXTRA, CHECK_UNKNOWN,
			  m->lockdown.err == -ENOENT ? "not known: securityfs is not mounted" :
						       "not known: it may not be read");
		check_detail(d);
	} else if (m->lockdown.value == LOCKDOWN_CONFIDENTIALITY) {
		check_add(d, tracing, "lockdown", WEIGHT_NEEDED, CHECK_MISSING, "confidentiality");
		check_effect(d, "the kernel forbids reading its memory, tracing it and kprobes");
		check_advise(d, "boot without lockdown=confidentiality");
	} else if (m->lockdown.value == LOCKDOWN_INTEGRITY) {
		check_add(d, tracing, "lockdown", WEIGHT_NEEDED, CHECK_OK,
			  "integrity, which leaves tracing alone");
	} else {
		check_add(d, tracing, "lockdown", WEIGHT_NEEDED, CHECK_OK, "off");
		check_detail(d);
	}
}

static void check_bpf(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	if (!t->load) {
		check_add(d, tracing, "bpf", WEIGHT_NEEDED, CHECK_OK, "tracing programs load");
	} else if (t->load == -ENOEXEC) {
		check_add(d, tracing, "bpf", WEIGHT_NEEDED, CHECK_MISSING,
			  "this kernel runs tracing programs only with BPF's JIT compiler, which is off");
		check_effect(d, "nothing can be traced");
		check_advise(d, "sysctl -w net.core.bpf_jit_enable=1");
	} else if (is_refused(t->load) && lacks_privileges(m)) {
		check_add(d, tracing, "bpf", WEIGHT_NEEDED, CHECK_UNKNOWN,
			  "not known: trying needs privileges");
	} else if (is_refused(t->load)) {
		check_add(d, tracing, "bpf", WEIGHT_NEEDED, CHECK_MISSING,
			  "the kernel refuses tracing programs: %s", strerror(-t->load));
		check_effect(d, "nothing can be traced");
		check_advise(d, m->container[0] ?
				     "run it on the machine itself, or give the container CAP_BPF "
				     "and CAP_PERFMON and no seccomp filter on bpf(2)" :
				     "see what security modules and seccomp filters say of bpf(2)");
	} else {
		check_add(d, tracing, "bpf", WEIGHT_NEEDED, CHECK_MISSING,
			  "this kernel has no tracing programs: %s", strerror(-t->load));
		check_effect(d, "nothing can be traced");
		check_advise(d, "a kernel with CONFIG_BPF_SYSCALL, CONFIG_BPF_EVENTS and "
			     "CONFIG_KPROBES");
	}
	if (!m->unprivileged_bpf.err) {
		check_add(d, tracing, "unprivileged-bpf", WEIGHT_EXTRA, CHECK_OK,
			  "kernel.unprivileged_bpf_disabled=%ld; tracing needs privileges whatever it "
			  "is", m->unprivileged_bpf.value);
		check_detail(d);
	}
}

static void check_ring_buffer(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	bool there = bpf_loads(t) ? !t->ring_buffer : m->version >= KERNEL_VERSION_OF(5, 8);

	if (there) {
		check_add(d, tracing, "ring-buffer", WEIGHT_NEEDED, CHECK_OK, "BPF has it");
		check_detail(d);
	} else if (is_refused(t->ring_buffer) && bpf_loads(t)) {
		/* Locked memory has a check of its own. */
		check_add(d, tracing, "ring-buffer", WEIGHT_NEEDED, CHECK_UNKNOWN,
			  "not known: BPF maps are refused");
	} else {
		check_add(d, tracing, "ring-buffer", WEIGHT_NEEDED, CHECK_MISSING,
			  "BPF has none before Linux 5.8");
		check_effect(d, "nothing can be traced");
	}
}

static void check_memlock(struct diagnosis *d, const struct machine *m)
{
	bool counted = m->version && m->version < KERNEL_VERSION_OF(5, 11);

	/* An unprivileged user who becomes root gets root's limit. */
	if (m->memlock.err || lacks_privileges(m))
		return;
	if (!counted || machine_can(m, CAP_SYS_RESOURCE) || m->memlock.value < 0 ||
	    m->memlock.value >= MEMLOCK_ENOUGH) {
		check_add(d, tracing, "memlock", WEIGHT_NEEDED, CHECK_OK, "%s",
			  !counted ? "BPF does not count as locked memory here" :
			  machine_can(m, CAP_SYS_RESOURCE) ?
				     "BPF counts as locked memory; the limit "
				     "can be raised" :
				     "enough of it may be locked");
		check_detail(d);
		return;
	}
	check_add(d, tracing, "memlock", WEIGHT_NEEDED, CHECK_MISSING, "%ld KiB may be locked",
		  m->memlock.value >> 10);
	check_effect(d, "before Linux 5.11 BPF's buffers count as locked memory");
	check_advise(d, "ulimit -l unlimited, or CAP_SYS_RESOURCE");
}

static void check_jit(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	/* Already reported by the check of BPF. */
	if (t->load == -ENOEXEC)
		return;
	if (m->jit.err || m->jit.value) {
		check_add(d, tracing, "jit", WEIGHT_WANTED, CHECK_OK,
			  m->jit.err ? "not known" : "BPF programs are compiled");
		check_detail(d);
		return;
	}
	check_add(d, tracing, "jit", WEIGHT_WANTED, CHECK_LIMITED, "net.core.bpf_jit_enable=0");
	check_effect(d, "BPF programs are interpreted: tracing costs more, and has no session methods");
	check_advise(d, "sysctl -w net.core.bpf_jit_enable=1");
}

static void check_stacks(struct diagnosis *d, const struct machine *m)
{
	bool is_low = max_stack_is_low(&m->max_stack);

	if (!max_stack_is_short(&m->max_stack))
		return;
	check_add(d, tracing, "stacks", is_low ? WEIGHT_NEEDED : WEIGHT_WANTED,
		  is_low ? CHECK_MISSING : CHECK_LIMITED, "kernel.perf_event_max_stack=%ld",
		  m->max_stack.value);
	check_effect(d, is_low ? "kernel stacks are cut short: nothing is traced" :
				 "deeper stacks lack their outer callers");
	check_advise(d, "sysctl -w kernel.perf_event_max_stack=127");
}

static void check_addresses(struct diagnosis *d, const struct machine *m)
{
	long restricted = m->kptr_restrict.err ? 0 : m->kptr_restrict.value;

	if (!m->addresses_hidden) {
		check_add(d, tracing, "addresses", WEIGHT_NEEDED, CHECK_OK,
			  "functions' addresses are shown");
		check_detail(d);
		return;
	}
	check_add(d, tracing, "addresses", WEIGHT_NEEDED, CHECK_MISSING,
		  restricted >= 2 ?
			  "kernel.kptr_restrict=%ld hides functions' addresses from everybody" :
			  "functions' addresses are hidden from this user",
		  restricted);
	check_effect(d, "nothing can be traced, nor addresses be symbolized");
	if (restricted >= 2)
		check_advise(d, "sysctl -w kernel.kptr_restrict=1");
	else
		advise_capability(d, m, CAPABILITY(CAP_SYSLOG));
}

static void check_functions(struct diagnosis *d, const struct machine *m)
{
	if (!m->tracefs.err) {
		check_add(d, tracing, "functions", WEIGHT_WANTED, CHECK_OK, "%lu can be traced",
			  m->nr_traceable);
		return;
	}
	if (m->tracefs.err == -ENOENT && !m->tracefs.path[0]) {
		check_add(d, tracing, "functions", WEIGHT_WANTED, CHECK_LIMITED,
			  "tracefs is not mounted");
		check_advise(d, "mount -t tracefs nodev /sys/kernel/tracing");
	} else if (!m->lockdown.err && m->lockdown.value == LOCKDOWN_CONFIDENTIALITY) {
		check_add(d, tracing, "functions", WEIGHT_WANTED, CHECK_LIMITED,
			  "%s is closed by lockdown", m->tracefs.path);
	} else if (m->tracefs.err == -ENOENT) {
		check_add(d, tracing, "functions", WEIGHT_WANTED, CHECK_LIMITED,
			  "%s has no list of functions: a kernel without function tracing",
			  m->tracefs.path);
	} else {
		check_add(d, tracing, "functions", WEIGHT_WANTED, CHECK_LIMITED,
			  "%s may not be read", m->tracefs.path);
		advise_capability(d, m, CAPABILITY(CAP_DAC_READ_SEARCH));
	}
	/* ftrace's list can also be read from memory. */
	if (!m->kcore.err && !m->btf.err)
		check_effect(d, "tracepoints are not known");
	else
		check_effect(d, "%s taken for traceable; only raw tracepoints are known",
			     m->btf.err ? "any function is" : "functions in BTF are");
}

static void check_blacklist(struct diagnosis *d, const struct machine *m)
{
	if (!m->blacklist.err) {
		check_add(d, tracing, "blacklist", WEIGHT_EXTRA, CHECK_OK,
			  "functions that refuse kprobes are known");
		check_detail(d);
		return;
	}
	if (is_refused(m->blacklist.err)) {
		check_add(d, tracing, "blacklist", WEIGHT_EXTRA, CHECK_LIMITED,
			  "%s may not be read", m->blacklist.path);
		advise_capability(d, m, CAPABILITY(CAP_DAC_READ_SEARCH));
	} else {
		check_add(d, tracing, "blacklist", WEIGHT_EXTRA, CHECK_LIMITED,
			  "debugfs is not mounted, or has no list of what kprobes refuse");
		check_advise(d, "mount -t debugfs nodev /sys/kernel/debug");
	}
	check_effect(d, "functions that refuse kprobes are found out by trying");
	last_check(d)->detail = lacks_privileges(m);
}

static void check_switches(struct diagnosis *d, const struct machine *m)
{
	if (m->switches.ftrace.err == -ENOENT) {
		check_add(d, tracing, "ftrace", WEIGHT_WANTED, CHECK_LIMITED,
			  "this kernel has no function tracing");
		check_effect(d, "functions can be attached to with single kprobes only");
		check_advise(d, "a kernel with CONFIG_FUNCTION_TRACER");
	} else if (setting_is_off(&m->switches.ftrace) && !arch_native->kprobes_on_ftrace) {
		check_add(d, tracing, "ftrace", WEIGHT_WANTED, CHECK_LIMITED, "kernel.ftrace_enabled=0");
		check_effect(d, "functions can be attached to with single kprobes only");
		check_advise(d, "sysctl -w kernel.ftrace_enabled=1");
	} else if (setting_is_off(&m->switches.ftrace)) {
		check_add(d, tracing, "ftrace", WEIGHT_NEEDED, CHECK_MISSING,
			  "kernel.ftrace_enabled=0");
		check_effect(d, "functions cannot be attached to, or nothing is heard of them");
		check_advise(d, "sysctl -w kernel.ftrace_enabled=1");
	} else {
		check_add(d, tracing, "ftrace", WEIGHT_NEEDED, CHECK_OK, "function tracing is on");
		check_detail(d);
	}
	if (setting_is_off(&m->switches.kprobes)) {
		check_add(d, tracing, "kprobes", WEIGHT_WANTED, CHECK_LIMITED,
			  "switched off: /sys/kernel/debug/kprobes/enabled is 0");
		check_effect(d, "nothing is heard of single kprobes: neither of that attach method nor of -J");
		check_advise(d, "echo 1 > /sys/kernel/debug/kprobes/enabled");
	} else if (!m->switches.kprobes.err) {
		check_add(d, tracing, "kprobes", WEIGHT_WANTED, CHECK_OK, "switched on");
		check_detail(d);
	}
}

static void check_perf(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	if (!t->perf) {
		check_add(d, tracing, "perf", WEIGHT_WANTED, CHECK_OK, "perf events may be used");
		check_detail(d);
		return;
	}
	check_add(d, tracing, "perf", WEIGHT_WANTED, CHECK_LIMITED,
		  is_refused(t->perf) && !m->perf_paranoid.err ?
			  "kernel.perf_event_paranoid=%ld forbids perf events" :
			  "perf events cannot be used",
		  m->perf_paranoid.value);
	check_effect(d, "no single kprobes, no tracepoints: neither that attach method nor -J");
	if (is_refused(t->perf) && !m->perf_paranoid.err && m->perf_paranoid.value > 2)
		check_advise(d, "%ssysctl -w kernel.perf_event_paranoid=2",
			     machine_can(m, CAP_SYS_ADMIN) ? "" :
			     m->uid			   ? "run it as root or with CAP_SYS_ADMIN, or " :
							     "run it with CAP_SYS_ADMIN, or ");
	else if (is_refused(t->perf))
		advise_capability(d, m, CAPABILITY(CAP_PERFMON));
	else
		check_advise(d, "a kernel with CONFIG_PERF_EVENTS");
}

void diagnose_tracing(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	check_kernel(d, m);
	check_rights(d, m, t);
	check_container(d, m);
	check_lockdown(d, m);
	check_bpf(d, m, t);
	check_ring_buffer(d, m, t);
	check_memlock(d, m);
	check_jit(d, m, t);
	check_stacks(d, m);
	check_addresses(d, m);
	check_functions(d, m);
	check_blacklist(d, m);
	check_switches(d, m);
	check_perf(d, m, t);
}
