// SPDX-License-Identifier: BSD-2-Clause
/* Progress on a terminal. */
#include "util/base/progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/base/clock.h"
#include "util/base/terminal.h"

#define AFTER_NS (NSEC_PER_SEC / 2)
#define EVERY_NS (NSEC_PER_SEC / 5)
/* Estimates from less are guesses. */
#define ESTIMATE_NS (2 * NSEC_PER_SEC)
#define MAX_TEXT 256
#define MEGABYTE 1000000

/* There is one terminal, and one line at its end. */
static struct {
	/*
	 * Protects all members below, and the terminal: a write may block, and the meter must show
	 * that.
	 */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	struct progress_line line;
	unsigned int depth;	/* of progress inside progress; 0 none, and no thread */
	bool shown;
} meter = { .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .changed = PTHREAD_COND_INITIALIZER };

/* stdio could be locked by whom we wait for. */
static void put_text(const char *text)
{
	ssize_t n __attribute__((unused)) = write(STDERR_FILENO, text, strlen(text));
}

static void erase_line(void)
{
	if (meter.shown)
		put_text("\r\033[K");
	meter.shown = false;
}

void progress_text(const struct progress_line *line, uint64_t now, char *text, int size)
{
	uint64_t done = __atomic_load_n(&line->done, __ATOMIC_RELAXED);
	uint64_t total = __atomic_load_n(&line->total, __ATOMIC_RELAXED);
	uint64_t elapsed = now - line->started_ns, left = 0;
	const char *note = __atomic_load_n(&line->note, __ATOMIC_RELAXED);
	int len = snprintf(text, size, "%s...", line->what);

	if (done > total && total)
		done = total;
	if (line->bytes && total)
		len += snprintf(text + len, len < size ? size - len : 0,
				" %" PRIu64 "%% of %" PRIu64 " MB",
				(uint64_t)((unsigned __int128)done * 100 / total),
				(total + MEGABYTE - 1) / MEGABYTE);
	else if (line->bytes && done)
		len += snprintf(text + len, len < size ? size - len : 0, " %" PRIu64 " MB",
				done / MEGABYTE);
	else if (total)
		len += snprintf(text + len, len < size ? size - len : 0,
				" %" PRIu64 " of %" PRIu64, done, total);
	else if (done)
		len += snprintf(text + len, len < size ? size - len : 0, " %" PRIu64, done);
	if (done && total > done && elapsed >= ESTIMATE_NS)
		left = (unsigned __int128)elapsed * (total - done) / done / NSEC_PER_SEC + 1;
	if (left)
		len += snprintf(text + len, len < size ? size - len : 0,
				", about %" PRIu64 " s left", left);
	if (note && len < size)
		snprintf(text + len, size - len, "; %s", note);
}

/* A line that goes on in the next one could not be taken away again. */
static void draw_line(uint64_t now)
{
	char text[MAX_TEXT], all[MAX_TEXT + 16];
	int columns = terminal_width(STDERR_FILENO);

	if (!columns || columns > MAX_TEXT)
		columns = MAX_TEXT;
	progress_text(&meter.line, now, text, columns);
	snprintf(all, sizeof(all), "\r%s\033[K", text);
	put_text(all);
	meter.shown = true;
}

static void wait_until(uint64_t ns)
{
	const struct timespec when = { .tv_sec = ns / NSEC_PER_SEC, .tv_nsec = ns % NSEC_PER_SEC };

	pthread_cond_clockwait(&meter.changed, &meter.lock, CLOCK_MONOTONIC, &when);
}

static void *keep_drawing(void *arg)
{
	pthread_mutex_lock(&meter.lock);
	while (meter.depth) {
		uint64_t now = clock_ns(CLOCK_MONOTONIC), due = meter.line.started_ns + AFTER_NS;

		if (due <= now) {
			draw_line(now);
			due = now + EVERY_NS;
		}
		wait_until(due);
	}
	pthread_mutex_unlock(&meter.lock);
	return arg;
}

/* Signals are for others. */
static bool start_thread(void)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&meter.thread, NULL, keep_drawing, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !err;
}

/* A background job of a shell must not write to the terminal. */
static bool can_be_seen(void)
{
	const char *term = getenv("TERM");
	pid_t group;

	if (report_verbosity() < VERBOSITY_NORMAL || !isatty(STDERR_FILENO) || !term ||
	    !strcmp(term, "dumb"))
		return false;
	group = tcgetpgrp(STDERR_FILENO);
	return group < 0 || group == getpgrp();
}

struct progress progress_start(const char *what)
{
	struct progress progress = { .wanted = can_be_seen() };

	if (!progress.wanted)
		return progress;
	pthread_mutex_lock(&meter.lock);
	progress.around = meter.line;
	meter.line = (struct progress_line){ .what = what,
					     .started_ns = clock_ns(CLOCK_MONOTONIC) };
	meter.depth++;
	if (meter.depth == 1 && !start_thread()) {
		meter.depth = 0;
		progress.wanted = false;
	}
	pthread_mutex_unlock(&meter.lock);
	return progress;
}

struct progress progress_start_beside_output(const char *what)
{
	if (isatty(STDOUT_FILENO))
		return (struct progress){};
	return progress_start(what);
}

void progress_update(struct progress *progress, uint64_t done, uint64_t total)
{
	if (!progress->wanted)
		return;
	__atomic_store_n(&meter.line.total, total, __ATOMIC_RELAXED);
	__atomic_store_n(&meter.line.done, done, __ATOMIC_RELAXED);
}

void progress_update_bytes(struct progress *progress, uint64_t done, uint64_t total)
{
	if (progress->wanted)
		__atomic_store_n(&meter.line.bytes, true, __ATOMIC_RELAXED);
	progress_update(progress, done, total);
}

void progress_note(struct progress *progress, const char *note)
{
	if (progress->wanted)
		__atomic_store_n(&meter.line.note, note, __ATOMIC_RELAXED);
}

void progress_end(struct progress *progress)
{
	bool last;

	if (!progress->wanted)
		return;
	progress->wanted = false;
	pthread_mutex_lock(&meter.lock);
	erase_line();
	meter.line = progress->around;
	last = !--meter.depth;
	pthread_cond_signal(&meter.changed);
	pthread_mutex_unlock(&meter.lock);
	if (last)
		pthread_join(meter.thread, NULL);
}

void progress_make_way(void)
{
	pthread_mutex_lock(&meter.lock);
	erase_line();
}

void progress_go_on(void)
{
	pthread_mutex_unlock(&meter.lock);
}
