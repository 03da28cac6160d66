// SPDX-License-Identifier: BSD-2-Clause
/* Lines of the kernel's log that were written in several parts. */
#include "util/why/watch/said_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bpf/watch/watch_event.h"
#include "util/base/cleanup.h"
#include "util/why/watch/failed_calls.h"
#include "util/why/watch/said.h"

/* The most parts of a line. */
#define MAX_PARTS 32
/* Of a record: more than the kernel lets one have. */
#define MAX_RECORD 8192

/* The parts of the line that begins with events[first], up to one that ends it. */
static size_t find_parts(const struct failed_calls *calls, size_t first, size_t parts[MAX_PARTS])
{
	const struct watch_event *begin = &calls->events.data[first];
	size_t nr = 0;

	for (size_t i = first; i < calls->events.len && nr < MAX_PARTS; i++) {
		const struct watch_event *event = &calls->events.data[i];

		if (event->kind != WATCH_SAID || event->nr != WATCH_PRINTK || event->tid != begin->tid ||
		    event->pid != begin->pid || event->called_ns != begin->called_ns)
			continue;
		parts[nr++] = i;
		if (!said_goes_on(event))
			break;
	}
	return nr;
}

/* The text of the first parts; false: it is too long. */
static bool write_parts(const struct failed_calls *calls, const size_t *parts, size_t nr, char text[WATCH_SAID_SIZE])
{
	size_t len = 0;

	for (size_t i = 0; i < nr; i++) {
		const char *said = calls->events.data[parts[i]].said;

		if (len + strlen(said) >= WATCH_SAID_SIZE)
			return false;
		len += snprintf(text + len, WATCH_SAID_SIZE - len, "%s", said);
	}
	return true;
}

void said_join(struct failed_calls *calls, bool (*is_line)(const char *text))
{
	char text[WATCH_SAID_SIZE];
	size_t parts[MAX_PARTS];

	for (size_t i = 0; i < calls->events.len; i++) {
		struct watch_event *event = &calls->events.data[i];
		size_t nr;

		if (event->kind != WATCH_SAID || event->nr != WATCH_PRINTK || !said_goes_on(event) ||
		    !event->called_ns || !*event->said)
			continue;
		nr = find_parts(calls, i, parts);
		while (nr > 1 && !(write_parts(calls, parts, nr, text) && strcmp(text, event->said) && is_line(text)))
			nr--;
		if (nr < 2)
			continue;
		memcpy(event->said, text, sizeof(text));
		for (size_t j = 1; j < nr; j++)
			*calls->events.data[parts[j]].said = '\0';
	}
}

/* The next character of a record's text: what cannot be printed is "\x1b" there. */
static unsigned char take_char(const char **text)
{
	unsigned int value;

	if (sscanf(*text, "\\x%2x", &value) == 1) {
		*text += strlen("\\x00");
		return value;
	}
	return *(*text)++;
}

bool said_record_is(const char *record, const char *text)
{
	const char *at = strchr(record, ';');

	for (at = at ? at + 1 : record + strlen(record); *at && *at != '\n'; text++) {
		if (take_char(&at) != (unsigned char)*text)
			return false;
	}
	return *at == '\n' && !*text;
}

bool said_is_line(const char *text)
{
	_cleanup_(close_fd) int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char record[MAX_RECORD];

	while (fd >= 0) {
		ssize_t len = read(fd, record, sizeof(record) - 1);

		/* EPIPE: older ones were overwritten meanwhile. */
		if (len < 0 && errno != EPIPE && errno != EINTR)
			break;
		if (!len)
			break;
		record[len > 0 ? len : 0] = '\0';
		if (len > 0 && said_record_is(record, text))
			return true;
	}
	return false;
}
