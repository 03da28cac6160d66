/* SPDX-License-Identifier: BSD-2-Clause */
/* Perf events and keys. */
#define _GNU_SOURCE 1
#include <linux/hw_breakpoint.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "simfail.h"

static int try_perf(struct perf_event_attr *attr)
{
	_cleanup_(simfail_close) int fd = -1;

	attr->size = sizeof(*attr);
	attr->exclude_kernel = 1;
	fd = syscall(__NR_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return simfail_errno_of(fd);
}

CASE(perf_bad_breakpoint)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&attr,
		.bp_len = 99,
	};

	return try_perf(&attr);
}

CASE(perf_bad_event)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = 0x5afa };

	return try_perf(&attr);
}

CASE(key_missing)
{
	return simfail_errno_of(syscall(__NR_keyctl, KEYCTL_DESCRIBE, 0x7ffffff0, NULL, 0, 0));
}

CASE(key_request)
{
	return simfail_errno_of(syscall(__NR_request_key, "user", "simfail:no-such-key", NULL, 0));
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_perf_key_cases[] = {
	{ .name = "perf-bad-breakpoint", .group = "perf", .expected = EINVAL,
	  .summary = "open a perf breakpoint of an impossible length",
	  .fault = "hw_breakpoint_arch_parse", .needs = NEED_PRIVILEGE, .run = perf_bad_breakpoint },
	/*
	 * Up to 6.1 every PMU is asked and says ENOENT, perf_swevent_init being the one that knows;
	 * 5.10 can trace none of them but hw_breakpoint_event_init.
	 */
	{ .name = "perf-bad-event", .group = "perf", .expected = ENOENT,
	  .summary = "open a software perf event that does not exist",
	  .fault = "hw_breakpoint_event_init|perf_swevent_init", .needs = NEED_PRIVILEGE,
	  .run = perf_bad_event },
	{ .name = "key-missing", .group = "key", .expected = ENOKEY,
	  .summary = "describe a key that does not exist",
	  .fault = "key_lookup", .run = key_missing },
	{ .name = "key-request", .group = "key", .expected = ENOKEY,
	  .summary = "request a key that does not exist",
	  .fault = "request_key_and_link", .from = "search_process_keyrings_rcu=EAGAIN",
	  .run = key_request },
	{},
};
/* clang-format on */
