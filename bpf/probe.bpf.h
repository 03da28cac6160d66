/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Probes inside sessions: points in between, with what can be seen there. */
#ifndef RETSNOOP_PROBE_BPF_H
#define RETSNOOP_PROBE_BPF_H

#include "bpf/context.bpf.h"
#include "bpf/trace.bpf.h"

/* How much there is to be captured. */
static __always_inline __u64 probe_size(const struct probe_data *what, __u64 ctx)
{
	__u64 size = what->size, end, at;
	__u32 location;

#pragma unroll
	for (int i = 0; i < PROBE_DATA_DYNAMIC; i++) {
		if (i >= what->nr_dynamic)
			continue;
		location = 0;
		at = what->dynamic[i] & ~PROBE_RELATIVE;
		bpf_probe_read_kernel(&location, sizeof(location), (void *)(ctx + at));
		end = (location & 0xffff) + (location >> 16);
		if (what->dynamic[i] & PROBE_RELATIVE)
			end += at + sizeof(location);
		if (end > size)
			size = end;
	}
	return size < PROBE_DATA_BYTES ? size : PROBE_DATA_BYTES - 16;
}

/* @session->scratch: the context's address, as a number to calculate with. */
static __noinline int trace_probe(struct session *session, __u32 probe)
{
	const struct probe_data *what = bpf_map_lookup_elem(&probe_data, &probe);
	struct trace_buf *buf;
	__u64 ctx, size, at, now;
	char *to;

	if (!session || !what)
		return 0;
	ctx = session->scratch;
	size = probe_size(what, ctx);
	session->scratch = size;
	size = *(volatile __u64 *)&session->scratch;
	buf = trace_reserve(session, false, size + sizeof(struct event_call));
	if (!buf)
		return 0;
	put_marks(session, buf, session->depth);
	now = bpf_ktime_get_ns();
	if (now - session->edge_ns > CALL_MAX_DELTA) {
		put_edge(session, buf, 0, CALL_CLOCK, now);
		session->edge_ns = now;
	}
	put_edge(session, buf, probe,
		 CALL_PROBE | (__u32)(now - session->edge_ns) << CALL_KIND_BITS,
		 (size + 15) & 0xfff0);
	session->edge_ns = now;
	session->edge_depth = session->depth;
	at = session->edges;
	barrier_var(at);
	to = (char *)&buf->edges[at & (config.trace_size - 1)];
	size &= PROBE_DATA_BYTES - 1;
	barrier_var(size);
	bpf_probe_read_kernel(to, size, (void *)ctx);
	session->edges += (size + 15) / sizeof(struct event_call);
	return 0;
}

static __always_inline void on_probe(void *ctx, __u64 probe, __u32 context)
{
	struct session *session;
	__u64 key;

	if (!recording)
		return;
	key = session_key(context);
	session = bpf_map_lookup_elem(&sessions, &key);
	if (!session || !session->depth)
		return;
	session->scratch = (__u64)ctx;
	trace_probe(session, probe);
}

#endif
