/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of a plan, listed one a line; and the reasons for one. */
#ifndef RETSNOOP_VIEW_LISTS_FUNCS_H
#define RETSNOOP_VIEW_LISTS_FUNCS_H

#include <stdbool.h>
#include <stdio.h>

#include "util/trace/plan/plan.h"

struct kernel;
struct trace_request;
struct why;

/* One of these for each form of output. */
struct funcs_view {
	/* 0 or a negative errno (reported). */
	int (*func)(const struct funcs_view *view, const struct plan_func *func);
	int (*why)(const struct funcs_view *view, const char *name, const struct why *why);
	FILE *out;		/* borrowed */
	const struct trace_request *request;	/* borrowed; the plan's, for its --error-if */
	struct kernel *kernel;	/* borrowed; for what plans don't have: source lines, prototypes */
	bool color;
	int name_width;		/* of the longest name, module included; long form */
};

/* `name`, or `name [module]`: a spec that -e takes. */
extern const struct funcs_view funcs_view_names;
/* The same with a comment after it that says the rest; still a spec that -e @FILE takes. */
extern const struct funcs_view funcs_view_long;
extern const struct funcs_view funcs_view_json;

/* How wide the name of a function prints in the first two. */
int funcs_view_width(const struct plan_func *func);

#endif
