// SPDX-License-Identifier: BSD-2-Clause
/* Values of types that were copied out of a kernel's BTF, next to the same of the whole. */
#include <bpf/btf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#include "util/ask/args_selection.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_subset.h"
#include "util/kernel/types/btf_types.h"
#include "util/plan/args/args.h"
#include "util/view/values/btf_value.h"

#define REAL_BTF "/sys/kernel/btf/vmlinux"

FIXTURE(btf_subset)
{
	struct btf *types;
	struct btf_subset *subset;
	struct strbuf whole, part;
	uint64_t random;
};

FIXTURE_SETUP(btf_subset)
{
	self->types = btf__new_empty();
	self->subset = btf_subset_new();
	self->whole = self->part = (struct strbuf)STRBUF_INIT;
	self->random = 88172645463325252ull;
}

FIXTURE_TEARDOWN(btf_subset)
{
	btf_subset_free(self->subset);
	btf__free(self->types);
	strbuf_release(&self->whole);
	strbuf_release(&self->part);
}

static uint64_t next_random(FIXTURE_DATA(btf_subset) * self)
{
	self->random ^= self->random << 13;
	self->random ^= self->random >> 7;
	self->random ^= self->random << 17;
	return self->random;
}

static const char *function_name(void *arg, uint64_t addr)
{
	return addr & 1 ? "function" : NULL;
}

/* The same data by both types, in all forms. Whether they read the same. */
static bool reads_alike(FIXTURE_DATA(btf_subset) * self, const struct btf *from, uint32_t id,
			uint32_t copied, const uint8_t *data, size_t len)
{
	for (int mode = VALUE_COMPACT; mode <= VALUE_VERBOSE; mode++) {
		struct value_format format = { .mode = mode, .symbol = function_name };
		struct value value = { .btf = from, .type = id, .name = "x", .data = data,
				       .len = len };

		strbuf_reset(&self->whole);
		strbuf_reset(&self->part);
		value_add(&self->whole, &format, &value);
		value.btf = btf_subset_btf(self->subset);
		value.type = copied;
		value_add(&self->part, &format, &value);
		if (strcmp(strbuf_str(&self->whole), strbuf_str(&self->part)))
			return false;
	}
	return true;
}

TEST_F(btf_subset, has_members_in_full_and_only_names_behind_pointers)
{
	int i32 = btf__add_int(self->types, "int", 4, BTF_INT_SIGNED);
	int inner = btf__add_struct(self->types, "inner", 4), outer, pointer;
	const struct btf *btf = btf_subset_btf(self->subset);
	const struct btf_type *type;
	uint32_t id;

	btf__add_field(self->types, "n", i32, 0, 0);
	pointer = btf__add_ptr(self->types, inner);
	outer = btf__add_struct(self->types, "outer", 16);
	btf__add_field(self->types, "in", inner, 0, 0);
	btf__add_field(self->types, "p", pointer, 64, 0);
	ASSERT_EQ(0, btf_subset_add(self->subset, self->types, outer, &id));
	type = btf__type_by_id(btf, id);
	ASSERT_TRUE(btf_is_struct(type));
	ASSERT_EQ(2, btf_vlen(type));
	EXPECT_STREQ("outer", btf_type_name(btf, type));
	EXPECT_EQ(4, btf_size_of(btf, btf_members(type)[0].type));
	type = btf__type_by_id(btf, btf_members(type)[1].type);
	ASSERT_TRUE(btf_is_ptr(type));
	type = btf__type_by_id(btf, type->type);
	EXPECT_TRUE(btf_is_fwd(type));
	EXPECT_STREQ("inner", btf_type_name(btf, type));
}

TEST_F(btf_subset, has_a_type_once_however_often_it_is_wanted)
{
	int i32 = btf__add_int(self->types, "int", 4, BTF_INT_SIGNED);
	uint32_t first, second, nr;

	ASSERT_EQ(0, btf_subset_add(self->subset, self->types, i32, &first));
	nr = btf__type_cnt(btf_subset_btf(self->subset));
	ASSERT_EQ(0, btf_subset_add(self->subset, self->types, i32, &second));
	EXPECT_EQ(first, second);
	EXPECT_EQ(nr, btf__type_cnt(btf_subset_btf(self->subset)));
}

TEST_F(btf_subset, ends_where_types_go_round_in_circles)
{
	int node = btf__add_struct(self->types, "node", 8), pointer;
	uint32_t id;

	/* struct node { struct node *next; } */
	pointer = node + 1;
	btf__add_field(self->types, "next", pointer, 0, 0);
	ASSERT_EQ(pointer, btf__add_ptr(self->types, node));
	ASSERT_EQ(0, btf_subset_add(self->subset, self->types, node, &id));
	EXPECT_EQ(4, btf__type_cnt(btf_subset_btf(self->subset)));
}

TEST_F(btf_subset, has_nothing_for_what_is_not_there)
{
	uint32_t id = 7;

	ASSERT_EQ(0, btf_subset_add(self->subset, self->types, 0, &id));
	EXPECT_EQ(0, id);
	id = 7;
	ASSERT_EQ(0, btf_subset_add(self->subset, self->types, 1000, &id));
	EXPECT_EQ(0, id);
}

TEST_F(btf_subset, joins_types_of_modules_with_those_of_vmlinux)
{
	int i32 = btf__add_int(self->types, "int", 4, BTF_INT_SIGNED), mine;
	struct btf *module = btf__new_empty_split(self->types);
	uint32_t from_module, from_vmlinux, id;

	mine = btf__add_struct(module, "mine", 4);
	btf__add_field(module, "n", i32, 0, 0);
	ASSERT_EQ(0, btf_subset_add(self->subset, module, mine, &id));
	ASSERT_EQ(0, btf_subset_add(self->subset, module, i32, &from_module));
	ASSERT_EQ(0, btf_subset_add(self->subset, self->types, i32, &from_vmlinux));
	EXPECT_EQ(from_vmlinux, from_module);
	EXPECT_TRUE(reads_alike(self, module, mine, id, (const uint8_t *)"\1\2\3\4", 4));
	btf__free(module);
}

/* Every so many functions of this machine's kernel, with what is captured of their arguments. */
TEST_F(btf_subset, shows_arguments_of_a_real_kernel_as_the_whole_does)
{
	struct args_options options = ARGS_OPTIONS_DEFAULT;
	struct kernel_btf *btf;
	const struct btf *types;
	uint32_t compared = 0, differ = 0;
	uint8_t data[4096];

	if (access(REAL_BTF, R_OK))
		SKIP(return, "this machine's kernel has no BTF");
	ASSERT_EQ(0, kernel_btf_load_file(REAL_BTF, &btf));
	types = kernel_btf_types(btf, 0);
	for (uint32_t id = 1; id < btf__type_cnt(types); id++) {
		struct args_func func = { .btf_id = id, .name = "f" };
		struct func_args args;

		if (!btf_is_func(btf__type_by_id(types, id)) || next_random(self) % 16)
			continue;
		ASSERT_EQ(0, args_of_func(btf, &func, NULL, &options, &arch_x86, &args));
		for (uint32_t i = 0; i < args.nr; i++) {
			const struct arg *arg = &args.args[i];
			uint32_t copied;
			size_t len;

			if (!arg->btf || !arg->type || arg->item < 0)
				continue;
			ASSERT_EQ(0, btf_subset_add(self->subset, arg->btf, arg->type, &copied));
			len = args.items.items[arg->item].size;
			/* Many zeros, as in the kernel. */
			for (size_t at = 0; at < len; at++)
				data[at] = next_random(self) % 3 ? 0 : next_random(self);
			differ += !reads_alike(self, arg->btf, arg->type, copied, data, len);
			compared++;
		}
		func_args_release(&args);
	}
	EXPECT_LT(1000, compared);
	EXPECT_EQ(0, differ);
	/* And it is much less. */
	EXPECT_LT(btf__type_cnt(btf_subset_btf(self->subset)), btf__type_cnt(types) / 2);
	kernel_btf_free(btf);
}

TEST_HARNESS_MAIN
