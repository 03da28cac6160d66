// SPDX-License-Identifier: BSD-2-Clause
/* Numbers with units. */
#include "util/base/units.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/base/macros.h"

/* Digits up to *ret_end; no sign and no white space, which strtoull() would take. */
static int parse_digits(const char *text, uint64_t *ret, const char **ret_end)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	*ret_end = end;
	return errno ? -EINVAL : 0;
}

int parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *ret)
{
	const char *end;
	uint64_t n;

	if (parse_digits(text, &n, &end) || *end || n < min || n > max)
		return -EINVAL;
	*ret = n;
	return 0;
}

int parse_size(const char *text, uint64_t *ret_bytes)
{
	static const char letters[] = "KMGT";
	const char *unit, *letter;
	uint64_t n;
	int shift = 0;

	if (parse_digits(text, &n, &unit))
		return -EINVAL;
	if (*unit) {
		letter = strchr(letters, toupper((unsigned char)*unit));
		if (!letter)
			return -EINVAL;
		unit++;
		if (*unit && strcasecmp(unit, "B") && strcasecmp(unit, "iB"))
			return -EINVAL;
		shift = 10 * (letter - letters + 1);
	}
	if (n > UINT64_MAX >> shift)
		return -EINVAL;
	*ret_bytes = n << shift;
	return 0;
}

static const struct {
	const char *name;
	uint64_t ns;
} time_units[] = {
	{ "ns", 1 },
	{ "us", NSEC_PER_USEC },
	{ "ms", NSEC_PER_MSEC },
	{ "s", NSEC_PER_SEC },
	{ "m", 60 * NSEC_PER_SEC },
	{ "h", 3600 * NSEC_PER_SEC },
};

#define NR_TIME_UNITS (ARRAY_SIZE(time_units))

int parse_duration(const char *text, uint64_t unit_ns, uint64_t *ret_ns)
{
	uint64_t whole, fraction = 0, scale = 1;
	const char *s;

	if (parse_digits(text, &whole, &s))
		return -EINVAL;
	if (*s == '.') {
		if (!isdigit((unsigned char)*++s))
			return -EINVAL;
		/* Nine digits are a nanosecond in a second; the rest does not count. */
		for (; isdigit((unsigned char)*s); s++) {
			if (scale < NSEC_PER_SEC) {
				fraction = fraction * 10 + (*s - '0');
				scale *= 10;
			}
		}
	}
	if (*s) {
		size_t i = 0;

		while (i < NR_TIME_UNITS && strcmp(s, time_units[i].name))
			i++;
		if (i == NR_TIME_UNITS)
			return -EINVAL;
		unit_ns = time_units[i].ns;
	}
	/* Half of the range: room for the fraction, and for adding it to a clock. */
	if (whole > INT64_MAX / unit_ns)
		return -EINVAL;
	*ret_ns = whole * unit_ns + (uint64_t)((__uint128_t)fraction * unit_ns / scale);
	return 0;
}

int parse_bool(const char *text, bool *ret)
{
	static const char *const yes[] = { "true", "yes", "y", "on", "1" };
	static const char *const no[] = { "false", "no", "n", "off", "0" };

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		if (!strcasecmp(text, yes[i]) || !strcasecmp(text, no[i])) {
			*ret = !strcasecmp(text, yes[i]);
			return 0;
		}
	}
	return -EINVAL;
}
