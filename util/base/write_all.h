/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing until all is written. */
#ifndef RETSNOOP_BASE_WRITE_ALL_H
#define RETSNOOP_BASE_WRITE_ALL_H

#include <stddef.h>

/* To a descriptor that blocks; signals do not end it. 0; -errno, with a part of it written. */
int write_all(int fd, const void *data, size_t size);

#endif
