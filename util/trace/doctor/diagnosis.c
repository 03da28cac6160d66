// SPDX-License-Identifier: BSD-2-Clause
/* From facts and trials to checks. */
#include "util/trace/doctor/diagnosis_internal.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>

#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/machine/capabilities.h"

static char *format_text(struct diagnosis *d, const char *fmt, va_list args)
{
	char *text;

	if (vasprintf(&text, fmt, args) >= 0)
		return text;
	d->failed = true;
	return NULL;
}

void check_add(struct diagnosis *d, const char *group, const char *name, enum check_weight weight,
	       enum check_state state, const char *fmt, ...)
{
	struct check check = { .name = name, .group = group, .state = state, .weight = weight };
	va_list args;

	va_start(args, fmt);
	check.finding = format_text(d, fmt, args);
	va_end(args);
	if (vec_push(&d->checks, check)) {
		free(check.finding);
		d->failed = true;
	}
}

struct check *last_check(struct diagnosis *d)
{
	static struct check nowhere;

	return d->checks.len ? &d->checks.data[d->checks.len - 1] : &nowhere;
}

void check_effect(struct diagnosis *d, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	free(last_check(d)->effect);
	last_check(d)->effect = format_text(d, fmt, args);
	va_end(args);
}

void check_advise(struct diagnosis *d, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	free(last_check(d)->advice);
	last_check(d)->advice = format_text(d, fmt, args);
	va_end(args);
}

void advise_capability(struct diagnosis *d, const struct machine *m, uint64_t needed)
{
	uint64_t held = m->caps;
	struct strbuf sb = STRBUF_INIT;

	if (held & CAPABILITY(CAP_SYS_ADMIN))
		held |= CAPABILITY(CAP_BPF) | CAPABILITY(CAP_PERFMON);
	capabilities_add(&sb, needed);
	d->failed |= sb.failed;
	/* In a user namespace of its own, the process has capabilities over that one only. */
	if (!m->own_users && !(needed & ~held))
		check_advise(d, "this process has %s: see what security modules (SELinux, AppArmor), seccomp "
			     "filters and the hypervisor refuse", strbuf_str(&sb));
	else if (m->uid)
		check_advise(d, "run it as root, or with %s", strbuf_str(&sb));
	else
		check_advise(d, "root lacks %s here: run it %s", strbuf_str(&sb),
			     m->container[0] ? "on the machine itself" : "where root has it");
	strbuf_release(&sb);
}

void check_detail(struct diagnosis *d)
{
	last_check(d)->detail = true;
}

bool bpf_loads(const struct trials *trials)
{
	return !trials->load;
}

bool is_refused(int err)
{
	return err == -EPERM || err == -EACCES;
}

bool lacks_privileges(const struct machine *m)
{
	return m->own_users || (!machine_can(m, CAP_SYS_ADMIN) &&
				!(machine_can(m, CAP_BPF) && machine_can(m, CAP_PERFMON)));
}

static enum verdict judge_checks(const struct diagnosis *d)
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

	diagnose_tracing(&d, m, t);
	diagnose_attaching(&d, m, t);
	diagnose_showing(&d, m, t);
	d.verdict = judge_checks(&d);
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
