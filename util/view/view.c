// SPDX-License-Identifier: BSD-2-Clause
/* What all views of sessions have in common. */
#include "util/view/view.h"

#include "util/trace/request.h"
#include "util/trace/session.h"

unsigned int view_modes(const struct view_context *context, const struct session *session)
{
	return session->interim ? context->modes & MODE_STACK : context->modes;
}

uint32_t view_max_depth(const struct view_context *context)
{
	return context->max_depth ?: EVENT_MAX_DEPTH;
}
