// SPDX-License-Identifier: BSD-2-Clause
/* Waiting for a time of day; setting the clock meanwhile is for tests/e2e/cases/at.sh. */
#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "unit.h"

#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/trace/run/start_time.h"

FIXTURE(start)
{
	int signal_fd;
	int64_t now_ns;
};

FIXTURE_SETUP(start)
{
	report_set_verbosity(VERBOSITY_QUIET);
	self->signal_fd = eventfd(0, EFD_CLOEXEC);
	self->now_ns = clock_ns(CLOCK_REALTIME);
}

FIXTURE_TEARDOWN(start)
{
	close(self->signal_fd);
}

TEST_F(start, the_wait_ends_at_the_time_and_not_before)
{
	int64_t at_ns = self->now_ns + 50 * (int64_t)NSEC_PER_MSEC;

	EXPECT_EQ(0, start_time_wait(at_ns, self->signal_fd));
	EXPECT_LE(at_ns, (int64_t)clock_ns(CLOCK_REALTIME));
}

TEST_F(start, a_time_that_came_meanwhile_is_not_waited_for)
{
	EXPECT_EQ(0, start_time_wait(self->now_ns - (int64_t)NSEC_PER_SEC, self->signal_fd));
}

TEST_F(start, a_signal_ends_it)
{
	const uint64_t one = 1;

	ASSERT_EQ(sizeof(one), write(self->signal_fd, &one, sizeof(one)));
	EXPECT_EQ(1, start_time_wait(self->now_ns + 3600 * (int64_t)NSEC_PER_SEC, self->signal_fd));
}

TEST_F(start, attaching_that_took_too_long_is_an_error)
{
	EXPECT_EQ(0, start_time_check(self->now_ns + 3600 * (int64_t)NSEC_PER_SEC));
	EXPECT_EQ(-ETIME, start_time_check(self->now_ns - 1));
}

TEST_HARNESS_MAIN
