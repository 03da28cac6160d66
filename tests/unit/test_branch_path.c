// SPDX-License-Identifier: BSD-2-Clause
/*
 * Ways through functions from branch records: made-up ways are walked, with their records taken as
 * a CPU would, and have to come out again.
 */
#include <errno.h>

#include "unit.h"

#if defined(__x86_64__)

#include "decision_code.h"

#include "util/explain/function/branch_path.h"

#define MAX_RECORDS 512
#define MAX_STEPS 2048

FIXTURE(path)
{
	struct symbolizer symbolizer;
	bool readable;
	struct code_source source;
	struct code_reader reader;
	struct branch records[MAX_RECORDS];
	struct branches branches;
	uint64_t walked[MAX_STEPS]; /* in the function that the way is of */
	uint32_t nr_walked;
	struct path path;
	unsigned int seed;
};

FIXTURE_SETUP(path)
{
	self->readable = true;
	self->source = (struct code_source){ read_test_code, &self->readable };
	code_reader_init(&self->reader, &self->symbolizer, &self->source);
	self->branches.v.data = self->records;
	self->seed = 1;
}

FIXTURE_TEARDOWN(path)
{
	code_reader_release(&self->reader);
	path_release(&self->path);
}

static unsigned int any_of(FIXTURE_DATA(path) * self, unsigned int n)
{
	return rand_r(&self->seed) / 7 % n;
}

static void took(FIXTURE_DATA(path) * self, uint64_t from, uint64_t to, uint32_t marks)
{
	if (self->branches.v.len == MAX_RECORDS)
		abort();
	self->records[self->branches.v.len++] =
		(struct branch){ .from = from, .to = to, .marks = marks, .times = 1 };
}

/* Now and then one cuts in, or two. */
static void interrupt(FIXTURE_DATA(path) * self, uint64_t at)
{
	while (!any_of(self, 12)) {
		took(self, at, INTERRUPT, BRANCH_IS_INTERRUPT);
		took(self, INTERRUPT + 0x10, INTERRUPT + 0x40, BRANCH_IS_INTERRUPT);
		took(self, INTERRUPT + 0x80, at, BRANCH_IS_INTERRUPT);
	}
}

/*
 * Walks through code by any way, from a function's body to its return. 0; -1 it was too long, or
 * leads where there is no code.
 */
static int walk(FIXTURE_DATA(path) * self, const struct code_function *function, bool interrupts)
{
	uint64_t stack[16], at = function_body(&self->reader, function), to;
	unsigned int depth = 0, frame = 0, steps = 0;
	struct branch_insn insn;

	self->branches.v.len = self->nr_walked = 0;
	took(self, TRAMPOLINE + 0x40, at, 0);
	while (++steps < 400) {
		bool mine = depth == frame && function_contains(&self->reader, function, at);

		if (interrupts)
			interrupt(self, at);
		if (code_branch(&self->reader, at, &insn))
			return -1;
		if (mine)
			self->walked[self->nr_walked++] = at;
		to = at + insn.length;
		switch (insn.kind) {
		case BRANCH_NONE:
			at = to;
			continue;
		case BRANCH_CONDITIONAL:
			if (any_of(self, 2)) {
				at = to;
				continue;
			}
			to = insn.target;
			break;
		case BRANCH_JUMP:
			to = insn.target;
			break;
		case BRANCH_CALL:
			if (depth == 16)
				return -1;
			stack[depth++] = to;
			to = insn.target;
			break;
		case BRANCH_RETURN:
			to = depth ? stack[--depth] : TRAMPOLINE + 0x45;
			break;
		default:
			return -1;
		}
		took(self, at, to, 0);
		if (to == TRAMPOLINE + 0x45)
			return 0;
		/* By a tail call: what follows is another function's. */
		if (mine && insn.kind == BRANCH_JUMP &&
		    !function_contains(&self->reader, function, to))
			frame = ~0u;
		at = to;
	}
	return -1;
}

static struct code_function function_at(uint64_t addr)
{
	const struct test_symbol *symbol = test_symbol_at(addr);

	return (struct code_function){ symbol->start, symbol->end - symbol->start, symbol->name };
}

/* The end of what was walked, as far as the path goes back. */
#define EXPECT_WALKED(seed)                                                            \
	do {                                                                           \
		const struct path_step *step_ = self->path.steps.data;                 \
		uint32_t nr_ = self->path.steps.len, skipped_ = self->nr_walked - nr_; \
		ASSERT_LE(nr_, self->nr_walked);                                       \
		for (uint32_t i_ = 0; i_ < nr_; i_++) {                                \
			ASSERT_EQ(self->walked[skipped_ + i_], step_[i_].addr)         \
			{                                                              \
				TH_LOG("step %u, seed %u", i_, seed);                  \
			}                                                              \
		}                                                                      \
	} while (0)

static const char *const functions[] = { "check",  "cleanup", "outer", "tests",	 "tail",  "spilled",
					 "framed", "chosen",  "again", "header", "passed" };

static struct code_function function_named(const char *name)
{
	const struct test_symbol *s = __start_test_symbols;

	while (strcmp(s->name, name))
		s++;
	return function_at(s->start);
}

TEST_F(path, any_way_comes_out_again)
{
	unsigned int walks = 0, recursive = 0;

	for (unsigned int round = 0; round < 400; round++) {
		struct code_function function =
			function_named(functions[round % ARRAY_SIZE(functions)]);
		unsigned int seed = self->seed = round * 31 + 7;

		if (walk(self, &function, round & 1))
			continue;
		walks++;
		ASSERT_EQ(0, path_find(&self->reader, &function, &self->branches, 0,
				       self->branches.v.len, true, &self->path))
		{
			TH_LOG("%s, seed %u", function.name, seed);
		}
		EXPECT_EQ(PATH_WHOLE, self->path.begin);
		EXPECT_EQ(self->nr_walked, self->path.steps.len)
		{
			TH_LOG("%s, seed %u", function.name, seed);
		}
		EXPECT_WALKED(seed);
		recursive += !strcmp(function.name, "again") && self->branches.v.len > 8;
	}
	EXPECT_GT(walks, 300);
	EXPECT_GT(recursive, 3);
}

/* The record by which the function is left. */
static uint32_t end_of(FIXTURE_DATA(path) * self, const struct code_function *function)
{
	uint32_t end = self->branches.v.len;

	while (end-- > 0) {
		const struct branch *record = &self->records[end];

		if (!record->marks && function_contains(&self->reader, function, record->from) &&
		    !function_contains(&self->reader, function, record->to))
			break;
	}
	return end;
}

TEST_F(path, of_a_shorter_ring_the_end_comes_out)
{
	unsigned int walks = 0, shorter = 0;

	for (unsigned int round = 0; round < 400; round++) {
		struct code_function function =
			function_named(functions[round % ARRAY_SIZE(functions)]);
		unsigned int seed = self->seed = round * 17 + 3, first;
		int err;

		if (walk(self, &function, round & 1))
			continue;
		walks++;
		first = any_of(self, self->branches.v.len);
		err = path_find(&self->reader, &function, &self->branches, first,
				self->branches.v.len, true, &self->path);
		if (first > end_of(self, &function)) {
			EXPECT_EQ(-ENOENT, err);
			continue;
		}
		ASSERT_EQ(0, err);
		EXPECT_WALKED(seed);
		shorter += self->path.steps.len < self->nr_walked;
	}
	EXPECT_GT(walks, 300);
	EXPECT_GT(shorter, 100);
}

TEST_F(path, records_of_nonsense_do_no_harm)
{
	uint64_t code = __start_test_symbols[0].start;
	uint64_t size = __stop_test_symbols[-1].end - code;

	for (unsigned int round = 0; round < 3000; round++) {
		struct code_function function =
			function_named(functions[round % ARRAY_SIZE(functions)]);
		int err;

		self->branches.v.len = 0;
		for (unsigned int i = any_of(self, 32); i-- > 0;) {
			uint64_t at[2];

			for (int side = 0; side < 2; side++) {
				at[side] = function.addr + any_of(self, function.size);
				if (!any_of(self, 4))
					at[side] = code + any_of(self, size);
				if (!any_of(self, 16))
					at[side] = any_of(self, 2) ? 0 : TRAMPOLINE;
			}
			took(self, at[0], at[1],
			     at[0] && at[1] ? any_of(self, 8) ? 0 : BRANCH_IS_INTERRUPT :
					      BRANCH_IS_BLANK);
		}
		err = path_find(&self->reader, &function, &self->branches, 0, self->branches.v.len,
				any_of(self, 4), &self->path);
		ASSERT_TRUE(!err || err == -ENOENT);
		/* Each step leads to the next one, whatever it is. */
		for (size_t i = 0; !err && i + 1 < self->path.steps.len; i++) {
			ASSERT_EQ(self->path.steps.data[i].next, self->path.steps.data[i + 1].addr);
		}
	}
}

TEST_F(path, nothing_is_found_where_nothing_is)
{
	struct code_function function = function_named("check");

	EXPECT_EQ(-ENOENT,
		  path_find(&self->reader, &function, &self->branches, 0, 0, true, &self->path));
	EXPECT_EQ(-ENOENT,
		  path_find(&self->reader, &function, &self->branches, 0, 0, false, &self->path));
	took(self, 0, 0, BRANCH_IS_BLANK);
	EXPECT_EQ(-ENOENT,
		  path_find(&self->reader, &function, &self->branches, 0, 1, true, &self->path));
	/* Without code the end is there, and no step of it. */
	self->readable = false;
	code_reader_forget(&self->reader);
	took(self, AT(check_leave), TRAMPOLINE, 0);
	EXPECT_EQ(-ENOENT,
		  path_find(&self->reader, &function, &self->branches, 0, 2, true, &self->path));
	EXPECT_EQ(PATH_UNREADABLE, self->path.begin);
}

#endif

TEST_HARNESS_MAIN
