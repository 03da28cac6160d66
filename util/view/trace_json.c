// SPDX-License-Identifier: BSD-2-Clause
/* A session's trace, as JSON. */
#include "util/view/trace_json.h"

#include "util/trace/plan.h"
#include "util/trace/probes.h"
#include "util/trace/session.h"
#include "util/view/result.h"
#include "util/view/result_json.h"
#include "util/view/view.h"

/* What is not known is null. */
static void add_known(struct json *json, const char *key, bool known, uint64_t value)
{
	if (known)
		json_uint(json, key, value);
	else
		json_null(json, key);
}

static void add_call(struct json *json, const struct view_context *context,
		     const struct traced_call *call)
{
	static const char *const kinds[] = {
		[TRACED_CALL] = "call", [TRACED_RETURN] = "return", [TRACED_LEAF] = "leaf",
		[TRACED_PROBE] = "probe",
		[TRACED_LOST] = "lost", [TRACED_UNSEEN] = "unseen", [TRACED_DEEP] = "deep",
	};
	bool returned = call->kind == TRACED_RETURN || call->kind == TRACED_LEAF;
	const struct plan_func *func = NULL;

	if (returned || call->kind == TRACED_CALL)
		func = &context->plan->funcs.data[call->func];
	json_object(json, NULL);
	json_string(json, "kind", kinds[call->kind]);
	json_uint(json, "depth", call->depth);
	add_known(json, "time_ns", call->time_ns, call->time_ns);
	if (call->kind == TRACED_PROBE) {
		json_string(json, "probe", context->plan->probes->v.data[call->func].text);
	} else if (func) {
		json_string(json, "func", func->name);
		json_string(json, "module", func->module);
	} else {
		add_known(json, "count", call->count, call->count);
	}
	if (returned) {
		add_known(json, "duration_ns", call->has_duration, call->duration_ns);
		json_bool(json, "failed", result_failed(func, context->error_rules, call->result));
		result_json_add(json, call->result, func->returns);
	}
	json_close(json);
}

void trace_json_add(struct json *json, const struct view_context *context,
		    const struct session *session)
{
	json_array(json, "calls");
	for (uint32_t i = 0; i < session->nr_calls; i++)
		add_call(json, context, &session->calls[i]);
	json_close(json);
}
