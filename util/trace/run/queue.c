// SPDX-License-Identifier: BSD-2-Clause
/* Records between two threads. */
#include "util/trace/run/queue.h"

#include <stdlib.h>
#include <string.h>

#include "bpf/event.h"

/* Bytes that malloc adds. */
#define MALLOC_OVERHEAD 16

struct queue_block {
	struct queue_block *next;
	size_t room;	/* of data[] */
	size_t used;
	uint8_t data[];	/* records, each after a struct stored */
};

#define BLOCK_OVERHEAD (sizeof(struct queue_block) + MALLOC_OVERHEAD)

struct stored {
	uint64_t size;	/* bytes of the record, without padding */
};

static size_t stored_size(size_t size)
{
	return sizeof(struct stored) + ((size + 7) & ~(size_t)7);
}

void queue_init(struct queue *queue, size_t max_bytes)
{
	*queue = (struct queue){ .max_bytes = max_bytes };
	pthread_mutex_init(&queue->lock, NULL);
}

void queue_release(struct queue *queue)
{
	free(queue->taking);
	while (queue->first) {
		struct queue_block *block = queue->first;

		queue->first = block->next;
		free(block);
	}
	pthread_mutex_destroy(&queue->lock);
}

/* Append a copy to the queue. False: no room. */
static bool append_record(struct queue *queue, const void *data, size_t size, bool may_grow)
{
	struct stored stored = { size };
	size_t need = stored_size(size), bytes;
	struct queue_block *block = queue->last;

	if (!block || block->room - block->used < need) {
		bytes = need + BLOCK_OVERHEAD;
		if (bytes < QUEUE_BLOCK_BYTES)
			bytes = QUEUE_BLOCK_BYTES;
		if (!may_grow || queue->bytes + bytes > queue->max_bytes)
			return false;
		block = malloc(bytes - MALLOC_OVERHEAD);
		if (!block)
			return false;
		*block = (struct queue_block){ .room = bytes - BLOCK_OVERHEAD };
		*(queue->last ? &queue->last->next : &queue->first) = block;
		queue->last = block;
		queue->bytes += bytes;
	}
	memcpy(block->data + block->used, &stored, sizeof(stored));
	memcpy(block->data + block->used + sizeof(stored), data, size);
	block->used += need;
	return true;
}

static uint64_t *place_of(struct queue *queue, uint64_t session)
{
	return &queue->broken[(session * 0x9e3779b97f4a7c15ull) >> 32 & (QUEUE_NR_BROKEN - 1)];
}

static bool is_broken(struct queue *queue, uint64_t session)
{
	return queue->nr_broken && session && *place_of(queue, session) == session;
}

static void mend_session(struct queue *queue, uint64_t session)
{
	if (is_broken(queue, session)) {
		*place_of(queue, session) = 0;
		queue->nr_broken--;
	}
}

/*
 * Note that a part of a session was dropped. If another session has its place, or it has no id,
 * it is shown without that part.
 */
static void break_session(struct queue *queue, uint64_t session)
{
	uint64_t *place = place_of(queue, session);

	if (!session || (*place && *place != session)) {
		queue->parts_dropped++;
	} else if (!*place) {
		*place = session;
		queue->nr_broken++;
	}
}

/*
 * A session's closing record is dropped: if there is room, queue a record that drops its earlier
 * records.
 */
static void drop_session(struct queue *queue, uint64_t session)
{
	struct event_header forget = { EVENT_DROP, sizeof(forget), session };

	queue->dropped++;
	mend_session(queue, session);
	append_record(queue, &forget, sizeof(forget), false);
}

void queue_put(struct queue *queue, const void *data, size_t size)
{
	struct event_header header = {};

	memcpy(&header, data, size < sizeof(header) ? size : sizeof(header));
	pthread_mutex_lock(&queue->lock);
	/* Wait for room for many records, so that few sessions are dropped in part. */
	if (queue->full && queue->bytes <= queue->max_bytes / 8 * 7)
		queue->full = false;
	if (header.kind == EVENT_DROP)
		mend_session(queue, header.session);
	if (!queue->full && !is_broken(queue, header.session)) {
		queue->full = !append_record(queue, data, size, true);
		if (!queue->full) {
			queue->sessions += header.kind == EVENT_SESSION;
			goto out;
		}
	}
	if (header.kind == EVENT_SESSION)
		drop_session(queue, header.session);
	else if (header.kind == EVENT_DROP)
		append_record(queue, data, size, false);
	else
		break_session(queue, header.session);
out:
	pthread_mutex_unlock(&queue->lock);
}

/* Release the block that records were taken from, and go on with the next one. */
static bool next_block(struct queue *queue)
{
	struct queue_block *done = queue->taking, *block;

	pthread_mutex_lock(&queue->lock);
	block = queue->first;
	if (block) {
		queue->first = block->next;
		if (!queue->first)
			queue->last = NULL;
	}
	if (done)
		queue->bytes -= done->room + BLOCK_OVERHEAD;
	pthread_mutex_unlock(&queue->lock);
	free(done);
	queue->taking = block;
	queue->taken = 0;
	return block;
}

bool queue_next(struct queue *queue, struct record *ret_record)
{
	struct event_header header = {};
	struct stored stored;

	if ((!queue->taking || queue->taken == queue->taking->used) && !next_block(queue))
		return false;
	memcpy(&stored, queue->taking->data + queue->taken, sizeof(stored));
	ret_record->data = queue->taking->data + queue->taken + sizeof(stored);
	ret_record->size = stored.size;
	queue->taken += stored_size(stored.size);

	memcpy(&header, ret_record->data,
	       stored.size < sizeof(header) ? stored.size : sizeof(header));
	if (header.kind == EVENT_SESSION) {
		pthread_mutex_lock(&queue->lock);
		queue->sessions--;
		pthread_mutex_unlock(&queue->lock);
	}
	return true;
}

uint64_t queue_sessions(struct queue *queue)
{
	uint64_t sessions;

	pthread_mutex_lock(&queue->lock);
	sessions = queue->sessions;
	pthread_mutex_unlock(&queue->lock);
	return sessions;
}

void queue_losses(struct queue *queue, uint64_t *ret_sessions, uint64_t *ret_parts)
{
	pthread_mutex_lock(&queue->lock);
	*ret_sessions = queue->dropped;
	*ret_parts = queue->parts_dropped;
	pthread_mutex_unlock(&queue->lock);
}
