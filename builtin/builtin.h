/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Commands, and how to add one.
 *
 * A command is a file builtin/NAME.c with one `const struct command cmd_NAME`, listed in the table
 * in builtin/commands.c, and a manual page Documentation/retsnoop-NAME.adoc. `-h`, the manual's
 * synopsis (checked by a test) and shell completion come from the table, so that they cannot
 * disagree.
 *
 * The run function parses (command_parse), fills a request, asks the floors below, hands the
 * result to a view and returns an exit status. Only here and in cmd/ do programs exit.
 */
#ifndef RETSNOOP_BUILTIN_H
#define RETSNOOP_BUILTIN_H

#include <argp.h>
#include <stdbool.h>

#include "util/base/vec.h"

/* DESIGN: 0 ran and showed something, 1 ran and nothing matched, ... */
enum exit_status {
	EXIT_SHOWN = 0,
	EXIT_NOTHING = 1,
	EXIT_USAGE = 2,
	EXIT_CANNOT = 3,
};

/* What a command needs before it starts. */
enum command_needs {
	NEED_TRACING = 1 << 0,	/* loads BPF: root or CAP_BPF + CAP_PERFMON */
};

enum format {
	FORMAT_TEXT = 1 << 0,
	FORMAT_JSON = 1 << 1,
};

/* Some options that belong together and what handles them; shared between commands or one's own. */
struct option_group {
	const char *title;			/* heading in the help; NULL for a command's own */
	const struct argp_option *options;	/* ends with {} */
	/* One option: 0, or a negative errno after reporting a usage error. @target as given to
	 * command_parse() for this group.
	 */
	int (*parse)(int key, char *arg, void *target);
};

struct command {
	const char *name;
	const char *summary;	/* one line, lower case, no full stop */
	const char *usage;	/* "[-l] [--why NAME] [GLOB...]", without the name */
	const char *help;	/* a paragraph or a few */
	const struct option_group *const *options;	/* NULL-terminated */
	unsigned int formats;	/* FORMAT_x that --format takes; 0: no such option */
	unsigned int needs;	/* NEED_x */
	int (*run)(const struct command *command, int argc, char **argv);
};

/* What is left when the options are taken out. Points into argv. */
struct command_args {
	VEC(char *) args;	/* positional ones */
	char **workload;	/* after "--", NULL-terminated; NULL when there was no "--" */
	enum format format;
};

/**
 * Parse a command's options.
 *
 * @targets	one pointer for each of command->options, handed to its parse function
 * @return	0; 1 help or version was printed (exit 0); -EINVAL usage error (reported)
 */
int command_parse(const struct command *command, int argc, char **argv, void *const targets[],
		  struct command_args *ret_args);
void command_args_release(struct command_args *args);

/* All of them, in the order of the help; NULL-terminated. */
extern const struct command *const commands[];

const struct command *command_find(const char *name);

/* Groups shared by the tracing commands (builtin/trace_options.c); target struct trace_request. */
extern const struct option_group function_options;	/* -e -a -d -c */
extern const struct option_group attach_options;	/* -M -K -F --attach --dry-run */
extern const struct option_group filter_options;	/* -p -P -n -N -L -S -x -X -I */
extern const struct option_group run_options;		/* --duration --max-sessions --forward-status */
extern const struct option_group symbol_options;	/* -k -s */
extern const struct option_group general_options;	/* -C --config-help -v -q -V -h; target request */

#endif
