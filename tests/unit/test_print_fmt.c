// SPDX-License-Identifier: BSD-2-Clause
/* Print fmts that are handed to libtraceevent, and those that are not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/kernel/tracepoints/print_fmt.h"

#define FIELD(name, type, size, ...)                                                               \
	{ name, sizeof(name) - 1, type, sizeof(type) - 1, 8, size, ##__VA_ARGS__ }
#define NUMBER(name) FIELD(name, "int", 4, .is_signed = true)
#define ARRAY(name, type, size) FIELD(name, type, size, .array = true)
#define DYNAMIC(name) FIELD(name, "__data_loc char[]", 4, .array = true, .dynamic = true)

static const struct print_fmt_field fields[] = {
	DYNAMIC("a"), ARRAY("comm", "char", 16), NUMBER("pid"), NUMBER("dev"), DYNAMIC("name"),
	NUMBER("severity"), NUMBER("s"), NUMBER("f"), NUMBER("flags"), NUMBER("fin"),
	DYNAMIC("buf"), ARRAY("saddr", "u8", 4), NUMBER("addr"), NUMBER("x"), NUMBER("y"),
};

/* In memory of just that size. */
static bool is_plain(const char *text, size_t size)
{
	struct print_fmt fmt = PRINT_FMT_INIT;
	char *copy = malloc(size ?: 1);
	bool plain;

	memcpy(copy, text, size);
	plain = print_fmt_compile(copy, size, fields, ARRAY_SIZE(fields), &fmt);
	print_fmt_release(&fmt);
	free(copy);
	return plain;
}

static const char *const plain[] = {
	"\"nothing\"",
	"\"comm=%s pid=%d\", REC->comm, REC->pid\n",
	"\"100%% of %-16s %08lx %#x %llu %hhd %zu %p %pS %pI4 %pISpc\", REC->comm, REC->x, REC->x, "
	"REC->x, REC->x, REC->x, REC->x, REC->x, REC->saddr, __get_sockaddr(a)",
	"\"dev %d,%d\", ((unsigned int) ((REC->dev) >> 20)), ((REC->dev) & ((1U << 20) - 1))",
	"\"%s\", __get_str(name)",
	"\"%s\", REC->severity == 2 ? \"Corrected\" : REC->severity == 1 ? \"Fatal\" : \"Other\"",
	"\"%s\", __print_symbolic(REC->s, { 0, \"a\" }, {HI_SOFTIRQ, \"b\"}, { -1, ((void *)0) })",
	"\"%s%s\", __print_flags(REC->f & ~((1 << 3)), \"|\", { 0x1, \"S\" }, { 2, NULL } ), \"+\"",
	"\"%s\", (REC->flags) ? __print_flags((unsigned long)REC->flags, \"|\", {1, \"x\"},) : \"none\"",
	"\"%c%c\", REC->fin ? 'F' : ' ', '.'",
	"\"%s\", __print_hex_str(__get_dynamic_array(buf), __get_dynamic_array_len(buf))",
	"\"%s\", __print_array(__get_dynamic_array(a), __get_dynamic_array_len(a) / 4, 4)",
	"\"%d\", REC->saddr[0]",
	"\"%d\", __builtin_expect(!!((unsigned long)(void *)(REC->addr) >= (unsigned long)-4095), 0)",
	"\"one\n two\\n\", REC->x",
	"\"one\" \"=%d\", (REC)->x",
	"\"%.*s %.16s\", REC->x, __get_str(name), REC->comm",
	"\"%pU\", &REC->comm",
	"\"%s\", __print_array(__get_dynamic_array(a), __get_dynamic_array_len(a) / sizeof(u64), 8)",
	/* Names whose values are not known. */
	"\"%d\", jiffies",
	"\"%lu%c\", REC->x & (UNKNOWN | 1), UNKNOWN ? 'a' : 'b'",
	"\"%p\", (((struct page *)vmemmap_base) + (REC->x))",
};

/* What a kernel does not write. */
static const char *const odd[] = {
	"",
	"REC->x",
	"\"%d",
	"\"%d\\\"",
	"\"%d\", ",
	"\"%d\", REC->",
	"\"%d\", REC->x REC->y",
	"\"%d\", REC->not_there",
	"\"%s\", __get_str(not_there)",
	"\"%n\", REC->x",
	"\"%*d\", REC->x, REC->y",
	"\"%1000d\", REC->x",
	"\"%.100000s\", REC->x",
	"\"%hs",
	"\"%\"",
	"\"%s\", __get_str(REC->x)",
	"\"%s\", __get_str()",
	"\"%s\", nvme_trace_disk_name(REC->x)",
	"\"%s\", ({ REC->x; })",
	"\"%s\", __print_symbolic(REC->s, { 0 \"a\" })",
	"\"%s\", __print_symbolic(REC->s { 0, \"a\" })",
	"\"%s\", __print_flags(REC->s, 1, { 0, \"a\" })",
	"\"%d\", REC->x[REC->y]",
	"\"%d\", (REC->x",
	"\"%d\", REC->x)",
	"\"%d\", 1 ? 2",
	"\"%d\", ()",
	"\"%d\", '\\''",
	"\"%d\", 'ab'",
	"\"%d\", 111111111111111111111111111",
	/* Names whose values are not known, where "?" would not do. */
	"\"%.*s\", jiffies, __get_str(name)",
	"\"%s\", REC->x & (UNKNOWN | 1)",
	"\"%pU\", (((struct page *)vmemmap_base) + (REC->x))",
	"\"%s\", __print_symbolic(REC->x + UNKNOWN, { 1, \"one\" })",
	"\"%s\", REC->x == UNKNOWN ? \"yes\" : \"no\"",
	"\"%d\", (unknown_t)REC->x",
	/* Steps of pointers, and what C does not define. */
	"\"%p\", (void *)REC->x + 1",
	"\"%d\", 1 / 0",
	"\"%d\", 1 << 32",
	"\"%d\", REC->saddr[4]",
	/* Numbers in place of strings and the other way round. */
	"\"%s\", REC->x",
	"\"%d\", REC->comm",
	"\"%d\", __get_str(name)",
	"\"%s\", __get_dynamic_array(a)",
	"\"%d\", REC->a",
	"\"%s\", REC->x ? REC->x : \"none\"",
	/* Conversions that libtraceevent does not know. */
	"\"% d\", REC->x",
	"\"%px\", REC->x",
	"\"%pe\", REC->x",
	"\"%pI4\", REC->comm",
	"\"%pI4\", REC->x",
	/* What it prints otherwise than the kernel. */
	"\"%s\", __print_flags(REC->x, \"|\", { 0, \"none\" }, { 1, \"one\" })",
	"\"%s\", __print_flags(REC->x, \"|\", { 1ULL << 63, \"top\" })",
	"\"%-8s\", __print_flags(REC->x, \"|\", { 1, \"one\" })",
	"\"%s\", REC->x ? \"one\\n\" : \"two\"",
	"\"\x01\"",
	"\"\xc3\xa9\"",
};

TEST(print_fmts_as_kernels_write_them_are_plain)
{
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++) {
		EXPECT_TRUE(is_plain(plain[i], strlen(plain[i])))
		{
			TH_LOG("%s", plain[i]);
		}
	}
}

TEST(others_are_not)
{
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		EXPECT_FALSE(is_plain(odd[i], strlen(odd[i])))
		{
			TH_LOG("%s", odd[i]);
		}
	}
}

TEST(no_nesting_is_too_deep_to_be_refused)
{
	static const char *const deep[] = { "(", "!", "-", "__print_hex(", "1 ? ", "1 + (", "(int)" };
	char text[70000];

	for (size_t i = 0; i < ARRAY_SIZE(deep); i++) {
		size_t len = strlen(deep[i]), at = strlen(strcpy(text, "\"%d\", "));

		while (at + len < 60000) {
			memcpy(text + at, deep[i], len);
			at += len;
		}
		EXPECT_FALSE(is_plain(text, at))
		{
			TH_LOG("%s", deep[i]);
		}
	}
}

static size_t nested_sums(char *text, int levels)
{
	size_t at = strlen(strcpy(text, "\"%d\", "));

	memset(text + at, '(', levels);
	at += levels + sprintf(text + at + levels, "REC->x");
	for (int level = 0; level < levels; level++) {
		for (int step = 0; step < 10; step++)
			at += sprintf(text + at, " + REC->x");
		text[at++] = ')';
	}
	return at;
}

/* Nesting and steps are within their limits, but values are computed by functions that call themselves. */
TEST(no_expression_is_too_deep_to_be_refused)
{
	char text[8192];

	EXPECT_TRUE(is_plain(text, nested_sums(text, 20)));
	EXPECT_FALSE(is_plain(text, nested_sums(text, 30)));
}

TEST(none_is_too_long_to_be_refused)
{
	char *text = malloc(1 << 20);
	size_t at = strlen(strcpy(text, "\"%d\""));

	while (at < (1 << 20) - 4) {
		memcpy(text + at, ", 1", 3);
		at += 3;
	}
	EXPECT_FALSE(is_plain(text, at));
	EXPECT_FALSE(is_plain(text, 60001));
	free(text);
}

/* Whatever is cut off or changed, nothing but the text is looked at. */
TEST(no_text_leads_out_of_itself)
{
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++) {
		char text[256];
		size_t size = strlen(strcpy(text, plain[i]));

		for (size_t cut = 0; cut < size; cut++) {
			static const char others[] = "\"\\%({'?,)R0 ";

			is_plain(text, cut);
			for (const char *c = others; *c; c++) {
				text[cut] = *c;
				is_plain(text, size);
			}
			text[cut] = plain[i][cut];
		}
	}
}

TEST_HARNESS_MAIN
