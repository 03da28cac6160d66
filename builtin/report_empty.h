/* SPDX-License-Identifier: BSD-2-Clause */
/* Why filters leave nothing of a recording to show: what they ask for and the recording has instead. */
#ifndef RETSNOOP_BUILTIN_REPORT_EMPTY_H
#define RETSNOOP_BUILTIN_REPORT_EMPTY_H

#include <stdbool.h>
#include <stdint.h>

#include "util/trace/session/session.h"
#include "util/trace/session/session_filter.h"

struct plan;
struct trace_request;

#define FACTS_MAX 6	/* that are named */

struct recorded_process {
	uint32_t pid;
	char comm[EVENT_COMM_LEN + 1];
};

/* Of sessions that did not pass, until one did. Zeroed at first. */
struct report_facts {
	uint64_t sessions;
	unsigned int failed_by_all;	/* FILTER_x that none of them met */
	struct recorded_process processes[FACTS_MAX + 1];
	int errnos[FACTS_MAX + 1];
	unsigned int nr_processes, nr_errnos;	/* FACTS_MAX + 1: more than are named */
	bool has_users;		/* some sessions have uids */
	uint64_t longest_ns;
	int64_t first_ns, last_ns;	/* when the first and the last one began, since the epoch */
};

/* @fails	what session_fails() said */
void report_facts_add(struct report_facts *facts, const struct session_filter *filter,
		      const struct session *session, unsigned int fails);

/*
 * Which functions of -e and -a a recording has, where one of several has to have them: called for
 * each, with a place for each spec that is set if it has such a function.
 */
void report_facts_see_plan(const struct trace_request *request, const struct plan *plan,
			   bool *ret_entry, bool *ret_allow);

/**
 * Say on standard error which functions of -e and -a the recording does not have, and if nothing
 * was shown, which filters no session met.
 *
 * @name	of the recording, for messages
 * @has_entry	of several recordings, what report_facts_see_plan() found, for -e and -a; the filter has
 * @has_allow	no plan then. NULL: of one
 */
void report_facts_say(const struct report_facts *facts, const struct session_filter *filter,
		      const bool *has_entry, const bool *has_allow, bool shown, const char *name);

#endif
