// SPDX-License-Identifier: BSD-2-Clause
/* Closes links from several threads of a child process. */
#include "util/trace/attach/detach.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"

/* Shared with the child that closes links. */
struct counts {
	atomic_size_t next;	/* index of the next link to close */
	atomic_size_t done;
};

struct closing {
	const int *fds;
	size_t nr;
	struct counts *counts;
};

static void *close_some(void *arg)
{
	struct closing *closing = arg;
	size_t i;

	while ((i = closing->counts->next++) < closing->nr) {
		close(closing->fds[i]);
		closing->counts->done++;
	}
	return NULL;
}

static void close_all(struct closing *closing)
{
	pthread_t threads[DETACH_THREADS];
	size_t nr = 0;

	while (nr < DETACH_THREADS && nr < closing->nr &&
	       !pthread_create(&threads[nr], NULL, close_some, closing))
		nr++;
	if (!nr)
		close_some(closing);
	for (size_t i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}

static int compare_fds(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

static void close_from_to(unsigned int first, unsigned int last)
{
	unsigned int limit = sysconf(_SC_OPEN_MAX);

	/* close_range(2) exists since 5.9. */
	if (!syscall(SYS_close_range, first, last, 0))
		return;
	for (unsigned int fd = first; fd <= last && fd < limit; fd++)
		close(fd);
}

/*
 * Close all descriptors but those in @keep, which is sorted. Other processes may wait for the end
 * of a pipe that this process holds open: one is the gate of a workload that was not started.
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
 * The process that closes the last copy of a descriptor does the kernel's work. So the child
 * waits until its parent has closed its copies.
 *
 * @parent_gone	end of a pipe that the parent holds until it has closed its own
 * @keep	descriptors that the child needs, sorted
 */
static void __attribute__((noreturn)) close_in_child(struct closing *closing, int parent_gone,
						     const int *keep, size_t nr_keep)
{
	char c;

	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	close_others(keep, nr_keep);
	while (read(parent_gone, &c, 1) < 0 && errno == EINTR)
		;
	close_all(closing);
	_exit(0);
}

/*
 * Closing one link of thousands of functions takes seconds, in one system call that cannot be
 * interrupted. So a child makes all of these calls, and its parent may exit before they are done.
 *
 * @return	the child, or -errno with nothing closed
 */
static pid_t start_child(struct closing *closing)
{
	_cleanup_(free_p) int *keep = calloc(closing->nr + 1, sizeof(*keep));
	int parent_gone[2], err;
	pid_t pid;

	if (!keep)
		return -ENOMEM;
	if (pipe2(parent_gone, O_CLOEXEC))
		return -errno;
	memcpy(keep, closing->fds, closing->nr * sizeof(*keep));
	keep[closing->nr] = parent_gone[0];
	qsort(keep, closing->nr + 1, sizeof(*keep), compare_fds);
	pid = fork();
	if (!pid)
		close_in_child(closing, parent_gone[0], keep, closing->nr + 1);
	err = -errno;
	for (size_t i = 0; pid > 0 && i < closing->nr; i++)
		close(closing->fds[i]);
	close(parent_gone[0]);
	close(parent_gone[1]);
	return pid < 0 ? err : pid;
}

/* Return whether the child has exited, which means that all links are closed. */
static bool wait_for_child(pid_t pid, struct closing *closing, struct progress *progress,
			   interrupted_fn interrupted, void *arg)
{
	const struct timespec pause = { .tv_nsec = 5 * 1000 * 1000 };

	while (!waitpid(pid, NULL, WNOHANG)) {
		if (interrupted(arg))
			return false;
		nanosleep(&pause, NULL);
		progress_update(progress, closing->counts->done, closing->nr);
	}
	return true;
}

bool detach_links(const int *fds, size_t nr, interrupted_fn interrupted, void *arg)
{
	struct counts *counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct counts own = {};
	struct closing closing = { fds, nr, counts == MAP_FAILED ? &own : counts };
	struct progress progress = progress_start("Detaching");
	pid_t pid = counts == MAP_FAILED ? -ENOMEM : start_child(&closing);
	bool all = true;

	if (pid > 0) {
		progress_note(&progress, "Ctrl-C leaves it to the background");
		all = wait_for_child(pid, &closing, &progress, interrupted, arg);
	} else {
		close_all(&closing);
	}
	progress_end(&progress);
	if (!all)
		say(VERBOSITY_NORMAL, "The other %zu links are closed in the background (pid %d).",
		    nr - closing.counts->done, (int)pid);
	if (counts != MAP_FAILED)
		munmap(counts, sizeof(*counts));
	return all;
}
