// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "unit.h"
#include "util/base/text/moment.h"
#include "util/base/units.h"

#define HOUR (3600 * (int64_t)NSEC_PER_SEC)
#define DAY (24 * HOUR)
#define BEGIN (1767355200 * (int64_t)NSEC_PER_SEC)	/* 2026-01-02 12:00 UTC, 13:00 in TZ */

FIXTURE(moment)
{
	struct moment moment;
};

FIXTURE_SETUP(moment)
{
	setenv("TZ", "<+0100>-01:00", 1);
	tzset();
}

FIXTURE_TEARDOWN(moment)
{
}

/* Nanoseconds after BEGIN; INT64_MIN: not a moment. */
static int64_t after(const char *text, int64_t begin)
{
	struct moment moment = {};

	if (moment_parse(text, &moment))
		return INT64_MIN;
	return moment_resolve(&moment, begin) - BEGIN;
}

TEST_F(moment, of_a_day_is_of_the_day_of_the_beginning)
{
	EXPECT_EQ(0, after("13:00", BEGIN));
	EXPECT_EQ(5 * (int64_t)NSEC_PER_SEC + 250000000, after("13:00:05.25", BEGIN));
	EXPECT_EQ(1, after("13:00:00.000000001", BEGIN));
	EXPECT_EQ(-HOUR, after("12:00", BEGIN));
	EXPECT_EQ(10 * HOUR, after("23:00", BEGIN));
}

TEST_F(moment, over_12_hours_before_the_beginning_is_of_the_next_day)
{
	EXPECT_EQ(-12 * HOUR, after("01:00", BEGIN));
	EXPECT_EQ(11 * HOUR + HOUR / 2, after("00:30", BEGIN));
}

TEST_F(moment, with_a_date_is_local_or_has_an_offset)
{
	EXPECT_EQ(-13 * HOUR, after("2026-01-02", BEGIN));
	EXPECT_EQ(DAY, after("2026-01-03 13:00", BEGIN));
	EXPECT_EQ(DAY, after("2026-01-03T13:00:00", BEGIN));
	EXPECT_EQ(0, after("2026-01-02T12:00:00Z", BEGIN));
	EXPECT_EQ(1, after("2026-01-02T10:30:00.000000001-01:30", BEGIN));
}

/* Seconds since the epoch in zone @tz; @begin too. */
static int64_t seconds_in(const char *tz, const char *text, int64_t begin)
{
	setenv("TZ", tz, 1);
	tzset();
	return (after(text, begin * (int64_t)NSEC_PER_SEC) + BEGIN) / (int64_t)NSEC_PER_SEC;
}

TEST_F(moment, is_right_on_days_of_23_and_25_hours)
{
	static const char berlin[] = "CET-1CEST,M3.5.0,M10.5.0/3";
	static const char new_york[] = "EST5EDT,M3.2.0,M11.1.0";

	EXPECT_EQ(1774780200, seconds_in(berlin, "2026-03-29 12:30", 0));
	EXPECT_EQ(1774741800, seconds_in(berlin, "2026-03-29 00:50", 0));
	EXPECT_EQ(1792927800, seconds_in(berlin, "2026-10-25 12:30", 0));
	EXPECT_EQ(1793541600, seconds_in(new_york, "2026-11-01 09:00", 0));
	EXPECT_EQ(1772974800, seconds_in(new_york, "2026-03-08 09:00", 0));
	EXPECT_EQ(1774780200, seconds_in(berlin, "12:30", 1774780000));
	/* The day after began 23 hours after the day before. */
	EXPECT_EQ(1774744200, seconds_in(berlin, "01:30", 1774737000));
	/* With an offset the zone does not count. */
	EXPECT_EQ(1774783800, seconds_in(berlin, "2026-03-29T12:30+01:00", 0));
}

TEST_F(moment, ends_with_the_day_or_the_digit_that_was_written)
{
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	ASSERT_EQ(0, moment_parse("2026-03-29", &self->moment));
	EXPECT_EQ(23 * HOUR - 1,
		  moment_end(&self->moment, BEGIN) - moment_resolve(&self->moment, BEGIN));
	ASSERT_EQ(0, moment_parse("2026-03-31", &self->moment));
	EXPECT_EQ(DAY - 1, moment_end(&self->moment, BEGIN) - moment_resolve(&self->moment, BEGIN));
	ASSERT_EQ(0, moment_parse("12:30:05", &self->moment));
	EXPECT_EQ((int64_t)NSEC_PER_SEC - 1,
		  moment_end(&self->moment, BEGIN) - moment_resolve(&self->moment, BEGIN));
}

TEST_F(moment, may_count_from_the_beginning)
{
	EXPECT_EQ(DAY + 10 * (int64_t)NSEC_PER_SEC, after("+10", BEGIN + DAY));
	EXPECT_EQ(1500000, after("+1.5ms", BEGIN));
}

TEST_F(moment, knows_how_precisely_it_was_written)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} all[] = {
		{ "2026-01-02", DAY },	     { "12:00", NSEC_PER_SEC },
		{ "12:00:01", NSEC_PER_SEC }, { "12:00:01.25", 10000000 },
		{ "12:00:01.000000001", 1 },  { "+5", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		EXPECT_EQ(0, moment_parse(all[i].text, &self->moment));
		EXPECT_EQ(all[i].ns, self->moment.precision_ns) TH_LOG("'%s'", all[i].text);
	}
}

TEST_F(moment, is_refused_when_it_is_none)
{
	static const char *const bad[] = {
		"", "now", "12", "12:", "12:3", "24:00", "12:60", "12:00:60", "12:00:00.", "12:30.5",
		"1:00", "12:00 ", " 12:00", "12:00:00.0000000001", "2026", "2026-13-01",
		"2026-02-29", "2026-01-02 ", "2026-01-02T", "2026-01-0212:00", "2026-01-02 12:00x",
		"2026-01-02T12:00+1", "2026-01-02T12:00+01:00x", "2262-01-01", "1969-12-31", "+",
		"-5s", "+-5s", "+x", "12:00Z",
	};

	self->moment.year = 77;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, moment_parse(bad[i], &self->moment)) TH_LOG("'%s'", bad[i]);
	}
	EXPECT_EQ(77, self->moment.year);
}

TEST_HARNESS_MAIN
