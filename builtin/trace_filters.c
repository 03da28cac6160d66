// SPDX-License-Identifier: BSD-2-Clause
/*
 * Options of the tracing commands that say which calls are shown, and which results are errors;
 * each fills its part of a struct trace_request.
 */
#include "builtin/builtin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/event.h"
#include "builtin/trace_config.h"
#include "util/base/cleanup.h"
#include "util/base/nearest.h"
#include "util/base/report.h"
#include "util/base/units.h"
#include "util/base/user.h"
#include "util/kernel/machine/cgroup.h"
#include "util/trace/ask/request.h"

#define COMM_LEN 15	/* TASK_COMM_LEN without its NUL */

enum {
	OPT_CGROUP = OPTION_LONG,
	OPT_UID,
	OPT_FN_LONGER,
	OPT_RETURN,
	OPT_MAX_DEPTH,
	OPT_ERROR_IF,
};

/* -p -P -n -N --cgroup --uid -x -X --return -L --fn-longer --max-depth -S -I */

static const struct argp_option filter_rows[] = {
	{ "pid", 'p', "PID", 0, "Only the processes with these ids: one, or several with commas" },
	{ "no-pid", 'P', "PID", 0, "Not the processes with these ids" },
	{ "comm", 'n', "NAME", 0, "Only processes of that name; @FILE has one name a line" },
	{ "no-comm", 'N', "NAME", 0, "Not processes of that name" },
	{ "cgroup", OPT_CGROUP, "PATH", 0,
	  "Only processes in that cgroup (version 2) or below it; may be given several times" },
	{ "uid", OPT_UID, "USER", 0,
	  "Only processes of that user, by name or number; several with commas" },
	{ "allow-errors", 'x', "ERROR", 0,
	  "Only calls that failed so: EINVAL, -22, NULL or any; several with commas" },
	{ "deny-errors", 'X', "ERROR", 0, "Not calls that failed so" },
	{ "return", OPT_RETURN, "EXPR", 0,
	  "Only calls with such a result: -EINVAL, '<0', '!=0', NULL; alternatives with commas. "
	  "Implies -S" },
	{ "longer", 'L', "TIME", 0,
	  "Only calls that took at least so many milliseconds; 500us and 1s work too" },
	{ "fn-longer", OPT_FN_LONGER, "TIME", 0,
	  "Only calls inside which some traced call took at least that long" },
	{ "max-depth", OPT_MAX_DEPTH, "N", 0,
	  "Keep that many nested calls of a session, up to 256; deeper ones are only counted" },
	{ "success-stacks", 'S', "y|n", OPTION_ARG_OPTIONAL,
	  "-S or -Sy: show successful calls, too; -Sn: show only failed calls. By default traces "
	  "without stacks show both, stacks and branches only failed calls" },
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

static int add_user(int key, const char *text, struct trace_request *request)
{
	uint32_t uid;

	if (user_find(text, &uid))
		return report(-EINVAL, "--uid: there is no user '%s'; a number works, too", text);
	return vec_push(&request->uids, uid) ? report_oom() : 0;
}

static int add_cgroup(const char *text, struct trace_request *request)
{
	char *path = NULL;
	int err;

	if (request->cgroups.len == CONFIG_CGROUPS)
		return report(-EINVAL, "--cgroup: no more than %d of them; one selects all that is "
			      "below it, too", CONFIG_CGROUPS);
	err = cgroup_find("--cgroup", text, &path);
	if (err)
		return err;
	if (vec_push(&request->cgroups, path)) {
		free(path);
		return report_oom();
	}
	return 0;
}

static int set_result(const char *text, struct trace_request *request)
{
	struct result_expr expr;
	int err = result_expr_parse("--return", text, &expr);

	if (err)
		return err;
	result_expr_release(&request->result);
	request->result = expr;
	return 0;
}

static int parse_time(const char *option, const char *text, uint64_t *ret_ns)
{
	if (parse_duration(text, NSEC_PER_MSEC, ret_ns))
		return report(-EINVAL, "%s: '%s' is not a time; try 5 (milliseconds), 20us or 1s",
			      option, text);
	return 0;
}

static int set_max_depth(const char *text, struct trace_request *request)
{
	uint64_t depth;

	if (parse_number(text, 1, EVENT_MAX_DEPTH, &depth))
		return report(-EINVAL, "--max-depth: '%s' is not a number from 1 to %d", text,
			      EVENT_MAX_DEPTH);
	request->max_depth = depth;
	return 0;
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
	case OPT_CGROUP:
		return add_cgroup(arg, request);
	case OPT_UID:
		return each_item(key, arg, add_user, request);
	case OPT_RETURN:
		return set_result(arg, request);
	case 'L':
		return parse_time("-L", arg, &request->longer_ns);
	case OPT_FN_LONGER:
		return parse_time("--fn-longer", arg, &request->fn_longer_ns);
	case OPT_MAX_DEPTH:
		return set_max_depth(arg, request);
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

/* --error-if */

static const struct argp_option error_rows[] = {
	{ "error-if", OPT_ERROR_IF, "RULE", 0,
	  "'GLOB: ret OP VALUE': of functions that GLOB selects, such results are errors and no "
	  "others; alternatives with ||" },
	{}
};

static int parse_error_rule(int key, char *arg, void *target)
{
	struct trace_request *request = target;
	struct error_rule rule;
	int err;

	if (request->error_rules.len == CONFIG_RULES)
		return report(-EINVAL, "--error-if: no more than %d rules", CONFIG_RULES);
	err = error_rule_parse(arg, &rule);
	if (!err && vec_push(&request->error_rules, rule)) {
		error_rule_release(&rule);
		err = report_oom();
	}
	return err;
}

const struct option_group error_options = {
	.title = "What is an error",
	.options = error_rows,
	.parse = parse_error_rule,
};
