// SPDX-License-Identifier: BSD-2-Clause
/* Records of a ring buffer: what is complete, what is left out, and one that reaches over the end. */
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>

#include "unit.h"

#include "util/base/cleanup.h"
#include "util/trace/run/ring.h"

#define SIZE 65536	/* a multiple of every page size */

FIXTURE(ring)
{
	int fd;
	size_t page;
	char *memory;		/* as the kernel lays it out: two pages of positions, the records twice */
	uint64_t *produced;
	struct ring ring;
	size_t sizes[8], nr;
	char last[64];
};

FIXTURE_SETUP(ring)
{
	self->page = sysconf(_SC_PAGESIZE);
	self->fd = memfd_create("ring", MFD_CLOEXEC);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, ftruncate(self->fd, 2 * self->page + 2 * SIZE));
	self->memory = mmap(NULL, 2 * self->page + 2 * SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, self->memory);
	self->produced = (uint64_t *)(self->memory + self->page);
	ASSERT_EQ(0, ring_map(self->fd, SIZE, &self->ring));
}

FIXTURE_TEARDOWN(ring)
{
	ring_unmap(&self->ring);
	ring_unmap(&self->ring);
	munmap(self->memory, 2 * self->page + 2 * SIZE);
	close_fd(&self->fd);
}

/* Memory that is there twice: the test writes both. */
static void put_bytes(FIXTURE_DATA(ring) * self, uint64_t at, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		char *place = self->memory + 2 * self->page + (at + i) % SIZE;

		place[0] = place[SIZE] = ((const char *)bytes)[i];
	}
}

static void put(FIXTURE_DATA(ring) * self, const char *text, size_t size, uint32_t flags)
{
	uint32_t header[2] = { size | flags, 0 };

	put_bytes(self, *self->produced, header, sizeof(header));
	put_bytes(self, *self->produced + sizeof(header), text, strlen(text) + 1);
	*self->produced += sizeof(header) + (size + 7) / 8 * 8;
}

static void keep(void *arg, const void *data, size_t size)
{
	FIXTURE_DATA(ring) *self = arg;

	self->sizes[self->nr++ % 8] = size;
	snprintf(self->last, sizeof(self->last), "%s", (const char *)data);
}

TEST_F(ring, order)
{
	EXPECT_EQ(0, ring_take(&self->ring, keep, self));
	put(self, "one", 4, 0);
	put(self, "fifteen letters", 16, 0);
	put(self, "three", 6, 0);
	EXPECT_EQ(3, ring_take(&self->ring, keep, self));
	EXPECT_EQ(4, self->sizes[0]);
	EXPECT_EQ(16, self->sizes[1]);
	EXPECT_EQ(6, self->sizes[2]);
	EXPECT_STREQ("three", self->last);
	EXPECT_EQ(*self->produced, *(uint64_t *)self->memory);
	EXPECT_EQ(0, ring_take(&self->ring, keep, self));
}

TEST_F(ring, discarded)
{
	put(self, "no", 3, BPF_RINGBUF_DISCARD_BIT);
	put(self, "yes", 4, 0);
	EXPECT_EQ(1, ring_take(&self->ring, keep, self));
	EXPECT_STREQ("yes", self->last);
}

TEST_F(ring, being_written)
{
	uint64_t second;
	uint32_t done = 7;

	put(self, "first", 6, 0);
	second = *self->produced;
	put(self, "second", 7, BPF_RINGBUF_BUSY_BIT);
	put(self, "third", 6, 0);
	EXPECT_EQ(1, ring_take(&self->ring, keep, self));
	EXPECT_STREQ("first", self->last);
	EXPECT_EQ(second, *(uint64_t *)self->memory);
	put_bytes(self, second, &done, sizeof(done));
	EXPECT_EQ(2, ring_take(&self->ring, keep, self));
	EXPECT_STREQ("third", self->last);
}

/* Positions go on growing; a record that reaches over the end is in one piece. */
TEST_F(ring, over_the_end)
{
	for (int i = 0; i < 3; i++) {
		put(self, "long", SIZE - 32, 0);
		EXPECT_EQ(1, ring_take(&self->ring, keep, self));
		put(self, "over the end, in one piece, and whole", 40, 0);
		EXPECT_EQ(1, ring_take(&self->ring, keep, self));
		EXPECT_STREQ("over the end, in one piece, and whole", self->last);
	}
	EXPECT_LT(3 * SIZE, *self->produced);
}

TEST_F(ring, no_such_file)
{
	struct ring ring = {};

	EXPECT_EQ(-EBADF, ring_map(-1, SIZE, &ring));
	EXPECT_EQ(0, ring.size);
}

TEST_HARNESS_MAIN
