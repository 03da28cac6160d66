/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Taking records out of the BPF ring buffer. libbpf's reader maps the kernel's memory of it twice as a whole, so that
 * no record is in two pieces; here only the longest record's size is mapped again.
 */
#ifndef RETSNOOP_TRACE_RUN_RING_H
#define RETSNOOP_TRACE_RUN_RING_H

#include <stddef.h>
#include <stdint.h>

#include "util/ask/request.h"

/* No record is longer than a full trace and what comes before it. */
#define RING_LONGEST_RECORD (MAX_SESSION_BUF_SIZE + 64 * 1024)

struct ring {
	uint64_t *consumed;	/* positions, which only grow */
	const uint64_t *produced;
	const char *data;
	size_t size;		/* a power of two; 0: not mapped */
};

/* Map the buffer of @size bytes. 0; -errno (not reported). */
int ring_map(int fd, size_t size, struct ring *ret_ring);

/* Report that a ring buffer cannot be mapped, or waited for. Returns @err. */
int ring_report(int err);

void ring_unmap(struct ring *ring);

/* Call @take for each complete record, oldest first; returns their number. */
size_t ring_take(struct ring *ring, void (*take)(void *arg, const void *data, size_t size), void *arg);

#endif
