// SPDX-License-Identifier: BSD-2-Clause
/* A plan's arguments: for each function what is captured of it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/report.h"
#include "util/kernel/btf.h"
#include "util/kernel/kernel.h"
#include "util/trace/args_select.h"
#include "util/trace/plan.h"
#include "util/trace/request.h"

static const struct args_selection *selection_for(const struct trace_request *request,
						  const struct plan_func *func)
{
	const struct args_selection *found = NULL;

	vec_foreach(selection, &request->args_selections) {
		vec_foreach(spec, &selection->funcs.v) {
			if (spec_matches_name(spec, func->name, func->module))
				found = selection;
		}
	}
	return found;
}

/* Whether it names one function: then what does not fit it is a mistake. */
static bool is_exact(const struct args_selection *selection)
{
	return selection->funcs.v.len == 1 &&
	       !strpbrk(selection->funcs.v.data[0].name, "*?");
}

static int fill(struct kernel_btf *btf, const struct trace_request *request,
		const struct plan_func *func, struct plan_syscalls *syscalls,
		struct func_args *args)
{
	const struct args_selection *selection = selection_for(request, func);
	const struct syscall_params *syscall = NULL;
	struct syscall_params params;

	/* With a selection, what it does not name is not wanted, unless all is. */
	if (!selection && !(request->modes & MODE_ARGS))
		return 0;
	if (plan_syscalls_find(syscalls, func->name, &params))
		syscall = &params;
	if (selection)
		return args_select(selection, is_exact(selection), btf, func, syscall,
				   &request->args, ARG_ABI_NATIVE, args);
	return args_of_func(btf, func, syscall, &request->args, ARG_ABI_NATIVE, args);
}

int plan_args(struct kernel *kernel, const struct trace_request *request, struct plan *plan)
{
	struct kernel_btf *btf = NULL;
	int err;

	if (!trace_request_has_args(request))
		return 0;
	err = kernel_get_btf(kernel, &btf);
	if (err)
		btf = NULL;	/* registers, then */
	plan->args = calloc(plan->funcs.len ?: 1, sizeof(*plan->args));
	if (!plan->args)
		return report_oom();
	for (size_t i = 0; i < plan->funcs.len; i++) {
		err = fill(btf, request, &plan->funcs.data[i], &plan->syscalls, &plan->args[i]);
		if (err)
			return err;
	}
	return 0;
}

void plan_args_release(struct plan *plan)
{
	for (size_t i = 0; plan->args && i < plan->funcs.len; i++)
		func_args_release(&plan->args[i]);
	free(plan->args);
	plan->args = NULL;
	plan_syscalls_release(&plan->syscalls);
}
