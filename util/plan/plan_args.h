/* SPDX-License-Identifier: BSD-2-Clause */
/* A plan's arguments: for each function, which arguments are captured, and the conditions on them. */
#ifndef RETSNOOP_PLAN_PLAN_ARGS_H
#define RETSNOOP_PLAN_PLAN_ARGS_H

#include <stdint.h>

struct kernel;
struct plan;
struct trace_request;

/* struct capture's plan() and unplan(). */
int plan_args(struct kernel *kernel, const struct trace_request *request, struct plan *plan);
void plan_args_release(struct plan *plan);

/*
 * For a function that is appended to a plan. 0; -E2BIG it would need a condition that the plan does not
 * have, other negative errno (what was reported differs): the function must be removed again.
 */
int plan_args_more(struct kernel *kernel, const struct trace_request *request, struct plan *plan,
		   uint32_t func);

#endif
