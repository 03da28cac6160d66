/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The filters of a request applied to sessions that are there already: what BPF decides while it
 * traces (bpf/filter.bpf.h), decided again of what it let pass.
 */
#ifndef RETSNOOP_TRACE_SESSION_SESSION_FILTER_H
#define RETSNOOP_TRACE_SESSION_SESSION_FILTER_H

#include <stdbool.h>

struct error_rule;
struct plan;
struct session;
struct trace_request;

struct session_filter {
	const struct trace_request *request;
	const struct plan *plan;
	const struct error_rule *rules;	/* that the plan refers to */
};

/*
 * Processes, names, errors, results, durations, success, entry functions (-e, -d), and functions
 * that were called inside (-a). Of an interim session, whose call goes on, only those that can be
 * told.
 */
bool session_passes(const struct session_filter *filter, const struct session *session);

#endif
