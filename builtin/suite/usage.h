/* SPDX-License-Identifier: BSD-2-Clause */
/* Help texts of commands: usage, options, versions. */
#ifndef RETSNOOP_BUILTIN_SUITE_USAGE_H
#define RETSNOOP_BUILTIN_SUITE_USAGE_H

#include <stdbool.h>
#include <stdio.h>

struct command;
struct option_group;

/* What `retsnoop NAME -h` prints: usage, examples, the command's own options. */
void command_print_help(const struct command *command, FILE *out, bool color);
/* What `retsnoop NAME --help-all` prints: the same with all options. */
void command_print_all_options(const struct command *command, FILE *out, bool color);
/* "Usage: retsnoop NAME ..." */
void print_usage(const struct command *command, FILE *out, bool color);
/* The options of a group, as the command has them, without the title. */
void print_option_group(const struct command *command, const struct option_group *group, FILE *out,
			bool color);
/* An empty line and a heading. */
void print_heading(FILE *out, bool color, const char *title);
/* What -V prints: versions of retsnoop and of its libraries. */
void print_version(FILE *out);

#endif
