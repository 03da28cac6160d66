// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop report`: recordings, shown like a live trace. */
#include "builtin/suite/command.h"

#include <errno.h>

#include "builtin/report_diff.h"
#include "builtin/report_options.h"
#include "builtin/report_show.h"
#include "builtin/show.h"
#include "builtin/suite/output_file.h"
#include "builtin/tracing.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"

static const char report_help[] =
	"Shows recordings of 'retsnoop record' as the tracing command would have shown them live: "
	"on any machine, as any user who may read them. Options select sessions, and the recorded "
	"parts of them to show. Several recordings are shown as one, in order of time, with the "
	"host of each session.\n"
	"\n"
	"Source lines and inlined calls come from the debug info of the recorded kernel, if this "
	"machine has it in a usual place; -k names its vmlinux.";

static const char report_examples[] =
	"# The longest calls, and one of them in full\n"
	"retsnoop report bpf.data --list --sort=duration\n"
	"retsnoop report bpf.data --session=3 -T -E\n"
	"# What is new since before\n"
	"retsnoop report --diff before.data after.data\n"
	"# Which hosts had which errors\n"
	"retsnoop report --by=host web-1.data web-2.data";

/* Modes that show parts of a session. */
#define MODE_PARTS (MODE_STACK | MODE_TRACE | MODE_BRANCHES)

/* Drop the modes that were not recorded. 0; -ENODATA no mode is left (reported). */
static int check_modes(const struct report_set *set, struct trace_request *request)
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
	unsigned int lacking = (request->modes_asked | request->modes) & ~set->modes;
	const char *name = report_set_name(set);

	if (request->summary) {
		if (!set->successes && trace_request_shows_successes(request))
			say(VERBOSITY_NORMAL, "retsnoop: %s has no calls that succeeded (-S): only "
			    "those that failed are counted", name);
		return 0;
	}
	request->modes &= set->modes;
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

/* Show all recorded sessions, failed or not, unless options select some. */
static void settle_successes(const struct report_set *set, struct trace_request *request)
{
	if (request->success == SUCCESS_YES && !set->successes && !request->summary)
		warning("%s has no calls that succeeded; record with -S", report_set_name(set));
	if (request->success == SUCCESS_AUTO)
		request->success = SUCCESS_YES;
}

/* Compare two sets of recordings. The settings are those of the first recording. */
static int show_diff(struct report_set *a, const struct trace_request *request,
		     const struct report_options *options, enum format format, bool color)
{
	struct report_set b = {};
	int status = EXIT_CANNOT;

	if (format != FORMAT_TEXT && format != FORMAT_JSON)
		return report(EXIT_USAGE, "--diff: what differs is shown as text or json");
	if (request->modes_asked || request->vmlinux_path || request->source_dir)
		return report(EXIT_USAGE, "--diff compares by name and shows no sessions: -T, -E, -A, "
			      "--lbr, --source and -k are of one recording");
	if (!report_set_open(options->others.data, options->others.len, &b))
		status = report_diff(a, &b, request, &options->choice, format, color);
	report_set_close(&b);
	return status;
}

static int report_run(const struct command *command, int argc, char **argv)
{
	_cleanup_(trace_request_release) struct trace_request request;
	_cleanup_(command_args_release) struct command_args args = {};
	_cleanup_(report_options_release) struct report_options options = {};
	_cleanup_(report_set_close) struct report_set set = {};
	int err;

	trace_request_init(&request);
	request.interim = true;
	err = report_options_parse(command, argc, argv, &request, &options, &args);
	if (err)
		return command_exit_status(err);
	if (report_set_open(options.paths.data, options.paths.len, &set))
		return EXIT_CANNOT;
	err = report_take_settings(&set, &request);
	if (err)
		return command_exit_status(err);
	if (request.summary && options.diff)
		return report(EXIT_USAGE, "--diff counts and compares; --summary cannot be combined with "
			      "it");
	settle_successes(&set, &request);
	report_set_time_zone(&set);
	if (output_file_open(&args, NULL))
		return EXIT_CANNOT;
	if (options.diff)
		return show_diff(&set, &request, &options, args.format, args.color);
	/* Show the modes asked for; without any, those of the recording's command line. */
	if ((request.modes_asked & MODE_PARTS) == MODE_BRANCHES)
		request.modes_asked |= MODE_STACK & set.modes;
	if (request.modes_asked & MODE_PARTS)
		request.modes = (request.modes & ~MODE_PARTS) | (request.modes_asked & MODE_PARTS);
	request.modes = show_modes(request.modes, args.format);
	err = options.choice.list ? 0 : check_modes(&set, &request);
	if (err)
		return command_exit_status(err);
	if (options.choice.list)
		request.modes = 0;
	return report_show(&set, &request, &options.choice, args.format, args.color);
}

const struct command cmd_report = {
	.name = "report",
	.summary = "show recordings, on any machine",
	.usage = "[options] [FILE]...\n--diff [options] FILE FILE\n--diff [options] FILE... -- FILE...",
	.help = report_help,
	.examples = report_examples,
	.options = report_option_groups,
	.formats = TRACING_FORMATS,
	.offline = true,
	.run = report_run,
};
