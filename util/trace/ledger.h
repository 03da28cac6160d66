/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run may have missed, told at its end on stderr. All zero is one short line. */
#ifndef RETSNOOP_TRACE_LEDGER_H
#define RETSNOOP_TRACE_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/event.h"

struct ledger {
	struct event_stats stats;	/* from BPF, summed over CPUs */
	uint64_t shown;			/* sessions given to the view */
	uint64_t not_shown;		/* sessions left when nobody read the output any more */
	uint64_t bad_records;		/* that made no sense */
	uint64_t queue_dropped;		/* records dropped because showing did not keep up */
	uint64_t missed_by_kernel;	/* hits that the kernel itself skipped (links' missed) */
	uint64_t recursion_misses;	/* program runs skipped because of recursion */
	bool kernel_counts;		/* the kernel has those two */
	uint32_t asked;			/* functions that the globs selected */
	uint32_t attached;
	uint32_t refused;
};

/* Print it; nothing when quiet. */
void ledger_print(const struct ledger *ledger);

#endif
