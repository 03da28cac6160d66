// SPDX-License-Identifier: BSD-2-Clause
/* The call stack behind a session, as JSON. */
#include "util/view/session/stack_json.h"

#include "util/view/session/code_place.h"
#include "util/view/session/result_json.h"
#include "util/view/session/view.h"

static void add_call(struct json *json, const struct plan *plan, const struct event_frame *frame)
{
	enum return_kind returns = plan->funcs.data[frame->func].returns;
	bool finished = !(frame->flags & EVENT_FRAME_UNFINISHED);

	json_bool(json, "stitched", frame->flags & EVENT_FRAME_STITCHED);
	json_bool(json, "finished", finished);
	if (!finished)
		return;
	json_bool(json, "failed", frame->flags & EVENT_FRAME_FAILED);
	json_uint(json, "duration_ns", frame->duration_ns);
	json_string(json, "returns", return_kind_name(returns));
	result_json_add(json, frame->result, returns);
}

static void add_row(struct json *json, const struct plan *plan, const struct places *places,
		    const struct stack_row *row)
{
	json_object(json, NULL);
	json_bool(json, "on_stack", row->on_stack);
	if (row->on_stack)
		json_hex(json, "addr", row->place.addr);
	json_string(json, "symbol", row->place.name);
	if (row->on_stack && row->place.name)
		json_uint(json, "offset", row->place.offset);
	json_string(json, "module", row->place.module);
	if (row->left_out)
		json_bool(json, "tracing", true);
	json_bool(json, "traced", row->frame);
	if (row->frame)
		add_call(json, plan, row->frame);
	code_frames_json_add(json, place_frames(places, &row->place), row->place.nr_sources);
	json_close(json);
}

void stack_json_add(struct json *json, const struct view_context *context,
		    const struct explained *explained)
{
	json_array(json, "stack");
	vec_foreach(row, &explained->stack.v) {
		if (!row->left_out || context->explain.settings->stacks_unfiltered ||
		    context->verbose)
			add_row(json, context->explain.plan, &explained->places, row);
	}
	json_close(json);
}
