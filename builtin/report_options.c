// SPDX-License-Identifier: BSD-2-Clause
/*
 * The options of `retsnoop report`: its own, and the settings that can be changed after recording.
 */
#include "builtin/report_options.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/units.h"

#define DEFAULT_TAIL 10
#define NOTHING_WRITTEN "report records nothing; give it to 'retsnoop record'"

/* -i */
static int parse_input(const struct setting *setting, void *target, const char *value, bool on)
{
	struct report_options *options = target;

	if (!*value)
		return report(-EINVAL, "-i: the name of a file is missing");
	return vec_push(&options->paths, (char *)value) ? report_oom() : 0;
}

/* --since, --until */
static int parse_moment(const struct setting *setting, void *target, const char *value, bool on)
{
	struct moment *moment = (struct moment *)((char *)target + setting->offset);

	if (!moment_parse(value, moment))
		return 0;
	return report(-EINVAL, "--%s: '%s' is not a time; try 12:30, 12:30:05, '2026-01-02 12:30' or "
		      "+10s (after the beginning)", setting->name, value);
}

static const struct setting_choice order_choices[] = {
	{ "time", NULL, ORDER_END }, { "duration", NULL, ORDER_DURATION }, {},
};

#define FIELD(member) SETTING_FIELD(struct report_options, member)

static const struct setting report_rows[] = {
	{ "input", 'i', .type = SETTING_CUSTOM, .arg = "FILE", .parse = parse_input,
	  .help = "A recording, - for standard input; " REPORT_DEFAULT_PATH " by default. May be given several "
		  "times" },
	{ "list", .type = SETTING_FLAG, FIELD(choice.list),
	  .help = "List the sessions, one per line: number, time, error, the function it came from, "
		  "process and duration" },
	{ "session", .type = SETTING_NUMBER, FIELD(choice.session), .arg = "N", .min = 1,
	  .max = UINT64_MAX, .values = "the number of a session; --list shows them",
	  .help = "Show only session N, as numbered by --list" },
	{ "tail", .type = SETTING_NUMBER, .flags = SETTING_OPTIONAL, FIELD(choice.tail), .arg = "N",
	  .min = 1, .max = UINT32_MAX, .value = DEFAULT_TAIL, .values = "a number of sessions",
	  .help = "Show only the last N sessions; 10 without a number" },
	{ "sort", .type = SETTING_CHOICE, FIELD(choice.order), .arg = "ORDER",
	  .choices = order_choices, .values = "time or duration",
	  .help = "Show sessions in the order in which they ended (time, the default), or the "
		  "longest first (duration)" },
	{ "since", .type = SETTING_CUSTOM, FIELD(choice.since), .arg = "TIME",
	  .parse = parse_moment,
	  .help = "Show only sessions that began at TIME or later: 12:30, 12:30:05.25, "
		  "'2026-01-02 12:30', or +10s after the beginning of the recording" },
	{ "until", .type = SETTING_CUSTOM, FIELD(choice.until), .arg = "TIME",
	  .parse = parse_moment, .help = "Show only sessions that began at TIME or earlier" },
	{ "diff", .type = SETTING_FLAG, SETTING_FIELD(struct report_options, diff),
	  .help = "Compare two recordings, or sets of recordings with '--' between them: the paths of errors, "
		  "and the durations of calls" },
	/* Options of `record`. */
	{ "live", .type = SETTING_CUSTOM, .refused = "report runs nothing; give it to 'retsnoop record'" },
	{ "max-size", .type = SETTING_CUSTOM, .arg = "SIZE", .refused = NOTHING_WRITTEN },
	{ "full-btf", .type = SETTING_CUSTOM, .refused = NOTHING_WRITTEN },
	{}
};

static const struct option_group report_group = { "Recording", report_rows };

const struct option_group *const report_option_groups[] = {
	&report_group, &function_options, &mode_options,   &branch_options,
	&args_options, &filter_options,   &error_options,  &run_options,
	&attach_options, &symbol_options, &general_options, NULL,
};

#define NR_GROUPS (ARRAY_SIZE(report_option_groups) - 1)

/* --tail's number is optional, so "--tail 5" is --tail and a file. */
static int check_tail(const struct report_options *options, const struct command_args *args)
{
	uint64_t number;

	vec_foreach(arg, &args->args) {
		if (options->choice.tail && !parse_number(*arg, 0, UINT64_MAX, &number) &&
		    access(*arg, F_OK))
			return report(-EINVAL, "--tail: the number of sessions goes after '=': "
				      "--tail=%s", *arg);
	}
	return 0;
}

static int add_paths(struct report_options *options, char **names, size_t nr, bool others)
{
	for (size_t i = 0; i < nr; i++) {
		if (!*names[i])
			return report(-EINVAL, "report: the name of a file is missing");
		if (others ? vec_push(&options->others, names[i]) :
			     vec_push(&options->paths, names[i]))
			return report_oom();
	}
	return 0;
}

/* Two recordings, or two sets separated by "--". */
static int take_sides(struct report_options *options, const struct command_args *args)
{
	size_t nr = args->args.len;
	size_t first = args->nr_before && args->nr_before < nr ? args->nr_before : 1;
	int err;

	if (options->paths.len)
		return report(-EINVAL, "--diff takes two recordings as arguments, and no -i");
	if (nr < 2 || (nr != 2 && first != args->nr_before))
		return report(-EINVAL, "--diff takes two recordings: 'retsnoop report --diff A B', or two "
			      "sets: '--diff A1 A2 -- B1 B2'");
	err = add_paths(options, args->args.data, first, false);
	return err ?: add_paths(options, args->args.data + first, nr - first, true);
}

static int check_standard_input(const struct report_options *options)
{
	size_t nr = 0;

	vec_foreach(path, &options->paths)
		nr += !strcmp(*path, "-");
	vec_foreach(path, &options->others)
		nr += !strcmp(*path, "-");
	if (nr < 2)
		return 0;
	if (options->diff)
		return report(-EINVAL, "--diff: standard input can be one of the two only");
	return report(-EINVAL, "report: standard input can be one of the recordings only");
}

static int take_arguments(struct report_options *options, const struct command_args *args)
{
	int err = check_tail(options, args);

	if (!err && options->diff)
		err = take_sides(options, args);
	else if (!err)
		err = add_paths(options, args->args.data, args->args.len, false);
	if (!err && !options->paths.len && vec_push(&options->paths, (char *)REPORT_DEFAULT_PATH))
		err = report_oom();
	return err ?: check_standard_input(options);
}

/* Check --list and the options that select sessions against other options. */
static int check_choice(const struct report_options *options, const struct trace_request *request,
			enum format format)
{
	const struct report_choice *choice = &options->choice;
	bool ordered = choice->order != ORDER_END;

	if (choice->list && request->summary)
		return report(-EINVAL, "--list cannot be combined with --summary");
	if ((choice->list || request->summary) && !(format & FORMAT_LISTS))
		return report(-EINVAL, "--%s supports only text, json and csv",
			      choice->list ? "list" : "summary");
	if (format == FORMAT_CSV && !choice->list && !request->summary)
		return report(-EINVAL, "--format=csv needs --list or --summary");
	if (request->histograms && !request->summary)
		return report(-EINVAL, "--histogram and --no-histogram need --summary");
	if (choice->list && request->modes_asked)
		return report(-EINVAL, "--list shows one line per session and cannot be combined with "
			      "-T, -E, -A and --lbr; --session=N shows all of one");
	if (request->summary && request->modes_asked)
		return report(-EINVAL, "--summary shows no single sessions: it cannot be combined with "
			      "-T, -E, -A and --lbr");
	if (ordered && request->summary)
		return report(-EINVAL, "--sort orders sessions, and --summary shows none");
	if (options->diff && (choice->list || choice->session || choice->tail || ordered ||
			      request->max_sessions))
		return report(-EINVAL, "--diff compares all sessions and cannot be combined with "
			      "--list, --session, --tail, --max-sessions and --sort");
	return 0;
}

static int check_functions(char letter, const struct spec_list *list)
{
	if (vec_find(spec, &list->v, spec->kind == SPEC_SOURCE))
		return report(-EINVAL,
			      "-%c: a recording knows functions by name, not by "
			      "source file",
			      letter);
	return 0;
}

/* Options were refused while parsing; -C does not know which settings recordings have. */
static int check_keys(const struct trace_request *request)
{
	for_each_setting(setting, settings) {
		_cleanup_(strbuf_release) struct strbuf value = STRBUF_INIT;

		if (!setting->refused || !settings_given(request, setting))
			continue;
		setting_print(setting, request, &value);
		return report(-EINVAL, "-C %s=%s: %s", setting->key, strbuf_str(&value),
			      setting->refused);
	}
	return 0;
}

int report_options_parse(const struct command *command, int argc, char **argv,
			 struct trace_request *request, struct report_options *options,
			 struct command_args *ret_args)
{
	void *targets[NR_GROUPS] = { options };
	int err;

	for (size_t i = 1; i < NR_GROUPS; i++)
		targets[i] = request;
	err = command_parse(command, argc, argv, targets, ret_args);
	err = err ?: take_arguments(options, ret_args);
	err = err ?: check_choice(options, request, ret_args->format);
	err = err ?: check_functions('e', &request->entry);
	err = err ?: check_functions('a', &request->allow);
	err = err ?: check_functions('d', &request->deny);
	err = err ?: check_keys(request);
	return err;
}

void report_options_release(struct report_options *options)
{
	vec_release(&options->paths);
	vec_release(&options->others);
}

int report_take_settings(const struct report_set *set, struct trace_request *request)
{
	int err = settings_load(request);

	settings_copy_recorded(request, &report_set_first(set)->settings);
	request->modes |= set->shown_modes & set->modes & ~request->modes_off;
	return err;
}
