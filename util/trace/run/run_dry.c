// SPDX-License-Identifier: BSD-2-Clause
/* A run that attaches nothing. */
#include "util/trace/run/run.h"

#include "util/base/report.h"
#include "util/trace/attach/features.h"
#include "util/trace/attach/self_test.h"
#include "util/trace/branches/branch_run.h"

int run_dry(struct kernel *kernel, const struct plan *plan, const struct trace_request *request,
	    struct attached *ret_attached)
{
	struct branch_run branches = {};
	struct self_test *test = NULL;
	struct features features;
	uint32_t nr = 0;
	int err;

	err = attached_init(ret_attached, plan);
	err = err ?: features_probe(kernel, &features);
	err = err ?: branch_run_open(&branches, &features, &request);
	if (err)
		return err;
	contexts_warn(&features.contexts);
	branch_run_close(&branches);
	err = self_test_assign(kernel, plan, &features, request->rung, branch_run_wanted(request),
			       ret_attached->rungs, &test);
	self_test_free(test);
	if (err)
		return err;
	branch_run_say(VERBOSITY_NORMAL, plan, ret_attached, request);
	vec_foreach(func, &plan->funcs) {
		if (ret_attached->rungs[func - plan->funcs.data] == RUNG_AUTO)
			warning("no way to attach to '%s' on this kernel%s%s", func->name,
				request->rung == RUNG_AUTO ? "" : " with ",
				request->rung == RUNG_AUTO ? "" : rung_name(request->rung));
		else
			say(VERBOSITY_VERBOSE, "Attached (dry run) to function #%u '%s'.", ++nr,
			    func->name);
	}
	say(VERBOSITY_VERBOSE, "Total %u kernel functions attached (dry run) successfully!", nr);
	return 0;
}
