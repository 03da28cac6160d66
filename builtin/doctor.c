// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop doctor`: what this machine lets retsnoop do, and what would help. */
#include "builtin/suite/command.h"

#include <bpf/libbpf.h>
#include <stdio.h>
#include <unistd.h>

#include "builtin/suite/output_file.h"
#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/base/terminal.h"
#include "util/kernel/bpf/memory_reader.h"
#include "util/kernel/debug/debuginfod.h"
#include "util/kernel/kernel.h"
#include "util/kernel/types/btf.h"
#include "util/trace/attach/self_test.h"
#include "util/trace/branches/branch_events.h"
#include "util/trace/doctor/diagnosis.h"
#include "util/view/lists/doctor_view.h"
#include "util/view/parts/output.h"

DEFINE_CLEANUP(struct kernel_btf *, kernel_btf_free)
DEFINE_CLEANUP(struct debuginfo *, debuginfo_free)

/* libbpf would print to stderr what the checks report. */
static int be_silent(enum libbpf_print_level level, const char *fmt, va_list args)
{
	return report_verbosity() >= VERBOSITY_TRACE ? vfprintf(stderr, fmt, args) : 0;
}

/* Tests the attach methods, which attaches to functions for a moment. */
static void prove_rungs(struct features *features)
{
	const struct symbolizer_options options = { .live = true };
	_cleanup_(kernel_free_p) struct kernel *kernel = NULL;
	struct self_test *test;

	if (kernel_new(&options, &kernel) || features_probe(kernel, features))
		return;
	test = self_test_new(kernel);
	for (int rung = 0; test && rung < NR_RUNGS; rung++) {
		if (features->rungs[rung])
			self_test_prove(test, features, rung);
	}
	self_test_free(test);
}

static void try_all(const struct machine *machine, struct trials *trials)
{
	_cleanup_(kernel_btf_free_p) struct kernel_btf *btf = NULL;

	kernel_btf_of_running(NULL, &btf);
	trials->load = features_try(btf, &trials->features);
	trials->features_known = !trials->load;
	if (trials->load && btf) {
		features_of_btf(btf, &trials->features);
		trials->features_known = true;
	}
	trials->ring_buffer = features_try_ring_buffer();
	trials->btf_ids = features_try_btf_ids();
	trials->perf = features_try_perf();
	trials->branches = branch_events_try();
	if (machine->kcore.err) {
		struct memory_reader *reader = memory_reader_new();

		trials->reads_memory = reader;
		memory_reader_free(reader);
	}
	if (!trials->load && !machine->addresses_hidden)
		prove_rungs(&trials->features);
	if (!trials->load) {
		features_try_contexts(btf, &trials->features.contexts);
		trials->hardirq = contexts_try(&trials->features.contexts.count);
	}
	trials->libbpf = KERNEL_VERSION_OF(libbpf_major_version(), libbpf_minor_version());
}

static void find_debug_info(const struct machine *machine, struct trials *trials, char **ret_path)
{
	const struct kernel_place place = { "", machine->release };
	_cleanup_(debuginfo_free_p) struct debuginfo *info = NULL;
	struct build_id running = {};

	build_id_read("/sys/kernel/notes", &running);
	trials->vmlinux = debuginfo_find_vmlinux(&place, &running, ret_path, &info);
	trials->vmlinux_path = *ret_path;
	trials->debuginfod = debuginfod_available();
}

static int print_checks(const struct command_args *args, const struct machine *machine,
			const struct diagnosis *diagnosis)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct doctor_view view = {
		.width = terminal_width(STDOUT_FILENO),
		.color = args->color,
		.verbose = report_verbosity() >= VERBOSITY_VERBOSE,
	};

	if (args->format == FORMAT_JSON)
		doctor_view_json(&text, machine, diagnosis);
	else
		doctor_view_text(&text, &view, machine, diagnosis);
	return args->format == FORMAT_JSON ? output_data(stdout, &text) : output_text(stdout, &text);
}

static int doctor_run(const struct command *command, int argc, char **argv)
{
	static const int statuses[] = {
		[VERDICT_WORKS] = EXIT_SHOWN,
		[VERDICT_LIMITED] = EXIT_NOTHING,
		[VERDICT_IMPOSSIBLE] = EXIT_CANNOT,
	};
	_cleanup_(command_args_release) struct command_args args = {};
	_cleanup_(free_p) char *vmlinux = NULL;
	struct diagnosis diagnosis;
	struct progress progress;
	struct machine machine;
	struct trials trials = {};
	int err;

	err = command_parse(command, argc, argv, NULL, &args);
	if (err)
		return command_exit_status(err);
	if (args.args.len)
		return report(EXIT_USAGE, "doctor: unexpected argument '%s'",
			      args.args.data[0]);
	if (output_file_open(&args, NULL))
		return EXIT_CANNOT;
	libbpf_set_print(be_silent);
	progress = progress_start("Looking at this machine");
	machine_read("", &machine);
	try_all(&machine, &trials);
	find_debug_info(&machine, &trials, &vmlinux);
	progress_end(&progress);
	if (diagnose(&machine, &trials, &diagnosis))
		return EXIT_CANNOT;
	err = print_checks(&args, &machine, &diagnosis);
	diagnosis_release(&diagnosis);
	return err && err != -EPIPE ? EXIT_CANNOT : statuses[diagnosis.verdict];
}

static const char doctor_help[] =
	"Checks what this kernel, this CPU and this user's privileges allow, and which debug info is "
	"installed. For each limited or missing feature, it reports the effect on tracing, and the remedy. "
	"Nothing is changed. Each attach method is tested on known calls: for a moment it is attached to "
	"the functions that getpriority(2) or getsid(2) call. For an ordinary user, it lists what it could "
	"not find out.";

static const char doctor_examples[] =
	"# Can retsnoop work here? What would help?\n"
	"retsnoop doctor\n"
	"# With the test of each attach method\n"
	"retsnoop doctor -v\n"
	"# For a program, one object per line\n"
	"retsnoop doctor --json";

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "say what this machine allows, and what would help",
	.usage = "[-v] [--format=FORMAT]",
	.help = doctor_help,
	.examples = doctor_examples,
	.formats = FORMAT_TEXT | FORMAT_JSON,
	.run = doctor_run,
};
