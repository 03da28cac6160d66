/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How far something has got, on stderr, once it takes over half a second. On a terminal only, on
 * one line that is gone when it is done; not when quiet.
 *
 *	struct progress progress = progress_start("Reading debug info");
 *	for (...)
 *		progress_update(&progress, i, nr);
 *	progress_end(&progress);
 *
 * A thread draws the line, so that a single system call that takes long is seen, too. What is begun
 * inside takes the place of what is around it. Messages and output put the line out of their way by
 * themselves.
 */
#ifndef RETSNOOP_BASE_PROGRESS_H
#define RETSNOOP_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress_line {
	const char *what;	/* borrowed; "Reading debug info" */
	const char *note;	/* borrowed, behind it; NULL none */
	uint64_t started_ns;
	uint64_t done, total;	/* total 0: not known */
	bool bytes;
};

struct progress {
	struct progress_line around;	/* what it took the place of */
	bool wanted;	/* somebody can see it */
};

struct progress progress_start(const char *what);

/* The same of work that writes to stdout meanwhile: that is progress enough on a terminal. */
struct progress progress_start_beside_output(const char *what);

/* Cheap. @total 0: not known. "Attaching... 1200 of 5000, about 3 s left". */
void progress_update(struct progress *progress, uint64_t done, uint64_t total);

/* The same for bytes: "12% of 590 MB". */
void progress_update_bytes(struct progress *progress, uint64_t done, uint64_t total);

/* More to say; borrowed, or NULL. */
void progress_note(struct progress *progress, const char *note);

/* Of what was never begun, or has ended, too: struct progress all zeros. */
void progress_end(struct progress *progress);

/* Between these two the line is not there. Calls of one thread may nest. */
void progress_make_way(void);
void progress_go_on(void);

/* What the line says, without the codes around it, in no more than @size bytes. For the tests. */
void progress_text(const struct progress_line *line, uint64_t now_ns, char *text, int size);

#endif
