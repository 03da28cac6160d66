// SPDX-License-Identifier: BSD-2-Clause
/*
 * Points as a capture. If links cannot give the program an index, each point has a copy of the
 * program.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/plan/capture.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/trace/attach/attach.h"
#include "util/trace/attach/links.h"

static const struct probe_program {
	const char *name;
	enum bpf_prog_type type;
} probe_programs[NR_PROBE_KINDS] = {
	[PROBE_KPROBE] = { "probe_kprobe", BPF_PROG_TYPE_KPROBE },
	[PROBE_KRETPROBE] = { "probe_kprobe", BPF_PROG_TYPE_KPROBE },
	[PROBE_TP] = { "probe_tracepoint", BPF_PROG_TYPE_TRACEPOINT },
	[PROBE_RAWTP] = { "probe_raw_tracepoint", BPF_PROG_TYPE_RAW_TRACEPOINT },
};

static const struct probe_program breakpoint_program = { "probe_breakpoint",
							 BPF_PROG_TYPE_PERF_EVENT };

static const struct probe_program *program_of(const struct probe *probe)
{
	return probe->by_breakpoint ? &breakpoint_program : &probe_programs[probe->kind];
}

static int plan_points(struct kernel *kernel, const struct trace_request *request,
		       struct plan *plan)
{
	int err;

	/* The caller of plan_build() can give points that are resolved already. */
	if (plan->probes || !request->probes.v.len)
		return 0;
	err = probes_resolve(kernel, &request->probes, NULL, 0, &plan->probes);
	err = err ?: probes_args(kernel, &request->args, plan->probes);
	/* -ENOENT is for functions. */
	return err == -ENOENT ? -ESRCH : err;
}

static void unplan_points(struct plan *plan)
{
	probes_free(plan->probes);
}

static bool points_used(const struct plan *plan, const struct trace_request *request)
{
	return plan->probes;
}

static int configure_points(const struct capture_setup *setup, bool used)
{
	const struct probes *probes = setup->plan->probes;
	int err = 0;

	setup->config->probes = used && !setup->request->summary;
	for (size_t i = 0; used && i < probes->v.len && !err; i++) {
		const struct probe_program *p = program_of(&probes->v.data[i]);

		err = capture_hold_program(setup, p->name);
	}
	if (used)
		err = err ?: capture_resize(setup, "probe_data", probes->v.len) ?:
			     capture_resize(setup, "probe_args", probes->v.len);
	return err;
}

static int fill_points(const struct capture_setup *setup)
{
	int data_fd = capture_map_fd(setup, "probe_data"), err = 0;
	int args_fd = capture_map_fd(setup, "probe_args");
	const struct probes *probes = setup->plan->probes;

	for (uint32_t i = 0; i < probes->v.len && !err; i++) {
		const struct probe *probe = &probes->v.data[i];
		const struct probe_capture *capture = &probe->capture;
		struct probe_data data = {
			.size = capture->fixed,
			.has_tail = capture->has_tail,
			.memory_size = capture->memory_size,
			.memory_register = capture->memory_register,
			.memory_at = capture->memory_at,
		};

		memcpy(data.names, capture->names, sizeof(data.names));
		for (uint32_t d = 0; d < capture->nr_dynamic && d < PROBE_DATA_DYNAMIC; d++)
			data.dynamic[data.nr_dynamic++] =
				capture->dynamic[d].offset |
				(capture->dynamic[d].base ? PROBE_RELATIVE : 0);
		err = bpf_map_update_elem(data_fd, &i, &data, BPF_ANY);
		if (!err && probe->args.items.nr)
			err = bpf_map_update_elem(args_fd, &i, &probe->args.items, BPF_ANY);
	}
	return err;
}

/* One for each CPU. */
static int attach_breakpoint(struct attachment *attachment, int prog_fd, uint64_t addr)
{
	int cpus = libbpf_num_possible_cpus(), err = -ENODEV;

	for (int cpu = 0; cpu < cpus; cpu++) {
		int fd = link_breakpoint(prog_fd, addr, cpu);

		/* It is off. */
		if (fd == -ENODEV)
			continue;
		err = attachment_keep_breakpoint(attachment, fd);
		if (err)
			return err;
	}
	return err;
}

/* @shared_fd	the program of kprobes that have one in common; negative: not loaded yet */
static int attach_point(struct attachment *attachment, const struct probe *probe, uint32_t index,
			int *shared_fd)
{
	const struct probe_program *p = program_of(probe);
	bool shared = p->type == BPF_PROG_TYPE_KPROBE && attachment_has_cookies(attachment);
	int fd = shared && *shared_fd >= 0 ?
			 *shared_fd :
			 attachment_copy_program(attachment, p->name, p->type, index);

	if (fd < 0)
		return fd;
	if (shared)
		*shared_fd = fd;
	if (probe->by_breakpoint)
		return attach_breakpoint(attachment, fd, probe->addr);
	switch (probe->kind) {
	case PROBE_TP:
		return attachment_keep(attachment, link_tracepoint(fd, probe->tracepoint->id));
	case PROBE_RAWTP:
		return attachment_keep(attachment, link_raw(fd, probe->name));
	default:
		return attachment_keep_kprobe(attachment, fd, probe->kind == PROBE_KRETPROBE,
					      probe->addr, probe->module, index);
	}
}

/* Nothing to do with the point. */
static bool is_out_of_something(int err)
{
	return err == -EMFILE || err == -ENFILE || err == -ENOMEM || err == -EINTR;
}

/*
 * A point named exactly must attach, or the run fails. One that a glob selects is left out if the
 * kernel refuses it, unless the kernel refuses all of them.
 */
static int attach_points(struct attachment *attachment, const struct plan *plan,
			 struct attached *attached)
{
	_cleanup_(strbuf_release) struct strbuf why = STRBUF_INIT;
	const struct probes *probes = plan->probes;
	int shared_fd = -1, err = 0;

	for (uint32_t i = 0; i < probes->v.len && !err; i++) {
		const struct probe *probe = &probes->v.data[i];

		if (attachment_interrupted(attachment))
			return -EINTR;
		err = attach_point(attachment, probe, i, &shared_fd);
		if (!err)
			continue;
		strbuf_reset(&why);
		probe_attach_error(probe, NULL, err, &why);
		if (!probe->by_glob || is_out_of_something(err) ||
		    (attached->probes_refused.len + 1 >= probes->v.len && !probes->optional))
			return report(err, "cannot attach to %s: %s", probe->text,
				      strbuf_str(&why));
		say(VERBOSITY_VERBOSE, "probe '%s' is left out: %s", probe->text, strbuf_str(&why));
		err = vec_push(&attached->probes_refused, i) ? report_oom() : 0;
	}
	return err;
}

const struct capture capture_points = {
	.plan = plan_points,
	.unplan = unplan_points,
	.used = points_used,
	.configure = configure_points,
	.fill = fill_points,
	.attach = attach_points,
};
