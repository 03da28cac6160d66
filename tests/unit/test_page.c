// SPDX-License-Identifier: BSD-2-Clause
/* The page of sessions: what its data can hold. The page itself is tried in a browser (tests/page). */
#include "trace_fixture.h"
#include "unit.h"

#include "util/base/strbuf.h"
#include "util/trace/session/ledger.h"

#define DATA "<script type=\"application/x-ndjson\">\n"

/* The page of the fixture's session, so many times. */
static void make_page(FIXTURE_DATA(trace_view) * self, unsigned int sessions,
		      const struct ledger *ledger)
{
	struct view *view;
	size_t size;

	free(self->text);
	self->text = NULL;
	self->context.out = open_memstream(&self->text, &size);
	view = view_html_new(&self->context);
	if (!self->context.out || !view || view->begin(view))
		abort();
	while (sessions--) {
		if (show_session(view, &self->context, &self->session))
			abort();
	}
	if (view->end(view, ledger))
		abort();
	view->free(view);
	fclose(self->context.out);
}

/* The data of a page with one session, which ends at *@ret_end. */
static const char *page(FIXTURE_DATA(trace_view) * self, const struct ledger *ledger,
			const char **ret_end)
{
	const char *data;

	make_page(self, 1, ledger);
	data = strstr(self->text, DATA);
	if (!data)
		abort();
	data += strlen(DATA);
	*ret_end = strstr(data, "</script>");
	return data;
}

static unsigned int lines(const char *data, const char *end)
{
	unsigned int n = 0;

	for (; data < end; data++)
		n += *data == '\n';
	return n;
}

TEST_F(trace_view, a_session_is_two_lines_of_data_and_the_ledger_one)
{
	struct ledger ledger = { .shown = 1 };
	const char *data, *end;

	failing_alloc_check(self);
	failing_stack(self);
	data = page(self, &ledger, &end);
	EXPECT_EQ(3, lines(data, end));
	EXPECT_EQ(0, strncmp(data, "{\"entry\":\"__x64_sys_bpf\",\"result\":\"[-EINVAL]\","
				   "\"producer\":\"array_map_alloc_check\"", 80));
	EXPECT_SHOWS("\n{\"type\":\"session\",");
	EXPECT_SHOWS("\n{\"type\":\"ledger\",\"sessions_shown\":1,");
	data = page(self, NULL, &end);
	EXPECT_EQ(2, lines(data, end));
}

TEST_F(trace_view, a_call_that_succeeded_is_listed_by_its_entry_function)
{
	const char *data, *end;

	failing_alloc_check(self);
	failing_stack(self);
	self->session.failed = false;
	for (uint32_t i = 0; i < self->session.nr_frames; i++) {
		self->frames[i].flags = 0;
		self->frames[i].result = 0;
	}
	data = page(self, NULL, &end);
	EXPECT_EQ(0, strncmp(data, "{\"entry\":\"__x64_sys_bpf\",\"result\":\"[0]\","
				   "\"producer\":\"__x64_sys_bpf\"", 66));
}

TEST_F(trace_view, results_are_those_of_text)
{
	const enum return_kind before = funcs[MAP_ALLOC].returns;
	const char *end;

	ENTER(0, X64_SYS_BPF);
	LEAF(1, MAP_FREE, 5, 10);
	LEAF(1, SLEEP, 0x40000000, 10);
	funcs[MAP_ALLOC].returns = RETURN_STRUCT;
	LEAF(1, MAP_ALLOC, 5, 10);
	RETURN(0, X64_SYS_BPF, EINVAL_RESULT, 132398);
	failing_stack(self);
	page(self, NULL, &end);
	funcs[MAP_ALLOC].returns = before;
	EXPECT_SHOWS("\"result\":null,\"errno\":null,\"shown\":\"[void]\"");
	EXPECT_SHOWS("\"result\":1073741824,\"errno\":null,\"shown\":\"[0x40000000]\"");
	EXPECT_SHOWS("\"result\":null,\"errno\":null,\"shown\":\"[struct]\"");
	SHOWN(self, view_json_new);
	EXPECT_HIDES("\"shown\":");
}

TEST_F(trace_view, nothing_in_a_name_ends_the_data)
{
	static const char *const names[] = { "</script><b>", "<!--<script>", "a\nb\r\n\tc\033",
					     "\342\200\250\342\200\251", "\377\300\257\355\240\200",
					     "\"'\\&lt;" };
	const char *data, *end;

	failing_alloc_check(self);
	failing_stack(self);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		strcpy(self->session.comm, names[i]);
		strcpy(self->session.proc_comm, names[i]);
		data = page(self, NULL, &end);
		EXPECT_EQ(2, lines(data, end));
		EXPECT_EQ(NULL, memchr(data, '<', end - data));
		EXPECT_EQ(NULL, memchr(data, '\r', end - data));
		EXPECT_EQ(NULL, memchr(data, '\377', end - data));
		EXPECT_EQ('\n', end[-1]);
	}
	EXPECT_SHOWS("\"comm\":\"\\\"'\\\\&lt;\"");
}

TEST_F(trace_view, data_comes_in_blocks_of_whole_sessions)
{
	unsigned int sessions = 0, blocks = 0;
	size_t last = 0, longest = 0;
	const char *data, *end;

	failing_alloc_check(self);
	failing_stack(self);
	make_page(self, 2000, NULL);
	for (data = self->text; (data = strstr(data, DATA)); data = end) {
		data += strlen(DATA);
		end = strstr(data,
			     "</script>\n<script>\ntake(document.currentScript)\n</script>\n");
		ASSERT_NE(NULL, end);
		ASSERT_EQ(0, lines(data, end) % 2);
		ASSERT_EQ(0, strncmp(data, "{\"entry\":", 9));
		sessions += lines(data, end) / 2;
		last = end - data;
		if (!blocks++)
			EXPECT_GT(300 << 10, last);
		if (last > longest)
			longest = last;
	}
	EXPECT_EQ(2000, sessions);
	EXPECT_LT(2, blocks);
	EXPECT_GT(5 << 20, longest);
}

TEST_F(trace_view, what_has_nothing_to_be_shown_is_not_on_the_page)
{
	const char *data, *end;

	failing_alloc_check(self);
	self->session.nr_frames = 0;
	data = page(self, NULL, &end);
	EXPECT_EQ(end, data);
}

TEST_HARNESS_MAIN
