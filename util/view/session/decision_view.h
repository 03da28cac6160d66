/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why a call failed (util/explain/decision.h), as text and as JSON: the end of a session with
 * branches.
 */
#ifndef RETSNOOP_VIEW_SESSION_DECISION_VIEW_H
#define RETSNOOP_VIEW_SESSION_DECISION_VIEW_H

#include "util/base/strbuf.h"
#include "util/explain/decision.h"

struct json;
struct source_text;
struct view_context;

/*
 * Append the decision; nothing for a session that did not fail, or if the decision adds nothing
 * to the rest.
 */
void decision_text_add(struct strbuf *text, const struct view_context *context,
		       const struct decision *decision);

/* The kind in JSON: "branch_taken". */
const char *decision_kind_word(enum decision_kind kind);

/* An object; nothing if the text has nothing. */
void decision_json_add(struct json *json, const char *key, const struct view_context *context,
		       const struct decision *decision);

#endif
