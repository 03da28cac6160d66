/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * A session's trace: edges are kept in the session's buffer, and sent when the session passes, or,
 * in parts and in order, when the buffer is full. While there is no room for a part, the buffer
 * keeps its edges and later ones are lost; a mark precedes the next edge that is kept.
 */
#ifndef RETSNOOP_BPF_TRACE_BPF_H
#define RETSNOOP_BPF_TRACE_BPF_H

#include "bpf/args.bpf.h"
#include "bpf/maps.bpf.h"
#include "bpf/ring.bpf.h"

/* Before an edge there may be marks for missing edges and for the time. */
#define EDGE_ROOM 4

/* Edges lost before sending is tried again: each try takes a lock that others wait for. */
#define EDGE_RETRY 32

static __always_inline struct trace_buf *trace_of(struct session_state *session)
{
	return &slot_of(session)->trace;
}

/*
 * Sends the buffer; during a session with a wake-up, since more will follow. Returns 0; negative:
 * no room, nothing has changed.
 */
static __noinline int trace_send(struct session_state *session, bool wake)
{
	struct trace_buf *buf;
	__u64 size;
	int err;

	if (!session)
		return 0;
	buf = trace_of(session);
	size = session->edges;
	if (!size)
		return 0;
	buf->event.header.kind = EVENT_CALLS;
	buf->event.header.session = session->id;
	buf->event.seq = session->parts;
	buf->event.spare = 0;
	/* The verifier needs the bound on the size itself. */
	size = sizeof(*buf) + size * sizeof(struct event_call);
	buf->event.header.size = size;
	barrier_var(size);
	if (size > sizeof(*buf) + config.trace_size * sizeof(struct event_call))
		return 0;
	if (wake)
		err = send_and_wake(buf, size);
	else
		err = ring_send(buf, size, BPF_RB_NO_WAKEUP);
	if (err)
		return -1;
	session->parts++;
	session->calls_sent += session->calls - session->calls_elsewhere;
	session->edges = 0;
	return 0;
}

static __always_inline void put_edge(struct session_state *session, struct trace_buf *buf, __u32 func,
				     __u32 what, __u64 value)
{
	__u32 at = session->edges, next = at + 1;
	struct event_call *edge;

	barrier_var(at);
	edge = &buf->edges[at & (config.trace_size - 1)];
	edge->func = func;
	edge->what = what;
	edge->value = value;
	session->edges = next;
}

/*
 * Writes marks for what is missing before the next edge. @open: calls that are open there. If edges
 * are lost, the caller of calls beyond the depth limit is not known.
 */
static __always_inline void put_marks(struct session_state *session, struct trace_buf *buf, __u32 open)
{
	if (session->lost_edges) {
		put_edge(session, buf, session->lost_calls, CALL_LOST, open);
		session->lost_edges = 0;
		session->lost_calls = 0;
	} else if (session->deep) {
		put_edge(session, buf, session->deep, CALL_DEEP, 0);
	}
	session->deep = 0;
}

/* Makes room for an edge and @more bytes after it; or counts the lost edge and returns NULL. */
static __always_inline struct trace_buf *trace_reserve(struct session_state *session, bool call,
						       __u32 more)
{
	struct trace_buf *buf = trace_of(session);

	if (session->edges + EDGE_ROOM + more / sizeof(struct event_call) > config.trace_size) {
		if (session->lost_edges % EDGE_RETRY || trace_send(session, true)) {
			session->lost_edges++;
			if (call) {
				session->lost_calls++;
				session->calls_elsewhere++;
			}
			return NULL;
		}
	}
	if (!session->edges) {
		buf->event.base_ns = session->edge_ns ?: bpf_ktime_get_ns();
		session->edge_ns = buf->event.base_ns;
		buf->event.calls_before = session->calls - session->lost_calls;
		buf->event.depth = session->edge_depth;
		session->calls_elsewhere = session->calls;
	}
	return buf;
}

/*
 * Keep an edge. session->depth is as it was before a call, and after a return.
 *
 * @what	enum call_kind, with the function above it
 * @now		0: take the time as late as possible, so that keeping the edge does not add to the
 *		call's duration
 */
static __noinline int trace_edge(struct session_state *session, __u64 what, __u64 now, __u64 value)
{
	__u32 func = what >> CALL_KIND_BITS, kind = CALL_KIND(what), open;
	const struct arg_items *items = NULL;
	struct trace_buf *buf;
	__u32 more = 0;
	__u64 delta;

	if (!session)
		return 0;
	if (config.probes)
		session->flags |= SESSION_BUSY;
	open = session->depth + (kind == CALL_RETURN);
	if (config.args && kind == CALL_ENTER) {
		items = bpf_map_lookup_elem(&arg_items, &func);
		if (items)
			more = items->max_bytes;
	}
	buf = trace_reserve(session, kind == CALL_ENTER, more);
	if (kind == CALL_ENTER)
		session->calls++;
	if (!buf) {
		if (!now)
			session->scratch = bpf_ktime_get_ns();
		if (config.probes)
			session->flags &= ~SESSION_BUSY;
		return 0;
	}
	put_marks(session, buf, open);
	if (config.args && items && items->nr) {
		/* After the clock's edge, if there is one. */
		if (bpf_ktime_get_ns() - session->edge_ns > CALL_MAX_DELTA / 2) {
			session->edge_ns = bpf_ktime_get_ns();
			put_edge(session, buf, 0, CALL_CLOCK, session->edge_ns);
		}
		capture_args(session, buf, items);
		value = session->scratch;
	}
	if (!now)
		now = bpf_ktime_get_ns();
	session->scratch = now;
	delta = now - session->edge_ns;
	if (delta > CALL_MAX_DELTA && value && kind == CALL_ENTER) {
		/* Its data is in place already: it comes too early, what follows does not. */
		delta = (__s64)delta < 0 ? 0 : CALL_MAX_DELTA;
		now = session->edge_ns + delta;
	} else if (delta > CALL_MAX_DELTA) {
		/* Clocks of CPUs may differ a little: negative times get here too. */
		put_edge(session, buf, 0, CALL_CLOCK, now);
		delta = 0;
	}
	session->edge_ns = now;
	session->edge_depth = session->depth + (kind == CALL_ENTER);
	put_edge(session, buf, func, kind | (__u32)delta << CALL_KIND_BITS, value);
	if (config.args && kind == CALL_ENTER)
		session->edges += ARGS_SIZE(value) / sizeof(struct event_call);
	if (config.probes)
		session->flags &= ~SESSION_BUSY;
	return 0;
}

/*
 * Write an edge where nothing has to be marked or captured before it, in a buffer that has begun and
 * has room. Returns false, and changes nothing, if the last edge was too long ago.
 *
 * @open	calls that are open after the edge
 */
static __always_inline bool trace_put(struct session_state *session, __u32 func, __u32 kind,
				      __u32 open, __u64 now, __u64 value)
{
	__u64 delta = now - session->edge_ns;

	if (delta > CALL_MAX_DELTA)
		return false;
	session->edge_ns = now;
	session->edge_depth = open;
	if (kind == CALL_ENTER)
		session->calls++;
	put_edge(session, trace_of(session), func, kind | (__u32)delta << CALL_KIND_BITS, value);
	return true;
}

/*
 * Keep an edge if writing it is all there is to do: not the buffer's first edge, nothing to mark or
 * capture before it, and soon after the last edge. Returns the edge's time; 0: it takes more.
 */
static __always_inline __u64 trace_edge_quick(struct session_state *session, __u32 func, __u32 kind,
					      __u64 now, __u64 value)
{
	if (config.args || !session->edges || session->edges + EDGE_ROOM > config.trace_size ||
	    session->lost_edges || session->deep)
		return 0;
	if (!now)
		now = bpf_ktime_get_ns();
	if (!trace_put(session, func, kind, session->depth + (kind == CALL_ENTER), now, value))
		return 0;
	if (config.probes)
		session->flags &= ~SESSION_BUSY;
	return now;
}

/* A call within the depth limit. Returns its time. */
static __always_inline __u64 trace_call(struct session_state *session, __u32 func)
{
	__u64 now = trace_edge_quick(session, func, CALL_ENTER, 0, 0);

	if (now)
		return now;
	trace_edge(session, (__u64)func << CALL_KIND_BITS | CALL_ENTER, 0, 0);
	return session->scratch;
}

static __always_inline void trace_return(struct session_state *session, __u32 func, __u64 now,
					 __u64 result)
{
	if (!trace_edge_quick(session, func, CALL_RETURN, now, result))
		trace_edge(session, (__u64)func << CALL_KIND_BITS | CALL_RETURN, now, result);
}

/* The returns of the calls from session->depth on were not seen. */
static __always_inline void trace_unseen(struct session_state *session, __u64 now)
{
	trace_edge(session, CALL_UNSEEN, now, session->depth);
}

/*
 * The session passed: send the rest. Edges lost after that need no mark: the closing record has the
 * number of calls.
 */
static __noinline int trace_finish(struct session_state *session)
{
	if (!session)
		return 0;
	if (config.probes)
		session->flags |= SESSION_BUSY;
	/* A part that is not sent counts too: so the reader knows that it is missing. */
	if (trace_send(session, false))
		session->parts++;
	if (session->calls != session->calls_sent)
		count_n(calls_lost, session->calls - session->calls_sent);
	return 0;
}

/* The session did not pass: the reader must forget the parts sent so far. */
static __always_inline void trace_drop(struct session_state *session)
{
	struct event_header header = { .kind = EVENT_DROP, .size = sizeof(header) };

	if (!session->parts)
		return;
	header.session = session->id;
	ring_send(&header, sizeof(header), BPF_RB_NO_WAKEUP);
}

#endif
