// SPDX-License-Identifier: BSD-2-Clause
/* Counting sessions in user space. */
#include "util/trace/summary/summary_session.h"

#include <errno.h>
#include <string.h>

#include "bpf/result_rule.h"
#include "util/trace/session/outcome.h"
#include "util/trace/session/session.h"

_Static_assert(SUMMARY_SUCCESS == RESULT_NOT_FAILED, "summaries count outcomes");

void summary_row_add(struct summary_row *row, uint64_t duration_ns)
{
	row->count++;
	row->total_ns += duration_ns;
	if (duration_ns > row->max_ns)
		row->max_ns = duration_ns;
	row->buckets[summary_bucket(duration_ns)]++;
}

/* As in count_call() in bpf/summary.bpf.h. */
struct summary_group session_group(const struct session *session, enum summary_by by)
{
	bool task = session->context == CONTEXT_TASK;
	const char *name = session_process_name(session);
	struct summary_group group = {};

	if (by == SUMMARY_BY_PRODUCER && session->failed)
		group.id = session->frames[session->nr_frames - 1].func + 1;
	if (by == SUMMARY_BY_CGROUP && task && session->has_origin)
		group.id = session->cgroup;
	if (by == SUMMARY_BY_PROCESS && task)
		group.id = session->pid;
	if (by >= SUMMARY_BY_PROCESS && task)
		memcpy(group.comm, name, strnlen(name, sizeof(group.comm) - 1));
	return group;
}

/* The line of calls with this result; NULL: no room, or out of memory. */
static struct summary_line *find_line(struct summary *summary, const struct summary_call *call)
{
	const struct summary_line new = { .func = call->func, .err = call->err,
					  .group = call->group, .host = call->host };

	vec_foreach(line, &summary->lines) {
		if (line->func == call->func && line->err == call->err && line->host == call->host &&
		    !memcmp(&line->group, &call->group, sizeof(call->group)))
			return line;
	}
	if (summary->lines.len == summary_max_rows(summary->by) || vec_push(&summary->lines, new))
		return NULL;
	return &summary->lines.data[summary->lines.len - 1];
}

static struct summary_producer *find_producer(struct summary *summary, uint32_t func, int32_t err,
					      int32_t outcome)
{
	vec_foreach(producer, &summary->producers) {
		if (producer->func == func && producer->err == err && producer->outcome == outcome)
			return producer;
	}
	if (summary->producers.len == SUMMARY_MAX_PRODUCERS ||
	    vec_push(&summary->producers, (struct summary_producer){ func, err, outcome, 0 }))
		return NULL;
	return &summary->producers.data[summary->producers.len - 1];
}

struct summary_call session_summary_call(const struct plan *plan, const struct error_rule *rules,
					 const struct session *session, enum summary_by by)
{
	const struct event_frame *entry = &session->frames[0];
	const struct event_frame *inner = &session->frames[session->nr_frames - 1];

	return (struct summary_call){
		.func = entry->func,
		.err = frame_errno(plan, rules, entry),
		.failed = session->failed,
		.producer = inner->func,
		.producer_err = frame_errno(plan, rules, inner),
		.group = session_group(session, by),
		.duration_ns = entry->duration_ns,
	};
}

int summary_add_call(struct summary *summary, const struct summary_call *call, bool *ret_lost)
{
	struct summary_line *line = find_line(summary, call);
	struct summary_producer *producer;

	*ret_lost = false;
	if (!line) {
		*ret_lost = summary->lines.len == summary_max_rows(summary->by);
		return *ret_lost ? 0 : -ENOMEM;
	}
	summary_row_add(&line->row, call->duration_ns);
	summary->calls++;
	if (!call->failed)
		return 0;
	producer = find_producer(summary, call->producer, call->producer_err, call->err);
	if (!producer) {
		*ret_lost = summary->producers.len == SUMMARY_MAX_PRODUCERS;
		return *ret_lost ? 0 : -ENOMEM;
	}
	producer->count++;
	summary->errors++;
	return 0;
}

int summary_add_session(struct summary *summary, const struct plan *plan,
			const struct error_rule *rules, const struct session *session,
			bool *ret_lost)
{
	const struct summary_call call = session_summary_call(plan, rules, session, summary->by);

	*ret_lost = false;
	return session->interim ? 0 : summary_add_call(summary, &call, ret_lost);
}
