/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Commands, and how to add one.
 *
 * A command is a file builtin/NAME.c with one `const struct command cmd_NAME`, listed in the table
 * in builtin/commands.c, and a manual page Documentation/retsnoop-NAME.adoc. `-h`, the manual's
 * synopsis (checked by a test) and shell completion come from the table, so that they cannot
 * disagree. `-h` and the manual page have the options that the command has for itself; those that
 * commands share are in `--help-all` and retsnoop-options(7). An option of tracing is a row of
 * util/ask/settings.c, which says how to add one; an option of one command is a row of its
 * own table, here as the other commands have it.
 *
 * The run function parses (command_parse), fills a request, asks the floors below, hands the
 * result to a view and returns an exit status. Only here and in cmd/ do programs exit.
 */
#ifndef RETSNOOP_BUILTIN_SUITE_COMMAND_H
#define RETSNOOP_BUILTIN_SUITE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "util/ask/setting.h"
#include "util/base/strbuf.h"
#include "util/base/vec.h"

/* As Documentation/design.txt, section 6, and every manual page describe. */
enum exit_status {
	EXIT_SHOWN = 0,
	EXIT_NOTHING = 1,
	EXIT_USAGE = 2,
	EXIT_CANNOT = 3,
};

/* What a command needs before it starts. */
enum command_needs {
	/* Loads BPF: root or CAP_BPF + CAP_PERFMON. Such a command takes a workload after "--" and
	 * no other arguments.
	 */
	NEED_TRACING = 1 << 0,
};

enum format {
	FORMAT_TEXT = 1 << 0,
	FORMAT_JSON = 1 << 1,
	FORMAT_FOLDED = 1 << 2,
	FORMAT_FOLDED_ERRNO = 1 << 3,
	FORMAT_FOLDED_LATENCY = 1 << 4,
	FORMAT_CHROME = 1 << 5,
	FORMAT_HTML = 1 << 6,
	FORMAT_CSV = 1 << 7,
	FORMAT_PPROF = 1 << 8,
};

/* Formats of lists and tables. */
#define FORMAT_LISTS (FORMAT_TEXT | FORMAT_JSON | FORMAT_CSV)

/* The name of a format for --format. Static. */
const char *format_name(enum format format);

/* Options with a heading: a command's own table, or a group of the table of all settings. */
struct option_group {
	const char *title;			/* heading in the help; NULL for a command's own */
	const struct setting *settings;		/* the table */
	unsigned int id;	/* enum settings_group: which rows of all settings; 0: a table of its own */
};

struct command {
	const char *name;
	const char *summary;	/* one line, lower case, no full stop */
	const char *usage;	/* "[-l] [GLOB...]", without the name; a line for each form */
	const char *help;	/* a paragraph or a few */
	const char *examples;	/* three command lines, each after a line "# what it shows" */
	const struct option_group *const *options;	/* NULL-terminated */
	/* Groups of settings that -h prints with the command's own tables; NULL-terminated or NULL. */
	const struct option_group *const *own_groups;
	unsigned int formats;	/* FORMAT_x that --format takes; 0: no such option */
	unsigned int needs;	/* NEED_x */
	bool takes_arguments;	/* with NEED_TRACING, which otherwise takes none */
	bool silent;		/* prints only errors to stderr: no -v */
	bool offline;		/* shows recordings: some settings are refused (struct setting) */
	int (*run)(const struct command *command, int argc, char **argv);
};

/* The command line without options of the command. Points into argv. */
struct command_args {
	VEC(char *) args;	/* positional ones */
	size_t nr_before;	/* of these, before "--"; all, if there was no "--" */
	char **workload;	/* after "--", NULL-terminated; NULL when there was no "--" */
	enum format format;
	const char *output;	/* -o: the file to print to; NULL: standard output; borrowed */
	bool color;		/* use colours on standard output */
};

/**
 * Parse a command's options. Every command has -V, -h, --help, --help-all, -q and --no-pager in
 * addition to its own, -v unless it is silent, and --format and --color when it has formats.
 *
 * @argv	argv[0] is the command's name
 * @targets	one pointer for each of command->options: the struct that its settings are fields of,
 *		a struct trace_request for groups of all settings
 * @ret_args	set on success; release with command_args_release()
 * @return	0; 1 help or version was printed (exit 0); -EINVAL usage error (reported)
 */
int command_parse(const struct command *command, int argc, char **argv, void *const targets[],
		  struct command_args *ret_args);
void command_args_release(struct command_args *args);

/* The exit status for a result of command_parse() and others: 1 is success, -EINVAL usage. */
int command_exit_status(int err);

/*
 * Check for the privileges that command->needs names. 0; -EPERM (reported). Call it after parsing,
 * so that -h and usage errors come first.
 */
int command_check_needs(const struct command *command);
/* The same, without a report. */
bool command_has_rights(const struct command *command);

/* All commands, in the order of the help; NULL-terminated. */
extern const struct command *const commands[];

const struct command *command_find(const char *name);

extern const struct command cmd_why;
extern const struct command cmd_stack;
extern const struct command cmd_trace;
extern const struct command cmd_args;
extern const struct command cmd_lbr;
extern const struct command cmd_probe;
extern const struct command cmd_funcs;
extern const struct command cmd_record;
extern const struct command cmd_report;
extern const struct command cmd_export;
extern const struct command cmd_symbolize;
extern const struct command cmd_doctor;
extern const struct command cmd_help;

/*
 * For options without a command: shows the modes that they ask for, or the stack. It is not in the
 * table, and has the name of cmd_stack.
 */
extern const struct command cmd_default;

/* Groups of all settings (util/ask/settings.c); target struct trace_request. */
extern const struct option_group function_options;
extern const struct option_group mode_options;
extern const struct option_group filter_options;
extern const struct option_group error_options;
extern const struct option_group run_options;
extern const struct option_group attach_options;
extern const struct option_group symbol_options;
extern const struct option_group args_options;
extern const struct option_group branch_options;
extern const struct option_group general_options;

#endif
