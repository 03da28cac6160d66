// SPDX-License-Identifier: BSD-2-Clause
/* Closing links from threads. */
#include "util/trace/detach.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/base/clock.h"
#include "util/base/report.h"

#define PROGRESS_AFTER_MS 500
#define PROGRESS_EVERY_MS 200

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

static void show_progress(const struct closing *closing, uint64_t ms, bool terminal)
{
	size_t done = closing->done;
	uint64_t left = done ? ms * (closing->nr - done) / done / 1000 + 1 : 0;

	if (report_verbosity() < VERBOSITY_NORMAL || !terminal)
		return;
	fprintf(stderr, "\rDetaching... %zu of %zu", done, closing->nr);
	if (left)
		fprintf(stderr, ", about %llu s left", (unsigned long long)left);
	fputs("; Ctrl-C again leaves it to the background \033[K", stderr);
}

/* The child keeps the descriptors that this process drops, and closes them at its own pace. */
static void hand_over(struct closing *closing)
{
	pthread_t threads[DETACH_THREADS];
	size_t left = closing->nr - closing->done, nr;
	pid_t pid = fork();

	if (pid < 0) {
		warning("cannot start a process for the other %zu links (%s); they are closed as "
			"this one ends", left, strerror(errno));
		return;
	}
	if (pid) {
		say(VERBOSITY_NORMAL, "\nThe other %zu links are closed in the background (pid %d).",
		    left, (int)pid);
		return;
	}
	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	closing->stop = false;
	closing->next = closing->done > DETACH_THREADS ? closing->done - DETACH_THREADS : 0;
	nr = start_threads(closing, threads);
	if (!nr)
		close_some(closing);
	for (size_t i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

void detach_links(const int *fds, size_t nr, interrupted_fn interrupted, void *arg)
{
	struct closing closing = { .fds = fds, .nr = nr };
	struct timespec pause = { .tv_nsec = 5 * 1000 * 1000 };
	bool terminal = isatty(STDERR_FILENO), shown = false, handed = false;
	uint64_t start = now_ns(), last = 0;
	pthread_t threads[DETACH_THREADS];
	size_t nr_threads;

	nr_threads = start_threads(&closing, threads);
	if (!nr_threads)
		close_some(&closing);
	while (closing.done < nr && !handed) {
		uint64_t ms = ms_since(start);

		nanosleep(&pause, NULL);
		if (ms >= PROGRESS_AFTER_MS && ms - last >= PROGRESS_EVERY_MS) {
			show_progress(&closing, ms, terminal);
			shown = true;
			last = ms;
		}
		if (interrupted(arg)) {
			closing.stop = true;
			hand_over(&closing);
			handed = true;
		}
	}
	closing.stop = true;
	for (size_t i = 0; i < nr_threads; i++)
		pthread_join(threads[i], NULL);
	if (shown && terminal)
		fputs("\r\033[K", stderr);
}
