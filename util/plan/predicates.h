/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A request as a whole: settings that cannot be combined, whether any session can pass all filters
 * together, and the filters in words. Each single setting is checked where it is parsed.
 */
#ifndef RETSNOOP_PLAN_PREDICATES_H
#define RETSNOOP_PLAN_PREDICATES_H

struct plan;
struct trace_request;

/**
 * Refuse settings that contradict each other on any kernel. Of filters only those are refused that
 * are certain to show nothing.
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
