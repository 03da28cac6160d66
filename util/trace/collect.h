/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Draining the ring buffer. A thread of its own takes records out as fast as the kernel puts them
 * in and queues them, so that symbolizing and printing never make the kernel drop any. The queue
 * is bounded: beyond COLLECT_QUEUE_BYTES records are dropped and counted.
 */
#ifndef RETSNOOP_TRACE_COLLECT_H
#define RETSNOOP_TRACE_COLLECT_H

#include <stddef.h>
#include <stdint.h>

#define COLLECT_QUEUE_BYTES (256ull << 20)

struct collector;

struct record {
	struct record *next;
	size_t size;
	uint8_t data[];
};

/* Starts the thread. 0; negative errno (reported). */
int collector_new(int ringbuf_fd, struct collector **ret_collector);

/* Becomes readable when there are records; for poll(). */
int collector_fd(const struct collector *collector);

/* Everything queued so far, oldest first, or NULL. The caller frees each record. */
struct record *collector_take(struct collector *collector);

/* Stop the thread after it has taken out what is in the ring buffer now. */
void collector_stop(struct collector *collector);

uint64_t collector_dropped(const struct collector *collector);
void collector_free(struct collector *collector);

#endif
