// SPDX-License-Identifier: BSD-2-Clause
/* Options that the tracing commands share; each fills its part of a struct trace_request. */
#include "builtin/builtin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin/trace_config.h"
#include "util/base/cleanup.h"
#include "util/base/nearest.h"
#include "util/base/report.h"
#include "util/base/units.h"
#include "util/trace/ask/request.h"

enum {
	OPT_ATTACH = OPTION_LONG,
	OPT_DRY_RUN,
	OPT_SUMMARY,
	OPT_INTERVAL,
	OPT_STATS,
	OPT_DURATION,
	OPT_MAX_SESSIONS,
	OPT_FORWARD_STATUS,
	OPT_CONFIG_HELP,
	OPT_DEBUGINFOD,
};

/* -e -a -d -c */

static const struct argp_option function_rows[] = {
	{ "entry", 'e', "GLOB", 0,
	  "Functions whose calls are watched, from entry to return. GLOB is a name with * and ?, "
	  "'NAME [MODULE]', ':SOURCE-PATH', or @FILE with one of these a line" },
	{ "allow", 'a', "GLOB", 0, "Functions to trace inside such a call, too" },
	{ "deny", 'd', "GLOB", 0, "Functions to leave out, whatever else selects them" },
	{ "case", 'c', "NAME", 0,
	  "A ready set of the three: bpf, perf, or one from the configuration" },
	{}
};

static int parse_function(int key, char *arg, void *target)
{
	struct trace_request *request = target;

	switch (key) {
	case 'e':
		return spec_list_add(&request->entry, arg);
	case 'a':
		return spec_list_add(&request->allow, arg);
	case 'd':
		return spec_list_add(&request->deny, arg);
	case 'c':
		return trace_case_apply(request, arg);
	}
	return -EINVAL;
}

const struct option_group function_options = {
	.title = "Functions",
	.options = function_rows,
	.parse = parse_function,
};

/* -M -K -F --attach --dry-run */

static const struct argp_option attach_rows[] = {
	{ "attach", OPT_ATTACH, "RUNG", 0,
	  "How to attach: auto (the best there is), fsession-multi, kprobe-session, kprobe-multi, "
	  "fentry or kprobe" },
	{ "kprobes-multi", 'M', NULL, 0, "The same as --attach=kprobe-multi" },
	{ "kprobes", 'K', NULL, 0, "The same as --attach=kprobe" },
	{ "fentries", 'F', NULL, 0, "The same as --attach=fentry" },
	{ "dry-run", OPT_DRY_RUN, NULL, 0, "Print what would be traced and how; attach nothing" },
	{ "no-dry-run", OPTION_NO(OPT_DRY_RUN), NULL, OPTION_HIDDEN, NULL },
	{}
};

static int parse_rung(struct trace_request *request, const char *name)
{
	struct nearest near = nearest_start(name);
	int rung = rung_parse(name);

	if (rung >= 0) {
		request->rung = rung;
		return 0;
	}
	for (int i = 0; i <= RUNG_AUTO; i++)
		nearest_offer(&near, rung_name(i));
	return nearest_report(&near, "-h lists them", "--attach: there is no rung '%s'", name);
}

static int parse_attach(int key, char *arg, void *target)
{
	struct trace_request *request = target;

	switch (key) {
	case OPT_ATTACH:
		return parse_rung(request, arg);
	case 'M':
		request->rung = RUNG_KPROBE_MULTI;
		return 0;
	case 'K':
		request->rung = RUNG_KPROBE;
		return 0;
	case 'F':
		request->rung = RUNG_FENTRY;
		return 0;
	case OPT_DRY_RUN:
	case OPTION_NO(OPT_DRY_RUN):
		request->dry_run = key == OPT_DRY_RUN;
		return 0;
	}
	return -EINVAL;
}

const struct option_group attach_options = {
	.title = "Attaching",
	.options = attach_rows,
	.parse = parse_attach,
};

/* -T -E --summary --interval --stats */

static const struct argp_option mode_rows[] = {
	{ "trace", 'T', NULL, 0,
	  "Show every traced call of a session, in order. Without -E, successful calls are shown, too" },
	{ "no-trace", OPTION_NO('T'), NULL, OPTION_HIDDEN, NULL },
	{ "call-stack", 'E', NULL, 0, "Show the call stack behind the result of a session" },
	{ "no-call-stack", OPTION_NO('E'), NULL, OPTION_HIDDEN, NULL },
	{ "summary", OPT_SUMMARY, NULL, 0,
	  "Show no single sessions; count them by function and result, with latencies, and errors "
	  "by the function they came from" },
	{ "no-summary", OPTION_NO(OPT_SUMMARY), NULL, OPTION_HIDDEN, NULL },
	{ "interval", OPT_INTERVAL, "SECONDS", 0,
	  "Print such a summary that often, and begin a new one; 500ms and 1m work too" },
	{ "stats", OPT_STATS, "SECONDS", 0,
	  "Say that often, on standard error, what was seen and what may have been missed" },
	{}
};

static void set_mode(struct trace_request *request, unsigned int mode, bool on)
{
	if (on) {
		request->modes |= mode;
		request->modes_asked |= mode;
	} else {
		request->modes &= ~mode;
		request->modes_asked &= ~mode;
	}
}

static int parse_seconds(const char *option, const char *arg, const char *example,
			 uint64_t *ret_ns)
{
	if (parse_duration(arg, NSEC_PER_SEC, ret_ns) || !*ret_ns)
		return report(-EINVAL, "%s: '%s' is not a time; try %s", option, arg, example);
	return 0;
}

static int parse_mode(int key, char *arg, void *target)
{
	struct trace_request *request = target;

	switch (key) {
	case 'T':
	case OPTION_NO('T'):
		set_mode(request, MODE_TRACE, key == 'T');
		return 0;
	case 'E':
	case OPTION_NO('E'):
		set_mode(request, MODE_STACK, key == 'E');
		return 0;
	case OPT_SUMMARY:
		request->summary = true;
		return 0;
	case OPTION_NO(OPT_SUMMARY):
		request->summary = false;
		request->interval_ns = 0;
		return 0;
	case OPT_INTERVAL:
		request->summary = true;
		return parse_seconds("--interval", arg, "10 (seconds), 500ms or 1m",
				     &request->interval_ns);
	case OPT_STATS:
		return parse_seconds("--stats", arg, "10 (seconds), 500ms or 1m",
				     &request->stats_ns);
	}
	return -EINVAL;
}

const struct option_group mode_options = {
	.title = "What is shown",
	.options = mode_rows,
	.parse = parse_mode,
};

/* --duration --max-sessions --forward-status */

static const struct argp_option run_rows[] = {
	{ "duration", OPT_DURATION, "TIME", 0,
	  "End after that many seconds; 500ms and 2m work too" },
	{ "max-sessions", OPT_MAX_SESSIONS, "N", 0, "End when N calls have been shown" },
	{ "forward-status", OPT_FORWARD_STATUS, NULL, 0,
	  "Exit as the workload did, unless retsnoop itself failed" },
	{ "no-forward-status", OPTION_NO(OPT_FORWARD_STATUS), NULL, OPTION_HIDDEN, NULL },
	{}
};

static int parse_run(int key, char *arg, void *target)
{
	struct trace_request *request = target;

	switch (key) {
	case OPT_DURATION:
		return parse_seconds("--duration", arg, "10 (seconds), 500ms or 2m",
				     &request->duration_ns);
	case OPT_MAX_SESSIONS:
		if (parse_number(arg, 1, UINT64_MAX, &request->max_sessions))
			return report(-EINVAL, "--max-sessions: '%s' is not a number of calls",
				      arg);
		return 0;
	case OPT_FORWARD_STATUS:
	case OPTION_NO(OPT_FORWARD_STATUS):
		request->forward_status = key == OPT_FORWARD_STATUS;
		return 0;
	}
	return -EINVAL;
}

const struct option_group run_options = {
	.title = "When to end",
	.options = run_rows,
	.parse = parse_run,
};

/* -k -s --debuginfod */

static const struct argp_option symbol_rows[] = {
	{ "kernel", 'k', "VMLINUX", 0,
	  "Kernel image with debug info, when it is in no usual place" },
	{ "symbolize", 's', "LEVEL", OPTION_ARG_OPTIONAL,
	  "Use of debug info: -sn none, -s source lines, -ss inlined calls, too. By default all "
	  "there is" },
	{ "debuginfod", OPT_DEBUGINFOD, NULL, 0,
	  "Ask debuginfod servers for debug info that is not here; Ctrl-C gives up" },
	{ "no-debuginfod", OPTION_NO(OPT_DEBUGINFOD), NULL, OPTION_HIDDEN, NULL },
	{}
};

static int parse_symbol(int key, char *arg, void *target)
{
	struct trace_request *request = target;
	char *path;

	switch (key) {
	case 'k':
		path = strdup(arg);
		if (!path)
			return report_oom();
		free(request->vmlinux_path);
		request->vmlinux_path = path;
		request->symbols.vmlinux = path;
		return 0;
	case 's':
		if (symbolize_level_parse(arg ?: "lines", &request->symbols.level))
			return report(-EINVAL, "-s: '%s' is none of n (none), nothing (source "
				      "lines) and s (inlines)", arg);
		return 0;
	case OPT_DEBUGINFOD:
	case OPTION_NO(OPT_DEBUGINFOD):
		request->symbols.debuginfod = key == OPT_DEBUGINFOD;
		return 0;
	}
	return -EINVAL;
}

const struct option_group symbol_options = {
	.title = "Symbols",
	.options = symbol_rows,
	.parse = parse_symbol,
};

/* -C --config-help */

static const struct argp_option general_rows[] = {
	{ "config", 'C', "KEY=VALUE", 0, "Set a configuration key for this run" },
	{ "config-help", OPT_CONFIG_HELP, NULL, 0, "List the configuration keys" },
	{}
};

static int parse_general(int key, char *arg, void *target)
{
	switch (key) {
	case 'C':
		return trace_config_set(target, arg);
	case OPT_CONFIG_HELP:
		trace_config_help(stdout);
		return 1;
	}
	return -EINVAL;
}

const struct option_group general_options = {
	.title = "General",
	.options = general_rows,
	.parse = parse_general,
	.defaults = trace_config_load,
};
