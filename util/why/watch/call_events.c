// SPDX-License-Identifier: BSD-2-Clause
/* What else was seen of a failed call: its socket, and what the kernel printed. */
#include "util/why/watch/failed_calls.h"

/* Whether an event belongs to a call: a task is in only one at a time. */
static bool is_of_call(const struct watch_event *event, const struct watch_event *call)
{
	return call->called_ns && event->tid == call->tid && event->pid == call->pid &&
	       event->called_ns == call->called_ns;
}

const struct watch_event *failed_calls_socket(const struct failed_calls *calls,
					      const struct watch_event *call)
{
	return vec_find(event, &calls->events,
			event->kind == WATCH_SOCKET && is_of_call(event, call));
}

const struct watch_event *failed_calls_said(const struct failed_calls *calls,
					    const struct watch_event *call,
					    const struct watch_event *after)
{
	vec_foreach(event, &calls->events) {
		/* printk() also ends a line that it began with an empty message. */
		if ((after && event <= after) || event->kind != WATCH_SAID || !event->said[0])
			continue;
		if (is_of_call(event, call))
			return event;
	}
	return NULL;
}

uint32_t failed_calls_requests(const struct failed_calls *calls, const struct watch_event *request)
{
	uint32_t nr = 0;

	vec_foreach(event, &calls->events)
		nr += event->kind == WATCH_FAILED && event->io_uring && event->result == request->result;
	return nr;
}
