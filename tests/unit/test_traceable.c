// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_fixture.h"
#include "unit.h"
#include "util/base/macros.h"

static const char kallsyms[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81000100 T do_open\n"
	"ffffffff81000200 T __do_sys_getppid\n"
	"ffffffff81000200 T __x64_sys_getppid\n"
	"ffffffff81000300 t helper\n"
	"ffffffff81000400 t helper\n"
	"ffffffff81000500 T last\n"
	"ffffffff82000000 T _sinittext\n"
	"ffffffff82000010 t setup\n"
	"ffffffff82000020 T _einittext\n"
	"ffffffffc0000000 t do_open\t[mod]\n"
	"ffffffffc0000100 t mod_init\t[mod]\n";

FIXTURE(traceable)
{
	struct symbols *symbols;
	struct traceable *traceable;
};

FIXTURE_SETUP(traceable)
{
	self->symbols = make_symbols(kallsyms);
	self->traceable = NULL;
}

FIXTURE_TEARDOWN(traceable)
{
	traceable_free(self->traceable);
	symbols_free(self->symbols);
}

static void parse(FIXTURE_DATA(traceable) *self, const char *functions, bool with_addrs,
		  const char *blacklist)
{
	self->traceable = make_traceable(self->symbols, functions, with_addrs, blacklist);
}

#define EXPECT_TRACEABLE(yes, addr) EXPECT_EQ((yes), traceable_has(self->traceable, (addr)))

TEST_F(traceable, names_map_to_addresses_in_their_own_module)
{
	parse(self, "do_open\nmod_init [mod]\n", false, NULL);
	EXPECT_TRACEABLE(true, 0xffffffff81000100);
	EXPECT_TRACEABLE(true, 0xffffffffc0000100);
	EXPECT_TRACEABLE(false, 0xffffffffc0000000);
	EXPECT_TRACEABLE(false, 0xffffffff81000500);
	EXPECT_EQ(2, traceable_count(self->traceable));
}

TEST_F(traceable, a_name_at_two_addresses_is_both)
{
	parse(self, "helper\nhelper\n", false, NULL);
	EXPECT_TRACEABLE(true, 0xffffffff81000300);
	EXPECT_TRACEABLE(true, 0xffffffff81000400);
}

/* As Linux 5.16 and some later versions list what link-time optimisation has renamed. */
TEST(names_that_are_cut_at_the_first_dot_are_found)
{
	struct symbols *symbols = make_symbols("ffffffff81000000 T _stext\n"
					       "ffffffff81000100 t parse_one.1234\n"
					       "ffffffff81000200 t show.abcdef.llvm.77\n"
					       "ffffffff81000300 t show_all.isra.0\n"
					       "ffffffff81000400 t twice\n"
					       "ffffffff81000500 t twice.1\n"
					       "ffffffff81000600 t not_listed.1\n"
					       "ffffffff81000700 T last\n"
					       "ffffffffc0000000 t twice.1\t[ext4]\n"
					       "ffffffffc0000100 t e_last\t[ext4]\n");
	struct traceable *traceable = make_traceable(symbols, "parse_one\nshow\nshow_all\ntwice\nlast\n"
							      "twice [ext4]\n", false, NULL);

	EXPECT_TRUE(traceable_has(traceable, 0xffffffff81000100));
	EXPECT_TRUE(traceable_has(traceable, 0xffffffff81000200));
	EXPECT_FALSE(traceable_has(traceable, 0xffffffff81000300));
	EXPECT_TRUE(traceable_has(traceable, 0xffffffff81000400));
	EXPECT_FALSE(traceable_has(traceable, 0xffffffff81000500));
	EXPECT_FALSE(traceable_has(traceable, 0xffffffff81000600));
	EXPECT_TRUE(traceable_has(traceable, 0xffffffffc0000000));
	EXPECT_FALSE(traceable_has(traceable, 0xffffffffc0000100));
	traceable_free(traceable);
	symbols_free(symbols);
}

TEST_F(traceable, an_alias_makes_all_names_of_the_address_traceable)
{
	parse(self, "__do_sys_getppid\n", false, NULL);
	EXPECT_TRACEABLE(true, 0xffffffff81000200);
	EXPECT_EQ(1, traceable_count(self->traceable));
}

TEST_F(traceable, code_that_is_gone_since_boot_is_not)
{
	parse(self, "setup\nlast\n", false, NULL);
	EXPECT_TRACEABLE(false, 0xffffffff82000010);
	EXPECT_TRACEABLE(true, 0xffffffff81000500);
}

TEST_F(traceable, addresses_are_taken_where_the_kernel_gives_them)
{
	parse(self,
	      "ffffffff81000300 helper\n"
	      "ffffffffc0000000 do_open [mod]\n",
	      true, NULL);
	EXPECT_TRACEABLE(true, 0xffffffff81000300);
	EXPECT_TRACEABLE(false, 0xffffffff81000400);
	EXPECT_TRACEABLE(true, 0xffffffffc0000000);
	EXPECT_TRACEABLE(false, 0xffffffff81000100);
}

TEST_F(traceable, a_location_behind_endbr_belongs_to_its_function)
{
	parse(self, "ffffffff81000104 do_open\nffffffff81000510 last\n", true, NULL);
	EXPECT_TRACEABLE(true, 0xffffffff81000100);
	EXPECT_TRACEABLE(true, 0xffffffff81000500);
}

TEST_F(traceable, a_location_far_into_a_function_is_not_its_entry)
{
	parse(self, "ffffffff81000180 do_open\n", true, NULL);
	EXPECT_TRACEABLE(false, 0xffffffff81000100);
}

TEST_F(traceable, locations_of_functions_that_are_gone_are_left_out)
{
	parse(self,
	      "ffffffff81000100 __ftrace_invalid_address___123\n"
	      "ffffffff81000500 last\n",
	      true, NULL);
	EXPECT_TRACEABLE(false, 0xffffffff81000100);
	EXPECT_TRACEABLE(true, 0xffffffff81000500);
}

TEST_F(traceable, an_empty_list_is_no_crash)
{
	parse(self, "", false, "");
	EXPECT_EQ(0, traceable_count(self->traceable));
	EXPECT_TRACEABLE(false, 0xffffffff81000100);
}

TEST_F(traceable, blacklisted_ranges_end_where_they_end)
{
	parse(self, "last\n", false,
	      "0xffffffff81000100-0xffffffff81000200\tdo_open\n"
	      "0xffffffff81000000-0xffffffff81000180\tsection\n"
	      "0x0000000000000000-0x0000000000000000\thidden\n"
	      "0xffffffff81000500-0xffffffff81000600\tlast\n");
	EXPECT_TRUE(traceable_is_blacklisted(self->traceable, 0xffffffff81000000));
	EXPECT_TRUE(traceable_is_blacklisted(self->traceable, 0xffffffff810001ff));
	EXPECT_FALSE(traceable_is_blacklisted(self->traceable, 0xffffffff81000200));
	EXPECT_TRUE(traceable_is_blacklisted(self->traceable, 0xffffffff81000500));
	EXPECT_FALSE(traceable_is_blacklisted(self->traceable, 0xffffffff81000600));
}

static int from_locations(FIXTURE_DATA(traceable) *self, const uint64_t *addrs, size_t nr)
{
	struct traceable_text text = {};
	addr_vec vec = VEC_INIT;

	for (size_t i = 0; i < nr; i++) {
		if (vec_push(&vec, addrs[i]))
			abort();
	}
	return traceable_from_locations(self->symbols, &vec, &text, &self->traceable);
}

TEST_F(traceable, locations_belong_to_the_function_that_begins_there)
{
	/* Out of order; after endbr64; far into a function: that of a function that was dropped. */
	const uint64_t addrs[] = { 0xffffffff81000504, 0xffffffff81000100, 0xffffffff81000200,
				   0xffffffff81000300, 0xffffffffc0000000, 0xffffffff81000410 };

	ASSERT_EQ(0, from_locations(self, addrs, ARRAY_SIZE(addrs)));
	EXPECT_TRACEABLE(true, 0xffffffff81000100);
	EXPECT_TRACEABLE(true, 0xffffffff81000500);
	EXPECT_TRACEABLE(true, 0xffffffffc0000000);
	EXPECT_TRACEABLE(false, 0xffffffff81000400);
	EXPECT_EQ(5, traceable_count(self->traceable));
}

TEST_F(traceable, locations_that_are_none_are_not_believed)
{
	const uint64_t addrs[] = { 0xffffffff81000100, 0x1234, 0x5678, 0xffffffff81000200 };

	EXPECT_EQ(-EBADMSG, from_locations(self, addrs, ARRAY_SIZE(addrs)));
	EXPECT_EQ(-EBADMSG, from_locations(self, NULL, 0));
	EXPECT_EQ(NULL, self->traceable);
}

TEST_HARNESS_MAIN
