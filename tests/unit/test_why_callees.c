// SPDX-License-Identifier: BSD-2-Clause
/* Which functions below one are traced to find a failure, by code that is made up. */
#include "code_text.h"
#include "unit.h"

#include <string.h>

#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/symbols/symbols.h"
#include "util/why/why_internal.h"

#if defined(__x86_64__)

FIXTURE(callees)
{
	uint8_t text[CODE_SIZE];
	struct symbolizer *symbolizer;
	struct why_code code;
	struct pass_ask ask;
};

FIXTURE_SETUP(callees)
{
	static const struct symbol symbols[] = {
		CODE_FUNCTION(0x000, "entry"),	      CODE_FUNCTION(0x020, "check"),
		CODE_FUNCTION(0x040, "deeper"),	      CODE_FUNCTION(0x060, "schedule"),
		CODE_FUNCTION(0x080, "psi_task_switch"),   CODE_FUNCTION(0x0a0, "_raw_spin_lock"),
		CODE_FUNCTION(0x0c0, "__stack_chk_fail"),  CODE_FUNCTION(0x0e0, "tick_program_event"),
		CODE_FUNCTION(0x100, "__kmalloc_noprof"),  CODE_FUNCTION(0x120, "allocate_slab"),
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
		code_text_branch(self->text, calls[i].at, CODE_CALL, calls[i].target);
	self->code.symbols = symbols_new();
	ASSERT_NE(NULL, self->code.symbols);
	ASSERT_EQ(0, symbols_add(self->code.symbols, symbols, ARRAY_SIZE(symbols)));
	ASSERT_EQ(0, symbolizer_new(self->code.symbols, &options, &self->symbolizer));
	self->code.many = true;
	self->code.source = (struct code_source){ code_text_read, self->text };
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
	const struct symbol *entry = symbols_at(self->code.symbols, CODE_BASE);

	ASSERT_EQ(0, why_add_callees(&self->code, entry, &self->ask, 100));
	EXPECT_TRUE(has(&self->ask, "check"));
	EXPECT_TRUE(has(&self->ask, "deeper"));
	/* That it returned NULL is the error. */
	EXPECT_TRUE(has(&self->ask, "__kmalloc_noprof"));
	EXPECT_EQ(3u, self->ask.funcs.len);
}

TEST_F(callees, no_more_than_wanted_are_added)
{
	const struct symbol *entry = symbols_at(self->code.symbols, CODE_BASE);

	ASSERT_EQ(0, why_add_callees(&self->code, entry, &self->ask, 2));
	EXPECT_EQ(2u, self->ask.funcs.len);
}

#endif

TEST_HARNESS_MAIN
