/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests through io_uring: every system call succeeds, and the completion queue has the error. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "simfail.h"

#define NR_ENTRIES 4
#define IDLE_MS 2000	/* of the kernel's thread that submits requests */
#define NR_MAPS 3

struct ring {
	int fd;
	struct io_uring_params params;
	struct {
		void *data;
		size_t size;
	} maps[NR_MAPS];
	void *sq, *cq;		/* data of the maps */
	struct io_uring_sqe *sqes;
	unsigned int nr;	/* requests that were added */
};

/* NULL: not mapped. */
static void *map_ring(struct ring *ring, int map, size_t size, uint64_t offset)
{
	void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, offset);

	if (data == MAP_FAILED)
		return NULL;
	ring->maps[map].data = data;
	ring->maps[map].size = size;
	return data;
}

/* @flags	IORING_SETUP_x */
static int open_ring(struct ring *ring, unsigned int flags, struct simfail_run *run)
{
	const struct io_uring_params *p = &ring->params;

	*ring = (struct ring){ .fd = -1, .params = { .flags = flags, .sq_thread_idle = IDLE_MS } };
	ring->fd = syscall(SYS_io_uring_setup, NR_ENTRIES, &ring->params);
	if (ring->fd < 0)
		return simfail_skip(run, "no io_uring: %s", strerror(errno));
	ring->sq = map_ring(ring, 0, p->sq_off.array + p->sq_entries * sizeof(uint32_t), IORING_OFF_SQ_RING);
	ring->cq = map_ring(ring, 1, p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe),
			    IORING_OFF_CQ_RING);
	ring->sqes = map_ring(ring, 2, p->sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
	if (!ring->sq || !ring->cq || !ring->sqes)
		return simfail_skip(run, "cannot map an io_uring: %s", strerror(errno));
	return 0;
}

static void close_ring(struct ring *ring)
{
	for (int i = 0; i < NR_MAPS; i++) {
		if (ring->maps[i].data)
			munmap(ring->maps[i].data, ring->maps[i].size);
	}
	simfail_close(&ring->fd);
}

/* The request's user_data is its number, from 1. */
static void add_request(struct ring *ring, struct io_uring_sqe sqe)
{
	unsigned int *tail = ring->sq + ring->params.sq_off.tail;
	unsigned int *array = ring->sq + ring->params.sq_off.array;

	sqe.user_data = ring->nr + 1;
	ring->sqes[ring->nr] = sqe;
	array[ring->nr] = ring->nr;
	ring->nr++;
	__atomic_store_n(tail, ring->nr, __ATOMIC_RELEASE);
}

/* Submit the requests, and wait for all. 0, or what simfail_skip() returns; *ret_err: errno of the first. */
static int submit(struct ring *ring, struct simfail_run *run, int *ret_err)
{
	const struct io_uring_cqe *cqes = ring->cq + ring->params.cq_off.cqes;
	const unsigned int *tail = ring->cq + ring->params.cq_off.tail;
	unsigned int flags = IORING_ENTER_GETEVENTS;

	/* The kernel's thread may sleep by now. */
	if (ring->params.flags & IORING_SETUP_SQPOLL)
		flags |= IORING_ENTER_SQ_WAKEUP;
	if (syscall(SYS_io_uring_enter, ring->fd, ring->nr, ring->nr, flags, NULL, 0) !=
	    (long)ring->nr)
		return simfail_skip(run, "cannot submit to an io_uring: %s", strerror(errno));
	while (__atomic_load_n(tail, __ATOMIC_ACQUIRE) < ring->nr)
		usleep(1000);
	for (unsigned int i = 0; i < ring->nr; i++) {
		if (cqes[i].user_data == 1)
			*ret_err = cqes[i].res < 0 ? -cqes[i].res : 0;
	}
	return 0;
}

static const struct io_uring_sqe open_missing = {
	.opcode = IORING_OP_OPENAT,
	.fd = AT_FDCWD,
	.addr = (uintptr_t)MISSING_PATH,
};

/* 0: the first request failed with this errno. @flags: IORING_SETUP_x */
static int fail_on(unsigned int flags, const struct io_uring_sqe *sqes, unsigned int nr, int expected,
		   struct simfail_run *run)
{
	_cleanup_(close_ring) struct ring ring;
	int err = open_ring(&ring, flags, run), seen = 0;

	if (err)
		return err;
	for (unsigned int i = 0; i < nr; i++)
		add_request(&ring, sqes[i]);
	err = submit(&ring, run, &seen);
	/* Before 5.6 there is no such request. */
	if (!err && seen == EINVAL && expected != EINVAL)
		return simfail_skip(run, "io_uring does not have this request");
	return err ?: seen == expected ? 0 : seen ?: EIO;
}

static int fail_with(const struct io_uring_sqe *sqes, unsigned int nr, int expected, struct simfail_run *run)
{
	return fail_on(0, sqes, nr, expected, run);
}

CASE(openat_missing)
{
	return fail_with(&open_missing, 1, ENOENT, run);
}

CASE(openat_missing_async)
{
	struct io_uring_sqe sqe = open_missing;

	sqe.flags = IOSQE_ASYNC;
	return fail_with(&sqe, 1, ENOENT, run);
}

CASE(read_bad_fd)
{
	const struct io_uring_sqe sqe = { .opcode = IORING_OP_READ, .fd = 999 };

	return fail_with(&sqe, 1, EBADF, run);
}

CASE(bad_flags)
{
	struct io_uring_sqe sqe = open_missing;

	sqe.flags = 0x80;
	return fail_with(&sqe, 1, EINVAL, run);
}

CASE(bad_opcode)
{
	const struct io_uring_sqe sqe = { .opcode = 255 };

	return fail_with(&sqe, 1, EINVAL, run);
}

/* The second request waits for the first, and is canceled. */
CASE(linked)
{
	struct io_uring_sqe sqes[] = { open_missing, { .opcode = IORING_OP_NOP } };

	sqes[0].flags = IOSQE_IO_LINK;
	return fail_with(sqes, 2, ENOENT, run);
}

/* What the functions of these requests find out. */
static const struct other {
	struct io_uring_sqe sqe;
	int expected;
} others[] = {
	{ { .opcode = IORING_OP_UNLINKAT, .fd = AT_FDCWD, .addr = (uintptr_t)MISSING_PATH }, ENOENT },
	{ { .opcode = IORING_OP_MKDIRAT, .fd = AT_FDCWD, .addr = (uintptr_t)"/proc", .len = 0700 }, EEXIST },
	{ { .opcode = IORING_OP_RENAMEAT, .fd = AT_FDCWD, .addr = (uintptr_t)MISSING_PATH, .len = AT_FDCWD,
	    .addr2 = (uintptr_t)MISSING_PATH }, ENOENT },
	{ { .opcode = IORING_OP_CLOSE, .fd = 999 }, EBADF },
	{ { .opcode = IORING_OP_SPLICE, .splice_fd_in = 999, .fd = 0, .len = 1, .off = -1, .splice_off_in = -1 },
	  EBADF },
};

CASE(other)
{
	return fail_with(&others[c->arg].sqe, 1, others[c->arg].expected, run);
}

/* A thread of the kernel submits it. */
CASE(close_by_thread)
{
	return fail_on(IORING_SETUP_SQPOLL, &others[c->arg].sqe, 1, others[c->arg].expected, run);
}

CASE(statx_missing)
{
	static struct statx seen;
	const struct io_uring_sqe sqe = { .opcode = IORING_OP_STATX, .fd = AT_FDCWD, .addr = (uintptr_t)MISSING_PATH,
					  .len = STATX_ALL, .off = (uintptr_t)&seen };

	return fail_with(&sqe, 1, ENOENT, run);
}

/* A request on a TCP socket that is neither connected nor listens. */
static int fail_on_socket(struct io_uring_sqe sqe, int expected, struct simfail_run *run)
{
	_cleanup_(simfail_close) int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		return simfail_skip(run, "no TCP: %s", strerror(errno));
	sqe.fd = fd;
	return fail_with(&sqe, 1, expected, run);
}

CASE(connect_refused)
{
	/* tcpmux: nobody listens. */
	const struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(1),
					.sin_addr = { htonl(INADDR_LOOPBACK) } };

	return fail_on_socket((struct io_uring_sqe){ .opcode = IORING_OP_CONNECT, .addr = (uintptr_t)&to,
						     .off = sizeof(to) }, ECONNREFUSED, run);
}

CASE(receive_unconnected)
{
	char byte;

	return fail_on_socket((struct io_uring_sqe){ .opcode = IORING_OP_RECV, .addr = (uintptr_t)&byte, .len = 1 },
			      ENOTCONN, run);
}

CASE(accept_not_listening)
{
	return fail_on_socket((struct io_uring_sqe){ .opcode = IORING_OP_ACCEPT }, EINVAL, run);
}

CASE(write_full)
{
	const struct io_uring_sqe sqe = { .opcode = IORING_OP_WRITE, .addr = (uintptr_t)"x", .len = 1 };
	_cleanup_(simfail_close) int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct io_uring_sqe write = sqe;

	if (fd < 0)
		return simfail_skip(run, "no /dev/full: %s", strerror(errno));
	write.fd = fd;
	return fail_with(&write, 1, ENOSPC, run);
}

/* Requests of two opcodes fail with one errno, and a third with another. */
CASE(several)
{
	const struct io_uring_sqe sqes[] = { open_missing, others[0].sqe, others[1].sqe };

	return fail_with(sqes, 3, ENOENT, run);
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_io_uring_cases[] = {
	{ .name = "uring-openat", .group = "uring", .expected = 0,
	  .summary = "open a missing file through io_uring",
	  .fault = "-", .run = openat_missing },
	{ .name = "uring-openat-async", .group = "uring", .expected = 0,
	  .summary = "the same, by a worker thread",
	  .fault = "-", .run = openat_missing_async },
	{ .name = "uring-read-badfd", .group = "uring", .expected = 0,
	  .summary = "read a descriptor that is not open through io_uring",
	  .fault = "-", .run = read_bad_fd },
	{ .name = "uring-bad-flags", .group = "uring", .expected = 0,
	  .summary = "submit a request to io_uring with unknown flags",
	  .fault = "-", .run = bad_flags },
	{ .name = "uring-bad-opcode", .group = "uring", .expected = 0,
	  .summary = "submit an unknown request to io_uring",
	  .fault = "-", .run = bad_opcode },
	{ .name = "uring-linked", .group = "uring", .expected = 0,
	  .summary = "a request through io_uring that fails cancels the next one",
	  .fault = "-", .run = linked },
	{ .name = "uring-unlinkat", .group = "uring", .expected = 0,
	  .summary = "remove a missing file through io_uring",
	  .fault = "-", .run = other, .arg = 0 },
	{ .name = "uring-mkdirat", .group = "uring", .expected = 0,
	  .summary = "make a directory that exists through io_uring",
	  .fault = "-", .run = other, .arg = 1 },
	{ .name = "uring-renameat", .group = "uring", .expected = 0,
	  .summary = "rename a missing file through io_uring",
	  .fault = "-", .run = other, .arg = 2 },
	{ .name = "uring-close-badfd", .group = "uring", .expected = 0,
	  .summary = "close a descriptor that is not open through io_uring",
	  .fault = "-", .run = other, .arg = 3 },
	{ .name = "uring-close-sqpoll", .group = "uring", .expected = 0,
	  .summary = "the same, and a thread of the kernel submits the request",
	  .fault = "-", .run = close_by_thread, .arg = 3 },
	{ .name = "uring-splice-badfd", .group = "uring", .expected = 0,
	  .summary = "splice from a descriptor that is not open through io_uring",
	  .fault = "-", .run = other, .arg = 4 },
	{ .name = "uring-statx", .group = "uring", .expected = 0,
	  .summary = "ask for the metadata of a missing file through io_uring",
	  .fault = "-", .run = statx_missing },
	{ .name = "uring-connect", .group = "uring", .expected = 0,
	  .summary = "connect to a port where nobody listens through io_uring",
	  .fault = "-", .run = connect_refused },
	{ .name = "uring-recv", .group = "uring", .expected = 0,
	  .summary = "receive on a socket that is not connected through io_uring",
	  .fault = "-", .run = receive_unconnected },
	{ .name = "uring-accept", .group = "uring", .expected = 0,
	  .summary = "accept on a socket that does not listen through io_uring",
	  .fault = "-", .run = accept_not_listening },
	{ .name = "uring-write-full", .group = "uring", .expected = 0,
	  .summary = "write to a full device through io_uring",
	  .fault = "-", .run = write_full },
	{ .name = "uring-several", .group = "uring", .expected = 0,
	  .summary = "requests of several kinds through io_uring fail together",
	  .fault = "-", .run = several },
	{},
};
/* clang-format on */
