// SPDX-License-Identifier: BSD-2-Clause
/* Hashes of bytes, and the table that uses them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/base/hash.h"
#include "util/base/strmap.h"

/* In memory of its own, so that a read beyond the end is seen. */
static uint32_t hash_alone(const char *text, size_t len)
{
	char *copy = malloc(len ?: 1);
	uint32_t hash;

	memcpy(copy, text, len);
	hash = hash_bytes(copy, len);
	free(copy);
	return hash;
}

TEST(each_byte_has_a_say_in_the_low_bits)
{
	const uint32_t mask = 0xffff;
	char text[41];

	memset(text, 'a', sizeof(text));
	for (size_t len = 1; len < sizeof(text); len++) {
		uint32_t before = hash_alone(text, len);

		for (size_t at = 0; at < len; at++) {
			text[at] = 'b';
			EXPECT_NE(before & mask, hash_alone(text, len) & mask)
				TH_LOG("byte %zu of %zu", at, len);
			text[at] = 'a';
		}
	}
}

TEST(lengths_differ)
{
	static const char zeros[41];

	for (size_t len = 1; len < sizeof(zeros); len++)
		EXPECT_NE(hash_alone(zeros, len - 1), hash_alone(zeros, len));
}

TEST(names_of_a_kind_spread)
{
	enum { NAMES = 4096, SLOTS = 8192 };
	static unsigned int hits[SLOTS];
	unsigned int most = 0;

	for (int i = 0; i < NAMES; i++) {
		char name[32];
		unsigned int *slot;

		snprintf(name, sizeof(name), "__x64_sys_call%d", i);
		slot = &hits[hash_bytes(name, strlen(name)) % SLOTS];
		most = ++*slot > most ? *slot : most;
	}
	/* By chance alone: 5 or 6. */
	EXPECT_LE(most, 10);
}

TEST(a_map_finds_names_of_all_lengths)
{
	struct strmap map = STRMAP_INIT;
	char names[300][304];

	for (int i = 0; i < 300; i++) {
		memset(names[i], 'x', i);
		names[i][i] = '\0';
		ASSERT_NE(NULL, strmap_put(&map, names[i], i));
	}
	for (int i = 0; i < 300; i++) {
		char same[304];

		strcpy(same, names[i]);
		ASSERT_NE(NULL, strmap_get(&map, same));
		EXPECT_EQ(i, *strmap_get(&map, same));
	}
	EXPECT_EQ(NULL, strmap_get(&map, "y"));
	strmap_release(&map);
}

TEST_HARNESS_MAIN
