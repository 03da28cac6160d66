/* SPDX-License-Identifier: BSD-2-Clause */
/* What showing one recording and comparing two have in common. */
#ifndef RETSNOOP_BUILTIN_REPORT_OPEN_H
#define RETSNOOP_BUILTIN_REPORT_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "builtin/report_empty.h"
#include "util/base/text/moment.h"
#include "util/trace/record/recording_read.h"
#include "util/trace/session/session_filter.h"
#include "util/trace/session/session_keep.h"

#define REPORT_DEFAULT_PATH "retsnoop.data"

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

/* A recording that is being read. Zeroed: none. */
struct report_input {
	const char *name;	/* borrowed */
	FILE *file;
	uint64_t size;		/* of the file; 0 not known */
	bool gathers;		/* nothing is shown before the end: how far it is, is */
	struct recording *recording;
	bool stopped;		/* there may be more that was not asked for */
	/* Since it was read: what was selected by, and what was found. */
	struct session_filter filter;
	struct report_facts facts;
	uint64_t shown;
};

/* @path: - is standard input. 0; -errno (reported). Close either way. */
int report_input_open(const char *path, struct report_input *input);
void report_input_close(struct report_input *input);

/* What to do with a session that passes the filters. Non-zero ends it, -EPIPE quietly. */
typedef int (*report_session_fn)(void *arg, const struct session *session);

/**
 * Read it to its end, or as far as sessions are wanted.
 *
 * @ret_shown	sessions handed out
 * @return	0; -EPIPE; -errno (reported)
 */
int report_input_read(struct report_input *input, const struct trace_request *request,
		      const struct report_choice *choice, report_session_fn fn, void *arg,
		      uint64_t *ret_shown);

/* On stderr, what the filters ask for that the recording does not have. */
void report_input_say_missing(const struct report_input *input);

/* One line on stderr, where not all of it was to be had. */
void report_input_warn(const struct report_input *input, const struct recording_state *state);

#endif
