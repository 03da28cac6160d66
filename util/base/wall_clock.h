/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The time of day of what CLOCK_MONOTONIC has stamped. How far CLOCK_REALTIME is ahead changes when
 * somebody sets the clock, and while the machine is suspended; so each change is kept with the time
 * it was made at.
 */
#ifndef RETSNOOP_BASE_WALL_CLOCK_H
#define RETSNOOP_BASE_WALL_CLOCK_H

#include <stdint.h>

#include "util/base/vec.h"

struct wall_change {
	uint64_t from_ns;	/* CLOCK_MONOTONIC */
	int64_t offset_ns;	/* CLOCK_REALTIME minus CLOCK_MONOTONIC, from then on */
};

/* Zeroed: monotonic time as such. */
struct wall_clock {
	int64_t offset_ns;	/* before the first change */
	VEC(struct wall_change) changes;	/* oldest first */
};

/* Whether something keeps the clock right (NTP, PTP), as it tells the kernel. */
enum clock_sync {
	CLOCK_SYNC_UNKNOWN,
	CLOCK_SYNC_YES,
	CLOCK_SYNC_NO,
};

/* @ret_error_us	how wrong the clock may be at most; 0: not known */
enum clock_sync wall_clock_sync(uint64_t *ret_error_us);

/* As things stand now. */
struct wall_clock wall_clock_now(void);
/* The same again, with no changes so far. */
void wall_clock_restart(struct wall_clock *clock);
void wall_clock_release(struct wall_clock *clock);

/* CLOCK_REALTIME when CLOCK_MONOTONIC was @ns. @clock NULL: @ns. */
int64_t wall_clock_at(const struct wall_clock *clock, uint64_t ns);

/* Add a change; none if the offset is what it was, to the microsecond. 0; -ENOMEM. */
int wall_clock_change(struct wall_clock *clock, uint64_t from_ns, int64_t offset_ns);

/* Take the offset as of now. A descriptor that can be read from once the clock was set; -errno. */
int wall_clock_watch(struct wall_clock *clock);

/* To be called soon after that: keeps the change. 0; -ENOMEM. */
int wall_clock_update(struct wall_clock *clock, int watch_fd);

#endif
