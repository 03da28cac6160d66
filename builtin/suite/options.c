// SPDX-License-Identifier: BSD-2-Clause
/* Groups of options: those of all settings, and those that every command has. */
#include "builtin/suite/options.h"

#include <errno.h>
#include <string.h>

#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"

const struct option_group function_options = { "Functions", settings, SETTINGS_FUNCTIONS };
const struct option_group mode_options = { "What is shown", settings, SETTINGS_MODES };
const struct option_group filter_options = { "Which calls are shown", settings, SETTINGS_FILTERS };
const struct option_group error_options = { "What is an error", settings, SETTINGS_ERRORS };
const struct option_group run_options = { "The run", settings, SETTINGS_RUN };
const struct option_group attach_options = { "Attaching", settings, SETTINGS_ATTACH };
const struct option_group symbol_options = { "Symbols", settings, SETTINGS_SYMBOLS };
const struct option_group args_options = { "Arguments", settings, SETTINGS_ARGS };
const struct option_group branch_options = { "Branches", settings, SETTINGS_BRANCHES };
const struct option_group general_options = { "General", settings, SETTINGS_GENERAL };

const char *format_name(enum format format)
{
	switch (format) {
	case FORMAT_TEXT:
		return "text";
	case FORMAT_JSON:
		return "json";
	case FORMAT_FOLDED:
		return "folded";
	case FORMAT_FOLDED_ERRNO:
		return "folded-errno";
	case FORMAT_FOLDED_LATENCY:
		return "folded-latency";
	case FORMAT_CHROME:
		return "chrome";
	case FORMAT_HTML:
		return "html";
	case FORMAT_CSV:
		return "csv";
	case FORMAT_PPROF:
		return "pprof";
	}
	return "";
}

static int parse_format(const struct setting *setting, void *target, const char *name, bool on)
{
	_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;
	struct common_options *common = target;
	unsigned int all = common->command->formats;

	for (unsigned int format = 1; format <= all; format <<= 1) {
		if (!(format & all))
			continue;
		if (!strcmp(name, format_name(format))) {
			common->format = format;
			return 0;
		}
		strbuf_addf(&known, "%s%s",
			    !known.len	     ? "" :
			    format > all / 2 ? " and " :
					       ", ",
			    format_name(format));
	}
	return report(-EINVAL, "--format: '%s' is not one of %s", name, strbuf_str(&known));
}

static int parse_json(const struct setting *setting, void *target, const char *value, bool on)
{
	return parse_format(setting, target, "json", on);
}

static int parse_output(const struct setting *setting, void *target, const char *value, bool on)
{
	struct common_options *common = target;

	if (!*value)
		return report(-EINVAL, "-o: the name of a file is missing");
	common->output = strcmp(value, "-") ? value : NULL;
	return 0;
}

static const struct setting_choice color_choices[] = {
	{ "auto", NULL, COLOR_AUTO }, { "always", NULL, COLOR_ALWAYS },
	{ "never", NULL, COLOR_NEVER }, {},
};

static const struct setting color_setting = {
	"color", .type = SETTING_CHOICE, SETTING_FIELD(struct common_options, color),
	.choices = color_choices, .value = COLOR_ALWAYS, .off = COLOR_NEVER,
	.values = "one of auto, always and never",
};

/* Takes effect at once: the message about the next option uses it. */
static int parse_color(const struct setting *setting, void *target, const char *value, bool on)
{
	struct common_options *common = target;
	int err = setting_parse(&color_setting, common, value, on);

	if (!err)
		report_set_color(common->color);
	return err;
}

static int parse_ascii(const struct setting *setting, void *target, const char *value, bool on)
{
	terminal_set_ascii(on);
	return 0;
}

static int parse_verbose(const struct setting *setting, void *target, const char *value, bool on)
{
	struct common_options *common = target;

	if (common->verbosity < VERBOSITY_TRACE)
		common->verbosity = common->verbosity < 0 ? 1 : common->verbosity + 1;
	report_set_verbosity(common->verbosity);
	return 0;
}

static int parse_quiet(const struct setting *setting, void *target, const char *value, bool on)
{
	struct common_options *common = target;

	common->verbosity = VERBOSITY_QUIET;
	report_set_verbosity(common->verbosity);
	return 0;
}

/* Handled before all other options; see command_parse(). */
static int parse_no_pager(const struct setting *setting, void *target, const char *value, bool on)
{
	return 0;
}

/* Ends parsing. */
static int parse_print(const struct setting *setting, void *target, const char *value, bool on)
{
	struct common_options *common = target;

	common->print = setting->value;
	return 1;
}

static const struct setting format_rows[] = {
	{ "format", .type = SETTING_CUSTOM, .arg = "FORMAT", .parse = parse_format,
	  .help = "Print as text or json, one object per line; sessions also as folded, folded-errno "
		  "or folded-latency (flame graphs), pprof (go tool pprof), chrome (Perfetto) or html (a "
		  "page); summaries and lists of sessions also as csv (spreadsheets)" },
	{ "json", .type = SETTING_CUSTOM, .parse = parse_json,
	  .help = "Same as --format=json" },
	{ "color", .type = SETTING_CUSTOM, .flags = SETTING_OPTIONAL | SETTING_NEGATABLE,
	  .arg = "WHEN", .parse = parse_color, .choices = color_choices,
	  .help = "Colours in text: auto (the default: on a terminal), always or never" },
	{ "ascii", .type = SETTING_CUSTOM, .flags = SETTING_NEGATABLE, .parse = parse_ascii,
	  .help = "Print text in ASCII, as > for an arrow; the default unless the locale is UTF-8" },
	{}
};

static const struct setting output_rows[] = {
	{ "output", 'o', .type = SETTING_CUSTOM, .arg = "FILE", .parse = parse_output,
	  .help = "Print to FILE instead of standard output" },
	{}
};

static const struct setting verbosity_rows[] = {
	{ "verbose", 'v', .type = SETTING_CUSTOM, .parse = parse_verbose,
	  .help = "Print more to standard error; -vv and -vvv print still more" },
	{}
};

static const struct setting common_rows[] = {
	{ "quiet", 'q', .type = SETTING_CUSTOM, .parse = parse_quiet,
	  .help = "Print only errors and what may be missing to standard error" },
	{ "no-pager", .type = SETTING_CUSTOM, .parse = parse_no_pager,
	  .help = "Send long text to the terminal as it is" },
	{ "version", 'V', .type = SETTING_CUSTOM, .parse = parse_print, .value = PRINT_VERSION,
	  .help = "Print the versions of retsnoop and its libraries" },
	{ .letter = 'h', .type = SETTING_CUSTOM, .parse = parse_print, .value = PRINT_HELP,
	  .help = "Print the usage, examples and the options of the command itself" },
	{ "help", .type = SETTING_CUSTOM, .parse = parse_print, .value = PRINT_MANUAL,
	  .help = "Open the manual page; if it is not installed, print all options" },
	{ "help-all", .flags = SETTING_IN_FULL, .type = SETTING_CUSTOM, .parse = parse_print,
	  .value = PRINT_ALL_OPTIONS, .help = "Print all options of the command" },
	{ "usage", .flags = SETTING_HIDDEN, .type = SETTING_CUSTOM, .parse = parse_print,
	  .value = PRINT_USAGE },
	{ "list-options", .flags = SETTING_HIDDEN, .type = SETTING_CUSTOM, .parse = parse_print,
	  .value = PRINT_OPTIONS },
	{}
};

static const struct option_group format_options = { "General", format_rows };
static const struct option_group output_options = { "General", output_rows };
static const struct option_group verbosity_options = { "General", verbosity_rows };
static const struct option_group common_options = { "General", common_rows };

/* 'record' has an option -o of its own. */
static bool has_output(const struct option_group *const *groups)
{
	for (; groups && *groups; groups++) {
		for_each_option(option, *groups) {
			if (option->letter == output_rows[0].letter)
				return true;
		}
	}
	return false;
}

void command_option_groups(const struct command *command, const struct option_group **ret_groups)
{
	int n = 0;

	for (int i = 0; command->options && command->options[i] && i < MAX_OPTION_GROUPS - 4; i++)
		ret_groups[n++] = command->options[i];
	if (command->formats)
		ret_groups[n++] = &format_options;
	if (command->formats && !has_output(command->options))
		ret_groups[n++] = &output_options;
	if (!command->silent)
		ret_groups[n++] = &verbosity_options;
	ret_groups[n++] = &common_options;
	ret_groups[n] = NULL;
}

bool option_group_is_common(const struct option_group *group)
{
	return group == &format_options || group == &output_options ||
	       group == &verbosity_options || group == &common_options;
}

bool option_group_is_own(const struct command *command, const struct option_group *group)
{
	if (option_group_is_common(group))
		return false;
	for (int i = 0; command->own_groups && command->own_groups[i]; i++) {
		if (command->own_groups[i] == group)
			return true;
	}
	return !group->id;
}

bool option_is_format(const struct setting *option)
{
	return option->parse == parse_format;
}

bool option_is_shown(const struct command *command, const struct setting *option)
{
	return !(option->flags & SETTING_HIDDEN) && !(command->offline && option->refused);
}

const char *option_arg(const struct command *command, const struct setting *option)
{
	return command->offline && option->flags & SETTING_BARE_IN_REPORT ? NULL : option->arg;
}

const char *option_help(const struct command *command, const struct setting *option)
{
	return command->offline && option->report ? option->report : option->help ?: "";
}
