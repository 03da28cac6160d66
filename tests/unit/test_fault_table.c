// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's exception table, with entries of either size. */
#include <errno.h>
#include <stdlib.h>

#include "unit.h"

#include "util/base/macros.h"
#include "util/kernel/code/fault_table.h"

#define START 0xffffffff82000000
#define TEXT 0xffffffff81000000

FIXTURE(faults)
{
	int32_t words[24];
	size_t nr;
	struct fault_table table;
};

static long read_words(void *arg, uint64_t addr, void *to, size_t size)
{
	FIXTURE_DATA(faults) *self = arg;

	memcpy(to, (const char *)self->words + (addr - START), size);
	return size;
}

FIXTURE_SETUP(faults)
{
	memset(self, 0, sizeof(*self));
}

FIXTURE_TEARDOWN(faults)
{
	fault_table_release(&self->table);
}

static void put_offset(FIXTURE_DATA(faults) * self, uint64_t to)
{
	self->words[self->nr] = to - (START + self->nr * sizeof(int32_t));
	self->nr++;
}

/* @type	-1: entries have none */
static void put_entry(FIXTURE_DATA(faults) * self, uint64_t insn, uint64_t fixup, int32_t type)
{
	put_offset(self, insn);
	put_offset(self, fixup);
	if (type >= 0)
		self->words[self->nr++] = type;
}

static int read_table(FIXTURE_DATA(faults) * self)
{
	const struct code_source source = { read_words, self };

	return fault_table_read(&source, START, START + self->nr * sizeof(int32_t), &self->table);
}

#define EXPECT_ENTRY(insn_, fixup_)                                                                \
	do {                                                                                       \
		const struct fault_entry *entry = fault_table_at(&self->table, insn_);             \
		ASSERT_NE(NULL, entry);                                                            \
		EXPECT_EQ(fixup_, entry->fixup);                                                   \
	} while (0)

TEST_F(faults, entries_have_a_type)
{
	for (int i = 0; i < 6; i++)
		put_entry(self, TEXT + i * 0x100, TEXT + 0x8000 + i * 8, i % 3);
	ASSERT_EQ(0, read_table(self));
	EXPECT_EQ(6, self->table.v.len);
	for (int i = 0; i < 6; i++)
		EXPECT_ENTRY(TEXT + i * 0x100, TEXT + 0x8000 + i * 8);
	EXPECT_EQ(NULL, fault_table_at(&self->table, TEXT + 4));
}

/* As many words as four entries with a type have, too. */
TEST_F(faults, entries_of_arm64_had_none_up_to_5_15)
{
	for (int i = 0; i < 6; i++)
		put_entry(self, TEXT + i * 0x100, TEXT + 0x8000 + i * 8, -1);
	ASSERT_EQ(0, read_table(self));
	EXPECT_EQ(6, self->table.v.len);
	for (int i = 0; i < 6; i++)
		EXPECT_ENTRY(TEXT + i * 0x100, TEXT + 0x8000 + i * 8);
}

TEST_F(faults, a_table_whose_place_is_not_known_is_not_there)
{
	const struct code_source source = { read_words, self };

	EXPECT_EQ(-ENOENT, fault_table_read(&source, 0, 0, &self->table));
	EXPECT_EQ(-ENOENT, fault_table_read(&source, START, START, &self->table));
}

TEST_HARNESS_MAIN
