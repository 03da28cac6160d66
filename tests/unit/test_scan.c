// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/base/text/scan.h"

TEST(tokens_are_taken_after_blanks_and_left_alone_otherwise)
{
	struct scan s = scan_start("--x", " \t\n<= 5");

	EXPECT_FALSE(scan_take(&s, ">="));
	EXPECT_FALSE(scan_take(&s, "<= 55"));
	EXPECT_TRUE(scan_take(&s, "<="));
	EXPECT_EQ('5', scan_peek(&s));
	EXPECT_TRUE(scan_take(&s, "5"));
	EXPECT_EQ('\0', scan_peek(&s));
	EXPECT_TRUE(s.at == s.end);
}

TEST(nothing_after_the_end_is_read)
{
	static const char text[] = "ab cd";
	struct scan s = { .text = text, .at = text, .end = text + 1 };

	EXPECT_FALSE(scan_take(&s, "ab"));
	EXPECT_EQ(1, scan_name_length(&s));
	EXPECT_TRUE(scan_take(&s, "a"));
	EXPECT_EQ('\0', scan_peek(&s));
	EXPECT_EQ(0, scan_name_length(&s));
}

TEST(names_do_not_begin_with_a_digit)
{
	struct scan s = scan_start("--x", "  _a1-b");

	EXPECT_EQ(3, scan_name_length(&s));
	s = scan_start("--x", "1a");
	EXPECT_EQ(0, scan_name_length(&s));
	s = scan_start("--x", "->");
	EXPECT_EQ(0, scan_name_length(&s));
}

TEST(columns_count_characters)
{
	static const char text[] = "äö€x";

	EXPECT_EQ(1, scan_column(text, text));
	EXPECT_EQ(2, scan_column(text, strchr(text, 'x') - strlen("ö€")));
	EXPECT_EQ(4, scan_column(text, strchr(text, 'x')));
}

TEST(blanks_around_text_are_cut)
{
	static const char text[] = "\v a b\r\n";
	const char *from = text;
	char *copy = scan_trimmed(text, text + strlen(text));

	EXPECT_EQ(3, scan_trim(&from, text + strlen(text)));
	EXPECT_EQ('a', *from);
	EXPECT_STREQ("a b", copy);
	free(copy);
	from = text;
	EXPECT_EQ(0, scan_trim(&from, text + 1));
}

TEST(hexadecimal_digits)
{
	static const char digits[] = "0123456789abcdef", others[] = "g/:@`G x";

	for (int i = 0; digits[i]; i++)
		EXPECT_EQ(i, scan_hex_digit(digits[i]));
	EXPECT_EQ(10, scan_hex_digit('A'));
	EXPECT_EQ(15, scan_hex_digit('F'));
	for (int i = 0; i <= (int)strlen(others); i++)
		EXPECT_EQ(-1, scan_hex_digit(others[i]));
}

TEST_HARNESS_MAIN
