// SPDX-License-Identifier: BSD-2-Clause
/* Counts the sessions of two recordings side by side. */
#include "util/trace/record/recording_diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/plan/plan.h"
#include "util/trace/session/outcome.h"
#include "util/trace/session/session.h"

/* First letters of keys: functions and paths share a map. */
#define FUNC_KEY 'f'
#define PATH_KEY 'p'

static const char *func_name(const struct plan *plan, uint32_t func)
{
	return plan->funcs.data[func].name;
}

static int find_func(struct recording_diff *diff, const char *name, struct diff_func **ret_func)
{
	struct diff_func func = {};
	uint32_t *place;
	char *key;

	*ret_func = NULL;
	strbuf_reset(&diff->key);
	strbuf_addf(&diff->key, "%c%s", FUNC_KEY, name);
	if (diff->key.failed)
		return -ENOMEM;
	place = strmap_get(&diff->known, strbuf_str(&diff->key));
	if (!place) {
		if (diff->funcs.len == DIFF_MAX_FUNCS)
			return 0;
		/* The map's key; the name follows its first letter. */
		key = strdup(strbuf_str(&diff->key));
		func.name = key;
		if (!key || vec_push(&diff->funcs, func)) {
			free(key);
			return -ENOMEM;
		}
		place = strmap_put(&diff->known, key, diff->funcs.len - 1);
		if (!place)
			return -ENOMEM;
	}
	*ret_func = &diff->funcs.data[*place];
	return 0;
}

/* Each name ends with a newline, which no name contains: so the key is one string. */
static void make_path_key(struct recording_diff *diff, const struct plan *plan,
			  const struct session *session, int err, int outcome)
{
	strbuf_reset(&diff->key);
	strbuf_addch(&diff->key, PATH_KEY);
	for (uint32_t i = 0; i < session->nr_frames; i++)
		strbuf_addf(&diff->key, "%s\n", func_name(plan, session->frames[i].func));
	strbuf_addf(&diff->key, "%d %d", err, outcome);
}

static int find_path(struct recording_diff *diff, const struct plan *plan,
		     const struct error_rule *rules, const struct session *session,
		     struct diff_path **ret_path)
{
	struct diff_path path = {
		.nr_funcs = session->nr_frames,
		.err = frame_errno(plan, rules, &session->frames[session->nr_frames - 1]),
		.outcome = frame_errno(plan, rules, &session->frames[0]),
	};
	uint32_t *place;

	*ret_path = NULL;
	make_path_key(diff, plan, session, path.err, path.outcome);
	if (diff->key.failed)
		return -ENOMEM;
	place = strmap_get(&diff->known, strbuf_str(&diff->key));
	if (!place) {
		if (diff->paths.len == DIFF_MAX_PATHS ||
		    diff->path_bytes + diff->key.len > DIFF_MAX_BYTES)
			return 0;
		diff->path_bytes += diff->key.len;
		path.key = strdup(strbuf_str(&diff->key));
		if (!path.key || vec_push(&diff->paths, path)) {
			free(path.key);
			return -ENOMEM;
		}
		place = strmap_put(&diff->known, path.key, diff->paths.len - 1);
		if (!place)
			return -ENOMEM;
	}
	*ret_path = &diff->paths.data[*place];
	return 0;
}

int recording_diff_add(struct recording_diff *diff, int side, const struct plan *plan,
		       const struct error_rule *rules, const struct session *session)
{
	struct diff_path *path = NULL;
	struct diff_func *func;
	int err;

	if (session->interim)
		return 0;
	err = find_func(diff, func_name(plan, session->frames[0].func), &func);
	if (!err && session->failed)
		err = find_path(diff, plan, rules, session, &path);
	if (err)
		return err;
	diff->sessions[side]++;
	if (func)
		summary_row_add(&func->row[side], session->frames[0].duration_ns);
	if (path)
		path->count[side]++;
	diff->others[side] += !func || (session->failed && !path);
	return 0;
}

int recording_diff_plan(struct recording_diff *diff, int side, const struct plan *plan)
{
	struct strmap *traced = &diff->traced[side];

	vec_foreach(func, &plan->funcs) {
		uint32_t *entry = strmap_get(traced, func->name);
		char *name;

		if (entry) {
			*entry |= func->entry;
			continue;
		}
		name = strdup(func->name);
		if (!name || vec_push(&diff->traced_names, name)) {
			free(name);
			return -ENOMEM;
		}
		if (!strmap_put(traced, name, func->entry))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Whether a path could have been seen: it begins with an entry function, and all of its functions
 * are traced.
 */
static bool is_traced(const struct strmap *traced, const struct diff_path *path,
		      struct strbuf *name)
{
	const char *at = path->key + 1;

	for (uint32_t i = 0; i < path->nr_funcs; i++) {
		size_t len = strcspn(at, "\n");
		uint32_t *entry;

		strbuf_reset(name);
		strbuf_add(name, at, len);
		entry = strmap_get(traced, strbuf_str(name));
		if (!entry || (!i && !*entry))
			return false;
		at += len + 1;
	}
	return true;
}

static void find_untraced(struct recording_diff *diff, int side)
{
	const struct strmap *traced = &diff->traced[side];

	if (!traced->len)
		return;
	vec_foreach(path, &diff->paths)
		path->untraced[side] = !path->count[side] && !is_traced(traced, path, &diff->key);
	vec_foreach(func, &diff->funcs) {
		uint32_t *entry = strmap_get(traced, func->name + 1);

		func->untraced[side] = !func->row[side].count && (!entry || !*entry);
	}
}

static uint64_t path_difference(const struct diff_path *path)
{
	return path->count[0] > path->count[1] ? path->count[0] - path->count[1] :
						 path->count[1] - path->count[0];
}

/* Paths on one side only are 0, paths on both sides 1, paths that cannot be compared 2. */
static int rank_path(const struct diff_path *path)
{
	if (path->untraced[0] || path->untraced[1])
		return 2;
	return path->count[0] && path->count[1];
}

static int compare_paths(const void *pa, const void *pb)
{
	const struct diff_path *a = pa, *b = pb;

	if (rank_path(a) != rank_path(b))
		return rank_path(a) - rank_path(b);
	if (path_difference(a) != path_difference(b))
		return path_difference(a) > path_difference(b) ? -1 : 1;
	return strcmp(a->key, b->key);
}

static int compare_funcs(const void *pa, const void *pb)
{
	const struct diff_func *a = pa, *b = pb;

	return strcmp(a->name, b->name);
}

int recording_diff_sort(struct recording_diff *diff)
{
	find_untraced(diff, 0);
	find_untraced(diff, 1);
	/* Sorting makes the map's places wrong. */
	strmap_release(&diff->known);
	vec_sort(&diff->paths, compare_paths);
	vec_sort(&diff->funcs, compare_funcs);
	return diff->key.failed ? -ENOMEM : 0;
}

void recording_diff_release(struct recording_diff *diff)
{
	strmap_release(&diff->known);
	strmap_release(&diff->traced[0]);
	strmap_release(&diff->traced[1]);
	vec_foreach(name, &diff->traced_names)
		free(*name);
	vec_release(&diff->traced_names);
	strbuf_release(&diff->key);
	vec_foreach(path, &diff->paths)
		free(path->key);
	vec_release(&diff->paths);
	vec_foreach(func, &diff->funcs)
		free(func->name);
	vec_release(&diff->funcs);
}
