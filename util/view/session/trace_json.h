/* SPDX-License-Identifier: BSD-2-Clause */
/* A session's trace, as JSON. */
#ifndef RETSNOOP_VIEW_SESSION_TRACE_JSON_H
#define RETSNOOP_VIEW_SESSION_TRACE_JSON_H

#include "util/view/parts/json.h"

struct session;
struct traced_call;
struct view_context;

/* "calls". */
void trace_json_add(struct json *json, const struct view_context *context,
		    const struct session *session);

/* "args" of one line that has some: values as text, as in the trace. */
void trace_json_add_args(struct json *json, const struct view_context *context,
			 const struct session *session, const struct traced_call *call);

#endif
