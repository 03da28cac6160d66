// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"
#include "util/base/macros.h"

TEST(a_text_starts_with_its_beginnings)
{
	EXPECT_TRUE(startswith("__x64_sys_read", "__x64_"));
	EXPECT_TRUE(startswith("abc", "abc"));
	EXPECT_TRUE(startswith("abc", ""));
	EXPECT_TRUE(startswith("", ""));
	EXPECT_FALSE(startswith("ab", "abc"));
	EXPECT_FALSE(startswith("xabc", "abc"));
}

TEST(a_text_ends_with_its_ends)
{
	EXPECT_TRUE(endswith("gfp_flags", "flags"));
	EXPECT_TRUE(endswith("abc", "abc"));
	EXPECT_TRUE(endswith("abc", ""));
	EXPECT_TRUE(endswith("", ""));
	EXPECT_FALSE(endswith("bc", "abc"));
	EXPECT_FALSE(endswith("abcx", "abc"));
}

TEST_HARNESS_MAIN
