// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/base/macros.h"
#include "util/base/text/errnames.h"

TEST(names_and_numbers_go_both_ways)
{
	for (int err = 1; err <= MAX_ERRNO; err++) {
		const char *name = errno_name(err);

		if (name) {
			EXPECT_EQ(err, errno_parse(name)) TH_LOG("%s", name);
		}
	}
}

TEST(the_names_are_those_of_this_system)
{
	for (int err = 1; err <= LAST_ERRNO; err++) {
		if (strerrorname_np(err)) {
			EXPECT_STREQ(strerrorname_np(err), errno_name(err));
		}
	}
}

TEST(kernel_internal_errors_have_names)
{
	EXPECT_STREQ("ERESTARTSYS", errno_name(512));
	EXPECT_STREQ("EPROBE_DEFER", errno_name(517));
	EXPECT_STREQ("ENOTSUPP", errno_name(524));
	EXPECT_EQ(524, errno_parse("ENOTSUPP"));
	EXPECT_STREQ("ENOGRACE", errno_name(531));
	EXPECT_EQ(NULL, errno_name(520));
	EXPECT_EQ(NULL, errno_name(0));
	EXPECT_EQ(NULL, errno_name(-22));
	EXPECT_EQ(NULL, errno_name(100000));
}

TEST(an_errno_newer_than_the_c_library_has_a_name)
{
	EXPECT_STREQ("EFTYPE", errno_name(134));
	EXPECT_EQ(134, errno_parse("EFTYPE"));
	EXPECT_STREQ("the file is of another type (EFTYPE)", errno_text(134));
}

TEST(errors_are_written_in_several_ways)
{
	EXPECT_EQ(EINVAL, errno_parse("EINVAL"));
	EXPECT_EQ(EINVAL, errno_parse("-EINVAL"));
	EXPECT_EQ(EINVAL, errno_parse("einval"));
	EXPECT_EQ(EINVAL, errno_parse("22"));
	EXPECT_EQ(EINVAL, errno_parse("-22"));
	EXPECT_EQ(EAGAIN, errno_parse("EWOULDBLOCK"));
	EXPECT_EQ(EDEADLK, errno_parse("EDEADLOCK"));
	EXPECT_EQ(MAX_ERRNO, errno_parse("4095"));
}

TEST(what_is_no_error_is_refused)
{
	EXPECT_EQ(-EINVAL, errno_parse(""));
	EXPECT_EQ(-EINVAL, errno_parse("-"));
	EXPECT_EQ(-EINVAL, errno_parse("0"));
	EXPECT_EQ(-EINVAL, errno_parse("4096"));
	EXPECT_EQ(-EINVAL, errno_parse("--22"));
	EXPECT_EQ(-EINVAL, errno_parse("+22"));
	EXPECT_EQ(-EINVAL, errno_parse(" 22"));
	EXPECT_EQ(-EINVAL, errno_parse("22x"));
	EXPECT_EQ(-EINVAL, errno_parse("EINVALL"));
	EXPECT_EQ(-EINVAL, errno_parse("any"));
	EXPECT_EQ(-EINVAL, errno_parse("99999999999999999999"));
}

TEST(some_errors_are_what_programs_expect)
{
	static const int expected[] = { EAGAIN, EINTR, ECHILD, 512, 516 };
	static const int others[] = { 0, EPERM, ENOENT, EINVAL, ETIMEDOUT, 511, 517 };

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		EXPECT_TRUE(errno_is_expected(expected[i])) { TH_LOG("%d", expected[i]); }
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		EXPECT_FALSE(errno_is_expected(others[i])) { TH_LOG("%d", others[i]); }
	}
}

TEST(errnos_of_the_kernel_alone_have_words)
{
	EXPECT_STREQ("Invalid argument", errno_text(22));
	EXPECT_STREQ("the kernel does not support it (ENOTSUPP)", errno_text(ENOTSUPP));
	EXPECT_STREQ("ERESTARTSYS", errno_text(512));
	EXPECT_STREQ("ENOGRACE", errno_text(531));
	EXPECT_STREQ("Unknown error 520", errno_text(520));
}

TEST_HARNESS_MAIN
