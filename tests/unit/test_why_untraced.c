// SPDX-License-Identifier: BSD-2-Clause
/* Whether functions that cannot be traced surely passed a result up, by a stack and code that are made up. */
#include "code_text.h"
#include "unit.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/symbols/symbols.h"
#include "util/why/why_internal.h"

#if defined(__x86_64__)

#define AT(offset) (CODE_BASE + (offset))

enum { OUTER = 0x000, UNTRACED = 0x020, INNER = 0x040, OTHER = 0x060, ENTRY = 0x080, REPLACES = 0x0a0, CHECKS = 0x0c0 };

FIXTURE(untraced)
{
	uint8_t text[CODE_SIZE];
	struct symbolizer *symbolizer;
	struct why_code code;
	struct plan_func funcs[2];
	struct plan plan;
	struct event_frame frames[2];
	uint64_t ips[4];
	struct session session;
	struct pass pass;
	struct target outer;
};

FIXTURE_SETUP(untraced)
{
	/* Three of these are never traced. */
	static const struct symbol symbols[] = {
		CODE_FUNCTION(OUTER, "outer"), CODE_FUNCTION(UNTRACED, "migrate_disable"),
		CODE_FUNCTION(INNER, "inner"), CODE_FUNCTION(OTHER, "other"),
		CODE_FUNCTION(ENTRY, "do_syscall_64"), CODE_FUNCTION(REPLACES, "update_prog_stats"),
		CODE_FUNCTION(CHECKS, "__bpf_prog_exit"),
	};
	/* mov $-5,%eax; ret */
	static const uint8_t replaces[] = { 0xb8, 0xfb, 0xff, 0xff, 0xff, 0xc3 };
	/* test %ebx,%ebx; je 1f; mov $-5,%eax; 1: ret */
	static const uint8_t checks[] = { 0x85, 0xdb, 0x74, 0x05, 0xb8, 0xfb, 0xff, 0xff, 0xff, 0xc3 };
	const struct symbolizer_options options = {};

	memset(self->text, 0x90, sizeof(self->text));
	code_text_branch(self->text, OUTER, CODE_CALL, UNTRACED);
	code_text_branch(self->text, UNTRACED, CODE_CALL, INNER);
	self->text[UNTRACED + 5] = 0xc3;
	code_text_branch(self->text, REPLACES, CODE_CALL, INNER);
	memcpy(self->text + REPLACES + 5, replaces, sizeof(replaces));
	code_text_branch(self->text, CHECKS, CODE_CALL, INNER);
	memcpy(self->text + CHECKS + 5, checks, sizeof(checks));
	self->code.symbols = symbols_new();
	ASSERT_NE(NULL, self->code.symbols);
	ASSERT_EQ(0, symbols_add(self->code.symbols, symbols, ARRAY_SIZE(symbols)));
	ASSERT_EQ(0, symbolizer_new(self->code.symbols, &options, &self->symbolizer));
	self->code.symbolizer = self->symbolizer;
	self->code.source = (struct code_source){ code_text_read, self->text };
	code_reader_init(&self->code.reader, self->symbolizer, &self->code.source);
	self->funcs[0].addr = AT(OUTER);
	self->funcs[1].addr = AT(INNER);
	self->plan.funcs.data = self->funcs;
	self->plan.funcs.len = 2;
	self->frames[0] = (struct event_frame){ .func = 0, .result = -19 };
	self->frames[1] = (struct event_frame){ .func = 1, .result = 0xffffffed };
	self->session = (struct session){ .frames = self->frames, .nr_frames = 2, .ips = self->ips };
	self->pass = (struct pass){ .plan = &self->plan, .session = &self->session };
	self->outer.function = (struct code_function){ AT(OUTER), 0x20, "outer" };
}

FIXTURE_TEARDOWN(untraced)
{
	code_reader_release(&self->code.reader);
	symbolizer_free(self->symbolizer);
	symbols_free(self->code.symbols);
}

/* With a stack of return addresses, innermost first; 0 is none. */
static bool passed(FIXTURE_DATA(untraced) *self, uint64_t a, uint64_t b, uint64_t c)
{
	struct why why = { .code = &self->code };

	self->ips[0] = AT(a);
	self->ips[1] = AT(b);
	self->ips[2] = AT(c);
	self->session.nr_ips = c ? 3 : b ? 2 : 1;
	return why_surely_passed(&why, &self->pass, &self->outer, AT(INNER), (uint64_t)-19);
}

TEST_F(untraced, a_function_that_only_returns_it_passed_it_up)
{
	EXPECT_TRUE(passed(self, UNTRACED + 5, OUTER + 5, 0));
	/* The outer one jumped there. */
	EXPECT_TRUE(passed(self, UNTRACED + 5, ENTRY + 9, 0));
	/* It may have returned another error, which would not be this one. */
	EXPECT_TRUE(passed(self, CHECKS + 5, OUTER + 5, 0));
	EXPECT_TRUE(passed(self, UNTRACED + 5, CHECKS + 5, OUTER + 5));
	/* The stack begins at the entry of the innermost one, or further in. */
	self->session.at_entry = true;
	EXPECT_TRUE(passed(self, INNER, UNTRACED + 5, OUTER + 5));
	EXPECT_TRUE(passed(self, INNER + 7, UNTRACED + 5, OUTER + 5));
}

TEST_F(untraced, otherwise_it_is_not_sure)
{
	/* It may return something else. */
	EXPECT_FALSE(passed(self, REPLACES + 5, OUTER + 5, 0));
	/* Another function was between them, or the stack ends before the outer one. */
	EXPECT_FALSE(passed(self, OTHER + 5, OUTER + 5, 0));
	EXPECT_FALSE(passed(self, UNTRACED + 5, OTHER + 5, OUTER + 5));
	EXPECT_FALSE(passed(self, UNTRACED + 5, 0, 0));
	/* The function is not on the stack, or called itself. */
	self->session.at_entry = true;
	EXPECT_FALSE(passed(self, UNTRACED + 5, OUTER + 5, 0));
	EXPECT_FALSE(passed(self, INNER, INNER + 7, OUTER + 5));
	self->session.at_entry = false;
	/* The stack is of a call that returned something else. */
	self->frames[1].result = -2;
	EXPECT_FALSE(passed(self, UNTRACED + 5, OUTER + 5, 0));
	self->frames[1] = (struct event_frame){ .func = 0, .result = -19 };
	EXPECT_FALSE(passed(self, UNTRACED + 5, OUTER + 5, 0));
}

#endif

TEST_HARNESS_MAIN
