/* SPDX-License-Identifier: BSD-2-Clause */
/* Sockets, of the internet and of the machine. */
#define _GNU_SOURCE 1
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "simfail.h"

static int open_socket(int domain, int type, int *ret_fd, struct simfail_run *run)
{
	int fd = socket(domain, type | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return simfail_skip(run, "cannot make a socket: %s", strerror(errno));
	*ret_fd = fd;
	return 0;
}

/* Bind to a port the kernel picks and leave its number in addr. */
static int bind_any_port(int fd, struct sockaddr_in *addr, struct simfail_run *run)
{
	socklen_t len = sizeof(*addr);

	if (bind(fd, (struct sockaddr *)addr, len) ||
	    getsockname(fd, (struct sockaddr *)addr, &len))
		return simfail_skip(run, "cannot bind to a TCP port (is lo up?): %s",
				    strerror(errno));
	return 0;
}

CASE(connect_refused)
{
	struct sockaddr_in addr = { AF_INET, 0, { htonl(INADDR_LOOPBACK) }, {} };
	_cleanup_(simfail_close) int owner = -1, fd = -1;
	int err;

	/* a port that is taken but not listened on: nobody else can come and listen */
	err = open_socket(AF_INET, SOCK_STREAM, &owner, run) ?:
	      open_socket(AF_INET, SOCK_STREAM, &fd, run) ?:
	      bind_any_port(owner, &addr, run);
	if (err)
		return err;
	err = simfail_errno_of(connect(fd, (struct sockaddr *)&addr, sizeof(addr)));
	return err == ENETUNREACH ? simfail_skip(run, "loopback is down") : err;
}

/* As programs do that wait for several sockets: each call succeeds, and the last one has the error. */
CASE(late_refusal)
{
	struct sockaddr_in addr = { AF_INET, 0, { htonl(INADDR_LOOPBACK) }, {} };
	_cleanup_(simfail_close) int owner = -1, fd = -1;
	struct pollfd ready = { .events = POLLOUT };
	socklen_t len = sizeof(int);
	int refusal = 0, err;

	err = open_socket(AF_INET, SOCK_STREAM, &owner, run) ?:
	      open_socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, &fd, run) ?:
	      bind_any_port(owner, &addr, run);
	if (err)
		return err;
	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)) && errno != EINPROGRESS)
		return errno == ENETUNREACH ? simfail_skip(run, "loopback is down") : errno;
	ready.fd = fd;
	poll(&ready, 1, -1);
	err = simfail_errno_of(getsockopt(fd, SOL_SOCKET, SO_ERROR, &refusal, &len));
	return err ?: refusal == ECONNREFUSED ? 0 : ENOTCONN;
}

CASE(unix_refused)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	_cleanup_(simfail_close) int fd = -1;
	int len, err;

	err = open_socket(AF_UNIX, SOCK_STREAM, &fd, run);
	if (err)
		return err;
	/* an abstract name: starts with a null byte */
	len = snprintf(addr.sun_path + 1, sizeof(addr.sun_path) - 1, "simfail-%d", getpid());
	return simfail_errno_of(connect(fd, (struct sockaddr *)&addr,
					offsetof(struct sockaddr_un, sun_path) + 1 + len));
}

CASE(unix_not_connected)
{
	struct sockaddr_un addr;
	_cleanup_(simfail_close) int fd = -1;
	socklen_t len = sizeof(addr);

	return open_socket(AF_UNIX, SOCK_STREAM, &fd, run) ?:
	       simfail_errno_of(getpeername(fd, (struct sockaddr *)&addr, &len));
}

CASE(bind_in_use)
{
	struct sockaddr_in addr = { AF_INET, 0, { htonl(INADDR_ANY) }, {} };
	_cleanup_(simfail_close) int owner = -1, fd = -1;

	return open_socket(AF_INET, SOCK_STREAM, &owner, run) ?:
	       open_socket(AF_INET, SOCK_STREAM, &fd, run) ?:
	       bind_any_port(owner, &addr, run) ?:
	       simfail_errno_of(bind(fd, (struct sockaddr *)&addr, sizeof(addr)));
}

CASE(bad_family)
{
	return simfail_errno_of(socket(255, SOCK_STREAM, 0));
}

CASE(bad_sockopt)
{
	_cleanup_(simfail_close) int fd = -1;
	int value = 1;

	return open_socket(AF_INET, SOCK_STREAM, &fd, run) ?:
	       simfail_errno_of(setsockopt(fd, SOL_SOCKET, 0x5afa, &value, sizeof(value)));
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_socket_cases[] = {
	{ .name = "net-connect-refused", .group = "net", .expected = ECONNREFUSED,
	  .summary = "connect to a loopback port nobody listens on",
	  .fault = "__inet_stream_connect", .run = connect_refused },
	/* on 5.10 unix_find_other returns NULL and leaves the errno to its caller */
	{ .name = "net-unix-refused", .group = "net", .expected = ECONNREFUSED,
	  .summary = "connect to a unix socket that does not exist",
	  .fault = "unix_stream_connect|unix_find_other", .run = unix_refused },
	{ .name = "net-unix-not-connected", .group = "net", .expected = ENOTCONN,
	  .summary = "ask an unconnected unix socket for its peer",
	  .fault = "unix_getname", .run = unix_not_connected },
	{ .name = "net-bind-in-use", .group = "net", .expected = EADDRINUSE,
	  .summary = "bind to a TCP port that is taken",
	  .fault = "__inet_bind|inet_csk_get_port", .run = bind_in_use },
	{ .name = "net-bad-family", .group = "net", .expected = EAFNOSUPPORT,
	  .summary = "make a socket of an unknown family",
	  .fault = "__sock_create", .run = bad_family },
	{ .name = "net-late-refusal", .group = "net", .expected = 0,
	  .summary = "connect without waiting; the socket keeps the error",
	  .fault = "-", .run = late_refusal },
	{ .name = "net-bad-sockopt", .group = "net", .expected = ENOPROTOOPT,
	  .summary = "set a socket option that does not exist",
	  .fault = "sock_setsockopt|sk_setsockopt", .run = bad_sockopt },
	{},
};
/* clang-format on */
