// SPDX-License-Identifier: BSD-2-Clause
/* Failed or not, and how. */
#include "util/trace/session/outcome.h"

#include "bpf/result_rule.h"
#include "util/ask/result_expr.h"
#include "util/plan/plan.h"

static int errno_of(const struct plan_func *func, const struct error_rule *rules, uint64_t result)
{
	if (func->rule)
		return result_errno_by(&rules[func->rule - 1].expr.terms, result, func->returns);
	return result_errno(result, func->returns);
}

int frame_errno(const struct plan *plan, const struct error_rule *rules,
		const struct event_frame *frame)
{
	return errno_of(&plan->funcs.data[frame->func], rules, frame->result);
}

bool result_failed(const struct plan_func *func, const struct error_rule *rules, uint64_t result)
{
	return errno_of(func, rules, result) != RESULT_NOT_FAILED;
}
