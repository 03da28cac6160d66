/* SPDX-License-Identifier: BSD-2-Clause */
/* The call stack behind a session, as JSON. */
#ifndef RETSNOOP_VIEW_STACK_JSON_H
#define RETSNOOP_VIEW_STACK_JSON_H

#include "util/view/json.h"
#include "util/trace/stack_rows.h"

struct view_context;

/* "stack". @rows is kept from session to session. 0; -ENOMEM. */
int stack_json_add(struct json *json, struct stack_rows *rows, const struct view_context *context,
		   const struct session *session);

#endif
