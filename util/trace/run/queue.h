/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records (bpf/event.h) on their way from the thread that drains the ring buffer to the one that
 * shows sessions. One puts, one takes. Memory is bounded; what finds no room is dropped by whole
 * sessions, as far as that can be known, and counted.
 */
#ifndef RETSNOOP_TRACE_RUN_QUEUE_H
#define RETSNOOP_TRACE_RUN_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of memory that is got at once, with all that belongs to it; larger records have their own. */
#define QUEUE_BLOCK_BYTES (64u << 10)

/* Sessions of which parts were dropped and whose end is yet to come. */
#define QUEUE_NR_BROKEN 4096

struct record {
	const void *data;
	size_t size;
};

struct queue_block;

struct queue {
	size_t max_bytes;

	/* The taker's alone. */
	struct queue_block *taking;
	size_t taken;			/* bytes of it */

	pthread_mutex_t lock;		/* of all below */
	struct queue_block *first, *last;
	size_t bytes;			/* of memory, with the block that is being taken from */
	bool full;			/* until there is some room again */
	uint64_t sessions;		/* closing records that wait */
	uint64_t dropped;		/* sessions */
	uint64_t parts_dropped;		/* records of sessions that are shown without them */
	uint32_t nr_broken;
	uint64_t broken[QUEUE_NR_BROKEN];	/* ids, each in its place; 0 none */
};

void queue_init(struct queue *queue, size_t max_bytes);
void queue_release(struct queue *queue);

/* Takes a copy. */
void queue_put(struct queue *queue, const void *data, size_t size);

/* The oldest; valid until the next call. False: there is none now. */
bool queue_next(struct queue *queue, struct record *ret_record);

/* Sessions that wait to be taken; dropped ones; records dropped of sessions that were not. */
uint64_t queue_sessions(struct queue *queue);
void queue_losses(struct queue *queue, uint64_t *ret_sessions, uint64_t *ret_parts);

#endif
