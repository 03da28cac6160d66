// SPDX-License-Identifier: BSD-2-Clause
/* Find the command of a command line, and run it. */
#include "builtin/suite/dispatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin/suite/command.h"
#include "builtin/suite/external.h"
#include "builtin/suite/pager.h"
#include "builtin/suite/usage.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/style.h"
#include "util/base/terminal.h"
#include "util/base/text/glob.h"
#include "util/base/text/nearest.h"

/* Options before a command. Any other option belongs to the default command. */
static const struct setting rows[] = {
	{ "help", 'h', .type = SETTING_CUSTOM, .help = "Print this help" },
	{ "version", 'V', .type = SETTING_CUSTOM,
	  .help = "Print the versions of retsnoop and its libraries" },
	{ "list-cmds", .type = SETTING_CUSTOM,
	  .help = "Print the names of all commands, one per line" },
	{ "exec-path", .flags = SETTING_OPTIONAL, .type = SETTING_CUSTOM, .arg = "DIR",
	  .help = "Look for external commands in DIR first; alone, print where that is" },
	{ "no-pager", .type = SETTING_CUSTOM, .help = "Send long text to the terminal as it is" },
	{}
};

static const struct option_group options = { .settings = rows };

void print_overview(FILE *out, bool color)
{
	_cleanup_(external_names_release) external_names names = VEC_INIT;

	style_print(out, color, STYLE_NAME, "Usage:");
	fputs(" retsnoop [--exec-path=DIR] [--no-pager] [COMMAND] [options]\n"
	      "       retsnoop --help | --version | --list-cmds | --exec-path\n"
	      "\n"
	      "Finds the kernel function that made a call fail.\n",
	      out);
	print_heading(out, color, "Commands");
	for (int i = 0; commands[i]; i++) {
		fputs("    ", out);
		style_print(out, color, STYLE_NAME, "%s", commands[i]->name);
		fprintf(out, "%*s%s\n", 12 - (int)strlen(commands[i]->name), "",
			commands[i]->summary);
	}
	if (!external_list(&names) && names.len) {
		print_heading(out, color, "Commands from elsewhere");
		vec_foreach(name, &names)
			fprintf(out, "    %s\n", *name);
	}
	print_heading(out, color, "Options");
	print_option_group(&cmd_default, &options, out, color);
	fprintf(out,
		"\nOptions without a command are those of '%s'. 'retsnoop COMMAND -h' has examples\n"
		"and options of a command, 'retsnoop help COMMAND' opens its manual page.\n",
		cmd_default.name);
}

static int print_names(void)
{
	_cleanup_(external_names_release) external_names names = VEC_INIT;
	int err;

	for (int i = 0; commands[i]; i++)
		puts(commands[i]->name);
	err = external_list(&names);
	vec_foreach(name, &names)
		puts(*name);
	return command_exit_status(err);
}

int report_unknown_command(const char *name)
{
	_cleanup_(external_names_release) external_names names = VEC_INIT;
	struct nearest near = nearest_start(name);

	/* People try a glob or a path first. */
	if (is_glob(name) || *name == ':' || *name == '@')
		return report(EXIT_USAGE, "'%s' is not a command; functions to watch go after -e",
			      name);
	for (int i = 0; commands[i]; i++)
		nearest_offer(&near, commands[i]->name);
	nearest_offer(&near, "version");
	if (!external_list(&names)) {
		vec_foreach(external, &names)
			nearest_offer(&near, *external);
	}
	nearest_report(&near, "see 'retsnoop help'", "'%s' is not a command", name);
	return EXIT_USAGE;
}

static int run_command(const char *name, int argc, char **argv)
{
	const struct command *command = command_find(name);
	int err;

	if (command)
		return command->run(command, argc, argv);
	err = external_exec(name, argv);
	return err == -ENOENT ? report_unknown_command(name) : EXIT_CANNOT;
}

static int print_help(void)
{
	bool color = terminal_color(COLOR_AUTO, STDOUT_FILENO);

	pager_start();
	print_overview(stdout, color);
	return EXIT_SHOWN;
}

static int print_versions(void)
{
	print_version(stdout);
	return EXIT_SHOWN;
}

static int print_exec_path(void)
{
	puts(exec_path());
	return EXIT_SHOWN;
}

/* Options that must be the whole command line. */
static const struct {
	const char *name;
	int (*run)(void);
} single_options[] = {
	{ "-h", print_help },		   { "--help", print_help },
	{ "-V", print_versions },	   { "--version", print_versions },
	{ "version", print_versions },
	{ "--list-cmds", print_names },	   { "--exec-path", print_exec_path },
};

/* The exit status; -ENOENT it is none of them. */
static int run_single_option(int argc, char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(single_options); i++) {
		if (strcmp(argv[0], single_options[i].name))
			continue;
		if (argc > 1 && command_find(argv[1]))
			return report(EXIT_USAGE, "%s takes no argument; try 'retsnoop %s -h'",
				      argv[0], argv[1]);
		if (argc > 1)
			return report(EXIT_USAGE, "%s takes no argument; see 'retsnoop help'",
				      argv[0]);
		return single_options[i].run();
	}
	return -ENOENT;
}

/* Common options that need no further word as their value. */
static bool is_common_option(const char *arg)
{
	static const char *const names[] = { "--quiet", "--verbose",  "--no-pager", "--json",
					     "--color", "--no-color", "--ascii",    "--no-ascii" };

	if (arg[0] == '-' && arg[1] && arg[1] != '-')
		return !arg[1 + strspn(arg + 1, "qv")];
	if (array_find(name, names, !strcmp(arg, *name)))
		return true;
	return startswith(arg, "--color=") || startswith(arg, "--format=");
}

/* The index of the command if only such options come before it; 0: no command. */
static int find_after_options(int argc, char **argv)
{
	int i = 0;

	while (i < argc && is_common_option(argv[i]))
		i++;
	return i < argc && argv[i][0] != '-' ? i : 0;
}

int dispatch(int argc, char **argv)
{
	int status, command;
	char *name;

	for (argv++, argc--; argc > 0; argv++, argc--) {
		const char *arg = argv[0];

		status = run_single_option(argc, argv);
		if (status != -ENOENT)
			return status;
		if (!strcmp(arg, "--no-pager")) {
			pager_forbid();
			continue;
		}
		if (!startswith(arg, "--exec-path="))
			break;
		/* Kept in the environment for commands that run retsnoop again. */
		setenv("RETSNOOP_EXEC_PATH", strchr(arg, '=') + 1, 1);
	}
	if (argc <= 0) {
		print_overview(stderr, terminal_color(COLOR_AUTO, STDERR_FILENO));
		return EXIT_USAGE;
	}
	if (**argv != '-')
		return run_command(*argv, argc, argv);
	command = find_after_options(argc, argv);
	/* `version` is no command, and has no options. */
	if (command && !strcmp(argv[command], "version"))
		return run_single_option(argc - command, argv + command);
	if (command) {
		/* "-q stack -e x" becomes "stack -q -e x". */
		name = argv[command];
		memmove(argv + 1, argv, command * sizeof(*argv));
		argv[0] = name;
		return run_command(name, argc, argv);
	}
	/* argv[-1] exists: it is the program's name, or one of the options above. */
	argv[-1] = (char *)cmd_default.name;
	return cmd_default.run(&cmd_default, argc + 1, argv - 1);
}
