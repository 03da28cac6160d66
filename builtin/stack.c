// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop stack`: the call stack behind each failing call. */
#include "builtin/builtin.h"

#include <errno.h>
#include <stdio.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/trace/plan.h"
#include "util/trace/request.h"
#include "util/trace/run.h"
#include "util/view/funcs.h"
#include "util/view/output.h"
#include "util/view/view.h"

static const char stack_help[] =
	"Traces the kernel functions that the globs select and, for each call of an entry function "
	"(-e) that fails, prints the kernel call stack down to the function where the failure "
	"began, with results and durations of the traced calls.\n"
	"\n"
	"Calls of allowed functions (-a) inside an entry call are traced with it; denied ones (-d) "
	"never are. With a workload after --, only it and its children are traced, until it ends.";

static const struct option_group *const stack_options[] = {
	&function_options, &filter_options, &run_options, &attach_options,
	&symbol_options, &general_options, NULL,
};

DEFINE_CLEANUP(struct kernel *, kernel_free)
DEFINE_CLEANUP(struct plan *, plan_free)

static int on_session(void *arg, const struct session *session)
{
	struct view *view = arg;

	return view->session(view, session);
}

static void on_ready(void *arg)
{
	say(VERBOSITY_NORMAL, "Receiving data...");
}

static int trace(struct kernel *kernel, struct plan *plan, const struct trace_request *request,
		 enum format format)
{
	struct view_context context = {
		.out = stdout,
		.plan = plan,
		.error_rules = request->error_rules.data,
		.modes = request->modes ?: MODE_STACK,
		.width = output_width(stdout),
		.max_depth = request->max_depth,
		.wall_offset_ns = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC),
		.verbose = report_verbosity() >= VERBOSITY_VERBOSE,
		.unfiltered = request->stacks_unfiltered,
		.emit_addrs = request->stacks_emit_addrs,
		.dec_offs = request->stacks_dec_offs,
	};
	struct run_result result = {};
	struct run_handler handler = { .session = on_session, .ready = on_ready };
	struct view *view;
	int err;

	err = kernel_symbolizer(kernel, &context.symbolizer);
	if (err)
		return EXIT_CANNOT;
	view = format == FORMAT_JSON ? view_json_new(&context) : view_text_new(&context);
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
	view.kernel = kernel;
	err = run_dry(kernel, plan, request);
	vec_foreach(func, &plan->funcs)
		err = err ?: view.func(&view, func);
	return err ? EXIT_CANNOT : EXIT_SHOWN;
}

static int stack_run(const struct command *command, int argc, char **argv)
{
	_cleanup_(trace_request_release) struct trace_request request;
	void *const targets[] = { &request, &request, &request, &request, &request, &request };
	_cleanup_(command_args_release) struct command_args args = {};
	_cleanup_(kernel_free_p) struct kernel *kernel = NULL;
	_cleanup_(plan_free_p) struct plan *plan = NULL;
	int err;

	trace_request_init(&request);
	err = command_parse(command, argc, argv, targets, &args);
	if (err)
		return err > 0 ? EXIT_SHOWN : EXIT_USAGE;
	if (!request.entry.v.len && request.entry.given)
		return report(EXIT_USAGE, "no entry functions: the list given with -e is empty");
	if (!request.entry.v.len)
		return report(EXIT_USAGE, "no entry functions given; -e GLOB or -c CASE, for example "
					  "-e '*_sys_bpf'");
	if (request.forward_status && !args.workload)
		return report(EXIT_USAGE, "--forward-status: there is no program to run; it goes "
					  "after '--'");
	if (command_check_needs(command))
		return EXIT_CANNOT;
	request.modes = MODE_STACK;
	request.workload = args.workload;
	request.symbols.vmlinux = request.vmlinux_path;
	err = kernel_new(&request.symbols, &kernel);
	err = err ?: plan_resolve(kernel, &request, &plan);
	if (err)
		return err == -ENOENT ? EXIT_NOTHING : EXIT_CANNOT;
	if (request.dry_run)
		return dry_run(kernel, plan, &request, args.format);
	return trace(kernel, plan, &request, args.format);
}

const struct command cmd_stack = {
	.name = "stack",
	.summary = "show the call stack behind each failing call",
	.usage = "-e GLOB [-a GLOB] [-d GLOB] [options] [-- COMMAND [ARG...]]",
	.help = stack_help,
	.options = stack_options,
	.formats = FORMAT_TEXT | FORMAT_JSON,
	.needs = NEED_TRACING,
	.run = stack_run,
};
