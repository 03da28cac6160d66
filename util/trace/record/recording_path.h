/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Creates files for recordings and for output made from them. They replace only recordings of the
 * same user that are no longer written, follow no symbolic link, and are readable by nobody else.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_PATH_H
#define RETSNOOP_TRACE_RECORD_RECORDING_PATH_H

#include <stdbool.h>

/*
 * Check that the file can be created: an existing one will be kept as PATH.old, and with @rotates
 * others as PATH.1. 0; -EEXIST, -errno (reported, with what to do).
 */
int recording_path_check(const char *path, bool rotates);

/* Create it. A descriptor; -errno (reported). */
int recording_path_create(const char *path);

/* The same for a file of other output: it must not exist, or be empty. 0; -errno (reported). */
int output_path_check(const char *path);

/* Create it. A descriptor; -errno (reported). */
int output_path_create(const char *path);

/*
 * Rename PATH to PATH.1, replacing that, and create PATH. @fd: of the file that PATH must still be. A descriptor;
 * -errno (reported).
 */
int recording_path_rotate(const char *path, int fd);

#endif
