// SPDX-License-Identifier: BSD-2-Clause
/* Durations and times of day as text. */
#include "util/view/parts/times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "util/base/text/units.h"

#define NS_PER_SEC 1000000000ll

void span_add(struct strbuf *sb, uint64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	uint64_t scale = 1, digits, step;
	unsigned int unit = 0;
	int decimals;

	if (ns < 1000) {
		strbuf_addf(sb, "%" PRIu64 "ns", ns);
		return;
	}
	while (unit < 3 && ns / scale >= 1000) {
		scale *= 1000;
		unit++;
	}
	/* Rounding may make four digits of three, and a thousand of a unit. */
	for (;;) {
		decimals = ns / scale < 10 ? 2 : ns / scale < 100 ? 1 : 0;
		step = decimals == 2 ? scale / 100 : decimals == 1 ? scale / 10 : scale;
		digits = ns / step + (ns % step >= step - step / 2);
		if (decimals && digits >= 1000) {
			ns = digits * step;
			continue;
		}
		if (digits < 1000 || unit == 3)
			break;
		ns = digits * step;
		scale *= 1000;
		unit++;
	}
	if (decimals == 2)
		strbuf_addf(sb, "%" PRIu64 ".%02" PRIu64, digits / 100, digits % 100);
	else if (decimals == 1)
		strbuf_addf(sb, "%" PRIu64 ".%" PRIu64, digits / 10, digits % 10);
	else
		strbuf_addf(sb, "%" PRIu64, digits);
	strbuf_addstr(sb, units[unit]);
}

void duration_add(struct strbuf *sb, uint64_t ns, enum durations unit)
{
	if (ns >= NSEC_PER_MSEC && unit == DURATIONS_AUTO)
		span_add(sb, ns);
	else
		strbuf_addf(sb, "%" PRIu64 "us", ns / 1000);
}

void exact_duration_add(struct strbuf *sb, uint64_t ns, enum durations unit)
{
	if (ns >= NSEC_PER_MSEC && unit == DURATIONS_AUTO)
		span_add(sb, ns);
	else
		strbuf_addf(sb, "%" PRIu64 ".%03" PRIu64 "us", ns / 1000, ns % 1000);
}

/* Rounds down, before the epoch too. */
static long split_time(int64_t wall_ns, struct tm *ret_tm)
{
	long rest = wall_ns % NS_PER_SEC;
	time_t seconds = wall_ns / NS_PER_SEC;

	if (rest < 0) {
		rest += NS_PER_SEC;
		seconds--;
	}
	localtime_r(&seconds, ret_tm);
	return rest;
}

void clock_add(struct strbuf *sb, int64_t wall_ns)
{
	struct tm tm;
	long rest = split_time(wall_ns, &tm);

	strbuf_addf(sb, "%02d:%02d:%02d.%06ld", tm.tm_hour, tm.tm_min, tm.tm_sec, rest / 1000);
}

static void add_local(struct strbuf *sb, int64_t wall_ns, const char *format)
{
	char text[64];
	struct tm tm;

	split_time(wall_ns, &tm);
	strftime(text, sizeof(text), format, &tm);
	strbuf_addstr(sb, text);
}

void day_add(struct strbuf *sb, int64_t wall_ns)
{
	add_local(sb, wall_ns, "%Y-%m-%d");
}

void zone_add(struct strbuf *sb, int64_t wall_ns)
{
	struct tm tm;
	long offset;

	split_time(wall_ns, &tm);
	offset = tm.tm_gmtoff / 60;
	strbuf_addf(sb, "%c%02ld:%02ld", offset < 0 ? '-' : '+', labs(offset) / 60, labs(offset) % 60);
}

void day_time_add(struct strbuf *sb, int64_t wall_ns)
{
	add_local(sb, wall_ns, "%Y-%m-%d %H:%M:%S ");
	zone_add(sb, wall_ns);
}

void timestamp_add(struct strbuf *sb, int64_t wall_ns)
{
	struct tm tm;
	long rest = split_time(wall_ns, &tm), offset = tm.tm_gmtoff / 60;

	strbuf_addf(sb, "%04d-%02d-%02dT%02d:%02d:%02d.%09ld%c%02ld:%02ld", tm.tm_year + 1900,
		    tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, rest,
		    offset < 0 ? '-' : '+', labs(offset) / 60, labs(offset) % 60);
}
