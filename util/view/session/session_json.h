/* SPDX-License-Identifier: BSD-2-Clause */
/* A session as a JSON object: for the view of that form, and for what has it inside. */
#ifndef RETSNOOP_VIEW_SESSION_SESSION_JSON_H
#define RETSNOOP_VIEW_SESSION_SESSION_JSON_H

#include "util/base/strbuf.h"
#include "util/view/session/view.h"

struct explained;

/* Kept from session to session. Zero but for the context at first. */
struct session_json {
	const struct view_context *context;
	struct strbuf text;	/* the object, without the end of the line */
	struct strbuf scratch;
};

/* Write the object to self->text. 0; -ENOMEM (reported). */
int session_json_fill(struct session_json *self, const struct explained *explained);
void session_json_release(struct session_json *self);

#endif
