// SPDX-License-Identifier: BSD-2-Clause
/* Counting sessions. */
#include "util/trace/session/session_counts.h"

#include <errno.h>
#include <string.h>

#include "bpf/result.h"
#include "util/trace/plan/plan.h"
#include "util/trace/session/session.h"

int frame_errno(const struct plan *plan, const struct error_rule *rules,
		const struct event_frame *frame)
{
	const struct plan_func *func = &plan->funcs.data[frame->func];

	_Static_assert(SUMMARY_SUCCESS == RESULT_NOT_FAILED, "one answer");
	if (func->rule)
		return result_errno_by(&rules[func->rule - 1].expr.terms, frame->result,
				       func->returns);
	return result_errno(frame->result, func->returns);
}

void summary_row_add(struct summary_row *row, uint64_t duration_ns)
{
	row->count++;
	row->total_ns += duration_ns;
	if (duration_ns > row->max_ns)
		row->max_ns = duration_ns;
	row->buckets[summary_bucket(duration_ns)]++;
}

/* As count_call() in bpf/summary.bpf.h has it. */
struct summary_group session_group(const struct session *session, enum summary_by by)
{
	bool task = session->context == CONTEXT_TASK;
	const char *comm = session->proc_comm[0] ? session->proc_comm : session->comm;
	struct summary_group group = {};

	if (by == SUMMARY_BY_PRODUCER && session->failed)
		group.id = session->frames[session->nr_frames - 1].func + 1;
	if (by == SUMMARY_BY_CGROUP && task && session->has_origin)
		group.id = session->cgroup;
	if (by == SUMMARY_BY_PROCESS && task)
		group.id = session->pid;
	if (by >= SUMMARY_BY_PROCESS && task)
		memcpy(group.comm, comm, strnlen(comm, sizeof(group.comm) - 1));
	return group;
}

/* The line of calls that ended so; NULL: no room, for whatever reason. */
static struct summary_line *find_line(struct summary *summary, uint32_t func, int32_t err,
				      const struct summary_group *group)
{
	vec_foreach(line, &summary->lines) {
		if (line->func == func && line->err == err &&
		    !memcmp(&line->group, group, sizeof(*group)))
			return line;
	}
	if (summary->lines.len == summary_max_rows(summary->by) ||
	    vec_push(&summary->lines,
		     (struct summary_line){ .func = func, .err = err, .group = *group }))
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

int summary_add_session(struct summary *summary, const struct plan *plan,
			const struct error_rule *rules, const struct session *session,
			bool *ret_lost)
{
	const struct event_frame *entry = &session->frames[0];
	const struct event_frame *inner = &session->frames[session->nr_frames - 1];
	const struct summary_group group = session_group(session, summary->by);
	int outcome = frame_errno(plan, rules, entry);
	struct summary_producer *producer;
	struct summary_line *line;

	*ret_lost = false;
	if (session->interim)
		return 0;
	line = find_line(summary, entry->func, outcome, &group);
	if (!line) {
		*ret_lost = summary->lines.len == summary_max_rows(summary->by);
		return *ret_lost ? 0 : -ENOMEM;
	}
	summary_row_add(&line->row, entry->duration_ns);
	summary->calls++;
	if (!session->failed)
		return 0;
	producer = find_producer(summary, inner->func, frame_errno(plan, rules, inner), outcome);
	if (!producer) {
		*ret_lost = summary->producers.len == SUMMARY_MAX_PRODUCERS;
		return *ret_lost ? 0 : -ENOMEM;
	}
	producer->count++;
	summary->errors++;
	return 0;
}
