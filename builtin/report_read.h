/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One recording or several, read as one: which sessions are wanted, and in which order. Recordings
 * that cannot be read are named, and the others are read. What is said of all is in report_set.c.
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

/* Which sessions are wanted besides those that a request selects, and in which order. */
struct report_choice {
	struct moment since, until;
	uint64_t session;	/* its number; 0 any */
	uint64_t tail;		/* the last so many; 0 all */
	enum session_order order;
	bool list;		/* only a line of each */
	struct why_choice *why;	/* one of them explained; NULL: all are shown */
};

/*
 * What is done with recordings and their sessions. Each returns 0, or a negative errno that ends the
 * reading: -EPIPE quietly, others reported. `opened` and `closes` may be NULL.
 */
struct report_reader {
	/* It is open: before its first session. Called again if it had been closed meanwhile. */
	int (*opened)(void *arg, struct report_input *input);
	/* @session	passes the filters */
	int (*session)(void *arg, struct report_input *input, const struct session *session);
	/* No session of it comes any more. */
	void (*closes)(void *arg, struct report_input *input);
	void *arg;
};

/* Zeroed: none. */
struct report_set {
	struct report_input *inputs;	/* owned */
	uint32_t nr;
	bool several;		/* sessions are numbered anew, and recordings opened when needed */
	uint32_t nr_read;	/* of those named, without those that are left out */
	uint32_t unreadable;
	uint32_t first;		/* the first that can be read */
	uint32_t nr_hosts;	/* whose names are known */
	bool gathers;		/* nothing is shown before the end: how far it is, is */
	int64_t begin_ns;	/* of the run that began first, since the epoch */
	/* Of all recordings. */
	unsigned int modes, shown_modes;	/* MODE_x recorded; asked to be shown by the first */
	bool successes;
	int32_t utc_offset_s;	/* of those that agree; else 0 */
	/* Since it was read. */
	bool stopped;		/* there may be more that was not asked for */
	uint64_t sessions;	/* that were read */
	uint64_t shown;
	struct report_facts facts;
	bool *has_entry, *has_allow;	/* of several, for each of -e and -a; owned */
};

/**
 * Open recordings. One alone stays open; of several, all are looked into, all but the first are
 * closed again, and those are left out that cannot be read or that are there twice (both said).
 *
 * @return	0; -errno none can be read (reported). Close either way.
 */
int report_set_open(char *const *paths, size_t nr, struct report_set *set);
void report_set_close(struct report_set *set);

/* The run of the first one that can be read; until sessions are read. */
const struct recording_meta *report_set_first(const struct report_set *set);

/* "web.data"; "the set of recordings". */
const char *report_set_name(const struct report_set *set);

/* "web-1, web-2, db-1 and 37 others"; the caller frees it. NULL: no host is known. */
char *report_set_hosts(const struct report_set *set);

/* Read them to their ends, or as far as sessions are wanted. 0; -EPIPE; -errno (reported). */
int report_set_read(struct report_set *set, const struct trace_request *request,
		    const struct report_choice *choice, const struct report_reader *reader);

/* What all runs may have missed. */
struct ledger;
void report_set_ledger(const struct report_set *set, struct ledger *ledger);

/* On stderr: what the filters ask for and no recording has, which are damaged, and wrong clocks. */
void report_set_say_missing(const struct report_set *set, const struct trace_request *request);
void report_set_warn(const struct report_set *set);

/* Whether all of what was named could be read to its end. */
bool report_set_is_whole(const struct report_set *set);

#endif
