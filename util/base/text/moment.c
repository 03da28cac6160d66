// SPDX-License-Identifier: BSD-2-Clause
/* Points in time as users write them. */
#include "util/base/text/moment.h"

#include <errno.h>
#include <time.h>

#include "util/base/units.h"

#define NSEC_PER_DAY (24 * 3600 * (int64_t)NSEC_PER_SEC)
#define LAST_YEAR 2261	/* whose nanoseconds fit 64 bits */

/* Exactly @nr digits, whose number is from @min to @max. */
static bool take_number(const char **text, int nr, int min, int max, int *ret)
{
	int number = 0;

	for (int i = 0; i < nr; i++, (*text)++) {
		if (**text < '0' || **text > '9')
			return false;
		number = number * 10 + (**text - '0');
	}
	if (number < min || number > max)
		return false;
	*ret = number;
	return true;
}

static bool take_char(const char **text, char c)
{
	if (**text != c)
		return false;
	(*text)++;
	return true;
}

/* "2026-01-02" */
static bool take_date(const char **text, struct moment *moment)
{
	struct tm tm = {};

	if (!take_number(text, 4, 1970, LAST_YEAR, &moment->year) || !take_char(text, '-') ||
	    !take_number(text, 2, 1, 12, &moment->month) || !take_char(text, '-') ||
	    !take_number(text, 2, 1, 31, &moment->day))
		return false;
	/* A 31st of February becomes another day. */
	tm.tm_year = moment->year - 1900;
	tm.tm_mon = moment->month - 1;
	tm.tm_mday = moment->day;
	timegm(&tm);
	moment->has_date = true;
	return tm.tm_mday == moment->day;
}

/* ".25": after seconds. */
static bool take_fraction(const char **text, struct moment *moment)
{
	uint64_t digit = NSEC_PER_SEC;
	int number;

	while (digit > 1 && take_number(text, 1, 0, 9, &number)) {
		digit /= 10;
		moment->ns += number * digit;
	}
	moment->precision_ns = digit;
	return digit < NSEC_PER_SEC;
}

/* "12:30", "12:30:05", "12:30:05.25" */
static bool take_time(const char **text, struct moment *moment)
{
	int hours, minutes, seconds;

	if (!take_number(text, 2, 0, 23, &hours) || !take_char(text, ':') ||
	    !take_number(text, 2, 0, 59, &minutes))
		return false;
	moment->ns = (hours * 60ll + minutes) * 60 * (int64_t)NSEC_PER_SEC;
	moment->precision_ns = NSEC_PER_SEC;
	if (!take_char(text, ':'))
		return true;
	if (!take_number(text, 2, 0, 59, &seconds))
		return false;
	moment->ns += seconds * (int64_t)NSEC_PER_SEC;
	return take_char(text, '.') ? take_fraction(text, moment) : true;
}

/* "Z", "+01:00" */
static bool take_offset(const char **text, struct moment *moment)
{
	bool west = **text == '-';
	int hours, minutes;

	moment->has_offset = true;
	if (take_char(text, 'Z'))
		return true;
	if (!take_char(text, west ? '-' : '+') || !take_number(text, 2, 0, 23, &hours) ||
	    !take_char(text, ':') || !take_number(text, 2, 0, 59, &minutes))
		return false;
	moment->offset_s = (hours * 60 + minutes) * (west ? -60 : 60);
	return true;
}

static bool take_moment(const char **text, struct moment *moment)
{
	if ((*text)[0] && (*text)[1] && (*text)[2] == ':')
		return take_time(text, moment);
	if (!take_date(text, moment))
		return false;
	moment->precision_ns = NSEC_PER_DAY;
	if (!**text)
		return true;
	if (!take_char(text, 'T') && !take_char(text, ' '))
		return false;
	return take_time(text, moment) && (!**text || take_offset(text, moment));
}

int moment_parse(const char *text, struct moment *ret_moment)
{
	struct moment moment = { .given = true, .precision_ns = 1 };
	uint64_t ns;

	if (*text == '+') {
		if (parse_duration(text + 1, NSEC_PER_SEC, &ns) || ns > INT64_MAX / 2)
			return -EINVAL;
		moment.relative = true;
		moment.ns = ns;
	} else if (!take_moment(&text, &moment) || *text) {
		return -EINVAL;
	}
	*ret_moment = moment;
	return 0;
}

/*
 * The time of day on the day of @tm: of local time, or of one that is @offset_s ahead of Greenwich.
 * A day may have 23 or 25 hours, so the nanoseconds cannot be added to its beginning.
 */
static int64_t on_day(struct tm tm, const struct moment *moment)
{
	int seconds = moment->ns / (int64_t)NSEC_PER_SEC;
	time_t time;

	tm.tm_hour = seconds / 3600;
	tm.tm_min = seconds / 60 % 60;
	tm.tm_sec = seconds % 60;
	tm.tm_isdst = -1;
	time = moment->has_offset ? timegm(&tm) - moment->offset_s : mktime(&tm);
	return time * (int64_t)NSEC_PER_SEC + moment->ns % (int64_t)NSEC_PER_SEC;
}

int64_t moment_resolve(const struct moment *moment, int64_t begin_ns)
{
	time_t begin = begin_ns / (int64_t)NSEC_PER_SEC;
	struct tm tm;
	int64_t ns;

	if (moment->relative)
		return begin_ns + moment->ns;
	if (moment->has_date) {
		tm = (struct tm){ .tm_year = moment->year - 1900, .tm_mon = moment->month - 1,
				  .tm_mday = moment->day };
		return on_day(tm, moment);
	}
	localtime_r(&begin, &tm);
	ns = on_day(tm, moment);
	if (ns >= begin_ns - NSEC_PER_DAY / 2)
		return ns;
	tm.tm_mday++;
	return on_day(tm, moment);
}

int64_t moment_end(const struct moment *moment, int64_t begin_ns)
{
	struct moment next = *moment;

	if (moment->precision_ns != NSEC_PER_DAY)
		return moment_resolve(moment, begin_ns) + moment->precision_ns - 1;
	next.day++;
	return moment_resolve(&next, begin_ns) - 1;
}
