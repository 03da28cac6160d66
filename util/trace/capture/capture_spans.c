// SPDX-License-Identifier: BSD-2-Clause
/*
 * --trace-context as a capture: the spans that threads work on, from their own memory
 * (OpenTelemetry's thread context), or from the pinned map in which OpenTelemetry's eBPF
 * instrumentation keeps them (bpf/trace_context.bpf.h).
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>

#include "bpf/event.h"
#include "bpf/thread_context_place.h"
#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/kernel/arch/arch.h"
#include "util/plan/capture.h"
#include "util/trace/attach/attach.h"
#include "util/trace/attach/links.h"
#include "util/trace/attach/programs.h"

/* They follow processes: their ends, their children, other programs that they execute. */
static const struct {
	const char *name, *tracepoint;
} followers[] = {
	{ "context_fork", "sched_process_fork" },
	{ "context_exec", "sched_process_exec" },
	{ "context_exit", "sched_process_exit" },
};

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

/* The variant without BTF has no such programs: only types show where a thread's memory begins. */
static bool can_read_threads(const struct capture_setup *setup)
{
	return arch_native->tls && bpf_object__find_program_by_name(setup->object, followers[0].name);
}

static struct bpf_map *map_of_spans(const struct capture_setup *setup)
{
	return bpf_object__find_map_by_name(setup->object, "traces_ctx_v1");
}

static bool reads_threads(const struct capture_setup *setup)
{
	return setup->request->trace_context & TRACE_CONTEXT_THREADS && can_read_threads(setup);
}

/* The pinned map takes the place of ours. */
static int open_spans(const struct capture_setup *setup)
{
	LIBBPF_OPTS(bpf_obj_get_opts, opts, .file_flags = BPF_F_RDONLY);
	const char *path = setup->request->trace_context_map ?: DEFAULT_TRACE_CONTEXT;
	_cleanup_(close_fd) int fd = -1;
	struct bpf_map_info info = {};
	uint32_t len = sizeof(info);
	int err;

	if (!(setup->request->trace_context & TRACE_CONTEXT_MAP)) {
		if (can_read_threads(setup))
			return 0;
		return report(-EOPNOTSUPP, arch_native->tls ?
			"--trace-context=threads needs a kernel with BTF (CONFIG_DEBUG_INFO_BTF)" :
			"--trace-context=threads does not support this CPU; try --trace-context=map");
	}
	fd = bpf_obj_get_opts(path, &opts);
	if (fd == -ENOENT && reads_threads(setup)) {
		say(VERBOSITY_VERBOSE, "--trace-context: %s does not exist; only thread contexts are read", path);
		return 0;
	}
	if (setup->request->trace_context & TRACE_CONTEXT_THREADS && !can_read_threads(setup))
		say(VERBOSITY_VERBOSE, "--trace-context: thread contexts need %s; only %s is read",
		    arch_native->tls ? "a kernel with BTF" : "another CPU", path);
	if (fd == -ENOENT)
		return report(fd, "--trace-context: %s does not exist; run OpenTelemetry's eBPF instrumentation, "
				  "or give the path of its map", path);
	if (fd < 0)
		return report(fd, "--trace-context: cannot open %s: %s", path, strerror(-fd));
	/* A descriptor that is no map has no description, or another one. */
	err = bpf_obj_get_info_by_fd(fd, &info, &len);
	if (err || !is_map_of_spans(&info))
		return report(-EINVAL, "--trace-context: %s is not a map of threads and spans: a hash with "
				       "keys of 8 bytes and values of 24", path);
	err = bpf_map__reuse_fd(map_of_spans(setup), fd);
	return err ? report(err, "--trace-context: cannot use %s: %s", path, strerror(-err)) : 0;
}

static int configure_spans(const struct capture_setup *setup, bool used)
{
	int err = 0;

	if (!used || !reads_threads(setup))
		err = bpf_map__set_autocreate(
			bpf_object__find_map_by_name(setup->object, "thread_context_asks"), false);
	if (err || !used)
		return err;
	/* Before loading, only a map that is open already has a descriptor. */
	if (bpf_map__fd(map_of_spans(setup)) >= 0)
		setup->config->trace_context |= TRACE_CONTEXT_MAP;
	if (!reads_threads(setup))
		return 0;
	setup->config->trace_context |= TRACE_CONTEXT_THREADS;
	for (size_t i = 0; i < ARRAY_SIZE(followers) && !err; i++)
		err = programs_want_raw(setup->object, followers[i].name) ? 0 : -ENOENT;
	return err ?: capture_resize(setup, "thread_contexts", THREAD_CONTEXTS);
}

static int attach_spans(struct attachment *attachment, const struct plan *plan,
			struct attached *attached)
{
	struct bpf_object *object = attachment_programs(attachment)->object;

	for (size_t i = 0; i < ARRAY_SIZE(followers); i++) {
		struct bpf_program *prog = bpf_object__find_program_by_name(object, followers[i].name);
		int err;

		if (!prog || !bpf_program__autoload(prog))
			continue;
		err = attachment_keep(attachment,
				      link_raw(bpf_program__fd(prog), followers[i].tracepoint));
		if (err)
			return report(err, "--trace-context: cannot follow processes (tracepoint %s): %s",
				      followers[i].tracepoint, strerror(-err));
	}
	return 0;
}

const struct capture capture_spans = {
	.used = spans_used,
	.open = open_spans,
	.configure = configure_spans,
	.attach = attach_spans,
};
