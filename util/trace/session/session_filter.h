/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Applies the filters of a request to complete sessions: the filters of BPF (bpf/filter.bpf.h)
 * again, on sessions that passed them when recorded; and filters for recordings only.
 */
#ifndef RETSNOOP_TRACE_SESSION_SESSION_FILTER_H
#define RETSNOOP_TRACE_SESSION_SESSION_FILTER_H

#include <stdbool.h>
#include <stdint.h>

struct error_rule;
struct plan;
struct session;
struct trace_request;
struct wall_clock;

struct session_filter {
	const struct trace_request *request;
	const struct plan *plan;
	const struct error_rule *rules;	/* that the plan refers to */
	uint64_t number;		/* only this session; 0 any */
	int64_t since_ns, until_ns;	/* only those that began then, since the epoch; 0 any time */
	const struct wall_clock *clock;
};

/* Criteria that a session can fail; bits. */
enum session_criterion {
	FILTER_NUMBER = 1 << 0,		/* --session */
	FILTER_SINCE = 1 << 1,
	FILTER_UNTIL = 1 << 2,
	FILTER_PID = 1 << 3,		/* -p */
	FILTER_COMM = 1 << 4,		/* -n */
	FILTER_DENIED = 1 << 5,		/* -P, -N, -d, -X */
	FILTER_ENTRY = 1 << 6,		/* -e */
	FILTER_CALLS = 1 << 7,		/* -a */
	FILTER_SUCCESS = 1 << 8,	/* -Sn, or no -S */
	FILTER_INTERIM = 1 << 9,	/* --no-interim-stacks */
	FILTER_LONGER = 1 << 10,	/* -L */
	FILTER_FN_LONGER = 1 << 11,
	FILTER_RESULT = 1 << 12,	/* --return */
	FILTER_ERRORS = 1 << 13,	/* -x */
	FILTER_UID = 1 << 14,		/* --uid */
};

/*
 * The criteria that a session does not meet; 0: it passes. For an interim session, whose call goes
 * on, only criteria that can be decided count.
 */
unsigned int session_fails(const struct session_filter *filter, const struct session *session);

#endif
