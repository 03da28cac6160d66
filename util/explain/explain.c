// SPDX-License-Identifier: BSD-2-Clause
/* Explaining sessions. */
#include "util/explain/explain.h"

#include "util/ask/request.h"
#include "util/base/report.h"
#include "util/explain/decider.h"
#include "util/explain/decision_steps.h"

static int fill_explained(struct explainer *explainer)
{
	const struct explain_context *context = explainer->context;
	struct explained *explained = &explainer->explained;
	int err = plan_index_fill(&explainer->index, context->plan);

	/* The decision includes the way up the stack, so it needs the stack too. */
	if (!err && (explained->parts & MODE_STACK || explained->has_decision))
		err = stack_rows_fill(&explained->stack, &explained->places, explained->session);
	if (!err && explained->parts & MODE_BRANCHES)
		err = branch_rows_fill(&explained->branches, context, &explained->places,
				       explained->session);
	if (!err && explained->has_decision)
		err = decide(context->decider, explained->session, &explained->branches.branches,
			     &explained->stack, &explained->decision);
	return err;
}

const struct explained *explain(struct explainer *explainer, const struct session *session,
				unsigned int parts)
{
	struct explained *explained = &explainer->explained;

	if (!session_has_branches(session))
		parts &= ~MODE_BRANCHES;
	if (!session->nr_frames)
		parts = 0;
	explained->context = explainer->context;
	explained->session = session;
	explained->parts = parts & (MODE_STACK | MODE_BRANCHES);
	/* Other sessions did not fail, or have no branches to decide from. */
	explained->has_decision = parts & MODE_BRANCHES && session->failed &&
				  session->nr_branches && explainer->context->decider;
	explained->places.symbolizer = explainer->context->symbolizer;
	explained->places.plan = explainer->context->plan;
	explained->places.attached = explainer->context->attached;
	explained->places.index = &explainer->index;
	explained->places.sources.len = 0;
	if (fill_explained(explainer)) {
		report_oom();
		return NULL;
	}
	return explained;
}

void explainer_release(struct explainer *explainer)
{
	plan_index_release(&explainer->index);
	vec_release(&explainer->explained.places.sources);
	stack_rows_release(&explainer->explained.stack);
	branch_rows_release(&explainer->explained.branches);
	decision_release(&explainer->explained.decision);
}

int explain_origin(const struct explained *explained, struct decision *decision)
{
	struct session session = *explained->session;
	const struct event_frame *producer = &session.frames[session.nr_frames - 1];

	session.branches_func = producer->func;
	session.branches_result = producer->result;
	decision->func = producer->func;
	decision->result = producer->result;
	decision->steps_known = true;
	return decision_steps_fill(&explained->stack, &session, decision);
}
