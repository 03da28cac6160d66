// SPDX-License-Identifier: BSD-2-Clause
/* Numbers in records of tracepoints: what the kernel prints, not what libtraceevent computes. */
#include <stdlib.h>
#include <string.h>

#include "tracepoint_formats.h"
#include "unit.h"
#include "util/base/strbuf.h"
#include "util/kernel/tracepoints/tracepoint.h"

FIXTURE(numbers)
{
	struct strbuf text;
	char record[128];
};

/* The values of the fields below. */
FIXTURE_SETUP(numbers)
{
	self->text = (struct strbuf)STRBUF_INIT;
	memset(self->record, 0, sizeof(self->record));
	put32(self->record, 8, -11);
	put32(self->record, 12, 0xfffffff5);
	put64(self->record, 16, -7);
	put64(self->record, 24, -7);
	self->record[32] = -3;
	self->record[33] = 200;
	self->record[34] = self->record[35] = -1;
	put64(self->record, 40, 0xffffffff81000000);
	strcpy(self->record + 48, "eth0");
	put32(self->record, 56, 5);
	put32(self->record, 60, 0);
	put_string(self->record, 64, 80, "a string");
	self->record[68] = 1;
	self->record[69] = 2;
	self->record[70] = 3;
	self->record[71] = 4;
	put32(self->record, 72, 0x60);
}

FIXTURE_TEARDOWN(numbers)
{
	strbuf_release(&self->text);
}

#define FIELDS                                                                                     \
	FORMAT_FIELD("int ret", "8", "4", "1")                                                     \
	FORMAT_FIELD("unsigned int u", "12", "4", "0")                                             \
	FORMAT_FIELD("long l", "16", "8", "1")                                                     \
	FORMAT_FIELD("u64 ul", "24", "8", "0")                                                     \
	FORMAT_FIELD("s8 tiny", "32", "1", "1")                                                    \
	FORMAT_FIELD("u8 byte", "33", "1", "0")                                                    \
	FORMAT_FIELD("short small", "34", "2", "1")                                                \
	FORMAT_FIELD("const char * where", "40", "8", "0")                                         \
	FORMAT_FIELD("char name[8]", "48", "8", "0")                                               \
	FORMAT_FIELD("int five", "56", "4", "1")                                                   \
	FORMAT_FIELD("int zero", "60", "4", "1")                                                   \
	FORMAT_FIELD("__data_loc char[] str", "64", "4", "0")                                      \
	FORMAT_FIELD("u8 ip[4]", "68", "4", "0")                                                   \
	FORMAT_FIELD("u32 flags", "72", "4", "0")

/* The text by a print fmt; "" if the fields are shown. */
static const char *printed(FIXTURE_DATA(numbers) *self, const char *print_fmt, bool trusted)
{
	static const char head[] = FORMAT_HEAD("numbers", "330") FIELDS;
	struct strbuf format = STRBUF_INIT;
	struct tracepoint *tp = NULL;

	strbuf_addf(&format, "%s\nprint fmt: %s\n", head, print_fmt);
	strbuf_reset(&self->text);
	if (!tracepoint_parse("x", strbuf_str(&format), format.len, trusted, &tp)) {
		tracepoint_add(tp, self->record, 89, &self->text);
		tracepoint_free(tp);
	}
	strbuf_release(&format);
	return strncmp(strbuf_str(&self->text), "ret=-11 u=", 10) ? strbuf_str(&self->text) : "";
}

static const struct {
	const char *print_fmt, *text;
} cases[] = {
	/* Signs: comparisons, divisions, shifts. */
	{ "\"length = %d, error = %d\", !(REC->ret >= 0) ? 0 : REC->ret, "
	  "!(REC->ret < 0) ? 0 : REC->ret", "length = 0, error = -11" },
	{ "\"%d %d %d\", REC->ret > 0, REC->ret <= -11, REC->l < 0", "0 1 1" },
	{ "\"%d %d\", REC->ret < REC->u, REC->ret == REC->u", "0 1" },
	{ "\"%d\", REC->l < REC->u", "1" },
	{ "\"%d %d\", REC->tiny < 0, REC->small < REC->byte", "1 1" },
	{ "\"%d %d %ld\", REC->ret / 2, REC->ret % 4, REC->l / 2", "-5 -3 -3" },
	{ "\"%llu\", REC->ul / 2", "9223372036854775804" },
	{ "\"%d %ld\", REC->ret >> 1, REC->l >> 1", "-6 -4" },
	{ "\"%x %d\", REC->u >> 28, REC->byte >> 4", "f 12" },
	{ "\"%d %d %d\", REC->tiny, REC->byte, REC->small", "-3 200 -1" },
	{ "\"%lld\", (long long)REC->tiny", "-3" },
	/* 32 bits: unsigned numbers wrap, and do not reach into the upper half. */
	{ "\"%llx\", (unsigned long long)(REC->u + REC->u)", "ffffffea" },
	{ "\"%llx %llx\", (u64)~REC->u, (u64)-REC->u", "a b" },
	{ "\"%llx\", (u64)~REC->ret", "a" },
	{ "\"%llx\", (u64)(REC->u << 4)", "ffffff50" },
	{ "\"%lld\", (long long)-REC->five", "-5" },
	{ "\"%d\", !REC->zero", "1" },
	{ "\"%d\", -REC->ret - -1", "12" },
	/* Casts. */
	{ "\"%lld %lld\", (s64)REC->ret, (s64)REC->u", "-11 4294967285" },
	{ "\"%d %d %d\", (u8)REC->ret, (s8)REC->byte, (u16)REC->small", "245 -56 65535" },
	{ "\"%lld\", (long long)(signed char)REC->byte", "-56" },
	{ "\"%d\", (bool)REC->five", "1" },
	{ "\"%d\", (int)REC->ul < 0", "1" },
	{ "\"%d\", (unsigned long)(void *)(REC->where) >= (unsigned long)-4095", "0" },
	/* What binds more strongly. */
	{ "\"flags=%s\", __print_flags(REC->flags & (0x1 | 0x2 | 0x8), \"|\", { 0x1, \"D\" }, "
	  "{ 0x2, \"P\" }, { 0x8, \"I\" })", "flags=" },
	{ "\"%d\", REC->five & (2 | 4)", "4" },
	{ "\"%d\", REC->five & 2 | 4", "4" },
	{ "\"%d\", REC->five + 2 * 3 - 1", "10" },
	{ "\"%d\", 20 - REC->five - 3", "12" },
	{ "\"%d\", (20 - REC->five) * 2 + 100 / REC->five / 2", "40" },
	{ "\"%d\", 1 + REC->five << 2", "24" },
	{ "\"%d\", REC->five == 5 && REC->zero == 0 || 0", "1" },
	{ "\"%d\", !REC->five == 5", "0" },
	{ "\"%d\", 6 ^ REC->five & 4", "2" },
	{ "\"%d\", ~REC->five & 0xf", "10" },
	/* Choices. */
	{ "\"%s\", REC->ret < 0 ? \"failed\" : \"done\"", "failed" },
	{ "\"%s\", REC->five == 1 ? \"one\" : REC->five == 5 ? \"five\" : \"other\"", "five" },
	{ "\"%s\", REC->five ? REC->zero ? \"a\" : \"b\" : \"c\"", "b" },
	{ "\"%s\", REC->ret > 0 ? __get_str(str) : REC->name", "eth0" },
	{ "\"%d\", REC->zero ? 100 / REC->zero : 7", "7" },
	{ "\"%d\", REC->zero && 100 / REC->zero", "0" },
	{ "\"<%.*s> <%.*s>\", REC->five, __get_str(str), REC->zero, "
	  "REC->five ? ((void *)0) : __get_str(str)", "<a str> <>" },
	{ "\"%s\", REC->five ? ((void *)0) : __get_str(str)", "(null)" },
	/* Lists. */
	{ "\"%s\", __print_symbolic(REC->ret, { -11, \"EAGAIN\" }, { 0, \"ok\" })", "EAGAIN" },
	{ "\"%s\", __print_symbolic(REC->tiny, { (1 << 2), \"4\" }, { -3, \"-3\" })", "-3" },
	{ "\"%s\", __print_symbolic(REC->u, { -11, \"EAGAIN\" })", "0xfffffff5" },
	{ "\"%s\", __print_symbolic(REC->l, { UNKNOWN, \"unknown\" }, { -7, \"E2BIG\" })", "E2BIG" },
	{ "\"%s\", __print_symbolic(REC->l + 6, { UNKNOWN, \"unknown\" }, { 0, \"ok\" })",
	  "0xffffffffffffffff" },
	{ "\"<%s>\", __print_flags(REC->zero, \"|\", { UNKNOWN, \"unknown\" }, { 1, \"one\" })", "<>" },
	{ "\"<%s>\", __print_flags(REC->zero, \"|\", { 1, \"one\" }, { -1, ((void *)0) })", "<>" },
	{ "\"%s\", __print_flags(REC->flags, \"|\", { 1U << 5, \"A\" \"B\" }, { 0x40, \"C\" })",
	  "AB|C" },
	{ "\"%-6s|\", __print_symbolic(REC->five, { 5, \"five\" })", "five  |" },
	/* Other things that are not numbers. */
	{ "\"%pI4 %pI4\", REC->ip, &REC->ip", "1.2.3.4 1.2.3.4" },
	{ "\"%d\", REC->ip[3]", "4" },
	{ "\"%s\", __print_hex(REC->ip, REC->five - 2)", "01 02 03" },
	{ "\"%d\", __builtin_expect(!!(REC->ret < 0), 0)", "1" },
	{ "\"%c%c%-2c<\", REC->five ? 'F' : ' ', '.', REC->five + 60", "F.A <" },
	{ "\"100%% %hhd %hhu %hd %ld %zu %Lu\", REC->tiny, REC->byte, REC->small, REC->l, "
	  "REC->ul, REC->ul", "100% -3 200 -1 -7 18446744073709551609 18446744073709551609" },
	{ "\"%#x %#018llx %05u %-5d| %X %o %i %.3d\", REC->five, REC->ul, REC->five, REC->five, "
	  "REC->flags, REC->flags, REC->ret, REC->five",
	  "0x5 0xfffffffffffffff9 00005 5    | 60 140 -11 005" },
	{ "\"%#x %#010x %#lx %#6x %#o %#X\", REC->zero, REC->zero, REC->l, REC->five, REC->five, "
	  "REC->u", "0x0 0x00000000 0xfffffffffffffff9    0x5 05 0XFFFFFFF5" },
	{ "\"%s\", __print_hex(REC->ip, sizeof(u32) / 2)", "01 02" },
	{ "\"%s\", __print_hex_str(REC->ip, REC->five - 1)", "01020304" },
	{ "\"%d\", __get_dynamic_array_len(str) - 10", "-1" },
	/* What is not in the record, nor known otherwise. */
	{ "\"age=%5lu of %d\", (jiffies - REC->ul) / 250, REC->five", "age=? of 5" },
	{ "\"page=%p%%\", REC->ul != -1UL ? (((struct page *)vmemmap_base) + (REC->ul)) : ((void *)0)",
	  "page=?%" },
	/* mm_page_alloc of 6.12 for arm64 */
	{ "\"page=%p %d\", REC->ul != -1UL ? (((struct page *)((-(((0x40000000UL)))) - (((-((((1UL))) << 47)) >> 12) * "
	  "sizeof(struct page))) - (memstart_addr >> 12)) + (REC->ul)) : ((void *)0), REC->five", "page=? 5" },
	{ "\"0x%lx|%c\", (unsigned long)(~UNKNOWN) << 2, UNKNOWN", "0x?|?" },
	{ "\"%d %d\", UNKNOWN / 0, -UNKNOWN", "? ?" },
	/* Text that would be wrong: the fields are shown. */
	{ "\"%s\", REC->five == UNKNOWN ? \"yes\" : \"no\"", "" },
	{ "\"%s\", REC->where", "" },
	{ "\"%d\", sizeof(structs)", "" },
	{ "\"%d\", sizeof(struct page", "" },
	{ "\"%d\", REC->five / REC->zero", "" },
	{ "\"%d\", REC->five % REC->zero", "" },
	{ "\"%d\", 1 << REC->byte", "" },
	{ "\"%s\", __print_array(REC->ip, 4, 1)", "" },
	{ "\"%+d\", REC->five", "" },
	{ "\"%.*s\", REC->ret, __get_str(str)", "" },
	{ "\"%s\", __print_hex(REC->ip, REC->ret)", "" },
	{ "\"%s\", __print_hex(REC->ip, 5 * 30)", "" },
};

TEST_F(numbers, texts_are_those_of_the_kernel)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_STREQ(cases[i].text, printed(self, cases[i].print_fmt, true))
		{
			TH_LOG("%s", cases[i].print_fmt);
		}
		EXPECT_STREQ(cases[i].text, printed(self, cases[i].print_fmt, false))
		{
			TH_LOG("%s", cases[i].print_fmt);
		}
	}
}

TEST_F(numbers, a_field_of_the_kernel_is_not_taken_for_a_number)
{
	static const char format[] =
		FORMAT_HEAD("numbers", "331")
		FORMAT_FIELD("int " PRINT_VALUE "0", "8", "4", "1")
		FORMAT_PRINT("\"%d\", REC->" PRINT_VALUE "0 + 1");
	struct tracepoint *tp = NULL;

	ASSERT_EQ(0, tracepoint_parse("x", format, strlen(format), true, &tp));
	EXPECT_EQ(1, tp->fields.len);
	tracepoint_add(tp, self->record, 12, &self->text);
	EXPECT_STREQ(PRINT_VALUE "0=-11", strbuf_str(&self->text));
	tracepoint_free(tp);
}

TEST_F(numbers, a_cut_record_has_zeros_for_numbers)
{
	static const char format[] = FORMAT_HEAD("numbers", "332") FIELDS
		FORMAT_PRINT("\"%d %d\", REC->ret < 0, REC->five + 1");
	struct tracepoint *tp = NULL;

	ASSERT_EQ(0, tracepoint_parse("x", format, strlen(format), true, &tp));
	EXPECT_EQ(14, tp->fields.len);
	tracepoint_add(tp, self->record, 12, &self->text);
	EXPECT_STREQ("1 1…", strbuf_str(&self->text));
	tracepoint_free(tp);
}

TEST_HARNESS_MAIN
