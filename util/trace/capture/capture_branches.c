// SPDX-License-Identifier: BSD-2-Clause
/* The CPU's branches as a capture. */
#include <bpf/libbpf.h>

#include "util/ask/request.h"
#include "util/plan/capture.h"

static bool branches_used(const struct plan *plan, const struct trace_request *request)
{
	return request->modes & MODE_BRANCHES && !request->summary;
}

static int configure_branches(const struct capture_setup *setup, bool used)
{
	setup->config->branches = used;
	if (used)
		return capture_resize(setup, "branches", setup->request->sessions_size);
	/* Snapshots, which take half a megabyte. */
	return bpf_map__set_autocreate(bpf_object__find_map_by_name(setup->object, ".bss"), false);
}

const struct capture capture_branches = {
	.used = branches_used,
	.configure = configure_branches,
};
