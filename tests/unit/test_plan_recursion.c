// SPDX-License-Identifier: BSD-2-Clause
/* Which functions call themselves, by code that is made up. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "util/kernel/symbols/code_source.h"
#include "util/plan/plan.h"
#include "util/plan/plan_internal.h"

#define BASE 0xffffffff81000000ull

FIXTURE(recursion)
{
	uint8_t text[256];
	struct plan plan;
};

static long read_text(void *arg, uint64_t addr, void *buf, size_t size)
{
	const uint8_t *text = arg;

	if (addr < BASE || addr + size > BASE + 256)
		return -EFAULT;
	memcpy(buf, text + (addr - BASE), size);
	return size;
}

FIXTURE_SETUP(recursion)
{
	memset(self, 0, sizeof(*self));
}

FIXTURE_TEARDOWN(recursion)
{
	vec_release(&self->plan.funcs);
}

static void add(FIXTURE_DATA(recursion) * self, size_t at, size_t size)
{
	struct plan_func func = { .name = "f", .addr = BASE + at, .size = size };

	if (vec_push(&self->plan.funcs, func))
		abort();
}

static void put_call(FIXTURE_DATA(recursion) * self, size_t at, size_t target)
{
#if defined(__aarch64__)
	uint32_t word = 0x94000000 | (((uint32_t)target - (uint32_t)at) >> 2 & 0x3ffffff);

	memcpy(self->text + at, &word, sizeof(word));
#else
	int32_t distance = (int32_t)target - (int32_t)(at + 5);

	self->text[at] = 0xe8;
	memcpy(self->text + at + 1, &distance, sizeof(distance));
#endif
}

static int find(FIXTURE_DATA(recursion) * self)
{
	const struct code_source source = { read_text, self->text };

	return plan_find_recursion(&self->plan, &source);
}

TEST_F(recursion, a_call_of_its_own_beginning_is_one)
{
	add(self, 0, 64);
	add(self, 64, 64);
	add(self, 128, 64);
	put_call(self, 16, 0);
	/* Another function, and the middle of its own code. */
	put_call(self, 80, 128);
	put_call(self, 144, 136);
	ASSERT_EQ(0, find(self));
	EXPECT_TRUE(self->plan.funcs.data[0].calls_itself);
	EXPECT_FALSE(self->plan.funcs.data[1].calls_itself);
	EXPECT_FALSE(self->plan.funcs.data[2].calls_itself);
}

#if defined(__x86_64__)
TEST_F(recursion, a_call_that_is_counted_before_its_beginning_is_one)
{
	static const uint8_t counts[] = { 0x65, 0x48, 0xc1, 0x3d, 0, 0, 0, 0, 5 };

	add(self, 64, 64);
	add(self, 128, 64);
	memcpy(self->text + 64 - sizeof(counts), counts, sizeof(counts));
	put_call(self, 80, 64 - sizeof(counts));
	put_call(self, 144, 128 - sizeof(counts));
	ASSERT_EQ(0, find(self));
	EXPECT_TRUE(self->plan.funcs.data[0].calls_itself);
	EXPECT_FALSE(self->plan.funcs.data[1].calls_itself);
}
#endif

TEST_F(recursion, what_cannot_be_read_is_not_known)
{
	add(self, 4096, 64);
	add(self, 0, 0);
	put_call(self, 16, 0);
	ASSERT_EQ(0, find(self));
	EXPECT_FALSE(self->plan.funcs.data[0].calls_itself);
	EXPECT_FALSE(self->plan.funcs.data[1].calls_itself);
}

TEST_F(recursion, large_plans_are_not_looked_through)
{
	for (int i = 0; i <= RECURSION_MAX_FUNCS; i++)
		add(self, 0, 64);
	put_call(self, 16, 0);
	ASSERT_EQ(0, find(self));
	EXPECT_FALSE(self->plan.funcs.data[0].calls_itself);
}

TEST_HARNESS_MAIN
