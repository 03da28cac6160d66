/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of modules that are loaded while a plan is traced. */
#ifndef RETSNOOP_PLAN_PLAN_MORE_H
#define RETSNOOP_PLAN_PLAN_MORE_H

#include <stdint.h>

struct attached;
struct kernel;
struct loaded_modules;
struct plan;
struct trace_request;

struct plan_more {
	uint32_t first, nr;	/* functions that were appended */
	uint32_t no_room;	/* functions for which the plan has no room left */
	uint32_t unfit;		/* functions with conditions (--where) that the run began without */
};

/**
 * Append the functions of modules that the request selects. Pointers to the plan's functions stay
 * valid.
 *
 * @kernel	that the plan was made from; what it knows of these modules is read again
 * @modules	loaded since, or were not yet when the plan was made
 * @plan	of plan_build() for this request
 * @attached	what of the plan is attached: that is not appended again
 * @return	0, also if no function is selected; negative errno (reported): nothing was appended
 */
int plan_add_modules(struct kernel *kernel, const struct trace_request *request,
		     const struct loaded_modules *modules, const struct plan *plan,
		     const struct attached *attached, struct plan_more *ret_more);

#endif
