/* SPDX-License-Identifier: BSD-2-Clause */
/* BTF made by hand with the types that functions take, and functions on top of it. */
#ifndef RETSNOOP_TESTS_ARGS_FIXTURE_H
#define RETSNOOP_TESTS_ARGS_FIXTURE_H

#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "util/kernel/types/btf.h"
#include "util/plan/args/args.h"

struct args_fixture {
	struct btf *types;
	struct kernel_btf *btf;
	int ch, u8, u16, i32, u32, i64, i128;
	int void_ptr, char_ptr, const_char_ptr, user_char_ptr, char_ptr_ptr, func_ptr, int_ptr;
	int small;		/* struct small { int a, b, c; } */
	int big;		/* struct big { long v[100]; } */
	int outer;		/* struct outer, see below */
	int outer_ptr, big_ptr, hidden_ptr, percpu_ptr, user_outer_ptr;
	int color;
	int dentry_ptr, path_ptr, file_ptr;	/* see args_fixture_add_files() */
};

/*
 * struct outer {
 *	int count;			0
 *	unsigned int low : 3, high : 5;	4
 *	char comm[16];			8
 *	struct outer *next;		24
 *	union {
 *		struct small inner;	32
 *		long words[2];
 *	};
 *	const char *name;		48
 *	const char __user *user_name;	56
 *	struct hidden *hidden;		64
 *	struct outer __user *user;	72
 * };					80
 */
static inline void args_fixture_init(struct args_fixture *f)
{
	struct btf *b = btf__new_empty();
	int comm, words, both, hidden, percpu, user_outer;

	f->types = b;
	f->ch = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	f->u8 = btf__add_int(b, "unsigned char", 1, 0);
	f->u16 = btf__add_int(b, "short unsigned int", 2, 0);
	f->i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	f->u32 = btf__add_int(b, "unsigned int", 4, 0);
	f->i64 = btf__add_int(b, "long int", 8, BTF_INT_SIGNED);
	f->i128 = btf__add_int(b, "__int128", 16, BTF_INT_SIGNED);
	f->void_ptr = btf__add_ptr(b, 0);
	f->char_ptr = btf__add_ptr(b, f->ch);
	f->const_char_ptr = btf__add_ptr(b, btf__add_const(b, f->ch));
	f->user_char_ptr = btf__add_ptr(b, btf__add_type_tag(b, "user", btf__add_const(b, f->ch)));
	f->char_ptr_ptr = btf__add_ptr(b, f->char_ptr);
	f->func_ptr = btf__add_ptr(b, btf__add_func_proto(b, f->i32));
	f->int_ptr = btf__add_ptr(b, f->i32);
	f->color = btf__add_enum(b, "color", 4);
	btf__add_enum_value(b, "RED", 0);
	btf__add_enum_value(b, "BLUE", 2);
	f->small = btf__add_struct(b, "small", 12);
	btf__add_field(b, "a", f->i32, 0, 0);
	btf__add_field(b, "b", f->i32, 32, 0);
	btf__add_field(b, "c", f->i32, 64, 0);
	words = btf__add_array(b, f->i32, f->i64, 100);
	f->big = btf__add_struct(b, "big", 800);
	btf__add_field(b, "v", words, 0, 0);
	f->big_ptr = btf__add_ptr(b, f->big);
	hidden = btf__add_fwd(b, "hidden", BTF_FWD_STRUCT);
	f->hidden_ptr = btf__add_ptr(b, hidden);
	percpu = btf__add_type_tag(b, "percpu", f->i32);
	f->percpu_ptr = btf__add_ptr(b, percpu);
	comm = btf__add_array(b, f->i32, f->ch, 16);
	words = btf__add_array(b, f->i32, f->i64, 2);
	both = btf__add_union(b, NULL, 16);
	btf__add_field(b, "inner", f->small, 0, 0);
	btf__add_field(b, "words", words, 0, 0);
	/* Pointers to it come first: a struct's members follow it at once. */
	f->outer = both + 1 + 3;
	f->outer_ptr = btf__add_ptr(b, f->outer);
	user_outer = btf__add_type_tag(b, "user", f->outer);
	f->user_outer_ptr = btf__add_ptr(b, user_outer);
	btf__add_struct(b, "outer", 80);
	btf__add_field(b, "count", f->i32, 0, 0);
	btf__add_field(b, "low", f->u32, 32, 3);
	btf__add_field(b, "high", f->u32, 35, 5);
	btf__add_field(b, "comm", comm, 64, 0);
	btf__add_field(b, "next", f->outer_ptr, 192, 0);
	btf__add_field(b, NULL, both, 256, 0);
	btf__add_field(b, "name", f->const_char_ptr, 384, 0);
	btf__add_field(b, "user_name", f->user_char_ptr, 448, 0);
	btf__add_field(b, "hidden", f->hidden_ptr, 512, 0);
	btf__add_field(b, "user", f->user_outer_ptr, 576, 0);
	if (kernel_btf_from(b, &f->btf))
		abort();
}

/*
 * struct dentry {
 *	int flags;			0
 *	struct dentry *d_parent;	8
 *	union {
 *		struct qstr {
 *			int len;
 *			const unsigned char *name;
 *		} d_name;		16
 *	};
 * };
 * struct path { void *mnt; struct dentry *dentry; };
 * struct file {
 *	long mode;
 *	union { struct path f_path; };	8
 * };
 */
static inline void args_fixture_add_files(struct args_fixture *f)
{
	struct btf *b = f->types;
	int name = btf__add_ptr(b, btf__add_const(b, f->u8)), qstr, both, dentry, path, file;

	qstr = btf__add_struct(b, "qstr", 16);
	btf__add_field(b, "len", f->i32, 0, 0);
	btf__add_field(b, "name", name, 64, 0);
	both = btf__add_union(b, NULL, 16);
	btf__add_field(b, "d_name", qstr, 0, 0);
	dentry = both + 2;
	f->dentry_ptr = btf__add_ptr(b, dentry);
	btf__add_struct(b, "dentry", 32);
	btf__add_field(b, "flags", f->i32, 0, 0);
	btf__add_field(b, "d_parent", f->dentry_ptr, 64, 0);
	btf__add_field(b, NULL, both, 128, 0);
	path = btf__add_struct(b, "path", 16);
	btf__add_field(b, "mnt", f->void_ptr, 0, 0);
	btf__add_field(b, "dentry", f->dentry_ptr, 64, 0);
	f->path_ptr = btf__add_ptr(b, btf__add_const(b, path));
	both = btf__add_union(b, NULL, 16);
	btf__add_field(b, "f_path", path, 0, 0);
	file = btf__add_struct(b, "file", 24);
	btf__add_field(b, "mode", f->i64, 0, 0);
	btf__add_field(b, NULL, both, 64, 0);
	f->file_ptr = btf__add_ptr(b, file);
}

static inline void args_fixture_release(struct args_fixture *f)
{
	kernel_btf_free(f->btf);
}

struct args_fixture_param {
	const char *name;
	int type;
};

static inline struct args_func args_fixture_func(struct args_fixture *f, const char *name,
						 const struct args_fixture_param *params, int nr)
{
	int proto = btf__add_func_proto(f->types, f->i32);

	for (int i = 0; i < nr; i++)
		btf__add_func_param(f->types, params[i].name, params[i].type);
	return (struct args_func){
		.name = name,
		.btf_id = btf__add_func(f->types, name, BTF_FUNC_STATIC, proto),
	};
}

#define ARGS_FIXTURE_FUNC(f, name, ...)                                                            \
	({                                                                                         \
		struct args_fixture_param params_[] = { __VA_ARGS__ };                             \
		args_fixture_func(f, name, params_, ARRAY_SIZE(params_));                          \
	})

#endif
