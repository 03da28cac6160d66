/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds wrong clocks from the recordings themselves. Hosts use their own clocks, so sessions of
 * several hosts are in the right order only if these clocks are right. Only certain findings are
 * reported: the difference between two unsynchronized clocks is not known.
 */
#ifndef RETSNOOP_VIEW_LISTS_CLOCK_CHECK_H
#define RETSNOOP_VIEW_LISTS_CLOCK_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/wall_clock.h"
#include "util/kernel/symbols/recorded_kernel.h"

/* Facts about one recording. Times are in ns since the epoch; 0: not known. */
struct clock_facts {
	const char *name;		/* of the recording */
	const char *host;		/* NULL: not known */
	enum clock_sync sync;
	uint64_t error_us;
	uint8_t boot[BOOT_ID_LEN];	/* all 0: not known */
	int64_t begin_ns, end_ns;	/* start of the run; end of its last session */
	int64_t written_ns;		/* modification time of the file */
	int64_t first_offset_ns, last_offset_ns;	/* offsets of struct wall_clock */
	/* The largest step of the clock during the run; 0: none. */
	int64_t step_ns, step_at_ns;
};

/* Set the step, from a clock's changes. */
void clock_facts_add_steps(struct clock_facts *facts, const struct wall_clock *clock);

/**
 * @facts	of all recordings; the function sorts them
 * @now_ns	time of this machine
 * @text	one line per finding is appended
 */
void clock_check(struct clock_facts *facts, size_t nr, int64_t now_ns, struct strbuf *text);

#endif
