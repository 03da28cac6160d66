// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "bpf/result_rule.h"
#include "util/ask/result_expr.h"

FIXTURE(expr)
{
	struct result_expr expr;
	struct error_rule rule;
	char *messages;
	int err;
};

FIXTURE_SETUP(expr)
{
	memset(self, 0, sizeof(*self));
}

static void reset(FIXTURE_DATA(expr) *self)
{
	result_expr_release(&self->expr);
	error_rule_release(&self->rule);
	free(self->messages);
	self->messages = NULL;
}

FIXTURE_TEARDOWN(expr)
{
	reset(self);
}

static void parse(FIXTURE_DATA(expr) *self, const char *text)
{
	reset(self);
	self->messages = stderr_of(self->err = result_expr_parse("--return", text, &self->expr));
}

static void parse_rule(FIXTURE_DATA(expr) *self, const char *text)
{
	reset(self);
	self->messages = stderr_of(self->err = error_rule_parse(text, &self->rule));
}

#define IS(expr_text, ...)                                                                         \
	do {                                                                                       \
		static const struct config_term terms_[] = { __VA_ARGS__ };                        \
		parse(self, expr_text);                                                            \
		EXPECT_EQ(0, self->err) { TH_LOG("%s: %s", expr_text, self->messages); }           \
		EXPECT_STREQ("", self->messages);                                                  \
		ASSERT_EQ(ARRAY_SIZE(terms_), self->expr.terms.nr);                \
		EXPECT_EQ(0, memcmp(terms_, self->expr.terms.terms, sizeof(terms_)))               \
		{                                                                                  \
			TH_LOG("%s", expr_text);                                                   \
		}                                                                                  \
	} while (0)

#define REFUSED(expr_text, message)                                                                \
	do {                                                                                       \
		parse(self, expr_text);                                                            \
		EXPECT_EQ(-EINVAL, self->err);                                                     \
		EXPECT_STREQ("retsnoop: --return: " message "\n", self->messages);                 \
		EXPECT_EQ(NULL, self->expr.text);                                                  \
	} while (0)

#define RULE_REFUSED(rule_text, message)                                                           \
	do {                                                                                       \
		parse_rule(self, rule_text);                                                       \
		EXPECT_EQ(-EINVAL, self->err);                                                     \
		EXPECT_STREQ("retsnoop: " message "\n", self->messages);                           \
		EXPECT_EQ(NULL, self->rule.expr.text);                                             \
		EXPECT_EQ(0, self->rule.funcs.v.len);                                              \
	} while (0)

TEST_F(expr, a_value_alone_is_what_the_result_equals)
{
	IS("0", { 0, TERM_EQ });
	IS("-22", { -22, TERM_EQ });
	IS("+7", { 7, TERM_EQ });
	IS("010", { 10, TERM_EQ });
	IS("-EINVAL", { -EINVAL, TERM_EQ });
	IS("-einval", { -EINVAL, TERM_EQ });
	IS("NULL", { 0, TERM_EQ });
	IS("null", { 0, TERM_EQ });
	IS("true", { 1, TERM_EQ });
	IS("false", { 0, TERM_EQ });
}

TEST_F(expr, errors_that_never_leave_the_kernel_have_names_too)
{
	IS("-ERESTARTSYS", { -512, TERM_EQ });
	IS("-EPROBE_DEFER", { -517, TERM_EQ });
	IS("-EWOULDBLOCK", { -EAGAIN, TERM_EQ });
}

TEST_F(expr, all_operators)
{
	IS("==5", { 5, TERM_EQ });
	IS("!=5", { 5, TERM_NE });
	IS("<5", { 5, TERM_LT });
	IS("<=5", { 5, TERM_LE });
	IS(">5", { 5, TERM_GT });
	IS(">=5", { 5, TERM_GE });
	IS("<-1", { -1, TERM_LT });
	IS(">=-EAGAIN", { -EAGAIN, TERM_GE });
	IS("!= NULL", { 0, TERM_NE });
	IS("ret < 0", { 0, TERM_LT });
}

TEST_F(expr, commas_and_bars_part_alternatives_and_blanks_do_not_count)
{
	IS("-EINVAL,-ENOMEM", { -EINVAL, TERM_EQ }, { -ENOMEM, TERM_EQ });
	IS("  <0||> 10 ,\t5 ", { 0, TERM_LT }, { 10, TERM_GT }, { 5, TERM_EQ });
	EXPECT_STREQ("<0||> 10 ,\t5", self->expr.text);
	IS("ret == 1 || ret == 2", { 1, TERM_EQ }, { 2, TERM_EQ });
	IS("1,2,3,4,5,6,7,8", { 1, TERM_EQ }, { 2, TERM_EQ }, { 3, TERM_EQ }, { 4, TERM_EQ },
	   { 5, TERM_EQ }, { 6, TERM_EQ }, { 7, TERM_EQ }, { 8, TERM_EQ });
}

TEST_F(expr, numbers_of_64_bits)
{
	IS("9223372036854775807", { INT64_MAX, TERM_EQ });
	IS("-9223372036854775808", { INT64_MIN, TERM_EQ });
	IS("0x10", { 16, TERM_EQ });
	IS("0Xff", { 255, TERM_EQ });
	IS("-0x16", { -22, TERM_EQ });
	IS("0xffffffffffffffea", { -22, TERM_EQ });
	IS("-0x8000000000000000", { INT64_MIN, TERM_EQ });
	REFUSED("9223372036854775808",
		"a number beyond 64 bits at column 1 of '9223372036854775808'");
	REFUSED("<-9223372036854775809",
		"a number beyond 64 bits at column 2 of '<-9223372036854775809'");
	REFUSED("0x10000000000000000", "a number beyond 64 bits at column 1 of '0x10000000000000000'");
	REFUSED("-0x8000000000000001", "a number beyond 64 bits at column 1 of '-0x8000000000000001'");
}

TEST_F(expr, mistakes_are_told_with_the_column)
{
	REFUSED("", "a number or -ERRNAME is missing at column 1 of ''");
	REFUSED("  ", "a number or -ERRNAME is missing at column 3 of '  '");
	REFUSED("<", "'<' needs a number at column 2 of '<'");
	REFUSED("0, < ,5", "'<' needs a number at column 6 of '0, < ,5'");
	REFUSED("!= || 0", "'!=' needs a number or -ERRNAME at column 4 of '!= || 0'");
	REFUSED("0,", "a number or -ERRNAME is missing at column 3 of '0,'");
	REFUSED(",0", "a number or -ERRNAME is missing at column 1 of ',0'");
	REFUSED("0||", "a number or -ERRNAME is missing at column 4 of '0||'");
	REFUSED("0|1", "unexpected text at column 2 of '0|1'");
	REFUSED("0 1", "unexpected text at column 3 of '0 1'");
	REFUSED("=0", "'=' is no comparison, '==' is one, at column 1 of '=0'");
	REFUSED("ret", "'ret' needs a comparison, one of == != < <= > >=, at column 4 of 'ret'");
	REFUSED(">0 && <9", "conditions are alternatives: '||', no '&&', at column 4 of '>0 && <9'");
	REFUSED("5x", "not a number at column 1 of '5x'");
	REFUSED("0x", "not a number at column 1 of '0x'");
	REFUSED("0xg", "not a number at column 1 of '0xg'");
	REFUSED("--5", "a number or -ERRNAME is missing at column 1 of '--5'");
	REFUSED("-", "a number or -ERRNAME is missing at column 1 of '-'");
	REFUSED("- 5", "a number or -ERRNAME is missing at column 1 of '- 5'");
	REFUSED("-NULL", "a sign without a number at column 1 of '-NULL'");
	REFUSED("<>5", "'<' needs a number at column 2 of '<>5'");
	REFUSED("1,2,3,4,5,6,7,8,9", "no more than 8 conditions, and there is another at column 17 "
		"of '1,2,3,4,5,6,7,8,9'");
	/* Columns are characters, not bytes. */
	REFUSED("ü", "a number or -ERRNAME is missing at column 1 of 'ü'");
	REFUSED("0 ü <", "unexpected text at column 3 of '0 ü <'");
}

TEST_F(expr, misspelt_errors_are_answered_with_the_nearest)
{
	REFUSED("-EINVALL",
		"unknown error 'EINVALL' at column 1 of '-EINVALL'; did you mean 'EINVAL'?");
	REFUSED("0,!=-ENOMME",
		"unknown error 'ENOMME' at column 5 of '0,!=-ENOMME'; did you mean 'ENOMEM'?");
	REFUSED("-zzzzzzzzzzzzzzz", "unknown error 'zzzzzzzzzzzzzzz' at column 1 of "
		"'-zzzzzzzzzzzzzzz'; give a number or a name such as -EINVAL");
	REFUSED("EINVAL",
		"results are negative errnos: write '-EINVAL' at column 1 of 'EINVAL'");
	REFUSED("+EPERM", "results are negative errnos: write '-EPERM' at column 1 of '+EPERM'");
}

TEST_F(expr, hostile_text_is_an_error_and_nothing_else)
{
	static const char *const seeds[] = {
		"-EINVAL", "||", ",", "<=", "0x", "ret", ":", " ", "-", "9", "\xff", "\n", "*", "[",
		"]", "@", "=", "!", "&&", "NULL", "\x1b[2J", "99999999999999999999", ".", "true",
	};
	char text[256];
	uint32_t state = 1;
	int good = 0;

	for (int round = 0; round < 20000; round++) {
		text[0] = '\0';
		for (int n = 0; n < 6; n++) {
			state = state * 1664525 + 1013904223;
			strcat(text, seeds[(state >> 8) % (ARRAY_SIZE(seeds))]);
		}
		parse(self, text);
		ASSERT_EQ(!self->err, !!self->expr.text) { TH_LOG("%s", text); }
		ASSERT_EQ(!self->err, !*self->messages) { TH_LOG("%s", text); }
		ASSERT_TRUE(!self->err || self->err == -EINVAL);
		good += !self->err;
		parse_rule(self, text);
		ASSERT_EQ(!self->err, !!self->rule.expr.text) { TH_LOG("%s", text); }
		ASSERT_EQ(!self->err, !*self->messages) { TH_LOG("%s", text); }
	}
	EXPECT_LT(0, good);
}

TEST_F(expr, a_name_of_any_length_is_cut_in_the_message)
{
	char text[5001];

	text[0] = '-';
	memset(text + 1, 'E', sizeof(text) - 2);
	text[sizeof(text) - 1] = '\0';
	parse(self, text);
	EXPECT_EQ(-EINVAL, self->err);
	EXPECT_GT(2100, strlen(self->messages));
}

TEST_F(expr, a_rule_is_a_glob_and_a_condition)
{
	parse_rule(self, "map_*: ret == 0 || ret<-10");
	ASSERT_EQ(0, self->err) { TH_LOG("%s", self->messages); }
	ASSERT_EQ(1, self->rule.funcs.v.len);
	EXPECT_STREQ("map_*", self->rule.funcs.v.data[0].name);
	EXPECT_STREQ("ret == 0 || ret<-10", self->rule.expr.text);
	ASSERT_EQ(2, self->rule.expr.terms.nr);
	EXPECT_EQ(TERM_LT, self->rule.expr.terms.terms[1].op);
	EXPECT_TRUE(terms_hold(&self->rule.expr.terms, (uint64_t)-11, RETURN_INT32));
	EXPECT_TRUE(terms_hold(&self->rule.expr.terms, 0, RETURN_INT32));
	EXPECT_FALSE(terms_hold(&self->rule.expr.terms, (uint64_t)-10, RETURN_INT32));
}

TEST_F(expr, a_rule_compares_the_number_that_a_byte_is)
{
	parse_rule(self, "level: ret == 251");
	ASSERT_EQ(0, self->err) { TH_LOG("%s", self->messages); }
	EXPECT_TRUE(terms_hold(&self->rule.expr.terms, 0xfffffffb, RETURN_UNSIGNED8));
	EXPECT_TRUE(terms_hold(&self->rule.expr.terms, 0xabcd00fb, RETURN_UNSIGNED8));
	EXPECT_FALSE(terms_hold(&self->rule.expr.terms, 0xfffffffb, RETURN_INT8));
	EXPECT_FALSE(terms_hold(&self->rule.expr.terms, 0xfffffffb, RETURN_UNSIGNED16));
}

TEST_F(expr, the_globs_of_rules_are_those_of_all_options)
{
	parse_rule(self, " nf_* [nf_tables] :ret!=0 ");
	ASSERT_EQ(0, self->err) { TH_LOG("%s", self->messages); }
	EXPECT_STREQ("nf_tables", self->rule.funcs.v.data[0].module);
	EXPECT_STREQ("ret!=0", self->rule.expr.text);
	parse_rule(self, ":kernel/bpf/*.c: ret == NULL");
	ASSERT_EQ(0, self->err) { TH_LOG("%s", self->messages); }
	EXPECT_EQ(SPEC_SOURCE, self->rule.funcs.v.data[0].kind);
	EXPECT_STREQ("kernel/bpf/*.c", self->rule.funcs.v.data[0].name);
	parse_rule(self, ":ret.c:ret>0");
	ASSERT_EQ(0, self->err) { TH_LOG("%s", self->messages); }
	EXPECT_STREQ("ret.c", self->rule.funcs.v.data[0].name);
	parse_rule(self, ":a:ret: ret>0");
	ASSERT_EQ(0, self->err) { TH_LOG("%s", self->messages); }
	EXPECT_STREQ("a:ret", self->rule.funcs.v.data[0].name);
}

TEST_F(expr, mistakes_in_rules)
{
	RULE_REFUSED("", "--error-if: '' is not of the form 'GLOB: ret == 0'");
	RULE_REFUSED("map_create", "--error-if: 'map_create' is not of the form 'GLOB: ret == 0'");
	RULE_REFUSED(":kernel/bpf/*.c",
		     "--error-if: ':kernel/bpf/*.c' is not of the form 'GLOB: ret == 0'");
	RULE_REFUSED("ret == 0", "--error-if: 'ret == 0' is not of the form 'GLOB: ret == 0'");
	RULE_REFUSED("x:", "--error-if: a condition such as 'ret == 0' is missing at column 3 of 'x:'");
	RULE_REFUSED("x: 0",
		     "--error-if: a condition such as 'ret == 0' is missing at column 4 of 'x: 0'");
	RULE_REFUSED("x: retry",
		     "--error-if: a condition such as 'ret == 0' is missing at column 4 of 'x: retry'");
	RULE_REFUSED("x: ret == 0 || 5", "--error-if: a condition such as 'ret == 0' is missing at "
		     "column 16 of 'x: ret == 0 || 5'");
	RULE_REFUSED("x: ret = 0",
		     "--error-if: '=' is no comparison, '==' is one, at column 8 of 'x: ret = 0'");
	RULE_REFUSED("x: ret < ", "--error-if: '<' needs a number at column 10 of 'x: ret < '");
	RULE_REFUSED(": ret == 0", "--error-if: no function before ':' in ': ret == 0'");
	RULE_REFUSED("@list: ret == 0", "--error-if takes one GLOB and no list of them: '@list'");
	RULE_REFUSED("a b: ret == 0", "function 'a b': a name has no blanks; give each function an option or a line of its own");
	RULE_REFUSED("x [: ret == 0", "function 'x [': a module is written 'NAME [MODULE]'");
}

TEST_HARNESS_MAIN
