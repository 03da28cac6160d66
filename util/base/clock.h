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

static inline uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static inline uint64_t ms_since(uint64_t start_ns)
{
	return (now_ns() - start_ns) / NSEC_PER_MSEC;
}

#endif
