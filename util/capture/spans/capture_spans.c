// SPDX-License-Identifier: BSD-2-Clause
/*
 * --trace-context as a capture: the spans that threads work on, from the pinned map in which
 * OpenTelemetry's eBPF instrumentation keeps them (bpf/trace_context.bpf.h).
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>

#include "bpf/event.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/capture/capture.h"
#include "util/trace/ask/request.h"

static bool spans_used(const struct plan *plan, const struct trace_request *request)
{
	return request->trace_context;
}

/* In a per-CPU hash, a program sees only one CPU's value. */
static bool is_map_of_spans(const struct bpf_map_info *info)
{
	return (info->type == BPF_MAP_TYPE_HASH || info->type == BPF_MAP_TYPE_LRU_HASH) &&
	       info->key_size == sizeof(uint64_t) && info->value_size == sizeof(struct trace_ids);
}

/* The pinned map takes the place of ours. */
static int open_spans(const struct capture_setup *setup)
{
	LIBBPF_OPTS(bpf_obj_get_opts, opts, .file_flags = BPF_F_RDONLY);
	const char *path = setup->request->trace_context;
	_cleanup_(close_fd) int fd = bpf_obj_get_opts(path, &opts);
	struct bpf_map_info info = {};
	uint32_t len = sizeof(info);
	int err;

	if (fd == -ENOENT)
		return report(fd, "--trace-context: there is no %s; run OpenTelemetry's eBPF instrumentation, "
				  "or give the path of its map", path);
	if (fd < 0)
		return report(fd, "--trace-context: cannot open %s: %s", path, strerror(-fd));
	/* A descriptor that is no map has no description, or another one. */
	err = bpf_obj_get_info_by_fd(fd, &info, &len);
	if (err || !is_map_of_spans(&info))
		return report(-EINVAL, "--trace-context: %s is not a map of threads and spans: a hash with "
				       "keys of 8 bytes and values of 24", path);
	err = bpf_map__reuse_fd(bpf_object__find_map_by_name(setup->object, "traces_ctx_v1"), fd);
	return err ? report(err, "--trace-context: cannot use %s: %s", path, strerror(-err)) : 0;
}

static int configure_spans(const struct capture_setup *setup, bool used)
{
	setup->config->trace_context = used;
	return 0;
}

const struct capture capture_spans = {
	.used = spans_used,
	.open = open_spans,
	.configure = configure_spans,
};
