/* SPDX-License-Identifier: BSD-2-Clause */
/* A session as a JSON object: for the JSON view, and for output that contains it. */
#ifndef RETSNOOP_VIEW_SESSION_SESSION_JSON_H
#define RETSNOOP_VIEW_SESSION_SESSION_JSON_H

#include "util/base/strbuf.h"
#include "util/view/session/view.h"

struct explained;
struct json;

/* Reused from session to session. Starts zeroed, except for the context. */
struct session_json {
	const struct view_context *context;
	struct strbuf text;	/* the object, without the end of the line */
	struct strbuf scratch;
	bool shown_results;	/* for the page (struct json) */
};

/* Write the object to self->text. 0; -ENOMEM (reported). */
int session_json_fill(struct session_json *self, const struct explained *explained);
void session_json_release(struct session_json *self);

/* Add "start" and "end" as times of day, "start_ns" and "end_ns". */
void span_json_add(struct json *json, const struct view_context *context, struct strbuf *scratch,
		   uint64_t start_ns, uint64_t end_ns);

/* The end() of views whose lines are JSON. */
int session_json_end(struct view *view, const struct ledger *ledger);

#endif
