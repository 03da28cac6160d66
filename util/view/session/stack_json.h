/* SPDX-License-Identifier: BSD-2-Clause */
/* The call stack behind a session, as JSON. */
#ifndef RETSNOOP_VIEW_SESSION_STACK_JSON_H
#define RETSNOOP_VIEW_SESSION_STACK_JSON_H

#include "util/view/parts/json.h"

struct explained;
struct view_context;

/* "stack". */
void stack_json_add(struct json *json, const struct view_context *context,
		    const struct explained *explained);

#endif
