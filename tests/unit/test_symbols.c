// SPDX-License-Identifier: BSD-2-Clause
/* The symbol table: reading kallsyms, bounds, aliases, names, taking in what is new. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/kernel_fixture.h"
#include "tests/unit/unit.h"
#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/modules.h"
#include "util/kernel/symbols/recorded_kernel.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/symbols/symbols_internal.h"
#include "util/kernel/types/symbol_variant.h"

static const char kernel[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T startup_64\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000100 t local.isra.0\n"
	"ffffffff81000100 t local_alias\n"
	"ffffffff81000180 t __do_sys_getppid\n"
	"ffffffff81000180 T __ia32_sys_getppid\n"
	"ffffffff81000180 t __se_sys_getppid\n"
	"ffffffff81000180 T __x64_sys_getppid\n"
	"ffffffff810001c0 T __pi_strcmp\n"
	"ffffffff810001c0 W strcmp\n"
	"ffffffff81000200 W weak_one\n"
	"ffffffff81000240 t init_once\n"
	"ffffffff81000280 t init_once\n"
	"ffffffff810002c0 t last_function\n"
	"ffffffff81001000 T _etext\n"
	"ffffffff81001008 t __bpf_trace_tp_map_data\n"
	"ffffffff82000000 D some_data\n"
	"ffffffff83000000 T _sinittext\n"
	"ffffffff83000000 D __init_begin\n"
	"ffffffff83000010 t init_function\n"
	"ffffffff83000100 T _einittext\n";

static const char module_lines[] =
	"ffffffffc0002000 d module_data\t[nf_tables]\n"
	"ffffffffc0001040 t second\t[nf_tables]\n"
	"ffffffffc0001000 t first\t[nf_tables]\n"
	"ffffffffc0009f80 t alone\t[dummy]\n"
	"ffffffffc0009f80 T init_module\t[dummy]\n"
	"ffffffffc0200000 t ftrace_trampoline\t[__builtin__ftrace]\n"
	"ffffffffc0300f00 T freed_init\t[dummy]\n"
	"ffffffffc0300f00 t bpf_prog_6deef7357e7b4530\t[bpf]\n";

static const char modules[] = "nf_tables 8192 1 - Live 0xffffffffc0001000\n"
			      "dummy 16384 0 - Live 0x0000000000000000\n";

FIXTURE(symbols)
{
	char kallsyms[64], modules[64];
	struct symbols *symbols;
};

static void write_file(const char *path, const char *one, const char *two)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(one, file) < 0 || fputs(two, file) < 0 || fclose(file))
		abort();
}

FIXTURE_SETUP(symbols)
{
	strcpy(self->kallsyms, "/tmp/retsnoop-kallsyms-XXXXXX");
	strcpy(self->modules, "/tmp/retsnoop-modules-XXXXXX");
	close(mkstemp(self->kallsyms));
	close(mkstemp(self->modules));
	write_file(self->kallsyms, kernel, module_lines);
	write_file(self->modules, modules, "");
	self->symbols = NULL;
	ASSERT_EQ(0, symbols_load_kallsyms_from(self->kallsyms, self->modules, &self->symbols));
}

FIXTURE_TEARDOWN(symbols)
{
	symbols_free(self->symbols);
	unlink(self->kallsyms);
	unlink(self->modules);
}

#define EXPECT_AT(addr, expected)                                                                  \
	do {                                                                                       \
		const struct symbol *found_ = symbols_at(self->symbols, addr);                     \
		EXPECT_STREQ(expected, found_ ? found_->name : "(none)");                          \
	} while (0)

TEST_F(symbols, an_address_is_in_the_symbol_before_it)
{
	EXPECT_AT(0xffffffff81000200, "weak_one");
	EXPECT_AT(0xffffffff8100023f, "weak_one");
	EXPECT_AT(0xffffffff81000240, "init_once");
	EXPECT_AT(0xffffffff83000020, "init_function");
}

TEST_F(symbols, nothing_is_found_outside_of_symbols)
{
	EXPECT_AT(0, "(none)");
	EXPECT_AT(0xffffffff80ffffff, "(none)");
	EXPECT_AT(UINT64_MAX, "(none)");
}

TEST_F(symbols, the_last_function_ends_where_text_ends)
{
	EXPECT_AT(0xffffffff81000fff, "last_function");
	EXPECT_AT(0xffffffff81001000, "(none)");
	EXPECT_AT(0xffffffff81f00000, "(none)");
	EXPECT_AT(0xffffffff830000ff, "init_function");
	EXPECT_AT(0xffffffff83000200, "(none)");
}

TEST_F(symbols, data_with_the_type_of_code_is_left_out)
{
	const struct symbol *const *named;

	EXPECT_EQ(0, symbols_named(self->symbols, "__bpf_trace_tp_map_data", &named));
	EXPECT_EQ(0, symbols_named(self->symbols, "some_data", &named));
	EXPECT_AT(0xffffffff81001008, "(none)");
}

TEST_F(symbols, modules_end_with_their_data_or_their_extent)
{
	EXPECT_AT(0xffffffffc0001000, "first");
	EXPECT_AT(0xffffffffc0001041, "second");
	/* Up to the module's data, not beyond. */
	EXPECT_AT(0xffffffffc0001fff, "second");
	EXPECT_AT(0xffffffffc0002000, "(none)");
	EXPECT_STREQ("nf_tables", symbols_at(self->symbols, 0xffffffffc0001000)->module);
	EXPECT_TRUE(symbols_have_module(self->symbols, "nf_tables"));
	EXPECT_FALSE(symbols_have_module(self->symbols, "nf_table"));
	EXPECT_FALSE(symbols_have_module(self->symbols, "vmlinux"));
}

TEST_F(symbols, a_module_of_unknown_extent_ends_with_its_page)
{
	EXPECT_AT(0xffffffffc0009fff, "alone");
	EXPECT_AT(0xffffffffc000a000, "(none)");
}

TEST_F(symbols, made_code_is_kept_and_bound)
{
	EXPECT_STREQ("ftrace", symbols_at(self->symbols, 0xffffffffc0200010)->module);
	EXPECT_AT(0xffffffffc0201000, "(none)");
	EXPECT_STREQ("bpf", symbols_at(self->symbols, 0xffffffffc0301f00)->module);
	EXPECT_AT(0xffffffffc0400000, "(none)");
}

TEST_F(symbols, the_known_name_wins_over_its_aliases)
{
	EXPECT_AT(0xffffffff81000010, "startup_64");
	EXPECT_AT(0xffffffff81000110, "local_alias");
	EXPECT_AT(0xffffffff81000190, "__x64_sys_getppid");
	EXPECT_AT(0xffffffff810001c0, "strcmp");
	EXPECT_AT(0xffffffffc0009f90, "alone");
	/* What tracing kept of a freed function is not what is there now. */
	EXPECT_AT(0xffffffffc0300f00 + 0x10, "bpf_prog_6deef7357e7b4530");
}

TEST_F(symbols, aliases_are_a_run_in_order_of_name)
{
	const struct symbol *first;

	ASSERT_EQ(4, symbols_aliases(self->symbols, 0xffffffff81000180, &first));
	EXPECT_STREQ("__do_sys_getppid", first[0].name);
	EXPECT_STREQ("__ia32_sys_getppid", first[1].name);
	EXPECT_STREQ("__se_sys_getppid", first[2].name);
	EXPECT_STREQ("__x64_sys_getppid", first[3].name);
	EXPECT_EQ(0, symbols_aliases(self->symbols, 0xffffffff81000181, &first));
}

TEST_F(symbols, every_function_of_a_name_is_found)
{
	const struct symbol *const *named;

	ASSERT_EQ(2, symbols_named(self->symbols, "init_once", &named));
	EXPECT_EQ(0xffffffff81000240, named[0]->addr);
	EXPECT_EQ(0xffffffff81000280, named[1]->addr);
	EXPECT_EQ(0, symbols_named(self->symbols, "init_onc", &named));
	EXPECT_EQ(0, symbols_named(self->symbols, "", &named));
}

TEST_F(symbols, names_are_found_again_after_they_were_forgotten)
{
	const struct symbol *const *named;

	symbols_forget_names(self->symbols);
	ASSERT_EQ(2, symbols_named(self->symbols, "init_once", &named));
	symbols_forget_names(self->symbols);
	ASSERT_EQ(2, symbols_named(self->symbols, "init_once", &named));
	EXPECT_EQ(0xffffffff81000240, named[0]->addr);
	EXPECT_EQ(0xffffffff81000280, named[1]->addr);
}

TEST_F(symbols, all_are_in_order)
{
	const struct symbol *all;
	size_t nr = symbols_all(self->symbols, &all);

	ASSERT_LT(10, nr);
	for (size_t i = 1; i < nr; i++)
		EXPECT_LE(all[i - 1].addr, all[i].addr);
}

TEST_F(symbols, refresh_takes_in_what_is_new_and_keeps_old_pointers)
{
	const struct symbol *old = symbols_at(self->symbols, 0xffffffff81000200);
	const struct symbol *const *named;

	ASSERT_EQ(0, symbols_refresh(self->symbols));
	EXPECT_EQ(old, symbols_at(self->symbols, 0xffffffff81000200));
	EXPECT_EQ(0, symbols_retired_bytes(self->symbols));

	write_file(self->kallsyms, kernel,
		   "ffffffffc0001000 t first\t[nf_tables]\n"
		   "ffffffffc0400000 t bpf_trampoline_6442\t[bpf]\n");
	ASSERT_EQ(0, symbols_refresh(self->symbols));
	EXPECT_AT(0xffffffffc0400010, "bpf_trampoline_6442");
	EXPECT_EQ(1, symbols_named(self->symbols, "bpf_trampoline_6442", &named));
	EXPECT_STREQ("weak_one", old->name);
	EXPECT_LT(0, symbols_retired_bytes(self->symbols));
	/* What is gone is still known: events from before may name it. */
	EXPECT_AT(0xffffffffc0009f90, "alone");
}

TEST(the_size_that_the_kernel_prints_fits_best_if_it_reaches_the_next_symbol)
{
	const struct symbol added[] = {
		{ .addr = 0x1000, .size = 0x1d, .name = "dup", .type = 't' },
		{ .addr = 0x1020, .size = 0x45, .name = "dup", .type = 't' },
		{ .addr = 0x1070, .size = 0x10, .name = "last", .type = 't' },
	};
	struct symbols *symbols = symbols_new();
	const struct symbol *all;

	ASSERT_NE(NULL, symbols);
	ASSERT_EQ(0, symbols_add(symbols, added, 3));
	ASSERT_EQ(3, symbols_all(symbols, &all));
	EXPECT_LT(symbols_size_fit(symbols, all, 0x50), symbols_size_fit(symbols, all + 1, 0x50));
	EXPECT_LT(symbols_size_fit(symbols, all, 0x45), symbols_size_fit(symbols, all + 1, 0x45));
	EXPECT_LT(symbols_size_fit(symbols, all, 0x1d), symbols_size_fit(symbols, all, 0x20));
	EXPECT_EQ(symbols_size_fit(symbols, all, 0x4f), symbols_size_fit(symbols, all + 1, 0x4f));
	EXPECT_LT(0, symbols_size_fit(symbols, all + 2, 0x10));
	EXPECT_LT(0, symbols_size_fit(symbols, all + 2, 0x4f));
	EXPECT_EQ(0, symbols_size_fit(symbols, all + 2, 0x50));
	EXPECT_EQ(0, symbols_size_fit(symbols, all + 1, 0x20));
	symbols_free(symbols);
}

TEST(symbols_that_a_recording_adds_replace_what_was_looked_up)
{
	const struct symbol first = { .addr = 0xffffffff81000000, .size = 0x100, .name = "first", .type = 'T' };
	const struct symbol second = { .addr = 0xffffffff81000200, .size = 0x100, .name = "second", .type = 'T' };
	struct recorded_kernel kernel = {};
	const struct symbolizer_options options = { .level = SYMBOLIZE_NONE, .recorded = &kernel };
	struct symbols *symbols = symbols_new();
	struct symbolizer *symbolizer;
	struct symbolized found;

	ASSERT_NE(NULL, symbols);
	ASSERT_EQ(0, symbols_add(symbols, &first, 1));
	ASSERT_EQ(0, symbolizer_new(symbols, &options, &symbolizer));
	for (int i = 0; i < 2; i++) {
		symbolizer_lookup(symbolizer, 0xffffffff81000010, false, &found);
		ASSERT_NE(NULL, found.symbol);
		EXPECT_STREQ("first", found.symbol->name);
		ASSERT_EQ(0, symbols_add(symbols, &second, 1));
	}
	symbolizer_free(symbolizer);
	symbols_free(symbols);
}

/* Values of programs are looked up, too, in case that they are addresses: 1 is none. */
TEST_F(symbols, what_cannot_be_code_is_no_reason_to_read_symbols_again)
{
	const struct symbolizer_options options = { .level = SYMBOLIZE_NONE, .live = true };
	struct symbolizer *symbolizer;

	ASSERT_EQ(0, symbolizer_new(self->symbols, &options, &symbolizer));
	write_file(self->kallsyms, kernel, "ffffffffc0400000 t bpf_trampoline_6442\t[bpf]\n");
	EXPECT_EQ(NULL, symbolizer_symbol(symbolizer, 0));
	EXPECT_EQ(NULL, symbolizer_symbol(symbolizer, 1));
	EXPECT_EQ(NULL, symbolizer_symbol(symbolizer, arch_native->code_from - 1));
	EXPECT_AT(0xffffffffc0400010, "(none)");
	EXPECT_STREQ("bpf_trampoline_6442", symbolizer_symbol(symbolizer, 0xffffffffc0400010)->name);
	symbolizer_free(symbolizer);
}

TEST_F(symbols, a_trampoline_of_bpf_goes_on_in_the_next_page)
{
	write_file(self->kallsyms, kernel,
		   "ffffffffc0400fc0 t bpf_trampoline_6442\t[bpf]\n"
		   "ffffffffc0500fc0 t ftrace_trampoline\t[__builtin__ftrace]\n");
	ASSERT_EQ(0, symbols_refresh(self->symbols));
	EXPECT_AT(0xffffffffc0401040, "bpf_trampoline_6442");
	EXPECT_AT(0xffffffffc0401fc0, "(none)");
	EXPECT_AT(0xffffffffc0501000, "(none)");
}

TEST_F(symbols, refresh_drops_what_something_new_has_replaced)
{
	write_file(self->kallsyms, kernel, "ffffffffc0009f00 t newcomer\t[other]\n");
	ASSERT_EQ(0, symbols_refresh(self->symbols));
	EXPECT_AT(0xffffffffc0009f90, "newcomer");
}

TEST_F(symbols, refresh_knows_another_module_by_the_same_names)
{
	write_file(self->kallsyms, kernel, "ffffffffc0700000 t init_one\t[first]\n");
	ASSERT_EQ(0, symbols_refresh(self->symbols));
	EXPECT_STREQ("first", symbols_at(self->symbols, 0xffffffffc0700000)->module);
	write_file(self->kallsyms, kernel, "ffffffffc0700000 t init_one\t[second]\n");
	ASSERT_EQ(0, symbols_refresh(self->symbols));
	EXPECT_STREQ("second", symbols_at(self->symbols, 0xffffffffc0700000)->module);
}

TEST_F(symbols, refresh_of_hidden_addresses_changes_nothing)
{
	write_file(self->kallsyms, "0000000000000000 T _stext\n", "");
	free(stderr_of(EXPECT_EQ(-EPERM, symbols_refresh(self->symbols))));
	EXPECT_AT(0xffffffff81000200, "weak_one");
}

static int load_text(const char *text, struct symbols **ret)
{
	char path[] = "/tmp/retsnoop-kallsyms-XXXXXX";
	int err;

	close(mkstemp(path));
	write_file(path, text, "");
	err = symbols_load_kallsyms_from(path, "/nonexistent", ret);
	unlink(path);
	return err;
}

TEST(the_preempt_count_is_a_variable_or_the_second_member_of_one)
{
	const struct {
		const char *lines;
		uint64_t preempt_count;
	} kernels[] = {
		{ "0000000000021380 A __preempt_count\n", 0x21380 },
		{ "0000000000035400 A pcpu_hot\n", 0x35408 },
		/* No kernel has both; then the name that says so counts. */
		{ "0000000000035400 A pcpu_hot\n0000000000021380 A __preempt_count\n", 0x21380 },
		{ "0000000000035400 A pcpu_cold\n", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		uint64_t offsets, preempt_count;
		struct symbols *symbols = NULL;
		char text[512];

		snprintf(text, sizeof(text), "ffffffff81000000 T _stext\nffffffff82000100 R __per_cpu_offset\n%s",
			 kernels[i].lines);
		ASSERT_EQ(0, load_text(text, &symbols));
		symbols_per_cpu(symbols, &offsets, &preempt_count);
		EXPECT_EQ(0xffffffff82000100, offsets);
		EXPECT_EQ(kernels[i].preempt_count, preempt_count);
		symbols_free(symbols);
	}
}

/* What the kernel's iterator hands out of a symbol; see util/kernel/symbols/symbols_iterator.c. */
static void put_iterated(FILE *file, uint64_t addr, char type, const char *name, const char *module)
{
	const uint16_t name_len = strlen(name) + 1;
	const uint32_t len = name_len + (*module ? strlen(module) + 1 : 0);
	const uint8_t in_module = *module;

	fwrite(&addr, sizeof(addr), 1, file);
	fwrite(&type, 1, 1, file);
	fwrite(&in_module, 1, 1, file);
	fwrite(&name_len, sizeof(name_len), 1, file);
	fwrite(&len, sizeof(len), 1, file);
	fwrite(name, name_len, 1, file);
	if (*module)
		fwrite(module, strlen(module) + 1, 1, file);
}

/* The lines of @text as the iterator has them, the last one twice, as kernels do. A descriptor. */
static int iterated(const char *text)
{
	FILE *file = tmpfile();
	char name[64] = "", module[64], type = 0;
	unsigned long long addr = 0;
	int fd;

	while (*text) {
		module[0] = '\0';
		if (sscanf(text, "%llx %c %63s\t[%63[^]]]", &addr, &type, name, module) < 3)
			abort();
		put_iterated(file, addr, type, name, module);
		text = strchr(text, '\n') + 1;
	}
	put_iterated(file, addr, type, name, "__builtin__kprobes");
	fflush(file);
	fd = dup(fileno(file));
	fclose(file);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static bool same_symbols(const struct symbols *a, const struct symbols *b)
{
	const struct symbol *of_a = NULL, *of_b = NULL;
	size_t nr = symbols_all(a, &of_a);

	if (symbols_all(b, &of_b) != nr)
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (of_a[i].addr != of_b[i].addr || of_a[i].size != of_b[i].size ||
		    of_a[i].type != of_b[i].type || strcmp(of_a[i].name, of_b[i].name) ||
		    strcmp(of_a[i].module ?: "", of_b[i].module ?: ""))
			return false;
	}
	return true;
}

TEST_F(symbols, an_iterator_tells_the_same)
{
	char text[sizeof(kernel) + sizeof(module_lines)];
	struct symbols *told = NULL;
	struct symbol_source source;
	int fd;

	strcat(strcpy(text, kernel), module_lines);
	fd = iterated(text);
	source = symbols_iterator_source(&fd);
	/* The text is not there: nothing else can have told. */
	ASSERT_EQ(0, symbols_load_with(&source, 1, "/nonexistent/kallsyms", self->modules, &told));
	EXPECT_TRUE(same_symbols(self->symbols, told));
	symbols_free(told);
	close(fd);
}

TEST_F(symbols, where_an_iterator_fails_the_text_is_read)
{
	/* It ends within a symbol; its lengths are wrong; nothing comes. */
	const off_t ends[] = { 200, -1, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		struct symbols *told = NULL;
		int fd = iterated(kernel), none = -1;
		const struct symbol_source sources[] = {
			symbols_iterator_source(&fd),
			symbols_iterator_source(&none),
		};

		if (ends[i] >= 0) {
			ASSERT_EQ(0, ftruncate(fd, ends[i]));
		} else {
			ASSERT_EQ(2, pwrite(fd, "\xff\xff", 2, 10));
		}
		ASSERT_EQ(0, symbols_load_with(sources, ARRAY_SIZE(sources), self->kallsyms, self->modules, &told));
		EXPECT_TRUE(same_symbols(self->symbols, told));
		symbols_free(told);
		close(fd);
	}
}

TEST(hidden_addresses_are_said)
{
	struct symbols *symbols = NULL;
	char *said = stderr_of(EXPECT_EQ(-EPERM, load_text("0000000000000000 T _stext\n"
							   "0000000000000000 t foo\t[bar]\n",
							   &symbols)));

	/* What helps depends on the machine. */
	EXPECT_TRUE(strstr(said, "run as root, or with CAP_SYSLOG") ||
		    strstr(said, "sysctl -w kernel.kptr_restrict=1"))
	{
		TH_LOG("%s", said);
	}
	free(said);
}

TEST(a_missing_file_is_said)
{
	struct symbols *symbols = NULL;
	char *said = stderr_of(
		EXPECT_EQ(-ENODATA, symbols_load_kallsyms_from("/nonexistent/kallsyms",
							       "/nonexistent", &symbols)));

	EXPECT_NE(NULL, strstr(said, "/nonexistent/kallsyms"));
	free(said);
}

TEST(no_symbols_is_an_error)
{
	struct symbols *symbols = NULL;

	free(stderr_of(EXPECT_EQ(-ENODATA, load_text("", &symbols))));
	free(stderr_of(EXPECT_EQ(-ENODATA, load_text("what is this\n\n\n", &symbols))));
}

TEST(odd_lines_are_skipped)
{
	struct symbols *symbols = NULL;

	ASSERT_EQ(0, load_text("ffffffff81000000 T\n"
			       "ffffffff81000000  \n"
			       "xyz T nothex\n"
			       " T noaddr\n"
			       "ffffffff81000010 T good\n"
			       "ffffffff81000020 T in_module\t[\n"
			       "ffffffff81000030 T no_newline",
			       &symbols));
	EXPECT_STREQ("good", symbols_at(symbols, 0xffffffff81000010)->name);
	EXPECT_STREQ("no_newline", symbols_at(symbols, 0xffffffff81000030)->name);
	symbols_free(symbols);
}

TEST(lines_longer_than_the_buffer_do_not_hurt)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct symbols *symbols = NULL;

	strbuf_addstr(&text, "ffffffff81000010 T first\nffffffff81000020 T ");
	strbuf_pad(&text, 600000, 'x');
	strbuf_addstr(&text, "\nffffffff81000030 T third\n");
	ASSERT_EQ(0, load_text(strbuf_str(&text), &symbols));
	EXPECT_STREQ("first", symbols_at(symbols, 0xffffffff81000010)->name);
	EXPECT_STREQ("third", symbols_at(symbols, 0xffffffff81000030)->name);
	symbols_free(symbols);
}

TEST(many_symbols_across_reads_come_out_whole)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct symbols *symbols = NULL;
	const struct symbol *const *named;
	char name[32];
	int wrong = 0;

	for (int i = 0; i < 50000; i++)
		strbuf_addf(&text, "%016llx t function_%d\n",
			    0xffffffff81000000ull + (i * 7919 % 50000) * 16, i);
	ASSERT_EQ(0, load_text(strbuf_str(&text), &symbols));
	for (int i = 0; i < 50000; i++) {
		uint64_t addr = 0xffffffff81000000ull + (i * 7919 % 50000) * 16;

		snprintf(name, sizeof(name), "function_%d", i);
		wrong += symbols_named(symbols, name, &named) != 1 || named[0]->addr != addr ||
			 symbols_at(symbols, addr + 15 * (i % 50000 != 49999)) != named[0];
	}
	/* The one with the highest address has nothing behind it to bound it. */
	EXPECT_GE(1, wrong);
	symbols_free(symbols);
}

TEST(addresses_far_apart_are_sorted_too)
{
	struct symbols *symbols = NULL;
	const struct symbol *all;

	ASSERT_EQ(0, load_text("ffffffff81000000 T high\n"
			       "0000000000001000 T low\n"
			       "ffff800008000000 T middle\n", &symbols));
	ASSERT_EQ(3, symbols_all(symbols, &all));
	EXPECT_STREQ("low", all[0].name);
	EXPECT_STREQ("middle", all[1].name);
	EXPECT_STREQ("high", all[2].name);
	symbols_free(symbols);
}

TEST(a_modules_symbols_take_their_places_among_the_kernels)
{
	struct symbols *symbols = NULL;
	const struct symbol *all;

	ASSERT_EQ(0, load_text("ffffffff81000000 T _stext\n"
			       "ffffffff81000100 T second\n"
			       "ffffffff81000300 T third\n"
			       "ffffffff81000400 T _etext\n"
			       "ffffffffc0000200 t above\t[m]\n"
			       "ffffffff80000000 t below\t[m]\n"
			       "ffffffff81000200 t among\t[n]\n"
			       "ffffffff81000100 t alias\t[n]\n"
			       "ffffffff80000000 t alike\t[m]\n", &symbols));
	ASSERT_EQ(8, symbols_all(symbols, &all));
	EXPECT_STREQ("alike", all[0].name);
	EXPECT_STREQ("below", all[1].name);
	EXPECT_STREQ("_stext", all[2].name);
	EXPECT_STREQ("alias", all[3].name);
	EXPECT_STREQ("second", all[4].name);
	EXPECT_STREQ("among", all[5].name);
	EXPECT_STREQ("third", all[6].name);
	EXPECT_STREQ("above", all[7].name);
	EXPECT_STREQ("m", all[7].module);
	symbols_free(symbols);
}

TEST(marks_for_the_linker_in_modules_are_no_functions)
{
	struct symbols *symbols = NULL;
	const struct symbol *all;

	ASSERT_EQ(0, load_text("ffffffff81000000 T _stext\n"
			       "ffffffff81000100 T $kernels\n"
			       "ffffffff81000400 T _etext\n"
			       "ffffffffc0000000 t $xrv64i2p1_m2p0\t[m]\n"
			       "ffffffffc0000000 t first\t[m]\n"
			       "ffffffffc0000010 t .L12\t[m]\n"
			       "ffffffffc0000018 t L0\x01\t[m]\n"
			       "ffffffffc0000020 t $x.7\t[m]\n"
			       "ffffffffc0000030 d $d\t[m]\n"
			       "ffffffffc0000040 t L\t[m]\n"
			       "ffffffffc0000050 t Last\t[m]\n", &symbols));
	ASSERT_EQ(5, symbols_all(symbols, &all));
	EXPECT_STREQ("$kernels", all[1].name);
	EXPECT_STREQ("first", all[2].name);
	EXPECT_EQ(0x40, all[2].size);
	EXPECT_STREQ("first", symbols_at(symbols, 0xffffffffc0000038)->name);
	EXPECT_STREQ("L", all[3].name);
	EXPECT_STREQ("Last", all[4].name);
	symbols_free(symbols);
}

TEST(a_program_has_symbols)
{
	struct symbols *symbols = NULL;
	const struct symbol *const *named;

	ASSERT_EQ(0, symbols_load_elf("/proc/self/exe", &symbols));
	ASSERT_EQ(1, symbols_named(symbols, "symbols_load_elf", &named));
	EXPECT_EQ('T', named[0]->type);
	EXPECT_LT(16, named[0]->size);
	EXPECT_EQ(named[0], symbols_at(symbols, named[0]->addr + named[0]->size - 1));
	EXPECT_EQ(0, symbols_named(symbols, "kernel", &named));	/* data */
	EXPECT_EQ(0, symbols_refresh(symbols));
	symbols_free(symbols);
}

TEST(what_is_not_elf_is_said)
{
	struct symbols *symbols = NULL;
	char *said = stderr_of(EXPECT_EQ(-ENOEXEC, symbols_load_elf("/proc/self/maps", &symbols)));

	EXPECT_NE(NULL, strstr(said, "/proc/self/maps is not an ELF file"));
	free(said);
	free(stderr_of(EXPECT_EQ(-ENOENT, symbols_load_elf("/nonexistent", &symbols))));
	free(stderr_of(EXPECT_GT(0, symbols_load_elf("/", &symbols))));
}

TEST(variants_are_told_by_what_is_appended)
{
	EXPECT_EQ(VARIANT_NONE, symbol_variant("foo"));
	EXPECT_EQ(VARIANT_NONE, symbol_variant(".foo"));
	EXPECT_EQ(VARIANT_NONE, symbol_variant(""));
	EXPECT_EQ(VARIANT_RENAMED, symbol_variant("foo.llvm.12345678901234567890"));
	EXPECT_EQ(VARIANT_RENAMED, symbol_variant("foo.lto_priv.0"));
	EXPECT_EQ(VARIANT_CLONE, symbol_variant("foo.constprop.0"));
	EXPECT_EQ(VARIANT_CLONE, symbol_variant("foo.constprop.0.llvm.12"));
	EXPECT_EQ(VARIANT_CHANGED, symbol_variant("foo.isra.0"));
	EXPECT_EQ(VARIANT_CHANGED, symbol_variant("foo.part.0"));
	EXPECT_EQ(VARIANT_CHANGED, symbol_variant("foo.constprop.0.isra.0"));
	EXPECT_EQ(VARIANT_CHANGED, symbol_variant("foo.part.0.constprop.0"));
	EXPECT_EQ(VARIANT_CHANGED, symbol_variant("foo.123"));
	EXPECT_EQ(VARIANT_CHANGED, symbol_variant("foo.llvm."));
	EXPECT_EQ(VARIANT_CHANGED, symbol_variant("foo."));
	EXPECT_EQ(VARIANT_COLD, symbol_variant("foo.cold"));
	EXPECT_EQ(VARIANT_COLD, symbol_variant("foo.isra.0.cold.7"));
}

TEST(modules_are_told_apart_by_their_addresses_where_these_are_known)
{
	struct loaded_module at = { "dummy", 0x1000 }, elsewhere = { "dummy", 0x2000 };
	struct loaded_module hidden = { "dummy", 0 }, other = { "ifb", 0 };
	struct loaded_modules modules = {};

	ASSERT_EQ(0, vec_push(&modules.v, at));
	EXPECT_TRUE(modules_have(&modules, &at));
	EXPECT_FALSE(modules_have(&modules, &elsewhere));
	/* kernel.kptr_restrict was raised meanwhile. */
	EXPECT_TRUE(modules_have(&modules, &hidden));
	EXPECT_FALSE(modules_have(&modules, &other));
	modules.v.data[0] = hidden;
	EXPECT_TRUE(modules_have(&modules, &at));
	vec_release(&modules.v);
}

TEST(a_module_that_was_loaded_again_elsewhere_is_new)
{
	const struct loaded_module same = { "ext4", 0x5000 }, loaded = { "ifb", 0x3000 };
	const struct loaded_module before = { "dummy", 0x1000 }, again = { "dummy", 0x2000 };
	struct loaded_modules then = {}, now = {}, added = {};

	vec_push(&then.v, same);
	vec_push(&then.v, before);
	vec_push(&now.v, again);
	vec_push(&now.v, same);
	vec_push(&now.v, loaded);
	ASSERT_EQ(0, modules_subtract(&now, &then, &added));
	ASSERT_EQ(2, added.v.len);
	EXPECT_EQ(0x2000, added.v.data[0].address);
	EXPECT_STREQ("ifb", added.v.data[1].name);
	vec_release(&then.v);
	vec_release(&now.v);
	vec_release(&added.v);
}

TEST(a_module_that_is_loading_is_listed_and_is_new_when_it_is_live)
{
	static char list[] = "dummy 16384 0 - Live 0xffffffffc0001000\n"
			     "ifb 16384 1 - Loading 0xffffffffc0002000\n"
			     "tun 16384 0 - Unloading 0xffffffffc0003000\n";
	struct loaded_module ifb = { "ifb", 0xffffffffc0002000 }, later = ifb;
	struct loaded_modules modules = {};
	FILE *file = fmemopen(list, strlen(list), "r");

	ASSERT_EQ(0, modules_parse(file, &modules));
	fclose(file);
	ASSERT_EQ(2, modules.v.len);
	EXPECT_STREQ("dummy", modules.v.data[0].name);
	EXPECT_FALSE(modules.v.data[0].loading);
	EXPECT_STREQ("ifb", modules.v.data[1].name);
	EXPECT_TRUE(modules.v.data[1].loading);
	EXPECT_EQ(0xffffffffc0002000, modules.v.data[1].address);
	EXPECT_FALSE(modules_have(&modules, &ifb));
	later.loading = true;
	EXPECT_TRUE(modules_have(&modules, &later));
	/* It has not gone. */
	modules.v.data[1].loading = false;
	EXPECT_TRUE(modules_have(&modules, &later));
	EXPECT_TRUE(modules_have(&modules, &ifb));
	vec_release(&modules.v);
}

TEST(names_are_those_before_link_time_optimisation)
{
	struct symbols *symbols = make_symbols("ffffffff81000000 T _stext\n"
					       "ffffffff81000100 t foo.llvm.1\n"
					       "ffffffff81000200 t foo.llvm.2\n"
					       "ffffffff81000300 T foo\n"
					       "ffffffff81000400 t foo.isra.0\n"
					       "ffffffff81000500 t foo_more.llvm.1\n");
	const struct symbol *const *named = NULL;

	ASSERT_EQ(3, symbols_named(symbols, "foo", &named));
	EXPECT_STREQ("foo", named[0]->name);
	EXPECT_STREQ("foo.llvm.1", named[1]->name);
	EXPECT_STREQ("foo.llvm.2", named[2]->name);
	ASSERT_EQ(1, symbols_named(symbols, "foo.llvm.2", &named));
	EXPECT_EQ(0xffffffff81000200, named[0]->addr);
	EXPECT_EQ(1, symbols_named(symbols, "foo.isra.0", &named));
	EXPECT_EQ(1, symbols_named(symbols, "foo_more", &named));
	EXPECT_EQ(0, symbols_named(symbols, "foo.llvm.3", &named));
	symbols_free(symbols);
}

TEST_HARNESS_MAIN
