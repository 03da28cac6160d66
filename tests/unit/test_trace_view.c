// SPDX-License-Identifier: BSD-2-Clause
/*
 * Traces in the views of sessions: decoded calls in, text out. The texts are
 * tests/golden/trace/NAME; those for several widths have them all, one below the other.
 */
#include <pty.h>
#include <sys/ioctl.h>
#include <time.h>

#include "golden.h"
#include "plain.h"
#include "trace_fixture.h"
#include "unit.h"

#include "util/kernel/machine/cgroup_names.h"
#include "util/view/parts/times.h"
#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/base/terminal.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/ask/request.h"
#include "util/plan/plan.h"
#include "util/trace/session/session.h"
#include "util/view/parts/columns.h"
#include "util/view/session/view.h"

/* All the widths that matter; what looks the same as the one before is not repeated. */
static void golden_widths(struct __test_metadata *_metadata, FIXTURE_DATA(trace_view) * self,
			  const char *name)
{
	static const int widths[] = { 0, 200, 80, 40 };
	struct strbuf all = STRBUF_INIT;
	char *before = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		shown(self, widths[i], view_text_new);
		if (before && !strcmp(before, self->text))
			strbuf_addf(&all, "width %d: the same\n\n", widths[i]);
		else
			strbuf_addf(&all, "width %d:\n\n%s", widths[i], self->text);
		free(before);
		before = strdup(self->text);
	}
	free(before);
	golden(_metadata, name, strbuf_str(&all));
	strbuf_release(&all);
}

#define EXPECT_GOLDEN_WIDTHS(name) golden_widths(_metadata, self, "trace/" name)

TEST_F(trace_view, a_failing_call_and_the_calls_inside_it)
{
	failing_alloc_check(self);
	EXPECT_GOLDEN_WIDTHS("failing.txt");
}

TEST_F(trace_view, colours_change_nothing_but_colours)
{
	_cleanup_(free_p) char *without = NULL, *colored = NULL;

	failing_alloc_check(self);
	MARK(1, TRACED_LOST, 3);
	for (int width = 0; width < 120; width += 30) {
		self->context.color = false;
		without = strdup(shown(self, width, view_text_new));
		self->context.color = true;
		colored = plain(shown(self, width, view_text_new));
		EXPECT_STREQ(without, colored);
		free(take_ptr(without));
		free(take_ptr(colored));
	}
	EXPECT_NE(NULL, strstr(self->text, "\033[31m[-EINVAL]\033[m"));
	EXPECT_NE(NULL, strstr(self->text, "\033[33m‼ 3 calls lost here\033[m\n"));
}

TEST_F(trace_view, a_shallow_success)
{
	self->session.failed = false;
	ENTER(0, X64_SYS_BPF);
	LEAF(1, SYS_BPF, 3, 1550187);
	RETURN(0, X64_SYS_BPF, 3, 2707683);
	EXPECT_GOLDEN_WIDTHS("success.txt");
}

TEST_F(trace_view, a_single_call)
{
	LEAF(0, SHORT, 0, 7);
	EXPECT_GOLDEN_WIDTHS("single.txt");
}

TEST_F(trace_view, the_stack_stands_below_the_trace)
{
	failing_alloc_check(self);
	self->context.modes = MODE_TRACE | MODE_STACK;
	failing_stack(self);
	EXPECT_GOLDEN_WIDTHS("with-stack.txt");
	self->session.callers_missing = CALLERS_HIDDEN;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("\n    (outer callers not captured: a return probe hides them)\n\n\n");
	shown(self, 0, view_json_new);
	EXPECT_SHOWS("\"no_stack\":false,\"callers_missing\":\"return_probe\",");
	self->session.callers_missing = CALLERS_TOO_DEEP;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("\n    (outer callers not captured: the stack is too deep)\n\n\n");
	shown(self, 0, view_json_new);
	EXPECT_SHOWS("\"callers_missing\":\"too_deep\",");
	self->session.callers_missing = CALLERS_ALL_THERE;
	self->session.no_stack = true;
	self->session.nr_ips = 0;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("    (kernel stack not captured)\n\n\n");
}

/* Thirty levels, as a file system on top of another has them; every third one is recursion. */
static void deep(FIXTURE_DATA(trace_view) * self, uint32_t levels)
{
	static const uint32_t cycle[] = { SYS_BPF, MAP_ALLOC, ALLOC_CHECK };

	for (uint32_t i = 0; i < levels; i++)
		ENTER(i, i ? cycle[i % 3] : X64_SYS_BPF);
	LEAF(levels, ALLOC_CHECK, EINVAL_RESULT, 311);
	for (uint32_t i = levels; i--;)
		RETURN(i, i ? cycle[i % 3] : X64_SYS_BPF, i % 3 == 1 && i ? 0 : EINVAL_RESULT,
		       1000 * (levels - i) + i);
}

TEST_F(trace_view, deep_nesting_says_how_deep_it_is)
{
	deep(self, 30);
	EXPECT_GOLDEN_WIDTHS("deep.txt");
}

TEST_F(trace_view, levels_of_three_digits_have_room)
{
	deep(self, 120);
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("\n                                                                           "
		     "…120 ↔ array_map_alloc_check   [-EINVAL]");
	shown(self, 40, view_text_new);
	EXPECT_SHOWS("\n…120 ↔ ");
	EXPECT_SHOWS("\n  …2 ← ");
}

TEST_F(trace_view, wide_results_are_never_cut)
{
	ENTER(0, X64_SYS_BPF);
	LEAF(1, MAP_ALLOC, POINTER_RESULT, 25949);
	LEAF(1, ALLOC_CHECK, EADDRNOTAVAIL_RESULT, 999);
	LEAF(1, MAP_FREE, 0, 1000);
	LEAF(1, MAP_ALLOC, 0, 1001);
	LEAF(1, SLEEP, 0, 1001028673);
	RETURN(0, X64_SYS_BPF, EINVAL_RESULT, 1001828673);
	EXPECT_GOLDEN_WIDTHS("wide-results.txt");
}

TEST_F(trace_view, long_names_keep_their_beginning_and_their_end)
{
	ENTER(0, X64_SYS_BPF);
	ENTER(1, LONG_CHECK);
	LEAF(2, LONG_CHECK_USER, EINVAL_RESULT, 25949);
	RETURN(1, LONG_CHECK, EINVAL_RESULT, 35949);
	ENTER(1, SYS_BPF);
	ENTER(2, SYS_BPF);
	ENTER(3, SYS_BPF);
	LEAF(4, LONG_CHECK_USER, EINVAL_RESULT, 949);
	LEAF(4, LONG_CHECK, 0, 949);
	RETURN(3, SYS_BPF, EINVAL_RESULT, 1949);
	RETURN(2, SYS_BPF, EINVAL_RESULT, 11949);
	RETURN(1, SYS_BPF, EINVAL_RESULT, 12949);
	RETURN(0, X64_SYS_BPF, EINVAL_RESULT, 132398);
	EXPECT_GOLDEN_WIDTHS("long-names.txt");
}

TEST_F(trace_view, what_is_missing_is_said_where_it_is_missing)
{
	self->settings.max_depth = 4;
	self->session.truncated = 44;
	ENTER(0, X64_SYS_BPF);
	ENTER(1, SYS_BPF);
	MARK(2, TRACED_LOST, 17);
	LATE_RETURN(2, ALLOC_CHECK, EINVAL_RESULT);
	MARK(2, TRACED_LOST, 1);
	ENTER(2, MAP_ALLOC);
	ENTER(3, ALLOC_CHECK);
	MARK(4, TRACED_DEEP, 44);
	MARK(2, TRACED_UNSEEN, 2);
	RETURN(1, SYS_BPF, EINVAL_RESULT, 111577);
	ENTER(1, SYS_BPF);
	MARK(2, TRACED_UNSEEN, 1);
	MARK(1, TRACED_LOST, 0);
	RETURN(0, X64_SYS_BPF, EINVAL_RESULT, 132398);
	EXPECT_GOLDEN_WIDTHS("missing.txt");
}

TEST_F(trace_view, a_call_that_never_returned_stays_open)
{
	ENTER(0, X64_SYS_BPF);
	ENTER(1, SYS_BPF);
	LEAF(2, ALLOC_CHECK, 0, 2949);
	ENTER(2, MAP_ALLOC);
	EXPECT_GOLDEN_WIDTHS("unfinished.txt");
}

TEST_F(trace_view, durations_are_not_rounded_on_request)
{
	self->settings.durations = DURATIONS_US;
	ENTER(0, X64_SYS_BPF);
	LEAF(1, SHORT, 0, 0);
	LEAF(1, SHORT, 0, 999);
	LEAF(1, SHORT, 0, 9007199254740993999ull);
	RETURN(0, X64_SYS_BPF, 0, UINT64_MAX);
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("\n    ↔ f           [0]                     0.000us\n");
	EXPECT_SHOWS("\n    ↔ f           [0]                     0.999us\n");
	EXPECT_SHOWS("\n    ↔ f           [0]      9007199254740993.999us\n");
	EXPECT_SHOWS("\n← __x64_sys_bpf   [0]     18446744073709551.615us\n");
}

TEST_F(trace_view, durations_have_the_unit_that_fits)
{
	ENTER(0, X64_SYS_BPF);
	LEAF(1, SHORT, 0, 999);
	LEAF(1, SHORT, 0, 123456);
	LEAF(1, SHORT, 0, 13312345);
	RETURN(0, X64_SYS_BPF, 0, 1001028673);
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("\n---------------   ------  ---------\n");
	EXPECT_SHOWS("\n    ↔ f           [0]       0.999us\n");
	EXPECT_SHOWS("\n    ↔ f           [0]     123.456us\n");
	EXPECT_SHOWS("\n    ↔ f           [0]        13.3ms\n");
	EXPECT_SHOWS("\n← __x64_sys_bpf   [0]         1.00s\n");
}

TEST_F(trace_view, the_header_has_what_is_to_be_shown)
{
	struct cgroup_names names = {};

	ASSERT_EQ(0, cgroup_names_put(&names, 77, "/user.slice"));
	failing_alloc_check(self);
	self->settings.show = SHOW_UID | SHOW_CPU | SHOW_CGROUP;
	self->context.cgroups = &names;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("TID/PID 8346/8346 (simfail/simfail), uid ?, CPU ?, cgroup ?:\n");
	self->session.has_origin = true;
	self->session.uid = 1000;
	self->session.cpu = 3;
	self->session.cgroup = 77;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("TID/PID 8346/8346 (simfail/simfail), uid 1000, CPU 3, cgroup /user.slice:\n");
	self->session.cgroup = 78;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS(", cgroup #78:\n");
	self->session.context = CONTEXT_HARDIRQ;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("hardirq, uid ?, CPU 3, cgroup ?:\n");
	cgroup_names_release(&names);
}

TEST_F(trace_view, a_span_is_shown_as_opentelemetry_prints_it)
{
	failing_alloc_check(self);
	self->settings.show = SHOW_TRACE;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("TID/PID 8346/8346 (simfail/simfail):\n");
	shown(self, 0, view_json_new);
	EXPECT_HIDES("trace_id");

	memcpy(&self->session.trace.trace, "\x4b\xf9\x2f\x35\x77\xb3\x4d\xa6\xa3\xce\x92\x9d\x0e\x0e\x47\x36", 16);
	memcpy(&self->session.trace.span, "\x00\xf0\x67\xaa\x0b\xa9\x02\xb7", 8);
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("(simfail/simfail), trace 4bf92f3577b34da6a3ce929d0e0e4736, span 00f067aa0ba902b7:\n");
	shown(self, 0, view_json_new);
	EXPECT_SHOWS("\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\",\"span_id\":\"00f067aa0ba902b7\"");
	self->settings.show = 0;
	shown(self, 0, view_text_new);
	EXPECT_HIDES("4bf92f35");

	self->session.trace = (struct trace_ids){};
	self->session.no_trace = true;
	self->settings.show = SHOW_TRACE;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("(simfail/simfail), trace ?:\n");
	shown(self, 0, view_json_new);
	EXPECT_SHOWS("\"trace_id\":null,\"span_id\":null");
}

TEST_F(trace_view, the_header_tells_interrupts_from_tasks)
{
	failing_alloc_check(self);
	self->session.context = CONTEXT_HARDIRQ;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("TID/PID 8346/8346 (simfail/simfail), hardirq:\n\nFUNCTION CALLS ");
}

TEST_F(trace_view, an_interim_stack_comes_without_a_trace)
{
	self->session.interim = true;
	EXPECT_STREQ("", shown(self, 0, view_text_new));
	EXPECT_STREQ("", shown(self, 0, view_json_new));

	self->frames[0] = (struct event_frame){ SYS_BPF, EVENT_FRAME_UNFINISHED, 0, 0 };
	self->session.frames = self->frames;
	self->session.nr_frames = 1;
	self->context.modes = MODE_TRACE | MODE_STACK;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("interim:\n\n     ...   __sys_bpf\n");
	EXPECT_EQ(NULL, strstr(self->text, "FUNCTION CALLS"));
	EXPECT_EQ(NULL, strstr(self->text, "trace not captured"));
	shown(self, 0, view_json_new);
	EXPECT_SHOWS("\"stack\":[{");
	EXPECT_EQ(NULL, strstr(self->text, "\"calls\""));
}

TEST_F(trace_view, says_that_there_is_no_trace)
{
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("(simfail/simfail):\n\n    (trace not captured)\n\n\n");
}

TEST_F(trace_view, calls_too_deep_are_told_once)
{
	failing_alloc_check(self);
	self->session.truncated = 5;
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("132.398us\n    ... 5 calls deeper than 256 not kept\n\n\n");

	/* Some in the trace. */
	MARK(1, TRACED_DEEP, 4);
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("\n    ‼ 4 calls nested deeper than 256 not kept\n"
		     "    ... 1 call deeper than 256 not kept\n\n\n");
	MARK(1, TRACED_DEEP, 1);
	shown(self, 0, view_text_new);
	EXPECT_SHOWS("\n    ‼ 1 call nested deeper than 256 not kept\n\n\n");
}

TEST_F(trace_view, json_has_it_all)
{
	struct error_rule rules[2] = {};

	rules[1].expr.terms = (struct config_terms){ .nr = 1, .terms = { { 0, TERM_EQ } } };
	self->context.error_rules = rules;
	funcs[NF_SETELEM].rule = 2;
	ENTER(0, X64_SYS_BPF);
	LEAF(1, NF_SETELEM, 0, 7);
	LEAF(1, NF_SETELEM, EINVAL_RESULT, 8);
	LEAF(1, MAP_FREE, 77, 9);
	LEAF(1, MAP_ALLOC, POINTER_RESULT, 10);
	LEAF(1, MAP_ALLOC, 0, 11);
	LATE_RETURN(1, SYS_BPF, EINVAL_RESULT);
	MARK(1, TRACED_LOST, 17);
	MARK(1, TRACED_LOST, 0);
	self->calls[self->session.nr_calls - 1].time_ns = 0;
	MARK(1, TRACED_UNSEEN, 2);
	MARK(1, TRACED_DEEP, 44);
	RETURN(0, X64_SYS_BPF, 3, 132398);
	failing_stack(self);
	shown(self, 0, view_json_new);
	funcs[NF_SETELEM].rule = 0;
	EXPECT_EQ(NULL, strstr(self->text, "stack"));
	golden(_metadata, "trace/all.json", self->text);
}

TEST_F(trace_view, json_has_the_stack_when_it_is_wanted)
{
	failing_alloc_check(self);
	self->context.modes = MODE_TRACE | MODE_STACK;
	self->frames[0] = (struct event_frame){ SYS_BPF, EVENT_FRAME_FAILED, 7, EINVAL_RESULT };
	self->session.frames = self->frames;
	self->session.nr_frames = 1;
	shown(self, 0, view_json_new);
	EXPECT_SHOWS("\"no_stack\":true,");
	EXPECT_SHOWS("\"calls\":[{\"kind\":\"call\",");
	EXPECT_SHOWS("],\"stack\":[{\"on_stack\":false,");
	self->context.modes = MODE_STACK;
	shown(self, 0, view_json_new);
	EXPECT_EQ(NULL, strstr(self->text, "\"calls\""));
}

/* The nesting that a line shows, by its indent or by its level mark; *ret_rest is behind it. */
static uint32_t depth_shown(const char *line, const char **ret_rest)
{
	size_t spaces = strspn(line, " ");
	char *end;
	unsigned long level;

	if (strncmp(line + spaces, "…", strlen("…"))) {
		*ret_rest = line + spaces;
		return spaces % 4 ? UINT32_MAX : spaces / 4;
	}
	level = strtoul(line + spaces + strlen("…"), &end, 10);
	*ret_rest = end + 1;
	return *end == ' ' ? level : UINT32_MAX;
}

/* Whether @shown is @name, or is cut and says so. */
static bool is_name(const char *shown, size_t len, const char *name)
{
	const char *cut = memmem(shown, len, "…", strlen("…"));
	size_t head, tail;

	if (!cut)
		return len == strlen(name) && !strncmp(shown, name, len);
	head = cut - shown;
	tail = len - head - strlen("…");
	return head >= 3 && head + tail < strlen(name) && !strncmp(shown, name, head) &&
	       !strncmp(cut + strlen("…"), name + strlen(name) - tail, tail);
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && !strcmp(text + len - n, end);
}

/* Reads back a table and compares it with the calls it was made of. */
static void expect_sound_table(struct __test_metadata *_metadata, FIXTURE_DATA(trace_view) * self,
			       size_t width)
{
	static const char *const arrows[] = { "→ ", "← ", "↔ " };
	char *line = strstr(self->text, "FUNCTION CALLS"), *save, result[32];
	struct strbuf tail = STRBUF_INIT;
	size_t table, name_len;
	const char *rest;

	ASSERT_NE(NULL, line);
	line = strtok_r(line, "\n", &save);
	table = strlen(line);
	ASSERT_EQ(true, ends_with(line, "DURATION"));
	EXPECT_LE(table, width);
	line = strtok_r(NULL, "\n", &save);
	EXPECT_EQ(table, strlen(line));
	for (uint32_t i = 0; i < self->session.nr_calls; i++) {
		const struct traced_call *call = &self->calls[i];
		const char *name = funcs[call->func].name;

		line = strtok_r(NULL, "\n", &save);
		ASSERT_NE(NULL, line);
		EXPECT_LE(columns_of(line), width);
		EXPECT_EQ(call->depth, depth_shown(line, &rest));
		ASSERT_EQ(0, strncmp(rest, arrows[call->kind], strlen("→ ")))
		{
			TH_LOG("%s", line);
		}
		rest += strlen("→ ");
		name_len = strcspn(rest, " ");
		EXPECT_EQ(true, is_name(rest, name_len, name));
		EXPECT_EQ(true, width < SIZE_MAX || name_len == strlen(name))
		{
			TH_LOG("%s", line);
		}
		if (call->kind == TRACED_CALL) {
			EXPECT_EQ('\0', rest[name_len]);
			continue;
		}
		if (!rest[name_len]) {
			rest = line = strtok_r(NULL, "\n", &save);
			ASSERT_NE(NULL, line);
			EXPECT_LE(columns_of(line), width);
			name_len = 0;
		}
		if (funcs[call->func].returns == RETURN_POINTER)
			snprintf(result, sizeof(result), "[0x%lx]", (long)call->result);
		else
			snprintf(result, sizeof(result), "[%ld]", (long)call->result);
		strbuf_reset(&tail);
		exact_duration_add(&tail, call->duration_ns, DURATIONS_AUTO);
		/* Whole, and in its column. */
		rest += name_len;
		rest += strspn(rest, " ");
		EXPECT_EQ(0, strncmp(rest, result, strlen(result)))
		{
			TH_LOG("%s", line);
		}
		rest += strlen(result);
		EXPECT_EQ(0, strncmp(rest, "  ", 2));
		EXPECT_STREQ(strbuf_str(&tail), rest + strspn(rest, " "));
		EXPECT_EQ(table, columns_of(line))
		{
			TH_LOG("%s", line);
		}
	}
	strbuf_release(&tail);
}

/* A call with others inside it, now and then. */
static void add_random(FIXTURE_DATA(trace_view) * self, uint32_t depth, uint32_t max_depth)
{
	uint32_t func = random() % NR_FUNCS;
	uint64_t result = funcs[func].returns == RETURN_POINTER && random() % 2 ?
					POINTER_RESULT :
					1 + random() % 1000;
	uint64_t ns = random() % 4 ? random() % 100000 : random() % 1000000000;

	if (funcs[func].returns == RETURN_VOID)
		func = SHORT;
	if (depth == max_depth || (random() % 8 == 0 && depth)) {
		LEAF(depth, func, result, ns);
		return;
	}
	ENTER(depth, func);
	add_random(self, depth + 1, max_depth);
	if (random() % 16 == 0)
		add_random(self, depth + 1, depth + 2 < max_depth ? depth + 2 : max_depth);
	RETURN(depth, func, result, ns);
}

TEST_F(trace_view, any_trace_can_be_read_at_any_width)
{
	srandom(1);
	for (int i = 0; i < 400; i++) {
		size_t width = 40 + random() % (i % 2 ? 60 : 200);
		uint32_t max_depth = random() % (i % 3 ? 12 : 200);

		self->session.nr_calls = 0;
		add_random(self, 0, max_depth);
		shown(self, width, view_text_new);
		expect_sound_table(_metadata, self, width);
		shown(self, 0, view_text_new);
		expect_sound_table(_metadata, self, SIZE_MAX);
	}
}

TEST_F(trace_view, a_terminal_too_narrow_is_taken_for_one_of_40_columns)
{
	char *expected;

	deep(self, 30);
	expected = strdup(shown(self, 40, view_text_new));
	EXPECT_STREQ(expected, shown(self, 1, view_text_new));
	EXPECT_STREQ(expected, shown(self, 39, view_text_new));
	free(expected);
}

TEST_F(trace_view, marks_are_cut_to_the_terminal_too)
{
	self->settings.max_depth = 64;
	deep(self, 6);
	MARK(64, TRACED_DEEP, 123456);
	shown(self, 40, view_text_new);
	EXPECT_SHOWS("\n…64 ‼ 123456 calls nes… than 64 not kept\n");
	shown(self, 80, view_text_new);
	EXPECT_SHOWS("‼ 123456 calls nested deeper than 64 not kept\n");
}

TEST_F(trace_view, a_long_trace_has_all_its_lines)
{
	size_t lines = 0;

	self->calls = calloc(200000, sizeof(*self->calls));
	ASSERT_NE(NULL, self->calls);
	self->session.calls = self->calls;
	self->session.nr_calls = 200000;
	for (uint32_t i = 0; i < 200000; i++)
		self->calls[i] = (struct traced_call){ TRACED_LEAF,   true, LONG_CHECK, i % 200, 0,
						       372607000 + i, i,    EINVAL_RESULT };
	shown(self, 80, view_text_new);
	/* Were it quadratic, this would not end. */
	for (const char *s = self->text; *s; s++)
		lines += *s == '\n';
	EXPECT_LE(200000, lines);
}

TEST(only_a_terminal_has_a_width_unless_the_environment_says_so)
{
	struct winsize size = { .ws_row = 25, .ws_col = 123 };
	int ends[2];
	FILE *file;

	unsetenv("COLUMNS");
	ASSERT_EQ(0, openpty(&ends[0], &ends[1], NULL, NULL, &size));
	file = fdopen(ends[1], "w");
	ASSERT_NE(NULL, file);
	EXPECT_EQ(123, terminal_width(fileno(file)));
	size.ws_col = 0;
	ASSERT_EQ(0, ioctl(ends[0], TIOCSWINSZ, &size));
	EXPECT_EQ(0, terminal_width(fileno(file)));
	fclose(file);
	close(ends[0]);

	file = tmpfile();
	ASSERT_NE(NULL, file);
	EXPECT_EQ(0, terminal_width(fileno(file)));
	setenv("COLUMNS", "77", 1);
	EXPECT_EQ(77, terminal_width(fileno(file)));
	unsetenv("COLUMNS");
	fclose(file);
}

TEST(text_is_cut_between_characters)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *cut;
	} cases[] = {
		{ "abc", 3, "abc" },	   { "", 0, "" },
		{ "abc", 0, "" },	   { "abc", 1, "…" },
		{ "abc", 2, "a…" },	   { "abcdefgh", 7, "abc…fgh" },
		{ "→→→→→→→→", 8, "→→→→→→→→" }, { "→→←→→→→↔", 4, "→→…↔" },
		{ "中文字", 6, "中文字" }, { "中文字", 5, "中…字" },
		{ "中文字", 4, "中…" },   { "e\u0301fghi", 3, "e\u0301…i" },
		{ "abcde\u0301", 3, "a…e\u0301" },
	};
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		strbuf_reset(&sb);
		EXPECT_EQ(columns_of(cases[i].cut),
			  columns_add_cut(&sb, cases[i].text, cases[i].columns));
		EXPECT_STREQ(cases[i].cut, strbuf_str(&sb));
	}
	strbuf_release(&sb);
	EXPECT_EQ(5, columns_of("…12 →"));
	EXPECT_EQ(7, columns_of("日本e\u0301x\xff"));
}

TEST_HARNESS_MAIN
