// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"

#include <poll.h>
#include <unistd.h>

#include "util/base/clock.h"
#include "util/base/wall_clock.h"

#define SECOND 1000000000ll

TEST(a_time_has_the_offset_that_was_in_force)
{
	struct wall_clock clock = { .offset_ns = 100 * SECOND };

	EXPECT_EQ(103 * SECOND, wall_clock_at(&clock, 3 * SECOND));
	ASSERT_EQ(0, wall_clock_change(&clock, 10 * SECOND, 50 * SECOND));
	ASSERT_EQ(0, wall_clock_change(&clock, 20 * SECOND, 500 * SECOND));
	EXPECT_EQ(103 * SECOND, wall_clock_at(&clock, 3 * SECOND));
	EXPECT_EQ(110 * SECOND - 1, wall_clock_at(&clock, 10 * SECOND - 1));
	EXPECT_EQ(60 * SECOND, wall_clock_at(&clock, 10 * SECOND));
	EXPECT_EQ(69 * SECOND, wall_clock_at(&clock, 19 * SECOND));
	EXPECT_EQ(521 * SECOND, wall_clock_at(&clock, 21 * SECOND));
	wall_clock_release(&clock);
}

TEST(without_a_clock_times_are_as_they_are)
{
	EXPECT_EQ(7, wall_clock_at(NULL, 7));
}

TEST(a_clock_that_was_set_to_what_it_was_has_not_changed)
{
	struct wall_clock clock = { .offset_ns = 100 * SECOND };

	ASSERT_EQ(0, wall_clock_change(&clock, 10 * SECOND, 100 * SECOND + 900));
	EXPECT_EQ(0, clock.changes.len);
	ASSERT_EQ(0, wall_clock_change(&clock, 10 * SECOND, 100 * SECOND + 1000));
	EXPECT_EQ(1, clock.changes.len);
	ASSERT_EQ(0, wall_clock_change(&clock, 11 * SECOND, 100 * SECOND + 1000));
	EXPECT_EQ(1, clock.changes.len);
	wall_clock_release(&clock);
}

TEST(now_is_between_the_same_time_before_and_after)
{
	int64_t before = clock_ns(CLOCK_REALTIME);
	struct wall_clock clock = wall_clock_now();
	int64_t now = wall_clock_at(&clock, now_ns());

	EXPECT_GE(now, before - 1000000);
	EXPECT_LE(now, (int64_t)clock_ns(CLOCK_REALTIME) + 1000000);
}

TEST(nothing_is_heard_while_nobody_sets_the_clock)
{
	struct wall_clock clock = {};
	int fd = wall_clock_watch(&clock);
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	ASSERT_GE(fd, 0);
	EXPECT_NE(0, clock.offset_ns);
	EXPECT_EQ(0, poll(&poll_fd, 1, 0));
	EXPECT_EQ(0, wall_clock_update(&clock, fd));
	EXPECT_EQ(0, clock.changes.len);
	close(fd);
	wall_clock_release(&clock);
}

TEST_HARNESS_MAIN
