/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where recordings, and what is made of them, are written: never over anything but recordings of
 * the same user, never through a symbolic link, readable by nobody else.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_PATH_H
#define RETSNOOP_TRACE_RECORD_RECORDING_PATH_H

#include <stdbool.h>

/*
 * Whether a file can be made there, the one that is there kept as PATH.old, and with @rotates
 * others as PATH.1. 0; -errno (reported).
 */
int recording_path_check(const char *path, bool rotates);

/* Make it. A descriptor; -errno (reported). */
int recording_path_create(const char *path);

/* Whether a file for other output can be made: no file is there, or an empty one. 0; -errno (reported). */
int output_path_check(const char *path);

/* Make it. A descriptor; -errno (reported). */
int output_path_create(const char *path);

/* PATH becomes PATH.1, which goes, and PATH is made anew. A descriptor; -errno (reported). */
int recording_path_rotate(const char *path);

#endif
