/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What recordings themselves tell of wrong clocks. Hosts stamp with their own clocks, so that the order
 * of what several hosts recorded is as right as these. Only what is certain is said: nothing tells
 * how far apart two clocks were that nothing kept right.
 */
#ifndef RETSNOOP_VIEW_LISTS_CLOCK_CHECK_H
#define RETSNOOP_VIEW_LISTS_CLOCK_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/wall_clock.h"
#include "util/kernel/symbols/recorded_kernel.h"

/* Of one recording. Times are in ns since the epoch; 0: not known. */
struct clock_facts {
	const char *name;		/* of the recording */
	const char *host;		/* NULL: not known */
	enum clock_sync sync;
	uint64_t error_us;
	uint8_t boot[BOOT_ID_LEN];	/* all 0: not known */
	int64_t begin_ns, end_ns;	/* of the run; when its last session ended */
	int64_t written_ns;		/* the file, as its system has it */
	int64_t first_offset_ns, last_offset_ns;	/* of struct wall_clock */
	/* The largest step that the clock made meanwhile; 0: none. */
	int64_t step_ns, step_at_ns;
};

/* The step of a clock, from its changes. */
void clock_facts_add_steps(struct clock_facts *facts, const struct wall_clock *clock);

/**
 * @facts	of all recordings; sorted here
 * @now_ns	time of this machine
 * @text	gets one line for each finding
 */
void clock_check(struct clock_facts *facts, size_t nr, int64_t now_ns, struct strbuf *text);

#endif
