// SPDX-License-Identifier: BSD-2-Clause
/* Symbols from the kernel's memory: tables made by hand, in each form that kernels have. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernel_memory.h"
#include "unit.h"
#include "util/base/strbuf.h"
#include "util/kernel/symbols/kallsyms_tables.h"
#include "util/kernel/symbols/module_symbols.h"
#include "util/kernel/symbols/symbols_internal.h"

FIXTURE(memory)
{
	struct kernel_memory memory;
	struct btf *types;
	struct loaded_modules live;
	struct strbuf told;
	int most;	/* then the teller fails; 0: never */
};

FIXTURE_SETUP(memory)
{
	memset(self, 0, sizeof(*self));
	kernel_memory_fill(&self->memory, FROM_PLACES);
	self->types = kernel_memory_types();
	vec_push(&self->live.v, (struct loaded_module){ .name = "mod0", .address = 4096 });
	vec_push(&self->live.v, (struct loaded_module){ .name = "mod1", .address = 8192 });
}

FIXTURE_TEARDOWN(memory)
{
	btf__free(self->types);
	vec_release(&self->live.v);
	strbuf_release(&self->told);
}

static int tell(void *arg, const struct told_symbol *told)
{
	FIXTURE_DATA(memory) *self = arg;

	if (self->most && !--self->most)
		return -E2BIG;
	strbuf_addf(&self->told, "%llx %c %.*s", (unsigned long long)told->addr, told->type,
		    (int)told->name_len, told->name);
	if (told->module)
		strbuf_addf(&self->told, " [%.*s]", (int)told->module_len, told->module);
	strbuf_addstr(&self->told, "\n");
	return 0;
}

static int tell_all(FIXTURE_DATA(memory) *self)
{
	const struct code_source memory = { kernel_memory_read, &self->memory };

	strbuf_reset(&self->told);
	return symbols_tell_from(self->types, &memory, self->memory.vmcoreinfo, &self->live, tell, self);
}

static const char kernel[] =
	"ffffffff81100000 T _stext\n"
	"ffffffff81100000 T _text\n"
	"ffffffff81100100 t __x64_sys_read\n"
	"ffffffff81100200 W the_a_token_of_more_than_16_bytes_a\n"
	"ffffffff81100800 T _etext\n";
static const char modules[] =
	"ffffffffc0000000 t m_first [mod0]\n"
	"ffffffffc0000100 d m_second [mod0]\n"
	"ffffffffc0001000 t m_first [mod1]\n"
	"ffffffffc0001100 d m_second [mod1]\n";

/* Whether all symbols were told, the kernel's and then those of modules. */
static bool all_told(const char *told)
{
	const char *list = strstr(told, " D modules\n");

	return startswith(told, kernel) && list && !strcmp(list + strlen(" D modules\n"), modules);
}

TEST_F(memory, addresses_are_understood_in_each_form)
{
	for (int form = FROM_PLACES; form <= PER_CPU_ABSOLUTE; form++) {
		kernel_memory_fill(&self->memory, form);
		EXPECT_EQ(0, tell_all(self));
		EXPECT_TRUE(all_told(strbuf_str(&self->told)));
	}
	/* A read may end before it has all. */
	self->memory.piece = 7;
	EXPECT_EQ(0, tell_all(self));
	EXPECT_TRUE(all_told(strbuf_str(&self->told)));
}

TEST_F(memory, per_cpu_variables_keep_their_small_addresses)
{
	const struct memory_symbol symbols[] = {
		{ 0, "Afixed_percpu_data" },
		{ 0x1c000, "Apcpu_hot" },
		{ MEMORY_TEXT, "T_stext" },
	};

	kernel_memory_symbols(&self->memory, PER_CPU_ABSOLUTE, symbols, ARRAY_SIZE(symbols));
	self->live.v.len = 0;
	EXPECT_EQ(0, tell_all(self));
	EXPECT_STREQ("0 A fixed_percpu_data\n1c000 A pcpu_hot\nffffffff81100000 T _stext\n",
		     strbuf_str(&self->told));
}

/* The text of a symbol whose name has @len bytes. free() it. */
static char *long_text(size_t len)
{
	char *text = calloc(1, len + 2);

	memset(text, 'n', len + 1);
	text[0] = 't';
	return text;
}

TEST_F(memory, names_are_as_long_as_kernels_allow)
{
	const struct {
		size_t len;
		int err;
	} names[] = { { 127, 0 }, { 300, 0 }, { 510, 0 }, { 511, -EBADMSG }, { 700, -EBADMSG } };

	self->live.v.len = 0;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *text = long_text(names[i].len);
		const struct memory_symbol symbols[] = {
			{ MEMORY_TEXT, "T_stext" },
			{ MEMORY_TEXT + 8, text },
			{ MEMORY_TEXT + 16, "tlast" },
		};

		kernel_memory_symbols(&self->memory, FROM_PLACES, symbols, ARRAY_SIZE(symbols));
		EXPECT_EQ(names[i].err, tell_all(self));
		if (!names[i].err) {
			EXPECT_TRUE(strstr(strbuf_str(&self->told), text + 1));
			EXPECT_TRUE(endswith(strbuf_str(&self->told), " t last\n"));
		}
		free(text);
	}
	/* Of tokens that are long themselves, more than fit. */
	strbuf_reset(&self->told);
	for (int i = 0; i < 20; i++)
		strbuf_addstr(&self->told, i ? memory_tokens[2] : "t");
	{
		char *text = strdup(strbuf_str(&self->told));
		const struct memory_symbol symbols[] = { { MEMORY_TEXT, "T_stext" }, { MEMORY_TEXT, text } };

		kernel_memory_symbols(&self->memory, FROM_PLACES, symbols, ARRAY_SIZE(symbols));
		EXPECT_EQ(-EBADMSG, tell_all(self));
		free(text);
	}
}

TEST_F(memory, every_marker_counts)
{
	struct memory_symbol symbols[600];
	size_t markers = 0;

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		symbols[i] = (struct memory_symbol){ MEMORY_TEXT + i, i ? "tfunction" : "T_stext" };
	self->live.v.len = 0;
	kernel_memory_symbols(&self->memory, FROM_PLACES, symbols, ARRAY_SIZE(symbols));
	EXPECT_EQ(0, tell_all(self));
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		markers += 1 + strlen(symbols[i].text);
	markers = (markers + 3) & ~3ull;
	self->memory.at.names[markers + 8]++;
	EXPECT_EQ(-EBADMSG, tell_all(self));
	EXPECT_STREQ("", strbuf_str(&self->told));
}

TEST_F(memory, tables_that_are_not_proved_tell_nothing)
{
	const struct kernel_memory sound = self->memory;

	/* Another _stext. */
	self->memory.at.offsets[0] += 16;
	EXPECT_EQ(-EBADMSG, tell_all(self));
	EXPECT_STREQ("", strbuf_str(&self->told));
	self->memory = sound;
	/* A name that is longer than it was. */
	self->memory.at.names[0]++;
	EXPECT_EQ(-EBADMSG, tell_all(self));
	EXPECT_STREQ("", strbuf_str(&self->told));
	self->memory = sound;
	self->memory.at.nr++;
	EXPECT_EQ(-EBADMSG, tell_all(self));
	self->memory.at.nr = 0;
	EXPECT_EQ(-EBADMSG, tell_all(self));
	self->memory.at.nr = 1u << 31;
	EXPECT_EQ(-EBADMSG, tell_all(self));
	self->memory = sound;
	self->memory.at.token_index['s'] = 60000;
	EXPECT_EQ(-EBADMSG, tell_all(self));
	EXPECT_STREQ("", strbuf_str(&self->told));
	self->memory = sound;
	/* It ends before the offsets. */
	self->memory.size = (char *)self->memory.at.offsets - (char *)&self->memory.at;
	EXPECT_EQ(-EFAULT, tell_all(self));
}

TEST_F(memory, all_addresses_must_be_known)
{
	static const char *const names[] = { "_stext", "kallsyms_names", "kallsyms_num_syms",
					     "kallsyms_token_table", "kallsyms_token_index",
					     "kallsyms_offsets" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kernel_memory sound = self->memory;
		char *line = strstr(self->memory.vmcoreinfo, names[i]);

		line[0] = 'X';
		EXPECT_EQ(-ENOENT, tell_all(self));
		self->memory = sound;
	}
	/* Tokens before names: no kernel has that. */
	sprintf(self->memory.vmcoreinfo + strlen(self->memory.vmcoreinfo), "SYMBOL(x)=1\n");
	memcpy(strstr(self->memory.vmcoreinfo, "SYMBOL(kallsyms_token_table)=") + 29, "ffffffff80", 10);
	EXPECT_EQ(-EBADMSG, tell_all(self));
}

TEST(symbols_of_vmcoreinfo_are_whole_names)
{
	static const char text[] = "CRASHTIME=1\nSYMBOL(ab)=ff\nSYMBOL(a)=1000\nOFFSET(b)=3\nSYMBOL(z)=0\n";
	uint64_t addr = 0;

	EXPECT_EQ(0, vmcoreinfo_symbol(text, "a", &addr));
	EXPECT_EQ(0x1000, addr);
	EXPECT_EQ(-ENOENT, vmcoreinfo_symbol(text, "b", &addr));
	EXPECT_EQ(-ENOENT, vmcoreinfo_symbol(text, "z", &addr));
	EXPECT_EQ(-ENOENT, vmcoreinfo_symbol("", "a", &addr));
	EXPECT_EQ(0, vmcoreinfo_symbol("SYMBOL(a)=2", "a", &addr));
	EXPECT_EQ(2, addr);
}

TEST(vmcoreinfo_is_found_among_notes)
{
	struct {
		Elf64_Nhdr first;
		char first_name[8], first_text[4];
		Elf64_Nhdr second;
		char second_name[12], second_text[8];
	} notes = {
		{ 5, 3, NT_PRSTATUS }, "CORE", "abc", { 11, 6, 0 }, "VMCOREINFO", "text\n",
	};
	char *text = vmcoreinfo_find((char *)&notes, sizeof(notes));

	EXPECT_STREQ("text\n", text);
	free(text);
	/* Cut short, and of a length that is not there. */
	for (size_t size = 0; size < sizeof(notes) - 2; size++)
		EXPECT_EQ(NULL, vmcoreinfo_find((char *)&notes, size));
	notes.second.n_descsz = ~0u;
	EXPECT_EQ(NULL, vmcoreinfo_find((char *)&notes, sizeof(notes)));
	notes.first.n_namesz = ~0u;
	EXPECT_EQ(NULL, vmcoreinfo_find((char *)&notes, sizeof(notes)));
}

TEST_F(memory, a_module_that_is_being_made_is_left_out)
{
	self->memory.at.module[0].state = 3;
	self->memory.at.module[0].kallsyms = 0;
	/* It is not live yet. */
	self->live.v.data[0] = self->live.v.data[1];
	EXPECT_EQ(0, tell_all(self));
	EXPECT_FALSE(strstr(strbuf_str(&self->told), "[mod0]"));
	EXPECT_TRUE(strstr(strbuf_str(&self->told), "[mod1]"));
}

TEST_F(memory, a_list_without_a_loaded_module_is_wrong)
{
	vec_push(&self->live.v, (struct loaded_module){ .name = "mod2" });
	EXPECT_EQ(-EBADMSG, tell_all(self));
	self->live.v.len = 0;
	EXPECT_EQ(0, tell_all(self));
	/* Loaded since /proc/modules was read. */
	EXPECT_TRUE(all_told(strbuf_str(&self->told)));
}

TEST_F(memory, a_damaged_list_of_modules_ends)
{
	const struct kernel_memory sound = self->memory;

	self->memory.at.module[1].list.next = MEMORY_ADDR(&self->memory, module[0].list);
	EXPECT_EQ(-EBADMSG, tell_all(self));
	self->memory = sound;
	self->memory.at.module[1].list.next = 0;
	EXPECT_EQ(-EFAULT, tell_all(self));
	self->memory = sound;
	memset(self->memory.at.module[1].name, 'm', sizeof(self->memory.at.module[1].name));
	EXPECT_EQ(-EBADMSG, tell_all(self));
	self->memory = sound;
	self->memory.at.kallsyms[0].num_symtab = ~0u;
	EXPECT_EQ(-EBADMSG, tell_all(self));
	self->memory = sound;
	self->memory.at.symbols[0][1].st_name = 0x7fffffff;
	EXPECT_EQ(-EBADMSG, tell_all(self));
	self->memory.at.symbols[0][1].st_name = ~0u;
	EXPECT_EQ(-EBADMSG, tell_all(self));
	self->memory = sound;
	memset(self->memory.at.strings[0], 'n', sizeof(self->memory.at.strings[0]));
	EXPECT_EQ(-EBADMSG, tell_all(self));
}

TEST_F(memory, without_modules_no_types_are_needed)
{
	struct btf *types = self->types;

	self->types = NULL;
	EXPECT_EQ(-ENOENT, tell_all(self));
	self->memory.at.modules.next = MEMORY_ADDR(&self->memory, modules);
	self->live.v.len = 0;
	EXPECT_EQ(0, tell_all(self));
	self->types = types;
}

TEST_F(memory, a_kernel_that_does_not_name_the_list_must_have_no_modules)
{
	kernel_memory_symbols(&self->memory, FROM_PLACES, memory_symbols, ARRAY_SIZE(memory_symbols));
	EXPECT_EQ(-ENOENT, tell_all(self));
	self->live.v.len = 0;
	EXPECT_EQ(0, tell_all(self));
	EXPECT_STREQ(kernel, strbuf_str(&self->told));
}

TEST_F(memory, the_tellers_error_ends_it)
{
	self->most = 3;
	EXPECT_EQ(-E2BIG, tell_all(self));
	self->most = 8;
	EXPECT_EQ(-E2BIG, tell_all(self));
}

static int tell_from(void *arg, symbol_teller teller, void *teller_arg)
{
	FIXTURE_DATA(memory) *self = arg;
	const struct code_source memory = { kernel_memory_read, &self->memory };

	return symbols_tell_from(self->types, &memory, self->memory.vmcoreinfo, &self->live, teller,
				 teller_arg);
}

TEST_F(memory, what_was_told_before_an_error_is_forgotten)
{
	const struct symbol_source twice[] = { { tell_from, self }, { tell_from, self } };
	struct symbols *symbols = NULL;
	const struct symbol *all;
	char path[] = "/tmp/symbols-memory.XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");

	ASSERT_NE(NULL, file);
	fputs("ffffffff81100000 T _stext\nffffffff81100010 t only\nffffffff81100800 T _etext\n", file);
	fclose(file);
	ASSERT_EQ(0, symbols_load_with(twice, 2, path, "/nonexistent/modules", &symbols));
	/* _stext and _text, two functions, and one of each module; _etext is behind the code. */
	EXPECT_EQ(6, symbols_all(symbols, &all));
	symbols_free(symbols);
	/* The kernel's are told, then a module is missing. */
	vec_push(&self->live.v, (struct loaded_module){ .name = "mod2" });
	ASSERT_EQ(0, symbols_load_with(twice, 2, path, "/nonexistent/modules", &symbols));
	ASSERT_EQ(2, symbols_all(symbols, &all));
	EXPECT_STREQ("_stext", all[0].name);
	EXPECT_STREQ("only", all[1].name);
	symbols_free(symbols);
	remove(path);
}

TEST_HARNESS_MAIN
