// SPDX-License-Identifier: BSD-2-Clause
/* Sessions as CSV, one record each: for `retsnoop report --list`. */
#include "util/base/wall_clock.h"
#include "util/plan/plan.h"
#include "util/trace/session/outcome.h"
#include "util/trace/session/session.h"
#include "util/view/lists/session_list.h"
#include "util/view/lists/summary_text.h"
#include "util/view/parts/context_name.h"
#include "util/view/parts/csv.h"
#include "util/view/parts/output.h"
#include "util/view/parts/times.h"
#include "util/view/session/origin.h"

/* @frame NULL: none */
static void add_outcome(struct view *self, struct csv *csv, const struct event_frame *frame)
{
	const struct plan *plan = self->context->explain.plan;

	if (!frame || frame->flags & EVENT_FRAME_UNFINISHED) {
		csv_none(csv);
		return;
	}
	strbuf_clear(&self->scratch);
	outcome_word_add(&self->scratch, &plan->funcs.data[frame->func],
			 frame_errno(plan, self->context->error_rules, frame));
	csv_text(csv, strbuf_str(&self->scratch));
}

static int list_session(struct view *self, const struct explained *explained)
{
	const struct session *session = explained->session;
	const struct event_frame *entry = &session->frames[0];
	const struct event_frame *producer = session_producer(session);
	const struct plan_func *funcs = self->context->explain.plan->funcs.data;
	struct csv csv = CSV_INIT(&self->text);
	struct origin origin;

	strbuf_reset(&self->text);
	origin_find(self->context, session, &origin);
	if (!self->begun)
		strbuf_addstr(&self->text, "session,start,duration_ns,function,result,producer,"
			      "producer_result,comm,pid,tid,cpu,uid,cgroup,context,interim,"
			      "pod,container,unit");
	if (!self->begun)
		strbuf_addstr(&self->text,
			      self->context->explain.settings->show & SHOW_HOST ? ",host\n" : "\n");
	self->begun = true;
	csv_uint(&csv, session->number);
	strbuf_clear(&self->scratch);
	timestamp_add(&self->scratch, wall_clock_at(self->context->clock, session->start_ns));
	csv_text(&csv, strbuf_str(&self->scratch));
	csv_known(&csv, !(entry->flags & EVENT_FRAME_UNFINISHED), session_duration_ns(session));
	csv_text(&csv, funcs[entry->func].name);
	add_outcome(self, &csv, entry);
	csv_text(&csv, producer ? funcs[producer->func].name : NULL);
	add_outcome(self, &csv, producer);
	csv_text(&csv, session->comm);
	csv_uint(&csv, session->pid);
	csv_uint(&csv, session->tid);
	csv_known(&csv, session->has_origin, session->cpu);
	csv_known(&csv, origin.task, session->uid);
	csv_text(&csv, origin.path);
	csv_text(&csv, context_key(session->context));
	csv_text(&csv, session->interim ? "yes" : "no");
	origin_csv_add(&csv, &origin.owner);
	if (self->context->explain.settings->show & SHOW_HOST)
		csv_text(&csv, origin_host(self->context));
	csv_end(&csv);
	self->text.failed |= self->scratch.failed;
	return output_data(self->context->out, &self->text);
}

struct view *view_list_csv_new(const struct view_context *context)
{
	struct view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->session = list_session;
	return self;
}
