// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop report`: recordings, shown as live. */
#include "builtin/builtin.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "builtin/report_options.h"
#include "builtin/show.h"
#include "builtin/tracing.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/symbolizer.h"
#include "util/trace/plan.h"
#include "util/trace/recording_read.h"
#include "util/trace/session_filter.h"

static const char report_help[] =
	"Shows what 'retsnoop record' recorded, as the command that traced would have shown it "
	"live: on any machine, as any user. What is shown of each session, and which, can be chosen "
	"again among what was recorded.\n"
	"\n"
	"Source lines and inlined calls come from the debug info of the recorded kernel, if this "
	"machine has it in a usual place; -k names its vmlinux.";

DEFINE_CLEANUP(struct recording *, recording_free)
DEFINE_CLEANUP(struct symbolizer *, symbolizer_free)

/* 0; -errno (reported). */
static int open_input(const char *path, FILE **ret_file)
{
	if (path && !strcmp(path, "-"))
		path = NULL;
	if (!path && isatty(STDIN_FILENO))
		return report(-EINVAL, "a recording does not come from a terminal; give a file with "
				       "-i, or a pipe");
	*ret_file = path ? fopen(path, "re") : fdopen(dup(STDIN_FILENO), "r");
	if (*ret_file)
		return 0;
	return report(-errno, "cannot read %s: %s%s", path ?: "standard input", strerror(errno),
		      path && !strcmp(path, REPORT_DEFAULT_PATH) && errno == ENOENT ?
			      "; 'retsnoop record' makes it, -i names another" : "");
}

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

	request->modes &= meta->modes;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!(lacking & parts[i].mode))
			continue;
		if (!(request->modes & (MODE_STACK | MODE_TRACE | MODE_BRANCHES)))
			return report(-ENODATA, "%s has no %s; record %s", name, parts[i].what,
				      parts[i].how);
		warning("%s has no %s; record %s", name, parts[i].what, parts[i].how);
	}
	if (request->success_asked && request->success != SUCCESS_NO && meta->success == SUCCESS_NO)
		warning("%s has no calls that succeeded; record with -S", name);
	if (!(request->modes & (MODE_STACK | MODE_TRACE | MODE_BRANCHES)) && !request->summary)
		return report(-ENODATA, "nothing is left to show; -T shows traces, -E stacks");
	return 0;
}

/* One line, where not all of the file was to be had. */
static void say_what_is_missing(const char *name, const struct recording_state *state)
{
	struct strbuf line = STRBUF_INIT;

	switch (state->damage) {
	case DAMAGE_UNREADABLE:
		strbuf_addf(&line, "reading fails behind byte %llu",
			    (unsigned long long)state->offset);
		break;
	case DAMAGE_BROKEN:
		strbuf_addf(&line, "it is damaged behind byte %llu, and nothing is shown from there "
			    "on", (unsigned long long)state->offset);
		break;
	case DAMAGE_CUT:
		strbuf_addf(&line, "it ends in the middle of something, behind byte %llu",
			    (unsigned long long)state->offset);
		break;
	default:
		if (!state->ended)
			strbuf_addstr(&line, "it has no end: its run was killed, or goes on");
	}
	if (state->skipped)
		strbuf_addf(&line, "%s%llu damaged part%s left out", line.len ? "; " : "",
			    (unsigned long long)state->skipped, state->skipped == 1 ? " is" : "s are");
	if (line.len)
		warning("%s: %s", name, strbuf_str(&line));
	strbuf_release(&line);
	if (state->dropped)
		say(VERBOSITY_NORMAL, "retsnoop: %llu older session%s had to go while it was "
		    "recorded (--max-size)", (unsigned long long)state->dropped,
		    state->dropped == 1 ? "" : "s");
}

static void fill_ledger(const struct recording *recording, struct recording_state *state,
			uint64_t shown)
{
	const struct plan *plan = recording_plan(recording);
	struct ledger *ledger = &state->ledger;

	ledger->shown = shown;
	/* Killed within its first second. */
	if (!state->has_ledger) {
		ledger->max_depth = recording_meta(recording)->max_depth;
		ledger->asked = ledger->attached = plan->funcs.len;
		ledger->refused = plan->refused.len;
	}
}

static int show_sessions(struct recording *recording, const struct session_filter *filter,
			 struct view *view, uint64_t *ret_shown)
{
	uint64_t max = filter->request->max_sessions, shown = 0;
	struct session *session;
	int err;

	while ((err = recording_next(recording, &session)) > 0) {
		bool passes = session_passes(filter, session);

		err = passes ? view->session(view, session) : 0;
		session_free(session);
		shown += passes;
		if (err || shown == max)
			break;
	}
	*ret_shown = shown;
	return err < 0 ? err : 0;
}

static int show_recording(struct recording *recording, const struct trace_request *request,
			  struct symbolizer *symbolizer, const char *name, enum format format)
{
	const struct session_filter filter = { request, recording_plan(recording) };
	struct recording_state state;
	uint64_t shown = 0;
	struct show show;
	int err;

	show_init(&show, recording_plan(recording), request, symbolizer,
		  recording_symbols(recording));
	show.context.wall_offset_ns = recording_meta(recording)->wall_offset_ns;
	err = show_open(&show, request, format);
	err = err ?: show_sessions(recording, &filter, show.view, &shown);
	recording_state(recording, &state);
	fill_ledger(recording, &state, shown);
	if (!err && show.view->end)
		err = show.view->end(show.view, &state.ledger);
	show_close(&show);
	if (err && err != -EPIPE)
		return EXIT_CANNOT;
	if (!err) {
		ledger_print(&state.ledger);
		say_what_is_missing(name, &state);
	}
	return shown ? EXIT_SHOWN : EXIT_NOTHING;
}

/* The settings that the recording was made with, for options to change. */
static int take_settings(const struct recording_meta *meta, struct trace_request *request)
{
	request->modes = meta->shown_modes & meta->modes;
	request->max_depth = meta->max_depth;
	request->args_mode = meta->args_mode;
	request->args_width = meta->args_width;
	request->stacks_unfiltered = meta->stacks_unfiltered;
	request->stacks_emit_addrs = meta->stacks_emit_addrs;
	request->stacks_dec_offs = meta->stacks_dec_offs;
	request->branches_full = meta->branches_full;
	request->branches_max = meta->branches_max;
	request->symbols.level = meta->symbolize;
	request->success = SUCCESS_YES;
	request->interim = true;
	vec_foreach(rule, &meta->error_rules) {
		struct error_rule copy = { .expr.terms = rule->expr.terms,
					   .expr.text = strdup(rule->expr.text) };

		if (!copy.expr.text || vec_push(&request->error_rules, copy)) {
			free(copy.expr.text);
			return report_oom();
		}
	}
	return 0;
}

static int report_run(const struct command *command, int argc, char **argv)
{
	_cleanup_(trace_request_release) struct trace_request request;
	_cleanup_(command_args_release) struct command_args args = {};
	_cleanup_(recording_free_p) struct recording *recording = NULL;
	_cleanup_(symbolizer_free_p) struct symbolizer *symbolizer = NULL;
	_cleanup_(fclose_p) FILE *file = NULL;
	struct report_options options = { .path = REPORT_DEFAULT_PATH };
	const struct recording_meta *meta;
	int err;

	trace_request_init(&request);
	err = report_options_scan(command, argc, argv, &options);
	if (err)
		return command_exit_status(err);
	err = open_input(options.path, &file);
	err = err ?: recording_open(file, options.path, &recording);
	if (err)
		return EXIT_CANNOT;
	meta = recording_meta(recording);
	err = take_settings(meta, &request);
	err = err ?: report_options_parse(command, argc, argv, &request, &args);
	if (err)
		return command_exit_status(err);
	request.modes = show_modes(request.modes, args.format);
	request.symbols.vmlinux = request.vmlinux_path;
	request.symbols.live = false;
	request.symbols.recorded = &meta->kernel;
	if (check_modes(meta, &request, options.path) ||
	    symbolizer_new(recording_symbols(recording), &request.symbols, &symbolizer))
		return EXIT_CANNOT;
	set_time_zone(meta);
	signal(SIGPIPE, SIG_IGN);
	return show_recording(recording, &request, symbolizer, options.path, args.format);
}

const struct command cmd_report = {
	.name = "report",
	.summary = "show a recording, on any machine",
	.usage = "[-i FILE] [options]",
	.help = report_help,
	.options = report_option_groups,
	.formats = TRACING_FORMATS,
	.run = report_run,
};
