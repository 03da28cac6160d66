// SPDX-License-Identifier: BSD-2-Clause
/* Memory of what became of a plan. */
#include "util/plan/attached.h"

#include <stdlib.h>

#include "util/base/report.h"

int attached_init(struct attached *attached, const struct plan *plan)
{
	*attached = (struct attached){ .rungs = calloc(plan->funcs.len + 1 + PLAN_SPARE,
							sizeof(enum rung)) };
	if (!attached->rungs)
		return report_oom();
	for (size_t i = 0; i < plan->funcs.len + PLAN_SPARE; i++)
		attached->rungs[i] = RUNG_AUTO;
	return 0;
}

bool attached_refused_probe(const struct attached *attached, uint32_t probe)
{
	return vec_find(refused, &attached->probes_refused, *refused == probe);
}

bool attached_has(const struct attached *attached, const struct plan *plan, const struct plan_func *func)
{
	for (size_t i = 0; i < plan->funcs.len; i++) {
		const struct plan_func *other = &plan->funcs.data[i];

		if (other->addr == func->addr && attached->rungs[i] != RUNG_AUTO &&
		    !strcmp(other->name, func->name) && !strcmp(other->module ?: "", func->module ?: ""))
			return true;
	}
	return false;
}

void attached_release(struct attached *attached)
{
	free(attached->rungs);
	vec_release(&attached->refused);
	vec_release(&attached->probes_refused);
	*attached = (struct attached){};
}
