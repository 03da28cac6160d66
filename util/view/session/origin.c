// SPDX-License-Identifier: BSD-2-Clause
/* Whose a session was. */
#include "util/view/session/origin.h"

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
}

const char *origin_host(const struct view_context *context)
{
	return context->origin ? context->origin->host : NULL;
}

const char *origin_name(const char *name)
{
	return *name ? name : NULL;
}

void origin_csv_add(struct csv *csv, const struct cgroup_owner *owner)
{
	csv_text(csv, origin_name(owner->pod));
	csv_text(csv, origin_name(owner->container));
	csv_text(csv, origin_name(owner->unit));
}

void origin_json_add(struct json *json, const struct origin *origin)
{
	if (origin->cgroup)
		json_uint(json, "cgroup_id", origin->cgroup);
	else
		json_null(json, "cgroup_id");
	json_string(json, "cgroup", origin->path);
	json_string(json, "pod", origin_name(origin->owner.pod));
	json_string(json, "container", origin_name(origin->owner.container));
	json_string(json, "unit", origin_name(origin->owner.unit));
}
