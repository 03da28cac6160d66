// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's list of ftrace locations, in memory made by hand. */
#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/kernel/ftrace_pages.h"

/* The kernel's structs, with the members of some kernels before those that matter. */
struct record {
	uint64_t flags, ip;
};

struct page {
	uint64_t next, records;
	int32_t index, order;
};

#define BASE 0xffff888000000000ull

FIXTURE(pages)
{
	struct btf *types;
	struct {
		uint64_t list;
		struct page pages[3];
		struct record records[8];
	} memory;
	size_t piece;	/* most bytes of one read; 0: any */
	addr_vec addrs;
};

#define ADDR(member) (BASE + ((char *)&self->memory.member - (char *)&self->memory))

static long read_memory(void *arg, uint64_t addr, void *buf, size_t size)
{
	FIXTURE_DATA(pages) *self = arg;

	if (addr < BASE || addr - BASE >= sizeof(self->memory))
		return -EFAULT;
	if (size > sizeof(self->memory) - (addr - BASE))
		size = sizeof(self->memory) - (addr - BASE);
	if (self->piece && size > self->piece)
		size = self->piece;
	memcpy(buf, (char *)&self->memory + (addr - BASE), size);
	return size;
}

static int read_pages(FIXTURE_DATA(pages) *self)
{
	const struct code_source memory = { read_memory, self };

	return ftrace_pages_read(self->types, &memory, BASE, &self->addrs);
}

FIXTURE_SETUP(pages)
{
	int number, integer, record, pointer;

	memset(self, 0, sizeof(*self));
	self->types = btf__new_empty();
	number = btf__add_int(self->types, "long unsigned int", 8, 0);
	integer = btf__add_int(self->types, "int", 4, BTF_INT_SIGNED);
	record = btf__add_struct(self->types, "dyn_ftrace", sizeof(struct record));
	btf__add_field(self->types, "flags", number, 0, 0);
	btf__add_field(self->types, "ip", number, 64, 0);
	pointer = btf__add_ptr(self->types, record);
	btf__add_struct(self->types, "ftrace_page", sizeof(struct page));
	btf__add_field(self->types, "next", pointer, 0, 0);
	btf__add_field(self->types, "records", pointer, 64, 0);
	btf__add_field(self->types, "index", integer, 128, 0);
	btf__add_field(self->types, "order", integer, 160, 0);

	self->memory.list = ADDR(pages[0]);
	self->memory.pages[0] = (struct page){ ADDR(pages[1]), ADDR(records[0]), 2, 0 };
	self->memory.pages[1] = (struct page){ ADDR(pages[2]), ADDR(records[2]), 0, 0 };
	self->memory.pages[2] = (struct page){ 0, ADDR(records[4]), 3, 0 };
	for (int i = 0; i < 8; i++)
		self->memory.records[i] = (struct record){ ~0ull, 100 + i };
}

FIXTURE_TEARDOWN(pages)
{
	btf__free(self->types);
	vec_release(&self->addrs);
}

TEST_F(pages, all_locations_of_all_pages_are_read)
{
	self->memory.records[5].ip = 0;
	ASSERT_EQ(0, read_pages(self));
	ASSERT_EQ(4, self->addrs.len);
	EXPECT_EQ(100, self->addrs.data[0]);
	EXPECT_EQ(101, self->addrs.data[1]);
	EXPECT_EQ(104, self->addrs.data[2]);
	EXPECT_EQ(106, self->addrs.data[3]);
}

TEST_F(pages, a_read_may_end_early)
{
	self->piece = 5;
	ASSERT_EQ(0, read_pages(self));
	EXPECT_EQ(5, self->addrs.len);
}

TEST_F(pages, a_damaged_list_ends)
{
	self->memory.pages[2].next = ADDR(pages[1]);
	EXPECT_EQ(-EBADMSG, read_pages(self));
	self->memory.pages[2].next = 0x1000;
	EXPECT_EQ(-EFAULT, read_pages(self));
	self->memory.pages[2].next = 0;
	self->memory.pages[2].index = -1;
	EXPECT_EQ(-EBADMSG, read_pages(self));
	self->memory.pages[2].index = 1 << 30;
	EXPECT_EQ(-EBADMSG, read_pages(self));
	self->memory.pages[2].index = 9;
	EXPECT_EQ(-EFAULT, read_pages(self));
	EXPECT_EQ(0, self->addrs.len);
}

TEST_F(pages, without_its_structs_there_is_no_list)
{
	btf__free(self->types);
	self->types = btf__new_empty();
	EXPECT_EQ(-ENOENT, read_pages(self));
}

TEST_HARNESS_MAIN
