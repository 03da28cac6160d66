// SPDX-License-Identifier: BSD-2-Clause
/* The whole plan in one call: functions, captures, and whether they fit each other. */
#include <errno.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/capture/capture.h"
#include "util/capture/points/probes.h"
#include "util/trace/ask/predicates.h"
#include "util/trace/ask/request.h"
#include "util/trace/plan/plan.h"

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
			probes_warn(plan);
	}
	*ret_plan = take_ptr(plan);
	return 0;
}
