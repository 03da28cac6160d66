/* SPDX-License-Identifier: BSD-2-Clause */
/* A session's trace as a table: FUNCTION CALLS, RESULT, DURATION. */
#ifndef RETSNOOP_VIEW_SESSION_TRACE_TEXT_H
#define RETSNOOP_VIEW_SESSION_TRACE_TEXT_H

#include "util/base/strbuf.h"

struct session;
struct view_context;

/* Append the session's calls, one call or return per line, in the context's width. */
void trace_text_add(struct strbuf *text, const struct view_context *context,
		    const struct session *session);

#endif
