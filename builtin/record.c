// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop record`: trace into a file. */
#include "builtin/suite/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "builtin/show.h"
#include "builtin/tracing.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/trace/record/recording_path.h"
#include "util/trace/record/recording_write.h"
#include "util/trace/run/run.h"
#include "util/trace/session/assembler.h"
#include "util/view/parts/ledger_json.h"
#include "util/view/parts/recording_json.h"

#define DEFAULT_PATH "retsnoop.data"

static const char record_help[] =
	"Traces like the other commands, and writes the records to a file instead of showing "
	"them. 'retsnoop report' shows the file on any machine, as the other commands would have, "
	"with other filters, modes and formats if wanted.\n"
	"\n"
	"Stacks and traces are both recorded, unless --no-call-stack or --no-trace is given; "
	"arguments, points and branches only with their options. Data is safe in the file after a "
	"second, even if retsnoop is killed.";

static const char record_examples[] =
	"# Record the failing calls of a program, to look at them on another machine\n"
	"retsnoop record -o bpf.data -e '*_sys_bpf' -a ':kernel/bpf/*.c' -- ./program\n"
	"# Show them, as root: only the owner may read the file\n"
	"retsnoop report bpf.data\n"
	"# Record until Ctrl-C, with arguments, in at most 64 MB\n"
	"retsnoop record -A --max-size=64M -c bpf -x EPERM";

struct record {
	const char *path;	/* NULL: standard output */
	bool full_btf, live;
	uint64_t max_bytes;

	/* The state of a recording run. */
	struct tracing *tracing;
	struct recorder *recorder;
	uint64_t records;
	struct show show;
	struct run_output output;	/* standard output, when the recording goes there */
};

static int parse_output(const struct setting *setting, void *target, const char *value, bool on)
{
	struct record *record = target;

	if (!*value)
		return report(-EINVAL, "-o: the name of a file is missing");
	record->path = strcmp(value, "-") ? value : NULL;
	return 0;
}

static const struct setting record_rows[] = {
	{ "output", 'o', .type = SETTING_CUSTOM, .arg = "FILE", .parse = parse_output,
	  .help = "Record to FILE, or with - to standard output; " DEFAULT_PATH " by default. An "
		  "existing recording is kept as FILE.old" },
	{ "max-size", .type = SETTING_SIZE, .arg = "SIZE",
	  SETTING_FIELD(struct record, max_bytes), .min = RECORDING_MIN_SIZE, .max = UINT64_MAX,
	  .values = "a size of at least 1M",
	  .help = "Use at most this much space (64M, 1G): when half of it is used, FILE becomes "
		  "FILE.1 in place of an older FILE.1" },
	{ "full-btf", .type = SETTING_FLAG, SETTING_FIELD(struct record, full_btf),
	  .help = "Keep all of the kernel's types, not only those of captured arguments" },
	{ "live", .type = SETTING_FLAG, SETTING_FIELD(struct record, live),
	  .help = "Also show the sessions on standard output" },
	{}
};

static const struct option_group record_options = { "Recording", record_rows };

static const struct option_group *const record_groups[] = {
	&record_options, TRACING_OPTIONS, NULL,
};

/* For a tracing_way: the modes that the same options would show without a command. */
static unsigned int modes_shown(const struct trace_request *request)
{
	const unsigned int parts = MODE_STACK | MODE_TRACE | MODE_BRANCHES;
	unsigned int modes = request->modes_asked & parts;

	if (!(modes & (MODE_STACK | MODE_TRACE)))
		modes |= MODE_STACK;
	modes &= request->modes;
	return (modes ?: request->modes & parts) | (request->modes & ~parts);
}

/* A tracing_way's. */
static int check_record(struct tracing *tracing, void *own)
{
	struct trace_request *request = &tracing->request;
	struct record *record = own;

	if (request->summary)
		return report(-EINVAL, "--summary cannot be combined with record; record without it, "
				       "and count with 'retsnoop report --summary'");
	if (tracing->args.format != FORMAT_TEXT && tracing->args.format != FORMAT_JSON &&
	    !record->live)
		return report(-EINVAL, "--format=%s is for what --live shows; 'retsnoop report' has "
				       "it, too", format_name(tracing->args.format));
	if (tracing->args.format == FORMAT_JSON && !record->path)
		return report(-EINVAL, "--format=json and the recording cannot both go to standard "
				       "output");
	if (!record->path && record->max_bytes)
		return report(-EINVAL, "--max-size cannot remove older data from standard output; "
				       "give a file with -o");
	if (!record->path && record->live)
		return report(-EINVAL, "--live and the recording cannot both go to standard output");
	if (!record->path && isatty(STDOUT_FILENO))
		return report(-EINVAL, "a recording cannot go to a terminal; give a file with -o, or "
				       "a pipe");
	if (request->dry_run || !record->path)
		return 0;
	/* Attaching may take long: report an error before it. */
	return recording_path_check(record->path, record->max_bytes);
}

static int write_stdout(void *arg, const void *data, size_t size)
{
	struct record *record = arg;

	errno = 0;
	if (fwrite(data, 1, size, record->output.file) == size && !fflush(record->output.file))
		return 0;
	if (errno == EPIPE)
		return -EPIPE;
	return report(-(errno ?: EIO), "cannot write the recording: %s", strerror(errno ?: EIO));
}

static int fill_meta(const struct record *record, const struct session_rules *rules,
		     struct recording_meta *meta)
{
	const struct trace_request *request = &record->tracing->request;
	time_t now = time(NULL);
	struct utsname uts = {};
	struct tm tm;

	localtime_r(&now, &tm);
	uname(&uts);
	*meta = (struct recording_meta){
		.tool = strdup("retsnoop " RETSNOOP_VERSION),
		.command_line = strdup(record->show.live.origin.command_line),
		.host = strdup(uts.nodename),
		.clock = { .offset_ns = record->show.clock.offset_ns },
		.utc_offset_s = tm.tm_gmtoff,
		.start_ns = now_ns(),
		.modes = request->modes,
		.shown_modes = request->shown_modes,
		.successes = trace_request_shows_successes(request),
		.interim = request->interim,
		.trampoline = rules->trampoline,
		.trampoline_end = rules->trampoline_end,
	};
	meta->clock_sync = wall_clock_sync(&meta->clock_error_us);
	settings_copy_recorded(&meta->settings, request);
	vec_foreach(rule, &request->error_rules) {
		struct error_rule copy = { .expr.terms = rule->expr.terms,
					   .expr.text = strdup(rule->expr.text) };

		if (!copy.expr.text || vec_push(&meta->error_rules, copy)) {
			free(copy.expr.text);
			return report_oom();
		}
	}
	return meta->tool && meta->command_line && meta->host ? 0 : report_oom();
}

static int on_ready(void *arg, const struct session_rules *rules)
{
	struct record *record = arg;
	struct recorder_options options = {
		.path = record->path,
		.sink = { write_stdout, record },
		.clock = &record->show.clock,
		.cgroups = record->show.cgroup_watch,
		.full_btf = record->full_btf,
		.max_bytes = record->max_bytes,
	};
	struct recording_meta meta;
	int err = fill_meta(record, rules, &meta);

	if (err)
		recording_meta_release(&meta);
	err = err ?: recorder_new(&options, record->tracing->kernel, rules->plan, rules->attached,
				  &meta, &record->recorder);
	if (!err)
		say(VERBOSITY_NORMAL, "Receiving data...");
	return err;
}

static int on_record(void *arg, const void *data, size_t size)
{
	struct record *record = arg;

	record->records++;
	return recorder_record(record->recorder, data, size);
}

static int on_tick(void *arg, const struct ledger *ledger)
{
	struct record *record = arg;

	return recorder_flush(record->recorder, ledger);
}

static int on_modules(void *arg, uint32_t first)
{
	struct record *record = arg;

	return recorder_modules_changed(record->recorder, first);
}

static int on_session(void *arg, const struct session *session)
{
	struct record *record = arg;

	return show_session(&record->show, session);
}

static void say_what_was_written(const struct record *record)
{
	struct recorder_stats stats;
	const char *path = record->path;
	bool two, named;

	recorder_stats(record->recorder, &stats);
	if (!path)
		return;
	two = stats.files > 1;
	named = two || strcmp(path, DEFAULT_PATH);
	say(VERBOSITY_NORMAL, "retsnoop: %llu session%s in %s%s%s (%llu KiB); 'retsnoop report%s%s%s%s%s' "
	    "shows %s",
	    (unsigned long long)stats.sessions, stats.sessions == 1 ? "" : "s",
	    two ? path : "", two ? ".1 and " : "", path,
	    (unsigned long long)(stats.bytes + 1023) / 1024,
	    two ? " " : "", two ? path : "", two ? ".1" : "", named ? " " : "", named ? path : "",
	    stats.sessions == 1 ? "it" : "them");
	if (stats.dropped)
		say(VERBOSITY_NORMAL, "retsnoop: %llu older session%s had to go; a larger --max-size "
		    "keeps more", (unsigned long long)stats.dropped, stats.dropped == 1 ? "" : "s");
}

/* Print the result as JSON; standard error has the same as text. */
static int print_json(const struct record *record, const struct run_result *result)
{
	FILE *out = record->live ? record->show.output.file : stdout;
	struct recorder_stats stats;
	int err;

	recorder_stats(record->recorder, &stats);
	err = recording_json_print(record->path, &stats, record->records, out);
	if (!err && !record->live)
		err = ledger_json_print(&result->ledger, out);
	return err == -EPIPE ? 0 : err;
}

/* Write the end of the recording even if parts before it were left out, unless nobody reads it. */
static int on_end(void *arg, struct run_result *result)
{
	struct record *record = arg;
	bool json = record->tracing->args.format == FORMAT_JSON;
	int err = 0;

	result->ledger.recorded = true;
	if (record->recorder && (record->path || !result->output_stuck))
		err = recorder_end(record->recorder, &result->ledger);
	if (err == -EPIPE)
		err = 0;
	if (!err && record->recorder && json && !result->output_stuck)
		err = print_json(record, result);
	if (err)
		return err;
	if (record->live)
		show_end(&record->show, result);
	if (record->recorder)
		say_what_was_written(record);
	tracing_say_end(result);
	return 0;
}

/* A tracing_way's. */
static int record_run_traced(struct tracing *tracing, void *own)
{
	_cleanup_(free_p) char *command_line = tracing_command_line(tracing);
	struct record *record = own;
	struct run_handler handler = { .record = on_record, .tick = on_tick, .ready = on_ready,
				       .end = on_end, .modules = on_modules, .arg = record,
				       .clock = &record->show.clock };
	struct run_result result = {};
	int err = command_line ? show_init_live(&record->show, tracing->plan,
						&tracing->attached, tracing->kernel,
						&tracing->request, true) : report_oom();

	if (err)
		return EXIT_CANNOT;
	handler.cgroups = record->show.cgroup_watch;
	record->tracing = tracing;
	record->show.modes = tracing->request.shown_modes;
	record->show.context.color = tracing->args.color;
	record->show.live.origin.command_line = command_line;
	if (record->live) {
		err = show_open(&record->show, &tracing->request, tracing->args.format);
		handler.session = on_session;
		handler.output = &record->show.output;
	} else if (!record->path) {
		err = run_output_open(&record->output);
		handler.output = &record->output;
	}
	err = err ?: run_trace(tracing->kernel, tracing->plan, &tracing->request, &handler,
			       &tracing->attached, &result);
	if (err && record->recorder)
		say_what_was_written(record);
	recorder_free(record->recorder);
	show_close(&record->show);
	run_output_close(&record->output);
	return err ? EXIT_CANNOT : tracing_status(&tracing->request, &result);
}

static int record_run(const struct command *command, int argc, char **argv)
{
	struct record record = { .path = DEFAULT_PATH };
	const struct tracing_way way = {
		.modes = MODE_STACK | MODE_TRACE,
		.own = &record,
		.shown = modes_shown,
		.check = check_record,
		.run = record_run_traced,
	};

	return tracing_run_as(command, argc, argv, &way);
}

const struct command cmd_record = {
	.name = "record",
	.summary = "keep what is traced in a file",
	.usage = "[-o FILE] " TRACING_USAGE,
	.help = record_help,
	.examples = record_examples,
	.own_groups = tracing_own_groups,
	.options = record_groups,
	.formats = TRACING_FORMATS,
	.needs = NEED_TRACING,
	.run = record_run,
};
