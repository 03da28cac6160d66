/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decodes a session's trace: from EVENT_CALLS records to lines with depths and durations. Pure
 * code. Losses are shown where they happened, and never as wrong nesting.
 */
#ifndef RETSNOOP_TRACE_SESSION_CALLS_H
#define RETSNOOP_TRACE_SESSION_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/arg_items.h"
#include "bpf/event.h"
#include "util/trace/session/session.h"

struct plan;

/* One EVENT_CALLS record. */
struct calls_part {
	struct calls_part *next;	/* with a higher seq */
	struct event_calls event;
	uint32_t nr;
	struct event_call edges[];
};

/* The number of edges whose room is taken by the data that follows @edge. */
static inline uint32_t edge_data(const struct event_call *edge)
{
	if (CALL_KIND(edge->what) != CALL_ENTER && CALL_KIND(edge->what) != CALL_PROBE)
		return 0;
	return (ARGS_SIZE(edge->value) + sizeof(*edge) - 1) / sizeof(*edge);
}

/**
 * Whether a record of that size makes sense: sizes, kinds, depths, function ids. It must have
 * edges.
 *
 * @data	starts with a struct event_calls; not aligned
 * @size	header.size
 */
bool calls_are_sound(const void *data, size_t size, uint32_t nr_funcs, uint32_t nr_probes);

/**
 * Decode the received parts of a trace into a session's calls and args. Missing parts become
 * TRACED_LOST lines.
 *
 * @first	parts by rising seq, no two with the same, or NULL; sound
 * @event	the record that closes the session: how many parts and calls there should be
 * @return	0; -ENOMEM: the session is unchanged
 */
int calls_decode(const struct calls_part *first, const struct event_session *event,
		 struct session *session);

/* Bytes captured of the arguments of all calls of a session, without padding. */
uint64_t calls_args_bytes(const struct plan *plan, const struct session *session);

#endif
