// SPDX-License-Identifier: BSD-2-Clause
/* Counting functions and points by what they stand on. */
#include "util/trace/plan/switched_off.h"

#include "util/capture/points/probes.h"
#include "util/kernel/machine/machine.h"
#include "util/trace/plan/plan.h"

static bool is_kprobe(const struct probe *probe)
{
	return probe->kind == PROBE_KPROBE || probe->kind == PROBE_KRETPROBE;
}

/*
 * A kprobe at the beginning of a function uses ftrace's place there, where there is one; that is so
 * on x86. Others are breakpoints.
 */
struct switched_off switched_off_count(const struct plan *plan, const struct switches *switches)
{
	bool ftrace = setting_is_off(&switches->ftrace), kprobes = setting_is_off(&switches->kprobes);
	struct switched_off off = {};

	if (!ftrace && !kprobes)
		return off;
	vec_foreach(func, &plan->funcs) {
		off.by_ftrace += ftrace && func->rung != RUNG_AUTO;
		off.by_kprobes += kprobes && func->rung == RUNG_KPROBE;
	}
	for (size_t i = 0; plan->probes && i < plan->probes->v.len; i++) {
		const struct probe *probe = &plan->probes->v.data[i];

		if (!is_kprobe(probe))
			continue;
		off.by_ftrace += ftrace && !probe->offset;
		off.by_kprobes += kprobes;
	}
	return off;
}
