/* SPDX-License-Identifier: BSD-2-Clause */
/* Types for functions of decisions: int FUNCTION(struct thing *FIRST, int SECOND). */
#ifndef RETSNOOP_TESTS_DECISION_TYPES_H
#define RETSNOOP_TESTS_DECISION_TYPES_H

#include <bpf/btf.h>
#include <stdlib.h>

#include "util/kernel/types/btf.h"

static int add_int(struct btf *btf)
{
	return btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
}

/* Returns the id of a pointer to it. */
static int add_thing(struct btf *btf, int i32)
{
	int u64 = btf__add_int(btf, "long unsigned int", 8, 0);
	int thing = btf__add_struct(btf, "thing", 48);

	btf__add_field(btf, "early", i32, 0, 0);
	btf__add_field(btf, "is_dir", i32, 32, 0);
	btf__add_field(btf, "ok", i32, 64, 0);
	btf__add_field(btf, "n", i32, 96, 0);
	btf__add_field(btf, "type", i32, 128, 0);
	btf__add_field(btf, "flags", u64, 192, 0);
	btf__add_field(btf, "state", i32, 320, 0);
	return btf__add_ptr(btf, thing);
}

/* @first	an id of a type */
static void add_function(struct btf *btf, const char *name, int first, const char *first_name, int i32,
			 const char *second_name)
{
	int proto = btf__add_func_proto(btf, i32);

	btf__add_func_param(btf, first_name, first);
	btf__add_func_param(btf, second_name, i32);
	btf__add_func(btf, name, BTF_FUNC_STATIC, proto);
}

#endif
