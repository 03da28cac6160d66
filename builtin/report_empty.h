/* SPDX-License-Identifier: BSD-2-Clause */
/* Explains why no session passes the filters: what they ask for, and what the recording has instead. */
#ifndef RETSNOOP_BUILTIN_REPORT_EMPTY_H
#define RETSNOOP_BUILTIN_REPORT_EMPTY_H

#include <stdbool.h>
#include <stdint.h>

#include "util/trace/session/session.h"
#include "util/trace/session/session_filter.h"

struct plan;
struct trace_request;

#define FACTS_MAX 6	/* processes and errors named in messages */

struct recorded_process {
	uint32_t pid;
	char comm[EVENT_COMM_LEN + 1];
};

/* About sessions that did not pass; not collected any more once one did. Starts zeroed. */
struct report_facts {
	uint64_t sessions;
	unsigned int failed_by_all;	/* FILTER_x that no session met */
	struct recorded_process processes[FACTS_MAX + 1];
	int errnos[FACTS_MAX + 1];
	unsigned int nr_processes, nr_errnos;	/* FACTS_MAX + 1: there were more */
	bool has_users;		/* some sessions have uids */
	uint64_t longest_ns;
	bool incomplete;	/* parts of the recording could not be read */
	int64_t first_ns, last_ns;	/* when the first and the last one began, since the epoch */
};

/* @fails	result of session_fails() */
void report_facts_add(struct report_facts *facts, const struct session_filter *filter,
		      const struct session *session, unsigned int fails);

/*
 * For several recordings: note which functions of -e and -a this one has. The results have an element
 * for each spec, set to true if the recording has such a function.
 */
void report_facts_see_plan(const struct trace_request *request, const struct plan *plan,
			   bool *ret_entry, bool *ret_allow);

/**
 * Say on standard error which functions of -e and -a the recording does not have, and if nothing
 * was shown, which filters no session met.
 *
 * @name	of the recording, for messages
 * @has_entry	for several recordings: results of report_facts_see_plan(), for -e and -a; then the
 * @has_allow	filter has no plan. NULL: for one recording
 */
void report_facts_say(const struct report_facts *facts, const struct session_filter *filter,
		      const bool *has_entry, const bool *has_allow, bool shown, const char *name);

#endif
