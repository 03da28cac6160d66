/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How far something has got, on stderr, once it takes over half a second. On a terminal only, on
 * one line that is gone when it is done; not when quiet.
 *
 *	struct progress progress = progress_start("Reading debug info");
 *	for (...)
 *		progress_update(&progress, i, nr);
 *	progress_end(&progress);
 */
#ifndef RETSNOOP_BASE_PROGRESS_H
#define RETSNOOP_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *what;	/* borrowed; "Reading debug info" */
	uint64_t started_ns;
	uint64_t shown_ns;	/* when last; 0 not yet */
	bool wanted;	/* somebody can see it */
};

struct progress progress_start(const char *what);

/* Cheap enough for every thousandth of the work. @total 0: not known. */
void progress_update(struct progress *progress, uint64_t done, uint64_t total);

/* The same for bytes: "12 of 590 MB". */
void progress_update_bytes(struct progress *progress, uint64_t done, uint64_t total);

void progress_end(struct progress *progress);

#endif
