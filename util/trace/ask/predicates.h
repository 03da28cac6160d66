/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All filters of a session together: whether any session can pass them, and their description in
 * words. Each single filter is checked where it is parsed.
 */
#ifndef RETSNOOP_TRACE_ASK_PREDICATES_H
#define RETSNOOP_TRACE_ASK_PREDICATES_H

struct plan;
struct trace_request;

/**
 * Refuse filters that contradict each other on any kernel. Only filters that are certain to show
 * nothing are refused.
 *
 * @request	settled
 * @return	0; -EINVAL (reported)
 */
int predicates_check(const struct trace_request *request);

/* The same, knowing the functions. */
int predicates_check_plan(const struct trace_request *request, const struct plan *plan);
/* Only the part about --error-if: a rule for no function is an error. */
int predicates_check_rules(const struct trace_request *request, const struct plan *plan);

/* With -v, on stderr: the conditions on sessions, one per line. */
void predicates_print(const struct trace_request *request, const struct plan *plan);

#endif
