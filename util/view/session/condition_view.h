/* SPDX-License-Identifier: BSD-2-Clause */
/* The condition of a branch, with values, as text and as JSON. */
#ifndef RETSNOOP_VIEW_SESSION_CONDITION_VIEW_H
#define RETSNOOP_VIEW_SESSION_CONDITION_VIEW_H

#include <stdbool.h>

#include "util/base/strbuf.h"

struct decision_condition;
struct json;

/* "  because NAME > 16", and a line with the values if they say more. Nothing if it is NULL. */
void condition_text_add(struct strbuf *text, const struct decision_condition *condition);

/* Whether values would say more, but are not known. */
bool condition_lacks_values(const struct decision_condition *condition);

/* "condition":{...}, or null. */
void condition_json_add(struct json *json, const struct decision_condition *condition);

#endif
