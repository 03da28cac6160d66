// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"
#include "util/base/search.h"

static const int sorted[] = { 2, 4, 4, 4, 9 };

TEST(bisect_finds_where_a_condition_ends)
{
	/* Of each number: how many are less, and how many are no more. */
	static const size_t less[] = { 0, 0, 0, 1, 1, 4, 4, 4, 4, 4, 5 };
	static const size_t no_more[] = { 0, 0, 1, 1, 4, 4, 4, 4, 4, 5, 5 };

	for (int n = 0; n <= 10; n++) {
		EXPECT_EQ(less[n], bisect(i, 5, sorted[i] < n));
		EXPECT_EQ(no_more[n], bisect(i, 5, sorted[i] <= n));
	}
}

TEST(bisect_looks_at_nothing_of_nothing)
{
	int looks = 0;

	EXPECT_EQ(0, bisect(i, 0, (looks++, i == 0)));
	EXPECT_EQ(0, looks);
}

TEST(bisect_looks_at_few)
{
	int looks = 0;

	EXPECT_EQ(777, bisect(i, 1 << 20, (looks++, i < 777)));
	EXPECT_LE(looks, 21);
}

TEST_HARNESS_MAIN
