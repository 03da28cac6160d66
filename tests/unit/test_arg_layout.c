// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/types/arg_layout.h"
#include "util/kernel/types/btf_types.h"

/* BTF made by hand. Ids that tests use. */
FIXTURE(layout)
{
	struct btf *btf;
	int i8, i32, i64, i128, real;
	int pointer, empty, s8, s12, s16, s24, packed, aligned16, with_float;
	struct arg_layout got;
};

static int add_struct(struct btf *btf, const char *name, int size, int member, int nr, int stride)
{
	int id = btf__add_struct(btf, name, size);

	for (int i = 0; i < nr; i++)
		btf__add_field(btf, "m", member, 8 * stride * i, 0);
	return id;
}

FIXTURE_SETUP(layout)
{
	struct btf *btf = btf__new_empty();

	self->btf = btf;
	self->i8 = btf__add_int(btf, "char", 1, BTF_INT_SIGNED);
	self->i32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	self->i64 = btf__add_int(btf, "long int", 8, BTF_INT_SIGNED);
	self->i128 = btf__add_int(btf, "__int128", 16, BTF_INT_SIGNED);
	self->real = btf__add_float(btf, "double", 8);
	self->empty = btf__add_struct(btf, "empty", 0);
	self->s8 = add_struct(btf, "s8", 8, self->i32, 2, 4);
	self->s12 = add_struct(btf, "s12", 12, self->i32, 3, 4);
	self->s16 = add_struct(btf, "s16", 16, self->i64, 2, 8);
	self->s24 = add_struct(btf, "s24", 24, self->i64, 3, 8);
	self->packed = btf__add_struct(btf, "packed", 9);
	btf__add_field(btf, "c", self->i8, 0, 0);
	btf__add_field(btf, "l", self->i64, 8, 0);
	self->aligned16 = add_struct(btf, "aligned16", 16, self->i128, 1, 16);
	self->with_float = add_struct(btf, "with_float", 8, self->real, 1, 8);
	self->pointer = btf__add_ptr(btf, self->s24);
}

FIXTURE_TEARDOWN(layout)
{
	btf__free(self->btf);
}

#define LAY_OUT(arch, returns, ...)                                                             \
	({                                                                                      \
		int types_[] = { __VA_ARGS__ };                                                 \
		int proto_ = btf__add_func_proto(self->btf, (returns));                         \
		for (size_t i_ = 0; i_ < ARRAY_SIZE(types_); i_++)                              \
			btf__add_func_param(self->btf, types_[i_] ? "p" : NULL, types_[i_]);    \
		ASSERT_EQ(0, arg_layout(self->btf,                                              \
					btf__add_func(self->btf, "f", BTF_FUNC_STATIC, proto_), \
					&arch_##arch, &self->got));                             \
	})

#define EXPECT_AT(i, is_where, is_index)                                                           \
	({                                                                                         \
		EXPECT_EQ(ARG_##is_where, self->got.places[i].where);                              \
		EXPECT_EQ(is_index, self->got.places[i].index);                                    \
	})

TEST_F(layout, x86_64_has_six_registers_and_then_the_stack)
{
	LAY_OUT(x86, self->i32, self->i32, self->pointer, self->i8, self->i64, self->i64, self->i32,
		self->i8, self->pointer);
	EXPECT_EQ(8, self->got.nr);
	EXPECT_FALSE(self->got.variadic);
	for (int i = 0; i < 6; i++)
		EXPECT_AT(i, IN_REGISTERS, i);
	EXPECT_AT(6, ON_STACK, 0);
	EXPECT_AT(7, ON_STACK, 1);
	EXPECT_EQ(1, self->got.places[6].size);
	EXPECT_EQ(self->pointer, self->got.places[7].type);
	EXPECT_EQ(7, self->got.places[7].context_slot);
}

TEST_F(layout, x86_64_passes_small_structs_in_one_or_two_registers)
{
	LAY_OUT(x86, self->i32, self->s8, self->s12, self->s16, self->i32);
	EXPECT_AT(0, IN_REGISTERS, 0);
	EXPECT_AT(1, IN_REGISTERS, 1);
	EXPECT_AT(2, IN_REGISTERS, 3);
	EXPECT_AT(3, IN_REGISTERS, 5);
	EXPECT_EQ(12, self->got.places[1].size);
	EXPECT_EQ(5, self->got.places[3].context_slot);
}

TEST_F(layout, x86_64_leaves_registers_to_what_comes_behind_a_struct_on_the_stack)
{
	LAY_OUT(x86, self->i32, self->i64, self->i64, self->i64, self->i64, self->i64, self->s16,
		self->i32, self->i32);
	EXPECT_AT(5, ON_STACK, 0);
	EXPECT_AT(6, IN_REGISTERS, 5);
	EXPECT_AT(7, ON_STACK, 2);
	EXPECT_EQ(5, self->got.places[5].context_slot);
	EXPECT_EQ(7, self->got.places[6].context_slot);
}

TEST_F(layout, x86_64_passes_large_and_packed_structs_on_the_stack)
{
	LAY_OUT(x86, self->i32, self->s24, self->packed, self->i32);
	EXPECT_AT(0, ON_STACK, 0);
	EXPECT_AT(1, ON_STACK, 3);
	EXPECT_AT(2, IN_REGISTERS, 0);
	EXPECT_FALSE(self->got.places[0].indirect);
}

TEST_F(layout, x86_64_aligns_wide_integers_on_the_stack_and_not_in_registers)
{
	LAY_OUT(x86, self->i32, self->i64, self->i128, self->i64, self->i64, self->i128, self->i64,
		self->i64, self->aligned16, self->i64);
	EXPECT_AT(1, IN_REGISTERS, 1);
	EXPECT_AT(4, ON_STACK, 0);
	EXPECT_AT(5, IN_REGISTERS, 5);
	EXPECT_AT(6, ON_STACK, 2);
	EXPECT_AT(7, ON_STACK, 4);
	EXPECT_AT(8, ON_STACK, 6);
}

TEST_F(layout, x86_64_says_in_di_where_a_large_result_goes)
{
	LAY_OUT(x86, self->s24, self->i64);
	EXPECT_AT(0, IN_REGISTERS, 1);
	LAY_OUT(x86, self->s16, self->i64);
	EXPECT_AT(0, IN_REGISTERS, 0);
	LAY_OUT(arm64, self->s24, self->i64);
	EXPECT_AT(0, IN_REGISTERS, 0);
}

TEST_F(layout, arm64_has_eight_registers_and_then_the_stack)
{
	LAY_OUT(arm64, self->i32, self->i32, self->i64, self->pointer, self->i8, self->i64,
		self->i64, self->i64, self->i32, self->i32, self->i8);
	EXPECT_AT(7, IN_REGISTERS, 7);
	EXPECT_AT(8, ON_STACK, 0);
	EXPECT_AT(9, ON_STACK, 1);
}

TEST_F(layout, arm64_passes_small_structs_from_any_register_on)
{
	LAY_OUT(arm64, self->i32, self->i64, self->s16, self->s12, self->i64);
	EXPECT_AT(1, IN_REGISTERS, 1);
	EXPECT_AT(2, IN_REGISTERS, 3);
	EXPECT_AT(3, IN_REGISTERS, 5);
}

TEST_F(layout, arm64_begins_at_an_even_register_what_is_aligned_to_16)
{
	LAY_OUT(arm64, self->i32, self->i64, self->i128, self->i64, self->aligned16, self->i64);
	EXPECT_AT(1, IN_REGISTERS, 2);
	EXPECT_AT(2, IN_REGISTERS, 4);
	EXPECT_AT(3, IN_REGISTERS, 6);
	EXPECT_AT(4, ON_STACK, 0);
}

TEST_F(layout, arm64_passes_the_address_of_large_structs)
{
	LAY_OUT(arm64, self->i32, self->s24, self->i64);
	EXPECT_AT(0, IN_REGISTERS, 0);
	EXPECT_TRUE(self->got.places[0].indirect);
	EXPECT_EQ(24, self->got.places[0].size);
	EXPECT_AT(1, IN_REGISTERS, 1);
	EXPECT_FALSE(self->got.places[1].indirect);
}

TEST_F(layout, arm64_uses_no_register_once_something_was_too_large_for_those_left)
{
	LAY_OUT(arm64, self->i32, self->i64, self->i64, self->i64, self->i64, self->i64, self->i64,
		self->i64, self->s16, self->i64, self->i128);
	EXPECT_AT(6, IN_REGISTERS, 6);
	EXPECT_AT(7, ON_STACK, 0);
	EXPECT_AT(8, ON_STACK, 2);
	EXPECT_AT(9, ON_STACK, 4);
}

TEST_F(layout, the_address_of_a_large_result_comes_first_on_riscv)
{
	LAY_OUT(riscv, self->s24, self->i32, self->i64);
	EXPECT_AT(0, IN_REGISTERS, 1);
	EXPECT_AT(1, IN_REGISTERS, 2);
}

TEST_F(layout, riscv_has_no_even_registers_and_splits_what_finds_one)
{
	LAY_OUT(riscv, self->i32, self->i64, self->i128, self->s24, self->i64, self->i64, self->i64,
		self->s16, self->i64, self->i64);
	EXPECT_AT(1, IN_REGISTERS, 1);
	EXPECT_TRUE(self->got.places[2].indirect);
	EXPECT_AT(2, IN_REGISTERS, 3);
	EXPECT_AT(5, IN_REGISTERS, 6);
	/* Half in a7, half in the first slot. */
	EXPECT_AT(6, NOWHERE, 0);
	EXPECT_AT(7, ON_STACK, 1);
	EXPECT_AT(8, ON_STACK, 2);
}

TEST_F(layout, an_empty_struct_and_a_floating_point_number_take_nothing)
{
	LAY_OUT(x86, self->i32, self->empty, self->i32, self->real, self->i32);
	EXPECT_AT(0, NOWHERE, 0);
	EXPECT_AT(1, IN_REGISTERS, 0);
	EXPECT_AT(2, NOWHERE, 0);
	EXPECT_AT(3, IN_REGISTERS, 1);
}

TEST_F(layout, nothing_is_said_of_what_stands_behind_the_unknown)
{
	LAY_OUT(x86, self->i32, self->i32, self->with_float, self->i32);
	EXPECT_AT(0, IN_REGISTERS, 0);
	EXPECT_AT(1, NOWHERE, 0);
	EXPECT_AT(2, NOWHERE, 0);
	LAY_OUT(arm64, self->i32, 4711, self->i32);
	EXPECT_AT(0, NOWHERE, 0);
	EXPECT_AT(1, NOWHERE, 0);
}

TEST_F(layout, the_dots_of_a_variadic_function_are_no_parameter)
{
	LAY_OUT(x86, self->i32, self->pointer, 0);
	EXPECT_EQ(1, self->got.nr);
	EXPECT_TRUE(self->got.variadic);
	EXPECT_AT(0, IN_REGISTERS, 0);
}

TEST_F(layout, what_the_dots_stand_for_goes_on_behind_the_last_parameter)
{
	LAY_OUT(x86, self->i32, self->pointer, self->i32, 0);
	EXPECT_TRUE(self->got.more_known);
	EXPECT_EQ(2, self->got.more_register);
	EXPECT_EQ(0, self->got.more_slot);
	LAY_OUT(arm64, self->i32, self->i64, self->i64, self->i64, self->i64, self->i64, self->i64,
		self->i64, self->i64, self->pointer, 0);
	EXPECT_TRUE(self->got.more_known);
	EXPECT_EQ(8, self->got.more_register);
	EXPECT_EQ(1, self->got.more_slot);
	/* Behind what may be anywhere everything is. */
	LAY_OUT(x86, self->i32, 4711, 0);
	EXPECT_FALSE(self->got.more_known);
	LAY_OUT(x86, self->i32, self->pointer);
	EXPECT_FALSE(self->got.more_known);
}

TEST_F(layout, a_function_is_needed)
{
	struct arg_layout layout;

	EXPECT_EQ(-EINVAL, arg_layout(self->btf, self->i32, &arch_x86, &layout));
	EXPECT_EQ(-EINVAL, arg_layout(self->btf, 0, &arch_x86, &layout));
	EXPECT_EQ(-EINVAL, arg_layout(self->btf, 99999, &arch_x86, &layout));
}

TEST_F(layout, parameters_beyond_all_reason_are_counted_only)
{
	int proto = btf__add_func_proto(self->btf, 0);

	for (int i = 0; i < 300; i++)
		btf__add_func_param(self->btf, "p", self->i64);
	ASSERT_EQ(0, arg_layout(self->btf, proto, &arch_x86, &self->got));
	EXPECT_EQ(300, self->got.nr);
	EXPECT_AT(ARG_LAYOUT_MAX - 1, ON_STACK, ARG_LAYOUT_MAX - 1 - 6);
}

TEST_F(layout, a_struct_too_large_for_any_stack_is_nowhere)
{
	int huge = btf__add_struct(self->btf, "huge", 1 << 20);

	LAY_OUT(x86, self->i32, self->i32, huge, self->i32);
	EXPECT_AT(0, IN_REGISTERS, 0);
	EXPECT_AT(1, NOWHERE, 0);
	EXPECT_AT(2, NOWHERE, 0);
}

TEST_F(layout, types_that_go_round_in_circles_end)
{
	int loop = btf__add_typedef(self->btf, "loop", 0), self_struct, wide;

	((struct btf_type *)btf__type_by_id(self->btf, loop))->type = loop;
	self_struct = btf__add_struct(self->btf, "self", 8);
	for (int i = 0; i < 8; i++)
		btf__add_field(self->btf, NULL, self_struct, 0, 0);
	wide = btf__add_struct(self->btf, "wide", 16);
	for (int i = 0; i < 8; i++)
		btf__add_field(self->btf, NULL, self_struct, 8, 0);
	EXPECT_EQ(NULL, btf_underneath(self->btf, loop));
	EXPECT_EQ(-1, btf_size_of(self->btf, loop));
	LAY_OUT(x86, wide, self_struct, wide, loop);
	EXPECT_AT(0, IN_REGISTERS, 0);
	EXPECT_AT(2, NOWHERE, 0);
	EXPECT_FALSE(btf_find_member(self->btf, wide, "nosuch", &(struct btf_place){}));
}

TEST_F(layout, members_are_found_in_anonymous_members)
{
	int inner = btf__add_union(self->btf, NULL, 8), outer;
	struct btf_place place = {};

	btf__add_field(self->btf, "deep", self->i32, 0, 0);
	btf__add_field(self->btf, "bits", self->i32, 0, 3);
	outer = btf__add_struct(self->btf, "outer", 16);
	btf__add_field(self->btf, "first", self->i64, 0, 0);
	btf__add_field(self->btf, NULL, inner, 64, 0);
	EXPECT_TRUE(btf_find_member(self->btf, outer, "deep", &place));
	EXPECT_EQ(64, place.bit_offset);
	EXPECT_EQ(self->i32, place.type);
	EXPECT_EQ(0, place.bits);
	EXPECT_FALSE(btf_find_member(self->btf, outer, "deeper", &place));
}

static struct btf_spelling spelt(FIXTURE_DATA(layout) *self, const char *text)
{
	struct btf_spelling spelling;

	btf_type_spelt(self->btf, text, &spelling);
	return spelling;
}

TEST_F(layout, c_spellings_name_types)
{
	int size_type = btf__add_typedef(self->btf, "size_t", self->i64);

	EXPECT_EQ(self->i32, spelt(self, "int").type);
	EXPECT_EQ(self->i64, spelt(self, "long").type);
	EXPECT_EQ(size_type, spelt(self, "size_t").type);
	EXPECT_EQ(self->s16, spelt(self, "struct s16 *").type);
	EXPECT_EQ(1, spelt(self, "struct s16 *").pointers);
	EXPECT_EQ(0, spelt(self, "struct nosuch *").type);
	EXPECT_EQ(1, spelt(self, "struct nosuch *").pointers);
	EXPECT_EQ(0, spelt(self, "nosuch_t").type);
	EXPECT_TRUE(spelt(self, "const char *").text);
	EXPECT_TRUE(spelt(self, "const char *").constant);
	EXPECT_FALSE(spelt(self, "char * const").constant);
	EXPECT_EQ(2, spelt(self, "const char *const *").pointers);
	EXPECT_TRUE(spelt(self, "const char __attribute__((btf_type_tag(\"user\"))) *").text);
	EXPECT_EQ(0, spelt(self, "void *").type);
	EXPECT_EQ(0, spelt(self, "__attribute__((").type);
}

TEST_HARNESS_MAIN
