/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Probes inside sessions: points between calls, with the data seen there. */
#ifndef RETSNOOP_BPF_PROBE_BPF_H
#define RETSNOOP_BPF_PROBE_BPF_H

#include "bpf/context.bpf.h"
#include "bpf/frames.bpf.h"
#include "bpf/gate.bpf.h"
#include "bpf/trace.bpf.h"

/* Bytes to capture. */
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

/*
 * Makes room for a probe's edge and @more bytes after it, and writes the marks that must come
 * before it. *what is for the edge.
 */
static __always_inline struct trace_buf *probe_reserve(struct session_state *session, __u32 more,
						       __u32 *what)
{
	struct trace_buf *buf = trace_reserve(session, false, more + sizeof(struct event_call));
	__u64 now;

	if (!buf)
		return NULL;
	put_marks(session, buf, session->depth);
	now = bpf_ktime_get_ns();
	if (now - session->edge_ns > CALL_MAX_DELTA) {
		put_edge(session, buf, 0, CALL_CLOCK, now);
		session->edge_ns = now;
	}
	*what = CALL_PROBE | (__u32)(now - session->edge_ns) << CALL_KIND_BITS;
	session->edge_ns = now;
	session->edge_depth = session->depth;
	return buf;
}

static __always_inline void read_name(char *to, __u64 ctx, const struct probe_name *name)
{
	__u64 at = ctx + 8 * name->reg;

#pragma unroll
	for (int i = 0; i < PROBE_NAME_STEPS; i++) {
		if (i < name->nr_steps)
			at = read_word(at) + name->steps[i];
	}
	if (!name->nr_steps || bpf_probe_read_kernel_str(to, PROBE_NAME_BYTES, (void *)at) < 0)
		*to = 0;
}

/* Writes the memory that registers point to, at the end of @size bytes at @to. */
static __always_inline void put_tail(char *to, __u64 size, __u64 ctx,
				     const struct probe_data *what)
{
	struct probe_tail tail = {};

	if (what->memory_size)
		tail.is_read = !bpf_probe_read_kernel(&tail.value, ((what->memory_size - 1) & 7) + 1,
						      (void *)(read_word(ctx + 8 * what->memory_register) +
							       what->memory_at));
	for (int i = 0; i < PROBE_NAMES; i++)
		read_name(tail.names[i], ctx, &what->names[i]);
	size = (size - sizeof(tail)) & (PROBE_DATA_BYTES / 2 - 1);
	barrier_var(size);
	__builtin_memcpy(to + size, &tail, sizeof(tail));
}

/* Captures the context itself. @session->scratch: its address, as a number for arithmetic. */
static __noinline int trace_probe(struct session_state *session, __u32 probe)
{
	const struct probe_data *data = bpf_map_lookup_elem(&probe_data, &probe);
	struct trace_buf *buf;
	__u64 ctx, size, own, at;
	__u32 what;
	char *to;

	if (!session || !data)
		return 0;
	ctx = session->scratch;
	size = probe_size(data, ctx);
	session->scratch = size;
	size = *(volatile __u64 *)&session->scratch;
	buf = probe_reserve(session, size, &what);
	if (!buf)
		return 0;
	put_edge(session, buf, probe, what, (size + 15) & 0xfff0);
	at = session->edges;
	barrier_var(at);
	to = (char *)&buf->edges[at & (config.trace_size - 1)];
	own = size;
	if (data->has_tail) {
		put_tail(to, size, ctx, data);
		/* A stack may end right after the registers. */
		own -= sizeof(struct probe_tail);
	}
	own &= PROBE_DATA_BYTES - 1;
	barrier_var(own);
	bpf_probe_read_kernel(to, own, (void *)ctx);
	session->edges += (size + 15) / sizeof(struct event_call);
	return 0;
}

/* Captures arguments: the context has 8 bytes of each. @session->scratch: as above. */
static __noinline int trace_probe_args(struct session_state *session, __u32 probe)
{
	const struct probe_data *data = bpf_map_lookup_elem(&probe_data, &probe);
	const struct arg_items *items = bpf_map_lookup_elem(&probe_args, &probe);
	struct trace_buf *buf;
	struct slot *slot;
	__u64 size;
	__u32 what;

	if (!session || !data || !items)
		return 0;
	slot = slot_of(session);
	/* At a trampoline's place: it has slots of 8 bytes too. */
	size = data->size;
	size &= sizeof(slot->args) - 1;
	barrier_var(size);
	bpf_probe_read_kernel(slot->args, size, (void *)session->scratch);
	slot->args_sp = 0;
	buf = probe_reserve(session, items->max_bytes, &what);
	if (!buf)
		return 0;
	capture_args(session, buf, items);
	put_edge(session, buf, probe, what, session->scratch);
	session->edges += ARGS_SIZE(session->scratch) / sizeof(struct event_call);
	return 0;
}

/*
 * @sp		the probed code's stack pointer; 0: a tracepoint, whose context is known
 * @args	@ctx is a raw tracepoint's
 */
static __always_inline void on_probe(void *ctx, __u64 probe, __u32 context, __u64 sp, bool args)
{
	struct session_state *session;
	__u64 key;

	if (!recording)
		return;
	key = session_key(context);
	session = session_find(key, gate_of(key, context));
	if (!session || !session->depth)
		return;
#ifdef NO_KERNEL_BTF
	/* Perhaps an NMI that interrupted the task (kprobe_context()): it has a stack of its own. */
	if (sp && is_elsewhere(slot_of(session), sp))
		return;
#endif
	if (session->flags & SESSION_BUSY) {
		count(probes_skipped);
		return;
	}
	session->flags |= SESSION_BUSY;
	session->scratch = (__u64)ctx;
	if (args)
		trace_probe_args(session, probe);
	else
		trace_probe(session, probe);
	session->flags &= ~SESSION_BUSY;
}

#endif
