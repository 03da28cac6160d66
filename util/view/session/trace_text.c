// SPDX-License-Identifier: BSD-2-Clause
/*
 * A session's trace as a table.
 *
 * Where the line is too short for all of it, deep nesting gives way first: from some level on,
 * calls are no longer indented further but carry their level. Then names are cut, which shows.
 * Results and durations never are: a result that leaves too little room for its function's name
 * gets a line of its own.
 */
#include "util/view/session/trace_text.h"

#include <inttypes.h>
#include <string.h>

#include "util/base/style.h"
#include "util/base/units.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/trace/session/session.h"
#include "util/view/parts/columns.h"
#include "util/view/parts/times.h"
#include "util/view/session/args_text.h"
#include "util/view/session/probe_text.h"
#include "util/view/session/result_text.h"
#include "util/view/session/view.h"

#define INDENT 4	/* columns per level */
#define MAX_LEVELS 20	/* deeper calls are not indented further */
#define ARROW_COLUMNS 2 /* including the space after it */
#define GAP_BEFORE_RESULT 3
#define GAP_BEFORE_DURATION 2
#define MIN_LINE 40
#define MAX_RESULT 64
#define GAP_BEFORE_CONTEXT 2

/* With less room than this, arguments get a line of their own. */
#define MIN_CONTEXT 40

static const char function_title[] = "FUNCTION CALLS";
static const char result_title[] = "RESULT";
static const char duration_title[] = "DURATION";
#define TITLE_COLUMNS(title) (sizeof(title) - 1)

/* With less room than this for functions, wide results get lines of their own. */
#define MIN_FUNCTION (TITLE_COLUMNS(function_title) + 2)

/* Measures of a trace, for its columns. */
struct measures {
	/* By level; 0: none. The last element is for all deeper levels, too. */
	size_t longest_name[MAX_LEVELS + 1];
	size_t longest_mark[MAX_LEVELS + 1];
	uint32_t deepest;
	bool results[MAX_RESULT + 1]; /* whether there are results of this width */
	bool contexts;
	uint64_t longest_ns;
	uint64_t longest_exact_ns; /* the longest below a millisecond: its text is longer */
};

/* The layout of a trace, in columns. */
struct layout {
	size_t line;		/* SIZE_MAX: any */
	size_t levels;		/* levels that are indented */
	size_t deep_indent;	/* columns of indentation for deeper levels */
	size_t function;
	size_t result;
	size_t duration;
	size_t context;		/* the column where arguments begin; 0: on lines of their own */
};

static size_t longer_of(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t shorter_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* @a - @b, or 0 if @b is larger. */
static size_t difference_of(size_t a, size_t b)
{
	return a > b ? a - b : 0;
}

static bool has_result(const struct traced_call *call)
{
	return call->kind == TRACED_RETURN || call->kind == TRACED_LEAF;
}

static bool is_call(const struct traced_call *call)
{
	return call->kind == TRACED_CALL || call->kind == TRACED_PROBE || has_result(call);
}

static const char *name_of(const struct plan *plan, const struct traced_call *call)
{
	return call->kind == TRACED_PROBE ? plan->probes->v.data[call->func].text :
					    plan->funcs.data[call->func].name;
}

static bool is_mark(const struct traced_call *call)
{
	return !is_call(call);
}

/* Arguments; a call's line has them at its entry. */
static bool has_context(const struct view_context *context, const struct traced_call *call)
{
	if (call->kind == TRACED_PROBE)
		return true;
	return context->explain.plan->args && (call->kind == TRACED_CALL || call->kind == TRACED_LEAF) &&
	       context->explain.plan->args[call->func].nr;
}

static void call_result_add(struct strbuf *sb, const struct plan *plan,
			    const struct traced_call *call)
{
	result_add(sb, call->result, plan->funcs.data[call->func].returns);
}

static void level_add(struct strbuf *sb, uint32_t depth)
{
	strbuf_addf(sb, "…%" PRIu32 " ", depth);
}

/* The line for calls missing from the trace. */
static void mark_add(struct strbuf *sb, const struct view_context *context,
		     const struct traced_call *call)
{
	const char *s = call->count == 1 ? "" : "s";

	strbuf_addstr(sb, "‼ ");
	if (call->count)
		strbuf_addf(sb, "%" PRIu32 " ", call->count);
	if (call->kind == TRACED_LOST)
		strbuf_addf(sb, "call%s lost here", s);
	else if (call->kind == TRACED_UNSEEN)
		strbuf_addf(sb, "return%s not seen", s);
	else
		strbuf_addf(sb, "call%s nested deeper than %" PRIu32 " not kept", s,
			    trace_request_max_depth(context->explain.settings));
}

static void widen_columns(size_t *columns, size_t by)
{
	*columns = longer_of(*columns, by);
}

static struct measures measure_columns(struct strbuf *cell, const struct view_context *context,
				       const struct session *session)
{
	const struct plan *plan = context->explain.plan;
	struct measures measures = {};

	for (uint32_t i = 0; i < session->nr_calls; i++) {
		const struct traced_call *call = &session->calls[i];
		size_t level = shorter_of(call->depth, MAX_LEVELS);

		measures.deepest = longer_of(measures.deepest, call->depth);
		strbuf_clear(cell);
		if (is_mark(call)) {
			mark_add(cell, context, call);
			widen_columns(&measures.longest_mark[level], columns_of(strbuf_str(cell)));
			continue;
		}
		measures.contexts = measures.contexts || has_context(context, call);
		widen_columns(&measures.longest_name[level],
			      ARROW_COLUMNS + columns_of(name_of(plan, call)));
		if (!has_result(call))
			continue;
		call_result_add(cell, plan, call);
		measures.results[shorter_of(cell->len, MAX_RESULT)] = true;
		if (!call->has_duration)
			continue;
		if (call->duration_ns > measures.longest_ns)
			measures.longest_ns = call->duration_ns;
		if (call->duration_ns < NSEC_PER_MSEC && call->duration_ns > measures.longest_exact_ns)
			measures.longest_exact_ns = call->duration_ns;
	}
	return measures;
}

/* The width of the widest result of at most @limit columns. */
static size_t widest_result(const struct measures *measures, size_t limit)
{
	size_t columns = shorter_of(limit, MAX_RESULT);

	while (columns && !measures->results[columns])
		columns--;
	return longer_of(columns, TITLE_COLUMNS(result_title));
}

static size_t deep_indent(struct strbuf *cell, uint32_t deepest, size_t levels)
{
	if (deepest <= levels)
		return 0;
	strbuf_clear(cell);
	level_add(cell, deepest);
	return longer_of(levels * INDENT, columns_of(strbuf_str(cell)));
}

/* The width of lines if names longer than @keep are cut. */
static size_t columns_needed(const size_t longest[MAX_LEVELS + 1], const struct layout *layout,
			     size_t keep)
{
	size_t columns = 0;

	for (size_t level = 0; level <= MAX_LEVELS; level++) {
		size_t indent = level <= layout->levels ? level * INDENT : layout->deep_indent;

		if (longest[level])
			widen_columns(&columns, indent + shorter_of(longest[level], keep));
	}
	return columns;
}

static struct layout lay_out(struct strbuf *cell, const struct measures *measures,
			     const struct view_context *context)
{
	enum value_mode args = context->args.mode;
	int width = context->width;
	struct layout layout = { .line = SIZE_MAX, .levels = MAX_LEVELS };
	size_t room = SIZE_MAX, taken, keep;

	if (width)
		layout.line = longer_of(width, MIN_LINE);
	strbuf_clear(cell);
	exact_duration_add(cell, measures->longest_ns, context->explain.settings->durations);
	layout.duration = longer_of(cell->len, TITLE_COLUMNS(duration_title));
	strbuf_clear(cell);
	exact_duration_add(cell, measures->longest_exact_ns, context->explain.settings->durations);
	layout.duration = longer_of(cell->len, layout.duration);
	layout.result = widest_result(measures, MAX_RESULT);
	if (width) {
		taken = GAP_BEFORE_RESULT + GAP_BEFORE_DURATION + layout.duration;
		layout.result =
			widest_result(measures, difference_of(layout.line, taken + MIN_FUNCTION));
		taken += layout.result;
		room = longer_of(difference_of(layout.line, taken), TITLE_COLUMNS(function_title));
	}
	/* Indentation gets at most a third of the width, if names need the rest. */
	keep = room - room / 3;
	layout.deep_indent = deep_indent(cell, measures->deepest, layout.levels);
	while (layout.levels > 1 &&
	       (columns_needed(measures->longest_name, &layout, keep) > room ||
		columns_needed(measures->longest_mark, &layout, SIZE_MAX) > layout.line)) {
		layout.levels--;
		layout.deep_indent = deep_indent(cell, measures->deepest, layout.levels);
	}
	layout.function =
		shorter_of(columns_needed(measures->longest_name, &layout, SIZE_MAX), room);
	layout.function = longer_of(layout.function, TITLE_COLUMNS(function_title));
	if (measures->contexts && args == VALUE_COMPACT) {
		layout.context = layout.function + GAP_BEFORE_RESULT + layout.result +
				 GAP_BEFORE_DURATION + layout.duration + GAP_BEFORE_CONTEXT;
		if (difference_of(layout.line, layout.context) < MIN_CONTEXT)
			layout.context = 0;
	}
	return layout;
}

static void add_titles(struct strbuf *text, const struct layout *layout)
{
	strbuf_addf(text, "%-*s%*s%-*s%*s%*s", (int)layout->function, function_title,
		    GAP_BEFORE_RESULT, "", (int)layout->result, result_title, GAP_BEFORE_DURATION,
		    "", (int)layout->duration, duration_title);
	strbuf_addf(text, "%s\n", layout->context ? "  CONTEXT" : "");
	strbuf_pad(text, layout->function, '-');
	strbuf_pad(text, GAP_BEFORE_RESULT, ' ');
	strbuf_pad(text, layout->result, '-');
	strbuf_pad(text, GAP_BEFORE_DURATION, ' ');
	strbuf_pad(text, layout->duration, '-');
	strbuf_addf(text, "%s\n", layout->context ? "  -------" : "");
}

/* Returns the columns taken. */
static size_t add_indent(struct strbuf *text, struct strbuf *cell, const struct layout *layout,
			 uint32_t depth)
{
	if (depth <= layout->levels) {
		strbuf_pad(text, depth * INDENT, ' ');
		return depth * INDENT;
	}
	strbuf_clear(cell);
	level_add(cell, depth);
	strbuf_pad(text, layout->deep_indent - columns_of(strbuf_str(cell)), ' ');
	strbuf_add(text, strbuf_str(cell), cell->len);
	return layout->deep_indent;
}

/*
 * End a line, from @column on, with the result, which is in @cell, and the duration. Returns the
 * columns taken.
 */
static size_t add_result(struct strbuf *text, struct strbuf *cell, const struct layout *layout,
			 const struct view_context *context, const struct traced_call *call,
			 size_t column)
{
	enum style style = result_style(&context->explain.plan->funcs.data[call->func],
					context->error_rules, call->result);
	size_t start = layout->function + GAP_BEFORE_RESULT, end = start + layout->result;

	if (cell->len > layout->result) {
		strbuf_addch(text, '\n');
		column = 0;
		start = difference_of(end, cell->len);
	}
	strbuf_pad(text, (int)start - (int)column, ' ');
	style_add(text, context->color, style, strbuf_str(cell));
	column = start + cell->len;
	if (!call->has_duration)
		return column;
	strbuf_clear(cell);
	exact_duration_add(cell, call->duration_ns, context->explain.settings->durations);
	end += GAP_BEFORE_DURATION + layout->duration - cell->len;
	strbuf_pad(text, (int)end - (int)column, ' ');
	style_add(text, context->color, STYLE_ASIDE, strbuf_str(cell));
	return longer_of(end, column) + cell->len;
}

/* Print lines, each cut at the terminal's width. @lines ends with a newline. */
static void add_lines(struct strbuf *text, const struct strbuf *lines, size_t columns)
{
	const char *line = strbuf_str(lines);

	for (const char *end; (end = strchr(line, '\n')); line = end + 1) {
		*(char *)end = '\0';
		columns_add_cut(text, line, columns);
		strbuf_addch(text, '\n');
	}
}

/* All captured data, joined to one line. */
static void add_captured(struct strbuf *lines, const struct view_context *context,
			 const struct session *session, const struct traced_call *call)
{
	struct args_capture capture = args_capture_of(session, call);

	if (call->kind == TRACED_PROBE)
		probe_text_add(lines, context->explain.plan->probes, call->func, &capture, &context->args);
	else
		args_text_add_inline(lines, &context->args, context->explain.plan->funcs.data[call->func].name,
				     &context->explain.plan->args[call->func], &capture);
}

struct lines {
	struct strbuf *text;
	size_t indent;
};

static void add_item(void *arg, const char *name, const char *value)
{
	const struct lines *lines = arg;

	strbuf_pad(lines->text, lines->indent, ' ');
	if (name)
		strbuf_addf(lines->text, "› %s = %s\n", name, value);
	else
		strbuf_addf(lines->text, "› %s\n", value);
}

/* Print a line for each argument, or for each value of a probe. */
static void add_captured_lines(struct strbuf *text, const struct view_context *context,
			       const struct session *session, const struct traced_call *call,
			       size_t indent)
{
	struct args_capture capture = args_capture_of(session, call);
	struct value_format format = context->args;
	struct lines lines = { text, indent };

	format.indent = indent + 2;
	if (call->kind == TRACED_PROBE)
		probe_items(context->explain.plan->probes, call->func, &capture, &format,
			    format.mode == VALUE_VERBOSE, add_item, &lines);
	else
		args_text_add_lines(text, &context->args, context->explain.plan->funcs.data[call->func].name,
				    &context->explain.plan->args[call->func], &capture, indent);
}

/* Print arguments on the call's line, which is at @column, or below it. Ends the line. */
static void add_context(struct strbuf *text, const struct layout *layout,
			const struct view_context *context, const struct session *session,
			const struct traced_call *call, size_t column)
{
	struct strbuf lines = STRBUF_INIT;
	size_t indent = ARROW_COLUMNS, start;

	if (layout->context) {
		strbuf_pad(text, (int)layout->context - (int)column, ' ');
		start = text->len;
		add_captured(&lines, context, session, call);
		columns_add_cut(text, strbuf_str(&lines),
				layout->line == SIZE_MAX ?
					SIZE_MAX :
					difference_of(layout->line, layout->context));
		strbuf_addch(text, '\n');
	} else {
		indent += call->depth <= layout->levels ? call->depth * INDENT :
							  layout->deep_indent;
		strbuf_addch(text, '\n');
		start = text->len;
		if (context->args.mode == VALUE_COMPACT) {
			strbuf_pad(&lines, indent, ' ');
			strbuf_addstr(&lines, "› ");
			add_captured(&lines, context, session, call);
			strbuf_addch(&lines, '\n');
		} else {
			add_captured_lines(&lines, context, session, call, indent);
		}
		/* -v shows everything, even on a narrow terminal. */
		add_lines(text, &lines,
			  context->args.mode == VALUE_VERBOSE ? SIZE_MAX : layout->line);
	}
	args_text_style(text, start, context->color);
	text->failed = text->failed || lines.failed;
	strbuf_release(&lines);
}

static void add_call(struct strbuf *text, struct strbuf *cell, const struct layout *layout,
		     const struct view_context *context, const struct session *session,
		     const struct traced_call *call)
{
	const struct plan *plan = context->explain.plan;
	static const char *const arrows[] = {
		[TRACED_CALL] = "→ ",
		[TRACED_RETURN] = "← ",
		[TRACED_LEAF] = "↔ ",
		[TRACED_PROBE] = "◎ ",
	};
	size_t column = add_indent(text, cell, layout, call->depth) + ARROW_COLUMNS;
	bool alone = true;
	size_t start;

	strbuf_addstr(text, arrows[call->kind]);
	strbuf_clear(cell);
	if (has_result(call)) {
		call_result_add(cell, plan, call);
		alone = cell->len > layout->result;
	}
	/* A context may follow the name. */
	if (layout->context)
		alone = false;
	start = text->len;
	column += columns_add_cut(text, name_of(plan, call),
				  (alone ? layout->line : layout->function) - column);
	/* Highlight a name once per call: not at its return. */
	style_since(text, start, context->color,
		    call->kind == TRACED_RETURN ? STYLE_NONE : STYLE_NAME);
	if (has_result(call))
		column = add_result(text, cell, layout, context, call, column);
	if (has_context(context, call))
		add_context(text, layout, context, session, call, column);
	else
		strbuf_addch(text, '\n');
}

/* Print a line of its own, up to the terminal's width. */
static void add_mark(struct strbuf *text, struct strbuf *cell, const struct layout *layout,
		     const struct view_context *context, const struct traced_call *call)
{
	size_t column = add_indent(text, cell, layout, call->depth), start = text->len;

	strbuf_clear(cell);
	mark_add(cell, context, call);
	columns_add_cut(text, strbuf_str(cell), layout->line - column);
	style_since(text, start, context->color, STYLE_DOUBT);
	strbuf_addch(text, '\n');
}

void trace_text_add(struct strbuf *text, const struct view_context *context,
		    const struct session *session)
{
	struct strbuf cell = STRBUF_INIT;
	struct measures measures;
	struct layout layout;
	size_t start;

	if (!session->nr_calls) {
		strbuf_addstr(text, "    (trace not captured)\n");
		return;
	}
	/* More than any cell needs: the buffer does not grow after this. */
	strbuf_pad(&cell, 2 * MAX_RESULT, ' ');
	if (cell.failed) {
		text->failed = true;
		return;
	}
	measures = measure_columns(&cell, context, session);
	layout = lay_out(&cell, &measures, context);
	start = text->len;
	add_titles(text, &layout);
	style_since(text, start, context->color, STYLE_ASIDE);
	for (uint32_t i = 0; i < session->nr_calls; i++) {
		const struct traced_call *call = &session->calls[i];

		if (is_mark(call))
			add_mark(text, &cell, &layout, context, call);
		else
			add_call(text, &cell, &layout, context, session, call);
	}
	strbuf_release(&cell);
}
