/* SPDX-License-Identifier: BSD-2-Clause */
/* Closing many links, each of which may take the kernel a while. */
#ifndef RETSNOOP_TRACE_ATTACH_DETACH_H
#define RETSNOOP_TRACE_ATTACH_DETACH_H

#include <stdbool.h>
#include <stddef.h>

/* Asked now and then whether to give up: the user wants out. */
typedef bool (*interrupted_fn)(void *arg);

/* Threads that close links side by side: more do not help on any kernel measured. */
#define DETACH_THREADS 16

/*
 * Close @fds from several threads of a child. Progress with the time left goes to stderr once it
 * takes over half a second. When @interrupted, leaves the child to itself, and says so.
 *
 * @return	whether all are closed now
 */
bool detach_links(const int *fds, size_t nr, interrupted_fn interrupted, void *arg);

#endif
