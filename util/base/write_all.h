/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes all of a buffer. */
#ifndef RETSNOOP_BASE_WRITE_ALL_H
#define RETSNOOP_BASE_WRITE_ALL_H

#include <stddef.h>

/* Write to a blocking descriptor; signals do not end it. 0; -errno: only a part was written. */
int write_all(int fd, const void *data, size_t size);

#endif
