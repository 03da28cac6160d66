/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Points in time as users write them: "12:30", "12:30:05.25", "2026-01-02",
 * "2026-01-02 12:30:05", "2026-01-02T12:30:05.25+01:00", and "+10s" after a beginning.
 */
#ifndef RETSNOOP_BASE_TEXT_MOMENT_H
#define RETSNOOP_BASE_TEXT_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

struct moment {
	bool given;
	bool relative;		/* ns counts from the beginning */
	bool has_date, has_offset;
	int year, month, day;
	int64_t ns;		/* of the day; after 00:00 */
	int64_t offset_s;	/* east of Greenwich */
	uint64_t precision_ns;	/* unit of the last digit: at most a second; of a date: a day */
};

/* 0; -EINVAL with nothing reported and *ret_moment untouched. */
int moment_parse(const char *text, struct moment *ret_moment);

/**
 * Nanoseconds since the epoch. Without an offset the time is local time (tzset()). Without a date
 * it is on the day of the beginning; if that is over 12 hours before the beginning, on the next
 * day.
 *
 * @begin_ns	since the epoch
 */
int64_t moment_resolve(const struct moment *moment, int64_t begin_ns);

/* The last nanosecond of the moment, as precisely as it was written: a date ends with its day. */
int64_t moment_end(const struct moment *moment, int64_t begin_ns);

#endif
