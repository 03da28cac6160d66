/* SPDX-License-Identifier: BSD-2-Clause */
/* Why getline() had no line. */
#ifndef RETSNOOP_BASE_NO_LINE_H
#define RETSNOOP_BASE_NO_LINE_H

#include <errno.h>
#include <stdio.h>

/*
 * Right after getline() returned -1: 0 the file has ended; -errno. If memory runs out, glibc sets
 * no error flag: ferror() would take that for the end.
 */
static inline int no_line_error(FILE *file)
{
	return feof(file) ? 0 : -(errno ?: EIO);
}

#endif
