// SPDX-License-Identifier: BSD-2-Clause
/* Functions that cannot be attached to: the next rung, and words. */
#include "util/trace/attach/attach_refusal.h"

#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/text/errnames.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/machine.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/attach/attach_internal.h"
#include "util/trace/attach/features.h"
#include "util/trace/attach/rung_choice.h"

/* Refused functions named in warnings; the others are only counted. */
#define MAX_WARNINGS 8

/* Some kernels (5.10) refuse trampolines then; others attach them, and they are never called. */
static bool ftrace_is_off(void)
{
	struct switches switches;

	switches_read("", &switches);
	return setting_is_off(&switches.ftrace);
}

/* Kernels of Debian and Ubuntu have level 3: perf events need CAP_SYS_ADMIN. */
static bool perf_is_forbidden(void)
{
	struct kernel_setting paranoid = perf_paranoid_read("");

	return !paranoid.err && paranoid.value > 2;
}

/* Append the meaning of the kernel's refusal of a function on a rung. */
static void add_error(struct strbuf *sb, enum rung rung, const struct plan_func *func, int err)
{
	bool trampoline = rung_is_trampoline(rung);
	/* Up to 6.5 on x86 and 6.15 on arm64, trampolines pass on only arguments in registers. */
	uint32_t registers = arch_native->nr_arg_registers;

	if (err == -ENOTSUPP && trampoline && func->arg_slots > registers)
		strbuf_addf(sb, "its arguments take %u registers, and this kernel's trampolines hand on "
				"no more than %u", func->arg_slots, registers);
	else if (err == -ENOTSUPP && trampoline)
		strbuf_addstr(sb, "this kernel has no trampoline for such a function");
	else if (err == -ENOTSUPP)
		strbuf_addstr(sb, "this kernel does not support it");
	else if (err == -EBUSY && trampoline && ftrace_is_off())
		strbuf_addstr(sb, "ftrace is switched off; try sysctl -w kernel.ftrace_enabled=1");
	else if (err == -EBUSY && trampoline)
		strbuf_addstr(sb, "something else is attached to it that leaves no room for a "
				  "trampoline, such as a live patch");
	else if ((err == -EACCES || err == -EPERM) && rung == RUNG_KPROBE && perf_is_forbidden())
		strbuf_addstr(sb, "kernel.perf_event_paranoid leaves single kprobes to CAP_SYS_ADMIN; "
				  "run as root, or try sysctl -w kernel.perf_event_paranoid=2");
	else if (err == -E2BIG && trampoline)
		strbuf_addstr(sb, "the largest possible number of programs is attached to it already");
	else
		strbuf_addf(sb, "%s", strerror(-err));
}

static bool same_name(const struct plan_func *a, const char *name, const char *module)
{
	return !strcmp(a->name, name) && !strcmp(a->module ?: "", module ?: "");
}

bool attach_was_refused(const struct plan *plan, const struct attached *attached, uint32_t index)
{
	const struct plan_func *func = &plan->funcs.data[index];

	return vec_find(refusal, &attached->refused,
			same_name(func, refusal->name, refusal->module));
}

/* The number of functions without a rung that have the same name as this one. */
static uint32_t count_alike(const struct plan *plan, const struct attached *attached,
			    const struct plan_func *func)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < plan->funcs.len; i++)
		nr += attached->rungs[i] == RUNG_AUTO &&
		      same_name(&plan->funcs.data[i], func->name, func->module);
	return nr;
}

void attach_refusal_add(struct strbuf *sb, const struct plan *plan, const struct attached *attached,
			const struct features *features, uint32_t index, enum rung forced, int err)
{
	const struct plan_func *func = &plan->funcs.data[index];
	enum rung rung = attached->rungs[index];
	/* Of a module that was loaded later: programs for kprobes were not needed when the run began. */
	bool by_kprobe = forced == RUNG_AUTO && features->rungs[RUNG_KPROBE] &&
			 func->rungs & RUNG_BIT(RUNG_KPROBE);
	uint32_t alike;

	if (rung != RUNG_AUTO) {
		strbuf_addf(sb, "%s refuses '%s': ", rung_name(rung), func->name);
		add_error(sb, rung, func, err);
		return;
	}
	alike = count_alike(plan, attached, func);
	strbuf_addf(sb, "no way to attach to '%s'", func->name);
	if (alike > 1)
		strbuf_addf(sb, " (%u functions)", alike);
	strbuf_addf(sb, " %s%s%s", by_kprobe ? "in this run" : "on this kernel",
		    forced == RUNG_AUTO ? "" : " with ", forced == RUNG_AUTO ? "" : rung_name(forced));
	if (func->no_trampoline && (forced == RUNG_AUTO || rung_is_trampoline(forced)))
		strbuf_addf(sb, ": %s", func->no_trampoline);
	if (by_kprobe)
		strbuf_addstr(sb, "; --attach=kprobe takes it");
}

int attachment_refuse(struct attachment *a, uint32_t index, int err)
{
	_cleanup_(strbuf_release) struct strbuf message = STRBUF_INIT;
	const struct plan_func *func = &a->plan->funcs.data[index];
	enum rung *rung = &a->attached->rungs[index];
	enum rung below = a->forced == RUNG_AUTO ?
				  rung_below(func, a->features, *rung) : RUNG_AUTO;

	if (below != RUNG_AUTO) {
		attach_refusal_add(&message, a->plan, a->attached, a->features, index, a->forced,
				   err);
		say(VERBOSITY_VERBOSE, "%s; trying %s", strbuf_str(&message), rung_name(below));
		*rung = below;
		return 0;
	}
	/* Functions with the same name are mostly refused together: one warning per name. */
	if (!attach_was_refused(a->plan, a->attached, index) &&
	    (a->refused++ < MAX_WARNINGS || report_verbosity() >= VERBOSITY_VERBOSE)) {
		attach_refusal_add(&message, a->plan, a->attached, a->features, index, a->forced,
				   err);
		warning("%s; going on without", strbuf_str(&message));
	}
	*rung = RUNG_AUTO;
	if (vec_push(&a->attached->refused,
		     (struct plan_refusal){ .name = func->name, .module = func->module,
					    .why = REFUSED_ATTACH, .err = err }))
		return report_oom();
	return 0;
}

void attachment_say_refused(const struct attachment *a)
{
	if (a->refused > MAX_WARNINGS && report_verbosity() < VERBOSITY_VERBOSE)
		warning("%u more names cannot be attached to; -v has them", a->refused - MAX_WARNINGS);
}
