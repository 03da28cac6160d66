/* SPDX-License-Identifier: BSD-2-Clause */
/* Modules that are loaded while a run traces: their functions are not traced, and a warning says so. */
#ifndef RETSNOOP_TRACE_RUN_RUN_MODULES_H
#define RETSNOOP_TRACE_RUN_RUN_MODULES_H

#include "util/kernel/symbols/modules.h"

struct kernel;
struct trace_request;

struct run_modules {
	const struct trace_request *request;	/* borrowed; NULL: nothing is watched */
	struct loaded_modules known;
};

/* @kernel	as the plan was made from it */
void run_modules_start(struct run_modules *modules, const struct trace_request *request,
		       struct kernel *kernel);
/* Warn once of each new module with functions that the request selects. */
void run_modules_check(struct run_modules *modules);
void run_modules_stop(struct run_modules *modules);

#endif
