// SPDX-License-Identifier: BSD-2-Clause
/* The thread that drains the ring buffer. */
#include "util/trace/run/collect.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/trace/run/ring.h"

#define POLL_MS 100

/*
 * If the reader keeps up with the records, each of them would wake it, at the cost of the traced
 * calls. So it lets records gather for this long, unless they fill the ring buffer quickly.
 */
#define GATHER_US 1000
#define GATHER_SHARE 16

/*
 * ring_take() goes on as long as there are records: under load, forever. So wake the reader every so
 * many records.
 */
#define WAKE_EVERY 64

struct collector {
	struct ring ring;
	pthread_t thread;
	bool running;
	atomic_bool stop;
	int epoll_fd;		/* of the ring buffer: woken only when BPF says so, unlike poll(2) */
	int event_fd;
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

static void queue_record(void *arg, const void *data, size_t size)
{
	struct collector *c = arg;

	queue_put(&c->queue, data, size);
	c->drained += size;
	if (++c->unheard == WAKE_EVERY)
		wake_reader(c);
}

static void *drain_ring(void *arg)
{
	struct collector *c = arg;
	struct epoll_event event;

	while (!c->stop) {
		c->drained = 0;
		/* After the time: records that were sent without a wakeup, such as parts of an open session. */
		if (epoll_wait(c->epoll_fd, &event, 1, POLL_MS) < 0 ||
		    !ring_take(&c->ring, queue_record, c))
			continue;
		wake_reader(c);
		if (c->drained < c->ring.size / GATHER_SHARE)
			usleep(GATHER_US);
	}
	ring_take(&c->ring, queue_record, c);
	wake_reader(c);
	return NULL;
}

static int open_ring(struct collector *c, int ringbuf_fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);

	if (bpf_obj_get_info_by_fd(ringbuf_fd, &info, &size))
		return -errno;
	c->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (c->epoll_fd < 0 || epoll_ctl(c->epoll_fd, EPOLL_CTL_ADD, ringbuf_fd, &event))
		return -errno;
	return ring_map(ringbuf_fd, info.max_entries, &c->ring);
}

int collector_new(int ringbuf_fd, struct collector **ret_collector)
{
	_cleanup_(collector_free_p) struct collector *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return report_oom();
	c->event_fd = c->epoll_fd = -1;
	queue_init(&c->queue, COLLECT_QUEUE_BYTES);
	err = open_ring(c, ringbuf_fd);
	if (err)
		return ring_report(err);
	c->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->event_fd < 0)
		return report(-errno, "cannot make an eventfd: %s", strerror(errno));
	err = pthread_create(&c->thread, NULL, drain_ring, c);
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
	ring_unmap(&c->ring);
	close_fd(&c->epoll_fd);
	close_fd(&c->event_fd);
	queue_release(&c->queue);
	free(c);
}
