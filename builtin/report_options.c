// SPDX-License-Identifier: BSD-2-Clause
/* The options of `retsnoop report`: its own, and those settings that can be changed afterwards. */
#include "builtin/report_options.h"

#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/trace/ask/settings.h"

#define NOTHING_WRITTEN "report records nothing; give it to 'retsnoop record'"

/* -i, -o */
static int parse_file(const struct setting *setting, void *target, const char *value, bool on)
{
	struct report_options *options = target;

	if (!*value)
		return report(-EINVAL, "-%c: the name of a file is missing", setting->letter);
	if (setting->letter == 'o') {
		options->output = strcmp(value, "-") ? value : NULL;
		return 0;
	}
	options->path = value;
	options->input = true;
	return 0;
}

static const struct setting report_rows[] = {
	{ "input", 'i', .type = SETTING_CUSTOM, .arg = "FILE", .parse = parse_file,
	  .help = "The recording, - for standard input; " REPORT_DEFAULT_PATH " by default" },
	{ "output", 'o', .type = SETTING_CUSTOM, .arg = "FILE", .parse = parse_file,
	  .help = "Write to FILE instead of standard output" },
	{ "diff", .type = SETTING_FLAG, SETTING_FIELD(struct report_options, diff),
	  .help = "Compare two recordings: the paths of errors, and the durations of calls" },
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

static int check_arguments(struct report_options *options, const struct command_args *args)
{
	if (options->diff && options->input)
		return report(-EINVAL, "--diff takes two recordings as arguments, and no -i");
	if (options->diff && args->args.len != 2)
		return report(-EINVAL, "--diff takes two recordings: 'retsnoop report --diff A B'");
	if (options->diff && !strcmp(args->args.data[0], "-") && !strcmp(args->args.data[1], "-"))
		return report(-EINVAL, "--diff: standard input can be one of the two only");
	if (!options->diff && args->args.len)
		return report(-EINVAL, "report: unexpected argument '%s'; a recording goes after -i",
			      args->args.data[0]);
	return 0;
}

static int check_functions(char letter, const struct spec_list *list)
{
	vec_foreach(spec, &list->v) {
		if (spec->kind == SPEC_SOURCE)
			return report(-EINVAL, "-%c: a recording knows functions by name, not by "
				      "source file", letter);
	}
	return 0;
}

/* Options were refused when they were met; -C knows nothing of recordings. */
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
	err = err ?: check_arguments(options, ret_args);
	err = err ?: check_functions('e', &request->entry);
	err = err ?: check_functions('a', &request->allow);
	err = err ?: check_functions('d', &request->deny);
	err = err ?: check_keys(request);
	if (!err && options->diff) {
		options->path = ret_args->args.data[0];
		options->other = ret_args->args.data[1];
	}
	return err;
}
