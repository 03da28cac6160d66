// SPDX-License-Identifier: BSD-2-Clause
/* Keeping sessions. */
#include "util/trace/session/session_keep.h"

#include <errno.h>
#include <string.h>

#include "util/trace/session/session.h"

static uint64_t session_bytes(const struct session *session)
{
	uint64_t bytes = sizeof(*session) + session->nr_frames * sizeof(*session->frames) +
			 session->nr_ips * sizeof(*session->ips) +
			 session->nr_branches * sizeof(*session->branches) +
			 session->nr_calls * sizeof(*session->calls);

	for (uint32_t i = 0; session->args && i < session->nr_calls; i++)
		bytes += session->calls[i].args_size;
	return bytes;
}

static void strip_session(struct session *session)
{
	free(session->ips);
	free(session->branches);
	free(session->calls);
	free(session->args);
	session->ips = NULL;
	session->branches = NULL;
	session->calls = NULL;
	session->args = NULL;
	session->nr_ips = session->nr_branches = session->nr_calls = 0;
}

/* Of sessions with equal durations, the earlier one comes first. */
static int by_duration(const void *a, const void *b)
{
	const struct session *x = *(const struct session *const *)a;
	const struct session *y = *(const struct session *const *)b;
	uint64_t dx = session_duration_ns(x), dy = session_duration_ns(y);

	if (dx != dy)
		return dx < dy ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static void drop_sessions(struct session_keep *keep, size_t from, size_t to)
{
	struct session **all = keep->v.data;

	if (from >= to)
		return;
	for (size_t i = from; i < to; i++) {
		keep->bytes -= session_bytes(all[i]);
		session_free(all[i]);
	}
	memmove(all + from, all + to, (keep->v.len - to) * sizeof(*all));
	keep->v.len -= to - from;
}

static void keep_last(struct session_keep *keep)
{
	if (keep->last && keep->v.len > keep->last)
		drop_sessions(keep, 0, keep->v.len - keep->last);
}

static void keep_first(struct session_keep *keep)
{
	if (keep->order == ORDER_DURATION)
		vec_sort(&keep->v, by_duration);
	if (keep->limit && keep->v.len > keep->limit)
		drop_sessions(keep, keep->limit, keep->v.len);
}

/* Drop sessions that cannot be among those shown in the end. */
static void shrink_kept(struct session_keep *keep)
{
	if (keep->last)
		keep_last(keep);
	else
		keep_first(keep);
}

int session_keep_add(struct session_keep *keep, struct session *session)
{
	uint64_t wanted = keep->last ?: keep->limit;
	uint64_t most = keep->max_bytes ?: SESSION_KEEP_MAX_BYTES;

	if (keep->heads)
		strip_session(session);
	if (vec_push(&keep->v, session)) {
		session_free(session);
		return -ENOMEM;
	}
	keep->bytes += session_bytes(session);
	/* Shrink only at twice the number, so that each session is moved only a few times. */
	if ((wanted && keep->v.len / 2 > wanted) || keep->bytes > most)
		shrink_kept(keep);
	return keep->bytes > most ? -E2BIG : 0;
}

void session_keep_settle(struct session_keep *keep)
{
	keep_last(keep);
	keep_first(keep);
}

void session_keep_release(struct session_keep *keep)
{
	vec_foreach(session, &keep->v)
		session_free(*session);
	vec_release(&keep->v);
	keep->bytes = 0;
}
