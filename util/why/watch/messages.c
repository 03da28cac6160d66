// SPDX-License-Identifier: BSD-2-Clause
/* Finds messages by their marks, and their text. */
#include "util/why/watch/messages.h"

#include <stdio.h>
#include <string.h>

#include "util/why/watch/complaint.h"

void messages_line(const watch_events *events, const struct watch_event *from, char text[MESSAGE_SIZE])
{
	size_t len = 0;

	text[0] = '\0';
	for (const struct watch_event *event = from;
	     event < events->data + events->len; event++) {
		if (event->kind != WATCH_WROTE || event->pid != from->pid)
			continue;
		len += snprintf(text + len, MESSAGE_SIZE - len, "%s", event->said);
		if (len >= MESSAGE_SIZE || strchr(event->said, '\n'))
			break;
	}
}

bool messages_exist(const watch_events *events, uint32_t pid)
{
	return vec_find(event, events, event->kind == WATCH_WROTE && event->pid == pid);
}

const struct watch_event *messages_last_fatal(const watch_events *events, uint32_t pid)
{
	for (size_t i = events->len; i-- > 0;) {
		const struct watch_event *event = &events->data[i];

		if (event->kind == WATCH_WROTE && event->pid == pid && complaint_mark_of(event->said) >= COMPLAINT_ERROR)
			return event;
	}
	return NULL;
}

const struct watch_event *messages_fatal_after(const watch_events *events, const struct watch_event *error)
{
	if (complaint_mark_of(error->said) != COMPLAINT_ERROR)
		return NULL;
	return vec_find(event, events,
			event > error && event->kind == WATCH_WROTE && event->pid == error->pid &&
				complaint_mark_of(event->said) == COMPLAINT_FATAL);
}
