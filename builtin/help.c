// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop help [NAME]`: manual pages and other documents, or lists of them. */
#include "builtin/suite/command.h"

#include <errno.h>
#include <string.h>

#include "builtin/suite/dispatch.h"
#include "builtin/suite/external.h"
#include "builtin/suite/guides.h"
#include "builtin/suite/manual.h"
#include "builtin/suite/pager.h"
#include "builtin/suite/usage.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/terminal.h"

struct help_options {
	bool all;
	bool guides;
};

static const struct setting own_rows[] = {
	{ "all", 'a', .type = SETTING_FLAG, SETTING_FIELD(struct help_options, all),
	  .help = "List all commands, also those on the exec path and $PATH" },
	{ "guides", 'g', .type = SETTING_FLAG, SETTING_FIELD(struct help_options, guides),
	  .help = "List the other documents" },
	{}
};

static const struct option_group own_options = { .settings = own_rows };

static const struct option_group *const help_options[] = { &own_options, NULL };

static int show_guide(const struct guide *guide)
{
	_cleanup_(free_p) char *page = strf("retsnoop-%s", guide->name);

	if (!page)
		return command_exit_status(report_oom());
	if (guide->section)
		manual_open(page);
	return guide_print(guide) ? EXIT_CANNOT : EXIT_SHOWN;
}

static int help_run(const struct command *command, int argc, char **argv)
{
	_cleanup_(command_args_release) struct command_args args = {};
	struct help_options options = {};
	void *const targets[] = { &options };
	const struct command *about;
	const struct guide *guide;
	bool color = terminal_color(COLOR_AUTO, STDOUT_FILENO);
	const char *name;
	int err;

	err = command_parse(command, argc, argv, targets, &args);
	if (err)
		return command_exit_status(err);
	if (args.args.len > 1)
		return report(EXIT_USAGE, "help: one command at a time");
	if (args.args.len && (options.all || options.guides))
		return report(EXIT_USAGE, "help: a name, or -a or -g, not both");
	if (!args.args.len) {
		pager_start();
		if (options.all || !options.guides)
			print_overview(stdout, color);
		if (options.all && options.guides)
			putchar('\n');
		if (options.guides)
			guides_list();
		return EXIT_SHOWN;
	}
	name = args.args.data[0];
	/* Names of manual pages. */
	if (startswith(name, "retsnoop-"))
		name += strlen("retsnoop-");
	if (!strcmp(name, "version")) {
		print_version(stdout);
		return EXIT_SHOWN;
	}
	guide = guide_find(name);
	if (guide)
		return show_guide(guide);
	if (!strcmp(name, "retsnoop")) {
		manual_open(name);
		pager_start();
		print_overview(stdout, color);
		return EXIT_SHOWN;
	}
	manual_open_command(name);
	about = command_find(name);
	if (about) {
		pager_start();
		command_print_all_options(about, stdout, color);
		return EXIT_SHOWN;
	}
	err = external_exec(name, (char *[]){ NULL, (char *)"-h", NULL });
	return err == -ENOENT ? report_unknown_command(name) : EXIT_CANNOT;
}

static const char help_examples[] =
	"# The manual page of 'retsnoop lbr'\n"
	"retsnoop help lbr\n"
	"# The options that all tracing commands have\n"
	"retsnoop help options\n"
	"# From an errno to the line of kernel code, step by step\n"
	"retsnoop help tutorial";

const struct command cmd_help = {
	.name = "help",
	.summary = "open the manual page of a command, or a guide",
	.usage = "[NAME]\n-a|-g",
	.help = "Opens the manual page of a command or, if the page is not installed, prints what "
		"'retsnoop NAME --help-all' prints. Also opens the documents that -g lists, such as "
		"'tutorial' and 'config'. Without a name, lists the commands.",
	.examples = help_examples,
	.options = help_options,
	.silent = true,
	.run = help_run,
};
