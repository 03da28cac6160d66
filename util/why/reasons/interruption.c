// SPDX-License-Identifier: BSD-2-Clause
/* Describes the signal, its sender, and whether SA_RESTART would have made a difference. */
#include "util/why/reasons/interruption.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "bpf/watch/watch_event.h"
#include "util/base/strbuf.h"
#include "util/view/parts/json.h"

void signal_name(uint32_t signal, char name[SIGNAL_NAME_SIZE])
{
	const char *abbrev = sigabbrev_np(signal);

	if (abbrev)
		snprintf(name, SIGNAL_NAME_SIZE, "SIG%s", abbrev);
	else if ((int)signal >= SIGRTMIN && (int)signal <= SIGRTMAX)
		snprintf(name, SIGNAL_NAME_SIZE, "SIGRTMIN+%d", (int)signal - SIGRTMIN);
	else
		snprintf(name, SIGNAL_NAME_SIZE, "signal %u", signal);
}

/* si_code in sigaction(2): who sent it. */
const char *signal_sender(const struct watch_event *event)
{
	switch (event->signal_code) {
	case SI_USER:
	case SI_QUEUE:
	case SI_TKILL:
		return "process";
	case SI_TIMER:
		return "timer";
	}
	return event->signal == SIGCHLD && event->signal_code >= CLD_EXITED &&
			       event->signal_code <= CLD_CONTINUED ?
		       "child" :
		       "kernel";
}

static void add_sender(struct strbuf *text, const struct watch_event *event)
{
	const char *kind = signal_sender(event);

	if (!strcmp(kind, "process") && event->signal_pid == event->pid)
		strbuf_addstr(text, "which it sent to itself");
	else if (!strcmp(kind, "process"))
		strbuf_addf(text, "sent by process %u", event->signal_pid);
	else if (!strcmp(kind, "child"))
		strbuf_addf(text, "sent because of its child, process %u", event->signal_pid);
	else
		strbuf_addf(text, "sent by %s", !strcmp(kind, "timer") ? "a timer" : "the kernel");
}

void interruption_text_add(struct strbuf *text, const struct watch_event *event)
{
	char name[SIGNAL_NAME_SIZE];

	if (!event->signal)
		return;
	signal_name(event->signal, name);
	strbuf_addf(text, "interrupted by %s, ", name);
	add_sender(text, event);
	strbuf_addf(text, "\n  the program handles that signal%s\n",
		    event->restartable ? " without SA_RESTART" :
					 "; no handler lets this call go on");
}

void interruption_json_add(struct json *json, const struct watch_event *event)
{
	const char *kind = signal_sender(event);
	char name[SIGNAL_NAME_SIZE];

	if (!event->signal)
		return;
	signal_name(event->signal, name);
	json_object(json, "interrupted_by");
	json_string(json, "signal", name);
	json_uint(json, "number", event->signal);
	json_string(json, "sender", kind);
	if (!strcmp(kind, "process") || !strcmp(kind, "child"))
		json_uint(json, "sender_pid", event->signal_pid);
	json_bool(json, "restartable", event->restartable);
	json_close(json);
}
