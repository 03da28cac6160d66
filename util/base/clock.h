/* SPDX-License-Identifier: BSD-2-Clause */
/* Clocks. */
#ifndef RETSNOOP_BASE_CLOCK_H
#define RETSNOOP_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MSEC 1000000ull

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* What a time namespace adds to CLOCK_MONOTONIC; 0 in the initial one. */
int64_t monotonic_offset_ns(void);
/* The same, from the content of /proc/PID/timens_offsets. */
int64_t monotonic_offset_parse(const char *text);

/*
 * CLOCK_MONOTONIC of the initial time namespace, which BPF's timestamps are of. Deadlines for system
 * calls need clock_ns(CLOCK_MONOTONIC) instead.
 */
static inline uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC) - monotonic_offset_ns();
}

static inline uint64_t ms_since(uint64_t start_ns)
{
	return (now_ns() - start_ns) / NSEC_PER_MSEC;
}

#endif
