/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Converts the CLOCK_MONOTONIC of now_ns() and BPF to the time of day. The offset of CLOCK_REALTIME
 * changes when the clock is set, and while the machine is suspended; so each change is kept with its time.
 */
#ifndef RETSNOOP_BASE_WALL_CLOCK_H
#define RETSNOOP_BASE_WALL_CLOCK_H

#include <stdint.h>

#include "util/base/vec.h"

struct wall_change {
	uint64_t from_ns;	/* CLOCK_MONOTONIC */
	int64_t offset_ns;	/* CLOCK_REALTIME minus CLOCK_MONOTONIC, from then on */
};

/* Zeroed: monotonic time is not changed. */
struct wall_clock {
	int64_t offset_ns;	/* before the first change */
	VEC(struct wall_change) changes;	/* oldest first */
};

/* Whether a program keeps the clock synchronized (NTP, PTP), according to the kernel. */
enum clock_sync {
	CLOCK_SYNC_UNKNOWN,
	CLOCK_SYNC_YES,
	CLOCK_SYNC_NO,
};

/* @ret_error_us	maximum error of the clock; 0: not known */
enum clock_sync wall_clock_sync(uint64_t *ret_error_us);

/* The present offset, without changes. */
struct wall_clock wall_clock_now(void);
/* Begin again with the present offset, without changes. */
void wall_clock_restart(struct wall_clock *clock);
void wall_clock_release(struct wall_clock *clock);

/* CLOCK_REALTIME when CLOCK_MONOTONIC was @ns. @clock NULL: @ns. */
int64_t wall_clock_at(const struct wall_clock *clock, uint64_t ns);

/* Add a change, unless the offset differs by less than a microsecond. 0; -ENOMEM. */
int wall_clock_change(struct wall_clock *clock, uint64_t from_ns, int64_t offset_ns);

/*
 * Take the present offset. Returns a descriptor that becomes readable when the clock is set;
 * -errno.
 */
int wall_clock_watch(struct wall_clock *clock);

/* Call it when the descriptor is readable: keeps the change. 0; -ENOMEM. */
int wall_clock_update(struct wall_clock *clock, int watch_fd);

#endif
