// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop export`: failing calls and their counts, for programs that watch machines. */
#include "builtin/suite/command.h"

#include <errno.h>
#include <stdlib.h>

#include "builtin/show.h"
#include "builtin/tracing.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/export/exporter.h"
#include "util/export/http_server.h"
#include "util/export/journal.h"
#include "util/export/metrics_file.h"
#include "util/export/otlp.h"
#include "util/export/otlp_config.h"
#include "util/trace/run/run.h"

#define DEFAULT_MAX_SERIES 1000
#define DEFAULT_INTERVAL_NS (15 * NSEC_PER_SEC)

/* How often BPF's counts are taken over. */
#define COUNT_NS NSEC_PER_SEC

static const char export_help[] =
	"Counts failing calls until it is stopped, as a service. Prometheus gets the counts from "
	"a file for node_exporter's textfile collector (--prom), or over HTTP (--listen). The "
	"kernel counts: a failing call sends nothing to user space. With --otlp or --journal, "
	"each failing call is sent to user space, and on to OpenTelemetry or the journal.\n"
	"\n"
	"retsnoop_failures_total has the labels entry, errno, producer (the function that the "
	"error came from) and the label that --by names. retsnoop_lost_total is the loss report.";

static const char export_examples[] =
	"# Failing system calls, for node_exporter\n"
	"retsnoop export --syscall mount,bpf -a '*mount*' --prom retsnoop.prom\n"
	"# For a Prometheus on this machine\n"
	"retsnoop export --syscall openat -X ENOENT --by unit --listen 9435\n"
	"# Each failing call of a container, to OpenTelemetry's collector\n"
	"retsnoop export -c bpf --container 3f5ab1c9d0e4 --otlp";

struct export {
	const char *path;
	bool listens, allow_remote;
	struct http_address address;
	uint64_t interval_ns;
	enum export_by by;
	uint32_t max_series;
	bool sends_otlp, sends_journal;
	struct otlp_config otlp_config;

	/* While it runs: what lasts when SIGHUP lets another run take the place of this one. */
	const struct command *command;
	int argc;
	char **argv;
	struct exporter exporter;
	struct http_server *server;
	bool runs, serves;	/* the exporter was made; the server was started */
	uint64_t stopped_ns;	/* when the run before ended; 0: there was none */
	/* Of one run. */
	struct show show;
	bool reload;
};

static int parse_path(const struct setting *setting, void *target, const char *value, bool on)
{
	struct export *export = target;

	if (!*value)
		return report(-EINVAL, "--prom: the name of a file is missing");
	export->path = value;
	return 0;
}

static int parse_listen(const struct setting *setting, void *target, const char *value, bool on)
{
	struct export *export = target;

	if (http_address_parse(value, &export->address))
		return report(-EINVAL, "--listen: '%s' is not a port or an address; try 9435 or "
				       "127.0.0.1:9435", value);
	export->listens = true;
	return 0;
}

static const struct setting_choice by_choices[] = {
	{ "nothing", NULL, EXPORT_BY_NOTHING }, { "comm", NULL, EXPORT_BY_COMM },
	{ "cgroup", NULL, EXPORT_BY_CGROUP },	{ "pod", NULL, EXPORT_BY_POD },
	{ "container", NULL, EXPORT_BY_CONTAINER }, { "unit", NULL, EXPORT_BY_UNIT }, {},
};

static const struct setting export_rows[] = {
	{ "prom", .type = SETTING_CUSTOM, .arg = "FILE", .parse = parse_path,
	  .help = "Write the metrics to FILE, which is replaced as a whole, every --interval and at "
		  "the end" },
	{ "interval", .type = SETTING_TIME, SETTING_FIELD(struct export, interval_ns),
	  .arg = "SECONDS", .unit = NSEC_PER_SEC, .min = NSEC_PER_SEC,
	  .values = "a time of at least a second; try 15 (seconds) or 1m",
	  .help = "How often to write that file (15)" },
	{ "listen", .flags = SETTING_IN_FULL, .type = SETTING_CUSTOM, .arg = "[ADDRESS:]PORT", .parse = parse_listen,
	  .help = "Serve the metrics at http://ADDRESS:PORT/metrics; by default on 127.0.0.1" },
	{ "allow-remote", .flags = SETTING_IN_FULL, .type = SETTING_FLAG,
	  SETTING_FIELD(struct export, allow_remote),
	  .help = "Let --listen have an address that other machines reach" },
	{ "by", .type = SETTING_CHOICE, SETTING_FIELD(struct export, by), .arg = "WHAT",
	  .choices = by_choices, .max = EXPORT_BY_UNIT,
	  .values = "nothing, comm, cgroup, pod, container or unit",
	  .help = "Label of whose call failed: comm (name of the process, the default; -n compares the "
		  "thread's), cgroup, pod, container, unit or nothing" },
	{ "max-series", .type = SETTING_COUNT, SETTING_FIELD(struct export, max_series), .arg = "N",
	  .min = 1, .max = 100000, .values = "a number from 1 to 100000",
	  .help = "Count at most N label sets apart (1000), all others as \"other\"" },
	{ "otlp", .flags = SETTING_IN_FULL, .type = SETTING_FLAG,
	  SETTING_FIELD(struct export, sends_otlp),
	  .help = "Send each failing call as a log record of OpenTelemetry, by HTTP and in JSON, to "
		  "OTEL_EXPORTER_OTLP_ENDPOINT (http://localhost:4318)" },
	{ "journal", .type = SETTING_FLAG, SETTING_FIELD(struct export, sends_journal),
	  .help = "Send each failing call to systemd's journal, with fields" },
	{}
};

static const struct option_group export_options = { "Exporting", export_rows };

static const struct option_group *const export_groups[] = {
	&export_options, &function_options, &args_options, &filter_options, &error_options,
	&run_options, &attach_options, &symbol_options, &general_options, NULL,
};

/* Refuse options that make no sense when failing calls are counted. */
static int check_request(const struct trace_request *request, bool sends)
{
	if (request->success == SUCCESS_YES || request->result.terms.nr)
		return report(-EINVAL, "export counts calls that failed; it cannot be combined with %s",
			      request->success == SUCCESS_YES ? "-S" : "--return");
	if (request->interim)
		return report(-EINVAL, "export counts calls that failed; it cannot be combined with -I");
	if (trace_request_has_args(request) || request->probes.v.len)
		return report(-EINVAL, "export has no arguments and points; it cannot be combined with "
				       "-A, --args or -J");
	if (request->trace_context && !sends)
		return report(-EINVAL, "--trace-context is for single calls; it needs --otlp or --journal");
	if (request->max_sessions)
		return report(-EINVAL, "--max-sessions cannot be combined with export; --duration ends it");
	return 0;
}

/* A tracing_way's. */
static int check(struct tracing *tracing, void *own)
{
	struct trace_request *request = &tracing->request;
	struct export *export = own;
	bool sends = export->sends_otlp || export->sends_journal;
	int err = check_request(request, sends);

	if (err)
		return err;
	if (!export->path && !export->listens && !sends && !request->dry_run)
		return report(-EINVAL, "nothing to export to; give --prom FILE, --listen PORT, --otlp or "
				       "--journal");
	if (export->listens && !export->allow_remote && !http_address_is_local(&export->address))
		return report(-EINVAL, "--listen %s: other machines can reach that address; give "
				       "--allow-remote, too, if they should", export->address.text);
	/* Reading BPF's counts, and handing them on, is system calls that fail as a rule. */
	request->leave_out_self = true;
	request->success = SUCCESS_NO;
	if (!sends) {
		request->summary = true;
		request->summary_by = export_summary_by(export->by);
		request->summary_producers = true;
		request->interval_ns = COUNT_NS;
		request->modes = request->shown_modes = 0;
	}
	if (export->sends_otlp) {
		otlp_config_release(&export->otlp_config);
		err = otlp_config_read(getenv, &export->otlp_config);
	}
	return err ?: export->path ? metrics_file_check(export->path) : 0;
}

static int on_ready(void *arg, const struct session_rules *rules)
{
	struct export *export = arg;
	struct exporter *exporter = &export->exporter;
	int err = export->server && !export->serves ? http_server_start(export->server) : 0;

	export->serves = export->server && !err;
	if (!err && export->sends_otlp)
		err = exporter_begin_otlp(exporter, &export->otlp_config, &export->show.live.origin);
	if (err)
		return err;
	if (export->stopped_ns)
		say(VERBOSITY_NORMAL, "Configuration read again; calls were not counted for %llu ms.",
		    (unsigned long long)ms_since(export->stopped_ns));
	else if (export->server)
		say(VERBOSITY_NORMAL, "Metrics at http://%s/metrics", export->address.text);
	say(VERBOSITY_NORMAL, "Receiving data...");
	return 0;
}

static int on_summary(void *arg, const struct summary *summary)
{
	struct export *export = arg;

	exporter_summary(&export->exporter, summary);
	return 0;
}

static int on_session(void *arg, const struct session *session)
{
	struct export *export = arg;

	return exporter_session(&export->exporter, session);
}

static int on_end(void *arg, struct run_result *result)
{
	struct export *export = arg;
	int err;

	/* Handing on what was recorded before, and detaching, may have taken long. */
	export->stopped_ns = result->ended_ns ?: now_ns();
	/* It may have been asked to end meanwhile. */
	export->reload = result->reload && !result->interrupted;
	/* What waits for the receiver goes on waiting during a reload. */
	if (!export->reload)
		exporter_end(&export->exporter);
	err = result->started ? exporter_write(&export->exporter, &result->ledger) : 0;
	if (!export->reload)
		metrics_file_say_failures(export->path, &export->exporter.file);
	/* Failures without room for their labels are in the row of others. */
	result->ledger.shown += result->ledger.stats.summary_lost;
	tracing_say_end(result);
	return err;
}

/*
 * Stopping it is no failure, whether something was counted or not, nor that it was stopped during a reload.
 */
static int exit_status(const struct trace_request *request, const struct run_result *result, bool again)
{
	if ((result->started || again) && !(request->forward_status && result->workload_ran))
		return EXIT_SHOWN;
	return tracing_status(request, result);
}

static int export_run_traced(struct tracing *tracing, void *own);

static struct tracing_way way_of(struct export *export)
{
	return (struct tracing_way){ .modes = MODE_STACK, .own = export, .check = check,
				     .run = export_run_traced };
}

static void set_defaults(struct export *export)
{
	export->interval_ns = DEFAULT_INTERVAL_NS;
	export->by = EXPORT_BY_COMM;
	export->max_series = DEFAULT_MAX_SERIES;
}

/* Whether the command line could be run now. */
static bool try_again(const struct export *export)
{
	struct export trial = {};
	const struct tracing_way way = way_of(&trial);
	bool works;

	set_defaults(&trial);
	works = !tracing_try_as(export->command, export->argc, export->argv, &way);
	otlp_config_release(&trial.otlp_config);
	return works;
}

static int on_tick(void *arg, const struct ledger *ledger)
{
	struct export *export = arg;

	exporter_tick(&export->exporter, ledger);
	return 0;
}

/* A run_handler's. What configuration and lists of functions have now; if unusable, nothing changes. */
static bool on_reload(void *arg)
{
	struct export *export = arg;

	if (try_again(export))
		return true;
	metrics_reload(&export->exporter.metrics, false);
	warning("SIGHUP: the configuration cannot be used and is left as it was");
	return false;
}

/* The first run makes what others go on with. */
static int begin_export(struct export *export)
{
	struct exporter *exporter = &export->exporter;
	int err = 0;

	if (export->runs) {
		exporter_begin_run(exporter, &export->show.context);
	} else {
		exporter_init(exporter, export->by, export->max_series, &export->show.context);
		export->runs = true;
		if (export->listens)
			err = http_server_new(&export->address, &exporter->metrics, &export->server);
	}
	exporter->path = export->path;
	exporter->interval_ns = export->interval_ns;
	exporter->explainer = &export->show.live.explainer;
	exporter->metrics.writes_file = export->path;
	exporter->metrics.receivers[RECEIVER_OTLP] = export->sends_otlp;
	exporter->metrics.receivers[RECEIVER_JOURNAL] = export->sends_journal;
	/* It is not looked for again: entries are dropped and counted while it is gone. */
	if (!err && export->sends_journal && !exporter->journal)
		err = journal_new(JOURNAL_SOCKET, &exporter->metrics, &exporter->journal);
	return err;
}

static int export_run_traced(struct tracing *tracing, void *own)
{
	const struct trace_request *request = &tracing->request;
	struct export *export = own;
	struct run_handler handler = { .summary = on_summary, .session = on_session, .tick = on_tick,
				       .ready = on_ready, .end = on_end, .attaches_again = true,
				       .arg = export };
	const bool again = export->stopped_ns;
	struct run_result result = {};
	int err = show_init_live(&export->show, tracing->plan, &tracing->attached, tracing->kernel,
				 request, true);

	err = err ?: show_source_open(&export->show, &export->show.live, request);
	if (err)
		return EXIT_CANNOT;
	if (export->by > EXPORT_BY_COMM)
		cgroup_names_warn(&export->show.cgroups, "--by");
	show_turn_to(&export->show, &export->show.live);
	handler.cgroups = export->show.cgroup_watch;
	handler.clock = &export->show.clock;
	/* A program is not run twice, and a time does not come twice. */
	if (!request->workload && !request->duration_ns && !request->at_ns)
		handler.reload = on_reload;
	else if (!export->stopped_ns)
		run_hold_hangup(false);
	err = begin_export(export);
	err = err ?: run_trace(tracing->kernel, tracing->plan, request, &handler, &tracing->attached,
			       &result);
	show_close(&export->show);
	return err ? EXIT_CANNOT : exit_status(request, &result, again);
}

static int export_run(const struct command *command, int argc, char **argv)
{
	struct export export = { .command = command, .argc = argc, .argv = argv };
	const struct tracing_way way = way_of(&export);
	int status;

	run_hold_hangup(true);
	do {
		export.reload = false;
		set_defaults(&export);
		status = tracing_run_as(command, argc, argv, &way);
	} while (export.reload && status == EXIT_SHOWN);
	http_server_free(export.server);
	if (export.runs)
		exporter_release(&export.exporter);
	otlp_config_release(&export.otlp_config);
	return status;
}

const struct command cmd_export = {
	.name = "export",
	.summary = "export failures to Prometheus, OpenTelemetry or the journal",
	.usage = "[--prom FILE] [--listen PORT] [--otlp] [--journal] [--by WHAT] -e GLOB [-a GLOB] "
		 "[options]",
	.help = export_help,
	.examples = export_examples,
	.own_groups = tracing_own_groups,
	.options = export_groups,
	.needs = NEED_TRACING,
	.run = export_run,
};
