// SPDX-License-Identifier: BSD-2-Clause
/* Sessions as text: a header line, the parts asked for, and notes about them. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "util/ask/request.h"
#include "util/base/report.h"
#include "util/base/style.h"
#include "util/base/text/quote.h"
#include "util/base/wall_clock.h"
#include "util/view/parts/context_name.h"
#include "util/view/parts/output.h"
#include "util/view/parts/times.h"
#include "util/view/session/branches_text.h"
#include "util/view/session/decision_view.h"
#include "util/view/session/origin.h"
#include "util/view/session/stack_text.h"
#include "util/view/session/trace_text.h"
#include "util/view/session/view.h"

struct text_view {
	struct view view;
	struct branches_text branches;
	struct stack_text stack;
};

/* The length of ids as container engines print them. */
#define SHORT_ID 12

/* @len	characters of the name at most */
static void add_owner(struct strbuf *text, const char *what, const struct origin *origin,
		      const char *name, int len)
{
	if (!origin->path)
		strbuf_addf(text, ", %s ?", what);
	else if (!*name)
		strbuf_addf(text, ", no %s", what);
	else
		strbuf_addf(text, ", %s %.*s", what, len, name);
}

static void add_cgroup(struct strbuf *text, const struct origin *origin)
{
	strbuf_addstr(text, ", cgroup ");
	if (origin->path)
		quote_name_add(text, origin->path);
	else if (origin->cgroup)
		strbuf_addf(text, "#%" PRIu64, origin->cgroup);
	else
		strbuf_addch(text, '?');
}

/* Print the facts that --show asks for. */
static void add_origin(struct text_view *self, const struct session *session)
{
	const struct view_context *context = self->view.context;
	uint32_t show = context->explain.settings->show;
	struct strbuf *text = &self->view.text;
	struct trace_text trace;
	struct origin origin;

	if (!show)
		return;
	if (show & SHOW_HOST)
		strbuf_addf(text, ", host %s", origin_host(context) ?: "?");
	origin_find(context, session, &origin);
	if (show & SHOW_UID && origin.task)
		strbuf_addf(text, ", uid %" PRIu32, session->uid);
	else if (show & SHOW_UID)
		strbuf_addstr(text, ", uid ?");
	if (show & SHOW_CPU && session->has_origin)
		strbuf_addf(text, ", CPU %" PRIu32, session->cpu);
	else if (show & SHOW_CPU)
		strbuf_addstr(text, ", CPU ?");
	if (show & SHOW_POD)
		add_owner(text, "pod", &origin, origin.owner.pod, INT_MAX);
	if (show & SHOW_CONTAINER)
		add_owner(text, "container", &origin, origin.owner.container, SHORT_ID);
	if (show & SHOW_CONTAINER && origin.outsider)
		strbuf_addstr(text, " (from outside)");
	if (show & SHOW_UNIT)
		add_owner(text, "unit", &origin, origin.owner.unit, INT_MAX);
	if (show & SHOW_CGROUP)
		add_cgroup(text, &origin);
	if (show & SHOW_TRACE && origin_trace(session, &trace))
		strbuf_addf(text, ", trace %s, span %s", trace.trace, trace.span);
	else if (show & SHOW_TRACE && session->no_trace)
		strbuf_addstr(text, ", trace ?");
}

static void add_header(struct text_view *self, const struct session *session)
{
	struct strbuf *text = &self->view.text;
	bool color = self->view.context->color;
	size_t start = text->len;
	int64_t began = wall_clock_at(self->view.context->clock, session->start_ns);
	int64_t ended = wall_clock_at(self->view.context->clock, session->end_ns);

	if (self->view.context->verbose) {
		strbuf_addf(text, "#%" PRIu64 " ", session->number);
		day_add(text, began);
		strbuf_addch(text, ' ');
	}
	clock_add(text, began);
	strbuf_addstr(text, " -> ");
	clock_add(text, ended);
	if (self->view.context->verbose) {
		strbuf_addch(text, ' ');
		zone_add(text, ended);
	}
	style_since(text, start, color, STYLE_ASIDE);
	strbuf_addch(text, ' ');
	start = text->len;
	strbuf_addstr(text, "TID/PID ");
	strbuf_adduint(text, session->tid);
	strbuf_addch(text, '/');
	strbuf_adduint(text, session->pid);
	strbuf_addstr(text, " (");
	/* A process can give itself any command name. */
	quote_name_add(text, session->comm);
	if (session->proc_comm[0]) {
		strbuf_addch(text, '/');
		quote_name_add(text, session->proc_comm);
	}
	strbuf_addch(text, ')');
	if (session->context != CONTEXT_TASK)
		strbuf_addf(text, ", %s", context_text(session->context));
	if (session->interim)
		strbuf_addstr(text, ", interim");
	add_origin(self, session);
	strbuf_addch(text, ':');
	style_since(text, start, color, STYLE_NAME);
	strbuf_addstr(text, "\n\n");
}

/* The number of calls beyond the depth limit that no line of the trace mentions. */
static uint32_t count_unmentioned(const struct session *session, unsigned int modes)
{
	uint32_t left = session->truncated;

	for (uint32_t i = 0; (modes & MODE_TRACE) && i < session->nr_calls; i++) {
		const struct traced_call *call = &session->calls[i];

		if (call->kind == TRACED_DEEP)
			left -= call->count < left ? call->count : left;
	}
	return left;
}

static void add_footers(struct text_view *self, const struct session *session, unsigned int modes)
{
	uint32_t truncated = count_unmentioned(session, modes);
	size_t start = self->view.text.len;

	if ((modes & MODE_STACK) && session->no_stack)
		strbuf_addstr(&self->view.text, "    (kernel stack not captured)\n");
	if ((modes & MODE_STACK) && session->callers_missing == CALLERS_HIDDEN)
		strbuf_addstr(&self->view.text, "    (outer callers not captured: a return probe hides them)\n");
	if ((modes & MODE_STACK) && session->callers_missing == CALLERS_TOO_DEEP)
		strbuf_addstr(&self->view.text, "    (outer callers not captured: the stack is too deep)\n");
	if (truncated)
		strbuf_addf(&self->view.text, "    ... %u call%s deeper than %u not kept\n",
			    truncated, truncated == 1 ? "" : "s",
			    trace_request_max_depth(self->view.context->explain.settings));
	style_since(&self->view.text, start, self->view.context->color, STYLE_DOUBT);
}

static void next_part(struct strbuf *text, bool is_next)
{
	if (is_next)
		strbuf_addch(text, '\n');
}

/* Last, the reason of the failure, if it is known. */
static void add_decision(struct text_view *self, const struct explained *explained)
{
	strbuf_clear(&self->view.scratch);
	decision_text_add(&self->view.scratch, self->view.context, &explained->decision);
	next_part(&self->view.text, self->view.scratch.len);
	strbuf_addstr(&self->view.text, strbuf_str(&self->view.scratch));
}

static int text_session(struct view *view, const struct explained *explained)
{
	struct text_view *self = (struct text_view *)view;
	const struct session *session = explained->session;
	unsigned int modes = view_modes(self->view.context, session);
	int err = 0;

	if (!modes)
		return 0;
	if (!(explained->parts & MODE_BRANCHES))
		modes &= ~MODE_BRANCHES;
	strbuf_reset(&self->view.text);
	add_header(self, session);
	if (modes & MODE_TRACE)
		trace_text_add(&self->view.text, self->view.context, session);
	if (modes & MODE_BRANCHES) {
		next_part(&self->view.text, modes & MODE_TRACE);
		err = branches_text_add(&self->branches, &self->view.text, self->view.context,
					explained);
	}
	if (!err && modes & MODE_STACK) {
		next_part(&self->view.text, modes & (MODE_TRACE | MODE_BRANCHES));
		err = stack_text_add(&self->stack, &self->view.text, self->view.context, explained);
	}
	add_footers(self, session, modes);
	if (explained->has_decision)
		add_decision(self, explained);
	if (err || self->view.scratch.failed)
		return report_oom();
	strbuf_addstr(&self->view.text, "\n\n");
	return output_text(self->view.context->out, &self->view.text);
}

static void text_free(struct view *view)
{
	struct text_view *self = (struct text_view *)view;

	branches_text_release(&self->branches);
	stack_text_release(&self->stack);
	view_free(view);
}

struct view *view_text_new(const struct view_context *context)
{
	struct text_view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->view.session = text_session;
	self->view.needs = context->modes;
	self->view.free = text_free;
	return &self->view;
}
