// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's lists of code that it replaces while it runs. */
#include <errno.h>

#include "unit.h"

#include "util/kernel/code/patched_code.h"
#include "util/kernel/symbols/symbols.h"

#define START 0xffffffff82000000
#define TEXT 0xffffffff81000000
#define NR_WORDS 16

static long read_words(void *arg, uint64_t addr, void *to, size_t size)
{
	memcpy(to, (const char *)arg + (addr - START), size);
	return size;
}

static long read_nothing(void *arg, uint64_t addr, void *to, size_t size)
{
	return -EPERM;
}

static int32_t offset_to(uint64_t to, uint32_t word)
{
	return to - (START + word * sizeof(int32_t));
}

/* Two jump labels, and after them two static calls, of which one replaces a jump. */
static const struct kernel_tables tables = {
	.jump_labels = START,
	.jump_labels_end = START + 8 * 4,
	.static_calls = START + 8 * 4,
	.static_calls_end = START + 12 * 4,
};

TEST(jump_labels_and_static_calls_are_patched)
{
	int32_t words[NR_WORDS] = {
		[0] = offset_to(TEXT + 0x90, 0), [1] = offset_to(TEXT + 0x70, 1),
		[4] = offset_to(TEXT + 0x10, 4), [5] = offset_to(TEXT + 0x80, 5),
		[8] = offset_to(TEXT + 0x50, 8), [9] = 1,
		[10] = offset_to(TEXT + 0x20, 10), [11] = 2,
	};
	const struct code_source source = { read_words, words };
	struct patched_code patched = {};

	ASSERT_EQ(0, patched_code_read(&source, &tables, &patched));
	EXPECT_TRUE(patched.known);
	EXPECT_EQ(4, patched.v.len);
	EXPECT_TRUE(patched_code_has(&patched, TEXT + 0x10));
	EXPECT_TRUE(patched_code_has(&patched, TEXT + 0x20));
	EXPECT_TRUE(patched_code_has(&patched, TEXT + 0x50));
	EXPECT_TRUE(patched_code_has(&patched, TEXT + 0x90));
	/* Targets of jumps are not. */
	EXPECT_FALSE(patched_code_has(&patched, TEXT + 0x70));
	EXPECT_FALSE(patched_code_has(&patched, TEXT));
	EXPECT_FALSE(patched_code_has(&patched, TEXT + 0x91));
	patched_code_release(&patched);
}

TEST(without_static_calls_jump_labels_are_all)
{
	int32_t words[NR_WORDS] = { [0] = offset_to(TEXT, 0), [4] = offset_to(TEXT + 4, 4) };
	const struct code_source source = { read_words, words };
	struct kernel_tables jumps = tables;
	struct patched_code patched = {};

	jumps.static_calls = jumps.static_calls_end = 0;
	ASSERT_EQ(0, patched_code_read(&source, &jumps, &patched));
	EXPECT_TRUE(patched.known);
	EXPECT_EQ(2, patched.v.len);
	patched_code_release(&patched);
}

TEST(what_cannot_be_read_is_not_known)
{
	const struct code_source source = { read_nothing };
	int32_t words[NR_WORDS] = {};
	const struct code_source readable = { read_words, words };
	struct kernel_tables cut = tables;
	struct patched_code patched = {};

	ASSERT_EQ(0, patched_code_read(&source, &tables, &patched));
	EXPECT_FALSE(patched.known);
	ASSERT_EQ(0, patched_code_read(&readable, &(struct kernel_tables){}, &patched));
	EXPECT_FALSE(patched.known);
	/* No whole number of entries: they have another form. */
	cut.jump_labels_end -= 4;
	ASSERT_EQ(0, patched_code_read(&readable, &cut, &patched));
	EXPECT_FALSE(patched.known);
	cut = tables;
	cut.static_calls_end = cut.static_calls;
	ASSERT_EQ(0, patched_code_read(&readable, &cut, &patched));
	EXPECT_FALSE(patched.known);
	patched_code_release(&patched);
}

TEST_HARNESS_MAIN
