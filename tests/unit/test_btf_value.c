// SPDX-License-Identifier: BSD-2-Clause
#include <arpa/inet.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "unit.h"
#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/view/values/btf_value.h"
#include "util/view/values/value_known.h"
#include "util/view/values/value_type.h"

/* BTF made by hand. Ids that tests use. */
FIXTURE(value)
{
	struct btf *btf;
	int ch, u8, i16, i32, u32, i64, u64, u16, i128, u128, boolean, f32, f64;
	int color, bits, wide_enum, negative;
	int void_ptr, func_ptr, fwd;
	struct value_format format;
	struct strbuf text;
};

static const char *symbol(void *arg, uint64_t addr)
{
	return addr == 0xffffffff81000010 ? "do_it+0x10" : NULL;
}

FIXTURE_SETUP(value)
{
	struct btf *b = btf__new_empty();

	self->btf = b;
	self->ch = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	self->u8 = btf__add_int(b, "unsigned char", 1, 0);
	self->i16 = btf__add_int(b, "short int", 2, BTF_INT_SIGNED);
	self->u16 = btf__add_int(b, "short unsigned int", 2, 0);
	self->i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	self->u32 = btf__add_int(b, "unsigned int", 4, 0);
	self->i64 = btf__add_int(b, "long int", 8, BTF_INT_SIGNED);
	self->u64 = btf__add_int(b, "long unsigned int", 8, 0);
	self->i128 = btf__add_int(b, "__int128", 16, BTF_INT_SIGNED);
	self->u128 = btf__add_int(b, "unsigned __int128", 16, 0);
	self->boolean = btf__add_int(b, "_Bool", 1, BTF_INT_BOOL);
	self->f32 = btf__add_float(b, "float", 4);
	self->f64 = btf__add_float(b, "double", 8);
	self->color = btf__add_enum(b, "color", 4);
	btf__add_enum_value(b, "RED", 0);
	btf__add_enum_value(b, "GREEN", 1);
	btf__add_enum_value(b, "BLUE", 2);
	btf__add_enum_value(b, "BLACK", 3);
	self->bits = btf__add_enum(b, "bits", 4);
	btf__add_enum_value(b, "BIT_A", 1);
	btf__add_enum_value(b, "BIT_B", 2);
	btf__add_enum_value(b, "BIT_C", 4);
	btf__add_enum_value(b, "BIT_D", 8);
	btf__add_enum_value(b, "BITS_ALL", 15);
	self->wide_enum = btf__add_enum64(b, "wide", 8, false);
	btf__add_enum64_value(b, "WIDE_LOW", 1);
	btf__add_enum64_value(b, "WIDE_HIGH", 1ull << 40);
	self->negative = btf__add_enum(b, "negative", 4);
	btf__add_enum_value(b, "MINUS", -1);
	btf__add_enum_value(b, "PLUS", 1);
	self->void_ptr = btf__add_ptr(b, 0);
	self->func_ptr = btf__add_ptr(b, btf__add_func_proto(b, self->i32));
	self->fwd = btf__add_fwd(b, "hidden", BTF_FWD_STRUCT);
	self->format = (struct value_format){ .symbol = symbol };
}

FIXTURE_TEARDOWN(value)
{
	strbuf_release(&self->text);
	btf__free(self->btf);
}

static const char *show(FIXTURE_DATA(value) *self, int type, const char *name, const void *data,
			size_t len)
{
	/* A heap copy of just that size, for the sanitizer to see what is read beyond. */
	uint8_t *copy = memcpy(malloc(len + !len), data, len);
	struct value value = {
		.btf = self->btf, .type = type, .name = name, .data = copy, .len = len,
	};

	strbuf_reset(&self->text);
	value_add(&self->text, &self->format, &value);
	free(copy);
	return strbuf_str(&self->text);
}

#define EXPECT_SHOWN(text, type, ctype, ...)                                                       \
	({                                                                                         \
		ctype data_ = __VA_ARGS__;                                                         \
		EXPECT_STREQ(text, show(self, self->type, "v", &data_, sizeof(data_)));            \
	})
#define EXPECT_ARRAY_SHOWN(text, type, ctype, ...)                                                 \
	({                                                                                         \
		ctype data_[] = { __VA_ARGS__ };                                                   \
		EXPECT_STREQ(text, show(self, type, "v", data_, sizeof(data_)));                   \
	})
#define EXPECT_TYPE_SHOWN(text, type, ctype, ...)                                                  \
	({                                                                                         \
		ctype data_ = __VA_ARGS__;                                                         \
		EXPECT_STREQ(text, show(self, type, "v", &data_, sizeof(data_)));                  \
	})

TEST_F(value, integers_are_decimal_until_they_are_large)
{
	EXPECT_SHOWN("0", i32, int, 0);
	EXPECT_SHOWN("-22", i32, int, -22);
	EXPECT_SHOWN("1048576", u32, unsigned int, 1 << 20);
	EXPECT_SHOWN("0x100001", u32, unsigned int, (1 << 20) + 1);
	EXPECT_SHOWN("0x80000000", i32, int, INT32_MIN);
	EXPECT_SHOWN("-1073741824", i32, int, -(1 << 30));
	EXPECT_SHOWN("0xffffffffbfffffff", i64, long, -(1l << 30) - 1);
	EXPECT_SHOWN("-1", i16, short, -1);
	EXPECT_SHOWN("65535", u16, unsigned short, 65535);
	EXPECT_SHOWN("200", u8, unsigned char, 200);
	EXPECT_SHOWN("0xffff888126ae9100", u64, unsigned long, 0xffff888126ae9100);
}

TEST_F(value, a_number_of_flags_or_permissions_is_in_the_base_they_are_made_of)
{
	int gfp = btf__add_typedef(self->btf, "gfp_t", self->u32);
	int mode = btf__add_typedef(self->btf, "umode_t", self->u16);

	EXPECT_TYPE_SHOWN("0xcc0", gfp, unsigned int, 0xcc0);
	EXPECT_TYPE_SHOWN("0644", mode, unsigned short, 0644);
	EXPECT_TYPE_SHOWN("0", mode, unsigned short, 0);
	EXPECT_STREQ("0x241", show(self, self->i32, "f_flags", "\x41\x02\0\0", 4));
	EXPECT_STREQ("8", show(self, self->i32, "f_flags", "\x08\0\0\0", 4));
	EXPECT_STREQ("577", show(self, self->i32, "flagship", "\x41\x02\0\0", 4));
}

TEST_F(value, wide_integers_are_shown_whole)
{
	EXPECT_SHOWN("5", i128, __int128, 5);
	EXPECT_SHOWN("-5", i128, __int128, -5);
	EXPECT_SHOWN("0x10000000000000002", u128, unsigned __int128, ((__int128)1 << 64) + 2);
	EXPECT_SHOWN("0xffffffffffffffff", u128, unsigned __int128, (__int128)UINT64_MAX);
}

TEST_F(value, bools_chars_and_floats_read_like_c)
{
	EXPECT_SHOWN("true", boolean, bool, true);
	EXPECT_SHOWN("false", boolean, bool, false);
	EXPECT_SHOWN("2", boolean, char, 2);
	EXPECT_SHOWN("'x'", ch, char, 'x');
	EXPECT_SHOWN("'\\''", ch, char, '\'');
	EXPECT_SHOWN("-2", ch, char, -2);
	EXPECT_SHOWN("1.5", f32, float, 1.5);
	EXPECT_SHOWN("-0.25", f64, double, -0.25);
}

TEST_F(value, enums_are_shown_by_name)
{
	EXPECT_SHOWN("RED", color, int, 0);
	EXPECT_SHOWN("BLACK", color, int, 3);
	EXPECT_SHOWN("4", color, int, 4);
	EXPECT_SHOWN("WIDE_HIGH", wide_enum, unsigned long, 1ull << 40);
	EXPECT_SHOWN("3", wide_enum, unsigned long, 3);
	EXPECT_SHOWN("MINUS", negative, int, -1);
	EXPECT_SHOWN("-2", negative, int, -2);
}

TEST_F(value, enums_that_are_flags_are_taken_apart)
{
	EXPECT_SHOWN("BIT_A", bits, int, 1);
	EXPECT_SHOWN("BIT_A|BIT_C", bits, int, 5);
	EXPECT_SHOWN("BITS_ALL", bits, int, 15);
	EXPECT_SHOWN("BIT_B|0x30", bits, int, 0x32);
	EXPECT_SHOWN("0x40", bits, int, 0x40);
	EXPECT_SHOWN("0", bits, int, 0);
}

TEST_F(value, pointers_are_null_errors_functions_or_addresses)
{
	EXPECT_SHOWN("NULL", void_ptr, uint64_t, 0);
	EXPECT_SHOWN("-EINVAL", void_ptr, uint64_t, -22ull);
	EXPECT_SHOWN("-4000", void_ptr, uint64_t, -4000ull);
	EXPECT_SHOWN("0xffffffffffffefff", void_ptr, uint64_t, -4097ull);
	EXPECT_SHOWN("0xffffffff81000010", void_ptr, uint64_t, 0xffffffff81000010);
	EXPECT_SHOWN("do_it+0x10", func_ptr, uint64_t, 0xffffffff81000010);
	EXPECT_SHOWN("0xffffffff81000020", func_ptr, uint64_t, 0xffffffff81000020);
	EXPECT_SHOWN("NULL", func_ptr, uint64_t, 0);
}

struct nested {
	int a;
	struct {
		int x, y;
	} in;
	char name[8];
	unsigned int b;
};

static int add_nested(FIXTURE_DATA(value) *self)
{
	int in = btf__add_struct(self->btf, NULL, 8), name, id;

	btf__add_field(self->btf, "x", self->i32, 0, 0);
	btf__add_field(self->btf, "y", self->i32, 32, 0);
	name = btf__add_array(self->btf, self->i32, self->ch, 8);
	id = btf__add_struct(self->btf, "nested", sizeof(struct nested));
	btf__add_field(self->btf, "a", self->i32, 0, 0);
	btf__add_field(self->btf, "in", in, 32, 0);
	btf__add_field(self->btf, "name", name, 96, 0);
	btf__add_field(self->btf, "b", self->u32, 160, 0);
	return id;
}

TEST_F(value, zero_members_are_left_out_however_deep)
{
	int id = add_nested(self);

	EXPECT_TYPE_SHOWN("{.a=1,.in={.y=2},.name=\"simfail\",.b=3}", id, struct nested,
			  { 1, { 0, 2 }, "simfail", 3 });
	EXPECT_TYPE_SHOWN("{.b=3}", id, struct nested, { .b = 3 });
	EXPECT_TYPE_SHOWN("{}", id, struct nested, {});
}

TEST_F(value, what_was_not_captured_shows)
{
	struct nested n = { 1, { 0, 2 }, "simfail", 3 }, zero = {};
	int id = add_nested(self);

	EXPECT_STREQ("{.a=1,.in={.y=2},.name=\"simfail\",…}", show(self, id, "", &n, 20));
	EXPECT_STREQ("{.a=1,.in={.y=2},.name=\"simf\"…,…}", show(self, id, "", &n, 16));
	EXPECT_STREQ("{.a=1,…}", show(self, id, "", &n, 6));
	EXPECT_STREQ("{.a=…,…}", show(self, id, "", &n, 2));
	EXPECT_STREQ("{…}", show(self, id, "", &zero, 12));
	EXPECT_STREQ("{…}", show(self, id, "", &n, 0));
	EXPECT_STREQ("…", show(self, self->i64, "", &n, 7));
	EXPECT_STREQ("…", show(self, self->void_ptr, "", &n, 4));
}

TEST_F(value, anonymous_members_and_unions_have_braces_of_their_own)
{
	int in = btf__add_union(self->btf, NULL, 8), id;

	btf__add_field(self->btf, "kernel", self->void_ptr, 0, 0);
	btf__add_field(self->btf, "user", self->void_ptr, 0, 0);
	id = btf__add_struct(self->btf, "sockptr", 16);
	btf__add_field(self->btf, NULL, in, 0, 0);
	btf__add_field(self->btf, "is_kernel", self->boolean, 64, 1);
	EXPECT_ARRAY_SHOWN("{{.kernel=0x7ffc521c62a0,.user=0x7ffc521c62a0}}", id, uint64_t,
			   0x7ffc521c62a0, 0);
}

TEST_F(value, bitfields_have_values_of_their_own)
{
	int id = btf__add_struct(self->btf, "fields", 4);

	btf__add_field(self->btf, "low", self->u32, 0, 3);
	btf__add_field(self->btf, "flag", self->boolean, 3, 1);
	btf__add_field(self->btf, "sign", self->i32, 4, 4);
	btf__add_field(self->btf, "color", self->color, 14, 4);
	btf__add_field(self->btf, "none", self->u32, 20, 5);
	EXPECT_TYPE_SHOWN("{.low=5,.flag=true,.sign=-2,.color=BLUE}", id, uint32_t,
			  5 | 1 << 3 | 0xe << 4 | 2 << 14);
	EXPECT_STREQ("{.low=5,…}", show(self, id, "", "\x05", 1));
}

TEST_F(value, a_bitfield_alone_can_be_shown)
{
	struct value value = {
		.btf = self->btf, .type = self->u32, .data = (uint8_t *)"\xff\x01", .len = 2,
		.bit_offset = 4, .bits = 7,
	};

	value_add(&self->text, &self->format, &value);
	EXPECT_STREQ("31", strbuf_str(&self->text));
}

TEST_F(value, arrays_end_where_only_zeros_follow)
{
	int id = btf__add_array(self->btf, self->i32, self->i32, 4);
	int two = btf__add_array(self->btf, self->i32, id, 2);
	int pointers = btf__add_array(self->btf, self->i32, self->void_ptr, 3);

	EXPECT_ARRAY_SHOWN("[1,0,3]", id, int, 1, 0, 3, 0);
	EXPECT_ARRAY_SHOWN("[]", id, int, 0, 0, 0, 0);
	EXPECT_ARRAY_SHOWN("[[1],[0,0,0,2]]", two, int, 1, 0, 0, 0, 0, 0, 0, 2);
	EXPECT_ARRAY_SHOWN("[NULL,0x10]", pointers, uint64_t, 0, 16, 0);
	EXPECT_STREQ("[1,2,…]", show(self, id, "", "\1\0\0\0\2\0\0\0", 8));
}

TEST_F(value, char_arrays_are_text)
{
	int id = btf__add_array(self->btf, self->i32, self->ch, 8);

	EXPECT_STREQ("\"abc\"", show(self, id, "", "abc\0xyz", 8));
	EXPECT_STREQ("\"abcdefgh\"", show(self, id, "", "abcdefgh", 8));
	EXPECT_STREQ("\"abcd\"…", show(self, id, "", "abcd", 4));
	EXPECT_STREQ("\"a\\n\\\"\\\\\\x01\"", show(self, id, "", "a\n\"\\\x01\0\0", 8));
}

TEST_F(value, unsigned_char_arrays_are_text_when_they_hold_some)
{
	int id = btf__add_array(self->btf, self->i32, self->u8, 8);

	EXPECT_STREQ("\"ab\"", show(self, id, "", "ab\0\0\0\0\0\0", 8));
	EXPECT_STREQ("\"abcdefgh\"", show(self, id, "", "abcdefgh", 8));
	/* A name shorter than the one that was there before. */
	EXPECT_STREQ("\"abcd\"", show(self, id, "", "abcd\0fg", 8));
	EXPECT_STREQ("\"größe\"", show(self, id, "", "größe\0", 8));
	EXPECT_STREQ("\"abcd\"…", show(self, id, "", "abcd", 4));
	EXPECT_STREQ("\"abcdef\\xc3\"…", show(self, id, "", "abcdef\xc3", 7));
}

TEST_F(value, unsigned_char_arrays_are_numbers_otherwise)
{
	int id = btf__add_array(self->btf, self->i32, self->u8, 8);
	int bytes = btf__add_array(self->btf, self->i32,
				   btf__add_typedef(self->btf, "u8", self->u8), 8);

	EXPECT_STREQ("[82,84,0,18,52,86]", show(self, id, "", "RT\0\x12\x34\x56\0\0", 8));
	EXPECT_STREQ("[97,1,98,99]", show(self, id, "", "a\x01""bc\0\0\0\0", 8));
	EXPECT_STREQ("[65]", show(self, id, "", "A\0\0\0\0\0\0\0", 8));
	EXPECT_STREQ("[97,98,99,100,195,40]", show(self, id, "", "abcd\xc3(\0\0", 8));
	EXPECT_STREQ("[]", show(self, id, "", "\0\0\0\0\0\0\0\0", 8));
	EXPECT_STREQ("[97,98,99,100]", show(self, bytes, "", "abcd\0\0\0\0", 8));
}

TEST_F(value, what_unsigned_char_pointers_lead_to_is_text_or_numbers)
{
	value_bytes_add(&self->text, "etc\t", 4, false);
	EXPECT_STREQ("\"etc\\t\"", strbuf_str(&self->text));
	strbuf_reset(&self->text);
	value_bytes_add(&self->text, "größ", 6, true);
	EXPECT_STREQ("\"größ\"…", strbuf_str(&self->text) );
	strbuf_reset(&self->text);
	value_bytes_add(&self->text, "\x01\xff" "ab", 4, false);
	EXPECT_STREQ("&[1,255,97,98,…]", strbuf_str(&self->text));
	strbuf_reset(&self->text);
	value_bytes_add(&self->text, "", 0, false);
	EXPECT_STREQ("\"\"", strbuf_str(&self->text));
}

static const char *text_of(FIXTURE_DATA(value) *self, const char *text, size_t len, bool cut)
{
	uint8_t *copy = memcpy(malloc(len + !len), text, len);

	strbuf_reset(&self->text);
	value_string_add(&self->text, copy, len, cut);
	free(copy);
	return strbuf_str(&self->text);
}

TEST_F(value, text_cannot_do_anything_to_a_terminal)
{
	EXPECT_STREQ("\"\\x1b[2J\\x9b\"", text_of(self, "\x1b[2J\x9b", 5, false));
	EXPECT_STREQ("\"größe\"", text_of(self, "größe", 7, false));
	EXPECT_STREQ("\"\\xe2\\x80\\xae\"", text_of(self, "\xe2\x80\xae", 3, false));
	EXPECT_STREQ("\"\\xe2\\x81\\xa6\"", text_of(self, "\xe2\x81\xa6", 3, false));
	EXPECT_STREQ("\"…\"", text_of(self, "…", 3, false));
	EXPECT_STREQ("\"\\xc2\\x9b\"", text_of(self, "\xc2\x9b", 2, false));
	EXPECT_STREQ("\"\\xc0\\x80\\xed\\xa0\\x80\"", 
		     text_of(self, "\xc0\x80\xed\xa0\x80", 5, false));
	EXPECT_STREQ("\"ab\\xe2\\x82\"…", text_of(self, "ab\xe2\x82", 4, true));
	EXPECT_STREQ("\"\\x7f\\t\\x00\"", text_of(self, "\x7f\t", 3, false));
	EXPECT_STREQ("\"\"", text_of(self, "", 0, false));
}

TEST_F(value, names_and_qualifiers_are_seen_through)
{
	int id = btf__add_const(self->btf, btf__add_volatile(self->btf,
			btf__add_typedef(self->btf, "pid_t", self->i32)));

	EXPECT_TYPE_SHOWN("42", id, int, 42);
	id = btf__add_type_tag(self->btf, "percpu", btf__add_restrict(self->btf, self->color));
	EXPECT_TYPE_SHOWN("GREEN", id, int, 1);
}

TEST_F(value, what_has_no_size_is_not_shown)
{
	EXPECT_SHOWN("…", fwd, uint64_t, 1);
	EXPECT_STREQ("1", show(self, 0, "", "\1\0\0\0\0\0\0", 8));
	EXPECT_STREQ("…", show(self, 12345, "", "\1\0\0\0\0\0\0", 8));
	EXPECT_STREQ("…", show(self, btf__add_func_proto(self->btf, 0), "", "\1", 1));
}

TEST_F(value, a_number_without_a_type_is_what_it_looks_like)
{
	uint64_t pointer = 0xffff888126ae9100, error = -22, small = 7;

	EXPECT_STREQ("0xffff888126ae9100", show(self, 0, "", &pointer, 8));
	EXPECT_STREQ("-EINVAL", show(self, 0, "", &error, 8));
	EXPECT_STREQ("7", show(self, 0, "", &small, 8));
	EXPECT_STREQ("0xffffffea", show(self, 0, "", &error, 4));
	EXPECT_STREQ("…", show(self, 0, "", &small, 0));
}

TEST_F(value, verbose_values_have_types_and_lines)
{
	int id = add_nested(self);

	self->format.mode = VALUE_VERBOSE;
	self->format.indent = 2;
	EXPECT_TYPE_SHOWN("(struct nested){\n"
			  "      .a = (int)1,\n"
			  "      .in = (struct){\n"
			  "          .y = (int)2,\n"
			  "      },\n"
			  "      .name = (char[8])\"sim\",\n"
			  "  }", id, struct nested, { 1, { 0, 2 }, "sim", 0 });
	EXPECT_TYPE_SHOWN("(struct nested){}", id, struct nested, {});
	EXPECT_SHOWN("(enum color)BLUE", color, int, 2);
}

TEST_F(value, types_are_named_as_in_c)
{
	int pointer = btf__add_ptr(self->btf, btf__add_const(self->btf, add_nested(self)));

	value_type_add(&self->text, self->btf, btf__add_ptr(self->btf, pointer));
	EXPECT_STREQ("const struct nested **", strbuf_str(&self->text));
	strbuf_reset(&self->text);
	value_type_add(&self->text, self->btf, self->void_ptr);
	EXPECT_STREQ("void *", strbuf_str(&self->text));
}

static const char *cut(FIXTURE_DATA(value) *self, const char *text, uint32_t columns)
{
	strbuf_reset(&self->text);
	strbuf_addstr(&self->text, "> ");
	strbuf_addstr(&self->text, text);
	value_cut(&self->text, 2, columns);
	return strbuf_str(&self->text) + 2;
}

TEST_F(value, a_long_value_is_cut_where_its_columns_end)
{
	EXPECT_STREQ("abcd…", cut(self, "abcdef", 5));
	EXPECT_STREQ("abcde", cut(self, "abcde", 5));
	EXPECT_STREQ("äöü…", cut(self, "äöüßab", 4));
	EXPECT_STREQ("日…", cut(self, "日本語", 4));
	EXPECT_STREQ("日本…", cut(self, "日本語", 5));
	EXPECT_STREQ("日本語", cut(self, "日本語", 6));
	EXPECT_STREQ("e\u0301a…", cut(self, "e\u0301abc", 3));
	EXPECT_STREQ("abe\u0301", cut(self, "abe\u0301", 3));
	EXPECT_STREQ("…", cut(self, "abc", 1));
	EXPECT_STREQ("abc", cut(self, "abc", 0));
}

TEST_F(value, work_ends_with_the_width_that_is_shown)
{
	int id = btf__add_array(self->btf, self->i32, self->i32, 1000), data[1000];

	for (int i = 0; i < 1000; i++)
		data[i] = 1;
	self->format.max_width = 10;
	EXPECT_GT(60, strlen(show(self, id, "", data, sizeof(data))));
	self->format.max_width = 0;
	EXPECT_EQ(2001, strlen(show(self, id, "", data, sizeof(data))));
}

TEST_F(value, socket_addresses_are_shown_as_such)
{
	struct sockaddr_in in = { AF_INET, htons(80), { htonl(0x7f000001) } };
	struct sockaddr_in6 in6 = { AF_INET6, htons(443), 0, IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_un un = { AF_UNIX, "/run/x" }, abstract = { AF_UNIX, "\0dbus" };
	struct sockaddr_nl netlink = { AF_NETLINK, 0, 5, 3 };
	int data = btf__add_array(self->btf, self->i32, self->ch, 14), id;

	id = btf__add_struct(self->btf, "sockaddr", 16);
	btf__add_field(self->btf, "sa_family", self->u16, 0, 0);
	btf__add_field(self->btf, "sa_data", data, 16, 0);
	EXPECT_STREQ("{AF_INET 127.0.0.1:80}", show(self, id, "", &in, sizeof(in)));
	EXPECT_STREQ("{AF_INET6 [::1]:443}", show(self, id, "", &in6, sizeof(in6)));
	EXPECT_STREQ("{AF_UNIX \"/run/x\"}", show(self, id, "", &un, 28));
	EXPECT_STREQ("{AF_UNIX \"/r\"…}", show(self, id, "", &un, 4));
	EXPECT_STREQ("{AF_UNIX @\"dbus\"}", show(self, id, "", &abstract, 28));
	EXPECT_STREQ("{.sa_family=2,.sa_data=\"\\a\"…}", show(self, id, "", "\2\0\a", 3));
	EXPECT_STREQ("{AF_NETLINK pid 5, groups 0x3}", show(self, id, "", &netlink, sizeof(netlink)));
	EXPECT_STREQ("{.sa_family=17}", show(self, id, "", "\x11\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16));
	EXPECT_STREQ("{…}", show(self, id, "", "", 1));
}

TEST(the_path_of_an_address_that_is_whole_may_have_no_end)
{
	struct sockaddr_un un = { AF_UNIX, "/run/x" };
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	EXPECT_TRUE(socket_address_add(&text, (const uint8_t *)&un, 8, true));
	EXPECT_STREQ("{AF_UNIX \"/run/x\"}", strbuf_str(&text));
	EXPECT_FALSE(socket_address_add(&text, (const uint8_t *)"\2\0\0\x50", 4, true));
	EXPECT_STREQ("{AF_UNIX \"/run/x\"}", strbuf_str(&text));
}

TEST_F(value, a_dentry_is_shown_by_its_short_name)
{
	struct {
		uint32_t hash, len;
		uint64_t name;
		char iname[32];
	} dentry = { 1, 6, 2, "passwd" };
	int qstr = btf__add_struct(self->btf, "qstr", 16), iname, id;

	btf__add_field(self->btf, "hash", self->u32, 0, 0);
	btf__add_field(self->btf, "len", self->u32, 32, 0);
	btf__add_field(self->btf, "name", self->u64, 64, 0);
	iname = btf__add_array(self->btf, self->i32, self->u8, 32);
	id = btf__add_struct(self->btf, "dentry", sizeof(dentry));
	btf__add_field(self->btf, "d_name", qstr, 0, 0);
	btf__add_field(self->btf, "d_iname", iname, 128, 0);
	EXPECT_STREQ("{\"passwd\"}", show(self, id, "", &dentry, sizeof(dentry)));
	dentry.len = 40;
	EXPECT_STREQ("{.d_name={.hash=1,.len=40,.name=2},.d_iname=\"passwd\"}",
		     show(self, id, "", &dentry, sizeof(dentry)));
	dentry.len = 6;
	EXPECT_STREQ("{.d_name={.hash=1,.len=6,.name=2},.d_iname=\"pa\"…}",
		     show(self, id, "", &dentry, 18));
}

TEST_F(value, types_within_themselves_end)
{
	int self_struct = btf__add_struct(self->btf, "self", 8), loop, element;
	char data[64];

	memset(data, 1, sizeof(data));
	for (int i = 0; i < 4; i++)
		btf__add_field(self->btf, NULL, self_struct, 0, 0);
	EXPECT_GT(200000, strlen(show(self, self_struct, "", data, sizeof(data))));
	EXPECT_NE(NULL, strstr(strbuf_str(&self->text), "…"));

	loop = btf__add_typedef(self->btf, "loop", 0);
	((struct btf_type *)btf__type_by_id(self->btf, loop))->type = loop;
	EXPECT_STREQ("…", show(self, loop, "", data, 8));

	element = btf__add_array(self->btf, self->i32, self->i32, 4);
	btf_array(btf__type_by_id(self->btf, element))->type = element;
	EXPECT_STREQ("[]", show(self, element, "", data, 8));
}

TEST_F(value, sizes_and_places_beyond_reason_are_not_believed)
{
	int huge = btf__add_array(self->btf, self->i32, self->i64, UINT32_MAX), far;
	int many = btf__add_array(self->btf, self->i32, huge, UINT32_MAX);
	uint64_t data[4] = { 1, 2, 3, 4 };

	EXPECT_STREQ("[1,2,3,4,…]", show(self, huge, "", data, sizeof(data)));
	EXPECT_STREQ("[]", show(self, many, "", data, sizeof(data)));
	far = btf__add_struct(self->btf, "far", 8);
	btf__add_field(self->btf, "near", self->i64, 0, 0);
	btf__add_field(self->btf, "far", self->i64, 0x7ffffff8, 0);
	EXPECT_STREQ("{.near=1,…}", show(self, far, "", data, sizeof(data)));
}

/* Numbers that look random and are the same each time. */
static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void add_random_type(struct btf *btf, uint32_t *seed, int nr)
{
	static const char *const names[] = { "a", "char", "flags", "sockaddr", "dentry", "d_name",
					     "len", "d_iname", "u", "x" };
	const char *name = names[next(seed) % 10];
	int other = next(seed) % (nr + 3), count = next(seed) % 6;

	switch (next(seed) % 12) {
	case 0:
		btf__add_int(btf, name, 1 << next(seed) % 5, next(seed) % 2);
		break;
	case 1:
		btf__add_ptr(btf, other);
		break;
	case 2:
		btf__add_typedef(btf, name, other);
		break;
	case 3:
		btf__add_const(btf, other);
		break;
	case 4:
		btf__add_array(btf, 1, other, next(seed) % 20);
		break;
	case 5:
		btf__add_enum(btf, name, 1 << next(seed) % 4);
		for (int i = 0; i < count; i++)
			btf__add_enum_value(btf, names[i], next(seed) % 3 ? 1 << i : next(seed));
		break;
	case 6:
		btf__add_enum64(btf, name, 8, next(seed) % 2);
		for (int i = 0; i < count; i++)
			btf__add_enum64_value(btf, names[i], next(seed));
		break;
	case 7:
		btf__add_float(btf, name, 4 << next(seed) % 3);
		break;
	case 8:
		btf__add_fwd(btf, name, BTF_FWD_UNION);
		break;
	case 9:
		btf__add_func_proto(btf, other);
		break;
	default:
		if (next(seed) % 4)
			btf__add_struct(btf, name, next(seed) % 64);
		else
			btf__add_union(btf, name, next(seed) % 64);
		for (int i = 0; i < count; i++)
			btf__add_field(btf, next(seed) % 3 ? names[next(seed) % 10] : NULL,
				       next(seed) % (nr + 3), next(seed) % 512,
				       next(seed) % 4 ? 0 : 1 + next(seed) % 70);
	}
}

TEST_F(value, random_types_and_data_are_shown_somehow)
{
	uint32_t seed = 1;

	for (int round = 0; round < 300; round++) {
		struct btf *real = self->btf;
		uint8_t data[200];

		self->btf = btf__new_empty();
		for (int i = 0; i < 30; i++)
			add_random_type(self->btf, &seed, i);
		for (size_t i = 0; i < sizeof(data); i++)
			data[i] = next(&seed) % 3 ? next(&seed) : 0;
		for (int id = 0; id < 32; id++) {
			self->format.mode = next(&seed) % 3;
			self->format.max_width = next(&seed) % 2 * 40;
			ASSERT_NE(0, strlen(show(self, id, "flags", data, next(&seed) % 200)));
			ASSERT_FALSE(self->text.failed);
			ASSERT_GT(2000000, self->text.len);
		}
		btf__free(self->btf);
		self->btf = real;
	}
}

TEST_F(value, damaged_btf_is_survived)
{
	uint32_t seed = 7, loaded = 0;
	uint8_t data[64];

	libbpf_set_print(NULL);
	memset(data, 0x5a, sizeof(data));
	add_nested(self);
	for (int round = 0; round < 2000; round++) {
		const void *raw;
		uint32_t size;
		struct btf *real = self->btf;
		uint8_t *damaged;

		raw = btf__raw_data(real, &size);
		damaged = memcpy(malloc(size), raw, size);
		for (int i = 0; i < 3; i++)
			damaged[24 + next(&seed) % (size - 24)] ^= 1 << next(&seed) % 8;
		self->btf = btf__new(damaged, size);
		free(damaged);
		for (uint32_t id = 0; self->btf && id < btf__type_cnt(self->btf); id++) {
			show(self, id, "v", data, next(&seed) % 64);
			strbuf_reset(&self->text);
			value_type_add(&self->text, self->btf, id);
		}
		loaded += !!self->btf;
		btf__free(self->btf);
		self->btf = real;
	}
	EXPECT_LT(100, loaded);
}

TEST_HARNESS_MAIN
