// SPDX-License-Identifier: BSD-2-Clause
/* The CPU's branches before a session's result, as JSON. */
#include "util/view/session/branches_json.h"

#include "util/base/cleanup.h"
#include "util/view/session/branches_text.h"
#include "util/view/session/code_place.h"
#include "util/view/session/view.h"

static void add_side(struct json *json, const struct places *places, const char *key,
		     const struct place *side)
{
	json_object(json, key);
	json_address(json, side->addr, side->name, side->offset);
	json_string(json, "module", side->module);
	code_frames_json_add(json, place_frames(places, side), side->nr_sources);
	json_close(json);
}

/* Facts that the CPU records for few branches, or never, are present only if recorded. */
static void add_row(struct json *json, const struct places *places, const struct branch_row *row)
{
	const struct branch *branch = row->branch;

	json_object(json, NULL);
	json_known(json, "nr", branch->nr != BRANCH_NO_NR, branch->nr);
	add_side(json, places, "from", &row->from);
	add_side(json, places, "to", &row->to);
	json_bool(json, "interrupt", branch->marks & BRANCH_IS_INTERRUPT);
	json_uint(json, "times", branch->times);
	if (branch->marks & BRANCH_IS_TRACING)
		json_bool(json, "tracing", true);
	if (branch->marks & BRANCH_IS_DUPLICATE)
		json_bool(json, "duplicate", true);
	if (branch->marks & BRANCH_IS_BLANK)
		json_bool(json, "blank", true);
	if (branch->flags & (BRANCH_MISPREDICTED | BRANCH_PREDICTED))
		json_bool(json, "mispredicted", branch->flags & BRANCH_MISPREDICTED);
	if (BRANCH_CYCLES(branch->flags))
		json_uint(json, "cycles", BRANCH_CYCLES(branch->flags));
	if (branch->flags & BRANCH_IN_TX)
		json_bool(json, "in_tx", true);
	if (branch->flags & BRANCH_ABORT)
		json_bool(json, "abort", true);
	json_close(json);
}

static void add_reason(struct json *json, const struct branches *branches,
		       const struct session *session)
{
	if (session->branches_err)
		json_errno(json, "branches_missing", -session->branches_err);
	else
		json_string(json, "branches_missing",
			    !session->branches	   ? "lost" :
			    !branches->nr_recorded ? "none recorded" :
			    branches->none_left	   ? "none left" :
						     NULL);
}

/* The reason as text, with its remedy. */
static void add_reason_text(struct json *json, const struct explained *explained)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	branches_missing_add(&text, explained);
	if (text.len)
		json_text(json, "branches_missing_text", &text);
	json->sb->failed |= text.failed;
}

void branches_json_add(struct json *json, const struct explained *explained)
{
	const struct session *session = explained->session;
	const struct plan_func *func = branches_func(explained->context->plan, session);

	json_array(json, "branches");
	vec_foreach(row, &explained->branches.v)
		add_row(json, &explained->places, row);
	json_close(json);
	json_string(json, "branches_function", !session->no_branches && func ? func->name : NULL);
	add_reason(json, &explained->branches.branches, session);
	add_reason_text(json, explained);
}
