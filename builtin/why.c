// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop why`: from a failing command to the kernel code that decided it. */
#include "builtin/suite/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "builtin/suite/output_file.h"
#include "builtin/why_recording.h"
#include "util/ask/processes.h"
#include "util/ask/setting_parsers.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/text/errnames.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/debug/source_text.h"
#include "util/kernel/kernel.h"
#include "util/trace/run/workload.h"
#include "util/view/parts/output.h"
#include "util/why/answer.h"
#include "util/why/watch/watch.h"

#define DEFAULT_RUNS 16

struct why_options {
	struct why_ask ask;
	struct trace_request filters;	/* -p -n --cgroup --pod --container --unit */
	const char *vmlinux, *source;	/* of the command line */
	const char *recording;		/* -i; NULL: none */
	bool once;
};

/* Into the text that is the field; borrowed from the command line. */
static int parse_text(const struct setting *setting, void *target, const char *value, bool on)
{
	if (!*value)
		return report(-EINVAL, "option '--%s' needs a value: %s", setting->name,
			      setting->arg);
	memcpy((char *)target + setting->offset, &value, sizeof(value));
	return 0;
}

static int parse_errno(const struct setting *setting, void *target, const char *value, bool on)
{
	struct why_options *options = target;

	options->ask.err = errno_parse(value);
	if (options->ask.err <= 0)
		return report(-EINVAL, "-x %s: no such errno; for example EINVAL", value);
	return 0;
}

static const struct setting why_rows[] = {
	{ "syscall", .type = SETTING_CUSTOM, .arg = "NAME", .parse = parse_text,
	  SETTING_FIELD(struct why_options, ask.syscall),
	  .help = "Explain the last failure of this system call: mount, umount2" },
	{ "entry", 'e', .type = SETTING_CUSTOM, .arg = "FUNC", .parse = parse_text,
	  SETTING_FIELD(struct why_options, ask.entry),
	  .help = "Begin at this function in place of the system call's own: one that it calls" },
	{ "allow-errors", 'x', .type = SETTING_CUSTOM, .arg = "ERRNO", .parse = parse_errno,
	  .help = "Explain the last call that failed with this errno" },
	{ "call", .type = SETTING_NUMBER, .arg = "N", .min = 1, .max = 100000,
	  .values = "a number from 1",
	  SETTING_FIELD(struct why_options, ask.call),
	  .help = "Explain the failure that is listed as number N" },
	{ "runs", .type = SETTING_NUMBER, .arg = "N", .min = 1, .max = 1000,
	  .values = "a number from 1 to 1000",
	  SETTING_FIELD(struct why_options, ask.max_runs),
	  .help = "Run the command at most N times (16)" },
	{ "user", 'u', .type = SETTING_CUSTOM, .arg = "USER", .parse = parse_text,
	  SETTING_FIELD(struct why_options, ask.user),
	  .help = "Run it as this user, with its groups and HOME" },
	{ "once", .type = SETTING_FLAG, SETTING_FIELD(struct why_options, once),
	  .help = "Run the command once; with --syscall or -e, explain as far as one run shows" },
	{ "input", 'i', .type = SETTING_CUSTOM, .arg = "FILE", .parse = parse_text,
	  SETTING_FIELD(struct why_options, recording),
	  .help = "Explain a failure of this recording; nothing is run" },
	{ "source", .type = SETTING_CUSTOM, .arg = "DIR", .parse = parse_text,
	  SETTING_FIELD(struct why_options, source),
	  .help = "Kernel source tree, to show the lines that decided; unless given, one that the "
		  "distribution installed" },
	{ "kernel", 'k', .type = SETTING_CUSTOM, .arg = "VMLINUX", .parse = parse_text,
	  SETTING_FIELD(struct why_options, vmlinux),
	  .help = "Debug info of the running kernel" },
	{ "debuginfod", .flags = SETTING_NEGATABLE | SETTING_IN_FULL, .type = SETTING_FLAG,
	  SETTING_FIELD(struct why_options, filters.symbols.debuginfod),
	  .help = "Ask debuginfod servers for missing debug info" },
	{}
};

static const struct setting filter_rows[] = {
	{ "pid", 'p', .type = SETTING_CUSTOM, .arg = "PID", .parse = parse_pids,
	  .help = "Without a command: processes to wait for" },
	{ "comm", 'n', .type = SETTING_CUSTOM, .arg = "NAME", .parse = parse_comm,
	  .help = "Only threads with these names, or of @FILE" },
	{ "cgroup", .type = SETTING_CUSTOM, .arg = "PATH", .parse = parse_cgroup,
	  .help = "Only processes in this cgroup or below it; may be a glob" },
	{ "pod", .type = SETTING_CUSTOM, .arg = "UID", .parse = parse_cgroup_owner, .value = CGROUP_POD,
	  .help = "Only processes of this Kubernetes pod" },
	{ "container", .type = SETTING_CUSTOM, .arg = "ID", .parse = parse_cgroup_owner,
	  .value = CGROUP_CONTAINER,
	  .help = "Only processes of this container; the beginning of its id will do" },
	{ "unit", .type = SETTING_CUSTOM, .arg = "NAME", .parse = parse_cgroup_owner,
	  .value = CGROUP_UNIT,
	  .help = "Only processes of this unit of systemd; may be a glob" },
	{}
};

static const struct option_group why_group = { .settings = why_rows };
static const struct option_group filter_group = { "Which processes", filter_rows };
static const struct option_group *const why_options[] = { &why_group, &filter_group, NULL };

/* How the command, or the waiting, ended where no call is explained. */
static void say_end(const struct why *why)
{
	const char *name = why->ask->command ? why->ask->command[0] : NULL;
	int status = why->watched.wait_status;

	if (!name && why->watched.gone)
		report(0, "no call failed so before the process exited");
	else if (!name)
		report(0, "no call failed so%s", why->watched.calls.v.len ?
			       "; --call N explains one of those that are listed" : "");
	else if (why->watched.interrupted)
		report(0, "'%s' was interrupted in its first run; -p or -n explains calls of a command that goes on", name);
	else if (WIFSIGNALED(status))
		report(0, "'%s' was killed by signal %d (%s), and no system call of it failed before "
			  "in a way that tells why", name, WTERMSIG(status),
		       strsignal(WTERMSIG(status)));
	else if (why->ask->syscall || why->ask->err)
		report(0, "no call of '%s' failed so; it exited with status %d", name,
		       WEXITSTATUS(status));
	else if (!WEXITSTATUS(status) && why->watched.calls.v.len &&
		 vec_find(event, &why->watched.calls.events, event->kind == WATCH_WROTE))
		report(0, "'%s' succeeded, and none of these calls explains its message; --call N explains "
			  "one of them", name);
	else if (!WEXITSTATUS(status) && why->watched.calls.v.len)
		report(0, "'%s' succeeded and wrote no error; --call N explains one of these calls",
		       name);
	else if (why->watched.calls.v.len)
		report(0, "'%s' exited with status %d, and none of these calls says why; --call N "
			  "explains one of them", name, WEXITSTATUS(status));
	else
		report(0, "no system call of '%s' failed; it exited with status %d", name,
		       WEXITSTATUS(status));
}

static int show(struct why *why, const struct why_options *options, const struct command_args *args)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct answer_options answer = {
		.color = args->color,
		.verbose = report_verbosity() >= VERBOSITY_VERBOSE,
	};
	struct utsname name;
	int err;

	uname(&name);
	err = source_text_open(options->source, options->source ? NULL : name.release,
			       &answer.source);
	if (err && (err != -ENOENT || options->source))
		return EXIT_CANNOT;
	err = args->format == FORMAT_JSON ? answer_json(why, &answer, &text) :
					    answer_text(why, &answer, &text);
	if (!err)
		err = args->format == FORMAT_JSON ? output_data(stdout, &text) :
						    output_text(stdout, &text);
	source_text_close(answer.source);
	if (err)
		return EXIT_CANNOT;
	return answer_is_known(why) ? EXIT_SHOWN : EXIT_NOTHING;
}

static int explain(struct why_options *options, const struct command_args *args)
{
	const struct symbolizer_options symbols = {
		.live = true,
		.vmlinux = options->vmlinux,
		.debuginfod = options->filters.symbols.debuginfod,
	};
	struct kernel *kernel = NULL;
	struct why why = {};
	int err, status = EXIT_CANNOT;

	err = kernel_new(&symbols, &kernel);
	if (err)
		return EXIT_CANNOT;
	err = why_run(kernel, &options->ask, &why);
	if (!err && ((why.chosen < 0 && !why.death) || (why.watched.interrupted && options->ask.command)))
		say_end(&why);
	if (!err)
		status = show(&why, options, args);
	else if (err == -EINVAL)
		status = EXIT_USAGE;
	why_end(&why);
	kernel_free(kernel);
	return status;
}

/* What does not go together. 0; -EINVAL, -EPERM (reported). */
static int check_options(const struct why_options *options)
{
	const struct trace_request *filters = &options->filters;
	int err;

	if (options->once && options->ask.max_runs > 1)
		return report(-EINVAL, "--once means one run: --runs cannot be combined with it");
	if (options->ask.command && filters->allow_pids.len)
		return report(-EINVAL, "-p cannot be combined with a command, whose processes are "
				       "followed");
	if (options->ask.command)
		return options->ask.user ? workload_check_user(options->ask.user) : 0;
	if (!filters->allow_pids.len && !filters->allow_comms.len && !filters->cgroups.len &&
	    !filters->cgroup_patterns.len)
		return report(-EINVAL, "no command to explain; it goes after '--', for example "
				       "'retsnoop why -- mount none /mnt'. -p, -n, --cgroup, --pod, "
				       "--container or --unit waits for a failure of processes "
				       "that run already");
	if (options->ask.user)
		return report(-EINVAL, "-u needs a command to run, after '--'");
	err = processes_check(filters);
	if (!err)
		processes_say_unused_names(filters);
	return err;
}

/* It is shown as `report` shows it, which takes a request. */
static int explain_recording(struct why_options *options, const struct command_args *args)
{
	struct trace_request *request = &options->filters;

	if (options->vmlinux && !(request->vmlinux_path = strdup(options->vmlinux)))
		return EXIT_CANNOT;
	if (options->source && !(request->source_dir = strdup(options->source)))
		return EXIT_CANNOT;
	return why_recording(options->recording, &options->ask, options->once, request, args);
}

static int run_why(const struct command *command, struct why_options *options,
		   const struct command_args *args)
{
	int err;

	options->ask.command = args->workload;
	options->ask.filters = &options->filters;
	if (!arch_native->has_why) {
		report(-EOPNOTSUPP, "why reads no machine code of %s", arch_native->name);
		return EXIT_CANNOT;
	}
	if (options->recording)
		return explain_recording(options, args);
	if (!options->ask.max_runs)
		options->ask.max_runs = options->once ? 1 : DEFAULT_RUNS;
	err = check_options(options);
	if (err)
		return command_exit_status(err);
	if (command_check_needs(command) || output_file_open(args, &options->ask.stdout_fd))
		return EXIT_CANNOT;
	return explain(options, args);
}

static int why_command_run(const struct command *command, int argc, char **argv)
{
	_cleanup_(command_args_release) struct command_args args = {};
	struct why_options options = {};
	void *const targets[] = { &options, &options.filters };
	int err, status;

	trace_request_init(&options.filters);
	err = settings_load(&options.filters) ?: command_parse(command, argc, argv, targets, &args);
	status = err ? command_exit_status(err) : run_why(command, &options, &args);
	trace_request_release(&options.filters);
	return status;
}

static const char why_help[] =
	"Runs a command, finds the system call that made it fail, and prints the branch of kernel "
	"code that decided the failure; with debug info installed, also its source line. No "
	"function has to be named, and the CPU need not record branches: the command is run again "
	"with probes in the functions that handed the error up, until the way through each of "
	"them is known.\n"
	"\n"
	"If several calls failed, the last one before the command wrote to its standard error, or "
	"exited with a status other than 0, is explained. The others are listed.\n"
	"\n"
	"Without a command, -p, -n, --cgroup, --pod, --container or --unit waits for the next "
	"failure of such processes, and then for the same failure again, as often as needed. -i "
	"explains a failure of a recording.";

static const char why_examples[] =
	"# Why does this mount fail?\n"
	"retsnoop why -- mount --make-private /mnt\n"
	"# As the user who called sudo, who lacks root's privileges\n"
	"sudo retsnoop why -u \"$USER\" -- ls /root\n"
	"# Which system calls fail, and then one of them\n"
	"retsnoop why --once -- ./program\n"
	"retsnoop why --call=2 -- ./program";

const struct command cmd_why = {
	.name = "why",
	.summary = "say which kernel code made a command fail",
	.usage = "[--syscall NAME | -e FUNC] [-x ERRNO] [--call N] [--runs N] [--once] [-p PID] "
		 "[-n NAME] [--cgroup PATH] [--pod UID] [--container ID] [--unit NAME] [-u USER] [-v] [-- COMMAND [ARG...]]\n"
		 "-i FILE [--syscall NAME | -e FUNC] [-x ERRNO] [--call N] [-p PID] [-n NAME]",
	.help = why_help,
	.examples = why_examples,
	.options = why_options,
	.formats = FORMAT_TEXT | FORMAT_JSON,
	.needs = NEED_TRACING,
	.run = why_command_run,
};
