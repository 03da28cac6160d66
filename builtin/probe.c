// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop probe`: probes inside a trace; `--list` lists the possible points. */
#include "builtin/suite/command.h"

#include <errno.h>
#include <string.h>

#include "builtin/suite/output_file.h"
#include "builtin/suite/pager.h"
#include "builtin/tracing.h"
#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/plan/points/probes.h"
#include "util/view/lists/probe_list.h"

static const char probe_help[] =
	"Shows probes inside the traces of calls, each with its data: kprobes and kretprobes "
	"(registers), tracepoints (fields), raw tracepoints (arguments), source lines. A point is "
	"kprobe:FUNC[+OFF], kretprobe:FUNC, tp:CATEGORY:NAME, rawtp:NAME, line:FILE:LINE, or "
	"@FILE with one per line; names may be globs. -Sn leaves out calls that succeed.\n"
	"\n"
	"--list lists the possible points, with their fields; --why explains why a point cannot "
	"be used.";

static const char probe_examples[] =
	"# When was the program off the CPU during the call?\n"
	"retsnoop probe tp:sched:sched_switch -e '*clock_nanosleep' -- sleep 1\n"
	"# Which instructions of a function did the call pass?\n"
	"retsnoop probe line:fs/namespace.c:3404 --syscall=mount -- mount none /mnt\n"
	"# Which tracepoints are there, with which fields?\n"
	"retsnoop probe --list 'tp:block:*'";

struct list_request {
	bool list, why;
	struct symbolizer_options symbols;
};

static const struct setting list_rows[] = {
	{ "list", .type = SETTING_FLAG, SETTING_FIELD(struct list_request, list),
	  .help = "List points with their fields: all, or those that a GLOB selects" },
	{ "why", .type = SETTING_FLAG, SETTING_FIELD(struct list_request, why),
	  .help = "Say of points whether they can be used, and why not" },
	{}
};

static const struct option_group list_options = { "Points", list_rows };
static const struct option_group *const only_list_options[] = { &list_options, NULL };

DEFINE_CLEANUP(struct probes *, probes_free)

static int list(struct kernel *kernel, const char *glob, const struct command_args *args)
{
	_cleanup_(probes_free_p) struct probes *probes = NULL;
	int err = probes_list(kernel, glob, NULL, &probes);

	if (err)
		return err == -ENOENT ? EXIT_NOTHING : err == -EINVAL ? EXIT_USAGE : EXIT_CANNOT;
	if (!probes->v.len) {
		report(-ENOENT, "no point matches '%s'", glob ?: "*");
		return EXIT_NOTHING;
	}
	pager_start();
	err = args->format == FORMAT_JSON ? probe_list_json(stdout, probes) :
					    probe_list_text(stdout, args->color, probes);
	return err && err != -EPIPE ? EXIT_CANNOT : EXIT_SHOWN;
}

static int print_why(struct kernel *kernel, const char *point, enum format format)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t usable;
	int err = probes_why(kernel, point, NULL, &usable, &text);

	if (err)
		return err == -EINVAL ? EXIT_USAGE : EXIT_CANNOT;
	err = format == FORMAT_JSON ? probe_why_json(stdout, point, usable, &text) :
				      probe_why_text(stdout, point, usable, &text);
	if (err)
		return EXIT_CANNOT;
	return usable ? EXIT_SHOWN : EXIT_NOTHING;
}

static const struct command list_command = {
	.name = "probe",
	.usage = "--list [GLOB...] | --why POINT...",
	.help = probe_help,
	.examples = probe_examples,
	.options = only_list_options,
	.formats = FORMAT_TEXT | FORMAT_JSON,
};

static int list_run(int argc, char **argv)
{
	_cleanup_(command_args_release) struct command_args args = {};
	_cleanup_(kernel_free_p) struct kernel *kernel = NULL;
	struct list_request request = { .symbols = { .level = SYMBOLIZE_AUTO, .live = true } };
	void *const targets[] = { &request };
	int err, worst = EXIT_SHOWN;

	err = command_parse(&list_command, argc, argv, targets, &args);
	if (err)
		return command_exit_status(err);
	if (request.list && request.why)
		return report(EXIT_USAGE, "probe: --list or --why, not both");
	if (request.why && !args.args.len)
		return report(EXIT_USAGE, "probe: --why needs a point, such as kprobe:do_exit");
	if (output_file_open(&args, NULL) || kernel_new(&request.symbols, &kernel))
		return EXIT_CANNOT;
	if (request.list && !args.args.len)
		return list(kernel, NULL, &args);
	vec_foreach(arg, &args.args) {
		err = request.list ? list(kernel, *arg, &args) :
				     print_why(kernel, *arg, args.format);
		if (err > worst)
			worst = err;
	}
	return worst;
}

static int probe_run(const struct command *command, int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--list") || !strcmp(argv[i], "--why"))
			return list_run(argc, argv);
	}
	return tracing_run(command, argc, argv, MODE_TRACE);
}

static const struct option_group *const probe_options[] = {
	TRACING_OPTIONS, &list_options, NULL,
};

const struct command cmd_probe = {
	.name = "probe",
	.summary = "show points in between, with what can be seen there",
	.usage = "POINT... " TRACING_USAGE "\n--list [GLOB...] | --why POINT...",
	.help = probe_help,
	.examples = probe_examples,
	.own_groups = tracing_own_groups,
	.options = probe_options,
	.formats = TRACING_FORMATS,
	.needs = NEED_TRACING,
	.takes_arguments = true,
	.run = probe_run,
};
