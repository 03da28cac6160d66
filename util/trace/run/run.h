/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tracing run from start to end: attach, let the workload go, hand out sessions as they come,
 * stop at a signal, a limit or the workload's end, print what is in flight, take down.
 *
 * While it runs, what is being lost is said on stderr. However much there is to be shown, signals
 * and limits are heeded at once; when much is left at the end, it is said how to leave it out.
 */
#ifndef RETSNOOP_TRACE_RUN_RUN_H
#define RETSNOOP_TRACE_RUN_RUN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "util/capture/summary/summary.h"
#include "util/trace/ask/request.h"
#include "util/trace/plan/plan.h"
#include "util/trace/session/ledger.h"
#include "util/trace/session/session.h"

struct cgroup_watch;
struct kernel;
struct session_rules;
struct run_result;
struct wall_clock;

/*
 * Standard output as a stream for views. Where its reader does not read, and be it in the middle of
 * a long session, the run that has it goes on hearing signals and keeping time.
 */
struct run_output {
	FILE *file;
	const struct run_output_waiter {
		/* Until it can be written to; false: give up. */
		bool (*wait)(void *arg);
		void *arg;
	} *waiter;		/* NULL: no run has it now; plain writes */
};

/* 0; -ENOMEM (reported). */
int run_output_open(struct run_output *output);
void run_output_close(struct run_output *output);
/* Whether nobody reads what was written to standard output: not even a little has room. */
bool run_output_stands(void);

/* Whom to give sessions to. Non-zero ends the run; -EPIPE quietly. All but `arg` may be NULL. */
struct run_handler {
	/* NULL: records are not put together; a session counts when its record came. */
	int (*session)(void *arg, const struct session *session);
	/* Every record (bpf/event.h) as it comes, before it becomes part of a session. */
	int (*record)(void *arg, const void *data, size_t size);
	/* Every second, with what the ledger has so far. */
	int (*tick)(void *arg, const struct ledger *ledger);
	/* In their place, where the request wants it: at the end, and every interval. */
	int (*summary)(void *arg, const struct summary *summary);
	/*
	 * All is over, detached or left to be: the result is known, and its ledger is complete. Not
	 * after an error. Signals are still heeded: none of them ends the process before this did.
	 */
	int (*end)(void *arg, struct run_result *result);
	/* Everything is attached and recording; the first record is yet to be handed out. */
	int (*ready)(void *arg, const struct session_rules *rules);
	/* After that, just before the command is let go: its process. */
	int (*release)(void *arg, pid_t workload);
	/*
	 * SIGHUP: whether the run is to end, for another one to take its place; it goes on meanwhile.
	 * NULL: SIGHUP ends the run, as SIGTERM does.
	 */
	bool (*reload)(void *arg);
	void *arg;
	struct wall_clock *clock;	/* kept right when it is set; NULL not needed */
	struct cgroup_watch *cgroups;	/* for requests that select cgroups by patterns; NULL: none */
	struct run_output *output;	/* what it writes to; NULL: not to standard output */
};

struct run_result {
	struct ledger ledger;
	bool started;		/* everything was attached: there is a ledger */
	bool interrupted;	/* by a signal */
	bool reload;		/* ended for another run to take its place */
	bool pipe_closed;	/* nobody reads the output any more, or wants the rest of it */
	bool output_stuck;	/* nor can anything be written: it may stop within a line */
	bool workload_ran;
	int workload_status;	/* as a shell counts it */
	int wait_status;	/* as waitpid(2) has it */
};

/**
 * @plan	resolved; rungs are assigned here
 * @return	0 however it was ended; negative errno (reported)
 */
int run_trace(struct kernel *kernel, struct plan *plan, const struct trace_request *request,
	      const struct run_handler *handler, struct run_result *ret_result);

/**
 * What run_trace() would attach, without attaching: rungs are assigned, and with -v every function
 * is named.
 */
int run_dry(struct kernel *kernel, struct plan *plan, const struct trace_request *request);

#endif
