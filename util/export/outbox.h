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
	size_t size;		/* bytes of the whole allocation */
	const char *group;	/* consecutive records of one group are sent together */
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
 * Wait until there is a record, and take a list of records, up to a number and a size. NULL: no
 * records, and the outbox is closed.
 */
struct outbox_record *outbox_take(struct outbox *outbox, size_t max_records, size_t max_bytes);

/* The number of records in a list. */
size_t outbox_records(const struct outbox_record *record);
void outbox_records_free(struct outbox_record *record);

/* Accept no more records, and wake waiting threads. */
void outbox_close(struct outbox *outbox);

/* Wait that long, or until it is closed. */
void outbox_pause(struct outbox *outbox, uint64_t ns);

#endif
