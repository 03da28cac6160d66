// SPDX-License-Identifier: BSD-2-Clause
/* Make a view on standard output from a request. */
#include "builtin/show.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "util/ask/branch_types.h"
#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/terminal.h"
#include "util/explain/decider.h"
#include "util/kernel/debug/source_text.h"
#include "util/kernel/kernel.h"
#include "util/kernel/machine/cgroup_watch.h"
#include "util/view/formats/folded.h"
#include "util/view/formats/pprof.h"
#include "util/view/lists/session_list.h"
#include "util/view/lists/why_view.h"
#include "util/view/parts/times.h"

void show_init(struct show *show, const struct plan *plan, const struct attached *attached,
	       const struct trace_request *request, struct symbolizer *symbolizer,
	       const struct symbols *symbols)
{
	*show = (struct show){
		.live_code.kcore = KCORE_INIT,
		.live = {
			.plan = plan,
			.attached = attached,
			.symbolizer = symbolizer,
			.symbols = symbols,
			.error_rules = request->error_rules.data,
			.clock = &show->clock,
			.cgroups = &show->cgroups,
			.modes = ~0u,
			.branch_types = request->branch_types,
		},
		.modes = request->modes,
		.context = {
			.explain = {
				.settings = request,
			},
			.modes = request->modes,
			.width = terminal_width(STDOUT_FILENO),
			.histograms = request->histograms ?
					      request->histograms == HISTOGRAMS_YES :
					      !request->summary_by,
			.verbose = report_verbosity() >= VERBOSITY_VERBOSE,
			.args = {
				.mode = (enum value_mode)request->args_mode,
				.max_width = request->args_width,
				.symbol = value_symbol,
			},
		},
	};
}

bool show_has_cgroups(const struct trace_request *request, enum format format)
{
	return request->cgroup_patterns.len || format != FORMAT_TEXT ||
	       request->show & (SHOW_CGROUP | SHOW_POD | SHOW_CONTAINER | SHOW_UNIT) ||
	       request->summary_by == SUMMARY_BY_CGROUP;
}

int show_init_live(struct show *show, const struct plan *plan, const struct attached *attached,
		   struct kernel *kernel, const struct trace_request *request, bool hear_cgroups)
{
	static struct utsname name;
	struct symbolizer *symbolizer;
	struct symbols *symbols;
	int err = kernel_symbolizer(kernel, &symbolizer);

	err = err ?: kernel_symbols(kernel, &symbols);
	if (err)
		return err;
	show_init(show, plan, attached, request, symbolizer, symbols);
	show->clock = wall_clock_now();
	show->cgroup_watch = hear_cgroups ? cgroup_watch_new() : NULL;
	cgroup_names_init_live(&show->cgroups, show->cgroup_watch);
	live_code_init(&show->live_code, kernel);
	if (request->modes & MODE_BRANCHES)
		live_code_open(&show->live_code);
	show->live.code = (struct code_source){ live_code_read, &show->live_code };
	uname(&name);
	show->live.release = name.release;
	show->live.origin = (struct view_origin){
		.tool = "retsnoop " RETSNOOP_VERSION,
		.host = name.nodename,
		.release = name.release,
		.machine = name.machine,
		.start_ns = wall_clock_at(&show->clock, now_ns()),
		.kernel = &show->kernel,
	};
	return 0;
}

void show_say_machine(void)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;
	struct timespec now;
	struct utsname name;

	clock_gettime(CLOCK_REALTIME, &now);
	uname(&name);
	day_time_add(&line, now.tv_sec * 1000000000ll);
	say(VERBOSITY_VERBOSE, "%s on %s, Linux %s %s", strbuf_str(&line), name.nodename, name.release,
	    name.machine);
}

static struct view *new_view(const struct view_context *context, bool summary, enum format format)
{
	if (summary)
		return format == FORMAT_JSON ? view_summary_json_new(context) :
		       format == FORMAT_CSV  ? view_summary_csv_new(context) :
					       view_summary_new(context);
	if (context->why)
		return format == FORMAT_JSON ? view_why_json_new(context) : view_why_new(context);
	switch (format) {
	case FORMAT_TEXT:
		return context->list ? view_list_new(context) : view_text_new(context);
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
	case FORMAT_CSV:
		return view_list_csv_new(context);
	case FORMAT_PPROF:
		return view_pprof_new(context);
	}
	return NULL;
}

unsigned int show_modes(unsigned int modes, enum format format)
{
	if (format == FORMAT_CHROME || format == FORMAT_FOLDED_LATENCY)
		return (modes & ~MODE_STACK) | MODE_TRACE;
	return modes;
}

/* Code and source that are missing are no error: the view omits what they would show. */
int show_source_open(const struct show *show, struct show_source *source,
		     const struct trace_request *request)
{
	int err;

	source->value_symbols.symbolizer = source->symbolizer;
	source->explainer.context = &show->context.explain;
	if (!(show->modes & source->modes & MODE_BRANCHES))
		return 0;
	err = decider_new(source->symbolizer, source->plan, &source->code, source->branch_types,
			  &source->decider);
	if (err || (!request->source_dir && !source->release))
		return err;
	err = source_text_open(request->source_dir, request->source_dir ? NULL : source->release,
			       &source->source);
	return err == -ENOENT && !request->source_dir ? 0 : err;
}

void show_turn_to(struct show *show, struct show_source *source)
{
	struct view_context *context = &show->context;

	show->source = source;
	context->explain.plan = source->plan;
	context->explain.attached = source->attached;
	context->explain.symbolizer = source->symbolizer;
	context->explain.symbols = source->symbols;
	context->explain.code = &source->code;
	context->explain.decider = source->decider;
	context->explain.branch_types = source->branch_types ?: DEFAULT_BRANCH_TYPES;
	context->error_rules = source->error_rules;
	context->clock = source->clock;
	context->cgroups = source->cgroups;
	context->origin = &source->origin;
	context->source = source->source;
	context->args.symbol_arg = &source->value_symbols;
	context->modes = show->modes & source->modes;
}

int show_begin(struct show *show, const struct trace_request *request, enum format format)
{
	int err = 0;

	/* A recording has its build ids; read those of the running kernel. */
	if (format == FORMAT_PPROF && show->context.origin->kernel == &show->kernel)
		err = recorded_kernel_read((struct symbols *)show->context.explain.symbols, &show->kernel);
	if (err)
		return err;
	show->context.out = show->output.file;
	show->view = new_view(&show->context, request->summary, format);
	if (!show->view)
		return report_oom();
	return show->view->begin ? show->view->begin(show->view) : 0;
}

int show_open(struct show *show, const struct trace_request *request, enum format format)
{
	int err = run_output_open(&show->output);

	err = err ?: show_source_open(show, &show->live, request);
	if (err)
		return err;
	show_turn_to(show, &show->live);
	return show_begin(show, request, format);
}

int show_session(struct show *show, const struct session *session)
{
	return view_session(show->view, &show->source->explainer, session);
}

void show_end(struct show *show, const struct run_result *result)
{
	if (show->view->end && !result->output_stuck)
		show->view->end(show->view, result->started ? &result->ledger : NULL);
}

void show_source_close(struct show_source *source)
{
	explainer_release(&source->explainer);
	decider_free(source->decider);
	source_text_close(source->source);
	value_symbols_release(&source->value_symbols);
}

void show_close(struct show *show)
{
	if (show->view)
		show->view->free(show->view);
	show_source_close(&show->live);
	live_code_close(&show->live_code);
	run_output_close(&show->output);
	cgroup_names_release(&show->cgroups);
	cgroup_watch_free(show->cgroup_watch);
	wall_clock_release(&show->clock);
	recorded_kernel_release(&show->kernel);
}
