// SPDX-License-Identifier: BSD-2-Clause
/* The whole plan in one call: functions, captures, and whether they fit each other. */
#include <errno.h>

#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/plan/capture.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/plan/predicates.h"

static bool is_entry(const struct plan *plan, uint64_t addr)
{
	for (uint32_t i = 0; i < plan->nr_entries; i++) {
		if (plan->funcs.data[i].addr == addr)
			return true;
	}
	return false;
}

/* Probes that are attached last come first at a function's beginning, and last at its end. */
void plan_warn_of_probes(const struct plan *plan)
{
	const struct probe *first = NULL;
	size_t more = 0;

	vec_foreach(probe, &plan->probes->v) {
		bool at_edge = (probe->kind == PROBE_KPROBE && !probe->offset) ||
			       probe->kind == PROBE_KRETPROBE;

		if (!at_edge || !is_entry(plan, probe->func))
			continue;
		more += first != NULL;
		first = first ?: probe;
	}
	if (!first)
		return;
	warning("%s is passed %s, and is shown only inside of other sessions", first->text,
		first->kind == PROBE_KPROBE ? "before that entry function's session begins" :
					      "when that entry function's session has ended");
	if (more)
		warning("so %s %zu more of these points", more == 1 ? "is" : "are", more);
}

int plan_build(struct kernel *kernel, const struct trace_request *request, unsigned int flags,
	       struct probes *probes, const struct plan **ret_plan)
{
	_cleanup_(plan_free_p) struct plan *plan = NULL;
	int err = plan_select(kernel, request, flags, &plan);

	if (err) {
		probes_free(probes);
		return err;
	}
	plan->probes = probes;
	if (vec_reserve(&plan->funcs, plan->funcs.len + PLAN_SPARE))
		return report_oom();
	for (size_t i = 0; i < NR_CAPTURES; i++) {
		if (captures[i]->plan)
			err = err ?: captures[i]->plan(kernel, request, plan);
	}
	if (err)
		return err;
	if (!(flags & PLAN_QUIET)) {
		if (predicates_check_plan(request, plan))
			return -EINVAL;
		if (plan->probes)
			plan_warn_of_probes(plan);
	}
	*ret_plan = take_ptr(plan);
	return 0;
}
