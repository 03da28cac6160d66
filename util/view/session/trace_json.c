// SPDX-License-Identifier: BSD-2-Clause
/* A session's trace, as JSON. */
#include "util/view/session/trace_json.h"

#include <string.h>

#include "util/base/cleanup.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/trace/session/outcome.h"
#include "util/trace/session/session.h"
#include "util/view/session/args_text.h"
#include "util/view/session/probe_text.h"
#include "util/view/session/result_json.h"
#include "util/view/session/result_text.h"
#include "util/view/session/view.h"

/* At most this many names are compared. */
#define MAX_NAMES 64

/* The members of an object, each once: an argument selected twice (--args) has one name. */
struct items {
	struct json *json;
	const char *names[MAX_NAMES];
	size_t nr;
};

static void add_item(void *arg, const char *name, const char *value)
{
	struct items *items = arg;

	name = name ?: "text";
	for (size_t i = 0; i < items->nr; i++) {
		if (!strcmp(items->names[i], name))
			return;
	}
	if (items->nr < MAX_NAMES)
		items->names[items->nr++] = name;
	json_string(items->json, name, value);
}

void trace_json_add_args(struct json *json, const struct view_context *context,
			 const struct session *session, const struct traced_call *call)
{
	struct args_capture capture = args_capture_of(session, call);
	struct items items = { .json = json };
	_cleanup_(strbuf_release) struct strbuf value = STRBUF_INIT;
	struct arg_data captured[ARGS_MAX_ITEMS];
	const struct func_args *args;

	json_object(json, "args");
	if (call->kind == TRACED_PROBE) {
		probe_items(context->explain.plan->probes, call->func, &capture, &context->args, true,
			    add_item, &items);
	} else if (context->explain.plan->args) {
		args = &context->explain.plan->args[call->func];
		args_decode(&args->items, capture.value, capture.data, capture.len, captured);
		for (uint32_t i = 0; i < args->nr; i++) {
			strbuf_clear(&value);
			args_text_add_value(&value, &context->args, &args->args[i], captured);
			add_item(&items, args->args[i].name, strbuf_str(&value));
		}
		strbuf_clear(&value);
		if (args_text_add_more(&value, &context->args, args, captured) && value.len)
			add_item(&items, "...", strbuf_str(&value));
	}
	json_close(json);
	json->sb->failed |= value.failed;
}

/* For a tracepoint, the line made by its print fmt, as in the text. */
static void add_probe_text(struct json *json, const struct view_context *context,
			   const struct session *session, const struct traced_call *call)
{
	const struct probes *probes = context->explain.plan->probes;
	struct args_capture capture = args_capture_of(session, call);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (probes->v.data[call->func].kind != PROBE_TP)
		return;
	tracepoint_add(probes->v.data[call->func].tracepoint, capture.data, capture.len, &text);
	if (text.len)
		json_text(json, "text", &text);
	json->sb->failed |= text.failed;
}

static void add_call(struct json *json, const struct view_context *context,
		     const struct session *session, const struct traced_call *call)
{
	static const char *const kinds[] = {
		[TRACED_CALL] = "call", [TRACED_RETURN] = "return", [TRACED_LEAF] = "leaf",
		[TRACED_PROBE] = "probe",
		[TRACED_LOST] = "lost", [TRACED_UNSEEN] = "unseen", [TRACED_DEEP] = "deep",
	};
	bool returned = call->kind == TRACED_RETURN || call->kind == TRACED_LEAF;
	const struct plan_func *func = NULL;

	if (returned || call->kind == TRACED_CALL)
		func = &context->explain.plan->funcs.data[call->func];
	json_object(json, NULL);
	json_string(json, "kind", kinds[call->kind]);
	json_uint(json, "depth", call->depth);
	json_known(json, "time_ns", call->time_ns, call->time_ns);
	if (call->kind == TRACED_PROBE) {
		json_string(json, "probe", context->explain.plan->probes->v.data[call->func].text);
	} else if (func) {
		json_string(json, "function", func->name);
		json_string(json, "module", func->module);
	} else {
		json_known(json, "count", call->count, call->count);
	}
	if (returned) {
		json_known(json, "duration_ns", call->has_duration, call->duration_ns);
		json_bool(json, "failed", result_failed(func, context->error_rules, call->result));
		result_json_add(json, call->result, func->returns);
	}
	if (call->kind == TRACED_PROBE ||
	    (context->explain.plan->args && func && call->kind != TRACED_RETURN &&
	     context->explain.plan->args[call->func].nr))
		trace_json_add_args(json, context, session, call);
	if (call->kind == TRACED_PROBE)
		add_probe_text(json, context, session, call);
	json_close(json);
}

void trace_json_add(struct json *json, const struct view_context *context,
		    const struct session *session)
{
	json_array(json, "calls");
	for (uint32_t i = 0; i < session->nr_calls; i++)
		add_call(json, context, session, &session->calls[i]);
	json_close(json);
}
