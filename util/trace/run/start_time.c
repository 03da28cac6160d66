// SPDX-License-Identifier: BSD-2-Clause
/* Waiting for a time of day. */
#include "util/trace/run/start_time.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/timerfd.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"

int start_time_check(int64_t at_ns)
{
	int64_t left_ns = at_ns - (int64_t)clock_ns(CLOCK_REALTIME);

	if (left_ns < 0)
		return report(
			-ETIME,
			"--at: attaching took until %lld ms after that time; give a later one",
			(long long)(-left_ns / (int64_t)NSEC_PER_MSEC));
	say(VERBOSITY_NORMAL, "Attached; recording begins in %lld.%lld s.",
	    (long long)(left_ns / (int64_t)NSEC_PER_SEC),
	    (long long)(left_ns % (int64_t)NSEC_PER_SEC / (100 * (int64_t)NSEC_PER_MSEC)));
	return 0;
}

int start_time_wait(int64_t at_ns, int signal_fd)
{
	const struct itimerspec at = { .it_value = { at_ns / (int64_t)NSEC_PER_SEC,
						     at_ns % (int64_t)NSEC_PER_SEC } };
	_cleanup_(close_fd) int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	struct pollfd fds[] = { { .fd = timer, .events = POLLIN },
				{ .fd = signal_fd, .events = POLLIN } };

	/* Setting this clock changes when its absolute timer expires. */
	if (timer < 0 || timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL))
		return report(-errno, "--at: cannot wait for that time: %s", strerror(errno));
	while (poll(fds, 2, -1) < 0) {
		if (errno != EINTR)
			return report(-errno, "--at: cannot wait for that time: %s",
				      strerror(errno));
	}
	return fds[0].revents ? 0 : 1;
}
