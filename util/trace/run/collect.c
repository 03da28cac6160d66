// SPDX-License-Identifier: BSD-2-Clause
/* The thread that drains the ring buffer. */
#include "util/trace/run/collect.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"

#define POLL_MS 100

/*
 * If the reader keeps up with the records, each of them would wake it, at the cost of the traced
 * calls. So it lets records gather for this long, unless they fill the ring buffer quickly.
 */
#define GATHER_US 1000
#define GATHER_SHARE 16

/*
 * libbpf goes on as long as there are records: under load, forever. So wake the reader every so
 * many records.
 */
#define WAKE_EVERY 64

struct collector {
	struct ring_buffer *ring;
	pthread_t thread;
	bool running;
	atomic_bool stop;
	int event_fd;
	uint32_t ring_size;
	uint64_t drained;	/* bytes of records since the last poll; the thread's alone */
	uint32_t unheard;	/* records since the reader was woken; the thread's alone */
	struct queue queue;
};

DEFINE_CLEANUP(struct collector *, collector_free)

static void wake_reader(struct collector *c)
{
	uint64_t one = 1;

	c->unheard = 0;
	/* A full counter wakes the reader, too. */
	if (write(c->event_fd, &one, sizeof(one)) < 0)
		return;
}

static int queue_record(void *arg, void *data, size_t size)
{
	struct collector *c = arg;

	queue_put(&c->queue, data, size);
	c->drained += size;
	if (++c->unheard == WAKE_EVERY)
		wake_reader(c);
	return 0;
}

static void *drain_rings(void *arg)
{
	struct collector *c = arg;
	int n;

	while (!c->stop) {
		c->drained = 0;
		n = ring_buffer__poll(c->ring, POLL_MS);
		/*
		 * Take records that were sent without a wakeup, such as parts of an open session.
		 */
		if (!n)
			n = ring_buffer__consume(c->ring);
		if (n <= 0)
			continue;
		wake_reader(c);
		if (c->drained < c->ring_size / GATHER_SHARE)
			usleep(GATHER_US);
	}
	ring_buffer__consume(c->ring);
	wake_reader(c);
	return NULL;
}

static uint32_t ring_size(int ringbuf_fd)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);

	return bpf_obj_get_info_by_fd(ringbuf_fd, &info, &size) ? 0 : info.max_entries;
}

int collector_new(int ringbuf_fd, struct collector **ret_collector)
{
	_cleanup_(collector_free_p) struct collector *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return report_oom();
	c->event_fd = -1;
	c->ring_size = ring_size(ringbuf_fd);
	queue_init(&c->queue, COLLECT_QUEUE_BYTES);
	c->ring = ring_buffer__new(ringbuf_fd, queue_record, c, NULL);
	if (!c->ring)
		return report(-errno, "cannot map the ring buffer: %s", strerror(errno));
	c->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->event_fd < 0)
		return report(-errno, "cannot make an eventfd: %s", strerror(errno));
	err = pthread_create(&c->thread, NULL, drain_rings, c);
	if (err)
		return report(-err, "cannot start a thread: %s", strerror(err));
	c->running = true;
	*ret_collector = take_ptr(c);
	return 0;
}

int collector_fd(const struct collector *c)
{
	return c->event_fd;
}

void collector_heard(const struct collector *c)
{
	uint64_t count;

	/* An empty counter is fine, too. */
	if (read(c->event_fd, &count, sizeof(count)) < 0)
		return;
}

bool collector_next(struct collector *c, struct record *ret_record)
{
	return queue_next(&c->queue, ret_record);
}

uint64_t collector_waiting(struct collector *c)
{
	return queue_sessions(&c->queue);
}

void collector_stop(struct collector *c)
{
	if (!c->running)
		return;
	c->stop = true;
	pthread_join(c->thread, NULL);
	c->running = false;
}

void collector_losses(struct collector *c, uint64_t *ret_sessions, uint64_t *ret_parts)
{
	queue_losses(&c->queue, ret_sessions, ret_parts);
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	collector_stop(c);
	ring_buffer__free(c->ring);
	if (c->event_fd >= 0)
		close(c->event_fd);
	queue_release(&c->queue);
	free(c);
}
