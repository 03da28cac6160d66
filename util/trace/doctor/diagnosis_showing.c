// SPDX-License-Identifier: BSD-2-Clause
/* Checks of data that traces can show: types, source lines, branches, contexts, code. */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>

#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/capabilities.h"
#include "util/trace/doctor/diagnosis_internal.h"

static const char showing[] = "What can be shown";

static void check_btf(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	if (!m->btf.err && m->nr_module_btf < m->nr_modules) {
		check_add(d, showing, "btf", WEIGHT_EXTRA, CHECK_LIMITED,
			  "types of the kernel and of %u of %u loaded modules", m->nr_module_btf,
			  m->nr_modules);
		check_effect(d, "functions of the other modules count as returning an int; no arguments by name, no "
				"trampolines");
		return;
	}
	if (!m->btf.err) {
		check_add(d, showing, "btf", WEIGHT_WANTED, CHECK_OK,
			  "types of the kernel and of %u module%s", m->nr_module_btf,
			  m->nr_module_btf == 1 ? "" : "s");
		return;
	}
	if (t->features_known && t->features.btf) {
		check_add(d, showing, "btf", WEIGHT_WANTED, CHECK_LIMITED,
			  "types from the kernel's debug info, as it has none itself");
		check_effect(d, "modules' functions count as returning an int, without arguments by name; no trampolines");
		return;
	}
	check_add(d, showing, "btf", WEIGHT_WANTED, CHECK_MISSING,
		  m->btf.err == -ENOENT ? "the kernel does not describe its types" :
					  "the kernel's types may not be read");
	check_effect(d, "every function counts as returning an int; no arguments, no trampolines");
	if (m->btf.err == -ENOENT)
		check_advise(d, "a kernel with CONFIG_DEBUG_INFO_BTF; or install its debug info, and run 'pahole -J' on "
				"its vmlinux");
}

static void check_debug_info(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	struct strbuf advice = STRBUF_INIT;
	const char *more = "";

	if (t->vmlinux == FIT_GOOD) {
		check_add(d, showing, "debug-info", WEIGHT_WANTED, CHECK_OK, "%s", t->vmlinux_path);
		return;
	}
	if (t->vmlinux == FIT_MISSING)
		check_add(d, showing, "debug-info", WEIGHT_WANTED, CHECK_MISSING,
			  "none found for this kernel");
	else
		check_add(d, showing, "debug-info", WEIGHT_WANTED, CHECK_MISSING,
			  t->vmlinux == FIT_OTHER_BUILD ? "%s is of another build" :
			  t->vmlinux == FIT_NO_DWARF    ? "%s has none" :
							  "%s cannot be read",
			  t->vmlinux_path ?: "vmlinux");
	check_effect(d, "no source lines, no inlined calls, no functions by source file");
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
	check_advise(d, "%s%s", strbuf_str(&advice), more);
	strbuf_release(&advice);
}

static void check_branches(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	const struct arch *arch = arch_of_machine(m->arch);
	/* If programs load, it was also tried whether they can read branches. */
	bool helper = bpf_loads(t) ? t->features.branch_snapshot :
				     m->version >= KERNEL_VERSION_OF(5, 16);

	if (!t->branches && !helper) {
		check_add(d, showing, "lbr", WEIGHT_EXTRA, CHECK_MISSING,
			  "BPF can read branch records from Linux 5.16 on");
	} else if (!t->branches) {
		if (m->branches.err)
			check_add(d, showing, "lbr", WEIGHT_EXTRA, CHECK_OK,
				  "the CPU records branches");
		else
			check_add(d, showing, "lbr", WEIGHT_EXTRA, CHECK_OK,
				  "the CPU keeps %ld branches", m->branches.value);
		return;
	} else if (is_refused(t->branches)) {
		check_add(d, showing, "lbr", WEIGHT_EXTRA, CHECK_UNKNOWN,
			  "not known: perf events may not be used");
	} else if (t->branches == -EBUSY) {
		check_add(d, showing, "lbr", WEIGHT_EXTRA, CHECK_LIMITED,
			  "another program has the CPU record branches, or takes all counters");
		check_advise(d, "end it first (perf record -b?)");
	} else if (arch && !arch->has_branch_records) {
		check_add(d, showing, "lbr", WEIGHT_EXTRA, CHECK_MISSING,
			  "kernels for %s give BPF no branch records", arch->name);
	} else if (m->hypervisor) {
		check_add(d, showing, "lbr", WEIGHT_EXTRA, CHECK_MISSING,
			  "this virtual machine has no branch records");
		check_advise(d,
			     "run it on a machine itself, or give the virtual one a PMU with them");
	} else {
		check_add(d, showing, "lbr", WEIGHT_EXTRA, CHECK_MISSING,
			  "this CPU keeps no branch records that Linux gives to BPF: Intel since "
			  "2008, AMD since Zen 4 with Linux 6.10");
	}
	check_effect(d, "no 'retsnoop lbr', no --lbr");
}

/* Compare the kernel's facts about its preempt count with the effect of an interrupt. */
static void check_contexts(struct diagnosis *d, const struct trials *t)
{
	const struct contexts *contexts = &t->features.contexts;
	const char *problem = contexts_problem(contexts->told);

	if (!bpf_loads(t))
		return;
	if (problem) {
		check_add(d, showing, "contexts", WEIGHT_WANTED, CHECK_LIMITED, "%s", problem);
		check_effect(d, "%s", contexts_effect(contexts->told));
	} else if (t->hardirq >= 0 && !(t->hardirq & contexts->bits.hardirqs)) {
		check_add(d, showing, "contexts", WEIGHT_WANTED, CHECK_LIMITED,
			  "a timer interrupt was not told from a task: it adds 0x%llx to the "
			  "preempt count", (unsigned long long)t->hardirq);
		check_effect(d, "%s", contexts_effect(CONTEXTS_UNKNOWN_LAYOUT));
	} else {
		check_add(d, showing, "contexts", WEIGHT_EXTRA, CHECK_OK,
			  t->hardirq > 0 ?
				  "interrupts are told from tasks; tried" :
				  "interrupts are told from tasks, as far as the kernel says");
		check_detail(d);
	}
}

static void check_nmi(struct diagnosis *d, const struct trials *t)
{
	if (!bpf_loads(t))
		return;
	if (t->features.attach_cookies) {
		check_add(d, showing, "nmi", WEIGHT_EXTRA, CHECK_OK, "calls in NMIs are followed");
		check_detail(d);
		return;
	}
	check_add(d, showing, "nmi", WEIGHT_EXTRA, CHECK_LIMITED,
		  "safe in NMIs from Linux 5.15 on");
	check_effect(d, "calls in NMIs are counted, not followed");
}

static void check_points(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	if (!m->kcore.err) {
		check_add(d, showing, "code", WEIGHT_EXTRA, CHECK_OK,
			  "functions' code can be read, for points inside them");
		check_detail(d);
		return;
	}
	check_add(d, showing, "code", WEIGHT_EXTRA, CHECK_LIMITED, "%s",
		  is_refused(m->kcore.err) ? "/proc/kcore may not be read" :
		  m->kcore.err != -EBADMSG ? "/proc/kcore is missing" :
		  m->container[0]	   ? "the container hides /proc/kcore" :
					     "another file hides /proc/kcore");
	/* A BPF program reads what 'why' needs, but none is loaded for a mere plan. */
	check_effect(d, "points inside functions are not checked before they are tried%s",
		     t->reads_memory ? "" : "; 'retsnoop why' runs a command only with -e FUNC");
	if (m->kcore.err == -EBADMSG && m->container[0] && !t->reads_memory)
		check_advise(d, "run it on the machine itself, or name the function: retsnoop why -e FUNC");
	if (is_refused(m->kcore.err) &&
	    !(machine_can(m, CAP_SYS_RAWIO) && machine_can(m, CAP_DAC_READ_SEARCH)))
		advise_capability(d, m, CAPABILITY(CAP_SYS_RAWIO) | CAPABILITY(CAP_DAC_READ_SEARCH));
	last_check(d)->detail = lacks_privileges(m);
}

static void check_cgroups(struct diagnosis *d, const struct machine *m)
{
	if (!m->cgroup2.err) {
		check_add(d, showing, "cgroups", WEIGHT_EXTRA, CHECK_OK, "%s", m->cgroup2.path);
		check_detail(d);
		return;
	}
	check_add(d, showing, "cgroups", WEIGHT_EXTRA, CHECK_LIMITED, "cgroup2 is not mounted");
	check_effect(d, "--cgroup cannot be used");
}

void diagnose_showing(struct diagnosis *d, const struct machine *m, const struct trials *t)
{
	check_btf(d, m, t);
	check_debug_info(d, m, t);
	check_branches(d, m, t);
	check_contexts(d, t);
	check_nmi(d, t);
	check_points(d, m, t);
	check_cgroups(d, m);
}
