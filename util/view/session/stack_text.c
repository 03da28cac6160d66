// SPDX-License-Identifier: BSD-2-Clause
/* A session's call stack, as text. */
#include "util/view/session/stack_text.h"

#include <errno.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/base/style.h"
#include "util/view/parts/times.h"
#include "util/view/session/args_text.h"
#include "util/view/session/code_place.h"
#include "util/view/session/result_text.h"
#include "util/view/session/view.h"

/* The least width of durations, so that most stacks line up with each other. */
#define MIN_DURATION_WIDTH 6

/* Widths of a session's columns. */
struct widths {
	size_t duration;
	size_t result;
	size_t symbol;
};

static bool is_shown(const struct view_context *context, const struct stack_row *row)
{
	return !row->left_out || context->explain.settings->stacks_unfiltered || context->verbose;
}

static const char *duration_cell(struct strbuf *cell, const struct view_context *context,
				 const struct event_frame *frame)
{
	strbuf_clear(cell);
	if (frame && (frame->flags & EVENT_FRAME_UNFINISHED))
		strbuf_addstr(cell, "...");
	else if (frame)
		duration_add(cell, frame->duration_ns, context->explain.settings->durations);
	return strbuf_str(cell);
}

static const char *result_cell(struct strbuf *cell, const struct plan *plan,
			       const struct event_frame *frame)
{
	strbuf_clear(cell);
	if (frame && !(frame->flags & EVENT_FRAME_UNFINISHED))
		result_add(cell, frame->result, plan->funcs.data[frame->func].returns);
	return strbuf_str(cell);
}

static const char *symbol_cell(struct strbuf *cell, const struct view_context *context,
			       const struct stack_row *row)
{
	strbuf_clear(cell);
	if (row->on_stack) {
		code_symbol_add(cell, context, &row->place);
	} else {
		code_no_address_add(cell, context);
		strbuf_addstr(cell, row->place.name);
	}
	return strbuf_str(cell);
}

static const char *inlined_cell(struct strbuf *cell, const struct view_context *context,
				const struct source_frame *source)
{
	strbuf_clear(cell);
	code_inlined_add(cell, context, source);
	return strbuf_str(cell);
}

static struct widths measure_columns(struct stack_text *self, const struct view_context *context,
				     const struct explained *explained)
{
	struct strbuf *cell = &self->cell;
	struct widths widths = {};

	vec_foreach(row, &explained->stack.v) {
		if (!is_shown(context, row))
			continue;
		widen_column(&widths.duration, duration_cell(cell, context, row->frame));
		widen_column(&widths.result, result_cell(cell, context->explain.plan, row->frame));
		widen_column(&widths.symbol, symbol_cell(cell, context, row));
		for (uint32_t i = 1; i < row->place.nr_sources; i++)
			widen_column(&widths.symbol,
				     inlined_cell(cell, context, place_source(&explained->places,
									      &row->place, i)));
	}
	widths.duration++;
	if (widths.duration < MIN_DURATION_WIDTH)
		widths.duration = MIN_DURATION_WIDTH;
	return widths;
}

static void add_padded(struct strbuf *text, bool color, enum style style, const char *cell,
		       size_t width)
{
	style_add(text, color, style, cell);
	strbuf_pad(text, (int)width - (int)strlen(cell), ' ');
}

/* End a line with a symbol and its source line, if that is known. */
static void add_source(struct strbuf *text, bool color, enum style style, const char *cell,
		       const struct widths *widths, const struct source_frame *source)
{
	size_t start;

	if (!source || !source->file) {
		style_add(text, color, style, cell);
	} else {
		add_padded(text, color, style, cell, widths->symbol);
		strbuf_addstr(text, "  ");
		start = text->len;
		code_source_add(text, source);
		style_since(text, start, color, STYLE_PLACE);
	}
	strbuf_addch(text, '\n');
}

/*
 * Find the call of a frame: the last call of its function at that depth. NULL: the trace does not
 * have it.
 */
static const struct traced_call *call_of(const struct session *session,
					 const struct event_frame *frame)
{
	uint32_t depth = frame - session->frames;

	for (uint32_t i = session->nr_calls; i-- > 0;) {
		const struct traced_call *call = &session->calls[i];

		if ((call->kind == TRACED_CALL || call->kind == TRACED_LEAF) &&
		    call->depth == depth && call->func == frame->func)
			return call;
	}
	return NULL;
}

/* Print captured arguments if no trace shows them. */
static void add_args(struct strbuf *text, const struct view_context *context,
		     const struct session *session, const struct event_frame *frame, uint32_t indent)
{
	const struct func_args *args = &context->explain.plan->args[frame->func];
	const struct traced_call *call = args->nr ? call_of(session, frame) : NULL;
	struct args_capture capture;

	if (!call)
		return;
	capture = args_capture_of(session, call);
	args_text_add_lines(text, &context->args, context->explain.plan->funcs.data[frame->func].name, args, &capture,
			    indent);
}

static enum style frame_style(const struct view_context *context, const struct event_frame *frame)
{
	if (!frame || frame->flags & EVENT_FRAME_UNFINISHED)
		return STYLE_NONE;
	return result_style(&context->explain.plan->funcs.data[frame->func], context->error_rules,
			    frame->result);
}

static void add_row(struct stack_text *self, struct strbuf *text,
		    const struct view_context *context, const struct explained *explained,
		    const struct stack_row *row, const struct widths *widths)
{
	const struct session *session = explained->session;
	struct strbuf *cell = &self->cell;
	bool stitched = row->frame && (row->frame->flags & EVENT_FRAME_STITCHED);
	bool color = context->color;
	char mark = ' ';
	size_t start;
	const char *s;

	if (row->left_out)
		mark = '~';
	else if (!row->on_stack && !session->no_stack)
		mark = '!';
	strbuf_addch(text, mark);
	strbuf_addch(text, stitched ? '*' : ' ');
	s = duration_cell(cell, context, row->frame);
	strbuf_pad(text, (int)widths->duration - (int)strlen(s), ' ');
	style_add(text, color, STYLE_ASIDE, s);
	strbuf_addch(text, ' ');
	add_padded(text, color, frame_style(context, row->frame),
		   result_cell(cell, context->explain.plan, row->frame), widths->result);
	strbuf_addstr(text, "  ");
	add_source(text, color,
		   row->left_out ? STYLE_ASIDE :
		   row->frame	 ? STYLE_NAME :
				   STYLE_NONE,
		   symbol_cell(cell, context, row), widths,
		   place_source(&explained->places, &row->place, 0));

	for (uint32_t i = 1; i < row->place.nr_sources; i++) {
		const struct source_frame *source =
			place_source(&explained->places, &row->place, i);

		strbuf_pad(text, 2 + widths->duration + 1 + widths->result + 2, ' ');
		add_source(text, color, STYLE_ASIDE, inlined_cell(cell, context, source), widths,
			   source);
	}
	start = text->len;
	if (row->frame && context->explain.plan->args && !(context->modes & MODE_TRACE))
		add_args(text, context, session, row->frame,
			 2 + widths->duration + 1 + widths->result + 4);
	args_text_style(text, start, color);
}

int stack_text_add(struct stack_text *self, struct strbuf *text, const struct view_context *context,
		   const struct explained *explained)
{
	struct widths widths = measure_columns(self, context, explained);

	vec_foreach(row, &explained->stack.v) {
		if (is_shown(context, row))
			add_row(self, text, context, explained, row, &widths);
	}
	return self->cell.failed ? -ENOMEM : 0;
}

void stack_text_release(struct stack_text *self)
{
	strbuf_release(&self->cell);
}
