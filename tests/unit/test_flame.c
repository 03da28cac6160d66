// SPDX-License-Identifier: BSD-2-Clause
/* Sessions for other programs to draw: folded stacks, profiles of pprof and the Trace Event Format. */
#include "golden.h"
#include "trace_fixture.h"
#include "unit.h"

#include <zlib.h>

#include "util/view/formats/folded.h"
#include "util/view/formats/pprof.h"
#include "util/view/lists/why_view.h"

/* All that a view prints from its beginning to its end, of the fixture's session shown twice. */
static const char *twice(FIXTURE_DATA(trace_view) * self, struct view *(*new_view)(const void *context))
{
	struct view *view;
	size_t size;

	free(self->text);
	self->text = NULL;
	self->context.out = open_memstream(&self->text, &size);
	view = new_view(&self->context);
	if (!self->context.out || !view || (view->begin && view->begin(view)) ||
	    show_session(view, &self->context, &self->session) ||
	    show_session(view, &self->context, &self->session) ||
	    view->end(view, NULL))
		abort();
	view->free(view);
	fclose(self->context.out);
	return self->text;
}

static struct view *by_count(const void *context)
{
	return view_folded_new(context, FOLDED_COUNT);
}

static struct view *by_errno(const void *context)
{
	return view_folded_new(context, FOLDED_ERRNO);
}

static struct view *by_latency(const void *context)
{
	return view_folded_new(context, FOLDED_LATENCY);
}

static struct view *chrome(const void *context)
{
	return view_chrome_new(context);
}

TEST_F(trace_view, stacks_that_are_the_same_are_one_line)
{
	failing_stack(self);
	EXPECT_STREQ("simfail;do_syscall_64;__x64_sys_bpf;__sys_bpf;array_map_alloc_check 2\n",
		     twice(self, by_count));
}

TEST_F(trace_view, results_are_frames_of_their_own)
{
	failing_stack(self);
	EXPECT_STREQ("simfail;do_syscall_64;__x64_sys_bpf;__sys_bpf;array_map_alloc_check;"
		     "[-EINVAL] 2\n",
		     twice(self, by_errno));
}

TEST_F(trace_view, nothing_in_a_name_ends_a_frame_or_a_line)
{
	failing_stack(self);
	strcpy(self->session.comm, "a;b\nc\033d");
	EXPECT_STREQ("a:b?c?d;do_syscall_64;__x64_sys_bpf;__sys_bpf;array_map_alloc_check 2\n",
		     twice(self, by_count));
}

TEST_F(trace_view, strings_of_a_profile_are_utf8)
{
	char profile[4096] = "";
	z_stream stream = { .next_out = (Bytef *)profile, .avail_out = sizeof(profile) };
	struct view *view;
	size_t size;

	failing_stack(self);
	/* The kernel cuts names in the middle of a character. */
	strcpy(self->session.comm, "caf\xc3");
	self->context.out = open_memstream(&self->text, &size);
	view = view_pprof_new(&self->context);
	ASSERT_NE(NULL, view);
	ASSERT_EQ(0, view->begin(view));
	ASSERT_EQ(0, show_session(view, &self->context, &self->session));
	ASSERT_EQ(0, view->end(view, NULL));
	view->free(view);
	fclose(self->context.out);
	stream.next_in = (Bytef *)self->text;
	stream.avail_in = size;
	ASSERT_EQ(Z_OK, inflateInit2(&stream, MAX_WBITS + 16));
	EXPECT_EQ(Z_STREAM_END, inflate(&stream, Z_FINISH));
	inflateEnd(&stream);
	EXPECT_NE(NULL, memmem(profile, stream.total_out, "2\4caf?", 6));
	EXPECT_EQ(NULL, memmem(profile, stream.total_out, "caf\xc3", 4));
}

TEST_F(trace_view, time_is_counted_where_it_was_spent)
{
	failing_alloc_check(self);
	EXPECT_STREQ("simfail;__x64_sys_bpf 41642\n"
		     "simfail;__x64_sys_bpf;__sys_bpf 171256\n"
		     "simfail;__x64_sys_bpf;__sys_bpf;array_map_alloc_check 51898\n",
		     twice(self, by_latency));
}

TEST_F(trace_view, time_of_calls_whose_return_was_not_seen_is_that_of_calls_inside)
{
	ENTER(0, X64_SYS_BPF);
	ENTER(1, SYS_BPF);
	LEAF(2, ALLOC_CHECK, EINVAL_RESULT, 5);
	MARK(1, TRACED_UNSEEN, 1);
	LEAF(1, MAP_ALLOC, 0, 7);
	RETURN(0, X64_SYS_BPF, EINVAL_RESULT, 100);
	EXPECT_STREQ("simfail;__x64_sys_bpf 176\n"
		     "simfail;__x64_sys_bpf;__sys_bpf;array_map_alloc_check 10\n"
		     "simfail;__x64_sys_bpf;array_map_alloc 14\n",
		     twice(self, by_latency));
}

TEST_F(trace_view, a_return_without_its_call_has_a_place_but_no_time)
{
	ENTER(0, X64_SYS_BPF);
	LATE_RETURN(1, SYS_BPF, EINVAL_RESULT);
	RETURN(0, X64_SYS_BPF, EINVAL_RESULT, 100);
	EXPECT_STREQ("simfail;__x64_sys_bpf 200\n", twice(self, by_latency));
}

TEST_F(trace_view, trace_events_have_all_calls)
{
	ENTER(0, X64_SYS_BPF);
	ENTER(1, NF_SETELEM);
	LEAF(2, ALLOC_CHECK, EINVAL_RESULT, 1);
	MARK(2, TRACED_LOST, 17);
	MARK(1, TRACED_UNSEEN, 1);
	MARK(1, TRACED_DEEP, 44);
	LATE_RETURN(1, SYS_BPF, EINVAL_RESULT);
	RETURN(0, X64_SYS_BPF, EINVAL_RESULT, 7);
	golden(_metadata, "trace/chrome.json", twice(self, chrome));
}

TEST_F(trace_view, calls_that_do_not_return_end_with_the_session)
{
	ENTER(0, X64_SYS_BPF);
	ENTER(1, SYS_BPF);
	self->session.end_ns = self->now + 10;
	twice(self, chrome);
	EXPECT_SHOWS("\"name\":\"__sys_bpf\",\"cat\":\"task\",\"ts\":372607.001,\"dur\":0.011,");
	EXPECT_SHOWS("\"result\":\"not returned\"");
}

TEST_F(trace_view, handled_errors_are_not_drawn)
{
	failing_alloc_check(self);
	self->session.interim = true;
	EXPECT_STREQ("[\n]\n", twice(self, chrome));
	EXPECT_STREQ("", twice(self, by_latency));
	EXPECT_STREQ("", twice(self, by_count));
}

TEST_F(trace_view, idle_cpus_are_threads_of_their_own)
{
	failing_alloc_check(self);
	self->session.pid = self->session.tid = 0;
	strcpy(self->session.comm, "swapper/0");
	strcpy(self->session.proc_comm, "swapper/0");
	twice(self, chrome);
	EXPECT_SHOWS("\"name\":\"process_name\",\"pid\":0,\"tid\":0,\"args\":{\"name\":\"swapper\"}");
	EXPECT_SHOWS("\"name\":\"thread_name\",\"pid\":0,\"tid\":0,\"args\":{\"name\":\"swapper/0\"}");
	strcpy(self->session.comm, "swapper/3");
	twice(self, chrome);
	EXPECT_SHOWS("\"name\":\"thread_name\",\"pid\":0,\"tid\":1879048195,"
		     "\"args\":{\"name\":\"swapper/3\"}");
	EXPECT_EQ(NULL, strstr(self->text, "\"tid\":0,"));
	/* Anybody may have that name. */
	self->session.pid = self->session.tid = 9;
	twice(self, chrome);
	EXPECT_SHOWS("\"tid\":9,");
}

TEST_F(trace_view, every_thread_is_named_once)
{
	static const uint32_t tids[] = { 5, 900, 3, 5, 901, 4, 3, 900, 6, 902 };
	struct view *view;
	size_t size, named = 0;

	failing_alloc_check(self);
	free(self->text);
	self->text = NULL;
	self->context.out = open_memstream(&self->text, &size);
	view = view_chrome_new(&self->context);
	ASSERT_NE(NULL, view);
	for (size_t i = 0; i < ARRAY_SIZE(tids); i++) {
		self->session.tid = tids[i];
		ASSERT_EQ(0, show_session(view, &self->context, &self->session));
	}
	/* execve() names them anew. */
	self->session.tid = 900;
	strcpy(self->session.comm, "other");
	ASSERT_EQ(0, show_session(view, &self->context, &self->session));
	ASSERT_EQ(0, show_session(view, &self->context, &self->session));
	view->free(view);
	fclose(self->context.out);
	for (const char *s = self->text; (s = strstr(s, "\"thread_name\"")); s++)
		named++;
	EXPECT_EQ(7 + 1, named);
	EXPECT_SHOWS("\"tid\":900,\"args\":{\"name\":\"other\"}");
}

TEST_F(trace_view, time_after_a_gap_is_counted_once)
{
	ENTER(0, X64_SYS_BPF);
	MARK(1, TRACED_LOST, 1);
	ENTER(2, MAP_ALLOC);
	LEAF(3, ALLOC_CHECK, EINVAL_RESULT, 40);
	RETURN(2, MAP_ALLOC, 0, 100);
	RETURN(0, X64_SYS_BPF, EINVAL_RESULT, 1000);
	EXPECT_STREQ("simfail;__x64_sys_bpf 1800\n"
		     "simfail;__x64_sys_bpf;array_map_alloc 120\n"
		     "simfail;__x64_sys_bpf;array_map_alloc;array_map_alloc_check 80\n",
		     twice(self, by_latency));
}

TEST_F(trace_view, a_gap_hides_whose_return_it_is)
{
	ENTER(0, X64_SYS_BPF);
	ENTER(1, SYS_BPF);
	MARK(2, TRACED_LOST, 1);
	LATE_RETURN(1, ALLOC_CHECK, EINVAL_RESULT);
	RETURN(0, X64_SYS_BPF, EINVAL_RESULT, 100);
	twice(self, chrome);
	EXPECT_SHOWS("array_map_alloc_check");
}

TEST_F(trace_view, functions_of_modules_come_while_it_is_read)
{
	struct plan growing = {};
	struct why_choice why = {};
	struct plan_func *before;
	struct view *view;
	size_t size;

	for (int i = 0; i < NR_FUNCS; i++)
		ASSERT_EQ(0, vec_push(&growing.funcs, funcs[i]));
	failing_stack(self);
	self->context.explain.plan = &growing;
	self->context.why = &why;
	self->context.out = open_memstream(&self->text, &size);
	view = view_why_new(&self->context);
	ASSERT_EQ(0, show_session(view, &self->context, &self->session));
	/* As recording_get_funcs() does, with a chunk of functions of modules. */
	before = growing.funcs.data;
	ASSERT_EQ(0, vec_reserve(&growing.funcs, 100000));
	ASSERT_NE(before, growing.funcs.data);
	ASSERT_EQ(0, show_session(view, &self->context, &self->session));
	view->end(view, NULL);
	view->free(view);
	fclose(self->context.out);
	EXPECT_SHOWS("__x64_sys_bpf() = -EINVAL");
	vec_release(&growing.funcs);
}

TEST_HARNESS_MAIN
