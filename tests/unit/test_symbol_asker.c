// SPDX-License-Identifier: BSD-2-Clause
/* What the kernel answers when it is asked for the symbol at an address. */
#include "tests/unit/unit.h"
#include "util/base/macros.h"
#include "util/kernel/symbols/symbol_asker.h"

TEST(a_program_has_no_module)
{
	static const char text[] = "bpf_trampoline_6442453466+0x6d/0x1000";
	struct symbol_answer answer;

	ASSERT_EQ(0, symbol_answer_parse(text, &answer));
	EXPECT_EQ(0x6d, answer.offset);
	EXPECT_EQ(0x1000, answer.size);
	EXPECT_EQ(strlen("bpf_trampoline_6442453466"), answer.name_len);
	EXPECT_EQ(NULL, answer.module);
}

TEST(a_modules_function_has_one)
{
	struct symbol_answer answer;

	ASSERT_EQ(0, symbol_answer_parse("ext4_mkdir+0x0/0x390 [ext4]", &answer));
	EXPECT_EQ(0, answer.offset);
	EXPECT_EQ(0x390, answer.size);
	EXPECT_STREQ("ext4]", answer.module);
	/* With CONFIG_STACKTRACE_BUILD_ID. */
	ASSERT_EQ(0, symbol_answer_parse("f+0x1/0x2 [m 0123456789abcdef]", &answer));
	EXPECT_STREQ("m 0123456789abcdef]", answer.module);
}

TEST(what_is_no_symbol_is_refused)
{
	static const char *const texts[] = {
		"", "0x1", "0xffffffffc0008575", "+0x1/0x2", "f", "f+", "f+0x1", "f+0x1/", "f+/0x2",
		"f+0x2/0x2", "f+0x3/0x2", "f+0x0/0x0", "f+0x1/0x2x", "f+0x1/0x2 ", "f+0x1/0x2 [",
	};
	struct symbol_answer answer;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		EXPECT_EQ(-EBADMSG, symbol_answer_parse(texts[i], &answer));
}

TEST(a_kernel_that_cannot_be_asked)
{
	struct symbol_asker asker = SYMBOL_ASKER_INIT;

	EXPECT_EQ(NULL, symbol_ask(&asker, 1));
	symbol_asker_close(&asker);
}

TEST_HARNESS_MAIN
