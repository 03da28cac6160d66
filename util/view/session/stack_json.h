/* SPDX-License-Identifier: BSD-2-Clause */
/* The call stack behind a session, as JSON. */
#ifndef RETSNOOP_VIEW_SESSION_STACK_JSON_H
#define RETSNOOP_VIEW_SESSION_STACK_JSON_H

#include "util/trace/explain/stack_rows.h"
#include "util/view/parts/json.h"

struct view_context;

/* "stack". @rows is kept from session to session. 0; -ENOMEM. */
int stack_json_add(struct json *json, struct stack_rows *rows, const struct view_context *context,
		   const struct session *session);

#endif
