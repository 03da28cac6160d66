/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tracing run from start to end: attach, start the workload, pass on sessions as they end, stop
 * at a signal, a limit or the workload's end, print the remaining sessions, detach.
 *
 * Losses are reported to stderr while it runs. Signals and limits take effect at once, however much
 * is still to be shown; if much is left at the end, a message says how to skip it.
 */
#ifndef RETSNOOP_TRACE_RUN_RUN_H
#define RETSNOOP_TRACE_RUN_RUN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "util/ask/request.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/session/ledger.h"
#include "util/trace/session/session.h"
#include "util/trace/summary/summary.h"

struct cgroup_watch;
struct features;
struct kept_kprobes;
struct kernel;
struct session_rules;
struct run_result;
struct wall_clock;

/*
 * Standard output as a stream for views. While its reader is slow, even within a long session, the
 * run still handles signals and time limits.
 */
struct run_output {
	FILE *file;
	const struct run_output_waiter {
		/* Waits until the stream can be written; false: give up. */
		bool (*wait)(void *arg);
		void *arg;
	} *waiter;		/* NULL: no run uses it now; plain writes */
};

/* 0; -ENOMEM (reported). */
int run_output_open(struct run_output *output);
void run_output_close(struct run_output *output);
/* Whether standard output is blocked: its reader does not read, and there is no room. */
bool run_output_stands(void);

/* Callbacks. Non-zero ends the run; -EPIPE quietly. All but `arg` may be NULL. */
struct run_handler {
	/* NULL: records are not assembled; a session counts when its closing record arrives. */
	int (*session)(void *arg, const struct session *session);
	/* Called for every record (bpf/event.h), before it becomes part of a session. */
	int (*record)(void *arg, const void *data, size_t size);
	/* Called every second, with the ledger so far. */
	int (*tick)(void *arg, const struct ledger *ledger);
	/* Called instead of `session` for a summary: every interval, and at the end. */
	int (*summary)(void *arg, const struct summary *summary);
	/*
	 * Called after detaching: the result and its ledger are complete. Not called after an
	 * error. Signals are still handled: none of them ends the process before this returns.
	 */
	int (*end)(void *arg, struct run_result *result);
	/* Everything is attached and recording; no record has been passed on yet. */
	int (*ready)(void *arg, const struct session_rules *rules);
	/* Called after that, just before the held command starts, with its process id. */
	int (*release)(void *arg, pid_t workload);
	/*
	 * SIGHUP: returns whether the run should end so that another one can replace it; the run
	 * goes on meanwhile. NULL: SIGHUP ends the run like SIGTERM.
	 */
	bool (*reload)(void *arg);
	/*
	 * Modules were loaded or unloaded: other code may be at addresses seen before. Functions of
	 * the plan from @first on are new.
	 */
	int (*modules)(void *arg, uint32_t first);
	bool keeps_facts;	/* the caller has pointers to what kernel_forget_facts() would free */
	bool attaches_again;	/* in this process, later: privileges are kept */
	bool ends_workload;	/* SIGINT, too, is passed on to a workload; result.goes_on instead of a line */
	/* Of this kernel, by features_probe(). What the run proves of attach methods is added. NULL: its own. */
	struct features *features;
	struct kept_kprobes *kept;	/* of the runs before; they stay for the next one. NULL: none do */
	void *arg;
	struct wall_clock *clock;	/* updated when the time is set; NULL not needed */
	struct cgroup_watch *cgroups;	/* for requests that select cgroups by patterns; NULL: none */
	struct run_output *output;	/* stream of the handler; NULL: not standard output */
};

struct run_result {
	struct ledger ledger;
	bool started;		/* everything was attached: there is a ledger */
	bool interrupted;	/* by a signal */
	bool reload;		/* ended for another run to take its place */
	bool pipe_closed;	/* the reader closed the output, or the user skipped the rest */
	bool output_stuck;	/* and nothing can be written: output may stop within a line */
	bool workload_ran;
	int workload_status;	/* as a shell counts it */
	int wait_status;	/* as waitpid(2) has it */
	pid_t goes_on;		/* the workload, a second after the signal that was passed on to it; 0 */
	uint64_t ended_ns;	/* when recording ended, before the rest was shown; 0: it did not begin */
};

/**
 * @ret_attached	what became of the plan, complete before handler->ready(); release either way
 * @return		0 whatever ended it; negative errno (reported)
 */
int run_trace(struct kernel *kernel, const struct plan *plan, const struct trace_request *request,
	      const struct run_handler *handler, struct attached *ret_attached,
	      struct run_result *ret_result);

/*
 * Let SIGHUP wait for a run that will take it, or no longer: before the first run_trace(), it ends the
 * process.
 */
void run_hold_hangup(bool hold);

/**
 * Report what run_trace() would attach, without attaching: rungs are assigned, and with -v every
 * function is listed. Release @ret_attached either way.
 */
int run_dry(struct kernel *kernel, const struct plan *plan, const struct trace_request *request,
	    struct attached *ret_attached);

#endif
