// SPDX-License-Identifier: BSD-2-Clause
/*
 * Follows a session's trace edge by edge, with the open calls on a stack. After a gap, the next
 * part gives its depth and the number of calls so far: the gap becomes a line, and open calls
 * that may have been replaced in it become unknown.
 */
#include "util/trace/session/calls.h"

#include <errno.h>
#include <string.h>

#include "util/base/vec.h"
#include "util/plan/args/args.h"
#include "util/plan/plan.h"

static struct event_call edge_at(const void *data, size_t index)
{
	struct event_call edge;

	memcpy(&edge, (const char *)data + sizeof(struct event_calls) + index * sizeof(edge),
	       sizeof(edge));
	return edge;
}

bool calls_are_sound(const void *data, size_t size, uint32_t nr_funcs, uint32_t nr_probes)
{
	struct event_calls event;
	uint32_t depth;
	size_t nr;

	if (size <= sizeof(event) || (size - sizeof(event)) % sizeof(struct event_call))
		return false;
	memcpy(&event, data, sizeof(event));
	if (event.depth > EVENT_MAX_DEPTH)
		return false;
	depth = event.depth;
	nr = (size - sizeof(event)) / sizeof(struct event_call);
	for (size_t i = 0; i < nr; i++) {
		struct event_call edge = edge_at(data, i);

		switch (CALL_KIND(edge.what)) {
		case CALL_ENTER:
			if (edge.func >= nr_funcs || depth >= EVENT_MAX_DEPTH ||
			    edge_data(&edge) >= nr - i)
				return false;
			depth++;
			i += edge_data(&edge);
			break;
		case CALL_PROBE:
			if (edge.func >= nr_probes || edge_data(&edge) >= nr - i)
				return false;
			i += edge_data(&edge);
			break;
		case CALL_RETURN:
			if (edge.func >= nr_funcs || !depth)
				return false;
			depth--;
			break;
		case CALL_LOST:
			if (edge.value > EVENT_MAX_DEPTH)
				return false;
			depth = edge.value;
			break;
		case CALL_UNSEEN:
			if (edge.value > depth)
				return false;
			depth = edge.value;
			break;
		case CALL_CLOCK:
		case CALL_DEEP:
			break;
		default:
			return false;
		}
	}
	return true;
}

struct open_call {
	uint32_t func;
	bool known; /* its entry is in the trace, and no later gap puts that in doubt */
	uint64_t start_ns;
};

struct decoder {
	struct open_call open[EVENT_MAX_DEPTH];
	uint32_t depth;
	uint32_t calls; /* as event_session.calls, so far */
	uint64_t now_ns;
	VEC(struct traced_call) lines;
	VEC(uint8_t) args;
};

static int add_line(struct decoder *decoder, enum traced_kind kind, uint32_t depth, uint32_t count)
{
	return vec_push(&decoder->lines, (struct traced_call){
						 .kind = kind,
						 .depth = depth,
						 .count = count,
						 .time_ns = decoder->now_ns,
					 });
}

/* Losses with nothing shown between them are one: after a mark, returns not seen may be no news. */
static int add_loss(struct decoder *decoder, uint32_t depth, uint32_t calls)
{
	struct traced_call *last =
		decoder->lines.len ? &decoder->lines.data[decoder->lines.len - 1] : NULL;

	if (!last || last->kind != TRACED_LOST || calls > UINT32_MAX - last->count)
		return add_line(decoder, TRACED_LOST, depth, calls);
	last->count += calls;
	if (depth < last->depth)
		last->depth = depth;
	return 0;
}

/*
 * @calls calls and any number of returns are missing; the trace continues at @depth. Each open
 * call that was replaced took one missing call, so at least depth - calls of the outermost open
 * calls are still the same. The outermost always is: its return would have ended the session.
 */
static int lose_calls(struct decoder *decoder, uint32_t calls, uint32_t depth)
{
	uint32_t before = decoder->depth, same = depth > calls ? depth - calls : 0;

	if (!same && before)
		same = 1;
	for (uint32_t i = same < before ? same : before; i < depth; i++)
		decoder->open[i].known = false;
	decoder->depth = depth;
	if (before && !depth)
		depth = 1;
	return add_loss(decoder, before < depth ? before : depth, calls);
}

/*
 * A part begins, or the session ends, at @depth and after @calls calls.
 *
 * @gap		something before it is missing
 */
static int meet_depth(struct decoder *decoder, bool gap, uint32_t calls, uint32_t depth)
{
	uint32_t missing = calls - decoder->calls;

	/* More than possible: BPF did not write this, and the number is not worth showing. */
	if (missing > INT32_MAX)
		missing = 0;
	decoder->calls = calls;
	return gap || missing || depth != decoder->depth ? lose_calls(decoder, missing, depth) : 0;
}

/* Keep the data that follows the edge of the last line's call. */
static int keep_args(struct decoder *decoder, const struct event_call *edge)
{
	struct traced_call *call = &decoder->lines.data[decoder->lines.len - 1];
	size_t at = decoder->args.len;

	call->args_at = at;
	call->args_size = ARGS_SIZE(edge->value);
	call->args_unread = ARGS_UNREAD(edge->value);
	if (at + call->args_size > UINT32_MAX)
		return -ENOMEM;
	if (vec_reserve(&decoder->args, at + call->args_size))
		return -ENOMEM;
	decoder->args.len += call->args_size;
	memcpy(&decoder->args.data[at], edge + 1, call->args_size);
	return 0;
}

static int add_enter(struct decoder *decoder, const struct event_call *edge)
{
	uint32_t depth = decoder->depth++;
	int err = add_line(decoder, TRACED_CALL, depth, 0);

	if (err)
		return err;
	decoder->calls++;
	decoder->lines.data[decoder->lines.len - 1].func = edge->func;
	decoder->open[depth] = (struct open_call){ edge->func, true, decoder->now_ns };
	return ARGS_SIZE(edge->value) ? keep_args(decoder, edge) : 0;
}

static int pass_probe(struct decoder *decoder, const struct event_call *edge)
{
	int err = add_line(decoder, TRACED_PROBE, decoder->depth, 0);

	if (err)
		return err;
	decoder->lines.data[decoder->lines.len - 1].func = edge->func;
	return ARGS_SIZE(edge->value) ? keep_args(decoder, edge) : 0;
}

static int add_leave(struct decoder *decoder, const struct event_call *edge)
{
	const struct open_call *call = &decoder->open[--decoder->depth];
	bool known = call->known && call->func == edge->func;
	struct traced_call *last;
	int err = 0;

	/* BPF does not write this. The return is of another call, which was made since. */
	if (call->known && !known)
		err = add_loss(decoder, decoder->depth, 1);
	last = decoder->lines.len ? &decoder->lines.data[decoder->lines.len - 1] : NULL;
	/* Nothing happened between call and return: all that changes the depth adds a line. */
	if (!err && known && last->kind == TRACED_CALL) {
		last->kind = TRACED_LEAF;
		last->time_ns = decoder->now_ns;
	} else if (!err) {
		err = add_line(decoder, TRACED_RETURN, decoder->depth, 0);
	}
	if (err)
		return err;
	last = &decoder->lines.data[decoder->lines.len - 1];
	last->func = edge->func;
	last->result = edge->value;
	if (known && call->start_ns <= decoder->now_ns) {
		last->has_duration = true;
		last->duration_ns = decoder->now_ns - call->start_ns;
	}
	return 0;
}

static int follow_edge(struct decoder *decoder, const struct event_call *edge)
{
	uint32_t before = decoder->depth;

	if (CALL_KIND(edge->what) == CALL_CLOCK) {
		decoder->now_ns = edge->value;
		return 0;
	}
	decoder->now_ns += CALL_DELTA(edge->what);
	switch (CALL_KIND(edge->what)) {
	case CALL_ENTER:
		return add_enter(decoder, edge);
	case CALL_RETURN:
		return add_leave(decoder, edge);
	case CALL_PROBE:
		return pass_probe(decoder, edge);
	case CALL_LOST:
		decoder->calls += edge->func;
		return lose_calls(decoder, edge->func, edge->value);
	case CALL_UNSEEN:
		decoder->depth = edge->value;
		if (decoder->depth == before)
			return 0;
		return add_line(decoder, TRACED_UNSEEN, decoder->depth, before - decoder->depth);
	default:
		return add_line(decoder, TRACED_DEEP, decoder->depth, edge->func);
	}
}

int calls_decode(const struct calls_part *first, const struct event_session *event,
		 struct session *session)
{
	struct decoder decoder;
	uint64_t next_seq = 0;
	int err = 0;

	/* Set all members but the open calls, which are many: each is set before it is read. */
	decoder.depth = 0;
	decoder.calls = 0;
	decoder.now_ns = 0;
	memset(&decoder.lines, 0, sizeof(decoder.lines));
	memset(&decoder.args, 0, sizeof(decoder.args));
	for (const struct calls_part *part = first; part && !err; part = part->next) {
		decoder.now_ns = part->event.base_ns;
		err = meet_depth(&decoder, part->event.seq != next_seq, part->event.calls_before,
				 part->event.depth);
		for (uint32_t i = 0; i < part->nr && !err; i += 1 + edge_data(&part->edges[i]))
			err = follow_edge(&decoder, &part->edges[i]);
		next_seq = part->event.seq + 1ull;
	}
	decoder.now_ns = 0;
	if (!err)
		err = meet_depth(&decoder, event->parts > next_seq, event->calls, 0);
	/* One session cannot have that many lines: its parts would not have been kept. */
	if (!err && decoder.lines.len > UINT32_MAX)
		err = -ENOMEM;
	if (err) {
		vec_release(&decoder.lines);
		vec_release(&decoder.args);
		return err;
	}
	session->calls = decoder.lines.data;
	session->nr_calls = decoder.lines.len;
	session->args = decoder.args.data;
	return 0;
}

uint64_t calls_args_bytes(const struct plan *plan, const struct session *session)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < session->nr_calls; i++) {
		const struct traced_call *call = &session->calls[i];

		if (call->args_size && (call->kind == TRACED_CALL || call->kind == TRACED_LEAF))
			bytes += args_captured_bytes(&plan->args[call->func].items,
						     call->args_size |
							     (uint64_t)call->args_unread << 16,
						     session->args + call->args_at,
						     call->args_size);
	}
	return bytes;
}
