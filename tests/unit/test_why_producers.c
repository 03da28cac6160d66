// SPDX-License-Identifier: BSD-2-Clause
/* Which functions are found to make an errno, by code that is made up. */
#include "code_text.h"
#include "unit.h"

#include <string.h>

#include "util/kernel/symbols/symbols.h"
#include "util/kernel/traceable.h"
#include "util/why/why_internal.h"

#if defined(__x86_64__)

FIXTURE(producers)
{
	uint8_t text[CODE_SIZE];
	struct why_code code;
	struct pass_ask ask;
};

static void put(uint8_t *text, size_t at, const char *code, size_t size)
{
	memcpy(text + at, code, size);
}

#define PUT(at, code) put(self->text, at, code, sizeof(code) - 1)

FIXTURE_SETUP(producers)
{
	static const struct symbol symbols[] = {
		CODE_FUNCTION(0x000, "moves"),	   CODE_FUNCTION(0x020, "selects"),
		CODE_FUNCTION(0x040, "stores"),	   CODE_FUNCTION(0x060, "other_errno"),
		CODE_FUNCTION(0x080, "parse_number"),   CODE_FUNCTION(0x0a0, "parse_any"),
		CODE_FUNCTION(0x0c0, "number_store"),   CODE_FUNCTION(0x0e0, "passes_on"),
		CODE_FUNCTION(0x100, "calls_pointer"),  CODE_FUNCTION(0x120, "compares"),
		CODE_FUNCTION(0x140, "split.cold"),	   CODE_FUNCTION(0x160, "split"),
		CODE_FUNCTION(0x180, "jumps_register"), CODE_FUNCTION(0x200, "__x86_indirect_thunk_rax"),
	};
	const struct traceable_text no_lists = {};
	struct traceable *traceable;
	addr_vec addrs = VEC_INIT;

	memset(self->text, 0xcc, sizeof(self->text));
	PUT(0x00a, "\xb8\xea\xff\xff\xff"); /* mov $-22,%eax */
	PUT(0x02a, "\x83\xe0\xea"); /* and $-22,%eax */
	PUT(0x04a, "\xc7\x44\x24\x08\xea\xff\xff\xff"); /* movl $-22,8(%rsp) */
	PUT(0x06a, "\xb8\xf4\xff\xff\xff"); /* mov $-12,%eax */
	PUT(0x08a, "\x41\xbc\xea\xff\xff\xff"); /* mov $-22,%r12d */
	code_text_branch(self->text, 0x0aa, CODE_JUMP, 0x080);
	code_text_branch(self->text, 0x0ca, CODE_CALL, 0x0a0);
	code_text_branch(self->text, 0x0ea, CODE_JUMP, 0x200);
	code_text_branch(self->text, 0x10a, CODE_CALL, 0x200);
	PUT(0x12a, "\x83\xf8\xea"); /* cmp $-22,%eax */
	PUT(0x14a, "\x48\xc7\xc0\xea\xff\xff\xff"); /* mov $-22,%rax */
	PUT(0x18a, "\x41\xff\xe3"); /* jmp *%r11 */

	self->code.symbols = symbols_new();
	ASSERT_NE(NULL, self->code.symbols);
	ASSERT_EQ(0, symbols_add(self->code.symbols, symbols, ARRAY_SIZE(symbols)));
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		/* As in lib/, and what is no function */
		if (!strncmp(symbols[i].name, "parse_", 6) || strchr(symbols[i].name, '.') ||
		    symbols[i].name[0] == '_')
			continue;
		ASSERT_EQ(0, vec_push(&addrs, symbols[i].addr));
	}
	ASSERT_EQ(0, traceable_from_locations(self->code.symbols, &addrs, &no_lists, &traceable));
	self->code.traceable = traceable;
	self->code.memory.source = (struct code_source){ code_text_read, self->text };
}

FIXTURE_TEARDOWN(producers)
{
	vec_release(&self->ask.funcs);
	traceable_free((struct traceable *)self->code.traceable);
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

TEST_F(producers, functions_whose_code_makes_the_errno_are_found)
{
	ASSERT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 100));
	EXPECT_TRUE(has(&self->ask, "moves"));
	EXPECT_TRUE(has(&self->ask, "selects"));
	EXPECT_TRUE(has(&self->ask, "stores"));
	EXPECT_FALSE(has(&self->ask, "other_errno"));
	EXPECT_FALSE(has(&self->ask, "compares"));
	/* Its unlikely part does. */
	EXPECT_TRUE(has(&self->ask, "split"));
	EXPECT_FALSE(has(&self->ask, "split.cold"));
}

TEST_F(producers, of_one_that_cannot_be_traced_the_callers_are_found)
{
	ASSERT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 100));
	EXPECT_FALSE(has(&self->ask, "parse_number"));
	EXPECT_FALSE(has(&self->ask, "parse_any"));
	EXPECT_TRUE(has(&self->ask, "number_store"));
}

/* With call depth tracking */
TEST_F(producers, callers_are_found_whose_calls_are_counted_before_the_function)
{
	code_text_branch(self->text, 0x0ca, CODE_CALL, 0x0a0 - 9);
	EXPECT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 100));
	EXPECT_FALSE(has(&self->ask, "number_store"));
	self->ask.funcs.len = 0;
	PUT(0x097, "\x65\x48\xc1\x3d\x00\x00\x00\x00\x05"); /* sarq $5,%gs:ADDRESS(%rip) */
	EXPECT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 100));
	EXPECT_TRUE(has(&self->ask, "number_store"));
}

TEST_F(producers, functions_that_jump_through_a_pointer_are_found)
{
	ASSERT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 100));
	EXPECT_TRUE(has(&self->ask, "passes_on"));
	EXPECT_TRUE(has(&self->ask, "jumps_register"));
	EXPECT_FALSE(has(&self->ask, "calls_pointer"));
}

/* With indirect target selection */
TEST_F(producers, functions_that_jump_by_a_thunk_without_a_name_are_found)
{
	code_text_branch(self->text, 0x0ea, CODE_JUMP, 0x300);
	EXPECT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 100));
	EXPECT_FALSE(has(&self->ask, "passes_on"));
	self->ask.funcs.len = 0;
	PUT(0x300, "\x41\xff\xe3"); /* jmp *%r11 */
	EXPECT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 100));
	EXPECT_TRUE(has(&self->ask, "passes_on"));
	/* In the kernel's own code it would have a name. */
	self->ask.funcs.len = 0;
	code_text_branch(self->text, 0x0ea, CODE_JUMP, 0x18a);
	EXPECT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 100));
	EXPECT_FALSE(has(&self->ask, "passes_on"));
}

TEST_F(producers, each_is_asked_for_once)
{
	const struct symbol *moves = symbols_at(self->code.symbols, CODE_BASE);

	ASSERT_EQ(0, vec_push(&self->ask.funcs, moves));
	ASSERT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 100));
	/* moves, selects, stores, split, number_store, passes_on, jumps_register */
	EXPECT_EQ(7u, self->ask.funcs.len);
}

TEST_F(producers, with_too_many_only_those_that_make_it_are_left_and_then_none)
{
	ASSERT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 6));
	EXPECT_EQ(4u, self->ask.funcs.len);
	EXPECT_FALSE(has(&self->ask, "number_store"));
	EXPECT_FALSE(has(&self->ask, "passes_on"));
	self->ask.funcs.len = 0;
	ASSERT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 3));
	EXPECT_EQ(0u, self->ask.funcs.len);
}

TEST_F(producers, code_that_cannot_be_read_has_none)
{
	struct symbol elsewhere = { 0xffffffff80000000ull, 0x20, "module_init", "some", 't' };

	ASSERT_EQ(0, symbols_add(self->code.symbols, &elsewhere, 1));
	ASSERT_EQ(0, why_add_producers(&self->code, EINVAL, &self->ask, 100));
	EXPECT_EQ(7u, self->ask.funcs.len);
	EXPECT_FALSE(has(&self->ask, "module_init"));
}

#endif

TEST_HARNESS_MAIN
