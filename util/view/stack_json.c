// SPDX-License-Identifier: BSD-2-Clause
/* The call stack behind each session, as one JSON object a line. */
#include <stdlib.h>

#include "bpf/result.h"
#include "util/base/errnames.h"
#include "util/view/json.h"
#include "util/view/output.h"
#include "util/view/result.h"
#include "util/view/stack_rows.h"
#include "util/view/view.h"

struct json_view {
	struct view view;
	struct view_context context;
	struct stack_rows rows;
	struct strbuf text;
	struct strbuf scratch;
};

static void add_time(struct json_view *self, struct json *json, const char *key, uint64_t ns)
{
	strbuf_reset(&self->scratch);
	timestamp_add(&self->scratch, ns + self->context.wall_offset_ns);
	json_string(json, key, strbuf_str(&self->scratch));
}

static void add_result(struct json *json, uint64_t result, enum return_kind returns)
{
	struct result_value value = result_value(result, returns);

	switch (returns) {
	case RETURN_VOID:
	case RETURN_STRUCT:
		json_null(json, "result");
		break;
	case RETURN_BOOL:
		json_bool(json, "result", value.magnitude);
		break;
	case RETURN_POINTER:
		json_hex(json, "result", result);
		break;
	default:
		if (value.negative)
			json_int(json, "result", (int64_t)-value.magnitude);
		else
			json_uint(json, "result", value.magnitude);
		break;
	}
}

/* "EINVAL"; "NULL" for a pointer that is; the number as text for one without a name. */
static void add_errno(struct json_view *self, struct json *json, uint64_t result,
		      enum return_kind returns)
{
	int err = result_errno(result, returns);

	if (err == RESULT_NOT_FAILED) {
		json_null(json, "errno");
	} else if (!err || errno_name(err)) {
		json_string(json, "errno", err ? errno_name(err) : "NULL");
	} else {
		strbuf_reset(&self->scratch);
		strbuf_addf(&self->scratch, "%d", err);
		json_string(json, "errno", strbuf_str(&self->scratch));
	}
}

static void add_call(struct json_view *self, struct json *json, const struct event_frame *frame)
{
	enum return_kind returns = self->context.plan->funcs.data[frame->func].returns;
	bool finished = !(frame->flags & EVENT_FRAME_UNFINISHED);

	json_bool(json, "stitched", frame->flags & EVENT_FRAME_STITCHED);
	json_bool(json, "finished", finished);
	if (!finished)
		return;
	json_bool(json, "failed", frame->flags & EVENT_FRAME_FAILED);
	json_uint(json, "duration_ns", frame->duration_ns);
	json_string(json, "returns", return_kind_name(returns));
	add_result(json, frame->result, returns);
	add_errno(self, json, frame->result, returns);
}

static void add_row(struct json_view *self, struct json *json, const struct stack_row *row)
{
	json_object(json, NULL);
	json_bool(json, "on_stack", row->on_stack);
	if (row->on_stack)
		json_hex(json, "addr", row->ip);
	json_string(json, "symbol", row->name);
	if (row->on_stack && row->name)
		json_uint(json, "offset", row->offset);
	json_string(json, "module", row->module);
	if (row->left_out)
		json_bool(json, "tracing", true);
	json_bool(json, "traced", row->frame);
	if (row->frame)
		add_call(self, json, row->frame);
	json_array(json, "frames");
	/* Innermost last, like the rows. */
	for (uint32_t i = row->nr_sources; i--;) {
		const struct source_frame *source = &self->rows.sources.data[row->first_source + i];

		json_object(json, NULL);
		json_string(json, "function", source->function);
		json_string(json, "file", source->file);
		json_uint(json, "line", source->line);
		json_uint(json, "column", source->column);
		json_bool(json, "inlined", i + 1 < row->nr_sources);
		json_close(json);
	}
	json_close(json);
	json_close(json);
}

static int json_session(struct view *view, const struct session *session)
{
	static const char *const contexts[] = {
		[CONTEXT_TASK] = "task",
		[CONTEXT_SOFTIRQ] = "softirq",
		[CONTEXT_HARDIRQ] = "hardirq",
		[CONTEXT_NMI] = "nmi",
	};
	struct json_view *self = (struct json_view *)view;
	const struct view_context *context = &self->context;
	struct json json = JSON_INIT(&self->text);
	int err;

	err = stack_rows_fill(&self->rows, context, session);
	if (err)
		return report_oom();
	strbuf_reset(&self->text);
	json_object(&json, NULL);
	json_string(&json, "type", "session");
	add_time(self, &json, "start", session->start_ns);
	add_time(self, &json, "end", session->end_ns);
	json_uint(&json, "start_ns", session->start_ns);
	json_uint(&json, "end_ns", session->end_ns);
	json_uint(&json, "tid", session->tid);
	json_uint(&json, "pid", session->pid);
	json_string(&json, "comm", session->comm);
	json_string(&json, "proc_comm", session->proc_comm[0] ? session->proc_comm : NULL);
	json_string(&json, "context", contexts[session->context]);
	json_bool(&json, "failed", session->failed);
	json_bool(&json, "interim", session->interim);
	json_bool(&json, "no_stack", session->no_stack);
	json_uint(&json, "truncated", session->truncated);
	json_array(&json, "stack");
	vec_foreach(row, &self->rows.rows)
	{
		if (!row->left_out || context->unfiltered || context->verbose)
			add_row(self, &json, row);
	}
	json_close(&json);
	json_close(&json);
	strbuf_addch(&self->text, '\n');
	if (self->scratch.failed)
		return report_oom();
	return output_text(context->out, &self->text);
}

static void json_free(struct view *view)
{
	struct json_view *self = (struct json_view *)view;

	stack_rows_release(&self->rows);
	strbuf_release(&self->text);
	strbuf_release(&self->scratch);
	free(self);
}

struct view *view_stack_json_new(const struct view_context *context)
{
	struct json_view *self = calloc(1, sizeof(*self));

	if (!self)
		return NULL;
	self->view.session = json_session;
	self->view.free = json_free;
	self->context = *context;
	return &self->view;
}
