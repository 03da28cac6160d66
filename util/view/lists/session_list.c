// SPDX-License-Identifier: BSD-2-Clause
/* Sessions as a list: number, time, error, where it came from, process, duration. */
#include "util/view/lists/session_list.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "util/base/style.h"
#include "util/base/terminal.h"
#include "util/base/text/quote.h"
#include "util/base/wall_clock.h"
#include "util/plan/plan.h"
#include "util/trace/session/outcome.h"
#include "util/trace/session/session.h"
#include "util/view/lists/summary_text.h"
#include "util/view/parts/columns.h"
#include "util/view/parts/context_name.h"
#include "util/view/parts/output.h"
#include "util/view/parts/times.h"
#include "util/view/session/origin.h"

/* Lines are printed as sessions arrive: no column can wait for its widest cell. */
#define NUMBER_WIDTH 7
#define TIME_WIDTH 17	/* length of the date and zone in the heading */
#define ERROR_WIDTH 12
#define MIN_FUNCTION_WIDTH 9
#define MAX_FUNCTION_WIDTH 32
#define PROCESS_WIDTH 18
#define DURATION_WIDTH 8
#define HOST_WIDTH 12

struct list_view {
	struct view view;
	unsigned int function_width;
	char date[TIME_WIDTH + 1];	/* the date in the last heading */
};

/* The cell as it is printed: in ASCII, combining characters take a column, and wide ones only one. */
static int room_left(struct list_view *self, unsigned int width)
{
	if (terminal_is_ascii())
		text_to_ascii(&self->view.scratch);
	return (int)width - (int)columns_of(strbuf_str(&self->view.scratch));
}

static void add_left(struct list_view *self, enum style style, unsigned int width)
{
	int room = room_left(self, width);

	style_add(&self->view.text, self->view.context->color, style,
		  strbuf_str(&self->view.scratch));
	strbuf_pad(&self->view.text, room, ' ');
	strbuf_addstr(&self->view.text, "  ");
	strbuf_clear(&self->view.scratch);
}

static void add_right(struct list_view *self, unsigned int width)
{
	int room = room_left(self, width);

	strbuf_pad(&self->view.text, room, ' ');
	strbuf_addstr(&self->view.text, strbuf_str(&self->view.scratch));
	strbuf_clear(&self->view.scratch);
}

/* The heading, printed before the first session and for each new day. */
static void add_headings(struct list_view *self, int64_t began)
{
	char date[sizeof(self->date)];
	size_t start = self->view.text.len;

	day_add(&self->view.scratch, began);
	strbuf_addch(&self->view.scratch, ' ');
	zone_add(&self->view.scratch, began);
	snprintf(date, sizeof(date), "%s", strbuf_str(&self->view.scratch));
	strbuf_clear(&self->view.scratch);
	if (!strcmp(date, self->date))
		return;
	strcpy(self->date, date);
	strbuf_addf(&self->view.text, "%*s  %-*s  ", NUMBER_WIDTH, "SESSION", TIME_WIDTH, date);
	if (self->view.context->explain.settings->show & SHOW_HOST)
		strbuf_addf(&self->view.text, "%-*s  ", HOST_WIDTH, "HOST");
	strbuf_addf(&self->view.text, "%-*s  %-*s  %-*s  %*s\n", ERROR_WIDTH, "ERROR",
		    self->function_width, "CAME FROM", PROCESS_WIDTH, "PROCESS", DURATION_WIDTH,
		    "DURATION");
	style_since(&self->view.text, start, self->view.context->color, STYLE_ASIDE);
}

/* The outcome of the entry call; for an interim session, of the failure that was handled. */
static void add_error(struct list_view *self, const struct session *session)
{
	const struct event_frame *frame =
		&session->frames[session->interim ? session->nr_frames - 1 : 0];
	const struct plan_func *func = &self->view.context->explain.plan->funcs.data[frame->func];
	int err = frame_errno(self->view.context->explain.plan, self->view.context->error_rules,
			      frame);
	bool failed = err != SUMMARY_SUCCESS;

	if (frame->flags & EVENT_FRAME_UNFINISHED)
		strbuf_addstr(&self->view.scratch, "...");
	else
		outcome_word_add(&self->view.scratch, func, err);
	add_left(self, failed ? STYLE_BAD : STYLE_GOOD, ERROR_WIDTH);
}

static void add_process(struct list_view *self, const struct session *session)
{
	quote_name_add(&self->view.scratch, session_process_name(session));
	strbuf_addf(&self->view.scratch, "/%u", session->pid);
	add_left(self, STYLE_NONE, PROCESS_WIDTH);
}

static int list_session(struct view *view, const struct explained *explained)
{
	struct list_view *self = (struct list_view *)view;
	const struct session *session = explained->session;
	const struct event_frame *producer = session_producer(session);
	int64_t began = wall_clock_at(self->view.context->clock, session->start_ns);

	strbuf_reset(&self->view.text);
	add_headings(self, began);
	strbuf_addf(&self->view.scratch, "%" PRIu64, session->number);
	add_right(self, NUMBER_WIDTH);
	strbuf_addstr(&self->view.text, "  ");
	clock_add(&self->view.scratch, began);
	add_left(self, STYLE_ASIDE, TIME_WIDTH);
	if (self->view.context->explain.settings->show & SHOW_HOST) {
		strbuf_addstr(&self->view.scratch, origin_host(self->view.context) ?: "?");
		add_left(self, STYLE_NONE, HOST_WIDTH);
	}
	add_error(self, session);
	strbuf_addstr(&self->view.scratch,
		      producer ? self->view.context->explain.plan->funcs.data[producer->func].name :
				 "-");
	add_left(self, STYLE_NAME, self->function_width);
	add_process(self, session);
	duration_add(&self->view.scratch, session_duration_ns(session),
		     self->view.context->explain.settings->durations);
	add_right(self, DURATION_WIDTH);
	if (session->interim)
		strbuf_addstr(&self->view.text, "  interim");
	if (session->context != CONTEXT_TASK)
		strbuf_addf(&self->view.text, "  %s", context_text(session->context));
	strbuf_addch(&self->view.text, '\n');
	self->view.text.failed |= self->view.scratch.failed;
	return output_text(self->view.context->out, &self->view.text);
}

/* The width of the longest possible name, within bounds. */
static unsigned int function_width(const struct view_context *context)
{
	const struct plan *plan = context->explain.plan;
	size_t width = MIN_FUNCTION_WIDTH;

	/* Other recordings have other functions. */
	if (context->several)
		return MAX_FUNCTION_WIDTH;

	vec_foreach(func, &plan->funcs) {
		if (strlen(func->name) > width)
			width = strlen(func->name);
	}
	return width < MAX_FUNCTION_WIDTH ? width : MAX_FUNCTION_WIDTH;
}

struct view *view_list_new(const struct view_context *context)
{
	struct list_view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->view.session = list_session;
	self->function_width = function_width(context);
	return &self->view;
}
