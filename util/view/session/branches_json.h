/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPU's branches before a session's result, as JSON. */
#ifndef RETSNOOP_VIEW_SESSION_BRANCHES_JSON_H
#define RETSNOOP_VIEW_SESSION_BRANCHES_JSON_H

#include "util/view/parts/json.h"
#include "util/view/session/branch_rows.h"

struct view_context;

/* Adds "branches" and what else there is to say of them to the session's object. 0; -ENOMEM. */
int branches_json_add(struct json *json, struct branch_rows *rows,
		      const struct view_context *context, const struct session *session);

#endif
