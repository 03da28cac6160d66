/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a view shows of a session, as text, for fixtures that have .context, .session and .text, a
 * heap string that their tear-down frees.
 */
#ifndef RETSNOOP_TESTS_SHOWN_H
#define RETSNOOP_TESTS_SHOWN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/trace/session/session.h"
#include "util/view/session/view.h"

/* What view_session() does, for a view that is shown few sessions. */
static inline int show_session(struct view *view, const struct view_context *context,
			       const struct session *session)
{
	struct explainer explainer = { .context = &context->explain };
	int err = view_session(view, &explainer, session);

	explainer_release(&explainer);
	return err;
}

/* @context's .out is set for the while. The text is a heap string. */
static inline char *text_shown(struct view_context *context, const struct session *session,
			       struct view *(*new_view)(const struct view_context *))
{
	struct view *view;
	char *text = NULL;
	size_t size;

	context->out = open_memstream(&text, &size);
	view = context->out ? new_view(context) : NULL;
	if (!view || show_session(view, context, session))
		abort();
	view->free(view);
	fclose(context->out);
	return text;
}

/* Shows the fixture's session, and keeps the text in it. */
#define SHOWN(self, new_view)                                                        \
	({                                                                           \
		free((self)->text);                                                  \
		(self)->text = text_shown(&(self)->context, &(self)->session, new_view); \
		(const char *)(self)->text;                                          \
	})

#define EXPECT_SHOWS(part)                        \
	EXPECT_NE(NULL, strstr(self->text, part)) \
	{                                         \
		TH_LOG("%s", self->text);         \
	}
#define EXPECT_HIDES(part)                        \
	EXPECT_EQ(NULL, strstr(self->text, part)) \
	{                                         \
		TH_LOG("%s", self->text);         \
	}

#endif
