// SPDX-License-Identifier: BSD-2-Clause
/* Filters on sessions that are there, counts of them, and two recordings compared. */
#include <errno.h>

#include "unit.h"

#include "util/ask/request.h"
#include "util/ask/settings.h"
#include "util/plan/plan.h"
#include "util/trace/record/recording_diff.h"
#include "util/trace/session/session.h"
#include "util/trace/session/session_filter.h"
#include "util/trace/summary/summary_session.h"
#include "util/view/lists/diff.h"

enum { OPEN, READ, ALLOC, COPY, NR_FUNCS };

static struct plan_func funcs[NR_FUNCS] = {
	[OPEN] = { .name = "sys_open", .entry = true, .returns = RETURN_INT32 },
	[READ] = { .name = "sys_read", .entry = true, .returns = RETURN_INT64, .module = "mod" },
	[ALLOC] = { .name = "alloc", .returns = RETURN_POINTER },
	[COPY] = { .name = "copy", .returns = RETURN_INT32, .rule = 1 },
};
static const struct plan plan = { .funcs = { funcs, NR_FUNCS, NR_FUNCS }, .nr_entries = 2 };
/* copy() fails with 7. */
static const struct error_rule rules[] = {
	{ .expr.terms = { .nr = 1, .terms = { { .op = TERM_EQ, .value = 7 } } } },
};

FIXTURE(filter)
{
	struct trace_request request;
	struct event_frame frames[3];
	struct traced_call calls[3];
	struct session session;	/* sys_open() -> alloc() = NULL: -ENOMEM, in 900 ns */
	struct recording_diff diff;
	struct summary summary;
};

FIXTURE_SETUP(filter)
{
	trace_request_init(&self->request);
	self->request.success = SUCCESS_YES;
	self->request.interim = true;
	self->frames[0] = (struct event_frame){ OPEN, EVENT_FRAME_FAILED, 900, -12ull };
	self->frames[1] = (struct event_frame){ ALLOC, EVENT_FRAME_FAILED, 300, 0 };
	self->calls[0] = (struct traced_call){ .kind = TRACED_CALL, .func = OPEN };
	self->calls[1] = (struct traced_call){ .kind = TRACED_LEAF, .func = COPY, .depth = 1,
					       .has_duration = true, .duration_ns = 500 };
	self->calls[2] = (struct traced_call){ .kind = TRACED_RETURN, .func = OPEN,
					       .has_duration = true, .duration_ns = 900 };
	self->session = (struct session){
		.start_ns = 1000, .end_ns = 1900, .tid = 5, .pid = 4, .comm = "worker",
		.failed = true, .frames = self->frames, .nr_frames = 2, .calls = self->calls,
		.nr_calls = 3,
	};
}

FIXTURE_TEARDOWN(filter)
{
	trace_request_release(&self->request);
	recording_diff_release(&self->diff);
	summary_release(&self->summary);
}

static bool passes(FIXTURE_DATA(filter) * self)
{
	const struct session_filter filter = { &self->request, &plan, rules };

	return !session_fails(&filter, &self->session);
}

TEST_F(filter, that_asks_for_nothing_lets_all_pass)
{
	EXPECT_TRUE(passes(self));
	self->session.failed = false;
	EXPECT_TRUE(passes(self));
}

TEST_F(filter, on_users_takes_what_was_recorded)
{
	ASSERT_EQ(0, vec_push(&self->request.uids, 1000));
	EXPECT_FALSE(passes(self));
	self->session.has_origin = true;
	EXPECT_FALSE(passes(self));
	self->session.uid = 1000;
	EXPECT_TRUE(passes(self));
	self->session.context = CONTEXT_SOFTIRQ;
	EXPECT_FALSE(passes(self));
}

TEST_F(filter, on_times_and_numbers_is_met_by_those_within)
{
	struct session_filter filter = { &self->request, &plan, rules, .since_ns = 1001 };

	self->session.number = 3;
	EXPECT_EQ(FILTER_SINCE, session_fails(&filter, &self->session));
	filter.since_ns = filter.until_ns = 1000;
	EXPECT_EQ(0, session_fails(&filter, &self->session));
	filter.until_ns = 999;
	EXPECT_EQ(FILTER_UNTIL, session_fails(&filter, &self->session));
	filter = (struct session_filter){ &self->request, &plan, rules, .number = 2 };
	EXPECT_EQ(FILTER_NUMBER, session_fails(&filter, &self->session));
	filter.number = 3;
	EXPECT_EQ(0, session_fails(&filter, &self->session));
}

TEST_F(filter, on_processes_takes_their_ids_and_names)
{
	ASSERT_EQ(0, vec_push(&self->request.allow_pids, 4));
	EXPECT_TRUE(passes(self));
	self->session.pid = 5;
	EXPECT_FALSE(passes(self));
	self->session.pid = 4;
	ASSERT_EQ(0, vec_push(&self->request.deny_comms, strdup("worker")));
	EXPECT_FALSE(passes(self));
	strcpy(self->session.comm, "other");
	EXPECT_TRUE(passes(self));
	/* An interrupt is no process's. */
	self->session.context = CONTEXT_HARDIRQ;
	EXPECT_FALSE(passes(self));
}

TEST_F(filter, on_processes_left_out_leaves_out_interrupts)
{
	/* It interrupted a process with another name. */
	self->session.context = CONTEXT_HARDIRQ;
	EXPECT_TRUE(passes(self));
	ASSERT_EQ(0, vec_push(&self->request.deny_pids, 7));
	EXPECT_FALSE(passes(self));
	self->request.deny_pids.len = 0;
	ASSERT_EQ(0, vec_push(&self->request.deny_comms, strdup("other")));
	EXPECT_FALSE(passes(self));
}

TEST_F(filter, on_errors_takes_any_of_the_chain)
{
	errno_set_add(&self->request.allow_errnos, "NULL");
	EXPECT_TRUE(passes(self));
	self->frames[1].result = 5;
	EXPECT_FALSE(passes(self));
	errno_set_add(&self->request.allow_errnos, "ENOMEM");
	EXPECT_TRUE(passes(self));
	errno_set_add(&self->request.deny_errnos, "12");
	EXPECT_FALSE(passes(self));
	/* What succeeded has no error that was asked for. */
	self->session.failed = false;
	EXPECT_FALSE(passes(self));
}

TEST_F(filter, on_errors_ignores_calls_that_go_on)
{
	/* Their results are not known yet. */
	errno_set_add(&self->request.allow_errnos, "ENOMEM");
	EXPECT_TRUE(passes(self));
	self->frames[0].flags |= EVENT_FRAME_UNFINISHED;
	EXPECT_FALSE(passes(self));
}

TEST_F(filter, on_errors_knows_the_rules_of_the_recording)
{
	self->frames[1] = (struct event_frame){ COPY, EVENT_FRAME_FAILED, 1, 7 };
	errno_set_add(&self->request.allow_errnos, "NULL");
	EXPECT_TRUE(passes(self));
	self->frames[1].result = 8;
	EXPECT_FALSE(passes(self));
}

TEST_F(filter, on_durations_takes_the_call_or_one_inside)
{
	self->request.longer_ns = 900;
	EXPECT_TRUE(passes(self));
	self->request.longer_ns = 901;
	EXPECT_FALSE(passes(self));
	self->request.longer_ns = 0;
	self->request.fn_longer_ns = 500;
	EXPECT_TRUE(passes(self));
	self->request.fn_longer_ns = 501;
	EXPECT_FALSE(passes(self));
	/* Without a trace there is the chain. */
	self->session.nr_calls = 0;
	self->request.fn_longer_ns = 300;
	EXPECT_TRUE(passes(self));
	self->request.fn_longer_ns = 301;
	EXPECT_FALSE(passes(self));
}

TEST_F(filter, on_durations_leaves_out_what_tracing_took)
{
	self->session.end_ns += 500;
	self->request.longer_ns = 900;
	EXPECT_TRUE(passes(self));
	self->request.longer_ns = 901;
	EXPECT_FALSE(passes(self));
	/* A call that goes on took what it has taken up to now. */
	self->frames[0].flags |= EVENT_FRAME_UNFINISHED;
	EXPECT_EQ(1400, session_duration_ns(&self->session));
}

TEST_F(filter, on_results_takes_the_entry_calls)
{
	ASSERT_EQ(0, result_expr_parse("--return", "-ENOMEM", &self->request.result));
	EXPECT_TRUE(passes(self));
	self->frames[0].result = -13ull;
	EXPECT_FALSE(passes(self));
}

TEST_F(filter, on_functions_takes_entry_functions_and_those_inside)
{
	spec_list_add(&self->request.entry, "sys_*");
	EXPECT_TRUE(passes(self));
	spec_list_add(&self->request.deny, "sys_o*");
	EXPECT_FALSE(passes(self));
	self->frames[0].func = READ;
	EXPECT_TRUE(passes(self));
	/* In the trace, and on the way of the error. */
	spec_list_add(&self->request.allow, "copy");
	EXPECT_TRUE(passes(self));
	self->session.nr_calls = 0;
	EXPECT_FALSE(passes(self));
	spec_list_add(&self->request.allow, "alloc");
	EXPECT_TRUE(passes(self));
}

TEST_F(filter, leaves_out_successes_and_handled_errors)
{
	self->request.success = SUCCESS_NO;
	EXPECT_TRUE(passes(self));
	self->session.failed = false;
	EXPECT_FALSE(passes(self));
	self->session.failed = self->session.interim = true;
	EXPECT_TRUE(passes(self));
	self->request.interim = false;
	EXPECT_FALSE(passes(self));
}

static int count(FIXTURE_DATA(filter) * self)
{
	bool lost;
	int err = summary_add_session(&self->summary, &plan, rules, &self->session, &lost);

	return err ?: lost;
}

TEST_F(filter, counts_are_by_function_and_result_and_by_who_it_came_from)
{
	ASSERT_EQ(0, count(self));
	ASSERT_EQ(0, count(self));
	self->session.interim = true;
	ASSERT_EQ(0, count(self));
	self->session.interim = self->session.failed = false;
	self->frames[0].result = 3;
	ASSERT_EQ(0, count(self));
	summary_sort(&self->summary);
	ASSERT_EQ(2, self->summary.lines.len);
	EXPECT_EQ(ENOMEM, self->summary.lines.data[0].err);
	EXPECT_EQ(2, self->summary.lines.data[0].row.count);
	EXPECT_EQ(1800, self->summary.lines.data[0].row.total_ns);
	EXPECT_EQ(900, self->summary.lines.data[0].row.max_ns);
	EXPECT_EQ(SUMMARY_SUCCESS, self->summary.lines.data[1].err);
	ASSERT_EQ(1, self->summary.producers.len);
	EXPECT_EQ(ALLOC, self->summary.producers.data[0].func);
	EXPECT_EQ(0, self->summary.producers.data[0].err);
	EXPECT_EQ(ENOMEM, self->summary.producers.data[0].outcome);
	EXPECT_EQ(2, self->summary.producers.data[0].count);
	EXPECT_EQ(3, self->summary.calls);
}

TEST_F(filter, counts_say_when_there_is_no_room)
{
	int lost = 0;

	for (int err = 1; err <= SUMMARY_MAX_ROWS + 5; err++) {
		self->frames[0].result = -(uint64_t)err;
		lost += count(self);
	}
	EXPECT_EQ(5, lost);
	EXPECT_EQ(SUMMARY_MAX_ROWS, self->summary.lines.len);
}

static void compare(FIXTURE_DATA(filter) * self, int side, int times)
{
	while (times--) {
		if (recording_diff_add(&self->diff, side, &plan, rules, &self->session))
			abort();
	}
}

static char *diff_text(FIXTURE_DATA(filter) * self, bool json)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (json)
		diff_print_json(&self->diff, (const char *[]){ "a.data", "b.data" }, NULL, out);
	else
		diff_print_text(&self->diff, "", 0, false, out);
	fclose(out);
	return text;
}

TEST_F(filter, two_recordings_differ_by_ways_of_errors_and_durations)
{
	char *text;

	compare(self, 0, 10);
	self->frames[0].duration_ns = 4000;
	compare(self, 1, 25);
	self->frames[1] = (struct event_frame){ COPY, EVENT_FRAME_FAILED, 1, 7 };
	compare(self, 1, 1);
	self->frames[0] = (struct event_frame){ READ, 0, 100, 5 };
	self->session.failed = false;
	compare(self, 0, 2);
	recording_diff_sort(&self->diff);
	text = diff_text(self, false);
	EXPECT_STREQ("WAYS OF ERRORS    ERROR                       A   B  CHANGE\n"
		     "sys_open > copy   error, in the end -ENOMEM   0   1     new\n"
		     "sys_open > alloc  error, in the end -ENOMEM  10  25    x2.5\n"
		     "\n"
		     "CALLS OF   A   B  P50 A   P50 B  CHANGE  P99 A   P99 B  CHANGE\n"
		     "sys_open  10  26  898ns  3.78us    x4.2  900ns  4.00us    x4.4\n"
		     "sys_read   2   0      -       -       -      -       -       -\n",
		     text);
	free(text);
	text = diff_text(self, true);
	EXPECT_NE(NULL, strstr(text, "{\"type\":\"diff_path\",\"functions\":[\"sys_open\",\"copy\"],"
				     "\"failed\":true,\"errno\":null,\"outcome_failed\":true,"
				     "\"outcome_errno\":\"ENOMEM\",\"count_a\":0,\"count_b\":1}\n"))
	{
		TH_LOG("%s", text);
	}
	EXPECT_NE(NULL, strstr(text, "{\"type\":\"diff_calls\",\"function\":\"sys_read\",\"count_a\":2,\"count_b\":0,"
				     "\"p50_a_ns\":null,"));
	free(text);
}

TEST_F(filter, two_recordings_may_have_different_plans)
{
	struct plan_func other_funcs[] = { funcs[OPEN] };
	const struct plan other = { .funcs = { other_funcs, 1, 1 }, .nr_entries = 1 };
	const struct event_frame frame = { 0, EVENT_FRAME_FAILED, 5, -12ull };

	other_funcs[0].name = "sys_open";
	compare(self, 0, 1);
	self->frames[0] = frame;
	self->session.nr_frames = 1;
	ASSERT_EQ(0, recording_diff_add(&self->diff, 1, &other, NULL, &self->session));
	ASSERT_EQ(0, recording_diff_plan(&self->diff, 0, &plan));
	ASSERT_EQ(0, recording_diff_plan(&self->diff, 1, &other));
	recording_diff_sort(&self->diff);
	ASSERT_EQ(1, self->diff.funcs.len);
	EXPECT_EQ(1, self->diff.funcs.data[0].row[0].count);
	EXPECT_EQ(1, self->diff.funcs.data[0].row[1].count);
	EXPECT_EQ(2, self->diff.paths.len);
}

TEST_F(filter, what_was_not_traced_in_a_recording_is_not_gone_from_it)
{
	struct plan_func other_funcs[] = { funcs[OPEN], funcs[READ] };
	const struct plan other = { .funcs = { other_funcs, 2, 2 }, .nr_entries = 1 };
	char *text;

	other_funcs[1].entry = false;
	compare(self, 0, 2);
	/* Calls of an entry function that is none there. */
	self->frames[0] = (struct event_frame){ READ, 0, 100, 5 };
	self->session.failed = false;
	compare(self, 0, 3);
	ASSERT_EQ(0, recording_diff_plan(&self->diff, 0, &plan));
	ASSERT_EQ(0, recording_diff_plan(&self->diff, 1, &other));
	recording_diff_sort(&self->diff);
	text = diff_text(self, false);
	EXPECT_STREQ("WAYS OF ERRORS    ERROR                      A  B  CHANGE\n"
		     "sys_open > alloc  error, in the end -ENOMEM  2  -       -\n"
		     "\n"
		     "CALLS OF  A  B  P50 A  P50 B  CHANGE  P99 A  P99 B  CHANGE\n"
		     "sys_open  2  0      -      -       -      -      -       -\n"
		     "sys_read  3  -      -      -       -      -      -       -\n",
		     text);
	free(text);
}

TEST_HARNESS_MAIN
