/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run may have missed, told on stderr: at its end (all zero is one short line), now and then
 * while it goes on, and on the spot when something begins to be lost.
 */
#ifndef RETSNOOP_TRACE_SESSION_LEDGER_H
#define RETSNOOP_TRACE_SESSION_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/event.h"

struct strbuf;

struct ledger {
	struct event_stats stats;	/* from BPF, summed over CPUs */
	uint64_t args_bytes;		/* of arguments, in sessions shown; counted with -v */
	bool summary;			/* calls are counted, not shown as sessions */
	bool recorded;			/* sessions are recorded instead of being shown */
	uint64_t shown;			/* sessions given to the view; calls counted */
	uint64_t of;			/* sessions of the recording, shown or not; 0: not known */
	uint64_t not_shown;		/* sessions left when the run ended, or nobody read any more */
	uint64_t bad_records;		/* that made no sense */
	uint64_t parts_unread;		/* of a recording: damaged, cut off or not known */
	uint64_t dropped;		/* sessions of a recording that made room for newer ones */
	uint64_t queue_dropped;		/* sessions dropped because showing did not keep up */
	uint64_t parts_dropped;		/* records of sessions that were shown without them */
	uint64_t orphans;		/* sessions given up: the closing record seems lost */
	uint64_t calls_let_go;		/* calls left out of traces that grew too long */
	uint64_t missed_by_kernel;	/* hits that the kernel itself skipped (links' missed) */
	uint64_t recursion_misses;	/* program runs skipped because of recursion */
	uint64_t probes_missed;		/* of those two, hits of kprobes inside functions */
	uint64_t breakpoints_missed;	/* of missed_by_kernel, hits of the CPU's breakpoints */
	uint64_t ftrace_off;		/* functions not heard of: ftrace is switched off, or was */
	uint64_t kprobes_off;		/* functions and points: kprobes are */
	uint64_t contexts_mixed;	/* functions whose calls in interrupts count as the task's */
	bool kernel_counts;		/* the kernel has those two */
	uint32_t max_depth;		/* calls nested deeper are not kept */
	uint32_t asked;			/* functions that the globs selected */
	uint32_t attached;
	uint32_t refused;
	uint32_t given_up;		/* detached while the run went on: --budget */
	uint32_t budget_ppm;		/* --budget: millionths of the CPUs' time; 0 none */
	uint64_t tracing_ns;		/* what tracing took of ... */
	uint64_t cpus_ns;		/* ... the time of all CPUs; both only with --budget */
};

/*
 * Add what another run missed. Of functions, the run that asked for most counts: they are the same ones,
 * mostly. Whether the kernel counted is so if all did.
 */
void ledger_add(struct ledger *ledger, const struct ledger *other);

/* Print it. When quiet, only if something was lost that somebody wanted. */
void ledger_print(const struct ledger *ledger);

/* The same of a run that goes on; @elapsed_ns since it began. Nothing when quiet. */
void ledger_print_so_far(const struct ledger *ledger, uint64_t elapsed_ns);

/* What all of it comes to. */
enum ledger_missed {
	LEDGER_MISSED_NOTHING,
	LEDGER_MISSED_NOTHING_KNOWN,	/* the kernel does not count all of it */
	LEDGER_MISSED_SOME,
};
enum ledger_missed ledger_missed(const struct ledger *ledger);

/*
 * Every kind of loss in turn, 0 or not, by the names that programs know them by, which do not
 * change. Not known: the kernel does not count those.
 */
void ledger_each_loss(const struct ledger *ledger,
		      void (*each)(void *arg, const char *name, uint64_t count, bool known),
		      void *arg);

/* The lines that are printed, without what stands before them. */
void ledger_each_line(const struct ledger *ledger,
		      void (*each)(void *arg, const struct strbuf *line), void *arg);

#define LEDGER_MAX_LOSSES 30

/* How much of each kind of loss was told already. Zero at first. */
struct ledger_watch {
	uint64_t told[LEDGER_MAX_LOSSES];
};

/**
 * Say what is being lost and what helps: when a loss is seen for the first time, and each time it
 * has grown tenfold. Only of losses that the user can do something about. Nothing when quiet.
 */
void ledger_warn(const struct ledger *ledger, struct ledger_watch *watch);

#endif
