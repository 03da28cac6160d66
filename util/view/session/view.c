// SPDX-License-Identifier: BSD-2-Clause
/* What all views of sessions have in common. */
#include "util/view/session/view.h"

#include <errno.h>
#include <stdlib.h>

#include "util/ask/request.h"
#include "util/trace/session/session.h"

void *view_new(size_t size, const struct view_context *context)
{
	struct view *view = calloc(1, size);

	if (!view)
		return NULL;
	view->context = context;
	view->free = view_free;
	return view;
}

void view_free(struct view *view)
{
	strbuf_release(&view->text);
	strbuf_release(&view->scratch);
	free(view);
}

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
