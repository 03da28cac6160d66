/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a session has to meet to be shown, taken all together: whether anything can, and what that
 * is in words. One by one the filters are checked where they are parsed.
 */
#ifndef RETSNOOP_TRACE_ASK_PREDICATES_H
#define RETSNOOP_TRACE_ASK_PREDICATES_H

struct plan;
struct trace_request;

/**
 * Refuse wishes that contradict each other, whatever the kernel is. Only what is certain to show
 * nothing is refused.
 *
 * @request	settled
 * @return	0; -EINVAL (reported)
 */
int predicates_check(const struct trace_request *request);

/* The same with what is known of the functions. */
int predicates_check_plan(const struct trace_request *request, const struct plan *plan);
/* The part of it that concerns --error-if: a rule for no function is a mistake. */
int predicates_check_rules(const struct trace_request *request, const struct plan *plan);

/* With -v, on stderr: what sessions have to meet, one line each. */
void predicates_print(const struct trace_request *request, const struct plan *plan);

#endif
