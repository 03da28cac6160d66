/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that is replaced as a whole, for node_exporter's textfile collector: readers see the old
 * text or the new text, never a part.
 */
#ifndef RETSNOOP_EXPORT_METRICS_FILE_H
#define RETSNOOP_EXPORT_METRICS_FILE_H

#include "util/base/strbuf.h"

/*
 * Whether the file can be created and replaced: there is none, or a regular file, and the
 * directory can be written to. 0; -errno (reported).
 */
int metrics_file_check(const char *path);

/*
 * Write a new file in the same directory (".NAME.new"), and rename it. Everyone may read it. 0;
 * -errno (reported), and the old file stays.
 */
int metrics_file_write(const char *path, const struct strbuf *text);

#endif
