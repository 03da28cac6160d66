/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the call of a row, on what the row says. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "plain_call.h"

static int open_sealed(void)
{
	int fd = memfd_create("simfail", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd >= 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL)) {
		close(fd);
		return -1;
	}
	return fd;
}

static int open_event(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};

	return syscall(__NR_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int open_map(enum bpf_map_type type)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = 4;
	attr.value_size = 4;
	attr.max_entries = 1;
	return syscall(__NR_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
}

/* The other end of a pipe goes to *ret_other. A negative result is an error in errno. */
static int open_thing(enum plain_thing on, int *ret_other)
{
	int fds[2];

	switch (on) {
	case ON_NOTHING:
		break;
	case ON_NULL:
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	case ON_ROOT:
		return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	case ON_PIPE:
		if (pipe2(fds, O_CLOEXEC | O_NONBLOCK))
			return -1;
		*ret_other = fds[1];
		return fds[0];
	case ON_EVENTFD:
		return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	case ON_EPOLL:
		return epoll_create1(EPOLL_CLOEXEC);
	case ON_INOTIFY:
		return inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	case ON_TIMERFD:
		return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	case ON_MEMFD:
		return memfd_create("simfail", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	case ON_SEALED:
		return open_sealed();
	case ON_TCP:
		return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	case ON_UDP:
		return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	case ON_UNIX:
		return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	case ON_NETLINK:
		return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
	case ON_PERF:
		return open_event();
	case ON_ARRAY:
		return open_map(BPF_MAP_TYPE_ARRAY);
	case ON_HASH:
		return open_map(BPF_MAP_TYPE_HASH);
	case ON_USER_NS:
		return open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
	}
	return -1;
}

int plain_call_run(const struct simfail_case *c, struct simfail_run *run)
{
	_cleanup_(simfail_close) int thing = -1, other = -1;
	long args[6], ret;
	size_t i;

	if (c->call.on != ON_NOTHING) {
		thing = open_thing(c->call.on, &other);
		if (thing < 0)
			return simfail_skip(run, "cannot open what the call is made on: %s",
					    strerror(errno));
	}
	for (i = 0; i < 6; i++)
		args[i] = c->call.args[i] == THING ? thing : c->call.args[i];
	ret = syscall(c->call.nr, args[0], args[1], args[2], args[3], args[4], args[5]);
	return simfail_errno_of(ret);
}
