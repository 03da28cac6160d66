/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Passes records (bpf/event.h) from the thread that drains the ring buffer to the thread that shows
 * sessions. One puts, one takes. Memory is bounded; without room, whole sessions are dropped where
 * possible, and counted.
 */
#ifndef RETSNOOP_TRACE_RUN_QUEUE_H
#define RETSNOOP_TRACE_RUN_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of an allocation, header included; larger records get their own. */
#define QUEUE_BLOCK_BYTES (64u << 10)

/* Open sessions whose parts were dropped. */
#define QUEUE_NR_BROKEN 4096

struct record {
	const void *data;
	size_t size;
};

struct queue_block;

struct queue {
	size_t max_bytes;

	/* Used only by the taker. */
	struct queue_block *taking;
	size_t taken;			/* bytes of it */

	pthread_mutex_t lock;		/* of all below */
	struct queue_block *first, *last;
	size_t bytes;			/* of memory, including the block in `taking` */
	bool full;			/* until there is enough room again */
	uint64_t sessions;		/* closing records that wait */
	uint64_t dropped;		/* sessions */
	uint64_t parts_dropped;		/* records missing in sessions that are shown */
	uint32_t nr_broken;
	uint64_t broken[QUEUE_NR_BROKEN];	/* ids, each in its place; 0 none */
};

void queue_init(struct queue *queue, size_t max_bytes);
void queue_release(struct queue *queue);

/* Takes a copy. */
void queue_put(struct queue *queue, const void *data, size_t size);

/* The oldest record; valid until the next call. False: there is none now. */
bool queue_next(struct queue *queue, struct record *ret_record);

/* Queued sessions; dropped sessions; dropped records of other sessions. */
uint64_t queue_sessions(struct queue *queue);
void queue_losses(struct queue *queue, uint64_t *ret_sessions, uint64_t *ret_parts);

#endif
