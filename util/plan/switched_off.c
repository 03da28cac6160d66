// SPDX-License-Identifier: BSD-2-Clause
/* Counts functions and probes by the mechanism that they use. */
#include "util/plan/switched_off.h"

#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/machine.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"

bool rung_needs_ftrace(enum rung rung)
{
	return rung != RUNG_AUTO && (rung != RUNG_KPROBE || arch_native->kprobes_on_ftrace);
}

/*
 * Except on arm64, a kprobe at the beginning of a function uses ftrace's call there, if there is one.
 * Other kprobes are breakpoints.
 */
struct switched_off switched_off_count(const struct plan *plan, const struct attached *attached,
				       const struct switches *switches)
{
	bool ftrace = setting_is_off(&switches->ftrace), kprobes = setting_is_off(&switches->kprobes);
	struct switched_off off = {};

	if (!ftrace && !kprobes)
		return off;
	for (size_t i = 0; i < plan->funcs.len; i++) {
		off.by_ftrace += ftrace && rung_needs_ftrace(attached->rungs[i]);
		off.by_kprobes += kprobes && attached->rungs[i] == RUNG_KPROBE;
	}
	for (size_t i = 0; plan->probes && i < plan->probes->v.len; i++) {
		const struct probe *probe = &plan->probes->v.data[i];

		if (!probe_is_on_function(probe->kind))
			continue;
		off.by_ftrace += ftrace && !probe->offset && arch_native->kprobes_on_ftrace;
		off.by_kprobes += kprobes;
	}
	return off;
}
