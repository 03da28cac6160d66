// SPDX-License-Identifier: BSD-2-Clause
/* A failed call in words. */
#include "util/export/failed_call.h"

#include <errno.h>

#include "util/base/text/quote.h"
#include "util/base/wall_clock.h"
#include "util/explain/explain.h"
#include "util/plan/plan.h"
#include "util/trace/session/outcome.h"
#include "util/view/lists/summary_text.h"
#include "util/view/parts/times.h"
#include "util/view/session/view.h"

int failed_call_fill(struct failed_call *call, const struct view_context *context,
		     const struct explained *explained)
{
	const struct session *session = explained->session;
	const struct plan *plan = context->explain.plan;
	const struct event_frame *entry = &session->frames[0];
	const struct plan_func *func = &plan->funcs.data[entry->func];
	int err;

	call->session = session;
	call->entry = func->name;
	call->producer = plan->funcs.data[session->frames[session->nr_frames - 1].func].name;
	call->time_ns = wall_clock_at(context->clock, session->end_ns);
	call->duration_ns = session_duration_ns(session);
	origin_find(context, session, &call->origin);
	strbuf_reset(&call->err);
	strbuf_reset(&call->line);
	strbuf_reset(&call->stack);
	outcome_word_add(&call->err, func, frame_errno(plan, context->error_rules, entry));
	quote_name_add(&call->line, session->comm);
	strbuf_addf(&call->line, "/%u: %s failed with %s", session->tid, call->entry,
		    strbuf_str(&call->err));
	if (session->nr_frames > 1)
		strbuf_addf(&call->line, " from %s", call->producer);
	strbuf_addstr(&call->line, " after ");
	duration_add(&call->line, call->duration_ns, DURATIONS_AUTO);
	err = stack_text_add(&call->stack_text, &call->stack, context, explained);
	return err ?: call->err.failed || call->line.failed || call->stack.failed ? -ENOMEM : 0;
}

void failed_call_release(struct failed_call *call)
{
	strbuf_release(&call->err);
	strbuf_release(&call->line);
	strbuf_release(&call->stack);
	stack_text_release(&call->stack_text);
}
