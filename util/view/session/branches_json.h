/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPU's branches before a session's result, as JSON. */
#ifndef RETSNOOP_VIEW_SESSION_BRANCHES_JSON_H
#define RETSNOOP_VIEW_SESSION_BRANCHES_JSON_H

#include "util/view/parts/json.h"

struct explained;

/* Add "branches" and other members about them to the session's object. */
void branches_json_add(struct json *json, const struct explained *explained);

#endif
