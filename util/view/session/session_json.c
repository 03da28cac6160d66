// SPDX-License-Identifier: BSD-2-Clause
/* Sessions as JSON, one object per line. */
#include "util/view/session/session_json.h"

#include <stdlib.h>

#include "util/ask/request.h"
#include "util/base/report.h"
#include "util/base/wall_clock.h"
#include "util/plan/plan.h"
#include "util/trace/session/session.h"
#include "util/view/parts/context_name.h"
#include "util/view/parts/ledger_json.h"
#include "util/view/parts/output.h"
#include "util/view/parts/times.h"
#include "util/view/session/branches_json.h"
#include "util/view/session/decision_view.h"
#include "util/view/session/origin.h"
#include "util/view/session/result_json.h"
#include "util/view/session/stack_json.h"
#include "util/view/session/trace_json.h"
#include "util/view/session/view.h"

struct json_view {
	struct view view;
	struct session_json json;
};

static void add_time(struct json *json, const char *key, const struct view_context *context,
		     struct strbuf *scratch, uint64_t ns)
{
	strbuf_clear(scratch);
	timestamp_add(scratch, wall_clock_at(context->clock, ns));
	json_text(json, key, scratch);
}

void span_json_add(struct json *json, const struct view_context *context, struct strbuf *scratch,
		   uint64_t start_ns, uint64_t end_ns)
{
	add_time(json, "start", context, scratch, start_ns);
	add_time(json, "end", context, scratch, end_ns);
	json_uint(json, "start_ns", start_ns);
	json_uint(json, "end_ns", end_ns);
}

/* The outcome of a traced call; its members are null if the call has not returned. */
static void add_outcome(struct json *json, const struct plan *plan, const struct event_frame *frame)
{
	const struct plan_func *func = &plan->funcs.data[frame->func];

	json_string(json, "function", func->name);
	json_string(json, "module", func->module);
	if (frame->flags & EVENT_FRAME_UNFINISHED) {
		json_null(json, "duration_ns");
		json_null(json, "result");
		json_null(json, "errno");
		return;
	}
	json_uint(json, "duration_ns", frame->duration_ns);
	result_json_add(json, frame->result, func->returns);
}

/*
 * The outcome of the entry call, and of the call in which the failure began: most readers look for
 * these.
 */
static void add_outcomes(struct json *json, const struct plan *plan, const struct session *session)
{
	const struct event_frame *producer = session_producer(session);

	if (!session->nr_frames)
		return;
	add_outcome(json, plan, &session->frames[0]);
	if (!producer) {
		json_null(json, "producer");
		return;
	}
	json_object(json, "producer");
	add_outcome(json, plan, producer);
	json_close(json);
}

/* CPU, user and cgroup of the session; null if not known, or if it was no task's. */
static void add_origin(struct json *json, const struct view_context *context,
		       const struct session *session)
{
	struct origin origin;

	if (context->explain.settings->show & SHOW_HOST)
		json_string(json, "host", origin_host(context));
	origin_find(context, session, &origin);
	json_known(json, "cpu", session->has_origin, session->cpu);
	json_known(json, "uid", origin.task, session->uid);
	origin_json_add(json, &origin);
	origin_outsider_json_add(json, &origin);
	origin_trace_json_add(json, session);
}

static const char *callers_missing(const struct session *session)
{
	switch (session->callers_missing) {
	case CALLERS_HIDDEN:
		return "return_probe";
	case CALLERS_TOO_DEEP:
		return "too_deep";
	case CALLERS_ALL_THERE:
		break;
	}
	return NULL;
}

int session_json_fill(struct session_json *self, const struct explained *explained)
{
	const struct view_context *context = self->context;
	const struct session *session = explained->session;
	unsigned int modes = view_modes(context, session);
	struct json json = JSON_INIT(&self->text);

	json.shown_results = self->shown_results;
	strbuf_reset(&self->text);
	json_object(&json, NULL);
	json_string(&json, "type", "session");
	if (session->number)
		json_uint(&json, "number", session->number);
	span_json_add(&json, self->context, &self->scratch, session->start_ns, session->end_ns);
	json_uint(&json, "tid", session->tid);
	json_uint(&json, "pid", session->pid);
	json_string(&json, "comm", session->comm);
	json_string(&json, "proc_comm", session->proc_comm[0] ? session->proc_comm : NULL);
	json_string(&json, "context", context_key(session->context));
	add_origin(&json, context, session);
	json_bool(&json, "failed", session->failed);
	json_bool(&json, "interim", session->interim);
	add_outcomes(&json, context->explain.plan, session);
	if (modes & MODE_STACK) {
		json_bool(&json, "no_stack", session->no_stack);
		json_string(&json, "callers_missing", callers_missing(session));
	}
	json_uint(&json, "calls_too_deep", session->truncated);
	if (modes & MODE_TRACE)
		trace_json_add(&json, context, session);
	if (explained->parts & MODE_BRANCHES)
		branches_json_add(&json, explained);
	if (modes & MODE_STACK)
		stack_json_add(&json, context, explained);
	if (explained->has_decision)
		decision_json_add(&json, "decision", context, &explained->decision);
	json_close(&json);
	return self->text.failed || self->scratch.failed ? report_oom() : 0;
}

void session_json_release(struct session_json *self)
{
	strbuf_release(&self->text);
	strbuf_release(&self->scratch);
}

static int json_session(struct view *view, const struct explained *explained)
{
	struct session_json *self = &((struct json_view *)view)->json;
	int err;

	if (!view_modes(self->context, explained->session) && !self->context->list)
		return 0;
	err = session_json_fill(self, explained);
	if (err)
		return err;
	strbuf_addch(&self->text, '\n');
	return output_data(self->context->out, &self->text);
}

int session_json_end(struct view *view, const struct ledger *ledger)
{
	return ledger_json_print(ledger, view->context->out);
}

static void json_free(struct view *view)
{
	struct json_view *self = (struct json_view *)view;

	session_json_release(&self->json);
	view_free(view);
}

struct view *view_json_new(const struct view_context *context)
{
	struct json_view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->view.session = json_session;
	self->view.needs = context->modes;
	self->view.end = session_json_end;
	self->view.free = json_free;
	self->json.context = context;
	return &self->view;
}
