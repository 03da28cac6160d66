// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"

#include "kernel_fixture.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/view/values/btf_value.h"
#include "util/view/values/value_symbol.h"

FIXTURE(symbol)
{
	struct symbols *symbols;
	struct value_symbols names;
	struct strbuf text;
};

FIXTURE_SETUP(symbol)
{
	struct symbolizer_options options = { .level = SYMBOLIZE_NONE };

	self->symbols = make_symbols("ffffffff81000000 T do_it\n"
				     "ffffffff81000100 t do_more\n"
				     "ffffffffc0000000 t dummy_xmit\t[dummy]\n"
				     "ffffffffc0000040 t dummy_setup\t[dummy]\n");
	ASSERT_EQ(0, symbolizer_new(self->symbols, &options, &self->names.symbolizer));
}

FIXTURE_TEARDOWN(symbol)
{
	strbuf_release(&self->text);
	value_symbols_release(&self->names);
	symbolizer_free(self->names.symbolizer);
	symbols_free(self->symbols);
}

static const char *shown(FIXTURE_DATA(symbol) *self, uint64_t pointer, bool function)
{
	struct value_format format = { .symbol = value_symbol, .symbol_arg = &self->names };

	strbuf_reset(&self->text);
	value_pointer_add(&self->text, &format, pointer, function);
	return strbuf_str(&self->text);
}

TEST_F(symbol, a_pointer_to_a_function_is_its_name)
{
	EXPECT_STREQ("do_it", shown(self, 0xffffffff81000000, true));
	EXPECT_STREQ("do_more", shown(self, 0xffffffff81000100, true));
}

TEST_F(symbol, a_pointer_into_a_function_says_how_far)
{
	EXPECT_STREQ("do_it+0xff", shown(self, 0xffffffff810000ff, true));
}

TEST_F(symbol, functions_of_modules_say_whose_they_are)
{
	EXPECT_STREQ("dummy_xmit [dummy]", shown(self, 0xffffffffc0000000, true));
	EXPECT_STREQ("dummy_xmit+0x4 [dummy]", shown(self, 0xffffffffc0000004, true));
}

TEST_F(symbol, what_is_no_function_is_an_address)
{
	EXPECT_STREQ("0xffffffff80ffffff", shown(self, 0xffffffff80ffffff, true));
	EXPECT_STREQ("0x7ffc521c62a0", shown(self, 0x7ffc521c62a0, true));
	EXPECT_STREQ("NULL", shown(self, 0, true));
	EXPECT_STREQ("-EINVAL", shown(self, -22ull, true));
}

TEST_F(symbol, other_pointers_stay_addresses)
{
	EXPECT_STREQ("0xffffffff81000000", shown(self, 0xffffffff81000000, false));
}

TEST_HARNESS_MAIN
