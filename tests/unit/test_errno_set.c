// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "unit.h"
#include "util/ask/errno_set.h"

TEST(an_empty_set_has_nothing)
{
	struct errno_set set = {};

	EXPECT_FALSE(set.used);
	for (int err = 0; err <= MAX_ERRNO; err++) {
		ASSERT_FALSE(errno_set_has(&set, err));
	}
}

TEST(what_is_added_is_in_it)
{
	struct errno_set set = {};

	EXPECT_EQ(0, errno_set_add(&set, "EINVAL"));
	EXPECT_EQ(0, errno_set_add(&set, "-95"));
	EXPECT_EQ(0, errno_set_add(&set, "4095"));
	EXPECT_TRUE(set.used);
	EXPECT_TRUE(errno_set_has(&set, EINVAL));
	EXPECT_TRUE(errno_set_has(&set, EOPNOTSUPP));
	EXPECT_TRUE(errno_set_has(&set, MAX_ERRNO));
	EXPECT_FALSE(errno_set_has(&set, EPERM));
	EXPECT_FALSE(errno_set_has(&set, 0));
}

TEST(null_is_a_result_of_its_own)
{
	struct errno_set set = {};

	EXPECT_EQ(0, errno_set_add(&set, "null"));
	EXPECT_TRUE(errno_set_has(&set, 0));
	EXPECT_FALSE(errno_set_has(&set, EPERM));
}

TEST(any_is_all_of_them)
{
	struct errno_set set = {};

	EXPECT_EQ(0, errno_set_add(&set, "any"));
	for (int err = 0; err <= MAX_ERRNO; err++) {
		ASSERT_TRUE(errno_set_has(&set, err));
	}
	EXPECT_FALSE(errno_set_has(&set, MAX_ERRNO + 1));
	EXPECT_FALSE(errno_set_has(&set, -1));
}

TEST(what_is_no_error_changes_nothing)
{
	struct errno_set set = {};

	EXPECT_EQ(-EINVAL, errno_set_add(&set, "EINVALL"));
	EXPECT_EQ(-EINVAL, errno_set_add(&set, ""));
	EXPECT_EQ(-EINVAL, errno_set_add(&set, "4096"));
	EXPECT_EQ(-EINVAL, errno_set_add(&set, "EPERM,EIO"));
	EXPECT_FALSE(set.used);
}

TEST_HARNESS_MAIN
