// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"

#include "tests/unit/where_fixture.h"
#include "util/kernel/arch/arch.h"

TEST_F(where, numbers_are_compared_with_their_own_size_and_sign)
{
	self->call.number = -5;
	HOLDS("number == -5");
	HOLDS("number < -4 && number > -6 && number <= -5 && number >= -5");
	HOLDS("number != 5");
	HOLDS("number == 0xfffffffb");
	FAILS("number >= 0");
	self->thing.u32 = 0xfffffffb;
	HOLDS("thing->u32 == 4294967291");
	HOLDS("thing->u32 > 5");
	self->thing.s8 = -1;
	HOLDS("thing->s8 == -1 && thing->s8 < 0 && thing->s8 == '\\xff'");
	self->thing.u8 = 255;
	HOLDS("thing->u8 == 255 && thing->u8 > 254");
	self->thing.s16 = INT16_MIN;
	HOLDS("thing->s16 == -32768 && thing->s16 <= -32768");
	self->thing.letter = 'x';
	HOLDS("thing->letter == 'x' && thing->letter == 0170 && thing->letter == 120");
	self->thing.s64 = INT64_MIN;
	HOLDS("thing->s64 == -9223372036854775808 && thing->s64 < 0");
}

TEST_F(where, large_unsigned_numbers_are_no_negative_ones)
{
	self->call.flags = 1ull << 63;
	HOLDS("flags > 5");
	HOLDS("flags >= 0x8000000000000000");
	HOLDS("flags < 18446744073709551615");
	FAILS("flags < 5");
	self->thing.raw = (void *)0xffff888000000000;
	HOLDS("thing->raw > 0xffff000000000000");
	FAILS("thing->raw < 4096");
}

TEST_F(where, minus_one_of_an_unsigned_int_is_all_ones)
{
	self->thing.u32 = UINT32_MAX;
	HOLDS("thing->u32 == -1 && thing->u32 == 0xffffffff && thing->u32 != -2");
	FAILS("thing->u32 != -1");
	self->thing.u32 = -EINVAL;
	HOLDS("thing->u32 == -EINVAL && thing->u32 != -1");
	self->thing.u32 = 0;
	FAILS("thing->u32 == -1");
}

TEST_F(where, pointers_may_be_null_or_errors)
{
	HOLDS("thing && thing != NULL && !(thing == NULL)");
	HOLDS("!thing->raw && thing->raw == NULL && thing->raw == 0");
	self->thing.raw = (void *)-EINVAL;
	HOLDS("thing->raw == -EINVAL && thing->raw == -22 && thing->raw");
	FAILS("thing->raw == -EPERM");
	HOLDS("thing->raw >= -4095");
}

TEST_F(where, what_is_behind_a_null_pointer_is_zero_and_no_text)
{
	self->call.thing = NULL;
	HOLDS("!thing->u32 && thing->u32 == 0");
	FAILS("thing->name == \"\"");
	FAILS("thing->name ~ \"*\" || thing->name ~ \"\"");
	HOLDS("!(thing->label ~ \"*\") && !(thing->label ~ \"\")");
	HOLDS("thing->name != \"x\"");
	HOLDS("!thing->deep->next->label");
}

TEST_F(where, up_to_four_pointers_are_followed)
{
	self->deep[1].id = 7;
	self->deep[0].id = 6;
	HOLDS("thing->deep->id == 6");
	HOLDS("thing->deep->next->id == 7");
	FAILS("thing->deep->next->next->id == 7");
	HOLDS("thing->deep[0].id == 6 && thing->deep[1].id == 7");
	REFUSED("thing->deep->next->next->next->id",
		"'next' is one pointer more than the 4 that are followed at column 35");
}

TEST_F(where, masks_come_before_comparisons_and_leave_no_sign)
{
	self->call.flags = 0x8000000000000018;
	HOLDS("flags & 0x10");
	FAILS("flags & 0x20");
	HOLDS("flags & 0x18 == 0x10 || (flags & 0x18) == 0x18");
	HOLDS("flags & 24 == 24");
	HOLDS("flags & -8 == 0x8000000000000018");
	HOLDS("flags & 0x8000000000000000 && (flags & 0x8000000000000000) > 1");
	self->call.number = -1;
	HOLDS("number & 0x80000000 == 0x80000000");
	HOLDS("number & 0xff == 255 && number & F_TWO == F_TWO");
	HOLDS("((number) & 3) > 2 && !(number & 3 != 3)");
	FAILS("!(number & 1)");
	self->thing.u8 = 0x80;
	HOLDS("thing->u8 & 0x80 && !(thing->u8 & 0x7f)");
	REFUSED("number & 1 == -1", "'number & ...' is never that: it is 0 to 4294967295, at column "
		"18");
	REFUSED("thing->u8 & 256", "'thing->u8 & ...' is never that: it is 0 to 255, at column 16");
}

TEST_F(where, enumerators_are_the_operands_own_or_anyones)
{
	self->call.color = GREEN;
	HOLDS("color == GREEN");
	HOLDS("color != RED && color >= GREEN && color < LARGE");
	self->call.color = LARGE;
	HOLDS("color == LARGE && color == 0x80000000 && color > GREEN");
	self->thing.level = LOW;
	HOLDS("thing->level == LOW && thing->level < HIGH && thing->level < 0");
	self->call.flags = 1ull << 40;
	HOLDS("flags == WIDE");
	self->call.number = GREEN;
	HOLDS("number == GREEN && number > F_TWO");
	/* Negative values that their enum has no names for. */
	self->call.color = (enum color)-7;
	HOLDS("color == -7 && color < 0 && color < -6");
	REFUSED_WITH(&self->func, "color == GREN",
		     "unknown value 'GREN' in enum color at column 13", "did you mean 'GREEN'?");
	REFUSED_WITH(&self->func, "number == HIHG", "unknown value 'HIHG' at column 14",
		     "did you mean 'HIGH'?");
	REFUSED("number == AMBIGUOUS",
		"'AMBIGUOUS' has several values, give the one that is meant, at column 14");
	REFUSED_WITH(&self->func, "number == zzzzzzzzzz", "unknown value 'zzzzzzzzzz' at column 14",
		     "give a number, an enumerator, NULL, true, false, -ERRNAME or \"text\"");
}

TEST_F(where, enumerators_of_64_bits_may_be_negative)
{
	self->call.number = -1;
	self->call.stacked = -2;
	HOLDS("number == BACK && number <= BACK");
	HOLDS("stacked < BACK && stacked != BACK");
	REFUSED("flags == BACK", "'flags' is never that: it is 0 to 18446744073709551615, at column 13");
}

TEST_F(where, enumerators_with_opposite_values_have_several)
{
	REFUSED("number == OPPOSITE",
		"'OPPOSITE' has several values, give the one that is meant, at column 14");
}

TEST_F(where, bools_are_true_or_false)
{
	self->thing.flag = 1;
	HOLDS("thing->flag && thing->flag == true && thing->flag != false && thing->flag == 1");
	REFUSED("thing->flag == 2", "'thing->flag' is never that: it is 0 to 1, at column 19");
}

TEST_F(where, bitfields_are_numbers)
{
	self->thing.low = 5;
	self->thing.mid = 0x1abcd;
	self->thing.sign = -3;
	HOLDS("thing->low == 5 && thing->low > 4 && thing->low < 6");
	HOLDS("thing->mid == 0x1abcd && thing->mid & 0xf == 0xd && thing->mid >= 0x1abcd");
	HOLDS("thing->sign == -3 && thing->sign < -2 && thing->sign > -4 && thing->sign == 0xffd");
	self->thing.sign = 3;
	HOLDS("thing->sign == 3 && thing->sign >= 3");
	REFUSED("thing->low == 8", "'thing->low' is never that: it is 0 to 7, at column 18");
	REFUSED("thing->sign > 2047 && thing->sign > 2048",
		"'thing->sign' is never that: it is -2048 to 2047, at column 40");
}

TEST_F(where, members_of_structs_in_registers_and_on_the_stack)
{
	self->call.pair = (struct pair){ -1, 2 };
	self->call.pair_stacked = (struct pair){ 3, -4 };
	self->call.stacked = -5;
	HOLDS("pair.x == -1 && pair.x < 0 && pair.y == 2 && pair.y > 1");
	HOLDS("pair_stacked.x == 3 && pair_stacked.y == -4 && pair_stacked.y < -3");
	HOLDS("pair.x & 0xf0 == 0xf0 && pair.y & 2 && stacked == -5");
	FAILS("pair.y < 0");
}

TEST_F(where, strings_are_equal_or_begin_alike)
{
	self->call.name = "bpf_prog";
	map_text(self->call.name, false);
	HOLDS("name == \"bpf_prog\"");
	FAILS("name == \"bpf_pro\"");
	FAILS("name == \"bpf_progs\"");
	HOLDS("name != \"bpf_progs\"");
	HOLDS("name ~ \"bpf_*\" && name ~ \"*\" && name ~ \"bpf_prog*\" && name ~ \"bpf_prog\"");
	HOLDS("name ~ \"bpf_\" && name ~ \"b\" && name ~ \"\"");
	FAILS("name ~ \"bpf_progs*\" || name ~ \"bpf_progs\" || name ~ \"pf_prog\"");
	FAILS("!(name ~ \"bpf_\")");
	FAILS("!(name ~ \"bpf_*\")");
	FAILS("name == \"\"");
	self->call.name = "";
	map_text(self->call.name, false);
	HOLDS("name == \"\" && name ~ \"*\" && name ~ \"\" && name");
	FAILS("name ~ \"b*\" || name ~ \"b\"");
	self->call.name_stacked = "st: \"\x01\n\\";
	map_text(self->call.name_stacked, false);
	HOLDS("name_stacked == \"st: \\\"\\x01\\n\\\\\" && name_stacked ~ \"st\\72*\"");
	self->thing.label = IN_KERNEL((unsigned char *)"unsigned");
	map_text(memory_at(self->thing.label), false);
	HOLDS("thing->label ~ \"uns*\" && thing->label != \"uns\" && thing->label");
	self->call.name = NULL;
	HOLDS("!name && name != \"\" && name == NULL");
}

TEST_F(where, strings_are_compared_as_far_as_63_bytes_and_no_longer_one_is_equal)
{
	static char text[80];
	char expr[256];

	memset(text, 'x', sizeof(text));
	map_range(text, sizeof(text), false);
	self->call.name = text;
	for (int len = 61; len <= 65; len++) {
		text[len] = '\0';
		for (int of = 61; of <= 64; of++) {
			snprintf(expr, sizeof(expr), "name == \"%.*s\"", of,
				 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
			if (of == 64) {
				compile(self, &self->func, expr);
				EXPECT_EQ(-EINVAL, self->err);
				EXPECT_NE(NULL, strstr(self->messages, "only 63 bytes of text are "
						       "compared; one more begins at column 76 of"));
				continue;
			}
			HOLDS_(len == of, expr);
			strcpy(expr + strlen(expr) - 1, "*\"");
			expr[strcspn(expr, "=")] = '~';
			expr[strcspn(expr, "=")] = ' ';
			HOLDS_(len >= of, expr);
		}
		text[len] = 'x';
	}
}

TEST_F(where, an_array_of_char_is_text_whether_it_ends_or_not)
{
	memset(self->thing.name, 'n', 16);
	HOLDS("thing->name == \"nnnnnnnnnnnnnnnn\" && thing->name ~ \"nnnnnnnnnnnnnnnn*\"");
	FAILS("thing->name == \"nnnnnnnnnnnnnnn\"");
	/* What comes after it is not compared. */
	((char *)&self->thing)[offsetof(struct thing, name) + sizeof(self->thing.name)] = 'o';
	HOLDS("thing->name == \"nnnnnnnnnnnnnnnn\" && thing->name ~ \"nnnnnnnnnnnnnnnn\"");
	strcpy(self->thing.name, "eth0");
	HOLDS("thing->name == \"eth0\" && thing->name ~ \"eth*\" && thing->name[3] == '0'");
	FAILS("thing->name == \"eth\"");
	HOLDS("thing->name ~ \"eth\" && !(thing->name ~ \"eth1\")");
	REFUSED("thing->name == \"12345678901234567\"",
		"'thing->name' has room for 16 bytes, and there are more at column 19");
	REFUSED("thing->name", "'thing->name' is text, compare it with some, as in 'thing->name == "
		"\"text\"', at column 4");
	REFUSED("thing->name != NULL", "'thing->name' is text, compare it with some, as in "
		"'thing->name == \"text\"', at column 4");
}

TEST_F(where, user_memory_is_read_as_such)
{
	struct thing *thing = &self->thing;
	uint64_t args[] = { (uintptr_t)thing, (uintptr_t) "a/path" };

	nr_ranges = 0;
	map_range(thing, sizeof(*thing), true);
	map_text((char *)args[1], true);
	thing->u16 = 99;
	strcpy(thing->name, "user");
	compile(self, &self->other, "user->u16 == 99 && user->name == \"user\" && path ~ \"a/*\"");
	ASSERT_EQ(0, self->err) { TH_LOG("%s", self->messages); }
	EXPECT_TRUE(evaluate(args, 2, 0));
	args[0] = kernel_address(thing);
	EXPECT_FALSE(evaluate(args, 2, 0));
	ranges[0].user = false;
	EXPECT_FALSE(evaluate(args, 2, 0));
	ranges[0].user = true;
	args[0] = (uintptr_t)thing;
	ranges[1].user = false;
	EXPECT_FALSE(evaluate(args, 2, 0));
	REFUSED_BY(&self->other, "user->label == \"x\"",
		   "'user->label' is in user memory, where pointers are not followed at column 4");
	REFUSED_BY(&self->other, "user->deep->id",
		   "'deep' is in user memory, where pointers are not followed at column 16");
}

TEST_F(where, arguments_of_system_calls_are_their_own)
{
	static const struct syscall_params params = {
		3, { { "int", "dfd" }, { "const char *", "filename" }, { "unsigned long", "mask" } },
	};
	struct args_func func = { .name = "__x64_sys_open_it" };
	uint64_t regs[21] = { [14] = 0xffffffffffffff9c, [13] = (uintptr_t) "/etc/x", [12] = 1ull << 63 };
	uint64_t args[] = { kernel_address(regs) };

	map_range(regs, sizeof(regs), false);
	map_text((char *)regs[13], true);
	parse(self, "dfd == -100 && filename ~ \"/etc/*\" && mask > 1");
	ASSERT_EQ(0, self->err);
	ASSERT_EQ(0, where_compile(&self->rule, true, self->kernel, &func, &params, &arch_x86,
				   &compiled));
	EXPECT_TRUE(evaluate(args, 1, 1));
	EXPECT_TRUE(evaluate(args, 1, 0));
	regs[14] = 5;
	EXPECT_FALSE(evaluate(args, 1, 1));
}

TEST_F(where, a_function_without_types_has_registers)
{
	struct args_func func = { .name = "nobody_knows" };
	uint64_t args[] = { 0, 77 };

	parse(self, "si == 77 && !di");
	ASSERT_EQ(0, self->err);
	ASSERT_EQ(0, where_compile(&self->rule, true, self->kernel, &func, NULL, &arch_x86,
				   &compiled));
	EXPECT_TRUE(evaluate(args, 2, 1));
	parse(self, "si->x");
	EXPECT_EQ(-EINVAL,
		  where_compile(&self->rule, false, NULL, &func, NULL, &arch_x86, &compiled));
}

TEST_F(where, operators_bind_as_in_c)
{
	self->call.number = 1;
	HOLDS("number == 1 || number == 2 && number == 3");
	FAILS("(number == 1 || number == 2) && number == 3");
	HOLDS("!(number == 2) && number == 1");
	FAILS("!(number == 2 || number == 1)");
	HOLDS("!!number && !!!(number == 2)");
	HOLDS("!(number & 2)");
	HOLDS("((((number)))) == 1");
	HOLDS("number==1&&flags==0||!number");
	HOLDS(" number\t>\n0 ");
}

TEST_F(where, what_c_reads_differently_is_refused)
{
	REFUSED("!number == 1", "'!' applies to one operand: use parentheses, as "
		"in '!(a == 1)', at column 5");
	REFUSED("!(number) == 1", "'!' applies to one operand: use parentheses, as "
		"in '!(a == 1)', at column 5");
	REFUSED("!number & 1", "'!' applies to one operand: use parentheses, as "
		"in '!(a == 1)', at column 5");
	REFUSED("(number == 1) == 1", "parentheses give true or false, which cannot be compared or masked "
		"at column 18");
	REFUSED("(!number) == 1", "parentheses give true or false, which cannot be compared or masked at "
		"column 14");
	REFUSED("(number && flags) & 1", "parentheses give true or false, which cannot be compared or masked "
		"at column 22");
	REFUSED("number = 1", "'=' is no comparison, '==' is one, at column 11");
	REFUSED("number & 1 & 2", "unexpected text at column 15");
	REFUSED("(number & 1) & 2", "only one '&' is supported, not the second at column 17");
	REFUSED("number | 1", "'||' separates alternatives, not this, at column 11");
}

TEST_F(where, mistakes_are_told_with_the_column)
{
	REFUSED("", "the name of an argument is missing at column 4");
	REFUSED("number == 1 &&", "the name of an argument is missing at column 18");
	REFUSED("(number == 1", "')' is missing at column 16");
	REFUSED("number == 1)", "a ')' without a '(' at column 15");
	REFUSED("()", "the name of an argument is missing at column 5");
	REFUSED("1 == number", "the name of an argument is missing at column 4");
	REFUSED("number ==", "'==' needs a number, a name or \"text\" at column 13");
	REFUSED("number < \"a\"", "text supports only ==, != and ~, not the operator at column 11");
	REFUSED("number ~ 5", "'~' needs \"beginning\" at column 13");
	REFUSED("name ~ \"*x\"", "with '~', only one '*' at the end is supported, not this at column 12");
	REFUSED("name ~ \"a?*\"", "with '~', only one '*' at the end is supported, not this at column 13");
	REFUSED("name & 1 == \"x\"", "the result of '&' is a number and cannot be compared with text "
		"at column 13");
	REFUSED("name == \"abc", "the closing '\"' is missing for the text at column 12");
	REFUSED("name == \"a\\0b\"", "text cannot contain the NUL at column 14");
	REFUSED("name == \"\\q\"", "unknown escape '\\' at column 13");
	REFUSED("name == \"\\777\"", "a character larger than a byte at column 13");
	REFUSED("number == ''", "a character is missing at column 14");
	REFUSED("number == 'ab'", "more than one byte, or the closing ' is missing, at column 14");
	REFUSED("number == 5x", "not a number at column 14");
	REFUSED("number == 09", "not a number at column 14");
	REFUSED("number == 1.5", "not a number at column 14");
	REFUSED("number == 99999999999999999999", "a number beyond 64 bits at column 14");
	REFUSED("number == -9223372036854775809", "a number beyond 64 bits at column 14");
	REFUSED_WITH(&self->func, "number == -NULL", "unknown error 'NULL' at column 14",
		     "give a number or a name such as -EINVAL");
	REFUSED_WITH(&self->func, "number == -EINVALL", "unknown error 'EINVALL' at column 14",
		     "did you mean 'EINVAL'?");
	REFUSED("number == +GREEN", "a sign without a number at column 14");
}

TEST_F(where, constants_a_type_cannot_hold_are_refused)
{
	REFUSED("number == 2147483648",
		"'number' is never that: it is -2147483648 to 2147483647, at column 14");
	REFUSED("number < 0xffffffff",
		"'number' is never that: it is -2147483648 to 2147483647, at column 13");
	REFUSED("flags < -1", "'flags' is never that: it is 0 to 18446744073709551615, at column 12");
	REFUSED("flags == -1", "'flags' is never that: it is 0 to 18446744073709551615, at column 13");
	REFUSED("thing->u32 == -2147483649",
		"'thing->u32' is never that: it is 0 to 4294967295, at column 18");
	REFUSED("thing->u32 < -1", "'thing->u32' is never that: it is 0 to 4294967295, at column 17");
	REFUSED("thing->u8 == -1", "'thing->u8' is never that: it is 0 to 255, at column 17");
	REFUSED("thing->u8 == 256", "'thing->u8' is never that: it is 0 to 255, at column 17");
	REFUSED("thing->s8 >= 128", "'thing->s8' is never that: it is -128 to 127, at column 17");
	REFUSED("thing->s64 > 0x8000000000000000",
		"'thing->s64' is never that: it is -9223372036854775808 to 9223372036854775807, at "
		"column 17");
	REFUSED("flags < 0", "'flags' is unsigned and never less than 0, as at column 12");
	REFUSED("flags >= 0", "'flags' is unsigned and never less than 0, as at column 13");
	REFUSED("thing == -4096", "'thing' is never that: it is 0 to 18446744073709551615, at column 13");
}

TEST_F(where, names_that_are_not_there_are_answered_with_those_that_are)
{
	REFUSED_WITH(&self->func, "nunber == 1", "make() has no argument 'nunber' at column 4",
		     "did you mean 'number'?");
	REFUSED_WITH(&self->func, "thing->colour == 1",
		     "struct thing has no member 'colour' at column 11", "did you mean 'color'?");
	REFUSED_WITH(&self->func, "pair.zzzzzz", "struct pair has no member 'zzzzzz' at column 9",
		     "it has x, y");
	REFUSED("pair == 1", "'pair' is a struct, compare a member, it has x, y, at column 4");
	REFUSED("thing.u32", "'thing' is a pointer, write 'thing->u32' at column 10");
	REFUSED("number == \"x\"", "'number' is no text at column 4");
	REFUSED_BY(&self->other, "*numbers == 1",
		   "'*numbers' is an array, compare an element, as in 'a[0]', at column 5");
	REFUSED_BY(&self->other, "wide == 1",
		   "'wide' is not within 8 bytes that begin where a byte does at column 4");
}

TEST_F(where, what_a_glob_selects_may_lack_an_argument_quietly)
{
	parse(self, "number == 1");
	ASSERT_EQ(0, self->err);
	free(self->messages);
	self->messages = stderr_of(self->err = compile_for(self, &self->other, false));
	EXPECT_EQ(-EINVAL, self->err);
	EXPECT_STREQ("", self->messages);
}

TEST_F(where, equal_comparisons_share_a_test)
{
	HOLDS("number == 0 && (number != 0 || number == 0 && number == +0x0 && !(number != 00))");
	EXPECT_EQ(1, compiled.nr);
	EXPECT_EQ(2, compiled.truth[0]);
	HOLDS("number < 5 && !(number >= 5)");
	EXPECT_EQ(1, compiled.nr);
	HOLDS("number!=1&&number!=2&&number!=3&&number!=4&&number!=5&&number!=6&&number!=7&&number!=8"
	      "&&number!=8&&number!=1");
	EXPECT_EQ(8, compiled.nr);
	compile(self, &self->func, "number==1||number==2||number==3||number==4||number==5||number==6||"
		"number==7||number==8||number==9");
	EXPECT_EQ(-E2BIG, self->err);
	EXPECT_NE(NULL, strstr(self->messages, "no more than 8 different comparisons, and there is "
			       "another at column 92 of"));
}

TEST_F(where, two_conditions_make_one)
{
	struct where a, b, both;

	HOLDS("number == 0 || flags == 1");
	a = compiled;
	FAILS("flags == 1 && color == GREEN");
	b = compiled;
	ASSERT_EQ(0, where_and(&a, &b, &both));
	EXPECT_EQ(3, both.nr);
	compile(self, &self->func, "(number == 0 || flags == 1) && (flags == 1 && color == GREEN)");
	EXPECT_EQ(0, memcmp(&both, &compiled, sizeof(both)));
	compile(self, &self->func, "number==1||number==2||number==3||number==4||number==5||number==6||"
		"number==7||number==8");
	both = (struct where){ .nr = 99 };
	EXPECT_EQ(-E2BIG, where_and(&a, &compiled, &both));
	EXPECT_EQ(99, both.nr);
}

TEST_F(where, the_same_arguments_make_the_same_condition)
{
	struct where first;

	compile(self, &self->func, "thing->u32 == 5 || !(name ~ \"x*\") && color == GREEN");
	first = compiled;
	memset(&compiled, 0xff, sizeof(compiled));
	compile(self, &self->func, "thing -> u32 == 0x5||name!= \"x\" && name ~\"y\"");
	EXPECT_NE(0, memcmp(&first, &compiled, sizeof(first)));
	memset(&compiled, 0xff, sizeof(compiled));
	compile(self, &self->func, "(thing -> u32 == 0x5)||!(name ~\"x*\") && color==5");
	EXPECT_EQ(0, memcmp(&first, &compiled, sizeof(first)));
	memset(&compiled, 0xff, sizeof(compiled));
	compile(self, &self->func, "thing->u32 == 5 || !(name ~ \"x\") && color == GREEN");
	EXPECT_EQ(0, memcmp(&first, &compiled, sizeof(first)));
}

TEST_F(where, globs_may_have_colons)
{
	static const struct {
		const char *text, *spec;
	} cases[] = {
		{ "do_*: a == \"b: c\"", "do_*" },
		{ ":kernel/bpf/*.c: a == ':'", ":kernel/bpf/*.c" },
		{ "f [mod]:a", "f [mod]" },
		{ "syscall:mount: a == 1", "syscall:mount" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		reset(self);
		ASSERT_EQ(0, where_parse(cases[i].text, &self->rule));
		ASSERT_EQ(1, self->rule.funcs.v.len);
		EXPECT_STREQ(cases[i].spec, self->rule.funcs.v.data[0].text);
	}
	reset(self);
	self->messages = stderr_of(self->err = where_parse("a == 1", &self->rule));
	EXPECT_STREQ("retsnoop: --where: 'a == 1' is not of the form 'GLOB: a == 1 && b->c'\n",
		     self->messages);
	free(self->messages);
	self->messages = stderr_of(self->err = where_parse(" : a == 1", &self->rule));
	EXPECT_EQ(-EINVAL, self->err);
	free(self->messages);
	self->messages = stderr_of(self->err = where_parse("@list: a == 1", &self->rule));
	EXPECT_STREQ("retsnoop: --where takes one GLOB and no list of them: '@list'\n",
		     self->messages);
}

static void repeat(struct strbuf *sb, const char *text, int times)
{
	while (times--)
		strbuf_addstr(sb, text);
}

TEST_F(where, hostile_text_is_an_error_and_nothing_else)
{
	static const char *const seeds[] = {
		"number", "thing", "->", ".", "u32", "name", "==", "!=", "<", "~", "&", "&&", "||",
		"!", "(", ")", "\"x*\"", "\"", "'", "\\", "5", "-", "0x", "NULL", "-EINVAL", "GREEN",
		"*", "[", "]", "99999999999999999999", " ", "\xff", "\x1b[2J", "[0]", "deep", ":",
	};
	struct strbuf sb = STRBUF_INIT;
	uint32_t state = 1;
	int good = 0;

	for (int round = 0; round < 30000; round++) {
		strbuf_reset(&sb);
		strbuf_addstr(&sb, round % 3 ? "f: number " : "f:");
		for (int n = 0; n < 2 + round % 6; n++) {
			state = state * 1664525 + 1013904223;
			strbuf_addstr(&sb, seeds[(state >> 8) % (ARRAY_SIZE(seeds))]);
		}
		reset(self);
		self->messages = stderr_of(self->err = where_parse(sb.s, &self->rule));
		EXPECT_EQ(!self->err, !*self->messages) { TH_LOG("%s", sb.s); }
		if (self->err)
			continue;
		good++;
		free(self->messages);
		self->messages = stderr_of(self->err = compile_for(self, &self->func, true));
		EXPECT_EQ(!self->err, !*self->messages) { TH_LOG("%s", sb.s); }
	}
	EXPECT_LT(20, good);

	for (int times = 60; times <= 20000; times = times == 60 ? 64 : times == 64 ? 65 : times * 10) {
		strbuf_reset(&sb);
		strbuf_addstr(&sb, "f:");
		repeat(&sb, times % 2 ? "!" : "(", times);
		strbuf_addstr(&sb, "number");
		repeat(&sb, ")", times % 2 ? 0 : times);
		reset(self);
		self->messages = stderr_of(self->err = where_parse(sb.s, &self->rule));
		EXPECT_EQ(times <= 64 ? 0 : -EINVAL, self->err);
	}
	for (int times = 63; times <= 64; times++) {
		strbuf_reset(&sb);
		strbuf_addstr(&sb, "f: !number");
		repeat(&sb, " && !(!(number) || number)", times / 2);
		repeat(&sb, " || !(number == 0)", times % 2);
		reset(self);
		self->messages = stderr_of(self->err = where_parse(sb.s, &self->rule));
		EXPECT_EQ(times == 63 ? 0 : -EINVAL, self->err);
		if (!self->err)
			EXPECT_EQ(0, compile_for(self, &self->func, true));
	}
	strbuf_release(&sb);
}

TEST_HARNESS_MAIN
