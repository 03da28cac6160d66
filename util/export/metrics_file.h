/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that is replaced as a whole, for node_exporter's textfile collector: readers see the old
 * text or the new text, never a part.
 */
#ifndef RETSNOOP_EXPORT_METRICS_FILE_H
#define RETSNOOP_EXPORT_METRICS_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "util/base/strbuf.h"

/* The file as it was written last. Begins as {}. */
struct metrics_file {
	struct stat st;
	bool written;
	bool warned;	/* of another writer */
	struct strbuf why;	/* the failure reported last; empty after a success */
	uint64_t failures;	/* since the last success */
};

/*
 * Whether the file can be created and replaced: there is none, or a regular file, and the
 * directory can be written to. 0; -errno (reported).
 */
int metrics_file_check(const char *path);

/*
 * Write a new file in the same directory (".NAME.new"), and rename it. Everyone may read it. 0;
 * -errno, and the old file stays; it is reported unless the write before failed for the same reason.
 * Warns once if another program writes it, too: readers would see now this one's counts and now that
 * one's.
 */
int metrics_file_write(const char *path, const struct strbuf *text, struct metrics_file *file);

/* At the end: how often in a row it failed, if more than once. */
void metrics_file_say_failures(const char *path, const struct metrics_file *file);
void metrics_file_release(struct metrics_file *file);

#endif
