/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of a plan, one per line; and why one function can or cannot be traced. */
#ifndef RETSNOOP_VIEW_LISTS_FUNCS_VIEW_H
#define RETSNOOP_VIEW_LISTS_FUNCS_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "util/plan/plan.h"

struct kernel;
struct trace_request;
struct traceability;

/* One for each form of output. */
struct funcs_view {
	/* 0 or a negative errno (reported). */
	int (*func)(const struct funcs_view *view, const struct plan_func *func);
	int (*why)(const struct funcs_view *view, const char *name, const struct traceability *why);
	FILE *out;		/* borrowed */
	const struct trace_request *request;	/* borrowed; the plan's, for its --error-if */
	struct kernel *kernel;	/* borrowed; for facts that plans lack: source lines, prototypes */
	const struct plan *plan;	/* borrowed; the functions' */
	const enum rung *rungs;	/* borrowed; assigned, by function id; NULL: not known */
	bool color;
	int name_width;		/* of the longest name with module; for the long form */
};

/* `name`, or `name [module]`: a spec for -e. */
extern const struct funcs_view funcs_view_names;
/* The same with other facts in a comment after it; still a spec for -e @FILE. */
extern const struct funcs_view funcs_view_long;
extern const struct funcs_view funcs_view_json;

/* Its assigned rung; RUNG_AUTO: none, or not known. */
enum rung funcs_view_rung(const struct funcs_view *view, const struct plan_func *func);

/* The columns of a function's name in the first two. */
int funcs_view_width(const struct plan_func *func);

#endif
