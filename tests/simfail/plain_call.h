/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

/*
 * Cases that are one system call each, with arguments that are known beforehand. A row of a table
 * says all: the call, and the file it is made on if it takes one (THING in its arguments).
 */
#include <stdint.h>
#include <sys/syscall.h>

#include "simfail.h"

/* What a call is made on. */
enum plain_thing {
	ON_NOTHING,
	ON_NULL, /* /dev/null, open for reading */
	ON_ROOT, /* the root directory */
	ON_PIPE, /* the reading end of a pipe */
	ON_EVENTFD,
	ON_EPOLL,
	ON_INOTIFY,
	ON_TIMERFD,
	ON_MEMFD, /* a file in memory that takes seals */
	ON_SEALED, /* one that must not be written */
	ON_TCP,
	ON_UDP,
	ON_UNIX, /* of type stream */
	ON_NETLINK, /* of the routing family */
	ON_PERF, /* a software event */
	ON_ARRAY, /* a BPF array of one element */
	ON_HASH, /* a BPF hash of one element, empty */
	ON_USER_NS, /* the user namespace that it is in */
};

/* Stands for the file in a call's arguments. */
#define THING (-0x5afa)
#define AT(object) ((long)(uintptr_t)(object))

int plain_call_run(const struct simfail_case *c, struct simfail_run *run);

#define PLAIN(_name, _expected, _summary, _on, _call, ...)                                   \
	{                                                                                    \
		.name = _name, .group = "plain", .expected = _expected, .summary = _summary, \
		.fault = "-", .needs = NEED_PRIVILEGE, .run = plain_call_run,                \
		.call = { _on, __NR_##_call, { __VA_ARGS__ } },                              \
	}
