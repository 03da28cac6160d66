// SPDX-License-Identifier: BSD-2-Clause
/* Counts several recordings as one. */
#include "util/trace/record/recording_counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/trace/session/session.h"
#include "util/trace/summary/summary_session.h"

/* First letters of keys: functions and cgroups share a map. */
#define FUNC_KEY 'f'
#define CGROUP_KEY 'c'

#define UNKNOWN_HOST "?"

/* The one copy of a name; NULL: out of memory. */
static const char *keep_name(struct recording_counts *counts, const char *name)
{
	uint32_t *found = strmap_get(&counts->name_at, name);
	char *copy;

	if (found)
		return counts->names.data[*found];
	copy = strdup(name);
	if (!copy || vec_push(&counts->names, copy)) {
		free(copy);
		return NULL;
	}
	return strmap_put(&counts->name_at, copy, counts->names.len - 1) ? copy : NULL;
}

/* The place of the function or cgroup with counts->key. @next: its place if it is new. -ENOMEM */
static int64_t place_of(struct recording_counts *counts, uint32_t next, bool *ret_new)
{
	uint32_t *found = strmap_get(&counts->known, strbuf_str(&counts->key));
	const char *key;

	*ret_new = !found;
	if (found)
		return *found;
	key = counts->key.failed ? NULL : keep_name(counts, strbuf_str(&counts->key));
	return key && strmap_put(&counts->known, key, next) ? (int64_t)next : -ENOMEM;
}

static int64_t place_func(struct recording_counts *counts, const struct plan_func *func)
{
	struct plan_func copy = { .entry = func->entry, .returns = func->returns };
	bool is_new;
	int64_t place;

	/*
	 * If the function returns pointers, NULL is a failure: so functions with and without are
	 * different.
	 */
	strbuf_reset(&counts->key);
	strbuf_addf(&counts->key, "%c%s\n%s\n%d", FUNC_KEY, func->name, func->module ?: "",
		    func->returns == RETURN_POINTER);
	place = place_of(counts, counts->plan.funcs.len, &is_new);
	if (place >= 0 && !is_new)
		counts->plan.funcs.data[place].entry |= func->entry;
	if (place < 0 || !is_new)
		return place;
	copy.name = keep_name(counts, func->name);
	copy.module = func->module ? keep_name(counts, func->module) : NULL;
	if (!copy.name || (func->module && !copy.module) || vec_push(&counts->plan.funcs, copy))
		return -ENOMEM;
	return place;
}

/* The functions that the part does not have yet: a plan grows while its recording is read. */
static int join_funcs(struct recording_counts *counts, const struct plan *plan,
		      struct recording_part *part)
{
	while (part->funcs.len < plan->funcs.len) {
		int64_t place = place_func(counts, &plan->funcs.data[part->funcs.len]);

		if (place < 0 || vec_push(&part->funcs, place))
			return -ENOMEM;
	}
	return 0;
}

int recording_counts_join(struct recording_counts *counts, const struct plan *plan,
			  const char *host, struct recording_part *part)
{
	part->host = keep_name(counts, host ?: UNKNOWN_HOST);
	return part->host ? join_funcs(counts, plan, part) : -ENOMEM;
}

/* The place of a cgroup, by its path; 0: not known. */
static int64_t place_cgroup(struct recording_counts *counts, struct cgroup_names *cgroups,
			    uint64_t id)
{
	const char *path = id ? cgroup_names_get(cgroups, id) : NULL;
	bool is_new;
	int64_t place;
	int err;

	if (!path)
		return 0;
	strbuf_reset(&counts->key);
	strbuf_addf(&counts->key, "%c%s", CGROUP_KEY, path);
	place = place_of(counts, counts->cgroups.v.len + 1, &is_new);
	if (place < 0 || !is_new)
		return place;
	err = cgroup_names_put(&counts->cgroups, place, path);
	return err == -E2BIG ? 0 : err ?: place;
}

static int settle_group(struct recording_counts *counts, const struct recording_part *part,
			struct cgroup_names *cgroups, struct summary_call *call)
{
	enum summary_by by = counts->summary.by;
	int64_t place = 0;

	if (by == SUMMARY_BY_PRODUCER && call->group.id)
		call->group.id = part->funcs.data[call->group.id - 1] + 1;
	if (by == SUMMARY_BY_CGROUP) {
		place = place_cgroup(counts, cgroups, call->group.id);
		call->group.id = place < 0 ? 0 : place;
	}
	/* Process ids are different on each host. */
	if (by == SUMMARY_BY_HOST || by == SUMMARY_BY_PROCESS)
		call->host = part->host;
	return place < 0 ? -ENOMEM : 0;
}

int recording_counts_add(struct recording_counts *counts, struct recording_part *part,
			 const struct plan *plan, const struct error_rule *rules,
			 struct cgroup_names *cgroups, const struct session *session,
			 int64_t end_ns)
{
	struct summary *summary = &counts->summary;
	struct summary_call call = session_summary_call(plan, rules, session, summary->by);
	bool lost = false;
	int err;

	if (session->interim)
		return 0;
	err = join_funcs(counts, plan, part);
	if (err)
		return err;
	call.func = part->funcs.data[call.func];
	call.producer = part->funcs.data[call.producer];
	err = settle_group(counts, part, cgroups, &call);
	err = err ?: summary_add_call(summary, &call, &lost);
	counts->lost += lost;
	if ((uint64_t)end_ns > summary->end_ns)
		summary->end_ns = end_ns;
	return err;
}

void recording_counts_release(struct recording_counts *counts)
{
	summary_release(&counts->summary);
	vec_release(&counts->plan.funcs);
	cgroup_names_release(&counts->cgroups);
	strmap_release(&counts->known);
	strmap_release(&counts->name_at);
	vec_foreach(name, &counts->names)
		free(*name);
	vec_release(&counts->names);
	strbuf_release(&counts->key);
}
