// SPDX-License-Identifier: BSD-2-Clause
/* The way of a tracing command: parse, check, plan, trace, show, and the exit status. */
#include "builtin/tracing.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/base/terminal.h"
#include "util/kernel/kernel.h"
#include "util/kernel/probe_point.h"
#include "util/kernel/source_text.h"
#include "util/trace/branch_types.h"
#include "util/trace/decision.h"
#include "util/trace/plan.h"
#include "util/trace/predicates.h"
#include "util/trace/probes.h"
#include "util/trace/request.h"
#include "util/trace/run.h"
#include "util/view/folded.h"
#include "util/view/funcs.h"
#include "util/view/value_symbol.h"
#include "util/view/view.h"

const struct option_group *const tracing_options[] = { TRACING_OPTIONS, NULL };

/* The request for each group; one more than there are, for a command's own. */
#define NR_TARGETS (sizeof(tracing_options) / sizeof(tracing_options[0]))

DEFINE_CLEANUP(struct kernel *, kernel_free)
DEFINE_CLEANUP(struct plan *, plan_free)

/* What telling why a call failed takes, where there are branches to tell it from. */
struct reasons {
	struct kcore kcore;
	struct code_source code;
	struct decider *decider;
	struct source_text *source;
};

/* The kernel's code and its source are there or not; what they tell is said or not. */
static int reasons_open(const struct trace_request *request, struct symbolizer *symbolizer,
			const struct plan *plan, struct reasons *reasons)
{
	struct utsname name;
	int err;

	*reasons = (struct reasons){ .kcore = KCORE_INIT };
	if (!(request->modes & MODE_BRANCHES))
		return 0;
	reasons->code = (struct code_source){ kcore_read, &reasons->kcore };
	err = decider_new(symbolizer, plan, &reasons->code, request->branch_types,
			  &reasons->decider);
	if (err)
		return err;
	uname(&name);
	err = source_text_open(request->source_dir, request->source_dir ? NULL : name.release,
			       &reasons->source);
	return err == -ENOENT && !request->source_dir ? 0 : err;
}

static void reasons_close(struct reasons *reasons)
{
	decider_free(reasons->decider);
	source_text_close(reasons->source);
	kcore_close(&reasons->kcore);
}

static int on_session(void *arg, const struct session *session)
{
	struct view *view = arg;

	return view->session(view, session);
}

static int on_summary(void *arg, const struct summary *summary)
{
	struct view *view = arg;

	return view->summary(view, summary);
}

static struct view *new_view(const struct view_context *context, bool summary, enum format format)
{
	if (summary)
		return format == FORMAT_JSON ? view_summary_json_new(context) :
					       view_summary_new(context);
	switch (format) {
	case FORMAT_TEXT:
		return view_text_new(context);
	case FORMAT_JSON:
		return view_json_new(context);
	case FORMAT_FOLDED:
		return view_folded_new(context, FOLDED_COUNT);
	case FORMAT_FOLDED_ERRNO:
		return view_folded_new(context, FOLDED_ERRNO);
	case FORMAT_FOLDED_LATENCY:
		return view_folded_new(context, FOLDED_LATENCY);
	case FORMAT_CHROME:
		return view_chrome_new(context);
	case FORMAT_HTML:
		return view_html_new(context);
	}
	return NULL;
}

static void on_ready(void *arg)
{
	say(VERBOSITY_NORMAL, "Receiving data...");
}

static int show(struct kernel *kernel, struct plan *plan, const struct trace_request *request,
		 enum format format)
{
	_cleanup_(run_output_close) struct run_output output = {};
	_cleanup_(value_symbols_release) struct value_symbols value_symbols = {};
	_cleanup_(reasons_close) struct reasons reasons = { .kcore = KCORE_INIT };
	struct view_context context = {
		.plan = plan,
		.error_rules = request->error_rules.data,
		.modes = request->modes,
		.width = terminal_width(STDOUT_FILENO),
		.max_depth = request->max_depth,
		.wall_offset_ns = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC),
		.verbose = report_verbosity() >= VERBOSITY_VERBOSE,
		.unfiltered = request->stacks_unfiltered,
		.emit_addrs = request->stacks_emit_addrs,
		.dec_offs = request->stacks_dec_offs,
		.branch_types = request->branch_types ?: DEFAULT_BRANCH_TYPES,
		.branches_full = request->branches_full,
		.branches_max = request->branches_max,
		.args = {
			.mode = (enum value_mode)request->args_mode,
			.max_width = request->args_width,
			.symbol = value_symbol,
			.symbol_arg = &value_symbols,
		},
	};
	struct symbols *symbols = NULL;
	struct run_result result = {};
	struct run_handler handler = { .session = on_session, .summary = on_summary,
				       .ready = on_ready, .output = &output };
	struct view *view;
	int err;

	err = kernel_symbolizer(kernel, &context.symbolizer);
	err = err ?: kernel_symbols(kernel, &symbols);
	err = err ?: reasons_open(request, context.symbolizer, plan, &reasons);
	err = err ?: run_output_open(&output);
	if (err)
		return EXIT_CANNOT;
	context.symbols = symbols;
	context.decider = reasons.decider;
	context.source = reasons.source;
	context.out = output.file;
	value_symbols.symbolizer = context.symbolizer;
	view = new_view(&context, request->summary, format);
	if (!view)
		return report_oom(), EXIT_CANNOT;
	handler.arg = view;
	err = view->begin ? view->begin(view) : 0;
	err = err ?: run_trace(kernel, plan, request, &handler, &result);
	if (!err && view->end)
		view->end(view, &result.ledger);
	view->free(view);
	if (err)
		return EXIT_CANNOT;
	if (!result.started) {
		say(VERBOSITY_NORMAL, "retsnoop: interrupted before tracing began");
		return EXIT_NOTHING;
	}
	ledger_print(&result.ledger);
	if (request->forward_status && result.workload_ran)
		return result.workload_status;
	return result.ledger.shown || result.pipe_closed ? EXIT_SHOWN : EXIT_NOTHING;
}

/* The functions on stdout, as `retsnoop funcs` lists them. */
static int dry_run(struct kernel *kernel, struct plan *plan, const struct trace_request *request,
		   enum format format)
{
	struct funcs_view view = format == FORMAT_JSON ? funcs_view_json : funcs_view_names;
	int err;

	view.out = stdout;
	view.request = request;
	view.kernel = kernel;
	err = run_dry(kernel, plan, request);
	vec_foreach(func, &plan->funcs)
		err = err ?: view.func(&view, func);
	return err ? EXIT_CANNOT : EXIT_SHOWN;
}

/* What is shown of a session by itself. */
#define MODES_SHOWN (MODE_STACK | MODE_TRACE | MODE_BRANCHES)

/*
 * Whether there would be no point in a run without branches: they are what the command is for, and
 * no option asks for something else.
 *
 * @modes	the command's
 */
static bool needs_branches(const struct trace_request *request, unsigned int modes)
{
	if (!(request->modes & MODE_BRANCHES))
		return false;
	if (!modes || modes & MODE_BRANCHES)
		return !(request->modes_asked & ~MODE_BRANCHES) && !request->probes.v.len;
	return !(request->modes & (MODE_STACK | MODE_TRACE));
}

/* What the command line lacks or has too much of, before anything is asked of the machine. */
static int check_request(const struct trace_request *request)
{
	if (!request->entry.v.len && request->entry.given)
		return report(-EINVAL, "no entry functions: the list given with -e is empty");
	if (!request->entry.v.len)
		return report(-EINVAL, "no entry functions given; -e GLOB or -c CASE, for example "
				       "-e '*_sys_bpf'");
	if (request->forward_status && !request->workload)
		return report(-EINVAL, "--forward-status: there is no program to run; it goes "
				       "after '--'");
	if (!(request->modes & MODES_SHOWN) && !request->summary)
		return report(-EINVAL, "nothing is left to show; -T shows traces, -E stacks, --lbr "
				       "branches");
	return predicates_check(request);
}

static int parse(const struct command *command, int argc, char **argv, unsigned int modes,
		 struct trace_request *request, struct command_args *args)
{
	void *targets[NR_TARGETS];
	int err;

	for (size_t i = 0; i < NR_TARGETS; i++)
		targets[i] = request;
	request->modes = modes;
	err = command_parse(command, argc, argv, targets, args);
	if (err)
		return err;
	if (!modes && !(request->modes & (MODE_STACK | MODE_TRACE)))
		request->modes |= MODE_STACK;
	vec_foreach(point, &args->args) {
		err = probe_spec_list_add(&request->probes, *point);
		if (err)
			return err;
	}
	if (command->takes_arguments && !request->probes.given)
		return report(-EINVAL, "no points given; for example tp:sched:sched_process_exec, or "
				       "'retsnoop probe --list'");
	/* What these show is the trace. */
	if (args->format == FORMAT_CHROME || args->format == FORMAT_FOLDED_LATENCY)
		request->modes = (request->modes & ~MODE_STACK) | MODE_TRACE;
	request->workload = args->workload;
	request->symbols.vmlinux = request->vmlinux_path;
	if (request->summary && args->format != FORMAT_TEXT && args->format != FORMAT_JSON)
		return report(-EINVAL, "--summary: counts are shown as text or json; it is for "
				       "sessions that there are other formats");
	trace_request_settle(request);
	request->branches_needed = needs_branches(request, modes);
	return check_request(request);
}

int tracing_run(const struct command *command, int argc, char **argv, unsigned int modes)
{
	_cleanup_(trace_request_release) struct trace_request request;
	_cleanup_(command_args_release) struct command_args args = {};
	_cleanup_(kernel_free_p) struct kernel *kernel = NULL;
	_cleanup_(plan_free_p) struct plan *plan = NULL;
	int err;

	trace_request_init(&request);
	err = parse(command, argc, argv, modes, &request, &args);
	if (err)
		return err > 0 ? EXIT_SHOWN : EXIT_USAGE;
	if (command_check_needs(command))
		return EXIT_CANNOT;
	err = kernel_new(&request.symbols, &kernel);
	err = err ?: plan_resolve(kernel, &request, &plan);
	if (err)
		return err == -ENOENT ? EXIT_NOTHING : EXIT_CANNOT;
	err = plan_args(kernel, &request, plan);
	if (!err && request.probes.v.len)
		err = probes_resolve(kernel, &request.probes, NULL, 0, &plan->probes);
	if (!err && plan->probes)
		err = probes_args(kernel, &request.args, plan->probes);
	if (err)
		return err == -EINVAL ? EXIT_USAGE : EXIT_CANNOT;
	if (predicates_check_plan(&request, plan))
		return EXIT_USAGE;
	if (plan->probes)
		probes_warn(plan);
	predicates_print(&request, plan);
	if (request.dry_run)
		return dry_run(kernel, plan, &request, args.format);
	return show(kernel, plan, &request, args.format);
}
