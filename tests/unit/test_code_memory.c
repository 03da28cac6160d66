// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "util/why/code_memory.h"

#define BASE 0xffffffff81000000ull

/* Memory from BASE on that changes with each read. */
struct changing {
	uint8_t value;
	size_t size;
	unsigned int reads;
	long err;	/* of the next read */
};

static long read_changing(void *arg, uint64_t addr, void *buf, size_t size)
{
	struct changing *changing = arg;
	size_t left;

	long err = changing->err;

	changing->reads++;
	changing->err = 0;
	if (err)
		return err;
	if (addr < BASE || addr >= BASE + changing->size)
		return -EFAULT;
	left = BASE + changing->size - addr;
	memset(buf, changing->value++, size < left ? size : left);
	return size < left ? size : left;
}

FIXTURE(code_memory) {
	struct changing changing;
	struct code_memory memory;
	uint8_t bytes[3 * 4096];
};

FIXTURE_SETUP(code_memory)
{
	self->changing.size = 2 * 4096 + 100;
	self->memory.source = (struct code_source){ read_changing, &self->changing };
}

FIXTURE_TEARDOWN(code_memory)
{
	code_memory_release(&self->memory);
}

TEST_F(code_memory, code_stays_what_it_was_when_first_read)
{
	ASSERT_EQ(16, code_memory_read(&self->memory, BASE + 8, self->bytes, 16));
	EXPECT_EQ(0, self->bytes[0]);
	ASSERT_EQ(16, code_memory_read(&self->memory, BASE + 100, self->bytes, 16));
	EXPECT_EQ(0, self->bytes[15]);
	EXPECT_EQ(1, self->changing.reads);
	/* Over the end of a page. */
	ASSERT_EQ(16, code_memory_read(&self->memory, BASE + 4090, self->bytes, 16));
	EXPECT_EQ(0, self->bytes[5]);
	EXPECT_EQ(1, self->bytes[6]);
	EXPECT_EQ(2, self->changing.reads);
	/* Pages in any order. */
	ASSERT_EQ(4, code_memory_read(&self->memory, BASE + 2 * 4096, self->bytes, 4));
	EXPECT_EQ(2, self->bytes[0]);
	ASSERT_EQ(4, code_memory_read(&self->memory, BASE, self->bytes, 4));
	EXPECT_EQ(0, self->bytes[0]);
}

TEST_F(code_memory, what_is_not_there_is_not_read)
{
	EXPECT_EQ(100, code_memory_read(&self->memory, BASE + 2 * 4096, self->bytes, 4096));
	EXPECT_EQ(4096 + 100, code_memory_read(&self->memory, BASE + 4096, self->bytes, 3 * 4096));
	EXPECT_EQ(-EFAULT, code_memory_read(&self->memory, BASE + 2 * 4096 + 200, self->bytes, 4));
	EXPECT_EQ(-EFAULT, code_memory_read(&self->memory, BASE - 4096, self->bytes, 4));
}

TEST_F(code_memory, a_large_area_has_pages_as_they_are_kept)
{
	self->changing.value = 10;
	ASSERT_EQ(1, code_memory_read(&self->memory, BASE + 4096, self->bytes, 1));
	ASSERT_EQ(2 * 4096, code_memory_read_once(&self->memory, BASE + 100, self->bytes, 2 * 4096));
	EXPECT_EQ(11, self->bytes[0]);
	EXPECT_EQ(11, self->bytes[4095 - 100]);
	EXPECT_EQ(10, self->bytes[4096 - 100]);
	EXPECT_EQ(10, self->bytes[2 * 4096 - 100 - 1]);
	EXPECT_EQ(11, self->bytes[2 * 4096 - 100]);
	/* A part of a kept page; nothing more was kept. */
	ASSERT_EQ(8, code_memory_read_once(&self->memory, BASE + 4096 + 8, self->bytes, 8));
	EXPECT_EQ(10, self->bytes[7]);
	ASSERT_EQ(8, code_memory_read_once(&self->memory, BASE + 8, self->bytes, 8));
	EXPECT_EQ(13, self->bytes[7]);
	EXPECT_EQ(-EFAULT, code_memory_read_once(&self->memory, BASE - 8, self->bytes, 8));
}

TEST_F(code_memory, what_could_not_be_read_is_tried_again)
{
	self->changing.err = -EBADMSG;
	EXPECT_EQ(-EBADMSG, code_memory_read(&self->memory, BASE, self->bytes, 8));
	EXPECT_EQ(0, self->memory.pages.len);
	EXPECT_EQ(8, code_memory_read(&self->memory, BASE, self->bytes, 8));
	/* The part before it is there. */
	self->changing.err = -EBADMSG;
	EXPECT_EQ(96, code_memory_read(&self->memory, BASE + 4000, self->bytes, 200));
	EXPECT_EQ(200, code_memory_read(&self->memory, BASE + 4000, self->bytes, 200));
	self->changing.err = -EBADMSG;
	EXPECT_EQ(-EBADMSG, code_memory_read_once(&self->memory, BASE, self->bytes, 8));
}

TEST_HARNESS_MAIN
