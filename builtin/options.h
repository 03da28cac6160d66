/* SPDX-License-Identifier: BSD-2-Clause */
/* What parsing and help share about option tables. For builtin/ only. */
#ifndef RETSNOOP_BUILTIN_OPTIONS_H
#define RETSNOOP_BUILTIN_OPTIONS_H

#include "builtin/builtin.h"

#define MAX_OPTION_GROUPS 16

/*
 * All groups of a command: its own and those that every command has.
 *
 * @ret_groups	room for MAX_OPTION_GROUPS + 1 pointers; NULL-terminated
 * @return	how many
 */
int command_option_groups(const struct command *command, const struct option_group **ret_groups);

static inline bool option_is_end(const struct argp_option *option)
{
	return !option->name && !option->key && !option->doc && !option->group;
}

#define for_each_option(o, group) \
	for (const struct argp_option *o = (group)->options; !option_is_end(o); o++)

/* "Usage: retsnoop NAME ..." */
void print_usage(const struct command *command, FILE *out, bool color);
/* The group's rows, without its title. */
void print_option_group(const struct option_group *group, FILE *out, bool color);

#endif
