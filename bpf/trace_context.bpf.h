/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The span that a thread works on, as its process publishes it (bpf/thread_context.bpf.h), or as
 * OpenTelemetry's eBPF instrumentation does: in a pinned hash from thread to ids. It is only read.
 */
#ifndef RETSNOOP_BPF_TRACE_CONTEXT_BPF_H
#define RETSNOOP_BPF_TRACE_CONTEXT_BPF_H

#include "bpf/maps.bpf.h"
#include "bpf/ring.bpf.h"
#include "bpf/thread_context.bpf.h"

/*
 * Copy the current thread's ids to the session's slot, if there are any. During the copy another
 * CPU may give the element to another thread: the hash does not wait for readers. So the ids count
 * only if the element is still the thread's afterwards, and unchanged.
 */
static __noinline int traces_map_read(struct session_state *session)
{
	__u64 key = bpf_get_current_pid_tgid();
	struct event_trace_context *event;
	volatile struct trace_ids *ids;

	if (!session)
		return 0;
	event = &slot_of(session)->trace_context;
	ids = bpf_map_lookup_elem(&traces_ctx_v1, &key);
	if (!ids)
		return 0;
	event->ids.trace[0] = ids->trace[0];
	event->ids.trace[1] = ids->trace[1];
	event->ids.span = ids->span;
	ids = bpf_map_lookup_elem(&traces_ctx_v1, &key);
	if (!ids || event->ids.trace[0] != ids->trace[0] ||
	    event->ids.trace[1] != ids->trace[1] || event->ids.span != ids->span)
		session->flags |= SESSION_CONTEXT_TORN;
	else if ((event->ids.trace[0] || event->ids.trace[1]) && event->ids.span)
		session->flags |= SESSION_CONTEXT;
	return 0;
}

/* The process's own word goes first: nobody knows its spans better. */
static __noinline int trace_context_read(struct session_state *session)
{
	if (!session)
		return 0;
	session->flags &= ~(SESSION_CONTEXT | SESSION_CONTEXT_TORN);
	if (config.trace_context & TRACE_CONTEXT_THREADS)
		thread_context_read(session);
	if (config.trace_context & TRACE_CONTEXT_MAP &&
	    !(session->flags & (SESSION_CONTEXT | SESSION_CONTEXT_TORN)))
		traces_map_read(session);
	return 0;
}

/* Called before the closing record. Returns whether there are ids that could not be sent. */
static __noinline int trace_context_send(struct session_state *session)
{
	struct event_trace_context *event;

	if (!session)
		return 0;
	/* A call that received the request began before the span did. */
	if (!(session->flags & SESSION_CONTEXT))
		trace_context_read(session);
	if (!(session->flags & SESSION_CONTEXT))
		return !!(session->flags & SESSION_CONTEXT_TORN);
	event = &slot_of(session)->trace_context;
	event->header.kind = EVENT_TRACE_CONTEXT;
	event->header.size = sizeof(*event);
	event->header.session = session->id;
	return ring_send(event, sizeof(*event), BPF_RB_NO_WAKEUP) != 0;
}

#endif
