// SPDX-License-Identifier: BSD-2-Clause
/* What all views of sessions have in common. */
#include "util/view/session/view.h"

#include <errno.h>

#include "util/trace/ask/request.h"
#include "util/trace/session/session.h"

unsigned int view_modes(const struct view_context *context, const struct session *session)
{
	unsigned int interim = MODE_STACK | (session_has_branches(session) ? MODE_BRANCHES : 0);

	return session->interim ? context->modes & interim : context->modes;
}

int view_session(struct view *view, struct explainer *explainer, const struct session *session)
{
	const struct explained *explained = explain(explainer, session, view->needs);

	return explained ? view->session(view, explained) : -ENOMEM;
}

uint32_t view_max_depth(const struct view_context *context)
{
	return context->max_depth ?: EVENT_MAX_DEPTH;
}
