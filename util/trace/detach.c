// SPDX-License-Identifier: BSD-2-Clause
/* Closing links from threads. */
#include "util/trace/detach.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
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

/* Whose copy of a descriptor is closed last does the work: the child waits for its parent's. */
static void __attribute__((noreturn)) close_in_background(struct closing *closing,
							  const int *parent_gone)
{
	pthread_t threads[DETACH_THREADS];
	size_t nr;
	char c;

	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	close(parent_gone[1]);
	while (read(parent_gone[0], &c, 1) < 0 && errno == EINTR)
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
	pid_t pid;

	if (from == closing->nr)
		return false;
	pid = fork();
	if (!pid)
		close_in_background(closing, parent_gone);
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
