// SPDX-License-Identifier: BSD-2-Clause
/* A bounded queue of records between two threads. */
#include "util/export/outbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/base/clock.h"

void outbox_init(struct outbox *outbox, size_t max_bytes)
{
	pthread_condattr_t attr;

	*outbox = (struct outbox){ .max_bytes = max_bytes };
	outbox->end = &outbox->first;
	pthread_mutex_init(&outbox->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&outbox->changed, &attr);
	pthread_condattr_destroy(&attr);
}

void outbox_release(struct outbox *outbox)
{
	outbox_records_free(outbox->first);
	pthread_cond_destroy(&outbox->changed);
	pthread_mutex_destroy(&outbox->lock);
}

bool outbox_put(struct outbox *outbox, const char *group, const char *text)
{
	size_t group_size = strlen(group) + 1, text_size = strlen(text) + 1;
	size_t size = sizeof(struct outbox_record) + group_size + text_size;
	struct outbox_record *record = NULL;
	char *texts;

	pthread_mutex_lock(&outbox->lock);
	if (!outbox->closed && size <= outbox->max_bytes - outbox->bytes)
		record = malloc(size);
	if (record) {
		texts = (char *)(record + 1);
		memcpy(texts, group, group_size);
		memcpy(texts + group_size, text, text_size);
		*record = (struct outbox_record){ NULL, size, texts, texts + group_size };
		outbox->bytes += size;
		*outbox->end = record;
		outbox->end = &record->next;
		pthread_cond_signal(&outbox->changed);
	}
	pthread_mutex_unlock(&outbox->lock);
	return record;
}

struct outbox_record *outbox_take(struct outbox *outbox, size_t max_records, size_t max_bytes)
{
	struct outbox_record *first, **end = &first;
	size_t bytes = 0;

	pthread_mutex_lock(&outbox->lock);
	while (!outbox->first && !outbox->closed)
		pthread_cond_wait(&outbox->changed, &outbox->lock);
	first = outbox->first;
	/* At least one record, however large. */
	while (*end && max_records-- && (!bytes || bytes + (*end)->size <= max_bytes)) {
		bytes += (*end)->size;
		end = &(*end)->next;
	}
	outbox->first = *end;
	*end = NULL;
	if (!outbox->first)
		outbox->end = &outbox->first;
	outbox->bytes -= bytes;
	pthread_mutex_unlock(&outbox->lock);
	return first;
}

size_t outbox_records(const struct outbox_record *record)
{
	size_t n = 0;

	for (; record; record = record->next)
		n++;
	return n;
}

void outbox_records_free(struct outbox_record *record)
{
	while (record) {
		struct outbox_record *next = record->next;

		free(record);
		record = next;
	}
}

void outbox_close(struct outbox *outbox)
{
	pthread_mutex_lock(&outbox->lock);
	outbox->closed = true;
	pthread_cond_broadcast(&outbox->changed);
	pthread_mutex_unlock(&outbox->lock);
}

void outbox_pause(struct outbox *outbox, uint64_t ns)
{
	uint64_t until = clock_ns(CLOCK_MONOTONIC) + ns;
	const struct timespec deadline = { until / NSEC_PER_SEC, until % NSEC_PER_SEC };
	int err = 0;

	pthread_mutex_lock(&outbox->lock);
	while (!outbox->closed && err != ETIMEDOUT)
		err = pthread_cond_timedwait(&outbox->changed, &outbox->lock, &deadline);
	pthread_mutex_unlock(&outbox->lock);
}
