/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts sessions as BPF counts calls for summaries (bpf/summary_rows.h). */
#ifndef RETSNOOP_TRACE_SUMMARY_SUMMARY_SESSION_H
#define RETSNOOP_TRACE_SUMMARY_SUMMARY_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "util/trace/summary/summary.h"

struct error_rule;
struct plan;
struct session;

/* Add a call with this duration. */
void summary_row_add(struct summary_row *row, uint64_t duration_ns);

/* The group of a session in a summary. */
struct summary_group session_group(const struct session *session, enum summary_by by);

/* The facts that a summary counts of a session. */
struct summary_call {
	uint32_t func;		/* the entry function */
	int err;		/* of its result, as frame_errno() returns it */
	bool failed;
	uint32_t producer;	/* where the error came from */
	int producer_err;
	struct summary_group group;
	const char *host;	/* NULL: hosts are counted together */
	uint64_t duration_ns;
};

struct summary_call session_summary_call(const struct plan *plan, const struct error_rule *rules,
					 const struct session *session, enum summary_by by);

/* As summary_add_session(). */
int summary_add_call(struct summary *summary, const struct summary_call *call, bool *ret_lost);

/**
 * Add a session; interim ones do not count. Call summary_sort() after the last.
 *
 * @ret_lost	set if there was no room: too many functions and results
 * @return	0; -ENOMEM
 */
int summary_add_session(struct summary *summary, const struct plan *plan,
			const struct error_rule *rules, const struct session *session,
			bool *ret_lost);

#endif
