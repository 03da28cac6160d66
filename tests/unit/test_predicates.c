// SPDX-License-Identifier: BSD-2-Clause
/* Requests as a whole: what nothing can meet, and what is said of the rest. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/ask/request.h"
#include "util/ask/settings.h"
#include "util/base/report.h"
#include "util/plan/plan.h"
#include "util/plan/predicates.h"

#define MS 1000000ull
#define SEC (1000 * MS)

FIXTURE(predicates)
{
	struct trace_request request;
	struct plan plan;
	char *messages;
	int err;
};

/* What `retsnoop -e do_open` asks for. */
static void init_request(struct trace_request *request)
{
	trace_request_init(request);
	request->modes = request->shown_modes = MODE_STACK;
	if (spec_list_add(&request->entry, "do_open"))
		abort();
}

FIXTURE_SETUP(predicates)
{
	memset(self, 0, sizeof(*self));
	init_request(&self->request);
}

/* As new, for the next case. */
static void again(FIXTURE_DATA(predicates) *self)
{
	trace_request_release(&self->request);
	init_request(&self->request);
	vec_release(&self->plan.funcs);
	vec_release(&self->plan.rules);
	free(self->messages);
	self->messages = NULL;
	report_set_verbosity(VERBOSITY_NORMAL);
}

FIXTURE_TEARDOWN(predicates)
{
	again(self);
	trace_request_release(&self->request);
}

static void add_return(FIXTURE_DATA(predicates) *self, const char *text)
{
	if (result_expr_parse("--return", text, &self->request.result))
		abort();
}

static void add_errnos(struct errno_set *set, const char *name)
{
	if (errno_set_add(set, name))
		abort();
}

static void success(FIXTURE_DATA(predicates) *self, enum success_mode mode)
{
	self->request.success = mode;
}

static void add_func(FIXTURE_DATA(predicates) *self, const char *name, bool entry,
		     enum return_kind returns)
{
	struct plan_func func = { .name = name, .entry = entry, .returns = returns };

	if (vec_push(&self->plan.funcs, func))
		abort();
}

/* A rule, and what planning made of it. */
static void add_rule(FIXTURE_DATA(predicates) *self, const char *text, struct plan_rule found)
{
	struct error_rule rule;

	if (error_rule_parse(text, &rule) || vec_push(&self->request.error_rules, rule) ||
	    vec_push(&self->plan.rules, found))
		abort();
}

static void check(FIXTURE_DATA(predicates) *self)
{
	trace_request_settle(&self->request);
	free(self->messages);
	self->messages = stderr_of(self->err = predicates_check(&self->request));
}

static void check_plan(FIXTURE_DATA(predicates) *self)
{
	check(self);
	if (self->err)
		return;
	free(self->messages);
	self->messages = stderr_of(self->err = predicates_check_plan(&self->request, &self->plan));
}

#define FINE()                                                                                     \
	do {                                                                                       \
		EXPECT_EQ(0, self->err);                                                           \
		EXPECT_STREQ("", self->messages);                                                  \
		again(self);                                                                       \
	} while (0)

#define REFUSED(message)                                                                           \
	do {                                                                                       \
		EXPECT_EQ(-EINVAL, self->err);                                                     \
		EXPECT_STREQ("retsnoop: " message "\n", self->messages);                           \
		again(self);                                                                       \
	} while (0)

TEST_F(predicates, nothing_asked_is_fine)
{
	check(self);
	FINE();
}

TEST_F(predicates, settings_that_need_another_one_are_refused_without_it)
{
	char program[] = "true", *workload[] = { program, NULL };

	spec_list_release(&self->request.entry);
	self->request.entry = (struct spec_list){};
	check(self);
	REFUSED("no entry functions given; -e GLOB, --syscall NAME or -c CASE, for example -e '*_sys_bpf'");
	spec_list_release(&self->request.entry);
	self->request.entry = (struct spec_list){ .given = true };
	check(self);
	REFUSED("no entry functions: the list given with -e is empty");
	self->request.forward_status = true;
	check(self);
	REFUSED("--forward-status needs a program to run, after '--'");
	self->request.user = strdup("root");
	check(self);
	REFUSED("-u needs a program to run, after '--'");
	self->request.user = strdup("root");
	self->request.forward_status = true;
	self->request.workload = workload;
	check(self);
	FINE();
	self->request.summary = true;
	self->request.summary_by = SUMMARY_BY_HOST;
	check(self);
	REFUSED("--by=host counts recordings of several hosts: 'retsnoop report --by=host FILE...'");
	self->request.modes = MODE_ARGS;
	check(self);
	REFUSED("nothing is left to show; -T shows traces, -E stacks, --lbr branches");
	self->request.histograms = HISTOGRAMS_YES;
	check(self);
	REFUSED("--histogram needs --summary");
	self->request.histograms = HISTOGRAMS_NO;
	check(self);
	REFUSED("--no-histogram needs --summary");
	self->request.summary = true;
	self->request.trace_context = TRACE_CONTEXT_MAP;
	check(self);
	REFUSED("--trace-context cannot be combined with --summary, which shows no calls");
	self->request.show = SHOW_TRACE;
	check(self);
	REFUSED("--show=trace needs --trace-context, which reads the ids");
}

TEST_F(predicates, one_process_is_not_both_wanted_and_unwanted)
{
	vec_push(&self->request.allow_pids, 1);
	vec_push(&self->request.allow_pids, 22);
	vec_push(&self->request.deny_pids, 22);
	check(self);
	REFUSED("-p and -P name the same process, 22");
	vec_push(&self->request.allow_pids, 22);
	vec_push(&self->request.deny_pids, 1);
	check(self);
	FINE();
	vec_push(&self->request.allow_comms, strdup("bash"));
	vec_push(&self->request.deny_comms, strdup("zsh"));
	check(self);
	EXPECT_EQ(0, self->err);
	vec_push(&self->request.deny_comms, strdup("bash"));
	check(self);
	REFUSED("-n and -N name the same processes, 'bash'");
}

TEST_F(predicates, what_takes_longer_than_tracing_is_never_seen)
{
	self->request.duration_ns = SEC;
	self->request.longer_ns = SEC;
	self->request.fn_longer_ns = 2 * MS;
	check(self);
	FINE();
	self->request.duration_ns = SEC;
	self->request.longer_ns = SEC + 1;
	check(self);
	REFUSED("--longer is more than --duration: no call takes that long while tracing goes on");
	self->request.duration_ns = SEC;
	self->request.fn_longer_ns = 2 * SEC;
	check(self);
	REFUSED("--fn-longer is more than --duration: no call takes that long while tracing goes on");
	self->request.duration_ns = SEC;
	self->request.summary = true;
	self->request.interval_ns = 2 * SEC;
	check(self);
	REFUSED("--interval is more than --duration: tracing is over before that");
	self->request.duration_ns = SEC;
	self->request.stats_ns = 2 * SEC;
	check(self);
	REFUSED("--stats is more than --duration: tracing is over before that");
	/* No limit. */
	self->request.longer_ns = 100 * SEC;
	self->request.fn_longer_ns = 200 * SEC;
	check(self);
	FINE();
	/* Errors on the way are shown before the call is over. */
	self->request.duration_ns = SEC;
	self->request.longer_ns = 2 * SEC;
	self->request.interim = true;
	check(self);
	FINE();
}

TEST_F(predicates, a_summary_has_no_arguments)
{
	self->request.summary = true;
	self->request.modes = self->request.modes_asked = MODE_ARGS;
	EXPECT_EQ(-EINVAL, predicates_check(&self->request));
	/* A command's own mode is not asked for. */
	self->request.modes_asked = 0;
	EXPECT_EQ(0, predicates_check(&self->request));
}

TEST_F(predicates, a_summary_goes_with_nothing_about_single_sessions)
{
	/* What the command would show by itself gives way. */
	self->request.summary = true;
	self->request.modes = MODE_TRACE;
	check(self);
	FINE();
	self->request.summary = true;
	self->request.modes = self->request.modes_asked = MODE_TRACE;
	check(self);
	REFUSED("--summary shows no single sessions: it cannot be combined with -T");
	self->request.summary = true;
	self->request.modes = self->request.modes_asked = MODE_STACK;
	check(self);
	REFUSED("--summary shows no single sessions: it cannot be combined with -E");
	self->request.summary = true;
	self->request.modes = self->request.modes_asked = MODE_BRANCHES;
	check(self);
	REFUSED("--summary shows no single sessions: it cannot be combined with --lbr");
	self->request.summary = true;
	self->request.interim = true;
	check(self);
	REFUSED("--summary shows no single sessions: it cannot be combined with -I");
	self->request.summary = true;
	self->request.max_sessions = 1;
	check(self);
	REFUSED("--summary shows no single sessions: it cannot be combined with --max-sessions");
	self->request.summary = true;
	ASSERT_EQ(0, probe_spec_list_add(&self->request.probes, "tp:sched:sched_switch"));
	check(self);
	REFUSED("--summary shows no single sessions: it cannot be combined with -J and points");
}

TEST_F(predicates, errors_that_are_wanted_and_unwanted_leave_nothing)
{
	add_errnos(&self->request.allow_errnos, "EINVAL");
	add_errnos(&self->request.deny_errnos, "EINVAL");
	check(self);
	REFUSED("-X leaves out every error that -x asks for");
	add_errnos(&self->request.allow_errnos, "NULL");
	add_errnos(&self->request.deny_errnos, "any");
	check(self);
	REFUSED("-X leaves out every error that -x asks for");
	add_errnos(&self->request.allow_errnos, "any");
	add_errnos(&self->request.deny_errnos, "EINVAL");
	check(self);
	FINE();
	add_errnos(&self->request.deny_errnos, "any");
	check(self);
	REFUSED("-X leaves out all errors");
	add_errnos(&self->request.deny_errnos, "any");
	success(self, SUCCESS_YES);
	check(self);
	FINE();
}

TEST_F(predicates, a_condition_that_only_successes_meet_goes_with_no_errors)
{
	add_return(self, "5,>100");
	add_errnos(&self->request.allow_errnos, "EINVAL");
	check(self);
	REFUSED("-x needs failed calls; with --return '5,>100' no call fails");
	add_return(self, ">0");
	success(self, SUCCESS_NO);
	check(self);
	REFUSED("-Sn needs failed calls; with --return '>0' no call fails");
	add_return(self, "-4096");
	success(self, SUCCESS_NO);
	check(self);
	REFUSED("-Sn needs failed calls; with --return '-4096' no call fails");
	/* It implies that successes are wanted. */
	add_return(self, ">0");
	check(self);
	FINE();
	/* A pointer may be NULL, which is a failure: only the functions tell. */
	add_return(self, ">=0");
	success(self, SUCCESS_NO);
	check(self);
	FINE();
	add_return(self, "-4095");
	success(self, SUCCESS_NO);
	check(self);
	FINE();
	/* A rule may make an error of anything. */
	add_return(self, "5");
	success(self, SUCCESS_NO);
	add_rule(self, "x: ret == 5", (struct plan_rule){ 1, 1, 1 });
	check(self);
	FINE();
}

TEST_F(predicates, a_condition_whose_errors_are_all_unwanted_is_refused)
{
	add_return(self, "-EINVAL,-ENOMEM");
	add_errnos(&self->request.deny_errnos, "EINVAL");
	add_errnos(&self->request.deny_errnos, "ENOMEM");
	success(self, SUCCESS_NO);
	check(self);
	REFUSED("-X leaves out every error that --return '-EINVAL,-ENOMEM' admits");
	add_return(self, "-EINVAL,-ENOMEM");
	add_errnos(&self->request.deny_errnos, "EINVAL");
	success(self, SUCCESS_NO);
	check(self);
	FINE();
	add_return(self, "<0");
	add_errnos(&self->request.deny_errnos, "EINVAL");
	success(self, SUCCESS_NO);
	check(self);
	FINE();
}

TEST_F(predicates, conditions_that_are_always_or_never_true)
{
	add_return(self, "<-9223372036854775808");
	check(self);
	REFUSED("--return '<-9223372036854775808': no entry function can return that");
	add_return(self, ">0, <10");
	check(self);
	EXPECT_EQ(0, self->err);
	EXPECT_STREQ("retsnoop: warning: --return '>0, <10' is true of every result: its parts are "
		     "alternatives\n",
		     self->messages);
	again(self);
	add_return(self, "!=0,!=1");
	check(self);
	EXPECT_NE(0, strlen(self->messages));
	again(self);
	add_return(self, "<0,>0");
	check(self);
	FINE();
	add_return(self, "<=-9223372036854775808,>-9223372036854775808");
	check(self);
	EXPECT_EQ(0, self->err);
	EXPECT_NE(0, strlen(self->messages));
}

TEST_F(predicates, inner_calls_need_depth_and_functions)
{
	self->request.fn_longer_ns = MS;
	self->request.max_depth = 1;
	check(self);
	REFUSED("--fn-longer is about calls inside the entry call, and with --max-depth=1 none is kept");
	self->request.fn_longer_ns = MS;
	add_func(self, "do_open", true, RETURN_INT32);
	check_plan(self);
	REFUSED("--fn-longer is about calls inside the entry call, and only 'do_open' is traced; -a adds functions");
	self->request.fn_longer_ns = MS;
	add_func(self, "do_open", true, RETURN_INT32);
	add_func(self, "do_close", false, RETURN_VOID);
	check_plan(self);
	FINE();
}

TEST_F(predicates, a_result_needs_a_function_that_returns_one)
{
	add_return(self, "0");
	add_func(self, "nothing", true, RETURN_VOID);
	add_func(self, "much", true, RETURN_STRUCT);
	add_func(self, "inner", false, RETURN_INT32);
	check_plan(self);
	REFUSED("--return: the entry functions return nothing");
	add_return(self, "0");
	add_func(self, "nothing", true, RETURN_VOID);
	add_func(self, "do_open", true, RETURN_INT32);
	check_plan(self);
	FINE();
	add_return(self, "2");
	add_func(self, "is_open", true, RETURN_BOOL);
	check_plan(self);
	REFUSED("--return '2': no entry function can return that");
	/* Beyond 32 bits. */
	add_return(self, "0xffffffea");
	add_func(self, "do_open", true, RETURN_INT32);
	check_plan(self);
	REFUSED("--return '0xffffffea': no entry function can return that");
	add_return(self, "0xffffffea");
	add_func(self, "do_read", true, RETURN_INT64);
	check_plan(self);
	FINE();
	add_return(self, ">65535");
	add_func(self, "narrow", true, RETURN_NARROW);
	check_plan(self);
	REFUSED("--return '>65535': no entry function can return that");
	add_return(self, "255");
	add_func(self, "power_state", true, RETURN_UNSIGNED8);
	check_plan(self);
	FINE();
	add_return(self, "<0");
	add_func(self, "power_state", true, RETURN_UNSIGNED8);
	check_plan(self);
	REFUSED("--return '<0': no entry function can return that");
	add_return(self, "-1");
	add_func(self, "level", true, RETURN_INT16);
	check_plan(self);
	FINE();
	add_return(self, "32768");
	add_func(self, "level", true, RETURN_INT16);
	check_plan(self);
	REFUSED("--return '32768': no entry function can return that");
}

TEST_F(predicates, with_the_functions_zero_is_a_success_or_a_failure)
{
	add_return(self, "0");
	add_errnos(&self->request.allow_errnos, "EINVAL");
	add_func(self, "do_open", true, RETURN_INT32);
	add_func(self, "alloc", false, RETURN_POINTER);
	check_plan(self);
	REFUSED("-x needs failed calls; with --return '0' no call fails");
	add_return(self, "0");
	add_errnos(&self->request.allow_errnos, "EINVAL");
	add_func(self, "alloc", true, RETURN_POINTER);
	check_plan(self);
	FINE();
	add_return(self, ">=0");
	success(self, SUCCESS_NO);
	add_func(self, "do_open", true, RETURN_INT32);
	check_plan(self);
	REFUSED("-Sn needs failed calls; with --return '>=0' no call fails");
	add_return(self, ">=0");
	success(self, SUCCESS_NO);
	add_func(self, "do_open", true, RETURN_INT32);
	self->plan.funcs.data[0].rule = 1;
	add_rule(self, "do_open: ret > 1000", (struct plan_rule){ 1, 1, 1 });
	check_plan(self);
	FINE();
	/* A rule takes the type's own errors away. */
	add_return(self, "-EINVAL");
	success(self, SUCCESS_NO);
	add_func(self, "do_open", true, RETURN_INT32);
	self->plan.funcs.data[0].rule = 1;
	add_rule(self, "do_open: ret > 1000", (struct plan_rule){ 1, 1, 1 });
	check_plan(self);
	REFUSED("-Sn needs failed calls; with --return '-EINVAL' no call fails");
}

TEST_F(predicates, an_unwanted_error_that_is_a_success_elsewhere_needs_the_functions)
{
	add_return(self, "-EINVAL");
	add_errnos(&self->request.deny_errnos, "EINVAL");
	add_func(self, "do_open", true, RETURN_INT32);
	check_plan(self);
	REFUSED("-X leaves out every error that --return '-EINVAL' admits");
	add_return(self, "-EINVAL");
	add_errnos(&self->request.deny_errnos, "EINVAL");
	add_func(self, "number", true, RETURN_UNSIGNED32);
	check_plan(self);
	FINE();
}

TEST_F(predicates, functions_that_cannot_fail_are_not_waited_for)
{
	add_func(self, "nothing", true, RETURN_VOID);
	add_func(self, "is_open", true, RETURN_BOOL);
	add_func(self, "do_open", false, RETURN_INT32);
	check_plan(self);
	REFUSED("no entry function can fail, by their types (see 'retsnoop funcs -l'); "
		"-S shows calls that succeed, --error-if says what an error is");
	add_func(self, "nothing", true, RETURN_VOID);
	success(self, SUCCESS_YES);
	check_plan(self);
	FINE();
	/* A trace alone shows what does not fail. */
	add_func(self, "nothing", true, RETURN_VOID);
	self->request.shown_modes = MODE_TRACE;
	check_plan(self);
	FINE();
	add_func(self, "nothing", true, RETURN_VOID);
	add_func(self, "made", true, RETURN_UNKNOWN);
	check_plan(self);
	FINE();
	add_func(self, "is_open", true, RETURN_BOOL);
	self->plan.funcs.data[0].rule = 1;
	add_rule(self, "is_open: ret == false", (struct plan_rule){ 1, 1, 1 });
	check_plan(self);
	FINE();
	/* Errors on the way are. */
	add_func(self, "nothing", true, RETURN_VOID);
	add_func(self, "do_open", false, RETURN_INT32);
	self->request.interim = true;
	check_plan(self);
	FINE();
}

TEST_F(predicates, null_needs_a_pointer_or_a_rule)
{
	add_errnos(&self->request.allow_errnos, "NULL");
	add_func(self, "do_open", true, RETURN_INT32);
	add_func(self, "do_read", false, RETURN_INT64);
	check_plan(self);
	REFUSED("-x: no traced function can fail like that");
	add_errnos(&self->request.allow_errnos, "NULL");
	add_func(self, "do_open", true, RETURN_INT32);
	add_func(self, "alloc", false, RETURN_POINTER);
	check_plan(self);
	FINE();
	add_errnos(&self->request.allow_errnos, "NULL");
	add_func(self, "do_open", true, RETURN_INT32);
	add_func(self, "is_open", false, RETURN_BOOL);
	self->plan.funcs.data[1].rule = 1;
	add_rule(self, "is_open: ret == 0", (struct plan_rule){ 1, 1, 1 });
	check_plan(self);
	FINE();
}

TEST_F(predicates, a_rule_for_no_function_is_refused)
{
	add_rule(self, "do_oepn: ret == 0", (struct plan_rule){ 0, 0, 0 });
	add_func(self, "do_close", true, RETURN_INT32);
	add_func(self, "do_open", false, RETURN_INT32);
	check_plan(self);
	REFUSED("--error-if: 'do_oepn' selects none of the functions; did you mean 'do_open'?");
	add_rule(self, "xyz_*: ret == 0", (struct plan_rule){ 0, 0, 0 });
	add_func(self, "do_open", true, RETURN_INT32);
	check_plan(self);
	REFUSED("--error-if: 'xyz_*' selects none of the functions; -a adds functions");
	add_rule(self, "nothing: ret == 0", (struct plan_rule){ 1, 0, 0 });
	add_func(self, "do_open", true, RETURN_INT32);
	check_plan(self);
	REFUSED("--error-if: 'nothing' selects only functions that return nothing");
	add_rule(self, "do_open: ret == 0", (struct plan_rule){ 1, 1, 0 });
	add_rule(self, "*: ret == 1", (struct plan_rule){ 1, 1, 1 });
	add_func(self, "do_open", true, RETURN_INT32);
	check_plan(self);
	REFUSED("--error-if: later rules take every function of 'do_open'");
}

static void print(FIXTURE_DATA(predicates) *self, int verbosity)
{
	trace_request_settle(&self->request);
	report_set_verbosity(verbosity);
	free(self->messages);
	self->messages = stderr_of(predicates_print(&self->request, &self->plan));
}

#define HEAD "A session is shown if all of this holds, which the kernel decides:\n"

TEST_F(predicates, the_default_is_said_too_but_only_when_verbose)
{
	print(self, VERBOSITY_NORMAL);
	EXPECT_STREQ("", self->messages);
	print(self, VERBOSITY_VERBOSE);
	EXPECT_STREQ(HEAD "  the entry call fails\n", self->messages);
}

TEST_F(predicates, all_filters_in_words)
{
	static char *workload[] = { (char *)"ls", (char *)"-l", NULL };

	self->request.workload = workload;
	add_return(self, "<0 || 5");
	add_errnos(&self->request.allow_errnos, "EINVAL");
	add_errnos(&self->request.allow_errnos, "NULL");
	add_errnos(&self->request.allow_errnos, "ENOMEM");
	add_errnos(&self->request.deny_errnos, "4000");
	self->request.longer_ns = 1500000;
	self->request.fn_longer_ns = 2 * SEC;
	vec_push(&self->request.allow_pids, 22);
	vec_push(&self->request.deny_pids, 33);
	vec_push(&self->request.deny_pids, 44);
	vec_push(&self->request.allow_comms, strdup("bash"));
	vec_push(&self->request.deny_comms, strdup("a b"));
	vec_push(&self->request.uids, 0);
	vec_push(&self->request.uids, 1000);
	vec_push(&self->request.cgroups, strdup("/sys/fs/cgroup/x"));
	self->request.interim = true;
	self->request.max_depth = 64;
	add_rule(self, "map_*: ret == 0", (struct plan_rule){ 3, 3, 1 });
	add_rule(self, ":kernel/*.c: ret > 5", (struct plan_rule){ 3, 3, 12 });
	print(self, VERBOSITY_VERBOSE);
	EXPECT_STREQ(HEAD "  the entry call fails\n"
			  "  its result is: <0 || 5\n"
			  "  it, or a call on the way to its error, fails with NULL, ENOMEM or EINVAL\n"
			  "  neither it nor a call on the way to its error fails with 4000\n"
			  "  it takes at least 1500us\n"
			  "  a traced call inside it takes at least 2s\n"
			  "  the process is 22, 'ls' or one that it started\n"
			  "  the process is not 33 or 44\n"
			  "  the process is named bash\n"
			  "  the process is not named a b\n"
			  "  the user id is 0 or 1000\n"
			  "  the process is in, or below, the cgroup /sys/fs/cgroup/x\n"
			  "Interrupts belong to no process: their calls are not shown.\n"
			  "Errors that were handled on the way are shown, too, whatever became of the "
			  "entry call.\n"
			  "--error-if 'map_*: ret == 0' rules 1 function.\n"
			  "--error-if ':kernel/*.c: ret > 5' rules 12 functions.\n"
			  "Calls nested more than 64 deep are only counted.\n",
		     self->messages);
}

TEST_F(predicates, long_lists_and_whole_ones_are_cut_short)
{
	add_errnos(&self->request.allow_errnos, "any");
	print(self, VERBOSITY_VERBOSE);
	EXPECT_NE(NULL, strstr(self->messages, "fails with whatever it may be\n"));
	again(self);
	for (int i = 1; i <= 20; i++) {
		char number[16];

		snprintf(number, sizeof(number), "%d", i);
		add_errnos(&self->request.deny_errnos, number);
	}
	print(self, VERBOSITY_VERBOSE);
	EXPECT_NE(NULL, strstr(self->messages, ", EBUSY and 4 more\n"));
}

TEST_F(predicates, a_summary_counts)
{
	self->request.summary = true;
	print(self, VERBOSITY_VERBOSE);
	EXPECT_STREQ("A session is counted if all of this holds, which the kernel decides:\n"
		     "  the entry call returns, failed or not\n",
		     self->messages);
}

TEST_HARNESS_MAIN
