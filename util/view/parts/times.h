/* SPDX-License-Identifier: BSD-2-Clause */
/* Durations and times of day as text. */
#ifndef RETSNOOP_VIEW_PARTS_TIMES_H
#define RETSNOOP_VIEW_PARTS_TIMES_H

#include <stdint.h>

#include "util/ask/request.h"
#include "util/base/strbuf.h"

/* Three digits and a unit: "7ns", "1.23us", "45.6ms", "789s"; from 1000 s on, all seconds. */
void span_add(struct strbuf *sb, uint64_t ns);

/* "73us"; from a millisecond on as span_add(), unless @unit is microseconds. */
void duration_add(struct strbuf *sb, uint64_t ns, enum durations unit);

/* "73.026us": not rounded, also for longer times. */
void exact_duration_add(struct strbuf *sb, uint64_t ns, enum durations unit);

/* "20:19:36.372607", local time; @wall_ns since the epoch. */
void clock_add(struct strbuf *sb, int64_t wall_ns);

/* "2026-01-02", local time. */
void day_add(struct strbuf *sb, int64_t wall_ns);

/* "+01:00": the offset of local time at that moment. */
void zone_add(struct strbuf *sb, int64_t wall_ns);

/* "2026-01-02 20:19:36 +01:00" */
void day_time_add(struct strbuf *sb, int64_t wall_ns);

/* "2026-01-02T20:19:36.372607123+01:00", local time with its offset (RFC 3339). */
void timestamp_add(struct strbuf *sb, int64_t wall_ns);

#endif
