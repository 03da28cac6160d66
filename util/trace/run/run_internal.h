/* SPDX-License-Identifier: BSD-2-Clause */
/* A run's state, for run*.c only. */
#ifndef RETSNOOP_TRACE_RUN_RUN_INTERNAL_H
#define RETSNOOP_TRACE_RUN_RUN_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/clock.h"
#include "util/kernel/symbols/modules.h"
#include "util/trace/attach/attach.h"
#include "util/trace/attach/self_test.h"
#include "util/trace/branches/branch_run.h"
#include "util/trace/run/collect.h"
#include "util/trace/run/run.h"
#include "util/trace/run/run_budget.h"
#include "util/trace/run/run_cgroups.h"
#include "util/trace/run/workload.h"
#include "util/trace/summary/summary_run.h"

/* If showing the rest after the end takes longer, a message says how to skip it. */
#define LONG_NS NSEC_PER_SEC
#define ESTIMATE_NS (NSEC_PER_SEC / 4)

struct context_watch;

/* Modules that are loaded and unloaded while a run traces. */
struct run_modules {
	struct kernel *kernel;	/* borrowed; NULL: nothing is watched */
	struct loaded_modules known;
};

struct run {
	const struct trace_request *request;
	struct branch_run branches;
	struct self_test *self_test;
	const struct run_handler *handler;
	const struct plan *plan;
	struct attached *attached;
	struct attachment *attachment;
	struct collector *collector;
	struct assembler *assembler;
	struct run_cgroups cgroups;
	struct run_modules modules;
	bool look_at_modules;		/* it is time to, between two sessions */
	struct context_watch *contexts;	/* --trace-context=threads; NULL: none */
	struct workload workload;
	struct run_result result;
	struct workload_env workload_env;
	int signal_fd;
	int clock_fd;			/* the time of day was set; -1 */
	struct run_budget budget;
	struct summary_run summary;
	struct ledger_watch watch;

	/* CLOCK_MONOTONIC; 0 never. */
	uint64_t started_ns;
	uint64_t deadline_ns;
	uint64_t next_watch_ns;
	uint64_t next_stats_ns;
	uint64_t next_tick_ns;
	uint64_t ended_ns;		/* end of recording; the rest is being shown */

	uint64_t waiting_at_end;	/* sessions */
	bool over;			/* recording must end */
	bool reload;			/* SIGHUP arrived and is not handled yet */
	bool records;			/* records may be queued */
	bool writing;			/* in the middle of a session */
	bool told;			/* it was reported that much is left to be shown */
	bool told_unread;		/* and that the output is not being read */
	uint64_t rest, rest_since_ns;	/* sessions left after the end, and since when so many */
	bool left;			/* the user skipped the rest */
};

/* From now on signals come through run->signal_fd. 0; -errno (reported). */
int run_take_signals(struct run *run);

/*
 * For attaching and detaching, @arg a struct run: whether a signal asked to end. Each call needs
 * another signal: the one that ended attaching does not cut detaching short.
 */
bool run_interrupted(void *arg);

/*
 * Give up capabilities that only attaching needs; where modules may come, put them aside until
 * run_resume_privileges().
 */
void run_drop_privileges(const struct run *run);
void run_resume_privileges(void);

/* Signals while recording or showing; SIGHUP may have arrived during attaching, too. */
void run_hear_signals(struct run *run);
void run_heed_reload(struct run *run);

/* Check a view's return value: a closed pipe ends the run, but is no error. */
int run_check_shown(struct run *run, int err);

/* Losses so far, without the links' counts. */
void run_count(struct run *run, struct ledger *ledger);

/* Report losses; count functions whose attach method was switched off meanwhile. */
void run_watch_losses(struct run *run);
void run_look_at_switches(struct run *run);
void run_print_stats(struct run *run, uint64_t now);

/* Hand the loss report so far to the handler. */
int run_tick(struct run *run);

/* If much remains to be shown after the end: report how much, and how to skip it. */
void run_tell_rest(struct run *run);

/*
 * Whether functions of a module that is loaded later could be selected: not if all are named in full and
 * are there to stay.
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
