// SPDX-License-Identifier: BSD-2-Clause
/*
 * Command lines: words to the rows of a command's option groups. As getopt_long() has it: letters
 * may stand together, a long name may be cut short, a value follows "=" or is the next word unless
 * it is optional. Options and arguments are taken in the order in which they stand.
 */
#include "builtin/suite/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin/suite/completion.h"
#include "builtin/suite/manual.h"
#include "builtin/suite/options.h"
#include "builtin/suite/pager.h"
#include "builtin/suite/usage.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/text/nearest.h"

#define OPTION_NAME_MAX 48

struct parser {
	const struct command *command;
	const struct option_group *groups[MAX_OPTION_GROUPS + 1];	/* NULL-terminated */
	void *targets[MAX_OPTION_GROUPS];
	char **next;		/* the next word */
	struct command_args *args;
};

/* An option that was found, and by which name. */
struct found {
	const struct setting *option;
	int group;		/* index into groups */
	bool off;		/* as --no-NAME */
};

static int usage_error(const struct parser *parser, const char *fmt, ...) _printf_(2, 3);

static int usage_error(const struct parser *parser, const char *fmt, ...)
{
	const char *name = parser->command->name;
	_cleanup_(free_p) char *message = NULL;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vasprintf(&message, fmt, args);
	va_end(args);
	if (len < 0)
		return report_oom();
	return report(-EINVAL, "%s: %s; try 'retsnoop %s -h'", name, message, name);
}

static int set_option(const struct parser *parser, const struct found *found, const char *value)
{
	const struct setting *option = found->option;
	void *target = parser->targets[found->group];
	char label[SETTING_LABEL];

	if (parser->command->offline && option->refused)
		return report(-EINVAL, "%s: %s: %s", parser->command->name,
			      setting_label(option, label), option->refused);
	if (parser->groups[found->group]->id)
		return settings_parse(option, target, value, !found->off);
	return setting_parse(option, target, value, !found->off);
}

/* The options that a long name, perhaps cut short, can mean. */
struct lookup {
	const char *name;
	struct found found;
	bool exact;
	int matches;
	struct strbuf candidates;	/* "--summary, --stats" */
	struct nearest near;
	char near_name[OPTION_NAME_MAX];
};

static void offer_option(struct lookup *lookup, const char *prefix, struct found found)
{
	unsigned int flags = found.option->flags;
	char name[OPTION_NAME_MAX];

	snprintf(name, sizeof(name), "%s%s", prefix, found.option->name);
	if (!(flags & SETTING_HIDDEN))
		nearest_offer(&lookup->near, name);
	if (lookup->near.name == name)
		lookup->near.name = strcpy(lookup->near_name, name);
	if (lookup->exact)
		return;
	lookup->exact = !strcmp(name, lookup->name);
	if (!lookup->exact && (flags & (SETTING_HIDDEN | SETTING_IN_FULL) ||
			       strncmp(name, lookup->name, strlen(lookup->name))))
		return;
	if (lookup->exact || !lookup->matches)
		lookup->found = found;
	strbuf_addf(&lookup->candidates, "%s--%s", lookup->matches ? ", " : "", name);
	lookup->matches = lookup->exact ? 1 : lookup->matches + 1;
}

static void look_up(const struct parser *parser, const char *name, struct lookup *lookup)
{
	*lookup = (struct lookup){ .name = name, .near = nearest_start(name),
				   .candidates = STRBUF_INIT };
	for (int i = 0; parser->groups[i]; i++) {
		for_each_option(o, parser->groups[i]) {
			if (o->name)
				offer_option(lookup, "", (struct found){ o, i, false });
			if (o->name && o->flags & SETTING_NEGATABLE)
				offer_option(lookup, "no-", (struct found){ o, i, true });
		}
	}
}

/* The option that a long name means. 0; -EINVAL (reported). */
static int find_long(const struct parser *parser, const char *name, struct found *ret_found)
{
	struct lookup lookup;
	int err = 0;

	look_up(parser, name, &lookup);
	*ret_found = lookup.found;
	if (lookup.matches > 1)
		err = report(-EINVAL, "%s: option '--%s' is ambiguous: %s", parser->command->name,
			     name, strbuf_str(&lookup.candidates));
	else if (!lookup.matches && lookup.near.name)
		err = report(-EINVAL, "%s: unrecognized option '--%s'; did you mean '--%s'?",
			     parser->command->name, name, lookup.near.name);
	else if (!lookup.matches)
		err = usage_error(parser, "unrecognized option '--%s'", name);
	strbuf_release(&lookup.candidates);
	return err;
}

/* "--name", "--name=value". */
static int parse_long(struct parser *parser, const char *word)
{
	const char *equals = strchrnul(word + 2, '='), *value = *equals ? equals + 1 : NULL;
	_cleanup_(free_p) char *name = strndup(word + 2, equals - word - 2);
	const char *arg, *no;
	struct found found;
	int err;

	if (!name)
		return report_oom();
	err = find_long(parser, name, &found);
	if (err)
		return err;
	arg = found.off ? NULL : option_arg(parser->command, found.option);
	no = found.off ? "no-" : "";
	if (value && !arg)
		return usage_error(parser, "option '--%s%s' takes no value", no, found.option->name);
	if (!value && arg && !(found.option->flags & SETTING_OPTIONAL)) {
		value = *parser->next;
		if (!value)
			return usage_error(parser, "option '--%s' needs a value: %s",
					   found.option->name, arg);
		parser->next++;
	}
	return set_option(parser, &found, value);
}

static struct found find_letter(const struct parser *parser, char letter)
{
	for (int i = 0; parser->groups[i]; i++) {
		for_each_option(o, parser->groups[i]) {
			if (o->letter == letter)
				return (struct found){ o, i, false };
		}
	}
	return (struct found){};
}

/* "-abc", of which @s is "abc". */
static int parse_letters(struct parser *parser, const char *s)
{
	int err = 0;

	for (; *s && !err; s++) {
		struct found found = find_letter(parser, *s);
		const char *arg;

		if (!found.option)
			return usage_error(parser, "unrecognized option '-%c'", *s);
		arg = option_arg(parser->command, found.option);
		if (arg && s[1])
			return set_option(parser, &found, s + 1);
		if (arg && !(found.option->flags & SETTING_OPTIONAL)) {
			if (*parser->next)
				return set_option(parser, &found, *parser->next++);
			return usage_error(parser, "option '-%c' needs a value: %s", *s, arg);
		}
		err = set_option(parser, &found, NULL);
	}
	return err;
}

static bool takes_workload(const struct parser *parser)
{
	return parser->command->needs & NEED_TRACING;
}

static int add_argument(struct parser *parser, char *arg)
{
	const char *name = parser->command->name;

	if (takes_workload(parser) && !parser->command->takes_arguments) {
		if (command_find(arg))
			return report(-EINVAL, "%s: unexpected argument '%s'; a command goes "
				      "before its options: 'retsnoop %s ...'", name, arg, arg);
		return report(-EINVAL, "%s: unexpected argument '%s'; a program to run goes after "
			      "'--', functions after -e", name, arg);
	}
	return vec_push(&parser->args->args, arg) ? report_oom() : 0;
}

/* Take the words after "--": the workload, or arguments of any form. */
static int add_rest(struct parser *parser)
{
	int err = 0;

	parser->args->nr_before = parser->args->args.len;
	if (takes_workload(parser)) {
		parser->args->workload = parser->next;
		return *parser->next ? 0 : usage_error(parser, "no command after '--'");
	}
	while (*parser->next && !err)
		err = add_argument(parser, *parser->next++);
	return err;
}

static int parse_words(struct parser *parser)
{
	int err = 0;

	while (*parser->next && !err) {
		char *word = *parser->next++;

		if (!strcmp(word, "--"))
			return add_rest(parser);
		if (word[0] != '-' || !word[1])
			err = add_argument(parser, word);
		else if (word[1] == '-')
			err = parse_long(parser, word);
		else
			err = parse_letters(parser, word + 1);
	}
	parser->args->nr_before = parser->args->args.len;
	return err;
}

/* --no-pager counts wherever it is: -h goes through a pager. */
static void look_for_no_pager(char **argv)
{
	for (char **word = argv + 1; *word && strcmp(*word, "--"); word++) {
		if (!strcmp(*word, "--no-pager"))
			pager_forbid();
	}
}

static void print_requested(const struct common_options *common)
{
	bool color = terminal_color(common->color, STDOUT_FILENO);

	switch (common->print) {
	case PRINT_HELP:
		pager_start();
		command_print_help(common->command, stdout, color);
		break;
	case PRINT_MANUAL:
		manual_open_command(common->command->name);
		/* Without a manual page. */
		/* fall through */
	case PRINT_ALL_OPTIONS:
		pager_start();
		command_print_all_options(common->command, stdout, color);
		break;
	case PRINT_USAGE:
		print_usage(common->command, stdout, color);
		break;
	case PRINT_VERSION:
		print_version(stdout);
		break;
	case PRINT_OPTIONS:
		command_list_options(common->command, stdout);
		break;
	case PRINT_NOTHING:
		break;
	}
}

int command_parse(const struct command *command, int argc, char **argv, void *const targets[],
		  struct command_args *ret_args)
{
	struct common_options common = { .command = command, .format = FORMAT_TEXT };
	struct command_args args = {};
	struct parser parser = { .command = command, .next = argv + 1, .args = &args };
	int err;

	look_for_no_pager(argv);
	terminal_set_ascii(terminal_locale_is_ascii());
	command_option_groups(command, parser.groups);
	for (int i = 0; parser.groups[i]; i++)
		parser.targets[i] = option_group_is_common(parser.groups[i]) ? &common : targets[i];
	err = parse_words(&parser);
	if (err) {
		print_requested(&common);
		command_args_release(&args);
		return err;
	}
	args.format = common.format;
	args.output = common.output;
	args.color = common.output && common.color == COLOR_AUTO ?
			     false :
			     terminal_color(common.color, STDOUT_FILENO);
	*ret_args = args;
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
