// SPDX-License-Identifier: BSD-2-Clause
/* Arguments, and conditions on them, as a capture. */
#include <bpf/bpf.h>

#include "util/ask/request.h"
#include "util/plan/args/args.h"
#include "util/plan/capture.h"
#include "util/plan/plan.h"
#include "util/plan/plan_args.h"

static bool args_used(const struct plan *plan, const struct trace_request *request)
{
	return plan->args || plan->wheres.len;
}

static int configure_args(const struct capture_setup *setup, bool used)
{
	const struct plan *plan = setup->plan;
	int err = 0;

	setup->config->args = trace_request_has_args(setup->request) && !setup->request->summary;
	setup->config->wheres = plan->wheres.len;
	setup->config->wheres_inside = plan->wheres_inside;
	if (plan->args)
		err = capture_resize(setup, "arg_items", plan->funcs.len + PLAN_SPARE);
	if (plan->wheres.len)
		err = err ?: capture_resize(setup, "wheres", plan->wheres.len);
	return err;
}

static int fill_args(const struct capture_setup *setup)
{
	int fd = capture_map_fd(setup, "arg_items"), err = 0;
	const struct plan *plan = setup->plan;

	for (uint32_t i = setup->first; plan->args && i < plan->funcs.len && !err; i++) {
		const struct arg_items *items = &plan->args[i].items;

		if (items->nr || items->where)
			err = bpf_map_update_elem(fd, &i, items, BPF_ANY);
	}
	fd = capture_map_fd(setup, "wheres");
	for (uint32_t i = 0; i < plan->wheres.len && !err; i++)
		err = bpf_map_update_elem(fd, &i, &plan->wheres.data[i], BPF_ANY);
	return err;
}

const struct capture capture_args = {
	.plan = plan_args,
	.unplan = plan_args_release,
	.used = args_used,
	.configure = configure_args,
	.fill = fill_args,
};
