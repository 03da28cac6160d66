// SPDX-License-Identifier: BSD-2-Clause
/*
 * Sessions as one page of HTML without other files: the program of the page
 * (util/view/formats/page), and the sessions as data in it, two lines of JSON each: the members
 * that the list shows, and all members. The first line has the host and the command of the
 * recording, the last line the ledger. Data is in blocks. A call after each block hands it to the
 * program, so the page appears before all data is read.
 */
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/wall_clock.h"
#include "util/plan/plan.h"
#include "util/trace/session/session.h"
#include "util/view/parts/context_name.h"
#include "util/view/parts/json.h"
#include "util/view/parts/ledger_json.h"
#include "util/view/parts/output.h"
#include "util/view/parts/times.h"
#include "util/view/session/origin.h"
#include "util/view/session/result_text.h"
#include "util/view/session/session_json.h"
#include "util/view/session/view.h"

/* The parts of the page, as they are in the tree (Makefile: -I of its top). */
#define PART(name, file)                                                    \
	asm(".pushsection .rodata\n"                                        \
	    ".type page_" #name ", @object\n"                               \
	    "page_" #name ": .incbin \"util/view/formats/page/" file "\"\n" \
	    ".size page_" #name ", . - page_" #name "\n"                    \
	    ".byte 0\n"                                                     \
	    ".popsection\n");                                               \
	extern const char page_##name[] __attribute__((visibility("hidden")))

PART(head, "head.html");
PART(style, "style.css");
PART(body, "body.html");
PART(script, "page.js");
PART(data_begin, "data_begin.html");
PART(data_end, "data_end.html");
PART(tail, "tail.html");

/*
 * A block ends with the session that makes it longer than this. The first blocks are small, so that
 * the page appears at once. Each later block is twice as long as the one before, because the page
 * is laid out once for each block.
 */
#define FIRST_BLOCK_SIZE (256 << 10)
#define LAST_BLOCK_SIZE (4 << 20)

struct html_view {
	struct view view;
	struct session_json json;
	size_t block, block_size; /* bytes in the current block, and its limit */
};

/* No data may end the element that it is in; '<' occurs only in strings. */
static void add_data(struct strbuf *text, const char *json)
{
	const char *end;

	for (; (end = strchr(json, '<')); json = end + 1) {
		strbuf_add(text, json, end - json);
		strbuf_addstr(text, "\\u003c");
	}
	strbuf_addstr(text, json);
	strbuf_addch(text, '\n');
}

static void add_frame(struct html_view *self, struct json *json, const char *function,
		      const char *result, const struct event_frame *frame)
{
	const struct plan_func *func = &self->json.context->explain.plan->funcs.data[frame->func];

	json_string(json, function, func->name);
	strbuf_clear(&self->view.scratch);
	if (frame->flags & EVENT_FRAME_UNFINISHED)
		strbuf_addstr(&self->view.scratch, "...");
	else
		result_add(&self->view.scratch, frame->result, func->returns);
	json_string(json, result, strbuf_str(&self->view.scratch));
}

/* The members of a session that the list shows. */
static void add_head(struct html_view *self, const struct session *session)
{
	_cleanup_(strbuf_release) struct strbuf head = STRBUF_INIT;
	struct json json = JSON_INIT(&head);

	json_object(&json, NULL);
	add_frame(self, &json, "entry", "result", &session->frames[0]);
	add_frame(self, &json, "producer", "produced", session_producer(session) ?: session->frames);
	strbuf_clear(&self->view.scratch);
	timestamp_add(&self->view.scratch,
		      wall_clock_at(self->json.context->clock, session->start_ns));
	json_string(&json, "start", strbuf_str(&self->view.scratch));
	json_uint(&json, "start_ns", session->start_ns);
	json_uint(&json, "end_ns", session->end_ns);
	if (!(session->frames[0].flags & EVENT_FRAME_UNFINISHED))
		json_uint(&json, "duration_ns", session->frames[0].duration_ns);
	json_uint(&json, "pid", session->pid);
	json_uint(&json, "tid", session->tid);
	json_string(&json, "comm", session->comm);
	if (self->json.context->explain.settings->show & SHOW_HOST)
		json_string(&json, "host", origin_host(self->json.context));
	json_string(&json, "context", context_key(session->context));
	json_bool(&json, "failed", session->failed);
	json_bool(&json, "interim", session->interim);
	json_close(&json);
	if (head.failed)
		self->view.text.failed = true;
	add_data(&self->view.text, strbuf_str(&head));
}

/* The heading of the page. */
static void add_origin(struct html_view *self, const struct view_origin *origin)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;
	struct json json = JSON_INIT(&line);

	json_object(&json, NULL);
	json_string(&json, "type", "page");
	json_string(&json, "tool", origin->tool);
	json_string(&json, "command_line", origin->command_line);
	json_string(&json, "host", origin->host);
	json_string(&json, "release", origin->release);
	json_string(&json, "machine", origin->machine);
	strbuf_clear(&self->view.scratch);
	day_time_add(&self->view.scratch, origin->start_ns);
	json_string(&json, "start", strbuf_str(&self->view.scratch));
	if (self->json.context->explain.settings->durations == DURATIONS_US)
		json_string(&json, "time_unit", "us");
	json_close(&json);
	if (line.failed)
		self->view.text.failed = true;
	add_data(&self->view.text, strbuf_str(&line));
}

static int html_begin(struct view *view)
{
	struct html_view *self = (struct html_view *)view;

	strbuf_reset(&self->view.text);
	strbuf_addstr(&self->view.text, page_head);
	strbuf_addstr(&self->view.text, page_style);
	strbuf_addstr(&self->view.text, page_body);
	strbuf_addstr(&self->view.text, page_script);
	strbuf_addstr(&self->view.text, page_data_begin);
	if (self->json.context->origin)
		add_origin(self, self->json.context->origin);
	return output_data(self->json.context->out, &self->view.text);
}

static int html_session(struct view *view, const struct explained *explained)
{
	const struct session *session = explained->session;
	struct html_view *self = (struct html_view *)view;
	int err;

	if (!view_modes(self->json.context, session) || !session->nr_frames)
		return 0;
	err = session_json_fill(&self->json, explained);
	if (err)
		return err;
	strbuf_reset(&self->view.text);
	if (self->block >= self->block_size) {
		strbuf_addstr(&self->view.text, page_data_end);
		strbuf_addstr(&self->view.text, page_data_begin);
		self->block = 0;
		if (self->block_size < LAST_BLOCK_SIZE)
			self->block_size *= 2;
	}
	add_head(self, session);
	add_data(&self->view.text, strbuf_str(&self->json.text));
	self->block += self->view.text.len;
	return output_data(self->json.context->out, &self->view.text);
}

static int html_end(struct view *view, const struct ledger *ledger)
{
	struct html_view *self = (struct html_view *)view;

	strbuf_reset(&self->view.text);
	strbuf_clear(&self->view.scratch);
	ledger_json_add(&self->view.scratch, ledger);
	if (self->view.scratch.failed)
		return report_oom();
	if (ledger)
		add_data(&self->view.text, strbuf_str(&self->view.scratch));
	strbuf_addstr(&self->view.text, page_data_end);
	strbuf_addstr(&self->view.text, page_tail);
	return output_data(self->json.context->out, &self->view.text);
}

static void html_free(struct view *view)
{
	struct html_view *self = (struct html_view *)view;

	session_json_release(&self->json);
	view_free(view);
}

struct view *view_html_new(const struct view_context *context)
{
	struct html_view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->block_size = FIRST_BLOCK_SIZE;
	self->view.begin = html_begin;
	self->view.session = html_session;
	self->view.needs = context->modes;
	self->view.end = html_end;
	self->view.free = html_free;
	self->json.context = context;
	self->json.shown_results = true;
	return &self->view;
}
