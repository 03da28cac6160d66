// SPDX-License-Identifier: BSD-2-Clause
/* Which BTF is taken from a file. */
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>

#include "tests/unit/unit.h"
#include "util/kernel/types/btf_check.h"

FIXTURE(btf_check)
{
	struct btf *btf;
	int number;
};

FIXTURE_SETUP(btf_check)
{
	self->btf = btf__new_empty();
	ASSERT_NE(NULL, self->btf);
	self->number = btf__add_int(self->btf, "int", 4, BTF_INT_SIGNED);
}

FIXTURE_TEARDOWN(btf_check)
{
	btf__free(self->btf);
}

/* A struct with one member. */
static int add_struct(struct btf *btf, const char *name, int type)
{
	int id = btf__add_struct(btf, name, 8);

	btf__add_field(btf, "member", type, 0, 0);
	return id;
}

TEST_F(btf_check, takes_a_list_that_leads_to_itself_through_a_pointer)
{
	int list = add_struct(self->btf, "list", self->number + 2);

	btf__add_ptr(self->btf, list);
	EXPECT_EQ(0, btf_check(self->btf));
}

TEST_F(btf_check, takes_a_function_that_takes_its_own_struct)
{
	int proto = btf__add_func_proto(self->btf, self->number);

	btf__add_func_param(self->btf, "by_pointer", self->number + 4);
	btf__add_func_param(self->btf, "by_value", self->number + 3);
	btf__add_ptr(self->btf, proto);
	add_struct(self->btf, "ops", self->number + 2);
	btf__add_ptr(self->btf, self->number + 3);
	btf__add_func(self->btf, "call", BTF_FUNC_GLOBAL, proto);
	EXPECT_EQ(0, btf_check(self->btf));
}

TEST_F(btf_check, refuses_a_type_that_does_not_exist)
{
	btf__add_ptr(self->btf, 1000);
	EXPECT_EQ(-EBADMSG, btf_check(self->btf));
}

TEST_F(btf_check, refuses_a_member_that_does_not_exist)
{
	add_struct(self->btf, "s", 1000);
	EXPECT_EQ(-EBADMSG, btf_check(self->btf));
}

TEST_F(btf_check, refuses_a_name_that_does_not_exist)
{
	((struct btf_type *)btf__type_by_id(self->btf, self->number))->name_off = 0x1000;
	EXPECT_EQ(-EBADMSG, btf_check(self->btf));
}

TEST_F(btf_check, refuses_a_struct_that_contains_itself)
{
	add_struct(self->btf, "outer", self->number + 2);
	add_struct(self->btf, "inner", self->number + 1);
	EXPECT_EQ(-EBADMSG, btf_check(self->btf));
}

TEST_F(btf_check, refuses_pointers_that_go_round_in_a_circle)
{
	btf__add_ptr(self->btf, self->number + 2);
	btf__add_ptr(self->btf, self->number + 1);
	EXPECT_EQ(-EBADMSG, btf_check(self->btf));
}

TEST_F(btf_check, refuses_declarations_that_grow_without_bound)
{
	int type = self->number;

	/* Each takes two of the one before: 2^40 words when it is printed. */
	for (int i = 0; i < 40; i++) {
		int proto = btf__add_func_proto(self->btf, type);

		btf__add_func_param(self->btf, "a", type);
		type = btf__add_ptr(self->btf, proto);
	}
	EXPECT_EQ(-EBADMSG, btf_check(self->btf));
}

TEST_F(btf_check, refuses_types_nested_too_deep)
{
	int type = self->number;

	for (int i = 0; i < 100000; i++)
		type = btf__add_const(self->btf, type);
	EXPECT_EQ(-EBADMSG, btf_check(self->btf));
}

TEST_HARNESS_MAIN
