// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "unit.h"
#include "util/base/units.h"

TEST(numbers)
{
	uint64_t n = 77;

	EXPECT_EQ(0, parse_number("0", 0, 10, &n));
	EXPECT_EQ(0, n);
	EXPECT_EQ(0, parse_number("10", 0, 10, &n));
	EXPECT_EQ(10, n);
	EXPECT_EQ(0, parse_number("18446744073709551615", 0, UINT64_MAX, &n));
	EXPECT_EQ(UINT64_MAX, n);
}

TEST(what_is_no_number_leaves_the_result_alone)
{
	static const char *const bad[] = { "", "-1", "+1", " 1", "1 ", "0x10", "1e3", "11", "1.0",
					   "18446744073709551616", "ten" };
	uint64_t n = 77;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, parse_number(bad[i], 0, 10, &n)) TH_LOG("'%s'", bad[i]);
	}
	EXPECT_EQ(77, n);
}

static uint64_t size(const char *text)
{
	uint64_t n;

	return parse_size(text, &n) ? UINT64_MAX : n;
}

TEST(sizes_take_units_of_1024)
{
	EXPECT_EQ(65536, size("65536"));
	EXPECT_EQ(64 << 10, size("64K"));
	EXPECT_EQ(64 << 10, size("64k"));
	EXPECT_EQ(8 << 20, size("8M"));
	EXPECT_EQ(8 << 20, size("8MB"));
	EXPECT_EQ(8 << 20, size("8MiB"));
	EXPECT_EQ(1ull << 30, size("1G"));
	EXPECT_EQ(2ull << 40, size("2T"));
	EXPECT_EQ(0, size("0"));
}

TEST(what_is_no_size_is_refused)
{
	static const char *const bad[] = { "", "M", "-1M", "1.5M", "1MM", "1X", "1 M", "1Mi",
					   "18014398509481984K", "99999999T" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(UINT64_MAX, size(bad[i])) TH_LOG("'%s'", bad[i]);
	}
	EXPECT_EQ(UINT64_MAX - 1023, size("18014398509481983K"));
}

static uint64_t ms(const char *text)
{
	uint64_t n;

	return parse_duration(text, NSEC_PER_MSEC, &n) ? UINT64_MAX : n;
}

TEST(durations_take_units)
{
	EXPECT_EQ(5 * NSEC_PER_MSEC, ms("5"));
	EXPECT_EQ(0, ms("0"));
	EXPECT_EQ(10, ms("10ns"));
	EXPECT_EQ(20 * NSEC_PER_USEC, ms("20us"));
	EXPECT_EQ(NSEC_PER_MSEC, ms("1ms"));
	EXPECT_EQ(3 * NSEC_PER_SEC, ms("3s"));
	EXPECT_EQ(120 * NSEC_PER_SEC, ms("2m"));
	EXPECT_EQ(3600 * NSEC_PER_SEC, ms("1h"));
}

TEST(durations_have_fractions)
{
	EXPECT_EQ(1500 * NSEC_PER_USEC, ms("1.5"));
	EXPECT_EQ(250 * NSEC_PER_USEC, ms("0.25ms"));
	EXPECT_EQ(90 * NSEC_PER_SEC, ms("1.5m"));
	EXPECT_EQ(1, ms("0.000000001s"));
	EXPECT_EQ(1, ms("0.00000000100000000000000000000000001s"));
	EXPECT_EQ(0, ms("0.5ns"));
}

TEST(what_is_no_duration_is_refused)
{
	static const char *const bad[] = { "", "s", "-1", "1.", ".5", "1x", "1 s", "1S", "1e3",
					   "1.5.5", "18446744073709551615", "106751991167h" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(UINT64_MAX, ms(bad[i])) TH_LOG("'%s'", bad[i]);
	}
}

TEST(switches)
{
	static const char *const yes[] = { "true", "yes", "y", "on", "1", "Yes", "TRUE" };
	static const char *const no[] = { "false", "no", "n", "off", "0", "No", "OFF" };
	static const char *const bad[] = { "2", "", "ye", "yess", "t", "-1", "00", " y" };
	bool on;

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		on = false;
		EXPECT_EQ(0, parse_bool(yes[i], &on)) TH_LOG("'%s'", yes[i]);
		EXPECT_TRUE(on) TH_LOG("'%s'", yes[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(no); i++) {
		on = true;
		EXPECT_EQ(0, parse_bool(no[i], &on)) TH_LOG("'%s'", no[i]);
		EXPECT_FALSE(on) TH_LOG("'%s'", no[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, parse_bool(bad[i], &on)) TH_LOG("'%s'", bad[i]);
	}
}

TEST_HARNESS_MAIN
