// SPDX-License-Identifier: BSD-2-Clause
/* Which functions below one are traced to find a failure, by code that is made up. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/symbols/symbols.h"
#include "util/why/why_internal.h"

#if defined(__x86_64__)

#define BASE 0xffffffff81000000ull
#define SIZE 0x200
#define FUNCTION(at, name) { BASE + (at), 0x20, name, NULL, 't' }

FIXTURE(callees)
{
	uint8_t text[SIZE];
	struct symbolizer *symbolizer;
	struct why_code code;
	struct pass_ask ask;
};

static long read_text(void *arg, uint64_t addr, void *buf, size_t size)
{
	const uint8_t *text = arg;

	if (addr < BASE || addr >= BASE + SIZE)
		return -EFAULT;
	size = size < BASE + SIZE - addr ? size : BASE + SIZE - addr;
	memcpy(buf, text + (addr - BASE), size);
	return size;
}

static void put_call(FIXTURE_DATA(callees) *self, size_t at, size_t target)
{
	int32_t distance = (int32_t)target - (int32_t)(at + 5);

	self->text[at] = 0xe8;
	memcpy(self->text + at + 1, &distance, sizeof(distance));
}

FIXTURE_SETUP(callees)
{
	static const struct symbol symbols[] = {
		FUNCTION(0x000, "entry"),	      FUNCTION(0x020, "check"),
		FUNCTION(0x040, "deeper"),	      FUNCTION(0x060, "schedule"),
		FUNCTION(0x080, "psi_task_switch"),   FUNCTION(0x0a0, "_raw_spin_lock"),
		FUNCTION(0x0c0, "__stack_chk_fail"),  FUNCTION(0x0e0, "tick_program_event"),
		FUNCTION(0x100, "__kmalloc_noprof"),  FUNCTION(0x120, "allocate_slab"),
	};
	/* Of each function, what it calls. */
	static const struct {
		size_t at, target;
	} calls[] = {
		{ 0x000, 0x020 }, { 0x005, 0x060 }, { 0x00a, 0x0a0 }, { 0x00f, 0x0c0 },
		{ 0x014, 0x100 }, { 0x020, 0x040 }, { 0x060, 0x080 }, { 0x0c0, 0x0e0 },
		{ 0x100, 0x120 },
	};
	const struct symbolizer_options options = {};

	memset(self->text, 0x90, sizeof(self->text));
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		put_call(self, calls[i].at, calls[i].target);
	self->code.symbols = symbols_new();
	ASSERT_NE(NULL, self->code.symbols);
	ASSERT_EQ(0, symbols_add(self->code.symbols, symbols, ARRAY_SIZE(symbols)));
	ASSERT_EQ(0, symbolizer_new(self->code.symbols, &options, &self->symbolizer));
	self->code.many = true;
	self->code.source = (struct code_source){ read_text, self->text };
	code_reader_init(&self->code.reader, self->symbolizer, &self->code.source);
}

FIXTURE_TEARDOWN(callees)
{
	vec_release(&self->ask.funcs);
	code_reader_release(&self->code.reader);
	symbolizer_free(self->symbolizer);
	symbols_free(self->code.symbols);
}

static bool has(const struct pass_ask *ask, const char *name)
{
	vec_foreach(func, &ask->funcs) {
		if (!strcmp((*func)->name, name))
			return true;
	}
	return false;
}

TEST_F(callees, errors_come_from_below_but_not_from_the_scheduler_an_allocator_or_a_panic)
{
	const struct symbol *entry = symbols_at(self->code.symbols, BASE);

	ASSERT_EQ(0, why_add_callees(&self->code, entry, &self->ask, 100));
	EXPECT_TRUE(has(&self->ask, "check"));
	EXPECT_TRUE(has(&self->ask, "deeper"));
	/* That it returned NULL is the error. */
	EXPECT_TRUE(has(&self->ask, "__kmalloc_noprof"));
	EXPECT_EQ(3u, self->ask.funcs.len);
}

TEST_F(callees, no_more_than_wanted_are_added)
{
	const struct symbol *entry = symbols_at(self->code.symbols, BASE);

	ASSERT_EQ(0, why_add_callees(&self->code, entry, &self->ask, 2));
	EXPECT_EQ(2u, self->ask.funcs.len);
}

#endif

TEST_HARNESS_MAIN
