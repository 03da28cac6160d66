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
#include "util/trace/request.h"

#define COMM_LEN 15	/* TASK_COMM_LEN without its NUL */

enum {
	OPT_ATTACH = OPTION_LONG,
	OPT_DRY_RUN,
	OPT_DURATION,
	OPT_MAX_SESSIONS,
	OPT_FORWARD_STATUS,
	OPT_CONFIG_HELP,
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

/* -p -P -n -N -L -S -x -X -I */

static const struct argp_option filter_rows[] = {
	{ "pid", 'p', "PID", 0, "Only the processes with these ids: one, or several with commas" },
	{ "no-pid", 'P', "PID", 0, "Not the processes with these ids" },
	{ "comm", 'n', "NAME", 0, "Only processes of that name; @FILE has one name a line" },
	{ "no-comm", 'N', "NAME", 0, "Not processes of that name" },
	{ "allow-errors", 'x', "ERROR", 0,
	  "Only calls that failed so: EINVAL, -22, NULL or any; several with commas" },
	{ "deny-errors", 'X', "ERROR", 0, "Not calls that failed so" },
	{ "longer", 'L', "MS", 0,
	  "Only calls that took at least that many milliseconds; 5us and 2s work too" },
	{ "success-stacks", 'S', "y|n", OPTION_ARG_OPTIONAL, "Calls that succeeded, too" },
	{ "no-success-stacks", OPTION_NO('S'), NULL, OPTION_HIDDEN, NULL },
	{ "interim-stacks", 'I', NULL, 0, "Errors that were handled on the way, too" },
	{ "no-interim-stacks", OPTION_NO('I'), NULL, OPTION_HIDDEN, NULL },
	{}
};

typedef int (*item_fn)(int key, const char *item, struct trace_request *request);

/* Each of the items that commas part; empty ones are errors of the item function. */
static int each_item(int key, char *list, item_fn fn, struct trace_request *request)
{
	char *item;
	int err;

	while ((item = strsep(&list, ","))) {
		err = fn(key, item, request);
		if (err)
			return err;
	}
	return 0;
}

static int add_pid(int key, const char *text, struct trace_request *request)
{
	uint64_t pid;

	if (parse_number(text, 1, INT32_MAX, &pid)) {
		/* In old versions -p chose a ready set of functions. */
		if (trace_case_exists(text))
			return report(-EINVAL, "-%c takes process ids; the set of functions '%s' is "
				      "chosen with '-c %s'", key, text, text);
		return report(-EINVAL, "-%c: '%s' is not a process id; names go with -%c", key,
			      text, key == 'p' ? 'n' : 'N');
	}
	if (key == 'p' ? vec_push(&request->allow_pids, pid) : vec_push(&request->deny_pids, pid))
		return report_oom();
	return 0;
}

static int add_comm(int key, const char *name, struct trace_request *request)
{
	char *comm;

	if (!*name)
		return report(-EINVAL, "-%c: a process name is missing", key);
	comm = strndup(name, COMM_LEN);
	if (!comm)
		return report_oom();
	if (key == 'n' ? vec_push(&request->allow_comms, comm) :
			 vec_push(&request->deny_comms, comm)) {
		free(comm);
		return report_oom();
	}
	return 0;
}

static int add_comm_file(int key, const char *path, struct trace_request *request)
{
	_cleanup_(fclose_p) FILE *file = fopen(path, "re");
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	int err;

	if (!file)
		return report(-errno, "-%c: cannot read %s: %s", key, path, strerror(errno));
	while ((len = getline(&line, &cap, file)) >= 0) {
		if (len && line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (!*line)
			continue;
		err = add_comm(key, line, request);
		if (err)
			return err;
	}
	return 0;
}

static int add_errno(int key, const char *text, struct trace_request *request)
{
	struct nearest near = nearest_start(*text == '-' ? text + 1 : text);

	if (!errno_set_add(key == 'x' ? &request->allow_errnos : &request->deny_errnos, text))
		return 0;
	for (int i = 1; i <= MAX_ERRNO; i++) {
		if (errno_name(i))
			nearest_offer(&near, errno_name(i));
	}
	return nearest_report(&near, "give a name such as EINVAL, a number, NULL or any",
			      "-%c: there is no error '%s'", key, text);
}

static int parse_filter(int key, char *arg, void *target)
{
	struct trace_request *request = target;

	switch (key) {
	case 'p':
	case 'P':
		return each_item(key, arg, add_pid, request);
	case 'n':
	case 'N':
		return *arg == '@' ? add_comm_file(key, arg + 1, request) :
				     add_comm(key, arg, request);
	case 'x':
	case 'X':
		return each_item(key, arg, add_errno, request);
	case 'L':
		if (parse_duration(arg, NSEC_PER_MSEC, &request->longer_ns))
			return report(-EINVAL, "-L: '%s' is not a time; try 5 (milliseconds), "
				      "20us or 1s", arg);
		return 0;
	case 'S':
		if (arg && strcmp(arg, "y") && strcmp(arg, "n"))
			return report(-EINVAL, "-S: '%s' is neither y nor n", arg);
		request->success = arg && *arg == 'n' ? SUCCESS_NO : SUCCESS_YES;
		return 0;
	case OPTION_NO('S'):
		request->success = SUCCESS_NO;
		return 0;
	case 'I':
	case OPTION_NO('I'):
		request->interim = key == 'I';
		return 0;
	}
	return -EINVAL;
}

const struct option_group filter_options = {
	.title = "Which calls are shown",
	.options = filter_rows,
	.parse = parse_filter,
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
		if (parse_duration(arg, NSEC_PER_SEC, &request->duration_ns) ||
		    !request->duration_ns)
			return report(-EINVAL, "--duration: '%s' is not a time; try 10 (seconds), "
				      "500ms or 2m", arg);
		return 0;
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

/* -k -s */

static const struct argp_option symbol_rows[] = {
	{ "kernel", 'k', "VMLINUX", 0,
	  "Kernel image with debug info, when it is in no usual place" },
	{ "symbolize", 's', "LEVEL", OPTION_ARG_OPTIONAL,
	  "Use of debug info: -sn none, -s source lines, -ss inlined calls, too. By default all "
	  "there is" },
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
