// SPDX-License-Identifier: BSD-2-Clause
/* Filters on sessions. */
#include "util/trace/session/session_filter.h"

#include <string.h>

#include "bpf/result_rule.h"
#include "util/ask/request.h"
#include "util/base/wall_clock.h"
#include "util/plan/plan.h"
#include "util/trace/session/outcome.h"
#include "util/trace/session/session.h"

static unsigned int check_process(const struct trace_request *request, const struct session *session)
{
	bool listed = !request->allow_pids.len, named = !request->allow_comms.len, denied = false;
	bool users = !request->uids.len;

	vec_foreach(uid, &request->uids)
		users = users || (session->has_origin && *uid == session->uid);
	vec_foreach(pid, &request->allow_pids)
		listed = listed || *pid == session->pid;
	vec_foreach(comm, &request->allow_comms)
		named = named || !strcmp(*comm, session->comm);
	vec_foreach(pid, &request->deny_pids)
		denied = denied || *pid == session->pid;
	vec_foreach(comm, &request->deny_comms)
		denied = denied || !strcmp(*comm, session->comm);
	/* An interrupt belongs to no process. */
	if (session->context != CONTEXT_TASK) {
		listed = !request->allow_pids.len;
		named = !request->allow_comms.len;
		users = !request->uids.len;
		denied = request->deny_pids.len || request->deny_comms.len;
	}
	return (listed ? 0 : FILTER_PID) | (named ? 0 : FILTER_COMM) | (users ? 0 : FILTER_UID) |
	       (denied ? FILTER_DENIED : 0);
}

/* A chain passes if one of its errors is among -x, and none is among -X. */
static unsigned int check_errors(const struct session_filter *filter, const struct session *session)
{
	const struct trace_request *request = filter->request;
	bool allowed = !request->allow_errnos.used, denied = false;

	if (!session->failed)
		return 0;
	for (uint32_t i = 0; i < session->nr_frames; i++) {
		const struct event_frame *frame = &session->frames[i];
		int err;

		if (frame->flags & EVENT_FRAME_UNFINISHED || !(frame->flags & EVENT_FRAME_FAILED))
			continue;
		err = frame_errno(filter->plan, filter->rules, frame);
		allowed = allowed || errno_set_has(&request->allow_errnos, err);
		denied = denied || errno_set_has(&request->deny_errnos, err);
	}
	return (allowed ? 0 : FILTER_ERRORS) | (denied ? FILTER_DENIED : 0);
}

/*
 * Whether some call inside took at least that long: any call of the trace, or without a trace,
 * one of the chain.
 */
static bool some_took(const struct session *session, uint64_t ns)
{
	for (uint32_t i = 0; i < session->nr_calls; i++) {
		const struct traced_call *call = &session->calls[i];

		if ((call->kind == TRACED_RETURN || call->kind == TRACED_LEAF) && call->depth &&
		    call->has_duration && call->duration_ns >= ns)
			return true;
	}
	for (uint32_t i = 1; i < session->nr_frames; i++) {
		if (session->frames[i].duration_ns >= ns)
			return true;
	}
	return false;
}

static bool result_passes(const struct session_filter *filter, const struct session *session)
{
	const struct event_frame *entry = &session->frames[0];
	const struct plan_func *func = &filter->plan->funcs.data[entry->func];
	const struct config_terms *terms = &filter->request->result.terms;

	if (!terms->nr)
		return true;
	return func->returns != RETURN_VOID && func->returns != RETURN_STRUCT &&
	       terms_hold(terms, entry->result, func->returns);
}

static unsigned int check_entry(const struct session_filter *filter, const struct session *session)
{
	const struct plan_func *func = &filter->plan->funcs.data[session->frames[0].func];
	const struct spec_list *entry = &filter->request->entry, *deny = &filter->request->deny;
	bool selected = !entry->v.len, denied = false;

	vec_foreach(spec, &entry->v)
		selected = selected || spec_matches_name(spec, func->name, func->module);
	vec_foreach(spec, &deny->v)
		denied = denied || spec_matches_name(spec, func->name, func->module);
	return (selected ? 0 : FILTER_ENTRY) | (denied ? FILTER_DENIED : 0);
}

static bool is_listed(const struct session_filter *filter, uint32_t func)
{
	const struct plan_func *f = &filter->plan->funcs.data[func];

	return vec_find(spec, &filter->request->allow.v,
			spec_matches_name(spec, f->name, f->module));
}

/* Whether a function of -a was called, by the trace and the chain. */
static bool calls_pass(const struct session_filter *filter, const struct session *session)
{
	if (!filter->request->allow.v.len)
		return true;
	for (uint32_t i = 0; i < session->nr_frames; i++) {
		if (is_listed(filter, session->frames[i].func))
			return true;
	}
	for (uint32_t i = 0; i < session->nr_calls; i++) {
		const struct traced_call *call = &session->calls[i];

		if ((call->kind == TRACED_CALL || call->kind == TRACED_LEAF) &&
		    is_listed(filter, call->func))
			return true;
	}
	return false;
}

static unsigned int check_time(const struct session_filter *filter, const struct session *session)
{
	int64_t began;

	if (!filter->since_ns && !filter->until_ns)
		return 0;
	began = wall_clock_at(filter->clock, session->start_ns);
	return (filter->since_ns && began < filter->since_ns ? FILTER_SINCE : 0) |
	       (filter->until_ns && began > filter->until_ns ? FILTER_UNTIL : 0);
}

/* Criteria for calls that returned. */
static unsigned int check_outcome(const struct session_filter *filter, const struct session *session)
{
	const struct trace_request *request = filter->request;
	unsigned int fails = 0;

	if (session_duration_ns(session) < request->longer_ns)
		fails |= FILTER_LONGER;
	if (request->fn_longer_ns && !some_took(session, request->fn_longer_ns))
		fails |= FILTER_FN_LONGER;
	if (!result_passes(filter, session))
		fails |= FILTER_RESULT;
	return fails;
}

unsigned int session_fails(const struct session_filter *filter, const struct session *session)
{
	const struct trace_request *request = filter->request;
	unsigned int fails = check_time(filter, session) | check_process(request, session) |
			     check_entry(filter, session) | check_errors(filter, session);

	if (filter->number && session->number != filter->number)
		fails |= FILTER_NUMBER;
	if (!calls_pass(filter, session))
		fails |= FILTER_CALLS;
	if (!session->failed && !trace_request_shows_successes(request))
		fails |= FILTER_SUCCESS;
	if (session->interim)
		return fails | (request->interim ? 0 : FILTER_INTERIM);
	return fails | check_outcome(filter, session);
}
