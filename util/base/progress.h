/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shows progress on stderr if something takes over half a second. Only on a terminal, on one line
 * that is removed at the end; not when quiet.
 *
 *	struct progress progress = progress_start("Reading debug info");
 *	for (...)
 *		progress_update(&progress, i, nr);
 *	progress_end(&progress);
 *
 * A thread draws the line, so it is shown even during one long system call. A nested progress
 * replaces the outer one until it ends. Messages and output remove the line before they are
 * printed.
 */
#ifndef RETSNOOP_BASE_PROGRESS_H
#define RETSNOOP_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress_line {
	const char *what;	/* borrowed; "Reading debug info" */
	const char *note;	/* borrowed, after it; NULL none */
	uint64_t started_ns;
	uint64_t done, total;	/* total 0: not known */
	bool bytes;
};

struct progress {
	struct progress_line around;	/* the outer line that it replaced */
	bool wanted;	/* it is shown */
};

struct progress progress_start(const char *what);

/*
 * The same for work that writes to stdout: nothing is shown if stdout is a terminal, where the
 * output itself shows progress.
 */
struct progress progress_start_beside_output(const char *what);

/* Cheap. @total 0: not known. "Attaching... 1200 of 5000, about 3 s left". */
void progress_update(struct progress *progress, uint64_t done, uint64_t total);

/* The same for bytes: "12% of 590 MB". */
void progress_update_bytes(struct progress *progress, uint64_t done, uint64_t total);

/* Add a note to the line; borrowed, or NULL. */
void progress_note(struct progress *progress, const char *note);

/* May be called for a struct progress of zeros, one that was never started or has ended. */
void progress_end(struct progress *progress);

/* Hide the line between these two calls. They may nest in one thread. */
void progress_make_way(void);
void progress_go_on(void);

/* The line's text without terminal codes, in at most @size bytes. For tests. */
void progress_text(const struct progress_line *line, uint64_t now_ns, char *text, int size);

#endif
