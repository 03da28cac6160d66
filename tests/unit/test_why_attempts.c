// SPDX-License-Identifier: BSD-2-Clause
/* Failures of calls by which programs find out what they have to do without. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/macros.h"
#include "util/why/watch/expected.h"
#include "util/why/watch/failed_calls.h"
#include "util/why/watch/messages.h"

#include "tests/unit/unit.h"

static struct watch_event failure(uint32_t nr, int err, uint32_t argument, uint64_t value)
{
	struct watch_event event = { .kind = WATCH_FAILED, .pid = 10, .tid = 10, .nr = nr, .result = -err,
				     .comm = "program" };

	event.args[argument] = value;
	return event;
}

static void add(struct failed_calls *calls, struct watch_event event)
{
	if (failed_calls_add(calls, &event))
		abort();
}

static void ends(struct failed_calls *calls, const char *text)
{
	struct watch_event event = { .kind = text ? WATCH_WROTE : WATCH_EXITED, .pid = 10, .tid = 10,
				     .comm = "program" };

	snprintf(event.said, sizeof(event.said), "%s", text ?: "");
	add(calls, event);
}

/* The chosen one's system call; -1: none. Without a text, the program exits with a status other than 0. */
static int chosen(const struct watch_event *events, size_t len, const char *text)
{
	static const struct call_choice any;
	struct failed_calls calls = {};
	enum chosen_by chosen_by;
	int index, nr;

	for (size_t i = 0; i < len; i++)
		add(&calls, events[i]);
	ends(&calls, text);
	failed_calls_group(&calls, &call_numbers);
	index = failed_calls_choose(&calls, &any, &chosen_by);
	nr = index < 0 ? -1 : (int)calls.v.data[index].event.nr;
	failed_calls_release(&calls);
	return nr;
}

/* As Python, which describes its socket as it goes away. */
TEST(what_was_attempted_after_the_message_does_not_explain_it)
{
	struct failed_calls calls = {};
	static const struct call_choice any;
	enum chosen_by chosen_by;

	add(&calls, failure(SYS_connect, EINPROGRESS, 0, 3));
	ends(&calls, "TimeoutError: timed out\n");
	add(&calls, failure(SYS_getpeername, ENOTCONN, 0, 3));
	ends(&calls, NULL);
	failed_calls_group(&calls, &call_numbers);
	EXPECT_EQ(-ENOENT, failed_calls_choose(&calls, &any, &chosen_by));
	add(&calls, failure(SYS_mkdirat, EEXIST, 1, 0));
	ends(&calls, NULL);
	failed_calls_group(&calls, &call_numbers);
	EXPECT_LE(0, failed_calls_choose(&calls, &any, &chosen_by));
	EXPECT_EQ(CHOICE_STATUS, chosen_by);
	EXPECT_TRUE(messages_exist(&calls.events, 10));
	EXPECT_FALSE(messages_exist(&calls.events, 11));
	failed_calls_release(&calls);
}

static bool is_awaited(const struct watch_event *event)
{
	static const struct call_choice next = { .next = true };
	struct failed_calls calls = {};

	return failed_calls_is_wanted(&calls, event, &next, &call_numbers);
}

/* As postgres with huge_pages=try, and with huge_pages=on. */
TEST(huge_pages_are_attempted)
{
	struct watch_event events[] = {
		failure(SYS_bind, EADDRINUSE, 0, 3),
		failure(SYS_mmap, ENOMEM, 3, MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB),
	};

	EXPECT_FALSE(is_awaited(&events[1]));
	EXPECT_TRUE(is_awaited(&events[0]));
	EXPECT_EQ(SYS_bind, chosen(events, 2, NULL));
	EXPECT_EQ(SYS_bind, chosen(events, 2, "cannot start\n"));
	EXPECT_EQ(SYS_mmap, chosen(events, 2, "FATAL: could not map shared memory: Cannot allocate memory\n"));
	/* Better than none. */
	EXPECT_EQ(SYS_mmap, chosen(events + 1, 1, NULL));
	EXPECT_EQ(SYS_mmap, chosen(events + 1, 1, "cannot start\n"));
	events[1].args[3] = MAP_SHARED | MAP_ANONYMOUS;
	EXPECT_TRUE(is_awaited(&events[1]));
	EXPECT_EQ(SYS_mmap, chosen(events, 2, NULL));
}

/* The C library's start on Ubuntu, cp(1) on ext4, loops for events, servers on UNIX sockets. */
TEST(programs_do_without)
{
	const struct watch_event events[] = {
		failure(SYS_rseq, EINVAL, 0, 0),
		failure(SYS_madvise, EINVAL, 2, 25),
		failure(SYS_ioctl, EOPNOTSUPP, 1, FICLONE),
		failure(SYS_copy_file_range, EXDEV, 0, 3),
		failure(SYS_lseek, ENXIO, 2, SEEK_DATA),
		failure(SYS_lseek, ESPIPE, 2, SEEK_END),
		failure(SYS_epoll_ctl, EEXIST, 1, EPOLL_CTL_ADD),
		failure(SYS_epoll_ctl, ENOENT, 1, 0xdead00000000 | EPOLL_CTL_MOD),
		failure(SYS_setsockopt, EOPNOTSUPP, 1, IPPROTO_TCP),
		failure(SYS_getpeername, ENOTCONN, 0, 0),
		failure(SYS_shutdown, ENOTCONN, 0, 3),
		failure(SYS_socket, EAFNOSUPPORT, 0, AF_INET6),
		failure(SYS_seccomp, EFAULT, 2, 0),
		failure(SYS_pkey_alloc, ENOSPC, 0, 0),
		failure(SYS_fcntl, EBADF, 1, F_SETFD),
		failure(SYS_io_uring_setup, EPERM, 0, 64),
		failure(SYS_openat, EPERM, 2, O_RDONLY | O_NOATIME),
		failure(SYS_openat, EOPNOTSUPP, 2, O_RDWR | O_TMPFILE),
	};

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		EXPECT_FALSE(is_awaited(&events[i]));
		EXPECT_TRUE(expected_is_attempt(&events[i], &call_numbers));
	}
}

TEST(other_failures_of_the_same_calls_are_failures)
{
	struct watch_event events[] = {
		failure(SYS_ioctl, EINVAL, 1, BLKROGET),
		failure(SYS_epoll_ctl, EBADF, 1, EPOLL_CTL_ADD),
		failure(SYS_epoll_ctl, ENOSPC, 1, EPOLL_CTL_ADD),
		failure(SYS_setsockopt, ENOPROTOOPT, 1, IPPROTO_IP),
		failure(SYS_getpeername, EBADF, 0, 0),
		failure(SYS_seccomp, EINVAL, 2, 0x7fff0000),
		failure(SYS_openat, EPERM, 2, O_RDWR),
		failure(SYS_openat, EOPNOTSUPP, 2, O_RDONLY | O_DIRECTORY),
		failure(SYS_mmap, EINVAL, 3, MAP_PRIVATE),
	};

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		EXPECT_TRUE(is_awaited(&events[i]));
	/* Calls of 32-bit programs and requests through io_uring have other numbers. */
	events[0] = failure(SYS_rseq, EINVAL, 0, 0);
	events[0].compat = 1;
	EXPECT_TRUE(is_awaited(&events[0]));
}

static struct watch_event connects(sa_family_t family, int err)
{
	struct watch_event event = failure(SYS_connect, err, 0, 3);

	memcpy(event.strings[1], &family, sizeof(family));
	event.address = 2;
	event.address_size = family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	return event;
}

/* Of a name with addresses of both kinds, where the network has no IPv6. */
TEST(an_address_that_cannot_be_reached_is_not_the_only_one)
{
	const struct watch_event events[] = { connects(AF_INET, ECONNREFUSED), connects(AF_INET6, ENETUNREACH) };
	struct watch_event event = connects(AF_INET, ENETUNREACH);

	EXPECT_FALSE(is_awaited(&events[1]));
	EXPECT_TRUE(is_awaited(&event));
	EXPECT_EQ(SYS_connect, chosen(events, 2, NULL));
	EXPECT_TRUE(expected_is_attempt(&events[1], &call_numbers));
	EXPECT_FALSE(expected_is_attempt(&events[0], &call_numbers));
}

TEST_HARNESS_MAIN
