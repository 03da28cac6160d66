/* SPDX-License-Identifier: BSD-2-Clause */
/* Modules that are loaded and unloaded while a run traces: their functions are attached and let go of. */
#ifndef RETSNOOP_TRACE_RUN_RUN_MODULES_H
#define RETSNOOP_TRACE_RUN_RUN_MODULES_H

#include <stdbool.h>

#include "util/kernel/symbols/modules.h"

struct run;

struct run_modules {
	struct kernel *kernel;	/* borrowed; NULL: nothing is watched */
	struct loaded_modules known;
};

/*
 * Whether functions of a module that is loaded later could be selected: not if all are named in full and
 * are there.
 */
bool run_modules_may_come(const struct run *run);

/* @kernel	as the plan was made from it */
void run_modules_start(struct run *run, struct kernel *kernel);

/*
 * Attach the functions of new modules that the request selects, and let go of those whose module is gone.
 * Which ones it was is said, also where they cannot be attached. 0; -errno (reported)
 */
int run_modules_check(struct run *run);

/* At the end of a run: functions of new modules are not attached any more, which is said. */
void run_modules_end(struct run *run);
void run_modules_stop(struct run *run);

#endif
