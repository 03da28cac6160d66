// SPDX-License-Identifier: BSD-2-Clause
/* Closing links from threads. */
#include "util/trace/attach/detach.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"

struct closing {
	const int *fds;
	size_t nr;
	atomic_size_t next;	/* to be closed */
	atomic_size_t done;
	atomic_bool stop;
};

static void *close_some(void *arg)
{
	struct closing *closing = arg;
	size_t i;

	while (!closing->stop && (i = closing->next++) < closing->nr) {
		close(closing->fds[i]);
		closing->done++;
	}
	return NULL;
}

static size_t start_threads(struct closing *closing, pthread_t *threads)
{
	size_t nr = 0;

	while (nr < DETACH_THREADS && nr < closing->nr &&
	       !pthread_create(&threads[nr], NULL, close_some, closing))
		nr++;
	return nr;
}

static int compare_fds(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

static void close_from_to(unsigned int first, unsigned int last)
{
	unsigned int limit = sysconf(_SC_OPEN_MAX);

	/* 5.9's. */
	if (!syscall(SYS_close_range, first, last, 0))
		return;
	for (unsigned int fd = first; fd <= last && fd < limit; fd++)
		close(fd);
}

/*
 * Closes all but @keep, which is in order: somebody may wait for the end of a pipe that this process
 * has, too. The gate of a workload that was not let go is one of them.
 */
static void close_others(const int *keep, size_t nr)
{
	int next = 0;

	for (size_t i = 0; i < nr; i++) {
		if (keep[i] > next)
			close_from_to(next, keep[i] - 1);
		next = keep[i] + 1;
	}
	close_from_to(next, ~0u);
}

/*
 * Whose copy of a descriptor is closed last does the work: the child waits for its parent's.
 *
 * @keep	what the child needs, in order
 */
static void __attribute__((noreturn)) close_in_background(struct closing *closing, int parent_gone,
							  const int *keep, size_t nr_keep)
{
	pthread_t threads[DETACH_THREADS];
	size_t nr;
	char c;

	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	close_others(keep, nr_keep);
	while (read(parent_gone, &c, 1) < 0 && errno == EINTR)
		;
	closing->stop = false;
	nr = start_threads(closing, threads);
	if (!nr)
		close_some(closing);
	for (size_t i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

/*
 * Leaves what no thread has taken on to a child. The threads are through when it is called.
 *
 * @parent_gone	pipe, made before the threads: its numbers are none of those they closed
 */
static bool hand_over(struct closing *closing, const int *parent_gone)
{
	size_t from = closing->next < closing->nr ? (size_t)closing->next : closing->nr;
	size_t nr = closing->nr - from;
	_cleanup_(free_p) int *keep = NULL;
	pid_t pid = -1;

	if (!nr)
		return false;
	keep = calloc(nr + 1, sizeof(*keep));
	if (keep) {
		memcpy(keep, closing->fds + from, nr * sizeof(*keep));
		keep[nr++] = parent_gone[0];
		qsort(keep, nr, sizeof(*keep), compare_fds);
		pid = fork();
	}
	if (!pid)
		close_in_background(closing, parent_gone[0], keep, nr);
	if (pid < 0) {
		warning("cannot start a process for the other %zu links (%s); they are closed as "
			"this one ends", closing->nr - from, strerror(errno));
	} else {
		say(VERBOSITY_NORMAL, "The other %zu links are closed in the background (pid %d).",
		    closing->nr - from, (int)pid);
	}
	for (size_t i = from; i < closing->nr; i++)
		close(closing->fds[i]);
	return true;
}

bool detach_links(const int *fds, size_t nr, interrupted_fn interrupted, void *arg)
{
	struct closing closing = { .fds = fds, .nr = nr };
	struct timespec pause = { .tv_nsec = 5 * 1000 * 1000 };
	struct progress progress = progress_start("Detaching");
	bool left = false;
	pthread_t threads[DETACH_THREADS];
	int parent_gone[2] = { -1, -1 };
	size_t nr_threads;

	if (pipe2(parent_gone, O_CLOEXEC))
		parent_gone[0] = parent_gone[1] = -1;
	progress_note(&progress, "Ctrl-C again leaves it to the background");
	nr_threads = start_threads(&closing, threads);
	if (!nr_threads)
		close_some(&closing);
	while (closing.done < nr && !closing.stop) {
		nanosleep(&pause, NULL);
		progress_update(&progress, closing.done, nr);
		if (interrupted(arg))
			closing.stop = true;
	}
	for (size_t i = 0; i < nr_threads; i++)
		pthread_join(threads[i], NULL);
	progress_end(&progress);
	if (closing.stop)
		left = hand_over(&closing, parent_gone);
	close_fd(&parent_gone[0]);
	close_fd(&parent_gone[1]);
	return !left;
}
