// SPDX-License-Identifier: BSD-2-Clause
/* Names of BPF programs while these come and go: what the kernel says when it is asked. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#include "util/kernel/symbols/symbol_asker.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/symbols/symbols_internal.h"

#define PROGRAM 0xffffffffc0300000ull
#define TRAMPOLINE 0xffffffffc0400000ull

static const char kallsyms[] = "ffffffff81000000 T _stext\n"
			       "ffffffff81001000 T _etext\n"
			       "ffffffffc0300000 t bpf_prog_1_first\t[bpf]\n"
			       "ffffffffc0400000 t ftrace_trampoline\t[__builtin__ftrace]\n";

/* The kernel, in place of the real one: NULL does not answer. */
static const char *kernel_says;
static unsigned int questions;

void symbol_asker_open(struct symbol_asker *ret_asker)
{
	*ret_asker = (struct symbol_asker)SYMBOL_ASKER_INIT;
}

void symbol_asker_close(struct symbol_asker *asker)
{
}

const char *symbol_ask(const struct symbol_asker *asker, uint64_t addr)
{
	questions++;
	return kernel_says;
}

int symbol_answer_parse(const char *text, struct symbol_answer *ret_answer)
{
	const char *plus = strchr(text, '+');

	*ret_answer = (struct symbol_answer){ .name_len = plus ? plus - text : 0 };
	return plus && sscanf(plus, "+%lx/%lx", &ret_answer->offset, &ret_answer->size) == 2 ? 0 : -EBADMSG;
}

FIXTURE(asked)
{
	char path[40];
	struct symbols *symbols;
	struct symbolizer *symbolizer;
};

FIXTURE_SETUP(asked)
{
	const struct symbolizer_options options = { .level = SYMBOLIZE_NONE, .live = true };
	FILE *file;

	strcpy(self->path, "/tmp/retsnoop-kallsyms-XXXXXX");
	file = fdopen(mkstemp(self->path), "w");
	ASSERT_NE(NULL, file);
	fputs(kallsyms, file);
	fclose(file);
	ASSERT_EQ(0, symbols_load_kallsyms_from(self->path, "/nonexistent", &self->symbols));
	ASSERT_EQ(0, symbolizer_new(self->symbols, &options, &self->symbolizer));
	kernel_says = NULL;
	questions = 0;
}

FIXTURE_TEARDOWN(asked)
{
	symbolizer_free(self->symbolizer);
	symbols_free(self->symbols);
	unlink(self->path);
}

static const char *name_at(FIXTURE_DATA(asked) *self, uint64_t addr)
{
	const struct symbol *symbol = symbolizer_symbol(self->symbolizer, addr);

	return symbol ? symbol->name : "(none)";
}

TEST_F(asked, a_program_that_took_anothers_place_has_its_own_name)
{
	const struct symbol *first, *second;

	kernel_says = "bpf_prog_1_first+0x10/0x40";
	EXPECT_STREQ("bpf_prog_1_first", name_at(self, PROGRAM + 0x10));
	kernel_says = "bpf_prog_2_second+0x10/0x40";
	first = symbols_at(self->symbols, PROGRAM + 0x10);
	EXPECT_STREQ("bpf_prog_2_second", name_at(self, PROGRAM + 0x10));
	second = symbols_at(self->symbols, PROGRAM + 0x10);
	EXPECT_STREQ("bpf_prog_2_second", second->name);
	/* It need not begin where the other one did. */
	kernel_says = "bpf_prog_3_third+0x8/0x80";
	EXPECT_STREQ("bpf_prog_3_third", name_at(self, PROGRAM + 0x28));
	EXPECT_EQ(PROGRAM + 0x20, symbols_at(self->symbols, PROGRAM + 0x30)->addr);
	EXPECT_STREQ("bpf_prog_3_third", symbols_at(self->symbols, PROGRAM + 0x30)->name);
	/* What was shown before stays as it was. */
	EXPECT_STREQ("bpf_prog_1_first", first->name);
	EXPECT_STREQ("bpf_prog_2_second", second->name);
}

TEST_F(asked, also_after_all_symbols_were_read_again)
{
	/* An address in no symbol makes that happen. */
	EXPECT_STREQ("(none)", name_at(self, PROGRAM + 0x200000));
	kernel_says = "bpf_prog_2_second+0x10/0x40";
	EXPECT_STREQ("bpf_prog_2_second", name_at(self, PROGRAM + 0x10));
	kernel_says = "bpf_trampoline_7+0x10/0x1000";
	EXPECT_STREQ("bpf_trampoline_7", name_at(self, TRAMPOLINE + 0x10));
}

TEST_F(asked, a_program_keeps_its_symbol_while_it_is_there)
{
	const struct symbol *symbol;

	kernel_says = "bpf_prog_1_first+0x10/0x40";
	EXPECT_EQ(symbols_at(self->symbols, PROGRAM), symbolizer_symbol(self->symbolizer, PROGRAM + 0x10));
	kernel_says = "bpf_prog_2_second+0x10/0x40";
	symbol = symbolizer_symbol(self->symbolizer, PROGRAM + 0x10);
	kernel_says = "bpf_prog_2_second+0x18/0x40";
	EXPECT_EQ(symbol, symbolizer_symbol(self->symbolizer, PROGRAM + 0x18));
}

TEST_F(asked, a_program_that_is_gone_keeps_its_name)
{
	kernel_says = "bpf_prog_2_second+0x10/0x40";
	EXPECT_STREQ("bpf_prog_2_second", name_at(self, PROGRAM + 0x10));
	symbols_refresh(self->symbols);
	kernel_says = "0xffffffffc0300010";
	EXPECT_STREQ("bpf_prog_1_first", name_at(self, PROGRAM + 0x10));
	kernel_says = "bpf_prog_2_second+0x10/0x40";
	EXPECT_STREQ("bpf_prog_2_second", name_at(self, PROGRAM + 0x10));
	kernel_says = "0xffffffffc0300010";
	EXPECT_STREQ("bpf_prog_2_second", name_at(self, PROGRAM + 0x10));
	kernel_says = NULL;
	EXPECT_STREQ("bpf_prog_2_second", name_at(self, PROGRAM + 0x10));
}

TEST_F(asked, the_kernels_own_functions_stay_where_they_are)
{
	EXPECT_STREQ("_stext", name_at(self, 0xffffffff81000010));
	EXPECT_EQ(0, questions);
}

TEST_HARNESS_MAIN
