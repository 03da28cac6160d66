// SPDX-License-Identifier: BSD-2-Clause
/*
 * Command lines: a command's option groups become argp children; what is common to all commands
 * is added here. Messages are ours, one line each: argp and getopt are told to be silent, and
 * what they tripped over is found again afterwards.
 */
#include "builtin/builtin.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "builtin/completion.h"
#include "builtin/options.h"
#include "builtin/pager.h"
#include "util/base/cleanup.h"
#include "util/base/nearest.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/terminal.h"

struct parser {
	const struct command *command;
	const struct option_group *groups[MAX_OPTION_GROUPS + 1];	/* NULL-terminated */
	struct group_input {
		const struct option_group *group;
		struct parser *parser;
		void *target;
	} inputs[MAX_OPTION_GROUPS];
	struct command_args args;
	int verbosity;
	enum color_when color;
	int err;	/* what ended parsing early: 1 or a negative errno */
};

/* Options of every command; the target is the parser. */

enum { OPT_USAGE = OPTION_LONG, OPT_FORMAT, OPT_COLOR, OPT_NO_PAGER, OPT_LIST_OPTIONS };

static const struct argp_option format_rows[] = {
	{ "format", OPT_FORMAT, "FORMAT", 0,
	  "Print as text or as json, one object a line; sessions also as folded, folded-errno or "
	  "folded-latency (flame graphs), chrome (Perfetto) or html (a page)" },
	{ "color", OPT_COLOR, "WHEN", OPTION_ARG_OPTIONAL,
	  "Colours in text: auto (the default: on a terminal), always or never" },
	{ "no-color", OPTION_NO(OPT_COLOR), NULL, OPTION_HIDDEN, NULL },
	{}
};

static const struct argp_option verbosity_rows[] = {
	{ "verbose", 'v', NULL, 0, "Say more on standard error; -vv and -vvv say still more" },
	{}
};

static const struct argp_option common_rows[] = {
	{ "quiet", 'q', NULL, 0,
	  "Say nothing on standard error but errors, and what a run has lost" },
	{ "no-pager", OPT_NO_PAGER, NULL, 0, "Send long text to the terminal as it is" },
	{ "version", 'V', NULL, 0, "Print the versions of retsnoop and its libraries" },
	{ "help", 'h', NULL, 0, "Print this help; 'retsnoop help' has the manual" },
	{ "usage", OPT_USAGE, NULL, OPTION_HIDDEN, NULL },
	{ "list-options", OPT_LIST_OPTIONS, NULL, OPTION_HIDDEN, NULL },
	{}
};

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
	}
	return "";
}

static int parse_format(struct parser *parser, const char *name)
{
	_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;
	unsigned int all = parser->command->formats;

	for (unsigned int format = 1; format <= all; format <<= 1) {
		if (!(format & all))
			continue;
		if (!strcmp(name, format_name(format))) {
			parser->args.format = format;
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

/* At once: the next option may be wrong. */
static void set_color(struct parser *parser, enum color_when when)
{
	parser->color = when;
	report_set_color(when);
}

static int parse_color(struct parser *parser, const char *when)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto",
		[COLOR_ALWAYS] = "always",
		[COLOR_NEVER] = "never",
	};

	for (int i = 0; i < 3; i++) {
		if (!strcmp(when, names[i])) {
			set_color(parser, i);
			return 0;
		}
	}
	return report(-EINVAL, "--color: '%s' is not one of auto, always and never", when);
}

static int parse_common(int key, char *arg, void *target)
{
	struct parser *parser = target;
	bool color;

	switch (key) {
	case OPT_FORMAT:
		return parse_format(parser, arg);
	case OPT_COLOR:
		return parse_color(parser, arg ?: "always");
	case OPTION_NO(OPT_COLOR):
		set_color(parser, COLOR_NEVER);
		return 0;
	case 'v':
		if (parser->verbosity < VERBOSITY_TRACE)
			parser->verbosity = parser->verbosity < 0 ? 1 : parser->verbosity + 1;
		report_set_verbosity(parser->verbosity);
		return 0;
	case 'q':
		parser->verbosity = VERBOSITY_QUIET;
		report_set_verbosity(parser->verbosity);
		return 0;
	case 'V':
		print_version(stdout);
		return 1;
	case OPT_NO_PAGER:
		/* Seen before; see command_parse(). */
		return 0;
	case 'h':
		color = terminal_color(parser->color, STDOUT_FILENO);
		pager_start();
		command_print_help(parser->command, stdout, color);
		return 1;
	case OPT_LIST_OPTIONS:
		command_list_options(parser->command, stdout);
		return 1;
	case OPT_USAGE:
		print_usage(parser->command, stdout, terminal_color(parser->color, STDOUT_FILENO));
		return 1;
	}
	return -EINVAL;
}

static const struct option_group format_options = { "General", format_rows, parse_common, NULL };
static const struct option_group verbosity_options = { "General", verbosity_rows, parse_common,
							NULL };
static const struct option_group common_options = { "General", common_rows, parse_common, NULL };

int command_option_groups(const struct command *command, const struct option_group **ret_groups)
{
	int n = 0;

	for (int i = 0; command->options && command->options[i] && i < MAX_OPTION_GROUPS - 3; i++)
		ret_groups[n++] = command->options[i];
	if (command->formats)
		ret_groups[n++] = &format_options;
	if (!command->silent)
		ret_groups[n++] = &verbosity_options;
	ret_groups[n++] = &common_options;
	ret_groups[n] = NULL;
	return n;
}

/* What argp tripped over. */

static const struct argp_option *find_short(const struct parser *parser, char letter)
{
	for (int i = 0; parser->groups[i]; i++) {
		for_each_option(o, parser->groups[i]) {
			if (o->key == letter)
				return o;
		}
	}
	return NULL;
}

static int usage_error(const struct parser *parser, const char *message, const char *more)
{
	const char *name = parser->command->name;

	return report(-EINVAL, "%s: %s%s; try 'retsnoop %s -h'", name, message, more, name);
}

/* 0 when nothing is wrong with the word. @last: no word follows that could be its argument. */
static int diagnose_short(const struct parser *parser, const char *word, bool last)
{
	const struct argp_option *option;
	char text[64];

	for (const char *s = word + 1; *s; s++) {
		option = find_short(parser, *s);
		if (!option) {
			snprintf(text, sizeof(text), "unrecognized option '-%c'", *s);
			return usage_error(parser, text, "");
		}
		if (!option->arg)
			continue;
		if (!s[1] && last && !(option->flags & OPTION_ARG_OPTIONAL)) {
			snprintf(text, sizeof(text), "option '-%c' needs a value: ", *s);
			return usage_error(parser, text, option->arg);
		}
		return 0;
	}
	return 0;
}

static int diagnose_long(const struct parser *parser, const char *word, bool last)
{
	const char *name = word + 2, *value = strchr(name, '=');
	size_t len = value ? (size_t)(value - name) : strlen(name);
	const struct argp_option *option = NULL;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(free_p) char *wanted = strndup(name, len);
	struct nearest near;
	int matches = 0;

	if (!wanted)
		return report_oom();
	near = nearest_start(wanted);
	for (int i = 0; parser->groups[i]; i++) {
		for_each_option(o, parser->groups[i]) {
			if (!o->name)
				continue;
			nearest_offer(&near, o->name);
			if (!strcmp(o->name, wanted)) {
				option = o;
				matches = -1000;	/* no prefix counts any more */
			} else if (!strncmp(o->name, wanted, len)) {
				option = option ?: o;
				matches++;
			}
		}
	}
	if (matches > 1)
		strbuf_addf(&text, "option '--%s' is ambiguous", wanted);
	else if (!option && near.name)
		return report(-EINVAL, "%s: unrecognized option '--%s'; did you mean '--%s'?",
			      parser->command->name, wanted, near.name);
	else if (!option)
		strbuf_addf(&text, "unrecognized option '--%s'", wanted);
	else if (value && !option->arg)
		strbuf_addf(&text, "option '--%s' takes no value", option->name);
	else if (!value && last && option->arg && !(option->flags & OPTION_ARG_OPTIONAL))
		strbuf_addf(&text, "option '--%s' needs a value: %s", option->name, option->arg);
	else
		return 0;
	return usage_error(parser, strbuf_str(&text), "");
}

static int diagnose(const struct parser *parser, int argc, char **argv, int index)
{
	const char *word;

	if (index < 1 || index >= argc)
		return 0;
	word = argv[index];
	if (word[0] != '-' || !word[1] || !strcmp(word, "--"))
		return 0;
	return word[1] == '-' ? diagnose_long(parser, word, index + 1 == argc) :
				diagnose_short(parser, word, index + 1 == argc);
}

/*
 * getopt has moved past the word it refuses, unless that is a cluster of letters and the bad one
 * is not the last.
 */
static int diagnose_at(const struct parser *parser, const struct argp_state *state)
{
	return diagnose(parser, state->argc, state->argv, state->next - 1) ?:
	       diagnose(parser, state->argc, state->argv, state->next) ?:
	       usage_error(parser, "cannot make sense of the options", "");
}

/* argp's side. */

static error_t stop(struct parser *parser, int err)
{
	parser->err = err;
	return err ? ECANCELED : 0;
}

static error_t group_parser(int key, char *arg, struct argp_state *state)
{
	struct group_input *input = state->input;

	if (key == ARGP_KEY_INIT || key == ARGP_KEY_ARG || key == ARGP_KEY_ARGS ||
	    key == ARGP_KEY_END || key == ARGP_KEY_NO_ARGS || key == ARGP_KEY_SUCCESS ||
	    key == ARGP_KEY_ERROR || key == ARGP_KEY_FINI)
		return ARGP_ERR_UNKNOWN;
	return stop(input->parser, input->group->parse(key, arg, input->target));
}

static bool takes_workload(const struct parser *parser)
{
	return parser->command->needs & NEED_TRACING;
}

static int add_argument(struct parser *parser, struct argp_state *state, char *arg)
{
	if (takes_workload(parser) && state->quoted && state->next > state->quoted) {
		parser->args.workload = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	}
	if (parser->command->takes_arguments)
		return vec_push(&parser->args.args, arg) ? report_oom() : 0;
	if (takes_workload(parser) && command_find(arg))
		return report(-EINVAL, "%s: unexpected argument '%s'; a command goes in front of "
			      "its options: 'retsnoop %s ...'", parser->command->name, arg, arg);
	if (takes_workload(parser))
		return report(-EINVAL,
			      "%s: unexpected argument '%s'; a program to run goes after '--', "
			      "functions after -e",
			      parser->command->name, arg);
	return vec_push(&parser->args.args, arg) ? report_oom() : 0;
}

static error_t root_parser(int key, char *arg, struct argp_state *state)
{
	struct parser *parser = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		for (int i = 0; parser->groups[i]; i++)
			state->child_inputs[i] = &parser->inputs[i];
		return 0;
	case ARGP_KEY_ARG:
		return stop(parser, add_argument(parser, state, arg));
	case ARGP_KEY_END:
		if (state->quoted && takes_workload(parser) && !parser->args.workload)
			return stop(parser, usage_error(parser, "no command after '--'", ""));
		return 0;
	case ARGP_KEY_ERROR:
		if (!parser->err)
			parser->err = diagnose_at(parser, state);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* Wherever it stands: -h is answered at once. */
static void look_for_no_pager(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--no-pager"))
			pager_forbid();
	}
}

int command_parse(const struct command *command, int argc, char **argv, void *const targets[],
		  struct command_args *ret_args)
{
	struct parser parser = { .command = command, .args.format = FORMAT_TEXT };
	struct argp group_argps[MAX_OPTION_GROUPS] = {};
	struct argp_child children[MAX_OPTION_GROUPS + 1] = {};
	struct argp root = { .parser = root_parser, .children = children };
	int nr_groups = command_option_groups(command, parser.groups);
	error_t err;

	look_for_no_pager(argc, argv);
	for (int i = 0; i < nr_groups; i++) {
		const struct option_group *group = parser.groups[i];
		bool ours = group->parse == parse_common;

		parser.inputs[i] = (struct group_input){ group, &parser,
							 ours ? &parser : targets[i] };
		group_argps[i] = (struct argp){ .options = group->options, .parser = group_parser };
		children[i].argp = &group_argps[i];
		parser.err = group->defaults ? group->defaults(targets[i]) : 0;
		if (parser.err)
			return parser.err;
	}
	err = argp_parse(&root, argc, argv,
			 ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_IN_ORDER, NULL, &parser);
	if (err || parser.err) {
		command_args_release(&parser.args);
		return parser.err ?: report(-EINVAL, "%s: %s", command->name, strerror(err));
	}
	parser.args.color = terminal_color(parser.color, STDOUT_FILENO);
	*ret_args = parser.args;
	return 0;
}

void command_args_release(struct command_args *args)
{
	vec_release(&args->args);
}

int command_exit_status(int err)
{
	return err >= 0 ? EXIT_SHOWN : err == -EINVAL ? EXIT_USAGE : EXIT_CANNOT;
}
