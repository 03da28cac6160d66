/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records on their way to a receiver: put in by one thread, which never waits, taken out by
 * another. Bounded: when there is no room, a record is refused.
 */
#ifndef RETSNOOP_EXPORT_OUTBOX_H
#define RETSNOOP_EXPORT_OUTBOX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct outbox_record {
	struct outbox_record *next;
	size_t size;		/* of all of it */
	const char *group;	/* records of the same one that follow each other go together */
	const char *text;
};

struct outbox {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct outbox_record *first, **end;
	size_t bytes, max_bytes;
	bool closed;
};

void outbox_init(struct outbox *outbox, size_t max_bytes);
void outbox_release(struct outbox *outbox);

/* False: there is no room. Both texts are copied. */
bool outbox_put(struct outbox *outbox, const char *group, const char *text);

/*
 * Wait until there is a record, and take some: all there are up to a number and a size, in a list.
 * NULL: there are none, and the outbox is closed.
 */
struct outbox_record *outbox_take(struct outbox *outbox, size_t max_records, size_t max_bytes);

/* How many are in the list. */
size_t outbox_records(const struct outbox_record *record);
void outbox_records_free(struct outbox_record *record);

/* Nothing more is put in; whoever waits goes on. */
void outbox_close(struct outbox *outbox);

/* Wait that long, or until it is closed. */
void outbox_pause(struct outbox *outbox, uint64_t ns);

#endif
