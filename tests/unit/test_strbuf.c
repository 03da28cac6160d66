// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"

TEST(an_empty_buffer_is_an_empty_string)
{
	struct strbuf sb = STRBUF_INIT;

	EXPECT_STREQ("", strbuf_str(&sb));
	strbuf_reset(&sb);
	strbuf_addstr(&sb, "");
	EXPECT_STREQ("", strbuf_str(&sb));
	strbuf_release(&sb);
	strbuf_release(&sb);
}

TEST(pieces_are_put_together)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, "a");
	strbuf_addch(&sb, 'b');
	strbuf_add(&sb, "cde", 2);
	strbuf_addf(&sb, "%d-%s", 7, "x");
	strbuf_pad(&sb, 3, '.');
	strbuf_pad(&sb, 0, '!');
	strbuf_pad(&sb, -5, '!');
	EXPECT_STREQ("abcd7-x...", strbuf_str(&sb));
	EXPECT_EQ(strlen("abcd7-x..."), sb.len);
	EXPECT_FALSE(sb.failed);
	strbuf_release(&sb);
}

TEST(it_grows_over_every_boundary)
{
	struct strbuf sb = STRBUF_INIT;

	for (int i = 0; i < 10000; i++) {
		strbuf_addf(&sb, "%c", 'a' + i % 26);
		ASSERT_EQ(i + 1, sb.len);
		ASSERT_EQ('\0', sb.s[sb.len]);
	}
	for (int i = 0; i < 10000; i++) {
		ASSERT_EQ('a' + i % 26, sb.s[i]);
	}
	strbuf_release(&sb);
}

TEST(reset_keeps_the_memory_and_not_the_text)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, "something long enough");
	strbuf_reset(&sb);
	EXPECT_STREQ("", strbuf_str(&sb));
	strbuf_addstr(&sb, "x");
	EXPECT_STREQ("x", strbuf_str(&sb));
	strbuf_release(&sb);
}

TEST(bytes_may_be_zero)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_add(&sb, "a\0b", 3);
	EXPECT_EQ(3, sb.len);
	EXPECT_EQ(0, memcmp(sb.s, "a\0b", 4));
	strbuf_release(&sb);
}

TEST(numbers_are_written_as_printf_writes_them)
{
	static const uint64_t values[] = {
		0, 9, 10, 15, 16, 99, 4294967296, INT64_MAX, UINT64_MAX,
	};
	struct strbuf sb = STRBUF_INIT;
	char expected[128];

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		strbuf_reset(&sb);
		strbuf_adduint(&sb, values[i]);
		strbuf_addch(&sb, ' ');
		strbuf_addhex(&sb, values[i]);
		strbuf_addch(&sb, ' ');
		strbuf_adduint_wide(&sb, values[i], 3);
		strbuf_addch(&sb, ' ');
		strbuf_adduint_wide(&sb, values[i], 20);
		snprintf(expected, sizeof(expected),
			 "%" PRIu64 " %" PRIx64 " %03" PRIu64 " %020" PRIu64, values[i], values[i],
			 values[i], values[i]);
		EXPECT_STREQ(expected, strbuf_str(&sb));
	}
	strbuf_release(&sb);
}

TEST(what_is_formatted_fits_by_a_byte_or_does_not)
{
	/* The first allocation has room for 63 characters and the NUL. */
	for (int before = 0; before < 70; before++) {
		for (int width = 1; width < 70; width++) {
			struct strbuf sb = STRBUF_INIT;

			strbuf_pad(&sb, before, '.');
			strbuf_addf(&sb, "%*d", width, 7);
			ASSERT_EQ(before + width, sb.len);
			ASSERT_EQ('\0', sb.s[sb.len]);
			ASSERT_EQ('7', sb.s[sb.len - 1]);
			ASSERT_EQ(before, strspn(sb.s, "."));
			strbuf_release(&sb);
		}
	}
}

TEST(a_part_that_failed_is_not_forgotten_with_the_next_part)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, "part");
	sb.failed = true;
	strbuf_clear(&sb);
	EXPECT_STREQ("", strbuf_str(&sb));
	EXPECT_EQ(0, sb.len);
	EXPECT_TRUE(sb.failed);
	strbuf_reset(&sb);
	EXPECT_FALSE(sb.failed);
	strbuf_release(&sb);
}

TEST(strf_formats)
{
	char *s = strf("%s:%d", "x", 3);

	EXPECT_STREQ("x:3", s);
	free(s);
}

TEST_HARNESS_MAIN
