/* SPDX-License-Identifier: BSD-2-Clause */
/* The errno and paths that a command names in what it writes to standard error. Pure code. */
#ifndef RETSNOOP_WHY_WATCH_COMPLAINT_H
#define RETSNOOP_WHY_WATCH_COMPLAINT_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the errno's text ("Permission denied") or name in a complaint; 0: it is not there. */
size_t complaint_names(const char *complaint, int err);

/*
 * The errno that a complaint names, whatever failed; 0: none. The longest text counts: "No such
 * device" is in "No such device or address".
 */
int complaint_errno(const char *complaint);

/* Whether a complaint has the path, as a word: "/mnt: bad option" has /mnt, "/mnt/a" has not. */
bool complaint_has_path(const char *complaint, const char *path);

/* How a service marks a line: the first mark in it counts. */
/* Of those that are marked, later ones are worse. */
enum complaint_mark {
	COMPLAINT_UNMARKED,
	COMPLAINT_REMARK,	/* "LOG:", "WARNING", "[warn]": the service goes on */
	COMPLAINT_ERROR,	/* "ERROR", "error:": it may go on */
	COMPLAINT_FATAL,	/* "FATAL", "fatal error:", "[emerg]" */
};

enum complaint_mark complaint_mark_of(const char *complaint);

#endif
