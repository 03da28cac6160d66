// SPDX-License-Identifier: BSD-2-Clause
/* The queue of records: order, a bound on memory, and what goes when that is reached. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "bpf/event.h"
#include "util/trace/run/queue.h"

#define MAX_BYTES (32 * QUEUE_BLOCK_BYTES)

FIXTURE(queue)
{
	struct queue queue;
	struct record record;
	uint64_t dropped, parts;
	char data[2 * QUEUE_BLOCK_BYTES];
};

FIXTURE_SETUP(queue)
{
	queue_init(&self->queue, MAX_BYTES);
}

FIXTURE_TEARDOWN(queue)
{
	queue_release(&self->queue);
}

/* A record of that size, the header included. */
static void put(FIXTURE_DATA(queue) * self, uint32_t kind, uint64_t session, size_t size)
{
	struct event_header header = { kind, size, session };

	memset(self->data, (char)size, size);
	memcpy(self->data, &header, sizeof(header));
	queue_put(&self->queue, self->data, size);
}

/* Takes the next one; its kind, 0 if there is none. */
static uint32_t take(FIXTURE_DATA(queue) * self, uint64_t *ret_session)
{
	struct event_header header;

	if (!queue_next(&self->queue, &self->record))
		return 0;
	memcpy(&header, self->record.data, sizeof(header));
	*ret_session = header.session;
	return header.kind;
}

#define EXPECT_NEXT(kind_, session_)                         \
	do {                                                 \
		uint64_t of_ = 0;                            \
		EXPECT_EQ(kind_, take(self, &of_));          \
		EXPECT_EQ((uint64_t)(session_), of_);        \
	} while (0)

#define EXPECT_LOSSES(sessions_, parts_)                                      \
	do {                                                                  \
		queue_losses(&self->queue, &self->dropped, &self->parts);     \
		EXPECT_EQ((uint64_t)(sessions_), self->dropped);              \
		EXPECT_EQ((uint64_t)(parts_), self->parts);                   \
	} while (0)

/* Puts ever more sessions of one record, with ids from @id on, until one is dropped. */
static uint64_t fill(FIXTURE_DATA(queue) * self, uint64_t id)
{
	uint64_t before, parts, sessions;

	queue_losses(&self->queue, &before, &parts);
	do {
		put(self, EVENT_SESSION, id++, 1000);
		queue_losses(&self->queue, &sessions, &parts);
	} while (sessions == before);
	return id;
}

TEST_F(queue, gives_back_what_was_put_in_in_order)
{
	/* Of all sizes, so that some end with a block, some one byte before, some behind. */
	for (uint64_t i = 0; i < 300; i++)
		put(self, EVENT_STACK, i + 1, sizeof(struct event_header) + 7 * i);
	for (uint64_t i = 0; i < 300; i++) {
		const char *data;

		EXPECT_NEXT(EVENT_STACK, i + 1);
		ASSERT_EQ(sizeof(struct event_header) + 7 * i, self->record.size);
		data = self->record.data;
		for (size_t at = sizeof(struct event_header); at < self->record.size; at++)
			ASSERT_EQ((char)self->record.size, data[at]);
	}
	EXPECT_EQ(false, queue_next(&self->queue, &self->record));
	EXPECT_EQ(false, queue_next(&self->queue, &self->record));
	EXPECT_LOSSES(0, 0);
}

TEST_F(queue, takes_records_of_any_size)
{
	char byte = 'x';

	queue_put(&self->queue, &byte, 1);
	queue_put(&self->queue, &byte, 0);
	put(self, EVENT_CALLS, 5, 2 * QUEUE_BLOCK_BYTES);
	put(self, EVENT_CALLS, 6, 100);
	ASSERT_EQ(true, queue_next(&self->queue, &self->record));
	EXPECT_EQ(1, self->record.size);
	EXPECT_EQ('x', *(const char *)self->record.data);
	ASSERT_EQ(true, queue_next(&self->queue, &self->record));
	EXPECT_EQ(0, self->record.size);
	EXPECT_NEXT(EVENT_CALLS, 5);
	EXPECT_EQ(2 * QUEUE_BLOCK_BYTES, self->record.size);
	EXPECT_NEXT(EVENT_CALLS, 6);
}

TEST_F(queue, goes_on_after_it_was_empty)
{
	for (uint64_t i = 1; i < 100; i++) {
		put(self, EVENT_SESSION, i, 3000);
		EXPECT_EQ(1, queue_sessions(&self->queue));
		EXPECT_NEXT(EVENT_SESSION, i);
		EXPECT_EQ(0, queue_sessions(&self->queue));
		EXPECT_EQ(false, queue_next(&self->queue, &self->record));
	}
	EXPECT_EQ(0, self->queue.bytes);
}

TEST_F(queue, knows_how_many_sessions_wait)
{
	put(self, EVENT_CALLS, 1, 100);
	put(self, EVENT_SESSION, 1, 100);
	put(self, EVENT_SESSION, 2, 100);
	EXPECT_EQ(2, queue_sessions(&self->queue));
	EXPECT_NEXT(EVENT_CALLS, 1);
	EXPECT_EQ(2, queue_sessions(&self->queue));
	EXPECT_NEXT(EVENT_SESSION, 1);
	EXPECT_EQ(1, queue_sessions(&self->queue));
}

TEST_F(queue, keeps_to_its_bound)
{
	for (uint64_t i = 1; i < 8000; i++) {
		put(self, EVENT_SESSION, i, 100 + i % 977);
		ASSERT_LE(self->queue.bytes, MAX_BYTES);
	}
	/* And makes good use of it. */
	EXPECT_GE(self->queue.bytes, MAX_BYTES - QUEUE_BLOCK_BYTES);
	queue_losses(&self->queue, &self->dropped, &self->parts);
	EXPECT_EQ(7999, self->dropped + queue_sessions(&self->queue));
}

TEST_F(queue, counts_the_block_that_is_being_taken_from)
{
	uint64_t of;

	fill(self, 1);
	ASSERT_EQ(EVENT_SESSION, take(self, &of));
	EXPECT_GE(self->queue.bytes, MAX_BYTES - QUEUE_BLOCK_BYTES);
}

TEST_F(queue, drops_the_newest_and_keeps_the_rest)
{
	uint64_t next = fill(self, 1), of, taken = 0;
	uint32_t kind;

	/* The last one was dropped. */
	EXPECT_EQ(next - 2, queue_sessions(&self->queue));
	while ((kind = take(self, &of)) == EVENT_SESSION)
		EXPECT_EQ(++taken, of);
	EXPECT_EQ(next - 2, taken);
	/* And its parts, had there been any, are to be forgotten. */
	if (kind) {
		EXPECT_EQ(EVENT_DROP, kind);
		EXPECT_EQ(next - 1, of);
	}
}

TEST_F(queue, drops_a_session_of_which_a_part_was_dropped)
{
	uint64_t next = fill(self, 1), of;

	EXPECT_LOSSES(1, 0);
	put(self, EVENT_CALLS, next, 5000);
	put(self, EVENT_STACK, next, 500);
	EXPECT_LOSSES(1, 0);
	while (take(self, &of))
		;
	/* There is room again, but not for what belongs to it. */
	put(self, EVENT_CALLS, next, 100);
	put(self, EVENT_SESSION, next + 1, 100);
	put(self, EVENT_SESSION, next, 100);
	EXPECT_LOSSES(2, 0);
	EXPECT_EQ(1, queue_sessions(&self->queue));
	EXPECT_NEXT(EVENT_SESSION, next + 1);
	EXPECT_NEXT(EVENT_DROP, next);
	EXPECT_EQ(sizeof(struct event_header), self->record.size);

	/* A later one may have the same id. */
	put(self, EVENT_CALLS, next, 100);
	put(self, EVENT_SESSION, next, 100);
	EXPECT_NEXT(EVENT_CALLS, next);
	EXPECT_NEXT(EVENT_SESSION, next);
	EXPECT_LOSSES(2, 0);
}

TEST_F(queue, a_session_that_did_not_pass_is_no_loss)
{
	uint64_t next = fill(self, 1), of;

	put(self, EVENT_CALLS, next, 5000);
	put(self, EVENT_DROP, next, sizeof(struct event_header));
	EXPECT_LOSSES(1, 0);
	while (take(self, &of))
		;
	put(self, EVENT_CALLS, next, 100);
	put(self, EVENT_SESSION, next, 100);
	EXPECT_NEXT(EVENT_CALLS, next);
	EXPECT_NEXT(EVENT_SESSION, next);
	EXPECT_LOSSES(1, 0);
}

TEST_F(queue, is_full_until_there_is_room_for_many)
{
	uint64_t next = fill(self, 1), of;

	/* One block given back is not enough. */
	while (self->queue.bytes > MAX_BYTES - QUEUE_BLOCK_BYTES)
		ASSERT_NE(0, take(self, &of));
	put(self, EVENT_SESSION, next, 100);
	EXPECT_LOSSES(2, 0);
	while (self->queue.bytes > MAX_BYTES / 8 * 7)
		ASSERT_NE(0, take(self, &of));
	put(self, EVENT_SESSION, next, 100);
	EXPECT_LOSSES(2, 0);
	fill(self, next + 1);
	EXPECT_LOSSES(3, 0);
}

TEST_F(queue, counts_parts_that_it_cannot_keep_track_of)
{
	uint64_t next = fill(self, 1);
	uint64_t broken = 0;

	for (uint64_t i = 0; i < 3 * QUEUE_NR_BROKEN; i++)
		put(self, EVENT_CALLS, next + i, 5000);
	queue_losses(&self->queue, &self->dropped, &self->parts);
	for (size_t i = 0; i < QUEUE_NR_BROKEN; i++)
		broken += self->queue.broken[i] != 0;
	EXPECT_EQ(self->queue.nr_broken, broken);
	EXPECT_EQ(3 * QUEUE_NR_BROKEN, broken + self->parts);
	EXPECT_LT(0, self->parts);
	put(self, EVENT_CALLS, 0, 5000);
	EXPECT_EQ(self->parts + 1, self->queue.parts_dropped);
}

static void *put_many(void *arg)
{
	struct event_header header = { EVENT_SESSION, 64, 0 };
	struct queue *queue = arg;
	char data[64] = {};

	for (header.session = 1; header.session <= 200000; header.session++) {
		memcpy(data, &header, sizeof(header));
		queue_put(queue, data, sizeof(data));
	}
	return NULL;
}

TEST_F(queue, loses_nothing_uncounted_between_two_threads)
{
	uint64_t of = 0, last = 0, taken = 0;
	bool over = false, more;
	pthread_t thread;
	uint32_t kind;

	ASSERT_EQ(0, pthread_create(&thread, NULL, put_many, &self->queue));
	while (!over) {
		/* Once more after the end. */
		over = pthread_tryjoin_np(thread, NULL) == 0;
		for (more = true; more;) {
			kind = take(self, &of);
			more = kind;
			if (kind != EVENT_SESSION)
				continue;
			ASSERT_LT(last, of);
			last = of;
			taken++;
		}
	}
	queue_losses(&self->queue, &self->dropped, &self->parts);
	EXPECT_EQ(200000, taken + self->dropped);
	EXPECT_EQ(0, queue_sessions(&self->queue));
	EXPECT_EQ(0, self->queue.bytes);
}

TEST_HARNESS_MAIN
