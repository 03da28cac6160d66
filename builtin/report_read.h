/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One or several recordings, read as one: which sessions, and in which order. Unreadable recordings
 * are reported, and the others are read. report_set.c has the messages about all recordings.
 */
#ifndef RETSNOOP_BUILTIN_REPORT_READ_H
#define RETSNOOP_BUILTIN_REPORT_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "builtin/report_empty.h"
#include "builtin/report_open.h"
#include "util/base/text/moment.h"
#include "util/trace/session/session_keep.h"

struct session;
struct trace_request;
struct why_choice;

/* Which of the sessions that pass the request's filters are shown, and in which order. */
struct report_choice {
	struct moment since, until;
	uint64_t session;	/* its number; 0 any */
	uint64_t tail;		/* only so many, the last ones; 0 all */
	enum session_order order;
	bool list;		/* one line per session */
	struct why_choice *why;	/* explain one failure; NULL: show all sessions */
};

/*
 * Callbacks for recordings and their sessions. Each returns 0, or a negative errno that ends the
 * reading: -EPIPE quietly, others reported. `opened` and `closes` may be NULL.
 */
struct report_reader {
	/* A recording was opened, or opened again after it had been closed meanwhile. */
	int (*opened)(void *arg, struct report_input *input);
	/* A session that passes the filters. */
	int (*session)(void *arg, struct report_input *input, const struct session *session);
	/* The recording has no more sessions. */
	void (*closes)(void *arg, struct report_input *input);
	void *arg;
};

/* Zeroed: none. */
struct report_set {
	struct report_input *inputs;	/* owned */
	uint32_t nr;
	bool several;		/* more than one: sessions get new numbers, files are opened when needed */
	uint32_t nr_read;	/* recordings given, without those left out */
	uint32_t unreadable;
	uint32_t first;		/* the first that can be read */
	uint32_t nr_hosts;	/* with known names */
	uint32_t nr_nameless;	/* recordings of hosts without a known name: of old versions */
	bool gathers;		/* output comes only at the end, so progress is shown */
	int64_t begin_ns;	/* of the run that began first, since the epoch */
	/* Of all recordings. */
	unsigned int modes, shown_modes;	/* MODE_x recorded; asked to be shown by the first */
	bool successes;
	int32_t utc_offset_s;	/* the same for all; 0 if they differ */
	/* Counted while reading. */
	bool stopped;		/* reading ended early: no more sessions were asked for */
	uint64_t sessions;	/* read */
	uint64_t shown;
	struct report_facts facts;
	bool *has_entry, *has_allow;	/* of several, for each of -e and -a; owned */
};

/**
 * Open recordings. A single one stays open. Of several, each is opened once, and all but the first
 * are closed again; those that are unreadable or given twice are left out (reported).
 *
 * @return	0; -errno none can be read (reported). Close the set either way.
 */
int report_set_open(char *const *paths, size_t nr, struct report_set *set);
void report_set_close(struct report_set *set);

/* About the run of the first readable recording. Valid until sessions are read. */
const struct recording_meta *report_set_first(const struct report_set *set);

/* "web.data"; "the set of recordings". */
const char *report_set_name(const struct report_set *set);

/* "web-1, web-2, db-1 and 37 others"; the caller frees it. NULL: no host is known. */
char *report_set_hosts(const struct report_set *set);

/* Read to the end, or until enough sessions were shown. 0; -EPIPE; -errno (reported). */
int report_set_read(struct report_set *set, const struct trace_request *request,
		    const struct report_choice *choice, const struct report_reader *reader);

/* The loss reports of all runs, added up. */
struct ledger;
void report_set_ledger(const struct report_set *set, struct ledger *ledger);

/* Warnings on stderr: filters that no recording meets; damaged recordings and wrong clocks. */
void report_set_say_missing(const struct report_set *set, const struct trace_request *request);
void report_set_warn(const struct report_set *set);

/* Whether damage decides the exit status: any of several recordings has some; or of one, nothing was shown. */
bool report_set_failed(const struct report_set *set);

#endif
