// SPDX-License-Identifier: BSD-2-Clause
/* Checks, verdicts, and how they read. */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>

#include "golden.h"
#include "unit.h"
#include "util/base/cleanup.h"
#include "util/kernel/arch/arch.h"
#include "util/trace/doctor/diagnosis.h"
#include "util/view/lists/doctor_view.h"

#define CAP(name) (1ull << CAP_##name)
#define ALL_CAPS (CAP(SYS_ADMIN) | CAP(BPF) | CAP(PERFMON) | CAP(SYSLOG) | CAP(DAC_READ_SEARCH) | \
		  CAP(SYS_RAWIO) | CAP(SYS_RESOURCE))

FIXTURE(diagnosis)
{
	struct machine m;
	struct trials t;
	struct diagnosis d;
	struct strbuf text;
};

/* A machine with all there is to wish for. */
FIXTURE_SETUP(diagnosis)
{
	memset(self, 0, sizeof(*self));
	self->m = (struct machine){
		.release = "7.2.1-amd64",
		.arch = "x86_64",
		.version = KERNEL_VERSION_OF(7, 2),
		.os = { .id = "debian", .name = "Debian GNU/Linux 14 (forky)" },
		.caps = ALL_CAPS,
		.unprivileged_bpf.value = 2,
		.perf_paranoid.value = 3,
		.jit.value = 1,
		.max_stack.value = 127,
		.switches.ftrace.value = 1,
		.switches.kprobes.value = 1,
		.branches.value = 32,
		.nr_modules = 142,
		.nr_module_btf = 142,
		.tracefs.path = "/sys/kernel/tracing",
		.nr_traceable = 56789,
		.blacklist.path = "/sys/kernel/debug",
		.cgroup2.path = "/sys/fs/cgroup",
		.memlock.value = 8 << 20,
	};
	self->t = (struct trials){
		.features_known = true,
		.features = { .rungs = { true, true, true, true, true }, .btf = true,
			      .btf_ids = true, .attach_cookies = true, .branch_snapshot = true,
			      .contexts.bits.hardirqs = 0xf0000 },
		.hardirq = 0x10000,
		.libbpf = KERNEL_VERSION_OF(1, 1),
		.vmlinux = FIT_GOOD,
		.debuginfod = -ENODATA,
		.vmlinux_path = "/usr/lib/debug/boot/vmlinux-7.2.1-amd64",
	};
}

FIXTURE_TEARDOWN(diagnosis)
{
	diagnosis_release(&self->d);
	strbuf_release(&self->text);
}

/* A rung that the kernel has, and that cannot be used. */
static void take(FIXTURE_DATA(diagnosis) *self, enum rung rung, const char *why)
{
	self->t.features.rungs[rung] = false;
	strcpy(self->t.features.lacks[rung], why);
}

static void look(FIXTURE_DATA(diagnosis) *self)
{
	diagnosis_release(&self->d);
	memset(&self->d, 0, sizeof(self->d));
	if (diagnose(&self->m, &self->t, &self->d))
		abort();
}

static const struct check *check_named(FIXTURE_DATA(diagnosis) *self, const char *name)
{
	static const struct check none = { .finding = (char *)"no such check" };

	vec_foreach(check, &self->d.checks) {
		if (!strcmp(check->name, name))
			return check;
	}
	return &none;
}

#define EXPECT_CHECK(name, state_, finding_, effect_, advice_)                                     \
	do {                                                                                       \
		const struct check *c_ = check_named(self, name);                                  \
		EXPECT_STREQ(state_, check_state_name(c_->state));                                 \
		EXPECT_STREQ(finding_, c_->finding);                                               \
		EXPECT_STREQ(effect_, c_->effect ?: "");                                           \
		EXPECT_STREQ(advice_, c_->advice ?: "");                                           \
	} while (0)

#define EXPECT_VERDICT(name) EXPECT_STREQ(name, verdict_name(self->d.verdict))

/* An ordinary user of that machine. */
static void lose_rights(FIXTURE_DATA(diagnosis) *self)
{
	self->m.uid = 1000;
	self->m.caps = 0;
	self->m.addresses_hidden = true;
	self->m.tracefs.err = self->m.blacklist.err = self->m.switches.kprobes.err = -EACCES;
	self->m.kcore.err = -EACCES;
	self->t.load = self->t.ring_buffer = self->t.btf_ids = -EPERM;
	self->t.perf = self->t.branches = -EACCES;
}

static void show(FIXTURE_DATA(diagnosis) *self, int width, bool color, bool verbose)
{
	struct doctor_view view = { width, color, verbose };

	look(self);
	strbuf_reset(&self->text);
	doctor_view_text(&self->text, &view, &self->m, &self->d);
}

TEST_F(diagnosis, a_machine_with_all_there_is_works)
{
	look(self);
	EXPECT_VERDICT("works");
	vec_foreach(check, &self->d.checks) {
		EXPECT_EQ(CHECK_OK, check->state)
		{
			TH_LOG("%s: %s", check->name, check->finding);
		}
		EXPECT_EQ(NULL, check->effect);
		EXPECT_EQ(NULL, check->advice);
	}
	EXPECT_CHECK("functions", "ok", "56789 can be traced", "", "");
	EXPECT_CHECK("lbr", "ok", "the CPU keeps 32 branches", "", "");
	EXPECT_CHECK("rights", "ok", "root", "", "");
	show(self, 0, false, false);
	golden(_metadata, "doctor/works.txt", strbuf_str(&self->text));
	show(self, 0, false, true);
	golden(_metadata, "doctor/verbose.txt", strbuf_str(&self->text));
}

TEST_F(diagnosis, every_check_that_is_not_in_order_says_what_that_does)
{
	lose_rights(self);
	self->m.lockdown.value = LOCKDOWN_CONFIDENTIALITY;
	self->m.jit.value = self->m.switches.ftrace.value = 0;
	self->m.switches.kprobes = (struct kernel_setting){ 0, 0 };
	self->m.btf.err = -ENOENT;
	self->m.cgroup2.err = -ENOENT;
	self->t.vmlinux = FIT_MISSING;
	strcpy(self->m.container, "docker");
	look(self);
	EXPECT_VERDICT("impossible");
	vec_foreach(check, &self->d.checks) {
		if (check->state == CHECK_OK || check->state == CHECK_UNKNOWN)
			continue;
		EXPECT_NE(NULL, check->effect)
		{
			TH_LOG("%s: %s", check->name, check->finding);
		}
	}
}

TEST_F(diagnosis, an_ordinary_user_is_told_what_is_not_known)
{
	lose_rights(self);
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("rights", "missing", "user 1000",
		     "tracing needs root, or CAP_SYS_ADMIN and CAP_SYSLOG", "sudo retsnoop doctor");
	EXPECT_CHECK("bpf", "unknown", "not known: trying needs privileges", "", "");
	EXPECT_CHECK("kprobe-session", "ok", "all functions at once, as far as BTF tells", "", "");
	EXPECT_CHECK("lbr", "unknown", "not known: perf events may not be used",
		     "no 'retsnoop lbr', no --lbr", "");
	show(self, 0, false, false);
	golden(_metadata, "doctor/user.txt", strbuf_str(&self->text));
}

/* As the commands say it: builtin/commands.c and the doctor ask the same function. */
TEST_F(diagnosis, the_capabilities_are_those_of_this_machine)
{
	lose_rights(self);
	self->t.libbpf = KERNEL_VERSION_OF(1, 3);
	look(self);
	EXPECT_CHECK("rights", "missing", "user 1000",
		     "tracing needs root, or CAP_BPF, CAP_PERFMON and CAP_SYSLOG",
		     "sudo retsnoop doctor");
	self->m.version = KERNEL_VERSION_OF(5, 10);
	self->m.addresses_hidden = false;
	look(self);
	EXPECT_CHECK("rights", "missing", "user 1000",
		     "tracing needs root, or CAP_BPF, CAP_PERFMON and CAP_SYS_RESOURCE",
		     "sudo retsnoop doctor");
}

TEST_F(diagnosis, root_is_not_told_to_become_root)
{
	lose_rights(self);
	self->m.uid = 0;
	self->m.perf_paranoid.value = 2;
	strcpy(self->m.container, "docker");
	self->t.libbpf = KERNEL_VERSION_OF(1, 3);
	look(self);
	EXPECT_CHECK("rights", "missing",
		     "root without CAP_SYS_ADMIN, CAP_BPF, CAP_PERFMON, CAP_SYSLOG, "
		     "CAP_DAC_READ_SEARCH, CAP_SYS_RAWIO, CAP_SYS_RESOURCE",
		     "tracing needs CAP_BPF, CAP_PERFMON and CAP_SYSLOG",
		     "root lacks CAP_BPF, CAP_PERFMON and CAP_SYSLOG here: run it on the machine "
		     "itself");
	EXPECT_CHECK("perf", "limited", "kernel.perf_event_paranoid=2 forbids perf events",
		     "no single kprobes, no tracepoints: neither that attach method nor -J",
		     "root lacks CAP_PERFMON here: run it on the machine itself");
	vec_foreach(check, &self->d.checks) {
		EXPECT_EQ(NULL, strstr(check->advice ?: "", "as root")) {
			TH_LOG("%s: %s", check->name, check->advice);
		}
		EXPECT_EQ(NULL, strstr(check->advice ?: "", "sudo")) {
			TH_LOG("%s: %s", check->name, check->advice);
		}
	}
}

TEST_F(diagnosis, capabilities_are_enough_with_a_libbpf_that_does_not_ask_for_more)
{
	self->m.uid = 1000;
	self->m.caps = CAP(BPF) | CAP(PERFMON) | CAP(SYSLOG);
	self->t.btf_ids = -EPERM;
	self->t.libbpf = KERNEL_VERSION_OF(1, 3);
	look(self);
	EXPECT_CHECK("rights", "ok", "user 1000 with CAP_BPF, CAP_PERFMON, CAP_SYSLOG", "", "");
	EXPECT_VERDICT("works");
	self->t.libbpf = KERNEL_VERSION_OF(1, 2);
	look(self);
	EXPECT_CHECK("rights", "missing", "user 1000 with CAP_BPF, CAP_PERFMON, CAP_SYSLOG",
		     "this retsnoop has libbpf 1.2, which lists modules' BTF, and that takes "
		     "CAP_SYS_ADMIN",
		     "run it as root; with libbpf 1.3 or later these capabilities do");
	EXPECT_VERDICT("impossible");
	/* Nothing to list there. */
	self->m.version = KERNEL_VERSION_OF(5, 10);
	self->m.caps |= CAP(SYS_RESOURCE);
	look(self);
	EXPECT_VERDICT("works");
}

TEST_F(diagnosis, root_of_a_user_namespace_is_nobody)
{
	self->m.own_users = true;
	self->t.load = -EPERM;
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("rights", "missing", "those of a user namespace",
		     "BPF needs privileges on the machine, which root in here lacks",
		     "run it on the machine itself, or in a container that is not rootless");
}

TEST_F(diagnosis, process_ids_are_those_of_the_pid_namespace)
{
	strcpy(self->m.container, "docker");
	look(self);
	EXPECT_CHECK("container", "limited", "this is a container (docker)",
		     "process ids and cgroups are those of the machine, not of the container", "");
	self->m.own_pids = true;
	look(self);
	EXPECT_CHECK("container", "limited", "this is a container (docker)",
		     "process ids are those of the container, 0 for processes outside of it; cgroups are those of "
		     "the machine", "");
	EXPECT_VERDICT("works");
}

TEST_F(diagnosis, root_that_lacks_something_is_told_what)
{
	self->m.caps &= ~(CAP(SYS_RESOURCE) | CAP(SYS_RAWIO));
	look(self);
	EXPECT_CHECK("rights", "ok", "root without CAP_SYS_RAWIO, CAP_SYS_RESOURCE", "", "");
}

TEST_F(diagnosis, root_that_has_the_capability_is_refused_by_something_else)
{
	static const char refused[] = "this process has CAP_DAC_READ_SEARCH: see what security modules (SELinux, "
				      "AppArmor), seccomp filters and the hypervisor refuse";

	self->m.tracefs.err = self->m.blacklist.err = -EACCES;
	look(self);
	EXPECT_STREQ(refused, check_named(self, "functions")->advice);
	EXPECT_STREQ(refused, check_named(self, "blacklist")->advice);
	self->m.uid = 1000;
	look(self);
	EXPECT_STREQ(refused, check_named(self, "functions")->advice);
	self->m.uid = 0;
	self->m.own_users = true;
	look(self);
	EXPECT_STREQ("root lacks CAP_DAC_READ_SEARCH here: run it where root has it",
		     check_named(self, "functions")->advice);
	self->m.own_users = false;
	self->m.caps &= ~CAP(PERFMON);
	self->m.perf_paranoid.value = 2;
	self->t.perf = -EACCES;
	look(self);
	EXPECT_STREQ("this process has CAP_PERFMON: see what security modules (SELinux, AppArmor), seccomp filters "
		     "and the hypervisor refuse", check_named(self, "perf")->advice);
	self->m.caps &= ~CAP(DAC_READ_SEARCH);
	look(self);
	EXPECT_STREQ("root lacks CAP_DAC_READ_SEARCH here: run it where root has it",
		     check_named(self, "functions")->advice);
}

TEST_F(diagnosis, programs_that_are_refused_to_root_are_somebody_elses_doing)
{
	self->t.load = -EPERM;
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("bpf", "missing",
		     "the kernel refuses tracing programs: Operation not permitted",
		     "nothing can be traced",
		     "see what security modules and seccomp filters say of bpf(2)");
	self->t.load = -ENOSYS;
	look(self);
	EXPECT_CHECK("bpf", "missing",
		     "this kernel has no tracing programs: Function not implemented",
		     "nothing can be traced",
		     "a kernel with CONFIG_BPF_SYSCALL, CONFIG_BPF_EVENTS and CONFIG_KPROBES");
}

TEST_F(diagnosis, without_tracefs_functions_are_known_from_memory)
{
	self->m.tracefs.err = -ENOENT;
	self->m.tracefs.path[0] = '\0';
	look(self);
	EXPECT_CHECK("functions", "limited", "tracefs is not mounted", "tracepoints are not known",
		     "mount -t tracefs nodev /sys/kernel/tracing");
}

TEST_F(diagnosis, lockdown_matters_when_it_is_confidentiality)
{
	self->m.lockdown.value = LOCKDOWN_INTEGRITY;
	look(self);
	EXPECT_VERDICT("works");
	self->m.lockdown.value = LOCKDOWN_CONFIDENTIALITY;
	self->m.tracefs.err = -ENOENT;
	self->m.kcore.err = -EPERM;
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("functions", "limited", "/sys/kernel/tracing is closed by lockdown",
		     "functions in BTF are taken for traceable; only raw tracepoints "
		     "are known", "");
	EXPECT_CHECK("kprobe", "missing", "lockdown forbids it", "it cannot be used", "");
	self->m.lockdown.err = -ENOENT;
	self->m.tracefs.err = 0;
	look(self);
	EXPECT_VERDICT("works");
}

TEST_F(diagnosis, a_hidden_kcore_is_the_containers_doing)
{
	static const char effect[] = "points inside functions are not checked before they are tried; "
				     "'retsnoop why' runs a command only with -e FUNC";

	self->m.kcore.err = -EBADMSG;
	look(self);
	EXPECT_CHECK("code", "limited", "another file hides /proc/kcore", effect, "");
	strcpy(self->m.container, "docker");
	look(self);
	EXPECT_CHECK("code", "limited", "the container hides /proc/kcore", effect,
		     "run it on the machine itself, or name the function: retsnoop why -e FUNC");
	self->m.kcore.err = -ENOENT;
	look(self);
	EXPECT_CHECK("code", "limited", "/proc/kcore is missing", effect, "");
	self->t.reads_memory = true;
	look(self);
	EXPECT_CHECK("code", "limited", "/proc/kcore is missing",
		     "points inside functions are not checked before they are tried", "");
}

TEST_F(diagnosis, hidden_addresses_are_hidden_by_a_setting_or_from_a_user)
{
	self->m.addresses_hidden = true;
	self->m.kptr_restrict.value = 2;
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("addresses", "missing",
		     "kernel.kptr_restrict=2 hides functions' addresses from everybody",
		     "nothing can be traced, nor addresses be symbolized",
		     "sysctl -w kernel.kptr_restrict=1");
	self->m.kptr_restrict.value = 1;
	self->m.uid = 1000;
	self->m.caps &= ~CAP(SYSLOG);
	look(self);
	EXPECT_CHECK("addresses", "missing", "functions' addresses are hidden from this user",
		     "nothing can be traced, nor addresses be symbolized",
		     "run it as root, or with CAP_SYSLOG");
}

TEST_F(diagnosis, switches_that_are_off_are_named)
{
	self->m.switches.kprobes.value = 0;
	look(self);
	EXPECT_VERDICT("limited");
	EXPECT_CHECK("kprobes", "limited", "switched off: /sys/kernel/debug/kprobes/enabled is 0",
		     "nothing is heard of single kprobes: neither of that attach method nor of -J",
		     "echo 1 > /sys/kernel/debug/kprobes/enabled");
	self->m.switches.ftrace.value = 0;
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("ftrace", "missing", "kernel.ftrace_enabled=0",
		     "functions cannot be attached to, or nothing is heard of them",
		     "sysctl -w kernel.ftrace_enabled=1");
	self->m.switches.ftrace.err = -ENOENT;
	self->m.jit.value = 0;
	look(self);
	EXPECT_VERDICT("limited");
	EXPECT_CHECK("jit", "limited", "net.core.bpf_jit_enable=0",
		     "BPF programs are interpreted: tracing costs more, and has no session methods",
		     "sysctl -w net.core.bpf_jit_enable=1");
}

TEST_F(diagnosis, stacks_that_are_cut_short_are_in_the_way)
{
	self->m.max_stack.value = 0;
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("stacks", "missing", "kernel.perf_event_max_stack=0",
		     "kernel stacks are cut short: nothing is traced",
		     "sysctl -w kernel.perf_event_max_stack=127");
	self->m.max_stack.value = 16;
	look(self);
	EXPECT_VERDICT("limited");
	EXPECT_CHECK("stacks", "limited", "kernel.perf_event_max_stack=16",
		     "deeper stacks lack their outer callers",
		     "sysctl -w kernel.perf_event_max_stack=127");
	self->m.max_stack = (struct kernel_setting){ .err = -ENOENT };
	look(self);
	EXPECT_VERDICT("works");
}

/* Why fsession-multi is not there, if this CPU's kernels can have it. */
static const char *without_multi(const char *why)
{
	static char text[64];

	snprintf(text, sizeof(text), "kernels for %s do not have it", arch_native->name);
	return arch_native->has_multi_trampolines ? why : text;
}

TEST_F(diagnosis, session_methods_need_compiled_programs)
{
	self->m.jit.value = 0;
	self->t.features.session_needs_jit = true;
	self->t.features.rungs[RUNG_FSESSION_MULTI] = false;
	self->t.features.rungs[RUNG_KPROBE_SESSION] = false;
	look(self);
	EXPECT_VERDICT("limited");
	EXPECT_CHECK("kprobe-session", "missing", "needs BPF's JIT compiler, which is off", "", "");
	EXPECT_CHECK("fsession-multi", "missing",
		     without_multi("needs BPF's JIT compiler, which is off"), "", "");
}

TEST_F(diagnosis, kernels_that_cannot_interpret_need_the_compiler)
{
	self->m.jit.value = 0;
	self->t.load = -ENOEXEC;
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("bpf", "missing",
		     "this kernel runs tracing programs only with BPF's JIT compiler, which is off",
		     "nothing can be traced", "sysctl -w net.core.bpf_jit_enable=1");
}

TEST_F(diagnosis, locked_memory_counts_before_5_11_only)
{
	self->m.caps &= ~CAP(SYS_RESOURCE);
	self->m.memlock.value = 64 << 10;
	look(self);
	EXPECT_VERDICT("works");
	self->m.version = KERNEL_VERSION_OF(5, 10);
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("memlock", "missing", "64 KiB may be locked",
		     "before Linux 5.11 BPF's buffers count as locked memory",
		     "ulimit -l unlimited, or CAP_SYS_RESOURCE");
	self->m.memlock.value = -1;
	look(self);
	EXPECT_VERDICT("works");
}

TEST_F(diagnosis, perf_events_that_are_forbidden_take_kprobes_along)
{
	self->t.perf = -EACCES;
	take(self, RUNG_KPROBE, "kernel.perf_event_paranoid=3 forbids perf events");
	self->m.uid = 1000;
	self->m.caps = CAP(BPF) | CAP(PERFMON) | CAP(SYSLOG);
	self->t.libbpf = KERNEL_VERSION_OF(1, 3);
	look(self);
	EXPECT_VERDICT("limited");
	EXPECT_CHECK("perf", "limited", "kernel.perf_event_paranoid=3 forbids perf events",
		     "no single kprobes, no tracepoints: neither that attach method nor -J",
		     "run it as root or with CAP_SYS_ADMIN, or sysctl -w kernel.perf_event_paranoid=2");
	EXPECT_CHECK("kprobe", "missing", "kernel.perf_event_paranoid=3 forbids perf events", "",
		     "");
	EXPECT_CHECK("fentry", "ok", "each function by itself: slow to attach", "", "");
	/* As in a container that does not get it. */
	self->m.uid = 0;
	look(self);
	EXPECT_STREQ("run it with CAP_SYS_ADMIN, or sysctl -w kernel.perf_event_paranoid=2",
		     check_named(self, "perf")->advice);
	self->m.caps |= CAP(SYS_ADMIN);
	look(self);
	EXPECT_STREQ("sysctl -w kernel.perf_event_paranoid=2", check_named(self, "perf")->advice);
}

TEST_F(diagnosis, a_rung_that_is_not_there_says_why)
{
	memset(self->t.features.rungs, 0, sizeof(self->t.features.rungs));
	self->t.features.rungs[RUNG_KPROBE] = true;
	self->m.version = KERNEL_VERSION_OF(6, 1);
	look(self);
	EXPECT_CHECK("fsession-multi", "missing", without_multi("from Linux 7.2 on"), "", "");
	EXPECT_CHECK("kprobe-session", "missing", "from Linux 6.10 on", "", "");
	EXPECT_CHECK("kprobe-multi", "missing", "this kernel was built without CONFIG_FPROBE", "",
		     "");
	EXPECT_CHECK("fentry", "missing",
		     "this kernel was built without CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS", "",
		     "");
	/* Types from debug info do not help. */
	self->t.features.btf_ids = false;
	look(self);
	EXPECT_CHECK("fentry", "missing", "needs BTF", "", "");
	self->t.features.btf = false;
	look(self);
	EXPECT_CHECK("fentry", "missing", "needs BTF", "", "");
	EXPECT_VERDICT("works");
	/* Without rights and without BTF nobody knows. */
	self->t.features_known = false;
	self->t.load = -EPERM;
	look(self);
	EXPECT_CHECK("fentry", "unknown", "not known: trying needs privileges", "", "");
}

TEST_F(diagnosis, without_proc_rights_are_not_known_and_nothing_works)
{
	self->m.uid = ~0u;
	self->m.caps = 0;
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("rights", "missing", "not known: /proc is not mounted",
		     "no symbols, so nothing can be traced; the checks below may be wrong",
		     "mount -t proc proc /proc");
}

TEST_F(diagnosis, ways_to_attach_are_worth_what_their_answers_are)
{
	struct proof *proofs = self->t.features.proofs;

	proofs[RUNG_FSESSION_MULTI] = (struct proof){ PROOF_WRONG, "it reports wrong results" };
	proofs[RUNG_KPROBE_SESSION] = (struct proof){ PROOF_WORKS, .sp_by_context = true,
						      .stacks_at_entry = true };
	proofs[RUNG_KPROBE_MULTI] = (struct proof){ PROOF_WORKS, .sp_delta = 8 };
	proofs[RUNG_FENTRY] = (struct proof){ PROOF_NONE, "ftrace is switched off" };
	look(self);
	EXPECT_CHECK("fsession-multi", "missing",
		     "gives wrong answers and is not used: it reports wrong results", "", "");
	EXPECT_CHECK("kprobe-session", "ok",
		     "all functions at once; works around a wrong stack pointer at returns, takes "
		     "stacks at entries",
		     "", "");
	EXPECT_CHECK("kprobe-multi", "ok", "all functions at once", "", "");
	EXPECT_CHECK("fentry", "ok",
		     "each function by itself: slow to attach; not tested: ftrace is switched off",
		     "", "");
	EXPECT_VERDICT("works");
	for (int rung = 0; rung < NR_RUNGS; rung++)
		proofs[rung] = proofs[RUNG_FSESSION_MULTI];
	look(self);
	EXPECT_VERDICT("impossible");
}

TEST_F(diagnosis, ways_to_attach_that_only_look_as_if_they_were_there_are_missing)
{
	take(self, RUNG_KPROBE, "this kernel was built without CONFIG_KPROBES");
	take(self, RUNG_FENTRY, "the kernel refuses programs for it: Operation not permitted");
	look(self);
	EXPECT_VERDICT("works");
	EXPECT_CHECK("kprobe", "missing", "this kernel was built without CONFIG_KPROBES", "", "");
	EXPECT_CHECK("fentry", "missing",
		     "the kernel refuses programs for it: Operation not permitted", "", "");
	EXPECT_CHECK("kprobe-multi", "ok", "all functions at once", "", "");
	/* With nothing left. */
	self->t.features.rungs[RUNG_FSESSION_MULTI] = self->t.features.rungs[RUNG_KPROBE_SESSION] =
		false;
	self->t.features.rungs[RUNG_KPROBE_MULTI] = false;
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("kprobe", "missing", "this kernel was built without CONFIG_KPROBES",
		     "no way to attach is left: nothing can be traced",
		     "a kernel with CONFIG_KPROBES or CONFIG_FPROBE");
	/* One is enough. */
	self->t.features.rungs[RUNG_FENTRY] = true;
	look(self);
	EXPECT_VERDICT("works");
	EXPECT_CHECK("kprobe", "missing", "this kernel was built without CONFIG_KPROBES", "", "");
	/* Where /sys is not there it is not the kernel's fault. */
	self->m.btf.err = self->m.cgroup2.err = -ENOENT;
	take(self, RUNG_KPROBE, "/sys is not mounted");
	look(self);
	EXPECT_CHECK("kprobe", "missing", "/sys is not mounted", "", "");
	self->t.features.rungs[RUNG_FENTRY] = false;
	look(self);
	EXPECT_CHECK("kprobe", "missing", "/sys is not mounted",
		     "no way to attach is left: nothing can be traced",
		     "mount -t sysfs sysfs /sys");
	/* No other kernel is needed where ftrace is switched off. */
	self->m.switches.ftrace.value = 0;
	take(self, RUNG_KPROBE, "ftrace is switched off");
	look(self);
	EXPECT_CHECK("kprobe", "missing", "ftrace is switched off",
		     "no way to attach is left: nothing can be traced", "");
}

TEST_F(diagnosis, modules_without_types_are_counted)
{
	self->m.nr_module_btf = 140;
	look(self);
	EXPECT_CHECK("btf", "limited", "types of the kernel and of 140 of 142 loaded modules",
		     "functions of the other modules count as returning an int; no arguments by name, no trampolines",
		     "");
	EXPECT_VERDICT("works");
	self->m.nr_modules = self->m.nr_module_btf = 0;
	look(self);
	EXPECT_CHECK("btf", "ok", "types of the kernel and of 0 modules", "", "");
}

TEST_F(diagnosis, debug_info_may_have_the_types_that_the_kernel_lacks)
{
	self->m.btf.err = -ENOENT;
	self->t.features.btf_ids = false;
	look(self);
	EXPECT_CHECK("btf", "limited", "types from the kernel's debug info, as it has none itself",
		     "modules' functions count as returning an int, without arguments by name; no trampolines", "");
	EXPECT_VERDICT("limited");
	self->t.features.btf = false;
	look(self);
	EXPECT_CHECK("btf", "missing", "the kernel does not describe its types",
		     "every function counts as returning an int; no arguments, no trampolines",
		     "a kernel with CONFIG_DEBUG_INFO_BTF; or install its debug info, and run 'pahole -J' on its vmlinux");
}

TEST_F(diagnosis, debug_info_that_is_missing_has_a_package)
{
	self->t.vmlinux = FIT_MISSING;
	self->t.vmlinux_path = NULL;
	look(self);
	EXPECT_VERDICT("limited");
	EXPECT_CHECK("debug-info", "missing", "none found for this kernel",
		     "no source lines, no inlined calls, no functions by source file",
		     "apt install linux-image-7.2.1-amd64-dbg");
	self->t.debuginfod = 0;
	look(self);
	EXPECT_STREQ("apt install linux-image-7.2.1-amd64-dbg, or trace with --debuginfod",
		     check_named(self, "debug-info")->advice);
	/* A kernel that is in no package: servers may have it, known ones or not. */
	strcpy(self->m.release, "7.2.1");
	look(self);
	EXPECT_STREQ("install the debug info of this kernel, or trace with --debuginfod",
		     check_named(self, "debug-info")->advice);
	self->t.debuginfod = -ENODATA;
	look(self);
	EXPECT_STREQ("install the debug info of this kernel, or set DEBUGINFOD_URLS to your "
		     "distribution's servers and trace with --debuginfod",
		     check_named(self, "debug-info")->advice);
	strcpy(self->m.os.id, "arch");
	look(self);
	EXPECT_STREQ(
		"set DEBUGINFOD_URLS to Arch's server, which alone has it, and use --debuginfod",
		check_named(self, "debug-info")->advice);
	strcpy(self->m.os.id, "debian");
	strcpy(self->m.release, "7.2.1-amd64");
	self->t.debuginfod = -ENOPKG;
	self->t.vmlinux = FIT_OTHER_BUILD;
	self->t.vmlinux_path = "/boot/vmlinux-7.2.1-amd64";
	self->m.os.id[0] = '\0';
	look(self);
	EXPECT_CHECK("debug-info", "missing", "/boot/vmlinux-7.2.1-amd64 is of another build",
		     "no source lines, no inlined calls, no functions by source file",
		     "install the debug info of this kernel");
}

TEST_F(diagnosis, branch_records_may_lack_in_the_cpu_the_vm_or_the_kernel)
{
	self->t.branches = -EOPNOTSUPP;
	look(self);
	EXPECT_VERDICT("works");
	EXPECT_CHECK("lbr", "missing", "this CPU keeps no branch records that Linux gives to BPF: Intel since 2008, AMD "
		     "since Zen 4 with Linux 6.10",
		     "no 'retsnoop lbr', no --lbr", "");
	self->m.hypervisor = true;
	look(self);
	EXPECT_CHECK("lbr", "missing", "this virtual machine has no branch records",
		     "no 'retsnoop lbr', no --lbr",
		     "run it on a machine itself, or give the virtual one a PMU with them");
	self->t.branches = -EBUSY;
	look(self);
	EXPECT_CHECK("lbr", "limited",
		     "another program has the CPU record branches, or takes all counters",
		     "no 'retsnoop lbr', no --lbr", "end it first (perf record -b?)");
	self->t.branches = 0;
	self->t.features.branch_snapshot = false;
	look(self);
	EXPECT_CHECK("lbr", "missing", "BPF can read branch records from Linux 5.16 on",
		     "no 'retsnoop lbr', no --lbr", "");
	self->t.features.branch_snapshot = true;
	self->m.branches.err = -ENOENT;
	look(self);
	EXPECT_CHECK("lbr", "ok", "the CPU records branches", "", "");
}

TEST_F(diagnosis, an_old_kernel_or_another_cpu_is_said)
{
	self->m.version = KERNEL_VERSION_OF(5, 4);
	strcpy(self->m.release, "5.4.0-42-generic");
	self->t.features.attach_cookies = false;
	self->t.ring_buffer = -EINVAL;
	look(self);
	EXPECT_VERDICT("impossible");
	EXPECT_CHECK("kernel", "limited", "5.4.0-42-generic, x86_64",
		     "older than 5.10, the oldest that is tested", "");
	EXPECT_CHECK("ring-buffer", "missing", "BPF has none before Linux 5.8",
		     "nothing can be traced", "");
	EXPECT_CHECK("nmi", "limited", "safe in NMIs from Linux 5.15 on",
		     "calls in NMIs are counted, not followed", "");
	self->m.version = KERNEL_VERSION_OF(6, 12);
	strcpy(self->m.arch, "s390x");
	self->t.ring_buffer = 0;
	look(self);
	EXPECT_CHECK("kernel", "limited", "5.4.0-42-generic, s390x",
		     "retsnoop does not support this CPU architecture", "");
	EXPECT_VERDICT("limited");
}

TEST_F(diagnosis, contexts_that_are_not_told_apart_are_said)
{
	static const char as_task[] =
		"calls in interrupts are shown as calls of the task that they interrupted";
	struct contexts *contexts = &self->t.features.contexts;

	look(self);
	EXPECT_CHECK("contexts", "ok", "interrupts are told from tasks; tried", "", "");
	self->t.hardirq = -EACCES;
	look(self);
	EXPECT_CHECK("contexts", "ok", "interrupts are told from tasks, as far as the kernel says",
		     "", "");
	/* What is tried is right. */
	self->t.hardirq = 0x1000000;
	look(self);
	EXPECT_CHECK("contexts", "limited",
		     "a timer interrupt was not told from a task: it adds 0x1000000 to the preempt count",
		     as_task, "");
	EXPECT_VERDICT("limited");
	contexts->told = CONTEXTS_UNKNOWN_LAYOUT;
	contexts->bits.hardirqs = 0;
	look(self);
	EXPECT_CHECK("contexts", "limited",
		     "interrupts are not told from tasks: the preempt count has an unknown layout",
		     as_task, "");
	EXPECT_VERDICT("limited");
	contexts->told = CONTEXTS_NO_SOFTIRQS;
	look(self);
	EXPECT_CHECK("contexts", "limited",
		     "softirqs are not told from tasks: this PREEMPT_RT kernel has no BTF",
		     "calls in softirqs are shown as calls of the task that runs them", "");
}

TEST_F(diagnosis, lines_fold_before_the_width_of_the_terminal)
{
	lose_rights(self);
	self->t.vmlinux = FIT_MISSING;
	show(self, 80, false, true);
	golden(_metadata, "doctor/folded.txt", strbuf_str(&self->text));
	for (char *line = strtok(self->text.s, "\n"); line; line = strtok(NULL, "\n"))
		EXPECT_GE(80, strlen(line));
	/* There is no room to fold in: the terminal does it. */
	show(self, 20, false, false);
	EXPECT_NE(NULL, strstr(strbuf_str(&self->text), "tracing needs root, or CAP_SYS_ADMIN"));
}

TEST_F(diagnosis, colours_change_nothing_but_colours)
{
	_cleanup_(strbuf_release) struct strbuf plain = STRBUF_INIT;

	lose_rights(self);
	show(self, 80, true, true);
	EXPECT_NE(NULL, strstr(strbuf_str(&self->text), "\033[31mmissing\033[m  rights"));
	for (const char *s = strbuf_str(&self->text); *s; s++) {
		if (*s == '\033')
			s = strchr(s, 'm');
		else
			strbuf_addch(&plain, *s);
	}
	show(self, 80, false, true);
	EXPECT_STREQ(strbuf_str(&self->text), strbuf_str(&plain));
}

TEST_F(diagnosis, json_has_an_object_for_each_check_and_the_verdict)
{
	size_t lines = 0;

	lose_rights(self);
	look(self);
	doctor_view_json(&self->text, &self->m, &self->d);
	for (const char *s = strbuf_str(&self->text); *s; s++)
		lines += *s == '\n';
	EXPECT_EQ(self->d.checks.len + 1, lines);
	EXPECT_NE(NULL,
		  strstr(strbuf_str(&self->text),
			 "{\"type\":\"check\",\"check\":\"rights\",\"group\":\"Tracing\","
			 "\"state\":\"missing\",\"weight\":\"needed\",\"finding\":\"user 1000\","
			 "\"effect\":\"tracing needs root, or CAP_SYS_ADMIN and CAP_SYSLOG\","
			 "\"advice\":\"sudo retsnoop doctor\"}\n"));
	EXPECT_NE(NULL,
		  strstr(strbuf_str(&self->text),
			 "{\"type\":\"verdict\",\"verdict\":\"impossible\","
			 "\"release\":\"7.2.1-amd64\",\"arch\":\"x86_64\","
			 "\"os\":\"Debian GNU/Linux 14 (forky)\"}\n"));
}

TEST_HARNESS_MAIN
