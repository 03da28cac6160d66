// SPDX-License-Identifier: BSD-2-Clause
/*
 * Debug info of small programs that are compiled here, in all the forms that kernels come in; and
 * of files that are not what they should be.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "tests/unit/directory.h"
#include "tests/unit/kernel_fixture.h"
#include "tests/unit/unit.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/kernel/debug/debuginfo.h"
#include "util/kernel/debug/debuginfo_find.h"
#include "util/kernel/debug/debuginfo_internal.h"
#include "util/kernel/debug/debuginfo_variable.h"
#include "util/kernel/debug/debuginfod.h"
#include "util/kernel/debug/source_path.h"
#include "util/kernel/elf/elf_file.h"
#include "util/kernel/symbols/recorded_kernel.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/symbols/symbols.h"

static const char bpf_c[] =
	"volatile int sink;\n"
	"#include \"../../include/helper.h\"\n"
	"static inline __attribute__((always_inline)) int middle(int x)\n"
	"{\n"
	"	return helper(x) + 1;\n"	/* line 5 */
	"}\n"
	"__attribute__((noinline)) int outer(int x)\n"
	"{\n"
	"	sink = x;\n"
	"	return middle(x) * 2;\n"	/* line 10 */
	"}\n"
	"int main(void)\n"
	"{\n"
	"	return outer(sink) + other(sink);\n"
	"}\n";

static const char helper_h[] =
	"static inline __attribute__((always_inline)) int helper(int x)\n"
	"{\n"
	"	for (int i = 0; i < x; i++)\n"
	"		sink += 3;\n"		/* line 4 */
	"	return sink;\n"
	"}\n"
	"int other(int x);\n";

static const char crypto_c[] =
	"extern volatile int sink;\n"
	"__attribute__((noinline)) int other(int x)\n"
	"{\n"
	"	return sink * x;\n"
	"}\n";

FIXTURE(debuginfo)
{
	char root[64];
	struct debuginfo *info;
};

static bool have(const char *program)
{
	_cleanup_(free_p) char *line = strf("command -v %s >/dev/null 2>&1", program);

	return !system(line);
}

FIXTURE_SETUP(debuginfo)
{
	self->info = NULL;
	strcpy(self->root, "/tmp/retsnoop-debuginfo-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->root));
	run(self->root, "mkdir -p kernel/bpf lib/crypto include build");
	write_text(self->root, "kernel/bpf/bpf.c", bpf_c);
	write_text(self->root, "include/helper.h", helper_h);
	write_text(self->root, "lib/crypto/other.c", crypto_c);
	/* Unset, or tests would find what a user has fetched. */
	setenv("DEBUGINFOD_CACHE_PATH", "/nonexistent", 1);
	if (!have("cc"))
		SKIP(return, "no C compiler");
}

FIXTURE_TEARDOWN(debuginfo)
{
	debuginfo_free(self->info);
	run("/tmp", self->root[0] ? strcat(strcpy((char[80]){ 0 }, "rm -rf "), self->root) : ":");
}

static int open_at(const char *root, const char *name, struct debuginfo **ret)
{
	_cleanup_(free_p) char *path = strf("%s/%s", root, name);

	return debuginfo_open(path, NULL, ret);
}

/* Compile to "program" with these flags, and open it. */
#define BUILD(flags)                                                                               \
	do {                                                                                       \
		ASSERT_EQ(1, run(self->root, "cc -O2 -fno-stack-protector " flags                  \
				 " -o program kernel/bpf/bpf.c lib/crypto/other.c"));              \
		ASSERT_EQ(0, open_at(self->root, "program", &self->info));                         \
	} while (0)

static const struct symbol *find_function(const char *root, const char *file, const char *name,
					  struct symbols **ret_symbols)
{
	_cleanup_(free_p) char *path = strf("%s/%s", root, file);
	const struct symbol *const *named;

	if (symbols_load_elf(path, ret_symbols) || symbols_named(*ret_symbols, name, &named) != 1)
		abort();
	return named[0];
}

/* Whether some address of a function has this chain: "function:file:line", innermost first. */
static bool has_chain(struct debuginfo *info, const struct symbol *symbol, int nr, ...)
{
	for (uint64_t addr = symbol->addr; addr < symbol->addr + symbol->size; addr++) {
		const struct source_frame *frames;
		va_list args;
		bool same;

		same = debuginfo_lookup(info, addr, &frames) == nr;
		va_start(args, nr);
		for (int i = 0; same && i < nr; i++) {
			_cleanup_(free_p) char *place = strf("%s:%s:%u", frames[i].function,
							     frames[i].file, frames[i].line);

			same = !strcmp(place, va_arg(args, const char *)) &&
			       frames[i].inlined == (i + 1 < nr);
		}
		va_end(args);
		if (same)
			return true;
	}
	return false;
}

static void expect_chain(struct __test_metadata *_metadata, struct debuginfo *info,
			 const char *root)
{
	struct symbols *symbols;
	const struct symbol *outer = find_function(root, "program", "outer", &symbols);
	const struct source_frame *frames;

	EXPECT_EQ(1, has_chain(info, outer, 3, "helper:include/helper.h:4",
			       "middle:kernel/bpf/bpf.c:5", "outer:kernel/bpf/bpf.c:10"));
	EXPECT_EQ(1, debuginfo_lookup(info, outer->addr, &frames));
	EXPECT_STREQ("outer", frames[0].function);
	EXPECT_STREQ("kernel/bpf/bpf.c", frames[0].file);
	EXPECT_EQ(0, frames[0].inlined);
	symbols_free(symbols);
}

TEST_F(debuginfo, inlined_calls_come_innermost_first)
{
	BUILD("-g");
	expect_chain(_metadata, self->info, self->root);
}

TEST_F(debuginfo, dwarf_4_says_the_same)
{
	BUILD("-gdwarf-4");
	expect_chain(_metadata, self->info, self->root);
}

TEST_F(debuginfo, dwarf_3_says_the_same)
{
	BUILD("-gdwarf-3 -gstrict-dwarf");
	expect_chain(_metadata, self->info, self->root);
}

TEST_F(debuginfo, compressed_sections_say_the_same)
{
	BUILD("-g -gz");
	expect_chain(_metadata, self->info, self->root);
}

TEST_F(debuginfo, zstd_sections_say_the_same)
{
	BUILD("-g");
	debuginfo_free(self->info);
	self->info = NULL;
	if (!run(self->root, "objcopy --compress-debug-sections=zstd program"))
		SKIP(return, "objcopy knows no zstd");
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	expect_chain(_metadata, self->info, self->root);
}

TEST_F(debuginfo, sixty_four_bit_dwarf_says_the_same)
{
	if (!run(self->root, "cc -gdwarf64 -c kernel/bpf/bpf.c -o /dev/null"))
		SKIP(return, "the compiler has no -gdwarf64");
	BUILD("-g -gdwarf64");
	expect_chain(_metadata, self->info, self->root);
}

TEST_F(debuginfo, one_unit_for_all_says_the_same)
{
	BUILD("-g -flto -fno-ipa-cp");
	expect_chain(_metadata, self->info, self->root);
}

TEST_F(debuginfo, clang_without_aranges_says_the_same)
{
	if (!have("clang"))
		SKIP(return, "no clang");
	ASSERT_EQ(1, run(self->root, "clang -O2 -fno-unroll-loops -fno-vectorize -g -o program "
				     "kernel/bpf/bpf.c lib/crypto/other.c"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	struct symbols *symbols;
	const struct symbol *outer = find_function(self->root, "program", "outer", &symbols);

	EXPECT_EQ(1, has_chain(self->info, outer, 3, "helper:include/helper.h:3",
			       "middle:kernel/bpf/bpf.c:5", "outer:kernel/bpf/bpf.c:10"));
	symbols_free(symbols);
}

static int collect(void *arg, const char *name, const char *file, uint32_t line, uint64_t addr);

/* clang gives the unit's own file the number 0 in DWARF 5, and 1 before. */
static void expect_own_file(struct __test_metadata *_metadata, FIXTURE_DATA(debuginfo) * self,
			    const char *compiler)
{
	_cleanup_(free_p) char *command =
		strf("%s -O2 -fno-stack-protector -o program kernel/bpf/bpf.c lib/crypto/other.c",
		     compiler);
	_cleanup_(strbuf_release) struct strbuf listed = STRBUF_INIT;
	struct symbols *symbols;
	const struct symbol *other;
	const char *file = NULL;
	uint32_t line = 0;

	ASSERT_EQ(1, run(self->root, command));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	other = find_function(self->root, "program", "other", &symbols);
	EXPECT_EQ(0, debuginfo_function_source(self->info, other->addr, &file, &line));
	EXPECT_STREQ("lib/crypto/other.c", file);
	EXPECT_EQ(2, line);
	symbols_free(symbols);
	EXPECT_EQ(0, debuginfo_source_functions(self->info, "lib/crypto/*.c", collect, &listed));
	EXPECT_STREQ("other@lib/crypto/other.c:2 ", strbuf_str(&listed))
	{
		TH_LOG("%s", compiler);
	}
	debuginfo_free(self->info);
	self->info = NULL;
}

TEST_F(debuginfo, the_units_own_file_may_have_the_number_0)
{
	expect_own_file(_metadata, self, "cc -gdwarf-5");
	expect_own_file(_metadata, self, "cc -gdwarf-4");
	if (!have("clang"))
		SKIP(return, "no clang");
	expect_own_file(_metadata, self, "clang -gdwarf-5");
	expect_own_file(_metadata, self, "clang -gdwarf-4");
}

TEST_F(debuginfo, before_dwarf_5_number_0_is_no_file)
{
	/* Made by the compiler itself, and declared nowhere. */
	static const char source[] =
		".text\n.globl f\nf: ret\n.Lend:\n"
		".section .debug_abbrev,\"\",@progbits\n"
		".byte 1, 0x11, 1, 0x03, 8, 0x11, 1, 0x12, 7, 0, 0\n"
		".byte 2, 0x2e, 0, 0x03, 8, 0x3a, 0x0b, 0x11, 1, 0x12, 7, 0, 0, 0\n"
		".section .debug_info,\"\",@progbits\n"
		".long 2f - 1f\n1: .value 4\n.long 0\n.byte 8\n"
		".byte 1\n.asciz \"f.c\"\n.quad f\n.quad .Lend - f\n"
		".byte 2\n.asciz \"f\"\n.byte 0\n.quad f\n.quad .Lend - f\n.byte 0\n2:\n";
	const char *file = "unset";
	uint32_t line;
	struct symbols *symbols;

	write_text(self->root, "f.s", source);
	ASSERT_EQ(1, run(self->root, "cc -c -o program f.s"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	EXPECT_EQ(-ENOENT,
		  debuginfo_function_source(
			  self->info, find_function(self->root, "program", "f", &symbols)->addr,
			  &file, &line));
	symbols_free(symbols);
}

TEST_F(debuginfo, split_debug_info_has_lines_and_says_what_it_lacks)
{
	static const char *const flags[] = { "-gdwarf-5", "-gdwarf-4" };

	for (int i = 0; i < 2; i++) {
		_cleanup_(free_p) char *command =
			strf("cc -O2 -gsplit-dwarf %s -o program kernel/bpf/bpf.c "
			     "lib/crypto/other.c", flags[i]);
		const struct source_frame *frames;
		struct symbols *symbols;
		const struct symbol *other;

		ASSERT_EQ(1, run(self->root, command));
		ASSERT_EQ(0, open_at(self->root, "program", &self->info));
		EXPECT_EQ(DEBUGINFO_SPLIT, debuginfo_elsewhere(self->info, NULL));
		other = find_function(self->root, "program", "other", &symbols);
		ASSERT_EQ(1, debuginfo_lookup(self->info, other->addr, &frames));
		EXPECT_STREQ("lib/crypto/other.c", frames[0].file);
		EXPECT_EQ(NULL, frames[0].function);
		symbols_free(symbols);
		debuginfo_free(self->info);
		self->info = NULL;
	}
	BUILD("-g");
	EXPECT_EQ(DEBUGINFO_WHOLE, debuginfo_elsewhere(self->info, NULL));
}

TEST_F(debuginfo, shared_debug_info_says_where_the_rest_is)
{
	const char *file = NULL;

	if (!have("dwz"))
		SKIP(return, "no dwz");
	BUILD("-g");
	debuginfo_free(self->info);
	self->info = NULL;
	/* Two files of the same types and functions. */
	ASSERT_EQ(1, run(self->root, "cp program twin && dwz -m common -M common program twin"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	EXPECT_EQ(DEBUGINFO_SHARED, debuginfo_elsewhere(self->info, &file));
	EXPECT_STREQ("common", file);
}

TEST_F(debuginfo, the_warning_names_the_file_and_what_to_do)
{
	_cleanup_(free_p) char *path = strf("%s/program", self->root);
	_cleanup_(free_p) char *log = strf("%s/log", self->root);
	char text[1024] = {};
	int fd, saved = dup(STDERR_FILENO);

	BUILD("-g -gsplit-dwarf");
	fd = open(log, O_RDWR | O_CREAT, 0600);
	dup2(fd, STDERR_FILENO);
	debuginfo_warn_elsewhere(self->info, path);
	dup2(saved, STDERR_FILENO);
	EXPECT_LT(0, pread(fd, text, sizeof(text) - 1, 0));
	EXPECT_NE(NULL, strstr(text, "program has split debug info (.dwo, .dwp)"));
	EXPECT_NE(NULL, strstr(text, "CONFIG_DEBUG_INFO_SPLIT"));
	EXPECT_EQ(text + strlen(text) - 1, strchr(text, '\n'));
	close(fd);
	close(saved);
}

TEST_F(debuginfo, paths_are_relative_to_the_tree_when_built_elsewhere)
{
	struct symbols *symbols;
	const struct symbol *outer;
	const struct source_frame *frames;
	_cleanup_(free_p) char *command =
		strf("cd build && cc -O2 -g -o ../program %s/kernel/bpf/bpf.c ../lib/crypto/other.c",
		     self->root);

	ASSERT_EQ(1, run(self->root, command));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	outer = find_function(self->root, "program", "outer", &symbols);
	ASSERT_LT(0, debuginfo_lookup(self->info, outer->addr, &frames));
	EXPECT_STREQ("kernel/bpf/bpf.c", frames[0].file);
	symbols_free(symbols);
}

TEST_F(debuginfo, a_module_is_relocated)
{
	struct symbols *symbols;
	const struct symbol *outer;

	ASSERT_EQ(1, run(self->root, "cc -O2 -g -c -fno-stack-protector -ffunction-sections "
				     "-o program kernel/bpf/bpf.c"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	outer = find_function(self->root, "program", "outer", &symbols);
	EXPECT_LE(ELF_LAYOUT_BASE, outer->addr);
	expect_chain(_metadata, self->info, self->root);
	symbols_free(symbols);
}

TEST_F(debuginfo, a_module_with_zstd_sections_is_relocated)
{
	ASSERT_EQ(1, run(self->root, "cc -O2 -g -c -fno-stack-protector -ffunction-sections "
				     "-o program kernel/bpf/bpf.c"));
	if (!run(self->root, "objcopy --compress-debug-sections=zstd program"))
		SKIP(return, "objcopy knows no zstd");
	ASSERT_EQ(1, run(self->root, "readelf -t program | grep -q ZSTD"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	expect_chain(_metadata, self->info, self->root);
}

TEST_F(debuginfo, a_packed_module_with_zstd_sections_is_relocated)
{
	ASSERT_EQ(1, run(self->root, "cc -O2 -g -c -fno-stack-protector -o program "
				     "kernel/bpf/bpf.c"));
	if (!run(self->root, "objcopy --compress-debug-sections=zstd program") || !have("zstd"))
		SKIP(return, "no zstd here");
	ASSERT_EQ(1, run(self->root, "zstd -q program -o program.zst"));
	ASSERT_EQ(0, open_at(self->root, "program.zst", &self->info));
	expect_chain(_metadata, self->info, self->root);
}

static int place_outer(void *arg, const char *section, uint64_t *ret_addr)
{
	if (strcmp(section, ".text.outer"))
		return -ENOENT;
	*ret_addr = 0xffffffffc0123000;
	return 0;
}

TEST_F(debuginfo, a_module_sits_where_the_kernel_has_put_it)
{
	const struct section_layout layout = { place_outer, NULL };
	const struct source_frame *frames;
	_cleanup_(free_p) char *path = strf("%s/module.ko", self->root);

	ASSERT_EQ(1, run(self->root, "cc -O2 -g -c -ffunction-sections -o module.ko "
				     "kernel/bpf/bpf.c"));
	ASSERT_EQ(0, debuginfo_open(path, &layout, &self->info));
	ASSERT_EQ(1, debuginfo_lookup(self->info, 0xffffffffc0123000, &frames));
	EXPECT_STREQ("outer", frames[0].function);
	EXPECT_EQ(0, debuginfo_lookup(self->info, 0xffffffffc0122fff, &frames));
}

static void loaded_at(struct recorded_kernel *kernel, const struct build_id *id, uint64_t addr)
{
	struct recorded_module module = { .name = strdup("bpf_test"), .build_id = *id };
	struct recorded_section text = { strdup(".text"), addr }, outer = { strdup(".text.outer"), addr };

	if (vec_push(&module.sections, text) || vec_push(&module.sections, outer) ||
	    vec_push(&kernel->modules, module))
		abort();
}

TEST_F(debuginfo, a_recorded_module_that_was_loaded_again_is_at_its_new_place)
{
	struct symbols *symbols = make_symbols("ffffffff81000000 T _stext\n"
					       "ffffffff81001000 T _etext\n"
					       "ffffffffc0001000 t outer\t[bpf_test]\n"
					       "ffffffffc0002000 t outer\t[bpf_test]\n");
	struct recorded_kernel kernel = { .release = strdup("none") };
	const struct symbolizer_options options = { .level = SYMBOLIZE_AUTO, .recorded = &kernel };
	_cleanup_(free_p) char *cache = strf("%s/cache", self->root), *path = NULL, *command = NULL;
	struct symbolizer *symbolizer;
	struct symbolized found;

	ASSERT_EQ(1, run(self->root, "cc -O2 -g -c -ffunction-sections -o module.o kernel/bpf/bpf.c &&"
				     "ld -r --build-id -o module.ko module.o"));
	ASSERT_EQ(0, open_at(self->root, "module.ko", &self->info));
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	path = debuginfo_cache_path(debuginfo_build_id(self->info));
	command = strf("mkdir -p $(dirname %s) && cp module.ko %s", path, path);
	ASSERT_EQ(1, run(self->root, command));
	loaded_at(&kernel, debuginfo_build_id(self->info), 0xffffffffc0001000);
	ASSERT_EQ(0, symbolizer_new(symbols, &options, &symbolizer));
	symbolizer_lookup(symbolizer, 0xffffffffc0001000, false, &found);
	EXPECT_EQ(1, found.nr_frames);
	loaded_at(&kernel, debuginfo_build_id(self->info), 0xffffffffc0002000);
	symbolizer_lookup(symbolizer, 0xffffffffc0002000, false, &found);
	EXPECT_EQ(1, found.nr_frames);
	symbolizer_free(symbolizer);
	symbols_free(symbols);
	recorded_kernel_release(&kernel);
}

TEST_F(debuginfo, compressed_modules_are_read)
{
	static const char *const ways[][2] = {
		{ "xz", "xz -k program" }, { "zstd", "zstd -q program -o program.zst" },
		{ "gzip", "gzip -k program" },
	};
	static const char *const names[] = { "program.xz", "program.zst", "program.gz" };

	ASSERT_EQ(1, run(self->root, "cc -O2 -g -c -fno-stack-protector -o program "
				     "kernel/bpf/bpf.c"));
	for (int i = 0; i < 3; i++) {
		if (!have(ways[i][0]))
			continue;
		ASSERT_EQ(1, run(self->root, ways[i][1]));
		ASSERT_EQ(0, open_at(self->root, names[i], &self->info))
		{
			TH_LOG("%s", names[i]);
		}
		expect_chain(_metadata, self->info, self->root);
		debuginfo_free(self->info);
		self->info = NULL;
	}
}

TEST_F(debuginfo, statements_are_known_where_they_begin)
{
	struct symbols *symbols;
	const struct symbol *outer;
	const struct source_frame *frames;
	int begins = 0, goes_on = 0;

	BUILD("-g");
	outer = find_function(self->root, "program", "outer", &symbols);
	for (uint64_t addr = outer->addr; addr < outer->addr + outer->size; addr++) {
		ASSERT_LT(0, debuginfo_lookup(self->info, addr, &frames));
		begins += frames[0].statement;
		goes_on += !frames[0].statement;
	}
	ASSERT_LT(0, debuginfo_lookup(self->info, outer->addr, &frames));
	EXPECT_EQ(1, frames[0].statement);
	EXPECT_LT(0, begins);
	EXPECT_LT(0, goes_on);
	symbols_free(symbols);
}

TEST_F(debuginfo, nothing_is_known_outside_of_code)
{
	const struct source_frame *frames;

	BUILD("-g");
	EXPECT_EQ(0, debuginfo_lookup(self->info, 0, &frames));
	EXPECT_EQ(0, debuginfo_lookup(self->info, UINT64_MAX, &frames));
	EXPECT_EQ(0, debuginfo_lookup(self->info, 0xffffffff81000000, &frames));
}

/* Collects "name@file:line " of what is listed. */
static int collect(void *arg, const char *name, const char *file, uint32_t line, uint64_t addr)
{
	strbuf_addf(arg, "%s@%s:%u ", name, file, line);
	return addr ? 0 : -EINVAL;
}

#define EXPECT_LISTED(expected, glob)                                                              \
	do {                                                                                       \
		_cleanup_(strbuf_release) struct strbuf listed_ = STRBUF_INIT;                     \
		EXPECT_EQ(0, debuginfo_source_functions(self->info, glob, collect, &listed_));     \
		EXPECT_STREQ(expected, strbuf_str(&listed_));                                      \
	} while (0)

TEST_F(debuginfo, functions_are_listed_by_source_file)
{
	BUILD("-g");
	EXPECT_LISTED("main@kernel/bpf/bpf.c:12 outer@kernel/bpf/bpf.c:7 ", "kernel/bpf/bpf.c");
	EXPECT_LISTED("other@lib/crypto/other.c:2 ", "lib/crypto/*.c");
	EXPECT_LISTED("other@lib/crypto/other.c:2 ", "lib/");
	EXPECT_LISTED("other@lib/crypto/other.c:2 ", "lib");
	EXPECT_LISTED("other@lib/crypto/other.c:2 ", "*/crypto/");
	EXPECT_LISTED("", "crypto/*.c");
	EXPECT_LISTED("", "*.c");
	EXPECT_LISTED("", "lib/*");
	EXPECT_LISTED("", "li");
	EXPECT_LISTED("", "");
}

TEST_F(debuginfo, functions_named_through_their_origin_are_listed)
{
	/* Called and inlined, so GCC describes it once in the abstract. */
	write_text(self->root, "kernel/bpf/bpf.c",
		   "volatile int sink;\n"
		   "int put(int x) { for (; x; x--) sink++; return sink; }\n"
		   "int main(void) { int (*volatile f)(int) = put; return f(1) + put(sink); }\n");
	ASSERT_EQ(1, run(self->root, "cc -O3 -g -o program kernel/bpf/bpf.c"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	EXPECT_LISTED("main@kernel/bpf/bpf.c:3 put@kernel/bpf/bpf.c:2 ", "kernel/bpf/*.c");
}

static int stop_at_once(void *arg, const char *name, const char *file, uint32_t line, uint64_t addr)
{
	return -EINTR;
}

TEST_F(debuginfo, what_the_callback_returns_stops_the_walk)
{
	BUILD("-g");
	EXPECT_EQ(-EINTR, debuginfo_source_functions(self->info, "lib/", stop_at_once, NULL));
}

static int collect_inlined(void *arg, const char *into, const char *file, uint32_t line)
{
	strbuf_addf(arg, "%s@%s:%u ", into, file, line);
	return 0;
}

TEST_F(debuginfo, callers_of_inlined_functions_are_found)
{
	_cleanup_(strbuf_release) struct strbuf found = STRBUF_INIT;

	BUILD("-g");
	ASSERT_EQ(0, debuginfo_inlined_into(self->info, "helper", collect_inlined, &found));
	EXPECT_STREQ("outer@kernel/bpf/bpf.c:5 ", strbuf_str(&found));
	strbuf_reset(&found);
	ASSERT_EQ(0, debuginfo_inlined_into(self->info, "other", collect_inlined, &found));
	EXPECT_STREQ("", strbuf_str(&found));
}

TEST_F(debuginfo, callers_that_link_time_optimisation_inlined_into_are_found)
{
	_cleanup_(strbuf_release) struct strbuf found = STRBUF_INIT;

	if (system("command -v clang >/dev/null 2>&1 && command -v ld.lld >/dev/null 2>&1"))
		SKIP(return, "no clang with lld");
	write_text(self->root, "a.c",
		   "int helper(int n);\nvolatile int sink;\n"
		   "__attribute__((noinline)) int outer(int n) { sink = n; return helper(n) + 1; }\n"
		   "int main(int argc, char **argv) { return outer(argc); }\n");
	write_text(self->root, "b.c",
		   "extern volatile int sink;\nint helper(int n) { sink += n; sink ^= 3; return sink + n; }\n");
	ASSERT_EQ(1, run(self->root, "clang -O2 -g -flto=thin -fuse-ld=lld -o program a.c b.c"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	ASSERT_EQ(0, debuginfo_inlined_into(self->info, "helper", collect_inlined, &found));
	EXPECT_STREQ("outer@a.c:3 ", strbuf_str(&found));
}

TEST_F(debuginfo, a_function_has_a_source)
{
	struct symbols *symbols;
	const struct symbol *other;
	const char *file = NULL;
	uint32_t line = 0;

	BUILD("-g");
	other = find_function(self->root, "program", "other", &symbols);
	EXPECT_EQ(0, debuginfo_function_source(self->info, other->addr, &file, &line));
	EXPECT_STREQ("lib/crypto/other.c", file);
	EXPECT_EQ(2, line);
	EXPECT_EQ(-ENOENT, debuginfo_function_source(self->info, 1, &file, &line));
	symbols_free(symbols);
}

TEST_F(debuginfo, prefetching_changes_nothing)
{
	uint64_t addrs[1000];
	struct symbols *symbols;
	const struct symbol *outer;

	BUILD("-g");
	outer = find_function(self->root, "program", "outer", &symbols);
	for (int i = 0; i < 1000; i++)
		addrs[i] = outer->addr + i - 500;
	debuginfo_prefetch(self->info, addrs, 1000, 0);
	debuginfo_prefetch(self->info, addrs, 0, 0);
	expect_chain(_metadata, self->info, self->root);
	symbols_free(symbols);
}

TEST_F(debuginfo, a_file_of_another_kind_is_told_apart)
{
	struct debuginfo *info = NULL;

	EXPECT_EQ(-ENOENT, open_at(self->root, "nothing", &info));
	EXPECT_EQ(-ENOEXEC, open_at(self->root, "kernel/bpf/bpf.c", &info));
	EXPECT_GT(0, open_at(self->root, "kernel", &info));
	ASSERT_EQ(1, run(self->root, "cc -g0 -O2 -o program kernel/bpf/bpf.c lib/crypto/other.c"));
	EXPECT_EQ(-ENODATA, open_at(self->root, "program", &info));
	write_text(self->root, "empty", "");
	EXPECT_EQ(-ENOEXEC, open_at(self->root, "empty", &info));
}

TEST_F(debuginfo, the_build_id_tells_builds_apart)
{
	struct build_id wanted = {}, other = { .bytes = { 1, 2, 3 }, .len = 20 };
	_cleanup_(free_p) char *path = strf("%s/program", self->root);
	struct debuginfo *info = NULL;

	BUILD("-g -Wl,--build-id=sha1");
	wanted = *debuginfo_build_id(self->info);
	EXPECT_EQ(20, wanted.len);
	ASSERT_EQ(FIT_GOOD, debuginfo_try(path, &wanted, NULL, &info));
	debuginfo_free(info);
	EXPECT_EQ(FIT_OTHER_BUILD, debuginfo_try(path, &other, NULL, &info));
	EXPECT_EQ(FIT_MISSING, debuginfo_try("/nonexistent", &other, NULL, &info));
	EXPECT_EQ(FIT_BROKEN, debuginfo_try("/proc/self/maps", &other, NULL, &info));
	ASSERT_EQ(FIT_GOOD, debuginfo_try(path, NULL, NULL, &info));
	debuginfo_free(info);
}

TEST_F(debuginfo, vmlinux_is_found_in_its_places)
{
	static const char *const places[] = {
		"usr/lib/debug/boot/vmlinux-6.1.0-test", "boot/vmlinux-6.1.0-test",
		"lib/modules/6.1.0-test/build/vmlinux",
		"usr/lib/debug/lib/modules/6.1.0-test/vmlinux",
	};
	const struct kernel_place place = { self->root, "6.1.0-test" };
	struct build_id wanted;
	struct debuginfo *info;

	BUILD("-g -Wl,--build-id=sha1");
	wanted = *debuginfo_build_id(self->info);
	for (int i = 0; i < 4; i++) {
		_cleanup_(free_p) char *command =
			strf("rm -rf usr boot; mkdir -p $(dirname %s); cp program %s", places[i],
			     places[i]);
		_cleanup_(free_p) char *path = NULL, *expected = strf("%s/%s", self->root, places[i]);

		ASSERT_EQ(1, run(self->root, command));
		ASSERT_EQ(FIT_GOOD, debuginfo_find_vmlinux(&place, &wanted, &path, &info));
		EXPECT_STREQ(expected, path);
		debuginfo_free(info);
		run(self->root, "rm -rf lib/modules");
	}
}

TEST_F(debuginfo, debug_info_is_found_by_build_id_past_a_stripped_file)
{
	const struct kernel_place place = { self->root, "6.1.0-test" };
	_cleanup_(free_p) char *path = NULL, *command = NULL;
	struct strbuf hex = STRBUF_INIT;
	struct build_id wanted;
	struct debuginfo *info;

	BUILD("-g -Wl,--build-id=sha1");
	wanted = *debuginfo_build_id(self->info);
	for (size_t i = 0; i < wanted.len; i++)
		strbuf_addf(&hex, i == 0 ? "%02x/" : "%02x", wanted.bytes[i]);
	command = strf("mkdir -p boot usr/lib/debug/.build-id/%.2s; strip -o "
		       "boot/vmlinux-6.1.0-test program; cp program "
		       "usr/lib/debug/.build-id/%s.debug", strbuf_str(&hex), strbuf_str(&hex));
	strbuf_release(&hex);
	ASSERT_EQ(1, run(self->root, command));
	ASSERT_EQ(FIT_GOOD, debuginfo_find_vmlinux(&place, &wanted, &path, &info));
	EXPECT_NE(NULL, strstr(path, ".build-id"));
	debuginfo_free(info);

	/* Without it, the user hears of the file that does not help. */
	free(path);
	run(self->root, "rm -rf usr");
	EXPECT_EQ(FIT_NO_DWARF, debuginfo_find_vmlinux(&place, &wanted, &path, &info));
	EXPECT_NE(NULL, strstr(path, "boot/vmlinux-6.1.0-test"));
}

TEST_F(debuginfo, modules_are_found_by_their_list)
{
	const struct kernel_place place = { self->root, "6.1.0-test" };
	struct debuginfo *info;

	ASSERT_EQ(1, run(self->root, "mkdir -p lib/modules/6.1.0-test "
				     "usr/lib/debug/lib/modules/6.1.0-test/kernel/net; "
				     "cc -O2 -g -c kernel/bpf/bpf.c -o "
				     "usr/lib/debug/lib/modules/6.1.0-test/kernel/net/a-b.ko.debug"));
	write_text(self->root, "lib/modules/6.1.0-test/modules.dep",
		   "kernel/net/xa-b.ko.xz:\nkernel/net/a-b.ko.xz: kernel/net/x.ko.xz\n");
	ASSERT_EQ(FIT_GOOD, debuginfo_find_module(&place, NULL, "a_b", NULL, NULL, NULL, &info));
	debuginfo_free(info);
	EXPECT_EQ(FIT_MISSING,
		  debuginfo_find_module(&place, NULL, "xa_b", NULL, NULL, NULL, &info));
	EXPECT_EQ(FIT_MISSING, debuginfo_find_module(&place, NULL, "a", NULL, NULL, NULL, &info));
}

/* Everything that reads the file, on addresses in it and out of it. */
static void exercise(const char *path, uint64_t addr, uint64_t size)
{
	_cleanup_(strbuf_release) struct strbuf sink = STRBUF_INIT;
	const struct source_frame *frames;
	struct debuginfo *info;
	struct symbols *symbols;
	struct source_variable variable;
	const char *file;
	uint32_t line;

	if (!debuginfo_open(path, NULL, &info)) {
		for (uint64_t offset = 0; offset < size; offset += 3) {
			struct variable_place place = { .in_memory = offset & 1, .reg = offset & 15, .size = 4 };

			debuginfo_lookup(info, addr + offset, &frames);
			debuginfo_variable_at(info, addr + offset, &place, &variable);
		}
		debuginfo_function_source(info, addr, &file, &line);
		debuginfo_source_functions(info, "kernel/bpf/*.c", collect, &sink);
		debuginfo_inlined_into(info, "helper", collect_inlined, &sink);
		debuginfo_free(info);
	}
	if (!symbols_load_elf(path, &symbols)) {
		symbols_at(symbols, addr);
		symbols_free(symbols);
	}
}

static void spoil(struct __test_metadata *_metadata, const char *root, bool cut)
{
	_cleanup_(free_p) char *path = strf("%s/program", root);
	_cleanup_(free_p) char *spoilt = strf("%s/spoilt", root);
	_cleanup_(close_fd) int fd = open(path, O_RDONLY), quiet = open("/dev/null", O_WRONLY);
	_cleanup_(free_p) uint8_t *bytes = NULL;
	struct symbols *symbols;
	const struct symbol *outer = find_function(root, "program", "outer", &symbols);
	uint64_t addr = outer->addr, size = outer->size;
	static const char *const names[] = {
		".debug_info", ".debug_line", ".debug_abbrev", ".debug_loclists", ".debug_loc", ".debug_frame",
	};
	struct elf_section sections[ARRAY_SIZE(names)];
	size_t nr = 0;
	struct elf_file *file;
	struct stat st;

	symbols_free(symbols);
	fstat(fd, &st);
	bytes = malloc(st.st_size);
	ASSERT_EQ(st.st_size, pread(fd, bytes, st.st_size, 0));
	ASSERT_EQ(0, elf_file_open(path, NULL, &file));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		elf_file_section(file, names[i], sections + nr);
		nr += sections[nr].size > 0;
	}
	ASSERT_LE(3, nr);
	/* What is wrong with the files is said on stderr. */
	dup2(quiet, STDERR_FILENO);
	srandom(1);
	for (int round = 0; round < 400; round++) {
		_cleanup_(close_fd) int out = open(spoilt, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		size_t length = cut ? random() % st.st_size : st.st_size;

		ASSERT_EQ(length, write(out, bytes, length));
		for (int i = 0; !cut && i < 1 + round % 8; i++) {
			const struct elf_section *section = sections + random() % nr;
			uint8_t byte = random();
			const uint8_t *at = memmem(bytes, st.st_size, section->data, section->size);
			off_t where = round % 5 ? at - bytes + random() % section->size :
						  random() % st.st_size;

			ASSERT_EQ(1, pwrite(out, &byte, 1, where));
		}
		exercise(spoilt, addr, size);
	}
	elf_file_free(file);
}

TEST_F_TIMEOUT(debuginfo, damaged_files_do_no_harm, 300)
{
	BUILD("-g -fno-asynchronous-unwind-tables");
	spoil(_metadata, self->root, false);
}

TEST_F_TIMEOUT(debuginfo, damaged_old_dwarf_does_no_harm, 300)
{
	BUILD("-gdwarf-4 -fno-asynchronous-unwind-tables");
	spoil(_metadata, self->root, false);
}

TEST_F_TIMEOUT(debuginfo, damaged_zstd_modules_do_no_harm, 300)
{
	ASSERT_EQ(1, run(self->root, "cc -O2 -g -c -fno-stack-protector -o program "
				     "kernel/bpf/bpf.c"));
	if (!run(self->root, "objcopy --compress-debug-sections=zstd program"))
		SKIP(return, "objcopy knows no zstd");
	spoil(_metadata, self->root, true);
}

TEST_F_TIMEOUT(debuginfo, cut_files_do_no_harm, 300)
{
	BUILD("-g -fno-asynchronous-unwind-tables");
	spoil(_metadata, self->root, true);
}

#define EXPECT_PATH(expected, comp_dir, dir, name, root)                                           \
	do {                                                                                       \
		_cleanup_(strbuf_release) struct strbuf path_ = STRBUF_INIT;                       \
		const struct source_root root_ = { (char *)(root) };                               \
		source_path_join(&path_, comp_dir, dir, name);                                     \
		EXPECT_STREQ(expected, source_path_strip(strbuf_str(&path_), comp_dir, &root_));   \
	} while (0)

TEST(paths_are_those_of_the_tree)
{
	EXPECT_PATH("kernel/fork.c", "/src/linux", "kernel", "fork.c", "");
	EXPECT_PATH("kernel/fork.c", "/src/linux", "", "kernel/fork.c", "");
	EXPECT_PATH("kernel/fork.c", "/src/linux", "./kernel", "./fork.c", "");
	EXPECT_PATH("kernel/fork.c", "debian/build/x", "kernel", "fork.c", "");
	EXPECT_PATH("kernel/fork.c", "", "", "./kernel/fork.c", "");
	EXPECT_PATH("include/linux/a.h", "/src/linux", "kernel/../include", "linux/a.h", "");
	/* Objects in a folder of the tree, or far from it. */
	EXPECT_PATH("kernel/fork.c", "/src/linux/build", "../kernel", "fork.c", "");
	EXPECT_PATH("kernel/fork.c", "/obj", "", "/home/u/kernel.git/kernel/fork.c",
		    "/home/u/kernel.git");
	EXPECT_PATH("kernel/fork.c", "/obj", "", "/home/u/kernel.git/kernel/fork.c", "");
	EXPECT_PATH("arch/x86/include/generated/asm/a.h", "/obj", "arch/x86/include/generated",
		    "asm/a.h", "/src/linux");
	EXPECT_PATH("/usr/lib/gcc/12/include/stdarg.h", "/obj", "/usr/lib/gcc/12/include",
		    "stdarg.h", "/src/linux");
	EXPECT_PATH("/usr/lib/gcc/12/include/stdarg.h", "/usr/src/linux-headers",
		    "/usr/lib/gcc/12/include", "stdarg.h", "");
}

TEST(a_directory_of_objects_beside_the_tree_is_not_the_tree)
{
	EXPECT_PATH("fs/ext4/inode.c", "/home/jo/build", "", "/home/jo/linux/fs/ext4/inode.c", "");
	EXPECT_PATH("drivers/net/a.c", "/home/jo/linux/drivers/net/obj", "..", "a.c", "");
	EXPECT_EQ(strlen("/home/jo/kernel/linux"),
		  source_root_of_header("/home/jo/kernel/linux/fs/ext4/inode.c",
					"/home/jo/kernel/linux/include/linux/fs.h"));
	EXPECT_EQ(0, source_root_of_header("/home/jo/module/a.c", "/src/linux/include/linux/fs.h"));
	EXPECT_EQ(0, source_root_of_header("/src/linux/fs/a.c", "/src/linux/include/uapi/a.h"));
}

TEST_F(debuginfo, a_module_finds_its_tree_by_a_header)
{
	struct symbols *symbols;
	const struct symbol *outer;
	const struct source_frame *frames;

	/* "kernel" is above the tree, too. */
	ASSERT_EQ(1, run(self->root, "mkdir -p kernel/linux/fs/ext4 kernel/linux/include/linux && "
				     "echo 'static inline int used(int x) { return x * 3; }' "
				     ">kernel/linux/include/linux/used.h && "
				     "printf '#include <linux/used.h>\nint outer(int x)\n{\n\treturn "
				     "used(x);\n}\n' >kernel/linux/fs/ext4/inode.c && cd build && "
				     "cc -O2 -g -I$(cd .. && pwd)/kernel/linux/include -c -o ../program "
				     "$(cd .. && pwd)/kernel/linux/fs/ext4/inode.c"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	outer = find_function(self->root, "program", "outer", &symbols);
	ASSERT_EQ(2, debuginfo_lookup(self->info, outer->addr, &frames));
	EXPECT_STREQ("include/linux/used.h", frames[0].file);
	EXPECT_STREQ("fs/ext4/inode.c", frames[1].file);
	symbols_free(symbols);
}

/* As Debian builds it: the paths of C are relative, those of assembly are not. */
TEST_F(debuginfo, a_few_files_elsewhere_are_not_the_tree)
{
	struct symbols *symbols;
	const struct symbol *entry;
	const struct source_frame *frames;

	ASSERT_EQ(1, run(self->root, "mkdir -p objects/fs arch/x86/entry && cd objects && "
				     "for i in $(seq 60); do echo \"int f$i;\" >fs/f$i.c; "
				     "echo \"int g$i(void) { return f$i; }\" >>fs/f$i.c; done && "
				     "echo 'int main(void) { return 0; }' >../arch/x86/entry/e.c && "
				     "cc -g -fdebug-prefix-map=$(pwd)=objects -o ../program "
				     "$(cd .. && pwd)/arch/x86/entry/e.c fs/f*.c"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	entry = find_function(self->root, "program", "main", &symbols);
	ASSERT_EQ(1, debuginfo_lookup(self->info, entry->addr, &frames));
	EXPECT_STREQ("arch/x86/entry/e.c", frames[0].file);
	symbols_free(symbols);
}

TEST(the_root_is_what_units_share)
{
	char root[] = "/src/linux/arch/x86/kernel/head_64.S";

	source_root_narrow(root, "/src/linux/arch/x86/kernel/head64.c");
	EXPECT_STREQ("/src/linux/arch/x86/kernel", root);
	source_root_narrow(root, "/src/linux/kernel/fork.c");
	EXPECT_STREQ("/src/linux", root);
	source_root_narrow(root, "/src/linux/kernel/exit.c");
	EXPECT_STREQ("/src/linux", root);
	source_root_narrow(root, "/usr/lib/x.c");
	EXPECT_STREQ("", root);
}

TEST_F(debuginfo, names_do_not_steer_the_terminal)
{
	struct symbols *symbols = NULL;
	const struct symbol *all;
	const struct source_frame *frames;
	_cleanup_(free_p) char *path = strf("%s/program", self->root);
	bool seen = false;

	write_text(self->root, "evil.s",
		   ".globl \"steer\033[31m\"\n.type \"steer\033[31m\", @function\n.file \"e\033[31m.c\"\n"
		   ".text\n\"steer\033[31m\":\n\tnop\n.size \"steer\033[31m\", .-\"steer\033[31m\"\n");
	write_text(self->root, "kernel/bpf/bpf.c",
		   "#line 1 \"kernel/e\033[31m.c\"\nint outer(int x) { return x; }\nint main(void) { return 0; }\n");
	ASSERT_EQ(1, run(self->root, "cc -O2 -g -o program kernel/bpf/bpf.c evil.s"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	ASSERT_EQ(0, symbols_load_elf(path, &symbols));
	for (size_t i = 0, nr = symbols_all(symbols, &all); i < nr; i++) {
		EXPECT_EQ(NULL, strchr(all[i].name, '\033'));
		seen |= !strcmp(all[i].name, "steer?[31m");
		if (strcmp(all[i].name, "outer"))
			continue;
		ASSERT_EQ(1, debuginfo_lookup(self->info, all[i].addr, &frames));
		EXPECT_STREQ("kernel/e?[31m.c", frames[0].file);
	}
	EXPECT_TRUE(seen);
	symbols_free(symbols);
}

TEST_F(debuginfo, a_shared_list_of_ranges_takes_bounded_memory)
{
	static const char source[] =
		".text\n.globl main\n.type main, @function\nmain: nop\n.size main, .-main\n"
		".section .debug_abbrev,\"\",@progbits\n"
		".uleb128 1, 0x11\n.byte 1\n.uleb128 0x11, 1, 0x12, 6, 0, 0\n"
		".uleb128 2, 0x2e\n.byte 0\n.uleb128 0x55, 0x17, 0, 0\n.byte 0\n"
		".section .debug_info,\"\",@progbits\n.long 2f-1f\n1: .short 4\n"
		".long 0\n.byte 8\n.uleb128 1\n.quad main\n.long 0x1000\n"
		".rept 1000\n.uleb128 2\n.long 0\n.endr\n.byte 0\n2:\n"
		/* 1,000 functions, each at the same 1,000 ranges. */
		".section .debug_ranges,\"\",@progbits\n.rept 1000\n.quad 1, 2\n.endr\n.quad 0, 0\n";
	struct dwarf_unit *unit;

	write_text(self->root, "shared.s", source);
	ASSERT_EQ(1, run(self->root, "cc -no-pie -nostartfiles -Wl,-e,main -o program shared.s"));
	ASSERT_EQ(0, open_at(self->root, "program", &self->info));
	ASSERT_EQ(0, dwarf_units_complete(&self->info->units));
	ASSERT_EQ(1, self->info->units.all.len);
	unit = self->info->units.all.data[0];
	ASSERT_EQ(0, unit_open(&self->info->sections, unit));
	EXPECT_EQ(NULL, debuginfo_functions(self->info, unit));
}

TEST_F(debuginfo, empty_variables_of_the_cache_are_unset_ones)
{
	const struct build_id id = { .bytes = { 0xab }, .len = 1 };
	_cleanup_(free_p) char *home = NULL, *xdg = NULL;

	setenv("DEBUGINFOD_CACHE_PATH", "", 1);
	setenv("HOME", "/h", 1);
	setenv("XDG_CACHE_HOME", "", 1);
	home = debuginfo_cache_path(&id);
	EXPECT_STREQ("/h/.cache/debuginfod_client/ab/debuginfo", home);
	setenv("XDG_CACHE_HOME", "/x", 1);
	xdg = debuginfo_cache_path(&id);
	EXPECT_STREQ("/x/debuginfod_client/ab/debuginfo", xdg);
}

TEST_F(debuginfo, a_dead_server_is_asked_once)
{
	const struct build_id a = { .bytes = { 1, 2, 3, 4 }, .len = 4 };
	const struct build_id b = { .bytes = { 5, 6, 7, 8 }, .len = 4 };
	_cleanup_(free_p) char *library = strf("%s/fake.so", self->root), *first = NULL, *then = NULL;
	char *path = NULL;
	struct debuginfod *debuginfod;

	/* A library of that name that is loaded is taken: nothing is asked of a network here. */
	write_text(self->root, "fake.c",
		   "#include <errno.h>\n"
		   "void *debuginfod_begin(void) { static int client; return &client; }\n"
		   "void debuginfod_end(void *client) {}\n"
		   "void debuginfod_set_progressfn(void *client, void *fn) {}\n"
		   "int debuginfod_find_debuginfo(void *client, const unsigned char *id, int len, char **path)\n"
		   "{ return -ECONNREFUSED; }\n");
	ASSERT_EQ(1, run(self->root, "cc -shared -fPIC -Wl,-soname,libdebuginfod.so.1 -o fake.so fake.c"));
	ASSERT_NE(NULL, dlopen(library, RTLD_NOW | RTLD_LOCAL));
	setenv("DEBUGINFOD_URLS", "http://127.0.0.1:1", 1);
	debuginfod = debuginfod_new();
	ASSERT_NE(NULL, debuginfod);
	first = stderr_of(EXPECT_GT(0, debuginfod_fetch(debuginfod, &a, "module a", &path)));
	then = stderr_of(EXPECT_GT(0, debuginfod_fetch(debuginfod, &b, "module b", &path)));
	debuginfod_free(debuginfod);
	EXPECT_NE(NULL, strstr(first, "cannot fetch the debug info of module a"));
	EXPECT_STREQ("", then);
}

TEST(notes_are_read_with_care)
{
	/* GNU build id of 4 bytes, after a note of another owner. */
	static const uint8_t notes[] = {
		4, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0, 'X', 'e', 'n', 0, 1, 2, 3, 4, 5, 0, 0, 0,
		4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0xde, 0xad, 0xbe, 0xef,
	};
	static const uint8_t huge[] = {
		4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 3, 0, 0, 0, 'G', 'N', 'U', 0, 1, 2, 3, 4,
	};
	struct build_id id;

	build_id_from_notes(notes, sizeof(notes), &id);
	ASSERT_EQ(4, id.len);
	EXPECT_EQ(0xde, id.bytes[0]);
	EXPECT_EQ(0xef, id.bytes[3]);
	for (size_t size = 0; size < sizeof(notes); size++) {
		build_id_from_notes(notes, size, &id);
		EXPECT_EQ(0, id.len);
	}
	build_id_from_notes(huge, sizeof(huge), &id);
	EXPECT_EQ(0, id.len);
}

TEST_HARNESS_MAIN
