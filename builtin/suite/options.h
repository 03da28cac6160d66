/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of a command, as parsing, help and completion see them. For builtin/ only. */
#ifndef RETSNOOP_BUILTIN_SUITE_OPTIONS_H
#define RETSNOOP_BUILTIN_SUITE_OPTIONS_H

#include "builtin/suite/command.h"
#include "util/base/terminal.h"

#define MAX_OPTION_GROUPS 16

/* What is printed instead of running the command. */
enum common_print {
	PRINT_NOTHING,
	PRINT_HELP,		/* -h */
	PRINT_MANUAL,		/* --help */
	PRINT_ALL_OPTIONS,	/* --help-all */
	PRINT_USAGE,
	PRINT_VERSION,
	PRINT_OPTIONS,
};

/* The target of the groups that every command has. */
struct common_options {
	const struct command *command;
	enum format format;
	const char *output;
	int verbosity;
	enum color_when color;
	enum common_print print;
};

/*
 * All groups of a command: its own and those that every command has.
 *
 * @ret_groups	room for MAX_OPTION_GROUPS + 1 pointers; NULL-terminated
 */
void command_option_groups(const struct command *command, const struct option_group **ret_groups);

/* Whether the target of a group is a struct common_options. */
bool option_group_is_common(const struct option_group *group);

/* Whether -h prints the group: a table of the command's own, or one of its own_groups. */
bool option_group_is_own(const struct command *command, const struct option_group *group);

/* Options only: a configuration key need not be one. */
#define for_each_option(o, of)                                                                     \
	for_each_setting(o, (of)->settings)                                                        \
		if (o->group == (of)->id && (o->name || o->letter))

/* How a command has an option: whether help and completion show it, its value, its text. */
bool option_is_shown(const struct command *command, const struct setting *option);
const char *option_arg(const struct command *command, const struct setting *option);
const char *option_help(const struct command *command, const struct setting *option);

/* The option is --format, whose values are the command's. */
bool option_is_format(const struct setting *option);

#endif
