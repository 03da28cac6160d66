// SPDX-License-Identifier: BSD-2-Clause
/* Noticing changes of CLOCK_REALTIME, and looking them up. */
#include "util/base/wall_clock.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <unistd.h>

#include "util/base/clock.h"

/* Reading two clocks one after the other is not more exact. */
#define SAME_NS 1000

/* A reader of the descriptor that is busy comes back after that long at most. */
#define NOTICE_NS (20 * NSEC_PER_MSEC)

/* A timer that never expires; the kernel clamps it to what it can count to. */
#define NEVER_S INT64_MAX

#define TRIES 4

/* The reading of CLOCK_REALTIME between two of CLOCK_MONOTONIC that are closest to each other. */
static int64_t offset_now(void)
{
	uint64_t best = UINT64_MAX;
	int64_t offset = 0;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = now_ns(), real = clock_ns(CLOCK_REALTIME), after = now_ns();

		if (after - before < best) {
			best = after - before;
			offset = real - (before + best / 2);
		}
	}
	return offset;
}

enum clock_sync wall_clock_sync(uint64_t *ret_error_us)
{
	struct timex timex = {};
	int state = adjtimex(&timex);

	*ret_error_us = 0;
	if (state < 0)
		return CLOCK_SYNC_UNKNOWN;
	if (state == TIME_ERROR || timex.status & STA_UNSYNC)
		return CLOCK_SYNC_NO;
	*ret_error_us = timex.maxerror;
	return CLOCK_SYNC_YES;
}

struct wall_clock wall_clock_now(void)
{
	return (struct wall_clock){ .offset_ns = offset_now() };
}

void wall_clock_restart(struct wall_clock *clock)
{
	clock->changes.len = 0;
	clock->offset_ns = offset_now();
}

void wall_clock_release(struct wall_clock *clock)
{
	vec_release(&clock->changes);
}

int64_t wall_clock_at(const struct wall_clock *clock, uint64_t ns)
{
	if (!clock)
		return ns;
	/* Mostly it is the newest. */
	for (size_t i = clock->changes.len; i-- > 0;) {
		if (clock->changes.data[i].from_ns <= ns)
			return ns + clock->changes.data[i].offset_ns;
	}
	return ns + clock->offset_ns;
}

int wall_clock_change(struct wall_clock *clock, uint64_t from_ns, int64_t offset_ns)
{
	size_t nr = clock->changes.len;
	int64_t before = nr ? clock->changes.data[nr - 1].offset_ns : clock->offset_ns;

	if (llabs(offset_ns - before) < SAME_NS)
		return 0;
	return vec_push(&clock->changes, (struct wall_change){ from_ns, offset_ns });
}

int wall_clock_watch(struct wall_clock *clock)
{
	const struct itimerspec never = { .it_value.tv_sec = NEVER_S };
	int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK), err;

	if (fd < 0)
		return -errno;
	if (timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL)) {
		err = -errno;
		close(fd);
		return err;
	}
	clock->offset_ns = offset_now();
	return fd;
}

int wall_clock_update(struct wall_clock *clock, int watch_fd)
{
	uint64_t expired, now = now_ns();

	/* ECANCELED: that is how it says so. It goes on watching. */
	if (read(watch_fd, &expired, sizeof(expired)) < 0 && errno == EAGAIN)
		return 0;
	return wall_clock_change(clock, now > NOTICE_NS ? now - NOTICE_NS : 0, offset_now());
}
