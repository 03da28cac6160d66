/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Beginning at a time of day (--at). Hosts with the same --at begin together, as far as their
 * clocks agree: everything is attached before, and one map update starts recording.
 */
#ifndef RETSNOOP_TRACE_RUN_START_TIME_H
#define RETSNOOP_TRACE_RUN_START_TIME_H

#include <stdint.h>

/* Report the time until then. 0; -ETIME it has passed meanwhile (reported). */
int start_time_check(int64_t at_ns);

/**
 * Wait until CLOCK_REALTIME is @at_ns; setting the clock changes the wait.
 *
 * @signal_fd	ends it early when it can be read from
 * @return	0 the time has come; 1 a signal; -errno (reported)
 */
int start_time_wait(int64_t at_ns, int signal_fd);

#endif
