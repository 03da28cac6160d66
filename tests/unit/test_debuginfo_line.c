// SPDX-License-Identifier: BSD-2-Clause
/* Source lines to addresses, in small programs that are compiled here. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/directory.h"
#include "tests/unit/unit.h"
#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/kernel/debug/debuginfo.h"
#include "util/kernel/symbols/symbols.h"

static const char main_c[] =
	"#include \"helper.h\"\n"
	"volatile int sink;\n"
	"__attribute__((noinline)) int outer(int x)\n"
	"{\n"
	"	sink = x;\n"			/* line 5 */
	"	/* nothing */\n"
	"	return helper(x) + 1;\n"
	"}\n"
	"__attribute__((noinline)) int another(int x)\n"
	"{\n"					/* line 10 */
	"	return helper(x) * 3;\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	return outer(sink) + another(sink);\n"
	"}\n";

static const char helper_h[] =
	"extern volatile int sink;\n"
	"static inline __attribute__((always_inline)) int helper(int x)\n"
	"{\n"
	"	sink += 1234567;\n"		/* line 4 */
	"	return x;\n"
	"}\n";

FIXTURE(lines)
{
	char root[64];
	struct debuginfo *info;
	VEC(uint64_t) addrs;
	uint32_t nearest;
};

FIXTURE_SETUP(lines)
{
	self->info = NULL;
	self->addrs.data = NULL;
	vec_release(&self->addrs);
	self->nearest = 0;
	strcpy(self->root, "/tmp/retsnoop-lines-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->root));
	write_text(self->root, "main.c", main_c);
	write_text(self->root, "helper.h", helper_h);
	if (system("command -v cc >/dev/null"))
		SKIP(return, "no C compiler");
}

FIXTURE_TEARDOWN(lines)
{
	debuginfo_free(self->info);
	vec_release(&self->addrs);
	run(self->root, "rm main.c helper.h program");
	run("/tmp", strcat(strcpy((char[80]){ 0 }, "rmdir "), self->root));
}

#define BUILD(flags)                                                                               \
	do {                                                                                       \
		_cleanup_(free_p) char *path_ = strf("%s/program", self->root);                    \
		ASSERT_EQ(1, run(self->root, flags " -fno-stack-protector -o program main.c"));    \
		ASSERT_EQ(0, debuginfo_open(path_, NULL, &self->info));                            \
	} while (0)

static int add_address(void *arg, uint64_t addr)
{
	FIXTURE_DATA(lines) *self = arg;

	return vec_push(&self->addrs, addr);
}

static int find(FIXTURE_DATA(lines) *self, const char *file, uint32_t line)
{
	self->addrs.len = 0;
	self->nearest = 0;
	return debuginfo_line_addresses(self->info, file, line, add_address, self,
					&self->nearest);
}

/* Whether some address is in that function, and the line there is that one. */
static bool is_in(FIXTURE_DATA(lines) *self, const char *function, uint32_t line)
{
	vec_foreach(addr, &self->addrs) {
		const struct source_frame *frames;
		int nr = debuginfo_lookup(self->info, *addr, &frames);

		if (nr > 0 && frames[0].line == line && frames[nr - 1].function &&
		    !strcmp(frames[nr - 1].function, function))
			return true;
	}
	return false;
}

static void check(FIXTURE_DATA(lines) *self, struct __test_metadata *_metadata)
{
	ASSERT_LT(0, find(self, "main.c", 5));
	EXPECT_TRUE(is_in(self, "outer", 5));
	EXPECT_FALSE(is_in(self, "another", 5));
	/* Every inlined copy. */
	ASSERT_LE(2, find(self, "helper.h", 4));
	EXPECT_TRUE(is_in(self, "outer", 4));
	EXPECT_TRUE(is_in(self, "another", 4));
	for (size_t i = 1; i < self->addrs.len; i++)
		EXPECT_LT(self->addrs.data[i - 1], self->addrs.data[i]);
}

TEST_F(lines, addresses_are_where_a_statement_begins)
{
	BUILD("cc -g -O2");
	check(self, _metadata);
}

TEST_F(lines, dwarf_4_says_the_same)
{
	BUILD("cc -gdwarf-4 -O2");
	check(self, _metadata);
}

TEST_F(lines, clang_says_the_same)
{
	if (system("command -v clang >/dev/null"))
		SKIP(return, "no clang");
	BUILD("clang -g -O2");
	check(self, _metadata);
}

TEST_F(lines, without_optimization_a_statement_is_in_one_place)
{
	BUILD("cc -g -O0");
	EXPECT_EQ(1, find(self, "main.c", 5));
	EXPECT_TRUE(is_in(self, "outer", 5));
}

TEST_F(lines, a_line_without_code_has_a_nearest_one)
{
	BUILD("cc -g -O0");
	EXPECT_EQ(0, find(self, "main.c", 6));
	EXPECT_EQ(7, self->nearest);
	EXPECT_EQ(0, find(self, "main.c", 1));
	EXPECT_LT(1, self->nearest);
	EXPECT_EQ(0, find(self, "main.c", 4000));
	EXPECT_EQ(16, self->nearest);
	EXPECT_EQ(0, self->addrs.len);
}

TEST_F(lines, a_file_that_there_is_not_says_so)
{
	BUILD("cc -g -O2");
	EXPECT_EQ(-ENOENT, find(self, "mai.c", 5));
	EXPECT_EQ(-ENOENT, find(self, "n.c", 5));
	EXPECT_EQ(-ENOENT, find(self, "x/main.c", 5));
	EXPECT_EQ(-ENOENT, find(self, "", 5));
}

TEST_F(lines, code_that_the_linker_dropped_is_in_no_place)
{
	write_text(self->root, "main.c",
		   "volatile int sink;\n"
		   "int unused(int x)\n"
		   "{\n"
		   "	sink = x;\n"		/* line 4 */
		   "	return sink * 3;\n"
		   "}\n"
		   "int main(void)\n"
		   "{\n"
		   "	return sink;\n"
		   "}\n");
	BUILD("cc -g -O2 -ffunction-sections -Wl,--gc-sections");
	EXPECT_LT(0, find(self, "main.c", 9));
	EXPECT_EQ(0, find(self, "main.c", 4));
	EXPECT_EQ(0, find(self, "main.c", 5));
}

static int stop(void *arg, uint64_t addr)
{
	(*(int *)arg)++;
	return -EINTR;
}

TEST_F(lines, a_walk_can_be_stopped)
{
	int seen = 0;

	BUILD("cc -g -O2");
	EXPECT_EQ(-EINTR, debuginfo_line_addresses(self->info, "helper.h", 4, stop, &seen,
						   &self->nearest));
	EXPECT_EQ(1, seen);
}

static int look_for_main(void *arg, const char *path)
{
	*(int *)arg += !strcmp(path, "main.c");
	return 0;
}

TEST_F(lines, source_files_are_those_compiled)
{
	int seen = 0;

	BUILD("cc -g -O2");
	EXPECT_EQ(0, debuginfo_paths(self->info, look_for_main, &seen));
	EXPECT_EQ(1, seen);
}

TEST_HARNESS_MAIN
