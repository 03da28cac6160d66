// SPDX-License-Identifier: BSD-2-Clause
/* The origin of a session: cgroup, pod, container, unit, host. */
#include "util/view/session/origin.h"

#include <stdio.h>

#include "util/kernel/machine/cgroup_names.h"
#include "util/trace/session/session.h"
#include "util/view/parts/csv.h"
#include "util/view/parts/json.h"
#include "util/view/session/view.h"

void origin_of_cgroup(const struct view_context *context, uint64_t id, struct origin *ret_origin)
{
	*ret_origin = (struct origin){ .cgroup = id };
	if (id && context->cgroups)
		ret_origin->path = cgroup_names_get(context->cgroups, id);
	cgroup_owner_of(ret_origin->path, &ret_origin->owner);
}

void origin_find(const struct view_context *context, const struct session *session,
		 struct origin *ret_origin)
{
	bool task = session->has_origin && session->context == CONTEXT_TASK;

	origin_of_cgroup(context, task ? session->cgroup : 0, ret_origin);
	ret_origin->task = task;
	if (task && *ret_origin->owner.container) {
		ret_origin->outsider = session->host_mounts;
		ret_origin->insider = session->own_mounts;
	}
}

static void hex_of(const void *bytes, size_t size, char *text)
{
	for (size_t i = 0; i < size; i++)
		sprintf(text + 2 * i, "%02x", ((const unsigned char *)bytes)[i]);
}

bool origin_trace(const struct session *session, struct trace_text *ret_text)
{
	if (!session_has_trace(session))
		return false;
	hex_of(session->trace.trace, sizeof(session->trace.trace), ret_text->trace);
	hex_of(&session->trace.span, sizeof(session->trace.span), ret_text->span);
	return true;
}

void origin_outsider_json_add(struct json *json, const struct origin *origin)
{
	if (origin->outsider || origin->insider)
		json_bool(json, "outsider", origin->outsider);
}

void origin_trace_json_add(struct json *json, const struct session *session)
{
	struct trace_text text;

	if (origin_trace(session, &text)) {
		json_string(json, "trace_id", text.trace);
		json_string(json, "span_id", text.span);
	} else if (session->no_trace) {
		json_null(json, "trace_id");
		json_null(json, "span_id");
	}
}

const char *origin_host(const struct view_context *context)
{
	return context->origin ? context->origin->host : NULL;
}

/* NULL for an empty string. */
static const char *name_or_null(const char *name)
{
	return *name ? name : NULL;
}

void origin_csv_add(struct csv *csv, const struct cgroup_owner *owner)
{
	csv_text(csv, name_or_null(owner->pod));
	csv_text(csv, name_or_null(owner->container));
	csv_text(csv, name_or_null(owner->unit));
}

void origin_json_add(struct json *json, const struct origin *origin)
{
	json_known(json, "cgroup_id", origin->cgroup, origin->cgroup);
	json_string(json, "cgroup", origin->path);
	json_string(json, "pod", name_or_null(origin->owner.pod));
	json_string(json, "container", name_or_null(origin->owner.container));
	json_string(json, "unit", name_or_null(origin->owner.unit));
}
