// SPDX-License-Identifier: BSD-2-Clause
/* System calls by the names that manual pages and strace(1) have. */
#include "unit.h"

#include "util/base/macros.h"
#include "util/kernel/symbols/syscall_name.h"

TEST(a_system_call_has_the_name_of_its_manual_page)
{
	EXPECT_TRUE(syscall_matches("newstat", "stat"));
	EXPECT_TRUE(syscall_matches("umount", "umount2"));
	/* The call of 64-bit programs, too, except on x86. */
	EXPECT_TRUE(syscall_matches("fadvise64_64", "fadvise64"));
	EXPECT_TRUE(syscall_matches("ia32_fadvise64_64", "fadvise64_64"));
	EXPECT_FALSE(syscall_matches("openat", "open"));
}

TEST_HARNESS_MAIN
