/* SPDX-License-Identifier: BSD-2-Clause */
/* Closes many links; each may take long. */
#ifndef RETSNOOP_TRACE_ATTACH_DETACH_H
#define RETSNOOP_TRACE_ATTACH_DETACH_H

#include <stdbool.h>
#include <stddef.h>

/* Called regularly: whether the user wants to stop. */
typedef bool (*interrupted_fn)(void *arg);

/* Threads that close links in parallel; more did not help on any kernel measured. */
#define DETACH_THREADS 16

/*
 * Close @fds from several threads of a child. After half a second, progress with the time left is
 * printed to stderr. When @interrupted, the child is left to finish by itself, and this is
 * reported.
 *
 * @return	whether all are closed now
 */
bool detach_links(const int *fds, size_t nr, interrupted_fn interrupted, void *arg);

#endif
