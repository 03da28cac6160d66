/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loss report: what a run may have missed. Printed to stderr at the run's end (one short line
 * if all is zero), at intervals during the run, and at once when a loss begins.
 */
#ifndef RETSNOOP_TRACE_SESSION_LEDGER_H
#define RETSNOOP_TRACE_SESSION_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/event.h"

struct strbuf;
struct trace_request;

struct ledger {
	const struct trace_request *settings;	/* of the run; borrowed. NULL: not known */
	struct event_stats stats;	/* from BPF, summed over CPUs */
	uint64_t args_bytes;		/* bytes of arguments in sessions shown; counted with -v */
	bool summary;			/* calls are counted, not shown as sessions */
	bool recorded;			/* sessions are recorded instead of being shown */
	uint64_t shown;			/* sessions given to the view; calls counted */
	uint64_t of;			/* sessions of the recording, shown or not; 0: not known */
	uint64_t open;			/* sessions of tasks whose entry call had not returned at the end; no loss */
	uint64_t not_shown;		/* sessions left when the run ended, or output closed */
	uint64_t bad_records;		/* invalid records */
	uint64_t parts_unread;		/* of a recording: damaged, cut off or not known */
	uint64_t dropped;		/* sessions of a recording removed for newer ones */
	uint64_t queue_dropped;		/* sessions dropped because showing did not keep up */
	uint64_t parts_dropped;		/* records missing in sessions that were shown */
	uint64_t orphans;		/* sessions given up: the closing record seems lost */
	uint64_t calls_let_go;		/* calls left out of traces that grew too long */
	uint64_t missed_by_kernel;	/* hits that the kernel itself skipped (links' missed) */
	uint64_t recursion_misses;	/* program runs skipped because of recursion */
	bool preempted;			/* programs ran that can be preempted: those of trampolines */
	bool returns_limited;		/* by a number of return probes, which fentry would not need here */
	uint64_t probes_missed;		/* of those two, hits of kprobes inside functions */
	uint64_t breakpoints_missed;	/* of missed_by_kernel, hits of the CPU's breakpoints */
	uint64_t ftrace_off;		/* functions without hits: ftrace is or was switched off */
	uint64_t kprobes_off;		/* functions and probes without hits: kprobes are off */
	uint64_t contexts_mixed;	/* functions whose calls in interrupts count as the task's */
	bool kernel_counts;		/* missed_by_kernel, recursion_misses are counted */
	uint32_t asked;			/* functions that the globs selected */
	uint32_t attached;
	uint32_t refused;
	uint32_t given_up;		/* detached during the run: --budget */
	uint64_t paused_ms;		/* with entry functions detached: --budget */
	uint32_t budget_ppm;		/* --budget: millionths of the CPUs' time; 0 none */
	uint64_t tracing_ns;		/* time that tracing used, of ... */
	uint64_t cpus_ns;		/* ... the time of all CPUs; both only with --budget */
};

/*
 * Add the losses of another run. Counts of functions are those of the run that asked for most:
 * mostly they are the same functions. Settings are those of the run that kept the deepest calls.
 * kernel_counts is set only if it is set for all runs.
 */
void ledger_add(struct ledger *ledger, const struct ledger *other);

/* Print it. When quiet, only if requested data was lost. */
void ledger_print(const struct ledger *ledger);

/* The same during a run; @elapsed_ns since it began. Nothing when quiet. */
void ledger_print_so_far(const struct ledger *ledger, uint64_t elapsed_ns);

/* The ledger's verdict. */
enum ledger_missed {
	LEDGER_MISSED_NOTHING,
	LEDGER_MISSED_NOTHING_KNOWN,	/* the kernel does not count all of it */
	LEDGER_MISSED_SOME,
};
enum ledger_missed ledger_missed(const struct ledger *ledger);

/* Call for every number that puts losses into proportion, by its stable name for programs. */
void ledger_each_limit(const struct ledger *ledger,
		       void (*each)(void *arg, const char *name, uint64_t number, bool known),
		       void *arg);

/*
 * Call for every kind of loss, 0 or not, by its stable name for programs. Not known: the kernel
 * does not count it.
 */
void ledger_each_loss(const struct ledger *ledger,
		      void (*each)(void *arg, const char *name, uint64_t count, bool known),
		      void *arg);

/* The lines that are printed, without their prefix. */
void ledger_each_line(const struct ledger *ledger,
		      void (*each)(void *arg, const struct strbuf *line), void *arg);

#define LEDGER_MAX_LOSSES 30

/* Losses reported so far, by kind. Starts zeroed. */
struct ledger_watch {
	uint64_t told[LEDGER_MAX_LOSSES];
};

/**
 * Report a loss and its remedy when it is first seen, and each time it has grown tenfold. Only
 * losses that the user can do something about. Nothing when quiet.
 */
void ledger_warn(const struct ledger *ledger, struct ledger_watch *watch);

#endif
