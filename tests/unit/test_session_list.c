// SPDX-License-Identifier: BSD-2-Clause
/* Sessions as a list, in text, CSV and JSON (retsnoop report --list), and one of them (why -i). */
#include <errno.h>

#include "trace_fixture.h"
#include "unit.h"

#include "util/base/terminal.h"
#include "util/view/lists/session_list.h"
#include "util/view/lists/why_view.h"
#include "util/view/parts/columns.h"

/* __x64_sys_bpf() -> __sys_bpf() -> array_map_alloc_check() = @result */
static void chain(FIXTURE_DATA(trace_view) *self, uint64_t result)
{
	const uint32_t flags = result ? EVENT_FRAME_FAILED : 0;

	for (uint32_t i = 0; i < 3; i++)
		self->frames[i] = (struct event_frame){ X64_SYS_BPF + i, flags, 1000, result };
	self->session.frames = self->frames;
	self->session.nr_frames = 3;
	self->session.failed = result != 0;
	self->context.list = true;
}

TEST_F(trace_view, a_failed_call_is_listed_with_the_function_that_its_error_came_from)
{
	chain(self, EINVAL_RESULT);
	SHOWN(self, view_list_new);
	EXPECT_SHOWS("EINVAL        array_map_alloc_check  ");
	SHOWN(self, view_list_csv_new);
	EXPECT_SHOWS(",__x64_sys_bpf,EINVAL,array_map_alloc_check,EINVAL,simfail,");
	SHOWN(self, view_json_new);
	EXPECT_SHOWS("\"producer\":{\"function\":\"array_map_alloc_check\",");
}

TEST_F(trace_view, a_call_that_succeeded_is_listed_without_such_a_function)
{
	chain(self, 0);
	SHOWN(self, view_list_new);
	EXPECT_SHOWS("  ok            -  ");
	EXPECT_HIDES("array_map_alloc_check");
	SHOWN(self, view_list_csv_new);
	EXPECT_SHOWS(",__x64_sys_bpf,ok,,,simfail,");
	SHOWN(self, view_json_new);
	EXPECT_SHOWS("\"producer\":null");
}

TEST_F(trace_view, a_handled_error_is_listed_with_the_function_that_it_came_from)
{
	chain(self, EINVAL_RESULT);
	self->frames[0].flags = self->frames[1].flags = EVENT_FRAME_UNFINISHED;
	self->session.interim = true;
	self->session.failed = false;
	SHOWN(self, view_list_new);
	EXPECT_SHOWS("EINVAL        array_map_alloc_check  ");
	EXPECT_SHOWS("  interim\n");
	SHOWN(self, view_list_csv_new);
	EXPECT_SHOWS(",__x64_sys_bpf,,array_map_alloc_check,EINVAL,simfail,");
	SHOWN(self, view_json_new);
	EXPECT_SHOWS("\"producer\":{\"function\":\"array_map_alloc_check\",");
}

TEST_F(trace_view, the_process_of_a_list_has_the_name_of_the_process)
{
	chain(self, EINVAL_RESULT);
	self->session.tid = 8347;
	strcpy(self->session.comm, "worker");
	SHOWN(self, view_list_new);
	EXPECT_SHOWS("  simfail/8346  ");
	EXPECT_HIDES("worker");
	/* There, comm is the thread's, beside its id. */
	SHOWN(self, view_list_csv_new);
	EXPECT_SHOWS(",worker,8346,8347,");
	self->session.proc_comm[0] = '\0';
	SHOWN(self, view_list_new);
	EXPECT_SHOWS("  worker/8346  ");
}

/* What a view says at the end of one session. */
static void text_at_end(FIXTURE_DATA(trace_view) *self, struct view *(*new_view)(const struct view_context *))
{
	struct view *view;
	size_t size;

	free(self->text);
	self->context.out = open_memstream(&self->text, &size);
	view = self->context.out ? new_view(&self->context) : NULL;
	if (!view || show_session(view, &self->context, &self->session) || view->end(view, NULL))
		abort();
	view->free(view);
	fclose(self->context.out);
}

/* Columns of the last line, which ends with the duration. */
static size_t last_line_columns(FIXTURE_DATA(trace_view) *self)
{
	SHOWN(self, view_list_new);
	self->text[strlen(self->text) - 1] = '\0';
	return columns_of(strrchr(self->text, '\n') + 1);
}

TEST_F(trace_view, columns_of_a_list_stay_whatever_a_process_is_named)
{
	size_t columns;

	chain(self, EINVAL_RESULT);
	columns = last_line_columns(self);
	strcpy(self->session.proc_comm, "日本e\u0301");
	EXPECT_EQ(columns, last_line_columns(self));
	EXPECT_SHOWS("  日本e\u0301/8346  ");
	terminal_set_ascii(true);
	EXPECT_EQ(columns, last_line_columns(self));
	EXPECT_SHOWS("  ??e?/8346  ");
	terminal_set_ascii(false);
}

TEST_F(trace_view, why_says_what_became_of_branches_that_were_asked_for)
{
	struct why_choice why = {};

	chain(self, EINVAL_RESULT);
	self->context.list = false;
	self->context.why = &why;
	text_at_end(self, view_why_new);
	EXPECT_SHOWS("  what decided that is not known: no branches were recorded; 'record --lbr' does");
	self->session.no_branches = true;
	text_at_end(self, view_why_new);
	EXPECT_SHOWS("  what decided that is not known: branches not captured\n");
	self->session.branches_err = -ENOENT;
	text_at_end(self, view_why_new);
	EXPECT_SHOWS("  what decided that is not known: branches not captured: this CPU keeps no records of them\n");
	EXPECT_HIDES("record --lbr");
	text_at_end(self, view_why_json_new);
	EXPECT_SHOWS("this CPU keeps no records of them\"");
}

TEST_HARNESS_MAIN
