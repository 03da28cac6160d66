/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPU's branches before a session's result, as JSON. */
#ifndef RETSNOOP_VIEW_BRANCHES_JSON_H
#define RETSNOOP_VIEW_BRANCHES_JSON_H

#include "util/view/branch_rows.h"
#include "util/view/json.h"

struct view_context;

/* Adds "branches" and what else there is to say of them to the session's object. 0; -ENOMEM. */
int branches_json_add(struct json *json, struct branch_rows *rows,
		      const struct view_context *context, const struct session *session);

#endif
