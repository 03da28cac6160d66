// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/view/values/btf_value.h"
#include "util/view/values/printf_text.h"

FIXTURE(format)
{
	struct value_format format;
	struct printf_word words[8];
	uint32_t nr;
	bool cut;
	struct strbuf text;
};

static const char *symbol(void *arg, uint64_t addr)
{
	return addr == 0xffffffff81000010 ? "do_it+0x10" : NULL;
}

FIXTURE_SETUP(format)
{
	self->format.symbol = symbol;
}

FIXTURE_TEARDOWN(format)
{
	strbuf_release(&self->text);
}

static const char *shown(FIXTURE_DATA(format) *self, const char *format)
{
	size_t len = strlen(format);
	/* A heap copy of just that size, for the sanitizer to see what is read beyond. */
	char *copy = memcpy(malloc(len + !len), format, len);
	struct printf_call call = { copy, len, self->cut, self->words, self->nr };

	strbuf_reset(&self->text);
	printf_text_add(&self->text, &self->format, &call);
	free(copy);
	return strbuf_str(&self->text);
}

/* The text of a format with these words, none of which is a string. */
#define SHOWN(format, ...)                                                                         \
	({                                                                                         \
		uint64_t values_[] = { __VA_ARGS__ };                                              \
		self->nr = ARRAY_SIZE(values_);                                   \
		for (uint32_t i_ = 0; i_ < self->nr; i_++)                                         \
			self->words[i_] = (struct printf_word){ .value = values_[i_] };            \
		shown(self, format);                                                               \
	})

static const char *with_string(FIXTURE_DATA(format) *self, const char *format, const char *text,
			       bool cut)
{
	self->words[0] = (struct printf_word){ 0xffffffff82000000, text, strlen(text), cut };
	self->nr = 1;
	return shown(self, format);
}

TEST_F(format, integers_are_as_wide_as_the_format_says)
{
	EXPECT_STREQ("-1 4294967295 -1", SHOWN("%d %u %i", -1ull, -1ull, -1ull));
	EXPECT_STREQ("-1 18446744073709551615", SHOWN("%ld %lu", -1ull, -1ull));
	EXPECT_STREQ("-2 18446744073709551614 -2", SHOWN("%lld %llu %Ld", -2ull, -2ull, -2ull));
	EXPECT_STREQ("-1 255 -1 65535", SHOWN("%hhd %hhu %hd %hu", 0xffff00ff, 0xffff00ff, -1ull,
					      -1ull));
	EXPECT_STREQ("7 7 7", SHOWN("%zu %td %jd", 7, 7, 7));
	/* The upper half of a register is anyone's. */
	EXPECT_STREQ("5", SHOWN("%d", 0xdead00000005));
}

TEST_F(format, zero_keeps_its_prefix)
{
	EXPECT_STREQ("0x0 0x0", SHOWN("%#x %#lx", 0, 0));
}

TEST_F(format, bases_flags_and_widths_are_cs_own)
{
	EXPECT_STREQ("ff FF 0xff 377 0377", SHOWN("%x %X %#x %o %#o", 255, 255, 255, 255, 255));
	EXPECT_STREQ("   42|42   |00042|+42| 42",
		     SHOWN("%5d|%-5d|%05d|%+d|% d", 42, 42, 42, 42, 42));
	EXPECT_STREQ("  007", SHOWN("%5.3d", 7));
	EXPECT_STREQ("0xffffffff81000010", SHOWN("%#lx", 0xffffffff81000010));
}

TEST_F(format, widths_and_precisions_may_be_arguments)
{
	EXPECT_STREQ("   42", SHOWN("%*d", 5, 42));
	EXPECT_STREQ("42   |", SHOWN("%*d|", -5, 42));
	EXPECT_STREQ("042", SHOWN("%.*d", 3, 42));
	EXPECT_STREQ("  042", SHOWN("%*.*d", 5, 3, 42));
}

TEST_F(format, a_width_that_no_terminal_has_is_less)
{
	EXPECT_EQ(256, strlen(SHOWN("%999999999d", 1)));
	EXPECT_EQ(256, strlen(SHOWN("%*d", 0x7fffffff, 1)));
	EXPECT_EQ(256, strlen(SHOWN("%*d", 0x80000000, 1)));
	EXPECT_EQ(256, strlen(SHOWN("%.999999999d", 1)));
}

TEST_F(format, strings_are_those_that_were_captured)
{
	EXPECT_STREQ("<lo>", with_string(self, "<%s>", "lo", false));
	EXPECT_STREQ("<  lo>", with_string(self, "<%4s>", "lo", false));
	EXPECT_STREQ("<lo  >", with_string(self, "<%-4s>", "lo", false));
	EXPECT_STREQ("<lo…>", with_string(self, "<%s>", "lo", true));
	EXPECT_STREQ("<l>", with_string(self, "<%.1s>", "lo", true));
	EXPECT_STREQ("<lo>", with_string(self, "<%.2s>", "lo", true));
	EXPECT_STREQ("<lo…>", with_string(self, "<%.3s>", "lo", true));
	EXPECT_STREQ("<lo>", with_string(self, "<%.9s>", "lo", false));
	EXPECT_STREQ("<>", with_string(self, "<%s>", "", false));
}

TEST_F(format, a_string_of_a_length_takes_two_words)
{
	self->words[0] = (struct printf_word){ .value = 3 };
	self->words[1] = (struct printf_word){ 0xffffffff82000000, "ext4,rest", 9, false };
	self->nr = 2;
	EXPECT_STREQ("fs-ext", shown(self, "fs-%.*s"));
}

TEST_F(format, strings_that_were_not_captured_are_pointers)
{
	EXPECT_STREQ("<0xffff888126ae9100> <(null)> <-ENOENT>",
		     SHOWN("<%s> <%s> <%s>", 0xffff888126ae9100, 0, -2ull));
}

TEST_F(format, pointers_are_pointers_whatever_the_kernel_makes_of_them)
{
	EXPECT_STREQ("0xffff888126ae9100 NULL -EINVAL",
		     SHOWN("%p %px %pe", 0xffff888126ae9100, 0, -22ull));
	EXPECT_STREQ("<0xffff888126ae9100>.", SHOWN("<%pISpc>.", 0xffff888126ae9100));
	EXPECT_STREQ("do_it+0x10 do_it+0x10 0xffffffff81000010",
		     SHOWN("%pS %ps %pK", 0xffffffff81000010, 0xffffffff81000010,
			   0xffffffff81000010));
	EXPECT_STREQ("       0x10", SHOWN("%11p", 16));
}

TEST_F(format, the_size_of_a_bitmap_is_no_width)
{
	EXPECT_STREQ("Mems_allowed:\t0xffff888126ae9100\n",
		     SHOWN("Mems_allowed:\t%*pb\n", 1024, 0xffff888126ae9100));
	EXPECT_STREQ("<0xffff888126ae9100> 7",
		     SHOWN("<%*pbl> %d", 64, 0xffff888126ae9100, 7));
	EXPECT_STREQ("<0xffff888126ae9100>", SHOWN("<%*phN>", 32, 0xffff888126ae9100));
	EXPECT_STREQ("<    0xffff888126ae9100>", SHOWN("<%*p>", 22, 0xffff888126ae9100));
}

TEST_F(format, characters_and_percent_signs_stand_for_themselves)
{
	EXPECT_STREQ("[x] 100% [  y]", SHOWN("[%c] 100%% [%3c]", 'x', 'y'));
}

TEST_F(format, the_level_of_a_message_is_no_part_of_it)
{
	EXPECT_STREQ("up 1", SHOWN("\0016up %d", 1));
}

TEST_F(format, words_that_are_not_there_show)
{
	EXPECT_STREQ("1 … …, …", SHOWN("%d %s %pI4, %*d", 1));
	self->cut = true;
	EXPECT_STREQ("1 and so…", SHOWN("%d and so", 1));
}

TEST_F(format, what_the_kernel_does_not_have_ends_it)
{
	EXPECT_STREQ("1 …", SHOWN("%d %n %d", 1, 2, 3));
	EXPECT_STREQ("1 …", SHOWN("%d %", 1, 2));
	EXPECT_STREQ("1 …", SHOWN("%d %-0 +#12.3ll", 1, 2));
	EXPECT_STREQ("…", SHOWN("%f", 1));
}

TEST_F(format, a_format_without_conversions_takes_nothing)
{
	EXPECT_FALSE(printf_takes_words("up\n", 3));
	EXPECT_FALSE(printf_takes_words("100%%", 5));
	EXPECT_FALSE(printf_takes_words("100%", 4));
	EXPECT_FALSE(printf_takes_words("", 0));
	EXPECT_TRUE(printf_takes_words("100%%%d", 7));
}

TEST_F(format, hostile_formats_end)
{
	static const char alphabet[] = "%%%%*.-+ #0123459hlLzcspdiuxXoSn\001";
	uint32_t seed = 5;

	for (int round = 0; round < 20000; round++) {
		char format[40];
		size_t len;

		seed = seed * 1664525 + 1013904223;
		len = (seed >> 9) % (sizeof(format) - 1);
		for (size_t i = 0; i < len; i++)
			format[i] = alphabet[((seed = seed * 1664525 + 1013904223) >> 20) %
					     (sizeof(alphabet) - 1)];
		format[len] = '\0';
		self->nr = seed >> 30;
		for (uint32_t i = 0; i < self->nr; i++)
			self->words[i] = (struct printf_word){ seed * (uint64_t)seed, "text", i % 5,
							       true };
		ASSERT_GE(40 * 257 + 8, strlen(shown(self, format)));
		ASSERT_FALSE(self->text.failed);
	}
}

TEST_HARNESS_MAIN
