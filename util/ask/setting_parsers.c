// SPDX-License-Identifier: BSD-2-Clause
/* From text to a request, for settings that are lists, expressions or sets. */
#include "util/ask/setting_parsers.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bpf/config.h"
#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/base/no_line.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/moment.h"
#include "util/base/text/nearest.h"
#include "util/kernel/machine/user.h"
#include "util/ask/branch_types.h"
#include "util/base/text/glob.h"
#include "util/kernel/machine/cgroup.h"
#include "util/ask/cases.h"
#include "util/ask/request.h"
#include "util/ask/setting.h"

#define COMM_LEN 15	/* TASK_COMM_LEN without its NUL */

/* Functions. */

SETTING_PARSER(parse_spec)
{
	return spec_list_add((void *)((char *)target + setting->offset), value);
}

SETTING_PARSER(parse_syscalls)
{
	return spec_list_add_syscalls((void *)((char *)target + setting->offset), value);
}

SETTING_PARSER(parse_case)
{
	return case_apply(target, value);
}

/* Output. */

SETTING_PARSER(parse_mode)
{
	struct trace_request *request = target;
	unsigned int mode = setting->value;

	if (on) {
		request->modes |= mode;
		request->modes_asked |= mode;
		request->modes_off &= ~mode;
	} else {
		request->modes &= ~mode;
		request->modes_asked &= ~mode;
		request->modes_off |= mode;
	}
	return 0;
}

SETTING_PARSER(parse_summary)
{
	struct trace_request *request = target;

	request->summary = on;
	if (!on) {
		request->interval_ns = 0;
		request->summary_by = SUMMARY_BY_NOTHING;
	}
	return 0;
}

SETTING_PARSER(parse_by)
{
	struct trace_request *request = target;

	for (const struct setting_choice *choice = setting->choices; choice->name; choice++) {
		if (strcmp(choice->name, value))
			continue;
		request->summary = true;
		request->summary_by = choice->value;
		return 0;
	}
	return report(-EINVAL, "--by: '%s' is not process, comm, cgroup, producer or host", value);
}

SETTING_PARSER(parse_histogram)
{
	struct trace_request *request = target;

	request->histograms = on ? HISTOGRAMS_YES : HISTOGRAMS_NO;
	return 0;
}

SETTING_PARSER(parse_interval)
{
	struct trace_request *request = target;
	uint64_t ns;

	request->summary = true;
	if (parse_duration(value, NSEC_PER_SEC, &ns) || !ns)
		return report(-EINVAL, "--interval: '%s' is not a time; try 10 (seconds), 500ms or 1m",
			      value);
	request->interval_ns = ns;
	return 0;
}

/* Percent with up to four decimals, kept in millionths. */
SETTING_PARSER(parse_budget)
{
	size_t digits = strspn(value, "0123456789"), decimals = 0;
	uint64_t ppm = 0, unit = 10000;

	for (size_t i = 0; i < digits && i < 3; i++)
		ppm = ppm * 10 + (value[i] - '0');
	ppm *= unit;
	if (value[digits] == '.') {
		decimals = 1 + strspn(value + digits + 1, "0123456789");
		for (size_t i = 1; i < decimals && unit > 1; i++) {
			unit /= 10;
			ppm += unit * (value[digits + i] - '0');
		}
	}
	if (!digits || digits > 2 || strcmp(value + digits + decimals, "%") || ppm < 100)
		return report(-EINVAL, "--budget: '%s' is not a share of the CPUs' time; try 1%% or 0.5%%",
			      value);
	setting_put(setting, target, ppm);
	return 0;
}

SETTING_PARSER(parse_at)
{
	struct trace_request *request = target;
	int64_t now_ns = clock_ns(CLOCK_REALTIME), at_ns;
	time_t now = now_ns / (int64_t)NSEC_PER_SEC;
	struct moment moment;
	char text[32];
	struct tm tm;

	if (moment_parse(value, &moment))
		return report(-EINVAL, "--at: '%s' is not a time; try 12:30, 12:30:05, '2026-01-02 12:30' "
			      "or +10s (from now)", value);
	at_ns = moment_resolve(&moment, now_ns);
	if (at_ns <= now_ns) {
		localtime_r(&now, &tm);
		strftime(text, sizeof(text), "%F %T", &tm);
		return report(-EINVAL, "--at: '%s' has passed: it is %s here", value, text);
	}
	request->at_ns = at_ns;
	return 0;
}

static const char *const shown_words[] = { "cgroup", "uid", "cpu", "pod", "container", "unit",
					   "host", "trace" };

_Static_assert(SHOW_CGROUP == 1 << 0 && SHOW_UID == 1 << 1 && SHOW_CPU == 1 << 2 &&
	       SHOW_POD == 1 << 3 && SHOW_CONTAINER == 1 << 4 && SHOW_UNIT == 1 << 5 &&
	       SHOW_HOST == 1 << 6 && SHOW_TRACE == 1 << 7,
	       "bits are places in shown_words");

const char *show_word(size_t i)
{
	return i < ARRAY_SIZE(shown_words) ? shown_words[i] : NULL;
}

/* Which calls are shown. */

typedef int (*item_fn)(char letter, const char *item, struct trace_request *request);

/* Call @fn for each comma-separated item; it must refuse empty items. */
static int each_item(char letter, const char *text, item_fn fn, struct trace_request *request)
{
	_cleanup_(free_p) char *copy = strdup(text);
	char *list = copy, *item;
	int err = copy ? 0 : report_oom();

	while (!err && (item = strsep(&list, ",")))
		err = fn(letter, item, request);
	return err;
}

static int add_pid(char letter, const char *text, struct trace_request *request)
{
	uint64_t pid;

	if (parse_number(text, 1, INT32_MAX, &pid)) {
		/* In old versions -p chose a case. */
		if (case_exists(text))
			return report(-EINVAL, "-%c takes process ids; the set of functions '%s' is "
				      "chosen with '-c %s'", letter, text, text);
		return report(-EINVAL, "-%c: '%s' is not a process id; names go with -%c", letter,
			      text, letter == 'p' ? 'n' : 'N');
	}
	if (letter == 'p' ? vec_push(&request->allow_pids, pid) :
			    vec_push(&request->deny_pids, pid))
		return report_oom();
	return 0;
}

static int add_shown(char letter, const char *text, struct trace_request *request)
{
	_cleanup_(strbuf_release) struct strbuf words = STRBUF_INIT;
	struct nearest near = nearest_start(text);

	for (size_t i = 0; i < ARRAY_SIZE(shown_words); i++) {
		if (!strcmp(text, shown_words[i])) {
			request->show |= 1u << i;
			return 0;
		}
		nearest_offer(&near, shown_words[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(shown_words); i++)
		strbuf_addf(&words, "%s%s", !i ? "give " : i + 1 < ARRAY_SIZE(shown_words) ? ", " : " or ",
			    shown_words[i]);
	return nearest_report(&near, strbuf_str(&words), "--show: '%s' is unknown", text);
}

SETTING_PARSER(parse_show)
{
	return each_item(0, value, add_shown, target);
}

SETTING_PARSER(parse_pids)
{
	return each_item(setting->letter, value, add_pid, target);
}

/*
 * The length of a thread's own name. To that of a kernel worker ps(1) and /proc/PID/comm add, after - or +,
 * what it works on. A rescuer ("kworker/R-mld") is named so itself.
 */
static size_t comm_len(const char *name)
{
	static const char worker[] = "kworker/";
	size_t len = strlen(worker);

	if (strncmp(name, worker, len) || !(isdigit((unsigned char)name[len]) || name[len] == 'u'))
		return COMM_LEN;
	len = strcspn(name, "-+");
	return len < COMM_LEN ? len : COMM_LEN;
}

static int add_comm(char letter, const char *name, struct trace_request *request)
{
	char *comm;

	if (!*name)
		return report(-EINVAL, "-%c: a process name is missing", letter);
	/* BPF compares names byte by byte; a name may really have these characters. */
	if (strpbrk(name, "*?"))
		warning("-%c: '%s' is a name, not a glob, and selects only processes named exactly so",
			letter, name);
	comm = strndup(name, comm_len(name));
	if (!comm)
		return report_oom();
	if (letter == 'n' ? vec_push(&request->allow_comms, comm) :
			    vec_push(&request->deny_comms, comm)) {
		free(comm);
		return report_oom();
	}
	return 0;
}

static int add_comm_file(char letter, const char *path, struct trace_request *request)
{
	_cleanup_(fclose_p) FILE *file = fopen(path, "re");
	_cleanup_(free_p) char *line = NULL;
	bool any = false;
	size_t cap = 0;
	ssize_t len;
	int err;

	if (!file)
		return report(-errno, "-%c: cannot read %s: %s", letter, path, strerror(errno));
	while ((len = getline(&line, &cap, file)) >= 0) {
		/* Files from other systems have lines that end with "\r\n". */
		while (len && (line[len - 1] == '\n' || line[len - 1] == '\r'))
			line[--len] = '\0';
		if (!*line)
			continue;
		err = add_comm(letter, line, request);
		if (err)
			return err;
		any = true;
	}
	err = no_line_error(file);
	if (err)
		return report(err, "-%c: cannot read %s: %s", letter, path, strerror(-err));
	/* Without a name, -n would select all processes; -N leaves none of them out. */
	if (!any && letter == 'n')
		return report(-EINVAL, "-n: %s has no process name", path);
	return 0;
}

SETTING_PARSER(parse_comm)
{
	/* A name may have commas: only a file can give such a name. */
	return *value == '@' ? add_comm_file(setting->letter, value + 1, target) :
			       each_item(setting->letter, value, add_comm, target);
}

#define MAX_CGROUP_PATHS 8

static int add_cgroup(struct trace_request *request, const char *value)
{
	char *path = NULL;
	int err;

	if (request->cgroups.len == MAX_CGROUP_PATHS)
		return report(-EINVAL, "--cgroup: no more than %d of them; one selects all that is "
			      "below it, too", MAX_CGROUP_PATHS);
	err = cgroup_find("--cgroup", value, &path);
	if (err)
		return err;
	if (vec_push(&request->cgroups, path)) {
		free(path);
		return report_oom();
	}
	return 0;
}

static int add_pattern(struct trace_request *request, enum cgroup_pattern_kind kind,
		       const char *text)
{
	struct cgroup_pattern pattern;
	int err = cgroup_pattern_parse(kind, text, &pattern);

	if (err || !vec_push(&request->cgroup_patterns, pattern))
		return err;
	free(pattern.text);
	return report_oom();
}

SETTING_PARSER(parse_cgroup)
{
	return is_glob(value) ? add_pattern(target, CGROUP_GLOB, value) :
				add_cgroup(target, value);
}

SETTING_PARSER(parse_cgroup_owner)
{
	return add_pattern(target, setting->value, value);
}

static int add_user(char letter, const char *text, struct trace_request *request)
{
	uint32_t uid;

	if (user_find(text, &uid))
		return report(-EINVAL, "--uid: unknown user '%s'; a number works, too", text);
	return vec_push(&request->uids, uid) ? report_oom() : 0;
}

SETTING_PARSER(parse_users)
{
	return each_item(0, value, add_user, target);
}

static int add_error(char letter, const char *text, struct trace_request *request)
{
	struct nearest near = nearest_start(*text == '-' ? text + 1 : text);

	if (!errno_set_add(letter == 'x' ? &request->allow_errnos : &request->deny_errnos, text))
		return 0;
	for (int i = 1; i <= MAX_ERRNO; i++) {
		if (errno_name(i))
			nearest_offer(&near, errno_name(i));
	}
	return nearest_report(&near, "give a name such as EINVAL, a number, NULL or any",
			      "-%c: unknown error '%s'", letter, text);
}

SETTING_PARSER(parse_errors)
{
	return each_item(setting->letter, value, add_error, target);
}

const char *error_word(size_t i)
{
	if (i < 2)
		return i ? "NULL" : "any";
	for (int err = 1; err <= MAX_ERRNO; err++) {
		if (errno_name(err) && i-- == 2)
			return errno_name(err);
	}
	return NULL;
}

SETTING_PARSER(parse_return)
{
	struct trace_request *request = target;
	struct result_expr expr;
	int err = result_expr_parse("--return", value, &expr);

	if (err)
		return err;
	result_expr_release(&request->result);
	request->result = expr;
	return 0;
}

SETTING_PARSER(parse_error_rule)
{
	struct trace_request *request = target;
	struct error_rule rule;
	int err;

	if (request->error_rules.len == CONFIG_RULES)
		return report(-EINVAL, "--error-if: no more than %d rules", CONFIG_RULES);
	err = error_rule_parse(value, &rule);
	if (!err && vec_push(&request->error_rules, rule)) {
		error_rule_release(&rule);
		err = report_oom();
	}
	return err;
}

/* Attaching. */

SETTING_PARSER(parse_rung)
{
	struct trace_request *request = target;
	struct nearest near = nearest_start(value);
	int rung = rung_parse(value);

	if (rung >= 0) {
		request->rung = rung;
		return 0;
	}
	for (int i = 0; i <= RUNG_AUTO; i++)
		nearest_offer(&near, rung_name(i));
	return nearest_report(&near, "--help-all lists them",
			      "--attach: unknown attach method '%s'", value);
}

const char *rung_word(size_t i)
{
	return i <= RUNG_AUTO ? rung_name(i) : NULL;
}

/* Symbols and sources. */

static int set_text(char **text, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return report_oom();
	free(*text);
	*text = copy;
	return 0;
}

/* For a field that is an owned string. */
SETTING_PARSER(parse_string)
{
	return set_text((char **)((char *)target + setting->offset), value);
}

SETTING_PARSER(parse_vmlinux)
{
	struct trace_request *request = target;
	int err;

	if (!*value)
		return report(-EINVAL, "-k: the name of a file is missing");
	err = set_text(&request->vmlinux_path, value);
	request->symbols.vmlinux = request->vmlinux_path;
	return err;
}

/* Arguments and probes. */

SETTING_PARSER(parse_args_selection)
{
	struct trace_request *request = target;
	struct args_selection selection;
	int err = args_selection_parse(value, &selection);

	if (err)
		return err;
	if (!vec_push(&request->args_selections, selection))
		return 0;
	args_selection_release(&selection);
	return report_oom();
}

SETTING_PARSER(parse_where)
{
	struct trace_request *request = target;
	struct where_rule rule;
	int err;

	if (request->wheres.len == WHERE_MAX)
		return report(-EINVAL, "--where: no more than %d conditions", WHERE_MAX);
	err = where_parse(value, &rule);
	if (err)
		return err;
	if (!vec_push(&request->wheres, rule))
		return 0;
	where_rule_release(&rule);
	return report_oom();
}

SETTING_PARSER(parse_probe)
{
	struct trace_request *request = target;

	return probe_spec_list_add(&request->probes, value);
}

/* Branches. */

SETTING_PARSER(parse_branches)
{
	const struct setting branches = { .value = MODE_BRANCHES };
	struct trace_request *request = target;

	parse_mode(&branches, target, NULL, on);
	if (!on)
		request->branch_types = 0;
	return value ? branch_types_parse(value, &request->branch_types) : 0;
}

SETTING_PARSER(parse_trace_context)
{
	struct trace_request *request = target;
	unsigned int from = TRACE_CONTEXT_MAP;
	char *path = NULL;

	if (!value)
		from = on ? TRACE_CONTEXT_THREADS | TRACE_CONTEXT_MAP : 0;
	else if (!strcmp(value, "threads"))
		from = TRACE_CONTEXT_THREADS;
	else if (value[0] == '/')
		path = strdup(value);
	else if (strcmp(value, "map"))
		return report(-EINVAL, "--trace-context: '%s' is neither threads nor map nor the path of a "
				       "pinned map; try " DEFAULT_TRACE_CONTEXT, value);
	if (value && value[0] == '/' && !path)
		return report_oom();
	free(request->trace_context_map);
	request->trace_context_map = path;
	request->trace_context = from;
	return 0;
}

/* Configuration. */
