// SPDX-License-Identifier: BSD-2-Clause
/* Functions that call themselves. */
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/symbols/code_source.h"
#include "util/plan/plan.h"
#include "util/plan/plan_internal.h"

/* Of larger functions, the beginning counts. */
#define MAX_CODE (64 * 1024)

static bool calls(const uint8_t *code, size_t size, uint64_t at, uint64_t function, uint64_t called_at)
{
	uint64_t target;

	for (size_t i = code_find_call(code, size, at, 0, &target); i < size;
	     i = code_find_call(code, size, at, i + 1, &target)) {
		if (target == function || target == called_at)
			return true;
	}
	return false;
}

int plan_find_recursion(struct plan *plan, const struct code_source *source)
{
	_cleanup_(free_p) uint8_t *code = NULL;

	if (plan->funcs.len > RECURSION_MAX_FUNCS)
		return 0;
	code = malloc(MAX_CODE);
	if (!code)
		return report_oom();
	vec_foreach(func, &plan->funcs) {
		size_t size = func->size < MAX_CODE ? func->size : MAX_CODE;
		long n = size ? source->read(source->arg, func->addr, code, size) : 0;

		func->calls_itself = n > 0 && calls(code, n, func->addr, func->addr, code_called_at(source, func->addr));
	}
	return 0;
}

int plan_find_recursion_in_kernel(struct plan *plan)
{
	struct kcore kcore = KCORE_INIT;
	const struct code_source source = { kcore_read, &kcore };
	int err = plan_find_recursion(plan, &source);

	kcore_close(&kcore);
	return err;
}
