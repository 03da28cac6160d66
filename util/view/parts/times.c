// SPDX-License-Identifier: BSD-2-Clause
/* Durations and times of day as text. */
#include "util/view/parts/times.h"

#include <stdlib.h>
#include <time.h>

#include "util/base/units.h"

#define NS_PER_SEC 1000000000ll

/* Append @value / @one with @decimals decimals. */
static void add_decimals(struct strbuf *sb, uint64_t value, unsigned int one, int decimals)
{
	strbuf_adduint(sb, value / one);
	strbuf_addch(sb, '.');
	strbuf_adduint_wide(sb, value % one, decimals);
}

void span_add(struct strbuf *sb, uint64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	uint64_t scale = 1, digits, step;
	unsigned int unit = 0;
	int decimals;

	if (ns < 1000) {
		strbuf_adduint(sb, ns);
		strbuf_addstr(sb, "ns");
		return;
	}
	while (unit < 3 && ns / scale >= 1000) {
		scale *= 1000;
		unit++;
	}
	/* Rounding may turn three digits into four, and the next unit begins. */
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
	if (decimals)
		add_decimals(sb, digits, decimals == 2 ? 100 : 10, decimals);
	else
		strbuf_adduint(sb, digits);
	strbuf_addstr(sb, units[unit]);
}

void duration_add(struct strbuf *sb, uint64_t ns, enum durations unit)
{
	if (ns >= NSEC_PER_MSEC && unit == DURATIONS_AUTO) {
		span_add(sb, ns);
		return;
	}
	strbuf_adduint(sb, ns / 1000);
	strbuf_addstr(sb, "us");
}

void exact_duration_add(struct strbuf *sb, uint64_t ns, enum durations unit)
{
	if (ns >= NSEC_PER_MSEC && unit == DURATIONS_AUTO) {
		span_add(sb, ns);
		return;
	}
	add_decimals(sb, ns, 1000, 3);
	strbuf_addstr(sb, "us");
}

/* Round down, also before the epoch. */
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

/* "14:03:07." */
static void add_time(struct strbuf *sb, const struct tm *tm)
{
	strbuf_adduint_wide(sb, tm->tm_hour, 2);
	strbuf_addch(sb, ':');
	strbuf_adduint_wide(sb, tm->tm_min, 2);
	strbuf_addch(sb, ':');
	strbuf_adduint_wide(sb, tm->tm_sec, 2);
	strbuf_addch(sb, '.');
}

/* "+02:00" */
static void add_zone(struct strbuf *sb, const struct tm *tm)
{
	long minutes = tm->tm_gmtoff / 60;

	strbuf_addch(sb, minutes < 0 ? '-' : '+');
	strbuf_adduint_wide(sb, labs(minutes) / 60, 2);
	strbuf_addch(sb, ':');
	strbuf_adduint_wide(sb, labs(minutes) % 60, 2);
}

void clock_add(struct strbuf *sb, int64_t wall_ns)
{
	struct tm tm;
	long rest = split_time(wall_ns, &tm);

	add_time(sb, &tm);
	strbuf_adduint_wide(sb, rest / 1000, 6);
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

	split_time(wall_ns, &tm);
	add_zone(sb, &tm);
}

void day_time_add(struct strbuf *sb, int64_t wall_ns)
{
	add_local(sb, wall_ns, "%Y-%m-%d %H:%M:%S ");
	zone_add(sb, wall_ns);
}

void timestamp_add(struct strbuf *sb, int64_t wall_ns)
{
	struct tm tm;
	long rest = split_time(wall_ns, &tm);

	strbuf_adduint_wide(sb, tm.tm_year + 1900, 4);
	strbuf_addch(sb, '-');
	strbuf_adduint_wide(sb, tm.tm_mon + 1, 2);
	strbuf_addch(sb, '-');
	strbuf_adduint_wide(sb, tm.tm_mday, 2);
	strbuf_addch(sb, 'T');
	add_time(sb, &tm);
	strbuf_adduint_wide(sb, rest, 9);
	add_zone(sb, &tm);
}
