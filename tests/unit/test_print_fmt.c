// SPDX-License-Identifier: BSD-2-Clause
/* Print fmts that are handed to libtraceevent, and those that are not. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/kernel/types/print_fmt.h"

#define FIELD(name) { name, sizeof(name) - 1 }

static const struct print_fmt_field fields[] = {
	FIELD("a"), FIELD("comm"), FIELD("pid"), FIELD("dev"), FIELD("name"), FIELD("severity"),
	FIELD("s"), FIELD("f"), FIELD("flags"), FIELD("fin"), FIELD("buf"), FIELD("saddr"),
	FIELD("addr"), FIELD("x"), FIELD("y"),
};

/* In memory of just that size. */
static bool is_plain(const char *text, size_t size)
{
	char *copy = malloc(size ?: 1);
	bool plain;

	memcpy(copy, text, size);
	plain = print_fmt_is_plain(copy, size, fields, ARRAY_SIZE(fields));
	free(copy);
	return plain;
}

static const char *const plain[] = {
	"\"nothing\"",
	"\"comm=%s pid=%d\", REC->comm, REC->pid\n",
	"\"100%% of %-16s %08lx %#x %llu %hhd %zu %p %pS %pI4 %pISpc\", REC->a",
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
