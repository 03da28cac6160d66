/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Draining the ring buffer. A separate thread takes records out as fast as the kernel puts them in
 * and queues them, so that symbolizing and printing never make the kernel drop records. The queue
 * uses at most COLLECT_QUEUE_BYTES of memory: beyond that, sessions are dropped and counted.
 */
#ifndef RETSNOOP_TRACE_RUN_COLLECT_H
#define RETSNOOP_TRACE_RUN_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/trace/run/queue.h"

#define COLLECT_QUEUE_BYTES (256ull << 20)

struct collector;

/* Starts the thread. 0; negative errno (reported). */
int collector_new(int ringbuf_fd, struct collector **ret_collector);

/* Becomes readable when there are records; for poll(). */
int collector_fd(const struct collector *collector);

/* Makes the descriptor unreadable until there are more. Call it first, then take all. */
void collector_heard(const struct collector *collector);

/* The oldest record; valid until the next call. False: there is none now. */
bool collector_next(struct collector *collector, struct record *ret_record);

/* Sessions that are queued. */
uint64_t collector_waiting(struct collector *collector);

/* Stop the thread after it has taken all records now in the ring buffer. */
void collector_stop(struct collector *collector);

/* Dropped sessions, and dropped records of other sessions. */
void collector_losses(struct collector *collector, uint64_t *ret_sessions, uint64_t *ret_parts);

void collector_free(struct collector *collector);

#endif
