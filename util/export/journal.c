// SPDX-License-Identifier: BSD-2-Clause
/* Sends entries to the journal. */
#include "util/export/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "util/base/report.h"
#include "util/base/text/errnames.h"
#include "util/export/failed_call.h"
#include "util/export/metrics.h"
#include "util/trace/session/session.h"

/* Entries of failed calls can be found with journalctl MESSAGE_ID=... */
#define MESSAGE_ID "1e5c0b7d9c5f4a2e8f6a3d2b7c4e9a10"

/*
 * The kernel queues few entries, ten unless systemd asks for more, and a burst of calls is longer:
 * so wait for the journal, but not again while it takes nothing.
 */
#define WAIT_S 1

struct journal {
	struct metrics *metrics;	/* borrowed */
	int fd;
	bool stuck;			/* it took nothing for that long */
	struct sockaddr_un addr;
	struct strbuf entry;
};

/* Add NAME=VALUE; if the value has several lines, NAME, its length and the value. */
static void add_field(struct strbuf *entry, const char *name, const char *value)
{
	size_t len = value ? strlen(value) : 0;

	if (!len)
		return;
	strbuf_addstr(entry, name);
	if (strchr(value, '\n')) {
		strbuf_addch(entry, '\n');
		for (int i = 0; i < 8; i++)
			strbuf_addch(entry, (uint64_t)len >> 8 * i & 0xff);
	} else {
		strbuf_addch(entry, '=');
	}
	strbuf_add(entry, value, len);
	strbuf_addch(entry, '\n');
}

static void add_number(struct strbuf *entry, const char *name, uint64_t value)
{
	strbuf_addf(entry, "%s=%" PRIu64 "\n", name, value);
}

void journal_entry_add(struct strbuf *entry, const struct failed_call *call)
{
	const struct cgroup_owner *owner = &call->origin.owner;
	const char *errno_word = strbuf_str(&call->err);
	int err = errno_parse(errno_word);
	struct trace_text trace;

	add_field(entry, "MESSAGE", strbuf_str(&call->line));
	add_field(entry, "MESSAGE_ID", MESSAGE_ID);
	add_field(entry, "PRIORITY", "4");
	add_field(entry, "SYSLOG_IDENTIFIER", "retsnoop");
	if (err > 0)
		add_number(entry, "ERRNO", err);
	add_field(entry, "RETSNOOP_ENTRY", call->entry);
	add_field(entry, "RETSNOOP_ERRNO", errno_word);
	add_field(entry, "RETSNOOP_PRODUCER", call->producer);
	add_number(entry, "RETSNOOP_DURATION_NS", call->duration_ns);
	add_field(entry, "RETSNOOP_STACK", strbuf_str(&call->stack));
	add_field(entry, "RETSNOOP_COMM", call->session->comm);
	if (call->origin.task) {
		add_number(entry, "OBJECT_PID", call->session->pid);
		add_number(entry, "RETSNOOP_PID", call->session->pid);
		add_number(entry, "RETSNOOP_TID", call->session->tid);
		add_number(entry, "RETSNOOP_UID", call->session->uid);
	}
	add_field(entry, "RETSNOOP_CGROUP", call->origin.path);
	add_field(entry, "RETSNOOP_POD", owner->pod);
	add_field(entry, "RETSNOOP_CONTAINER", owner->container);
	add_field(entry, "RETSNOOP_UNIT", owner->unit);
	if (call->origin.outsider)
		add_field(entry, "RETSNOOP_OUTSIDER", "1");
	if (origin_trace(call->session, &trace)) {
		add_field(entry, "RETSNOOP_TRACE_ID", trace.trace);
		add_field(entry, "RETSNOOP_SPAN_ID", trace.span);
	}
}

int journal_new(const char *path, struct metrics *metrics, struct journal **ret_journal)
{
	const struct timeval wait = { .tv_sec = WAIT_S };
	struct journal *journal = calloc(1, sizeof(*journal));
	int err = 0;

	if (!journal)
		return report_oom();
	journal->metrics = metrics;
	journal->addr.sun_family = AF_UNIX;
	snprintf(journal->addr.sun_path, sizeof(journal->addr.sun_path), "%s", path);
	journal->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (journal->fd < 0 || setsockopt(journal->fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait)) ||
	    access(path, W_OK)) {
		err = -errno;
		journal_free(journal);
		return report(err, "--journal: cannot write to %s: %s; does systemd-journald run?", path,
			      strerror(-err));
	}
	*ret_journal = journal;
	return 0;
}

void journal_free(struct journal *journal)
{
	if (!journal)
		return;
	if (journal->fd >= 0)
		close(journal->fd);
	strbuf_release(&journal->entry);
	free(journal);
}

/* Send to the address each time: the journal may have been restarted. */
static enum delivery send_entry(struct journal *journal)
{
	int flags = MSG_NOSIGNAL | (journal->stuck ? MSG_DONTWAIT : 0);
	bool sent;

	if (journal->entry.failed)
		return DELIVERY_NO_ROOM;
	sent = sendto(journal->fd, journal->entry.s, journal->entry.len, flags,
		      (const struct sockaddr *)&journal->addr, sizeof(journal->addr)) >= 0;
	journal->stuck = !sent && errno == EAGAIN;
	if (sent)
		return DELIVERY_DONE;
	switch (errno) {
	case EAGAIN:
	case ENOBUFS:
	case ENOMEM:
		return DELIVERY_NO_ROOM;
	case EMSGSIZE:
		return DELIVERY_REFUSED;
	}
	return DELIVERY_UNREACHABLE;
}

void journal_send(struct journal *journal, const struct failed_call *call)
{
	strbuf_reset(&journal->entry);
	journal_entry_add(&journal->entry, call);
	metrics_deliver(journal->metrics, RECEIVER_JOURNAL, send_entry(journal), 1);
}
