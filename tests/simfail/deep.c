/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursion, and many threads that fail at once. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "simfail.h"

#define EPOLL_CHAIN	5	/* epolls watching one another; the kernel's limit */
#define THREADS		8
#define CALLS_PER_THREAD 300

struct epoll_chain {
	int fds[EPOLL_CHAIN];
};

static void epoll_chain_release(struct epoll_chain *chain)
{
	int i;

	for (i = 0; i < EPOLL_CHAIN; i++)
		simfail_close(&chain->fds[i]);
}

static int watch(int epoll_fd, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

/* Each epoll watches the next one. */
static int epoll_chain_init(struct epoll_chain *chain, struct simfail_run *run)
{
	int i;

	for (i = 0; i < EPOLL_CHAIN; i++)
		chain->fds[i] = epoll_create1(EPOLL_CLOEXEC);
	for (i = EPOLL_CHAIN - 1; i > 0; i--)
		if (watch(chain->fds[i - 1], chain->fds[i]))
			return simfail_skip(run, "cannot chain epolls: %s", strerror(errno));
	return 0;
}

CASE(deep_epoll_loop)
{
	_cleanup_(epoll_chain_release) struct epoll_chain chain;

	return epoll_chain_init(&chain, run) ?:
	       simfail_errno_of(watch(chain.fds[EPOLL_CHAIN - 1], chain.fds[0]));
}

CASE(epoll_twice)
{
	_cleanup_(simfail_close) int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	_cleanup_(simfail_close) int fd = eventfd(0, EFD_CLOEXEC);

	if (epoll_fd < 0 || fd < 0 || watch(epoll_fd, fd))
		return simfail_skip(run, "cannot watch an eventfd: %s", strerror(errno));
	return simfail_errno_of(watch(epoll_fd, fd));
}

CASE(deep_epoll_wake)
{
	_cleanup_(epoll_chain_release) struct epoll_chain chain;
	_cleanup_(simfail_close) int fd = -1;
	int err = epoll_chain_init(&chain, run);

	if (err)
		return err;
	fd = eventfd(0, EFD_CLOEXEC);
	if (fd < 0 || watch(chain.fds[EPOLL_CHAIN - 1], fd))
		return simfail_skip(run, "cannot watch an eventfd: %s", strerror(errno));
	return simfail_errno_of(eventfd_write(fd, 1));
}

static long thread_enoent(void)
{
	return open(MISSING_PATH, O_RDONLY | O_CLOEXEC);
}

static long thread_ebadf(void)
{
	return fchdir(-1);
}

static long thread_einval(void)
{
	return syscall(__NR_unshare, CLONE_PTRACE);
}

static long thread_esrch(void)
{
	return kill(MISSING_PID, 0);
}

static long thread_eafnosupport(void)
{
	return socket(255, SOCK_STREAM, 0);
}

static long thread_eexist(void)
{
	return mkdir("/", 0700);
}

static long thread_enotdir(void)
{
	return open("/dev/null", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static long thread_efault(void)
{
	return syscall(__NR_openat, AT_FDCWD, NULL, O_RDONLY, 0);
}

/* Threads wait for the lock, so that they start together. */
struct thread_start {
	pthread_mutex_t lock;
	bool cancelled;
};

struct failing_thread {
	pthread_t thread;
	struct thread_start *start;
	int expected;
	long (*call)(void);
	int seen; /* expected, or the first errno that was not */
};

static void *failing_thread_run(void *arg)
{
	struct failing_thread *self = arg;
	bool cancelled;
	int i;

	/* its name says what this thread fails with, so that mixing shows */
	prctl(PR_SET_NAME, strerrorname_np(self->expected));
	pthread_mutex_lock(&self->start->lock);
	cancelled = self->start->cancelled;
	pthread_mutex_unlock(&self->start->lock);
	for (i = 0; i < CALLS_PER_THREAD && !cancelled; i++) {
		self->seen = simfail_errno_of(self->call());
		if (self->seen != self->expected)
			break;
	}
	return NULL;
}

CASE(threads)
{
	struct failing_thread threads[THREADS] = {
		{ .expected = ENOENT, .call = thread_enoent },
		{ .expected = EBADF, .call = thread_ebadf },
		{ .expected = EINVAL, .call = thread_einval },
		{ .expected = ESRCH, .call = thread_esrch },
		{ .expected = EAFNOSUPPORT, .call = thread_eafnosupport },
		{ .expected = EEXIST, .call = thread_eexist },
		{ .expected = ENOTDIR, .call = thread_enotdir },
		{ .expected = EFAULT, .call = thread_efault },
	};
	struct thread_start start = { .lock = PTHREAD_MUTEX_INITIALIZER };
	int i, made, err = 0, result = SIMFAIL_VARIOUS;

	pthread_mutex_lock(&start.lock);
	for (made = 0; made < THREADS; made++) {
		threads[made].start = &start;
		err = pthread_create(&threads[made].thread, NULL, failing_thread_run,
				     &threads[made]);
		if (err)
			break;
	}
	start.cancelled = err;
	pthread_mutex_unlock(&start.lock);

	for (i = 0; i < made; i++) {
		pthread_join(threads[i].thread, NULL);
		if (threads[i].seen != threads[i].expected)
			result = threads[i].seen;
	}
	return err ? simfail_skip(run, "cannot make a thread: %s", strerror(err)) : result;
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_deep_cases[] = {
	{ .name = "deep-epoll-loop", .group = "deep", .expected = ELOOP,
	  .summary = "close a loop of five epolls: ep_loop_check_proc inside itself, four deep",
	  .fault = "do_epoll_ctl|do_epoll_ctl_file", .run = deep_epoll_loop },
	{ .name = "fs-epoll-twice", .group = "fs", .expected = EEXIST,
	  .summary = "add a file to an epoll that it is in already",
	  .fault = "do_epoll_ctl|do_epoll_ctl_file", .run = epoll_twice },
	{ .name = "deep-epoll-wake", .group = "deep", .expected = 0,
	  .summary = "wake five epolls in a chain: ep_poll_callback inside itself, five deep",
	  .fault = "-", .run = deep_epoll_wake },
	{ .name = "threads", .group = "threads", .expected = SIMFAIL_VARIOUS,
	  .summary = "8 threads named for the errno that each gets 300 times at once",
	  .fault = "-", .run = threads },
	{},
};
/* clang-format on */
