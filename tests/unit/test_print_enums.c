// SPDX-License-Identifier: BSD-2-Clause
/* Enumerators in print fmts become numbers. */
#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/kernel/tracepoints/print_enums.h"

FIXTURE(enums)
{
	struct btf *types;
	struct print_enums *enums;
};

FIXTURE_SETUP(enums)
{
	self->types = btf__new_empty();
	btf__add_enum(self->types, "mode", 4);
	btf__add_enum_value(self->types, "MODE_ABS", 0);
	btf__add_enum_value(self->types, "MODE_REL", 1);
	btf__add_enum_value(self->types, "MODE_NONE", -1);
	btf__add_enum_value(self->types, "nvme_write", 7);
	btf__add_enum_value(self->types, "TWICE", 3);
	btf__add_enum(self->types, "other", 4);
	btf__add_enum_value(self->types, "TWICE", 4);
	btf__add_enum_value(self->types, "MODE_REL", 1);
	btf__add_enum_value(self->types, "page", 5);
	btf__add_enum64(self->types, "wide", 8, false);
	btf__add_enum64_value(self->types, "WIDE", 1ull << 40);
	self->enums = print_enums_new(self->types);
}

FIXTURE_TEARDOWN(enums)
{
	print_enums_free(self->enums);
	btf__free(self->types);
}

#define FMT(text) "name: MODE_REL\nID: 1\nformat:\n\tfield:int MODE_REL;\n\nprint fmt: " text "\n"

static const struct {
	const char *format, *resolved;
} formats[] = {
	{ FMT("\"%s\", __print_symbolic(REC->mode, { MODE_ABS, \"ABS\" }, {MODE_REL,\"MODE_REL\"})"),
	  FMT("\"%s\", __print_symbolic(REC->mode, { 0, \"ABS\" }, {1,\"MODE_REL\"})") },
	{ FMT("\"%d\", REC->x == MODE_NONE ? 1 : MODE_REL"), FMT("\"%d\", REC->x == (-1) ? 1 : 1") },
	{ FMT("\"%d\", REC->x & ~(WIDE|MODE_REL)"), FMT("\"%d\", REC->x & ~(1099511627776|1)") },
	/* Small letters are a constant in a list alone. */
	{ FMT("\"%s\", __print_symbolic(REC->op, { nvme_write, \"w\" }), (struct page *)nvme_write"),
	  FMT("\"%s\", __print_symbolic(REC->op, { 7, \"w\" }), (struct page *)nvme_write") },
	/* Fields, functions, parts of names and of numbers, texts. */
	{ FMT("\"MODE_REL\", REC->MODE_REL, REC -> MODE_REL, x.MODE_REL, MODE_REL(1), MODE_REL2, 0xMODE_REL"),
	  NULL },
	{ FMT("\"\\\"MODE_REL\", 'M', \"MODE_REL"), NULL },
	{ FMT("\"%d\", TWICE + UNKNOWN"), NULL },
	{ FMT("\"%d\", TWICE + MODE_REL"), FMT("\"%d\", TWICE + 1") },
	{ FMT(""), NULL },
	{ "", NULL },
	{ "print fmt", NULL },
};

TEST_F(enums, names_become_numbers)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		char *text = print_enums_resolve(self->enums, formats[i].format);

		EXPECT_STREQ(formats[i].resolved ?: "as it was", text ?: "as it was");
		free(text);
	}
}

TEST(without_types_there_is_nothing)
{
	EXPECT_EQ(NULL, print_enums_new(NULL));
	print_enums_free(NULL);
}

TEST_HARNESS_MAIN
