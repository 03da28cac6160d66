/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that succeed, for comparison. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "simfail.h"

CASE(ok_getppid)
{
	return simfail_errno_of(syscall(__NR_getppid));
}

CASE(ok_read)
{
	_cleanup_(simfail_close) int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char byte;

	if (fd < 0)
		return simfail_skip(run, "cannot open /dev/zero: %s", strerror(errno));
	return simfail_errno_of(read(fd, &byte, sizeof(byte)));
}

CASE(long_sleep)
{
	const struct timespec second = { .tv_sec = 1 };

	return simfail_errno_of(nanosleep(&second, NULL));
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_healthy_cases[] = {
	{ .name = "syscall-long-sleep", .group = "syscall", .expected = 0,
	  .summary = "sleep for a second",
	  .fault = "-", .run = long_sleep },
	{ .name = "ok-getppid", .group = "ok", .expected = 0,
	  .summary = "ask for the parent's pid: the cheapest call",
	  .fault = "-", .run = ok_getppid },
	{ .name = "ok-read", .group = "ok", .expected = 0,
	  .summary = "read a byte of /dev/zero",
	  .fault = "-", .run = ok_read },
	{},
};
/* clang-format on */
