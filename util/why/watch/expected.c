// SPDX-License-Identifier: BSD-2-Clause
/* Tells failures that programs expect from those that they may complain about. */
#include "util/why/watch/expected.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/base/text/errnames.h"
#include "util/why/watch/io_uring.h"
#include "util/why/watch/netlink.h"

/* Of the type of a socket; the rest are flags. */
#define SOCKET_TYPE 0xf

static bool is_among(uint32_t nr, const uint32_t *numbers, size_t len)
{
	return find_first(number, numbers, len, nr == *number);
}

/* Not of 32-bit programs, whose calls have other numbers. */
static bool is_transfer(const struct watch_event *event, const struct call_numbers *nrs)
{
	return is_among(event->nr, nrs->transfers, nrs->nr_transfers);
}

/* Whether a call only looked for a file. One that would create it needs its directory. */
static bool is_look(const struct watch_event *event, const struct call_numbers *nrs)
{
	if (!searches_may_be(event) || event->compat)
		return false;
	if (event->nr == nrs->openat)
		return !(event->args[2] & O_CREAT);
	if (event->nr == nrs->open)
		return !(event->args[1] & O_CREAT);
	return is_among(event->nr, nrs->looks, nrs->nr_looks);
}

/* Whether the directory to make is there. Programs make one before they use it, each time. */
static bool is_made(const struct watch_event *event, const struct call_numbers *nrs)
{
	return event->kind == WATCH_FAILED && event->result == -EEXIST && !event->compat && !event->io_uring &&
	       (event->nr == nrs->mkdir || event->nr == nrs->mkdirat);
}

/* Whether a file does not have the attribute that was asked for, or none of that kind. */
static bool is_without(const struct watch_event *event, const struct call_numbers *nrs)
{
	return event->kind == WATCH_FAILED && (event->result == -ENODATA || event->result == -EOPNOTSUPP) &&
	       !event->compat && !event->io_uring && is_among(event->nr, nrs->attributes, nrs->nr_attributes);
}

/* Whether a process was looked for, with signal 0: programs do so before they trust a file with its id. */
static bool is_gone(const struct watch_event *event, const struct call_numbers *nrs)
{
	return event->kind == WATCH_FAILED && event->result == -ESRCH && event->nr == nrs->kill && !event->args[1] &&
	       !event->compat && !event->io_uring;
}

bool expected_is_search(const struct watch_event *event, const struct call_numbers *nrs)
{
	if (is_look(event, nrs) || is_made(event, nrs) || is_without(event, nrs) || is_gone(event, nrs))
		return true;
	return searches_may_be(event) &&
	       (event->compat || event->nr == nrs->execve || event->nr == nrs->unlink || event->nr == nrs->unlinkat ||
		event->nr == nrs->truncate);
}

/* Whether what was to be closed is not open: programs that clean up do that. */
static bool is_closing(const struct watch_event *event, const struct call_numbers *nrs)
{
	return event->result == -EBADF && event->nr == nrs->close && !event->compat && !event->io_uring;
}

bool expected_always(const struct watch_event *event, const struct call_numbers *nrs, char *const *command)
{
	if (event->result == -ENOTTY)
		return event->nr == nrs->ioctl;
	if (event->result == -EAGAIN)
		return event->compat || event->io_uring || is_transfer(event, nrs);
	if (io_uring_expects(event) || netlink_expects(event))
		return true;
	/* Threads of Java and of Go wait so, again and again. */
	if (event->result == -ETIMEDOUT)
		return is_among(event->nr, nrs->timed, nrs->nr_timed);
	/* Go asks of each file that it opens whether it can be polled. */
	if (event->result == -EPERM && event->nr == nrs->epoll_ctl)
		return event->args[1] == EPOLL_CTL_ADD;
	/* With this call, the C library finds out whether a stream can seek, and its position. */
	if (event->result == -ESPIPE && event->nr == nrs->lseek)
		return !event->args[1] && event->args[2] == SEEK_CUR;
	/* Of a path, each part is asked whether it is a link. */
	if (event->result == -EINVAL &&
	    (event->nr == nrs->readlink || event->nr == nrs->readlinkat))
		return true;
	/* perror() duplicates standard error, and does without if it cannot. */
	if (event->result == -EMFILE && event->nr == nrs->dup)
		return event->args[0] == STDERR_FILENO;
	/* A shell keeps a descriptor, if it is open, while it has another meaning. */
	if (event->result == -EBADF && event->nr == nrs->fcntl)
		return event->args[1] == F_GETFD || event->args[1] == F_DUPFD ||
		       event->args[1] == F_DUPFD_CLOEXEC;
	if (is_closing(event, nrs))
		return true;
	/* Programs ask for the password, or for job control, where there is a terminal. */
	if (event->result == -ENXIO && event->nr == nrs->openat)
		return !strcmp(watch_path(event) ?: "", "/dev/tty");
	/* ping(8) goes on with a raw socket. */
	if (event->result == -EACCES && event->nr == nrs->socket)
		return (event->args[1] & SOCKET_TYPE) == SOCK_DGRAM &&
		       (event->args[2] == IPPROTO_ICMP || event->args[2] == IPPROTO_ICMPV6);
	/* libcap counts the capabilities. */
	if (event->result == -EINVAL && event->nr == nrs->prctl)
		return event->args[0] == PR_CAPBSET_READ;
	return errno_is_expected(-event->result) || searches_is_library(command, event);
}

/* The C library asks so of each address that a name has whether there is a way to it, and programs try all of them. */
static bool is_ipv6_without_route(const struct watch_event *event, const struct call_numbers *nrs)
{
	sa_family_t family;

	if (event->nr != nrs->connect || event->result != -ENETUNREACH || !event->address ||
	    event->address_size < sizeof(family))
		return false;
	memcpy(&family, event->said + (event->address - 1) * WATCH_STRING, sizeof(family));
	return family == AF_INET6;
}

bool expected_is_attempt(const struct watch_event *event, const struct call_numbers *nrs)
{
	if (event->kind != WATCH_FAILED || event->compat || event->io_uring || event->netlink)
		return false;
	for (size_t i = 0; i < nrs->nr_attempts; i++) {
		const struct attempt *attempt = &nrs->attempts[i];

		if (event->nr == attempt->nr && event->result == -attempt->err &&
		    (event->args[attempt->argument] & attempt->mask) == attempt->value)
			return true;
	}
	return is_ipv6_without_route(event, nrs);
}

enum expected expected_of(const struct watch_event *event, const struct call_numbers *nrs,
			  const struct searches *searches, const written_texts *texts)
{
	const char *text;

	if (event->kind != WATCH_FAILED)
		return EXPECTED_NOT;
	if (is_closing(event, nrs))
		return EXPECTED_CLOSING;
	if (expected_always(event, nrs, searches->command) || searches_have(searches, event))
		return EXPECTED_NOISE;
	if (!is_look(event, nrs))
		return expected_is_attempt(event, nrs) ? EXPECTED_ATTEMPT : EXPECTED_NOT;
	text = written_by(texts, event->pid);
	if (look_is_pointed_to(event, searches->command, text))
		return EXPECTED_POINTED_LOOK;
	return text ? EXPECTED_UNNAMED_LOOK : EXPECTED_LOOK;
}
