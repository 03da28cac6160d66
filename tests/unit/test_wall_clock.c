// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
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

TEST(offsets_of_a_time_namespace_are_read)
{
	EXPECT_EQ(0, monotonic_offset_parse(""));
	EXPECT_EQ(0, monotonic_offset_parse("monotonic "));
	EXPECT_EQ(0, monotonic_offset_parse("boottime 5 0\n"));
	EXPECT_EQ(0, monotonic_offset_parse(
			     "monotonic           0         0\nboottime            0         0\n"));
	EXPECT_EQ(100000 * SECOND + 7,
		  monotonic_offset_parse(
			  "monotonic      100000         7\nboottime       20000         0\n"));
	EXPECT_EQ(-3 * SECOND + 500, monotonic_offset_parse("monotonic          -3       500\n"));
}

/* Whether now_ns() is not much later than @from, the time outside. */
static bool is_time_outside(uint64_t from)
{
	uint64_t now = now_ns();

	return now >= from && now < from + 10000 * SECOND;
}

/*
 * Make a time namespace, and look at the time inside it, or in the process that made it, which stays outside.
 * 0: now_ns() is that of outside; 4: no privileges.
 */
static int look_at_time(bool inside)
{
	static const char offsets[] = "monotonic 100000 0\nboottime 200000 0\n";
	uint64_t from = clock_ns(CLOCK_MONOTONIC);
	int status, fd;
	pid_t child;

	if (unshare(CLONE_NEWUSER | CLONE_NEWTIME))
		return 4;
	fd = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, offsets, sizeof(offsets) - 1) < 0)
		return 4;
	close(fd);
	if (!inside)
		return is_time_outside(from) ? 0 : 2;
	child = fork();
	if (!child) {
		if (clock_ns(CLOCK_MONOTONIC) < from + 90000 * SECOND)
			_exit(1);
		_exit(is_time_outside(from) ? 0 : 2);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

static int look_in_a_child(bool inside)
{
	int status = 0;
	pid_t child = fork();

	if (!child)
		_exit(look_at_time(inside));
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return 3;
	return WEXITSTATUS(status);
}

TEST(inside_a_time_namespace_times_are_those_of_bpf)
{
	int found = look_in_a_child(true);

	if (found == 4)
		SKIP(return, "time namespaces cannot be made here");
	EXPECT_EQ(0, found);
}

TEST(outside_a_time_namespace_made_for_children_times_are_those_of_bpf)
{
	int found = look_in_a_child(false);

	if (found == 4)
		SKIP(return, "time namespaces cannot be made here");
	EXPECT_EQ(0, found);
}

TEST_HARNESS_MAIN
