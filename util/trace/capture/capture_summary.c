// SPDX-License-Identifier: BSD-2-Clause
/* Counting in BPF, as a capture. */
#include "bpf/summary_rows.h"
#include "util/ask/request.h"
#include "util/plan/capture.h"
#include "util/trace/summary/summary.h"

static bool summary_used(const struct plan *plan, const struct trace_request *request)
{
	return request->summary;
}

static int configure_summary(const struct capture_setup *setup, bool used)
{
	setup->config->summary = used;
	if (!used)
		return 0;
	setup->config->summary_by = setup->request->summary_by;
	setup->config->summary_producers = setup->request->summary_producers;
	return capture_resize(setup, "summary", summary_max_rows(setup->request->summary_by)) ?:
	       capture_resize(setup, "producers", SUMMARY_MAX_PRODUCERS);
}

const struct capture capture_summary = {
	.used = summary_used,
	.configure = configure_summary,
};
