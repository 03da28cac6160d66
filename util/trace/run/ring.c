// SPDX-License-Identifier: BSD-2-Clause
/* The user's side of a ring buffer (kernel/bpf/ringbuf.c): a page of its own, one of the kernel, and the records. */
#include "util/trace/run/ring.h"

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/report.h"

/* Of the records that are mapped: all, and the first ones again after the last. */
static size_t mapped_bytes(size_t size)
{
	return size + (size < RING_LONGEST_RECORD ? size : RING_LONGEST_RECORD);
}

int ring_report(int err)
{
	/* Of epoll_ctl() alone: ep_insert() in fs/eventpoll.c, since 2.6.28. */
	if (err == -ENOSPC)
		return report(err, "cannot wait for the ring buffer: this user has as many files watched by epoll as "
				   "fs.epoll.max_user_watches allows; raise that by sysctl -w");
	return report(err, "cannot map the ring buffer: %s", strerror(-err));
}

int ring_map(int fd, size_t size, struct ring *ret_ring)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct ring ring = { .size = size };
	char *kernel;

	ring.consumed = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring.consumed == MAP_FAILED)
		return -errno;
	kernel = mmap(NULL, page + mapped_bytes(size), PROT_READ, MAP_SHARED, fd, page);
	if (kernel == MAP_FAILED) {
		int err = -errno;

		munmap(ring.consumed, page);
		return err;
	}
	ring.produced = (const uint64_t *)kernel;
	ring.data = kernel + page;
	*ret_ring = ring;
	return 0;
}

void ring_unmap(struct ring *ring)
{
	size_t page = sysconf(_SC_PAGESIZE);

	if (!ring->size)
		return;
	munmap(ring->consumed, page);
	munmap((void *)ring->produced, page + mapped_bytes(ring->size));
	*ring = (struct ring){};
}

/* A record takes a header of 8 bytes, which begins with its length, and a multiple of 8 bytes. */
static uint64_t room_of(uint32_t length)
{
	return ((uint64_t)length + BPF_RINGBUF_HDR_SZ + 7) / 8 * 8;
}

size_t ring_take(struct ring *ring, void (*take)(void *arg, const void *data, size_t size), void *arg)
{
	const uint32_t flags = BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT;
	uint64_t at = *ring->consumed;
	size_t taken = 0;

	while (at < __atomic_load_n(ring->produced, __ATOMIC_ACQUIRE)) {
		const char *record = ring->data + (at & (ring->size - 1));
		uint32_t header = __atomic_load_n((const uint32_t *)record, __ATOMIC_ACQUIRE);

		/* Being written: later ones have to wait, too. */
		if (header & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(header & BPF_RINGBUF_DISCARD_BIT)) {
			take(arg, record + BPF_RINGBUF_HDR_SZ, header & ~flags);
			taken++;
		}
		at += room_of(header & ~flags);
		__atomic_store_n(ring->consumed, at, __ATOMIC_RELEASE);
	}
	return taken;
}
