// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop report`: recordings, shown as live. */
#include "builtin/builtin.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "builtin/report_diff.h"
#include "builtin/report_open.h"
#include "builtin/report_options.h"
#include "builtin/show.h"
#include "builtin/suite/output_file.h"
#include "builtin/suite/pager.h"
#include "builtin/tracing.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/trace/ask/settings.h"
#include "util/trace/plan/plan.h"
#include "util/trace/session/session_counts.h"
#include "util/view/parts/times.h"

static const char report_help[] =
	"Shows what 'retsnoop record' recorded, as the command that traced would have shown it "
	"live: on any machine, as any user. What is shown of each session, and which, can be chosen "
	"again among what was recorded.\n"
	"\n"
	"Source lines and inlined calls come from the debug info of the recorded kernel, if this "
	"machine has it in a usual place; -k names its vmlinux.";

static const char report_examples[] =
	"# The longest calls, and one of them in full\n"
	"retsnoop report bpf.data --list --sort=duration\n"
	"retsnoop report bpf.data --session=3 -T -E\n"
	"# One page for a browser, with all sessions\n"
	"retsnoop report bpf.data --format=html -o bpf.html\n"
	"# What is new since before\n"
	"retsnoop report --diff before.data after.data";

DEFINE_CLEANUP(struct symbolizer *, symbolizer_free)

/* Times are shown as they were there. */
static void set_time_zone(const struct recording_meta *meta)
{
	unsigned int minutes = abs(meta->utc_offset_s) / 60;
	bool east = meta->utc_offset_s >= 0;
	char zone[64];

	if (minutes >= 24 * 60)
		return;
	/* POSIX counts westwards. */
	snprintf(zone, sizeof(zone), "<%c%02u%02u>%c%02u:%02u", east ? '+' : '-', minutes / 60,
		 minutes % 60, east ? '-' : '+', minutes / 60, minutes % 60);
	setenv("TZ", zone, 1);
	tzset();
}

/* When, where and by what it was recorded. */
static void say_origin(const struct report_input *input, const struct recording_meta *meta)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "retsnoop: %s: recorded ", input->name);
	day_time_add(&line, wall_clock_at(&meta->clock, meta->start_ns));
	if (meta->host)
		strbuf_addf(&line, " on %s", meta->host);
	strbuf_addf(&line, ", Linux %s %s", meta->kernel.release ?: "?", meta->kernel.machine ?: "?");
	say(VERBOSITY_NORMAL, "%s", strbuf_str(&line));
	say(VERBOSITY_VERBOSE, "  by %s: %s", meta->tool ?: "?", meta->command_line ?: "");
}

/* What sessions are shown as. */
#define MODE_PARTS (MODE_STACK | MODE_TRACE | MODE_BRANCHES)

/* What cannot be shown because it was not recorded. 0; -ENODATA nothing is left (reported). */
static int check_modes(const struct recording_meta *meta, struct trace_request *request,
		       const char *name)
{
	static const struct {
		unsigned int mode;
		const char *what, *how;
	} parts[] = {
		{ MODE_TRACE, "traces", "without --no-trace" },
		{ MODE_STACK, "stacks", "without --no-call-stack" },
		{ MODE_BRANCHES, "branches", "with --lbr" },
		{ MODE_ARGS, "arguments", "with -A" },
	};
	unsigned int lacking = (request->modes_asked | request->modes) & ~meta->modes;

	if (request->summary) {
		if (!meta->successes && trace_request_shows_successes(request))
			say(VERBOSITY_NORMAL, "retsnoop: %s has no calls that succeeded (-S): only "
			    "those that failed are counted", name);
		return 0;
	}
	request->modes &= meta->modes;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!(lacking & parts[i].mode))
			continue;
		if (!(request->modes & MODE_PARTS))
			return report(-ENODATA, "%s has no %s; record %s", name, parts[i].what,
				      parts[i].how);
		warning("%s has no %s; record %s", name, parts[i].what, parts[i].how);
	}
	if (!(request->modes & MODE_PARTS))
		return report(-EINVAL, "nothing is left to show; -T shows traces, -E stacks");
	return 0;
}

/* What was recorded is shown, failed or not, unless options say otherwise. */
static void settle_successes(const struct recording_meta *meta, struct trace_request *request,
			     const char *name)
{
	if (request->success == SUCCESS_YES && !meta->successes && !request->summary)
		warning("%s has no calls that succeeded; record with -S", name);
	if (request->success == SUCCESS_AUTO)
		request->success = SUCCESS_YES;
}

/* What the run missed, and what this has shown of it; @stopped: no more was asked for. */
static void fill_ledger(const struct recording *recording, struct recording_state *state,
			uint64_t shown, bool stopped)
{
	const struct plan *plan = recording_plan(recording);
	struct ledger *ledger = &state->ledger;

	ledger->shown = shown;
	ledger->of = stopped ? 0 : state->sessions;
	ledger->dropped = state->dropped;
	ledger->parts_unread = state->skipped + state->unknown + (state->damage != 0);
	/* What the kernel skipped is counted when a run ends. */
	if (!state->ended && !stopped)
		ledger->kernel_counts = false;
	/* Killed within its first second. */
	if (!state->has_ledger) {
		ledger->max_depth = recording_meta(recording)->settings.max_depth;
		ledger->asked = ledger->attached = plan->funcs.len;
		ledger->refused = plan->refused.len;
	}
}

/* What shows sessions, or counts them. */
struct shower {
	struct show show;
	struct summary summary;
	const struct plan *plan;
	const struct error_rule *rules;
	uint64_t lost;
	bool gathers;
};

/* Formats that are of all sessions together, and those that have something before the first. */
static bool gathers(enum format format)
{
	return format == FORMAT_FOLDED || format == FORMAT_FOLDED_ERRNO ||
	       format == FORMAT_FOLDED_LATENCY || format == FORMAT_PPROF;
}

static bool has_beginning(enum format format)
{
	return format == FORMAT_CHROME || format == FORMAT_HTML;
}

/* The first one: until then it is seen how far reading has got. */
static int on_session(void *arg, const struct session *session)
{
	struct shower *shower = arg;

	if (!shower->gathers)
		pager_start();
	return show_session(&shower->show, session);
}

static int count_session(void *arg, const struct session *session)
{
	struct shower *shower = arg;
	bool lost;

	if (summary_add_session(&shower->summary, shower->plan, shower->rules, session, &lost))
		return report_oom();
	shower->lost += lost;
	if (session->end_ns > shower->summary.end_ns)
		shower->summary.end_ns = session->end_ns;
	return 0;
}

static int show_summary(struct shower *shower)
{
	struct view *view = shower->show.view;

	summary_sort(&shower->summary);
	pager_start();
	return shower->summary.calls ? view->summary(view, &shower->summary) : 0;
}

static int show_recording(struct report_input *input, const struct trace_request *request,
			  const struct report_choice *choice, struct symbolizer *symbolizer,
			  enum format format, bool color)
{
	const struct recording_meta *meta = recording_meta(input->recording);
	struct shower shower = {
		.summary = { .start_ns = meta->start_ns, .end_ns = meta->start_ns,
			     .by = request->summary_by },
		.plan = recording_plan(input->recording),
		.rules = meta->error_rules.data,
		.gathers = gathers(format),
	};
	struct recording_state state;
	uint64_t shown = 0;
	int err;

	show_init(&shower.show, shower.plan, request, symbolizer,
		  recording_symbols(input->recording));
	shower.show.context.error_rules = shower.rules;
	shower.show.context.clock = &meta->clock;
	shower.show.context.cgroups = recording_cgroups(input->recording);
	shower.show.context.color = color;
	shower.show.code = recording_code(input->recording);
	shower.show.release = meta->kernel.release;
	shower.show.origin = (struct view_origin){
		.tool = meta->tool,
		.command_line = meta->command_line,
		.host = meta->host,
		.release = meta->kernel.release,
		.machine = meta->kernel.machine,
		.start_ns = wall_clock_at(&meta->clock, meta->start_ns),
		.kernel = &meta->kernel,
	};
	shower.show.context.list = choice->list;
	input->gathers = request->summary || shower.gathers;
	if (has_beginning(format))
		pager_start();
	err = show_open(&shower.show, request, format);
	if (!err)
		say_origin(input, meta);
	err = err ?: report_input_read(input, request, choice,
				       request->summary ? count_session : on_session, &shower,
				       &shown);
	if (!err && request->summary)
		err = show_summary(&shower);
	recording_state(input->recording, &state);
	fill_ledger(input->recording, &state, shown, input->stopped);
	state.ledger.summary = request->summary;
	state.ledger.stats.summary_lost = shower.lost;
	if (!err && shower.gathers && shown)
		pager_start();
	if (!err && shower.show.view->end)
		err = shower.show.view->end(shower.show.view, &state.ledger);
	show_close(&shower.show);
	summary_release(&shower.summary);
	if (err && err != -EPIPE)
		return EXIT_CANNOT;
	if (!err) {
		ledger_print(&state.ledger);
		report_input_say_missing(input);
		report_input_warn(input, &state);
	}
	return shown ? EXIT_SHOWN : EXIT_NOTHING;
}

/*
 * What was not given: how sessions are shown, as the recording was made; where debug info comes
 * from, as this machine's configuration has it.
 */
static int take_settings(const struct recording_meta *meta, struct trace_request *request)
{
	int err = settings_load(request);

	settings_copy_recorded(request, &meta->settings);
	request->modes |= meta->shown_modes & meta->modes & ~request->modes_off;
	return err;
}

/* Two of them. The settings are those of the first. */
static int diff(struct report_input *a, const struct trace_request *request,
		const struct report_options *options, enum format format, bool color)
{
	struct report_input b = { .gathers = true };
	int status = EXIT_CANNOT;

	a->gathers = true;
	if (format != FORMAT_TEXT && format != FORMAT_JSON)
		return report(EXIT_USAGE, "--diff: what differs is shown as text or json");
	if (request->modes_asked || request->vmlinux_path || request->source_dir)
		return report(EXIT_USAGE, "--diff compares by name and shows no sessions: -T, -E, -A, "
			      "--lbr, --source and -k are of one recording");
	if (!report_input_open(options->other, &b))
		status = report_diff(a, &b, request, &options->choice, format, color);
	report_input_close(&b);
	return status;
}

static int report_run(const struct command *command, int argc, char **argv)
{
	_cleanup_(trace_request_release) struct trace_request request;
	_cleanup_(command_args_release) struct command_args args = {};
	_cleanup_(report_input_close) struct report_input input = {};
	_cleanup_(symbolizer_free_p) struct symbolizer *symbolizer = NULL;
	struct report_options options = { .path = REPORT_DEFAULT_PATH };
	const struct recording_meta *meta;
	struct progress progress;
	int err;

	trace_request_init(&request);
	request.interim = true;
	err = report_options_parse(command, argc, argv, &request, &options, &args);
	if (err)
		return command_exit_status(err);
	if (report_input_open(options.path, &input))
		return EXIT_CANNOT;
	meta = recording_meta(input.recording);
	err = take_settings(meta, &request);
	if (err)
		return command_exit_status(err);
	if (request.summary && options.other)
		return report(EXIT_USAGE, "--diff counts and compares; --summary is of one recording");
	settle_successes(meta, &request, input.name);
	set_time_zone(meta);
	signal(SIGPIPE, SIG_IGN);
	if (output_file_open(&args, NULL))
		return EXIT_CANNOT;
	if (options.other)
		return diff(&input, &request, &options, args.format, args.color);
	/* What is asked for is shown; else what the command line of the recording asked for. */
	if ((request.modes_asked & MODE_PARTS) == MODE_BRANCHES)
		request.modes_asked |= MODE_STACK & meta->modes;
	if (request.modes_asked & MODE_PARTS)
		request.modes = (request.modes & ~MODE_PARTS) | (request.modes_asked & MODE_PARTS);
	request.modes = show_modes(request.modes, args.format);
	request.symbols.vmlinux = request.vmlinux_path;
	request.symbols.live = false;
	request.symbols.recorded = &meta->kernel;
	err = options.choice.list ? 0 : check_modes(meta, &request, input.name);
	if (err)
		return command_exit_status(err);
	if (options.choice.list)
		request.modes = 0;
	progress = progress_start("Reading debug info");
	err = symbolizer_new(recording_symbols(input.recording), &request.symbols, &symbolizer);
	progress_end(&progress);
	if (err)
		return EXIT_CANNOT;
	return show_recording(&input, &request, &options.choice, symbolizer, args.format,
			      args.color);
}

const struct command cmd_report = {
	.name = "report",
	.summary = "show a recording, on any machine",
	.usage = "[options] [FILE]\n--diff [options] FILE FILE",
	.help = report_help,
	.examples = report_examples,
	.options = report_option_groups,
	.formats = TRACING_FORMATS,
	.offline = true,
	.run = report_run,
};
