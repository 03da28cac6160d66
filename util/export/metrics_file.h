/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that is replaced as a whole, for node_exporter's textfile collector: readers see the text
 * before or the text after, never a part.
 */
#ifndef RETSNOOP_EXPORT_METRICS_FILE_H
#define RETSNOOP_EXPORT_METRICS_FILE_H

#include "util/base/strbuf.h"

/*
 * Whether it can be made and replaced: nothing is there, or a regular file, and the directory can
 * be written to. 0; -errno (reported).
 */
int metrics_file_check(const char *path);

/*
 * Write a new file beside it (".NAME.new"), and rename it. Everyone may read it. 0; -errno
 * (reported), and the file that was there before stays.
 */
int metrics_file_write(const char *path, const struct strbuf *text);

#endif
