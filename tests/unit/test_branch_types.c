// SPDX-License-Identifier: BSD-2-Clause
/* Which branches are to be recorded: from --lbr=SPEC to a mask, and back. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "unit.h"

#include "util/ask/branch_types.h"

FIXTURE(types)
{
	uint64_t types;
	struct strbuf text;
	char *messages;
};

FIXTURE_SETUP(types)
{
	memset(self, 0, sizeof(*self));
}

FIXTURE_TEARDOWN(types)
{
	strbuf_release(&self->text);
	free(self->messages);
}

#define EXPECT_TYPES(spec, mask)                                                                   \
	do {                                                                                       \
		self->types = 0;                                                                   \
		EXPECT_EQ(0, branch_types_parse(spec, &self->types));                              \
		EXPECT_EQ((uint64_t)(mask), self->types);                                          \
	} while (0)

#define EXPECT_REFUSED(spec, message)                                                              \
	do {                                                                                       \
		int err_;                                                                          \
		self->types = 0x7000;                                                              \
		free(self->messages);                                                              \
		self->messages = stderr_of(err_ = branch_types_parse(spec, &self->types));         \
		EXPECT_EQ(-EINVAL, err_);                                                          \
		EXPECT_STREQ("retsnoop: --lbr: " message "\n", self->messages ?: "");              \
		EXPECT_EQ(0x7000, self->types);                                                    \
	} while (0)

#define EXPECT_NAMES(mask, names)                                                                  \
	do {                                                                                       \
		strbuf_reset(&self->text);                                                         \
		branch_types_add(&self->text, mask);                                               \
		EXPECT_STREQ(names, strbuf_str(&self->text));                                      \
	} while (0)

TEST_F(types, each_has_a_name)
{
	static const struct {
		const char *name;
		uint64_t bit;
	} all[] = {
		{ "any_return", 0x20 },	 { "any", 0x8 },	{ "any_call", 0x10 },
		{ "cond", 0x400 },	 { "call", 0x2000 },	{ "ind_call", 0x40 },
		{ "ind_jump", 0x1000 },	 { "call_stack", 0x800 }, { "abort_tx", 0x80 },
		{ "in_tx", 0x100 },	 { "no_tx", 0x200 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		EXPECT_TYPES(all[i].name, all[i].bit);
		EXPECT_NAMES(all[i].bit, all[i].name);
	}
	EXPECT_EQ(0x20, DEFAULT_BRANCH_TYPES);
}

TEST_F(types, several_are_one_mask)
{
	EXPECT_TYPES("cond,ind_jump", 0x1400);
	EXPECT_TYPES("cond,cond,call", 0x2400);
	/* What was there stays. */
	EXPECT_EQ(0, branch_types_parse("any_call", &self->types));
	EXPECT_EQ(0x2410, self->types);
	EXPECT_NAMES(self->types, "any_call,cond,call");
}

TEST_F(types, a_number_is_a_mask)
{
	EXPECT_TYPES("8", 8);
	EXPECT_TYPES("0x8", 8);
	EXPECT_TYPES("0x10408", 0x10408);
	EXPECT_TYPES("0xa,any_call", 0x1a);
	EXPECT_NAMES(0x10408, "any,cond,0x10000");
	EXPECT_NAMES(0x40000000, "0x40000000");
	/* Levels alone are no branches. */
	EXPECT_REFUSED("0", "'0' is no mask of branch types; --lbr=0x8 is any");
	EXPECT_REFUSED("7", "'7' is no mask of branch types; --lbr=0x8 is any");
	EXPECT_REFUSED("0x8z", "'0x8z' is no mask of branch types; --lbr=0x8 is any");
	EXPECT_REFUSED("99999999999999999999",
		       "'99999999999999999999' is no mask of branch types; --lbr=0x8 is any");
}

TEST_F(types, a_name_that_is_none_is_answered_with_the_nearest)
{
	EXPECT_REFUSED("any_returns", "unknown branch type 'any_returns'; did you mean "
				      "'any_return'?");
	EXPECT_REFUSED("cond,xyzzy", "unknown branch type 'xyzzy'; --help-all lists them");
	EXPECT_REFUSED("", "unknown branch type ''; --help-all lists them");
	EXPECT_REFUSED("cond,", "unknown branch type ''; --help-all lists them");
	EXPECT_REFUSED("-8", "unknown branch type '-8'; --help-all lists them");
}

TEST(conditions_alone_are_of_any_branch)
{
	EXPECT_EQ(PERF_SAMPLE_BRANCH_ANY_RETURN, branch_types_settle(0));
	EXPECT_EQ(PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_IN_TX,
		  branch_types_settle(PERF_SAMPLE_BRANCH_IN_TX));
	EXPECT_EQ(PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_NO_TX,
		  branch_types_settle(PERF_SAMPLE_BRANCH_NO_TX));
	EXPECT_EQ(PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_NO_TX,
		  branch_types_settle(PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_NO_TX));
	EXPECT_EQ(PERF_SAMPLE_BRANCH_CALL, branch_types_settle(PERF_SAMPLE_BRANCH_CALL));
}

TEST_HARNESS_MAIN
