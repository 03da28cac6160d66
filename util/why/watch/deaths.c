// SPDX-License-Identifier: BSD-2-Clause
/* Chooses among processes that signals ended. */
#include "util/why/watch/deaths.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "bpf/watch/watch_event.h"
#include "util/why/reasons/interruption.h"

/* Shells exit with this and the signal if it ended the program that they ran. */
#define SHELL_STATUS 128

bool death_is_failure(const struct watch_event *death)
{
	switch (death->signal) {
	case SIGKILL:
	case SIGABRT:
	case SIGTRAP:
		return true;
	case SIGHUP:
	case SIGINT:
	case SIGQUIT:
	case SIGTERM:
	case SIGPIPE:
		return false;
	default:
		return !strcmp(signal_sender(death), "kernel");
	}
}

int death_errno(const struct watch_event *death)
{
	return death->signal == SIGPIPE ? EPIPE : death->signal == SIGXFSZ ? EFBIG : 0;
}

/* Whether a message after the end of a process names its signal, as shells do: "Killed". */
static bool is_told(const watch_events *events, const struct watch_event *death)
{
	const char *name = strsignal(death->signal);

	for (const struct watch_event *event = death; event < events->data + events->len; event++) {
		if (event->kind == WATCH_WROTE && event->pid != death->pid && strstr(event->said, name))
			return true;
	}
	return false;
}

const struct watch_event *deaths_find(const watch_events *events, int status, bool any)
{
	const struct watch_event *found = NULL;
	int signal = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - SHELL_STATUS;

	if (!status)
		return NULL;
	vec_foreach(event, events) {
		if (event->kind != WATCH_KILLED)
			continue;
		if ((int)event->signal == signal ||
		    (!WIFSIGNALED(status) && (is_told(events, event) || (any && death_is_failure(event)))))
			found = event;
	}
	return found;
}

const struct watch_event *deaths_last(const watch_events *events)
{
	const struct watch_event *last = NULL;

	vec_foreach(event, events) {
		if (event->kind == WATCH_KILLED)
			last = event;
	}
	return last;
}
