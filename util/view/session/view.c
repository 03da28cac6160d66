// SPDX-License-Identifier: BSD-2-Clause
/* What all views of sessions have in common. */
#include "util/view/session/view.h"

#include "util/trace/ask/request.h"
#include "util/trace/session/session.h"

bool view_has_branches(const struct session *session)
{
	return session->branches || session->branches_err || session->no_branches;
}

unsigned int view_modes(const struct view_context *context, const struct session *session)
{
	unsigned int interim = MODE_STACK | (view_has_branches(session) ? MODE_BRANCHES : 0);

	return session->interim ? context->modes & interim : context->modes;
}

uint32_t view_max_depth(const struct view_context *context)
{
	return context->max_depth ?: EVENT_MAX_DEPTH;
}
