// SPDX-License-Identifier: BSD-2-Clause
/* Checking a request as a whole, and explaining it. */
#include "util/plan/predicates.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bpf/event.h"
#include "bpf/result_rule.h"
#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/glob.h"
#include "util/base/text/nearest.h"
#include "util/base/units.h"
#include "util/plan/plan.h"

/* Modes that show single sessions. */
#define MODES_SHOWN (MODE_STACK | MODE_TRACE | MODE_BRANCHES)

#define NO_SESSIONS "--summary shows no single sessions: it cannot be combined with "

/* Settings that need another one, or contradict it. The first that applies is reported. */
static int check_combinations(const struct trace_request *request)
{
	bool summary = request->summary;
	unsigned int asked = request->modes_asked;
	const struct {
		bool refused;
		const char *message;
	} rules[] = {
		{ !request->entry.v.len && request->entry.given,
		  "no entry functions: the list given with -e is empty" },
		{ !request->entry.v.len,
		  "no entry functions given; -e GLOB, --syscall NAME or -c CASE, for example -e '*_sys_bpf'" },
		{ request->forward_status && !request->workload,
		  "--forward-status needs a program to run, after '--'" },
		{ request->user && !request->workload, "-u needs a program to run, after '--'" },
		{ request->summary_by == SUMMARY_BY_HOST,
		  "--by=host counts recordings of several hosts: 'retsnoop report --by=host FILE...'" },
		{ !summary && !(request->modes & MODES_SHOWN),
		  "nothing is left to show; -T shows traces, -E stacks, --lbr branches" },
		{ !summary && request->histograms == HISTOGRAMS_YES, "--histogram needs --summary" },
		{ !summary && request->histograms == HISTOGRAMS_NO, "--no-histogram needs --summary" },
		{ summary && request->trace_context,
		  "--trace-context cannot be combined with --summary, which shows no calls" },
		{ summary && asked & MODE_TRACE, NO_SESSIONS "-T" },
		{ summary && asked & MODE_STACK, NO_SESSIONS "-E" },
		{ summary && asked & MODE_BRANCHES, NO_SESSIONS "--lbr" },
		{ summary && request->interim, NO_SESSIONS "-I" },
		{ summary && (asked & MODE_ARGS || request->args_selections.len),
		  NO_SESSIONS "-A and --args" },
		{ summary && request->probes.v.len, NO_SESSIONS "-J and points" },
		{ summary && request->max_sessions, NO_SESSIONS "--max-sessions" },
		{ request->show & SHOW_TRACE && !request->trace_context,
		  "--show=trace needs --trace-context, which reads the ids" },
		{ request->fn_longer_ns && request->max_depth == 1,
		  "--fn-longer is about calls inside the entry call, and with --max-depth=1 none is kept" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (rules[i].refused)
			return report(-EINVAL, "%s", rules[i].message);
	}
	return 0;
}

static int check_processes(const struct trace_request *request)
{
	vec_foreach(pid, &request->allow_pids) {
		if (vec_find(other, &request->deny_pids, *pid == *other))
			return report(-EINVAL, "-p and -P name the same process, %" PRIu32, *pid);
	}
	vec_foreach(comm, &request->allow_comms) {
		if (vec_find(other, &request->deny_comms, !strcmp(*comm, *other)))
			return report(-EINVAL, "-n and -N name the same processes, '%s'", *comm);
	}
	return 0;
}

static int check_times(const struct trace_request *request)
{
	const struct {
		const char *option;
		uint64_t ns;
	} times[] = {
		{ "--longer", request->longer_ns },
		{ "--fn-longer", request->fn_longer_ns },
		{ "--interval", request->interval_ns },
		{ "--stats", request->stats_ns },
	};

	/*
	 * Sessions begin while tracing is on. Calls that are still open at its end are not shown.
	 */
	for (size_t i = 0; i < ARRAY_SIZE(times) && request->duration_ns; i++) {
		bool call = i < 2;

		if (times[i].ns <= request->duration_ns || (call && request->interim))
			continue;
		return report(-EINVAL, "%s is more than --duration: %s", times[i].option,
			      call ? "no call takes that long while tracing goes on" :
				     "tracing is over before that");
	}
	return 0;
}

/*
 * Results. To find out whether any result passes, sample results are tested: all errnos, and each
 * number in a condition with its neighbours. Between these the answer cannot change.
 */

/*
 * Whether some result of some function passes the filters. All members but `listed` are about the
 * same result.
 */
struct outcome {
	bool admitted;	/* it meets --return */
	bool wanted;	/* ... and it is a failure, or a success that is shown */
	bool passes;	/* ... and it is no error of -X */
	bool listed;	/* it is an error of -x; for any traced call */
};

static void range_of(enum return_kind returns, int64_t *ret_min, int64_t *ret_max)
{
	switch (returns) {
	case RETURN_BOOL:
		*ret_min = 0;
		*ret_max = 1;
		break;
	case RETURN_UNSIGNED8:
		*ret_min = 0;
		*ret_max = UINT8_MAX;
		break;
	case RETURN_UNSIGNED16:
		*ret_min = 0;
		*ret_max = UINT16_MAX;
		break;
	case RETURN_INT8:
		*ret_min = INT8_MIN;
		*ret_max = INT8_MAX;
		break;
	case RETURN_INT16:
		*ret_min = INT16_MIN;
		*ret_max = INT16_MAX;
		break;
	case RETURN_NARROW:
		*ret_min = INT16_MIN;
		*ret_max = UINT16_MAX;
		break;
	case RETURN_UNKNOWN:
	case RETURN_INT32:
	case RETURN_UNSIGNED32:
		*ret_min = INT32_MIN;
		*ret_max = INT32_MAX;
		break;
	default:
		*ret_min = INT64_MIN;
		*ret_max = INT64_MAX;
		break;
	}
}

static bool is_listed(const struct trace_request *request, int err)
{
	return (!request->allow_errnos.used || errno_set_has(&request->allow_errnos, err)) &&
	       !errno_set_has(&request->deny_errnos, err);
}

static void try_result(const struct trace_request *request, enum return_kind returns,
		       const struct config_terms *rule, int64_t value, struct outcome *outcome)
{
	bool admitted = !request->result.terms.nr ||
			terms_hold(&request->result.terms, value, returns);
	int err = rule ? result_errno_by(rule, value, returns) : result_errno(value, returns);
	bool failed = err != RESULT_NOT_FAILED;
	bool wanted = admitted && (failed || trace_request_shows_successes(request));

	outcome->admitted |= admitted;
	outcome->wanted |= wanted;
	outcome->passes |= wanted && !(failed && errno_set_has(&request->deny_errnos, err));
	outcome->listed |= failed && is_listed(request, err);
}

/* Test @value and its neighbours, if the function can return them. */
static void try_around(const struct trace_request *request, enum return_kind returns,
		       const struct config_terms *rule, int64_t value, struct outcome *outcome)
{
	int64_t min, max;

	range_of(returns, &min, &max);
	if (value >= min && value <= max)
		try_result(request, returns, rule, value, outcome);
	if (value > min && value - 1 <= max)
		try_result(request, returns, rule, value - 1, outcome);
	if (value < max && value + 1 >= min)
		try_result(request, returns, rule, value + 1, outcome);
}

/* @rule: the --error-if that applies, or NULL. */
static void try_function(const struct trace_request *request, enum return_kind returns,
			 const struct config_terms *rule, struct outcome *outcome)
{
	const struct config_terms *both[] = { &request->result.terms, rule };
	int64_t min, max;

	if (!return_kind_is_number(returns)) {
		bool admitted = !request->result.terms.nr;
		bool wanted = admitted && trace_request_shows_successes(request);

		outcome->admitted |= admitted;
		outcome->wanted |= wanted;
		outcome->passes |= wanted;
		return;
	}
	range_of(returns, &min, &max);
	try_result(request, returns, rule, min, outcome);
	try_result(request, returns, rule, max, outcome);
	for (int64_t value = -RESULT_MAX_ERRNO - 1; value <= 1; value++) {
		if (value >= min && value <= max)
			try_result(request, returns, rule, value, outcome);
	}
	for (int i = 0; i < 2; i++) {
		for (uint32_t t = 0; both[i] && t < both[i]->nr; t++)
			try_around(request, returns, rule, both[i]->terms[t].value, outcome);
	}
}

/* The option to name when not even failures are admitted. */
static const char *why_failures(const struct trace_request *request)
{
	return request->allow_errnos.used ? "-x" : "-Sn";
}

/* @entries: outcome of the entry functions; @all: of all functions. */
static int report_outcome(const struct trace_request *request, const struct outcome *entries,
			  const struct outcome *all)
{
	const char *text = request->result.text;

	if (!entries->admitted)
		return report(-EINVAL, "--return '%s': no entry function can return that", text);
	if (!entries->wanted && text)
		return report(-EINVAL,
			      "%s needs failed calls; with --return '%s' no call fails",
			      why_failures(request), text);
	if (!entries->wanted)
		return report(-EINVAL,
			      "no entry function can fail, by their types (see 'retsnoop funcs "
			      "-l'); -S shows calls that succeed, --error-if says what an error is");
	if (!entries->passes && text)
		return report(-EINVAL, "-X leaves out every error that --return '%s' admits", text);
	if (!entries->passes)
		return report(-EINVAL, "-X leaves out all errors");
	if (request->allow_errnos.used && !all->listed)
		return report(-EINVAL, "-x: no traced function can fail like that");
	return 0;
}

/* Check without knowing the functions: any function is assumed. */
static int check_results(const struct trace_request *request)
{
	struct outcome outcome = {};
	bool left = !request->allow_errnos.used;

	for (int err = 0; err <= MAX_ERRNO && !left; err++)
		left = is_listed(request, err);
	if (!left)
		return report(-EINVAL, "-X leaves out every error that -x asks for");
	/* A rule can make any result an error, and the functions with rules are not known yet. */
	if (request->error_rules.len || request->interim)
		return 0;
	for (int returns = 0; returns < NR_RETURN_KINDS; returns++)
		try_function(request, returns, NULL, &outcome);
	return report_outcome(request, &outcome, &outcome);
}

static bool always_holds(const struct config_terms *terms)
{
	bool holds = terms_hold(terms, INT64_MIN, RETURN_INT64) &&
		     terms_hold(terms, INT64_MAX, RETURN_INT64);

	for (uint32_t i = 0; i < terms->nr && holds; i++) {
		int64_t value = terms->terms[i].value;

		holds = terms_hold(terms, value, RETURN_INT64) &&
			(value == INT64_MIN || terms_hold(terms, value - 1, RETURN_INT64)) &&
			(value == INT64_MAX || terms_hold(terms, value + 1, RETURN_INT64));
	}
	return holds;
}

int predicates_check(const struct trace_request *request)
{
	int err;

	err = check_combinations(request);
	err = err ?: check_processes(request);
	err = err ?: check_times(request);
	err = err ?: check_results(request);
	if (!err && request->result.terms.nr && always_holds(&request->result.terms))
		warning("--return '%s' is true of every result: its parts are alternatives",
			request->result.text);
	return err;
}

/* Checks that know the functions. */

static int check_rule(const struct error_rule *rule, const struct plan_rule *found,
		      const struct plan *plan)
{
	const struct spec *spec = &rule->funcs.v.data[0];
	struct nearest near = nearest_start(spec->name);

	if (found->selected && !found->numbers)
		return report(-EINVAL,
			      "--error-if: '%s' selects only functions that return nothing",
			      spec->text);
	if (found->selected && !found->ruled)
		return report(-EINVAL, "--error-if: later rules take every function of '%s'",
			      spec->text);
	if (found->selected)
		return 0;
	if (spec->kind == SPEC_NAME && !is_glob(spec->name)) {
		vec_foreach(func, &plan->funcs)
			nearest_offer(&near, func->name);
	}
	return nearest_report(&near, "-a adds functions",
			      "--error-if: '%s' selects none of the functions", spec->text);
}

int predicates_check_rules(const struct trace_request *request, const struct plan *plan)
{
	int err = 0;

	for (size_t i = 0; i < plan->rules.len && !err; i++)
		err = check_rule(&request->error_rules.data[i], &plan->rules.data[i], plan);
	return err;
}

static int check_plan_results(const struct trace_request *request, const struct plan *plan)
{
	bool seen[2][NR_RETURN_KINDS][CONFIG_RULES + 1] = {};
	struct outcome entries = {}, all = {};
	bool numbers = false;

	vec_foreach(func, &plan->funcs) {
		const struct config_terms *rule =
			func->rule ? &request->error_rules.data[func->rule - 1].expr.terms : NULL;
		bool *known = &seen[func->entry][func->returns][func->rule];

		numbers |= func->entry && return_kind_is_number(func->returns);
		if (*known)
			continue;
		*known = true;
		try_function(request, func->returns, rule, &all);
		if (func->entry)
			try_function(request, func->returns, rule, &entries);
	}
	if (request->result.terms.nr && !numbers)
		return report(-EINVAL, "--return: the entry functions return nothing");
	/* Errors that were handled are shown whatever becomes of the entry call. */
	return request->interim ? 0 : report_outcome(request, &entries, &all);
}

int predicates_check_plan(const struct trace_request *request, const struct plan *plan)
{
	int err = predicates_check_rules(request, plan);

	if (!err && request->fn_longer_ns && plan->funcs.len == 1)
		err = report(-EINVAL,
			     "--fn-longer is about calls inside the entry call, and only '%s' is "
			     "traced; -a adds functions", plan->funcs.data[0].name);
	if (!err && plan->wheres_inside && request->max_depth == 1)
		err = report(-EINVAL, "--where has a condition for calls inside the entry call, and with "
			     "--max-depth=1 none is kept");
	return err ?: check_plan_results(request, plan);
}

/* The description in words. */

#define MAX_LISTED 16

/* Add what separates the @i-th of @n items from the one before: "a, b or c". */
static void add_separator(struct strbuf *sb, size_t i, size_t n)
{
	if (i)
		strbuf_addstr(sb, i + 1 == n ? " or " : ", ");
}

static void add_time(struct strbuf *sb, uint64_t ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "s", NSEC_PER_SEC }, { "ms", NSEC_PER_MSEC }, { "us", NSEC_PER_USEC } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (ns % units[i].ns)
			continue;
		strbuf_addf(sb, "%" PRIu64 "%s", ns / units[i].ns, units[i].name);
		return;
	}
	strbuf_addf(sb, "%" PRIu64 "ns", ns);
}

static void add_errnos(struct strbuf *sb, const struct errno_set *set)
{
	char number[ERRNO_WORD_SIZE];
	size_t n = 0, i = 0;

	for (int err = 0; err <= MAX_ERRNO; err++)
		n += errno_set_has(set, err);
	if (n > MAX_ERRNO) {
		strbuf_addstr(sb, "whatever it may be");
		return;
	}
	for (int err = 0; err <= MAX_ERRNO; err++) {
		if (!errno_set_has(set, err))
			continue;
		if (i == MAX_LISTED) {
			strbuf_addf(sb, " and %zu more", n - i);
			return;
		}
		/* If more items follow, the last one shown is not preceded by "or". */
		add_separator(sb, i++, n);
		strbuf_addstr(sb, err ? errno_word(err, number) : "NULL");
	}
}

static void print_line(struct strbuf *sb)
{
	say(VERBOSITY_VERBOSE, "  %s", strbuf_str(sb));
	strbuf_reset(sb);
}

static void print_results(const struct trace_request *request, struct strbuf *sb)
{
	strbuf_addstr(sb, trace_request_shows_successes(request) ?
				  "the entry call returns, failed or not" : "the entry call fails");
	print_line(sb);
	if (request->result.text) {
		strbuf_addf(sb, "its result is: %s", request->result.text);
		print_line(sb);
	}
	if (request->allow_errnos.used) {
		strbuf_addstr(sb, "it, or a call on the way to its error, fails with ");
		add_errnos(sb, &request->allow_errnos);
		print_line(sb);
	}
	if (request->deny_errnos.used) {
		strbuf_addstr(sb, "neither it nor a call on the way to its error fails with ");
		add_errnos(sb, &request->deny_errnos);
		print_line(sb);
	}
	if (request->longer_ns) {
		strbuf_addstr(sb, "it takes at least ");
		add_time(sb, request->longer_ns);
		print_line(sb);
	}
	if (request->fn_longer_ns) {
		strbuf_addstr(sb, "a traced call inside it takes at least ");
		add_time(sb, request->fn_longer_ns);
		print_line(sb);
	}
}

/* Return whether there was any condition on processes. */
static bool print_processes(const struct trace_request *request, struct strbuf *sb)
{
	size_t n = request->allow_pids.len + (request->workload ? 2 : 0), i = 0;

	if (n) {
		strbuf_addstr(sb, "the process is ");
		vec_foreach(pid, &request->allow_pids) {
			add_separator(sb, i++, n);
			strbuf_addf(sb, "%" PRIu32, *pid);
		}
		if (request->workload) {
			add_separator(sb, i, n);
			strbuf_addf(sb, "'%s' or one that it started", request->workload[0]);
		}
		print_line(sb);
	}
	if (request->deny_pids.len) {
		strbuf_addstr(sb, "the process is not ");
		i = 0;
		vec_foreach(pid, &request->deny_pids) {
			add_separator(sb, i++, request->deny_pids.len);
			strbuf_addf(sb, "%" PRIu32, *pid);
		}
		print_line(sb);
	}
	return n || request->deny_pids.len;
}

static bool print_patterns(const struct trace_request *request, struct strbuf *sb)
{
	if (!request->cgroup_patterns.len)
		return false;
	strbuf_addf(sb, "the process is in, or below, %s that matches ",
		    request->cgroups.len ? "another cgroup" : "a cgroup");
	for (size_t i = 0; i < request->cgroup_patterns.len; i++) {
		const struct cgroup_pattern *pattern = &request->cgroup_patterns.data[i];

		add_separator(sb, i, request->cgroup_patterns.len);
		strbuf_addf(sb, "%s %s", cgroup_pattern_option(pattern), pattern->text);
	}
	print_line(sb);
	return true;
}

static bool print_strings(struct strbuf *sb, const char *what, char *const *strings, size_t n)
{
	if (!n)
		return false;
	strbuf_addstr(sb, what);
	for (size_t i = 0; i < n; i++) {
		add_separator(sb, i, n);
		strbuf_addstr(sb, strings[i]);
	}
	print_line(sb);
	return true;
}

static bool print_users(const struct trace_request *request, struct strbuf *sb)
{
	size_t i = 0;

	if (!request->uids.len)
		return false;
	strbuf_addstr(sb, "the user id is ");
	vec_foreach(uid, &request->uids) {
		add_separator(sb, i++, request->uids.len);
		strbuf_addf(sb, "%" PRIu32, *uid);
	}
	print_line(sb);
	return true;
}

void predicates_print(const struct trace_request *request, const struct plan *plan)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;
	bool by_process;

	if (report_verbosity() < VERBOSITY_VERBOSE)
		return;
	say(VERBOSITY_VERBOSE, "A session is %s if all of this holds, which the kernel decides:",
	    request->summary ? "counted" : "shown");
	print_results(request, &sb);
	by_process = print_processes(request, &sb);
	by_process |= print_strings(&sb, "the process is named ", request->allow_comms.data,
				    request->allow_comms.len);
	by_process |= print_strings(&sb, "the process is not named ", request->deny_comms.data,
				    request->deny_comms.len);
	by_process |= print_users(request, &sb);
	by_process |= print_strings(&sb, "the process is in, or below, the cgroup ",
				    request->cgroups.data, request->cgroups.len);
	by_process |= print_patterns(request, &sb);
	vec_foreach(rule, &request->wheres)
		say(VERBOSITY_VERBOSE, "  arguments meet --where '%s'", rule->text);
	if (by_process)
		say(VERBOSITY_VERBOSE,
		    "Interrupts belong to no process: their calls are not shown.");
	if (request->interim)
		say(VERBOSITY_VERBOSE,
		    "Errors that were handled on the way are shown, too, whatever became of the "
		    "entry call.");
	for (size_t i = 0; i < plan->rules.len; i++) {
		const struct error_rule *rule = &request->error_rules.data[i];
		uint32_t ruled = plan->rules.data[i].ruled;

		say(VERBOSITY_VERBOSE, "--error-if '%s: %s' rules %" PRIu32 " function%s.",
		    rule->funcs.v.data[0].text, rule->expr.text, ruled, ruled == 1 ? "" : "s");
	}
	if (request->max_depth < EVENT_MAX_DEPTH)
		say(VERBOSITY_VERBOSE, "Calls nested more than %" PRIu32 " deep are only counted.",
		    request->max_depth);
}
