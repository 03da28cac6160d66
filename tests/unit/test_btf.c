// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/kernel/types/btf.h"

/* BTF made by hand. Ids that tests use. */
FIXTURE(btf)
{
	struct btf *types;
	struct kernel_btf *btf;
	int i8, u16, i32, u32, i64, u64, boolean, i128;	/* integers */
	int typedef_u64, typedef_i64, pointer, small, wide, narrow_enum, plain_enum, big_enum;
};

static int add_func(struct btf *types, const char *name, int returns, const int *params, int nr)
{
	int proto = btf__add_func_proto(types, returns);

	for (int i = 0; i < nr; i++)
		btf__add_func_param(types, params[i] ? "p" : NULL, params[i]);
	return btf__add_func(types, name, BTF_FUNC_STATIC, proto);
}

FIXTURE_SETUP(btf)
{
	struct btf *types = btf__new_empty();

	self->types = types;
	self->i8 = btf__add_int(types, "signed char", 1, BTF_INT_SIGNED);
	self->u16 = btf__add_int(types, "unsigned short", 2, 0);
	self->i32 = btf__add_int(types, "int", 4, BTF_INT_SIGNED);
	self->u32 = btf__add_int(types, "unsigned int", 4, 0);
	self->i64 = btf__add_int(types, "long", 8, BTF_INT_SIGNED);
	self->u64 = btf__add_int(types, "unsigned long", 8, 0);
	self->i128 = btf__add_int(types, "__int128", 16, BTF_INT_SIGNED);
	self->boolean = btf__add_int(types, "_Bool", 1, BTF_INT_BOOL);
	self->typedef_u64 = btf__add_typedef(types, "u64", self->u64);
	self->typedef_i64 = btf__add_typedef(types, "ssize_t",
					     btf__add_typedef(types, "__kernel_ssize_t", self->i64));
	self->small = btf__add_struct(types, "small", 16);
	self->wide = btf__add_struct(types, "wide", 24);
	self->pointer = btf__add_ptr(types, self->wide);
	self->plain_enum = btf__add_enum(types, "plain", 4);
	self->narrow_enum = btf__add_enum(types, "narrow", 1);
	self->big_enum = btf__add_enum64(types, "big", 8, true);
	ASSERT_EQ(0, kernel_btf_from(types, &self->btf));
}

FIXTURE_TEARDOWN(btf)
{
	kernel_btf_free(self->btf);
}

#define EXPECT_RETURNS(kind, type)                                                                 \
	EXPECT_EQ((kind), kernel_btf_return_kind(self->btf, 0,                                     \
						 add_func(self->types, "f", (type), NULL, 0)))

TEST_F(btf, return_kinds_are_told_by_size_and_sign)
{
	EXPECT_RETURNS(RETURN_VOID, 0);
	EXPECT_RETURNS(RETURN_INT8, self->i8);
	EXPECT_RETURNS(RETURN_UNSIGNED16, self->u16);
	EXPECT_RETURNS(RETURN_INT32, self->i32);
	EXPECT_RETURNS(RETURN_UNSIGNED32, self->u32);
	EXPECT_RETURNS(RETURN_INT64, self->i64);
	EXPECT_RETURNS(RETURN_UNSIGNED64, self->u64);
	EXPECT_RETURNS(RETURN_BOOL, self->boolean);
	EXPECT_RETURNS(RETURN_POINTER, self->pointer);
	EXPECT_RETURNS(RETURN_STRUCT, self->small);
	EXPECT_RETURNS(RETURN_INT32, self->plain_enum);
	EXPECT_RETURNS(RETURN_NARROW, self->narrow_enum);
	EXPECT_RETURNS(RETURN_INT64, self->big_enum);
}

TEST_F(btf, typedefs_and_qualifiers_are_seen_through)
{
	EXPECT_RETURNS(RETURN_INT64, self->typedef_i64);
	EXPECT_RETURNS(RETURN_INT64, btf__add_const(self->types, self->typedef_i64));
	EXPECT_RETURNS(RETURN_VOID, btf__add_const(self->types, 0));
	EXPECT_RETURNS(RETURN_POINTER, btf__add_const(self->types, self->pointer));
}

static enum return_kind helper(FIXTURE_DATA(btf) *self, const char *name, int params)
{
	int u64 = self->typedef_u64, five[5] = { u64, u64, u64, u64, u64 };

	return kernel_btf_return_kind(self->btf, 0, add_func(self->types, name, u64, five, params));
}

TEST_F(btf, bpf_helpers_return_what_they_were_declared_with)
{
	EXPECT_EQ(RETURN_INT64, helper(self, "bpf_skb_store_bytes", 5));
	EXPECT_EQ(RETURN_INT64, helper(self, "sk_reuseport_load_bytes", 5));
	EXPECT_EQ(RETURN_POINTER, helper(self, "bpf_map_lookup_elem", 5));
	EXPECT_EQ(RETURN_POINTER, helper(self, "bpf_xdp_sk_lookup_tcp", 5));
	EXPECT_EQ(RETURN_POINTER, helper(self, "bpf_task_storage_get_recur", 5));
	EXPECT_EQ(RETURN_INT64, helper(self, "bpf_task_storage_delete", 5));
	EXPECT_EQ(RETURN_UNSIGNED64, helper(self, "bpf_get_netns_cookie_sock_addr", 5));
	EXPECT_EQ(RETURN_VOID, helper(self, "bpf_ringbuf_submit", 5));
}

TEST_F(btf, a_function_of_another_shape_is_no_helper)
{
	EXPECT_EQ(RETURN_UNSIGNED64, helper(self, "bpf_skb_store_bytes", 4));
	EXPECT_EQ(RETURN_UNSIGNED64, helper(self, "jiffies_to_something", 1));
}

TEST_F(btf, functions_are_found_by_name)
{
	int id = add_func(self->types, "do_open", self->i32, NULL, 0), module = -1;
	uint32_t found = 0;

	add_func(self->types, "other", self->i32, NULL, 0);
	EXPECT_EQ(0, kernel_btf_find_func(self->btf, "do_open", NULL, &found, &module));
	EXPECT_EQ(id, found);
	EXPECT_EQ(0, module);
	EXPECT_EQ(0, kernel_btf_find_func(self->btf, "do_open", "vmlinux", &found, &module));
	EXPECT_EQ(-ENOENT, kernel_btf_find_func(self->btf, "int", NULL, &found, &module));
	EXPECT_EQ(-ENOENT, kernel_btf_find_func(self->btf, "do_open", "nosuch", &found, &module));
	EXPECT_EQ(id, found);
}

TEST_F(btf, a_name_that_several_functions_have_is_ambiguous)
{
	int id = add_func(self->types, "twice", self->i32, NULL, 0), module;
	uint32_t found = 0;

	add_func(self->types, "twice", self->i32, &self->i32, 1);
	EXPECT_EQ(1, kernel_btf_find_func(self->btf, "twice", NULL, &found, &module));
	EXPECT_EQ(id, found);
	EXPECT_EQ(RETURN_INT32, kernel_btf_return_kind(self->btf, 0, found));
}

TEST_F(btf, functions_of_one_name_and_prototype_are_as_good_as_one)
{
	int proto = btf__add_func_proto(self->types, self->i64), module;
	int id = btf__add_func(self->types, "__x64_sys_bpf", BTF_FUNC_STATIC, proto);
	uint32_t found = 0;

	btf__add_func(self->types, "__x64_sys_bpf", BTF_FUNC_STATIC, proto);
	EXPECT_EQ(0, kernel_btf_find_func(self->btf, "__x64_sys_bpf", NULL, &found, &module));
	EXPECT_EQ(id, found);
}

TEST_F(btf, ambiguous_functions_that_differ_have_no_known_return)
{
	uint32_t found = 0;
	int module;

	add_func(self->types, "twice", self->i32, NULL, 0);
	add_func(self->types, "twice", 0, NULL, 0);
	EXPECT_EQ(1, kernel_btf_find_func(self->btf, "twice", NULL, &found, &module));
	EXPECT_EQ(RETURN_UNKNOWN, kernel_btf_return_kind(self->btf, 0, found));
}

TEST_F(btf, of_a_module_that_was_loaded_again_is_not_that_of_before)
{
	struct btf *before = btf__new_empty_split(self->types), *after = btf__new_empty_split(self->types);
	int id = add_func(before, "mod_open", self->pointer, NULL, 0), module;
	uint32_t found = 0;

	add_func(after, "mod_close", self->i32, NULL, 0);
	ASSERT_EQ(1, kernel_btf_add_module(self->btf, "mod", before));
	kernel_btf_forget_module(self->btf, "mod");
	kernel_btf_forget_module(self->btf, "never_there");
	EXPECT_EQ(-ENOENT, kernel_btf_find_func(self->btf, "mod_open", "mod", &found, &module));
	ASSERT_EQ(2, kernel_btf_add_module(self->btf, "mod", after));
	EXPECT_EQ(0, kernel_btf_find_func(self->btf, "mod_close", "mod", &found, &module));
	EXPECT_EQ(2, module);
	EXPECT_EQ(-ENOENT, kernel_btf_find_func(self->btf, "mod_open", "mod", &found, &module));
	/* What was handed out stays. */
	EXPECT_EQ(RETURN_POINTER, kernel_btf_return_kind(self->btf, 1, id));
}

TEST_F(btf, modules_have_functions_of_their_own_over_the_kernels_types)
{
	struct btf *types = btf__new_empty_split(self->types);
	int id = add_func(types, "mod_open", self->pointer, NULL, 0), module;
	uint32_t found;

	EXPECT_FALSE(kernel_btf_has_modules(self->btf));
	ASSERT_EQ(1, kernel_btf_add_module(self->btf, "mod", types));
	EXPECT_TRUE(kernel_btf_has_modules(self->btf));
	EXPECT_EQ(0, kernel_btf_find_func(self->btf, "mod_open", "mod", &found, &module));
	EXPECT_EQ(id, found);
	EXPECT_EQ(1, module);
	EXPECT_EQ(RETURN_POINTER, kernel_btf_return_kind(self->btf, module, found));
	EXPECT_EQ(-ENOENT, kernel_btf_find_func(self->btf, "mod_open", NULL, &found, &module));
	EXPECT_STREQ("mod", kernel_btf_module(self->btf, 1)->name);
	EXPECT_EQ(NULL, kernel_btf_module(self->btf, 2));
}

static struct btf_shape shape_of(FIXTURE_DATA(btf) *self, int returns, const int *params, int nr)
{
	struct btf_shape shape;

	kernel_btf_shape(self->btf, 0, add_func(self->types, "f", returns, params, nr), &shape);
	return shape;
}

TEST_F(btf, a_shape_counts_slots_of_eight_bytes)
{
	struct btf_shape shape =
		shape_of(self, self->i32, (int[]){ self->i8, self->small, self->pointer }, 3);

	EXPECT_EQ(3, shape.params);
	EXPECT_EQ(4, shape.arg_slots);
	EXPECT_TRUE(shape.struct_args);
	EXPECT_FALSE(shape.untypable);
	EXPECT_FALSE(shape_of(self, 0, NULL, 0).untypable);
}

TEST_F(btf, no_trampoline_takes_what_it_cannot_model)
{
	EXPECT_TRUE(shape_of(self, self->i32, (int[]){ self->pointer, 0 }, 2).untypable);
	EXPECT_TRUE(shape_of(self, self->small, NULL, 0).untypable);
	EXPECT_TRUE(shape_of(self, self->i128, NULL, 0).untypable);
	EXPECT_TRUE(shape_of(self, self->i32, &self->wide, 1).untypable);
	EXPECT_FALSE(shape_of(self, self->i32, &self->i128, 1).untypable);
}

static char *prototype(FIXTURE_DATA(btf) *self, int id, const char *name)
{
	struct strbuf sb = STRBUF_INIT;

	kernel_btf_prototype(self->btf, 0, id, name, &sb);
	return sb.s;
}

TEST_F(btf, a_prototype_reads_like_c)
{
	int params[] = { self->pointer, self->u32 };
	char *text = prototype(self, add_func(self->types, "g", self->i32, params, 2), NULL);

	EXPECT_STREQ("int g(struct wide *p, unsigned int p)", text);
	free(text);
	text = prototype(self, add_func(self->types, "h", self->pointer, NULL, 0), "alias");
	EXPECT_STREQ("struct wide *alias(void)", text);
	free(text);
}

TEST_F(btf, a_helper_is_shown_as_it_was_declared)
{
	int u64 = self->typedef_u64, five[5] = { u64, u64, u64, u64, u64 };
	int id = add_func(self->types, "bpf_do", u64, five, 5), proto;
	char *text;

	proto = btf__add_func_proto(self->types, u64);
	btf__add_func_param(self->types, NULL, self->pointer);
	btf__add_typedef(self->types, "btf_bpf_do", btf__add_ptr(self->types, proto));
	text = prototype(self, id, NULL);
	EXPECT_STREQ("u64 bpf_do(struct wide *)", text);
	free(text);
}

TEST_HARNESS_MAIN
