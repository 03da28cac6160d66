// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"

#include "args_fixture.h"
#include "util/ask/args_selection.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/plan/args/args.h"

FIXTURE(args)
{
	struct args_fixture f;
	struct args_options options;
	struct func_args got;
};

FIXTURE_SETUP(args)
{
	args_fixture_init(&self->f);
	self->options = (struct args_options)ARGS_OPTIONS_DEFAULT;
}

FIXTURE_TEARDOWN(args)
{
	func_args_release(&self->got);
	args_fixture_release(&self->f);
}

#define DESCRIBE(func, syscall)                                                                  \
	({                                                                                       \
		func_args_release(&self->got);                                                   \
		ASSERT_EQ(0, args_of_func(self->f.btf, func, syscall, &self->options, &arch_x86, \
					  &self->got));                                          \
	})
#define DESCRIBE_PARAMS(...)                                                                       \
	({                                                                                         \
		struct args_func func_ = ARGS_FIXTURE_FUNC(&self->f, "f", __VA_ARGS__);            \
		DESCRIBE(&func_, NULL);                                                            \
	})

#define EXPECT_ITEM(i, is_kind, is_size, is_flags)                                                 \
	({                                                                                         \
		const struct arg_item *item_ = &self->got.items.items[i];                          \
		EXPECT_EQ(is_kind, item_->kind);                                                   \
		EXPECT_EQ(is_size, item_->size);                                                   \
		EXPECT_EQ(is_flags, item_->flags);                                                 \
	})

TEST_F(args, each_is_captured_as_its_type_wants_it)
{
	struct args_fixture *f = &self->f;

	DESCRIBE_PARAMS({ "n", f->i32 }, { "color", f->color }, { "name", f->const_char_ptr },
			{ "o", f->outer_ptr }, { "count", f->int_ptr });
	ASSERT_EQ(5, self->got.nr);
	ASSERT_EQ(5, self->got.items.nr);
	EXPECT_ITEM(0, ARG_VALUE, 4, 0);
	EXPECT_ITEM(1, ARG_VALUE, 4, 0);
	EXPECT_ITEM(2, ARG_STRING, 257, 0);
	EXPECT_ITEM(3, ARG_MEMORY, 80, 0);
	EXPECT_ITEM(4, ARG_MEMORY, 4, 0);
	EXPECT_EQ(8 + 8 + 264 + 80 + 8, self->got.items.max_bytes);
	EXPECT_STREQ("color", self->got.args[1].name);
	EXPECT_EQ(ARG_AS_STRING, self->got.args[2].form);
	EXPECT_EQ(ARG_AS_POINTEE, self->got.args[3].form);
	EXPECT_EQ(f->outer, self->got.args[3].type);
	for (int i = 0; i < 5; i++) {
		EXPECT_EQ(i, self->got.args[i].item);
		EXPECT_EQ(ARG_REGISTER, self->got.items.items[i].source);
		EXPECT_EQ(i, self->got.items.items[i].index);
		EXPECT_EQ(i, self->got.items.items[i].slot);
		EXPECT_EQ(0, self->got.items.items[i].nr_steps);
	}
}

TEST_F(args, pointers_to_what_cannot_be_read_are_values)
{
	struct args_fixture *f = &self->f;

	DESCRIBE_PARAMS({ "p", f->void_ptr }, { "fn", f->func_ptr }, { "argv", f->char_ptr_ptr },
			{ "hidden", f->hidden_ptr }, { "percpu", f->percpu_ptr });
	ASSERT_EQ(5, self->got.items.nr);
	for (int i = 0; i < 5; i++) {
		EXPECT_ITEM(i, ARG_VALUE, 8, 0);
		EXPECT_EQ(ARG_AS_VALUE, self->got.args[i].form);
	}
	EXPECT_EQ(f->func_ptr, self->got.args[1].type);
}

TEST_F(args, a_type_tag_tells_user_memory)
{
	struct args_fixture *f = &self->f;

	DESCRIBE_PARAMS({ "name", f->user_char_ptr }, { "o", f->user_outer_ptr });
	EXPECT_ITEM(0, ARG_STRING, 257, ARG_USER);
	EXPECT_ITEM(1, ARG_MEMORY, 80, ARG_USER);
}

TEST_F(args, large_things_are_cut_to_what_the_options_allow)
{
	struct args_fixture *f = &self->f;

	self->options.max_str = 16;
	DESCRIBE_PARAMS({ "big", f->big_ptr }, { "name", f->char_ptr });
	EXPECT_ITEM(0, ARG_MEMORY, 256, 0);
	EXPECT_ITEM(1, ARG_STRING, 17, 0);
	EXPECT_TRUE(self->got.args[0].cut);
	self->options.max_sized = 0;
	self->options.max_str = 0;
	DESCRIBE_PARAMS({ "big", f->big_ptr }, { "name", f->char_ptr });
	EXPECT_ITEM(0, ARG_VALUE, 8, 0);
	EXPECT_ITEM(1, ARG_VALUE, 8, 0);
}

TEST_F(args, all_of_a_call_has_a_limit)
{
	struct args_fixture *f = &self->f;

	self->options.max_total = 100;
	DESCRIBE_PARAMS({ "o", f->outer_ptr }, { "p", f->outer_ptr }, { "n", f->i32 },
			{ "name", f->char_ptr });
	ASSERT_EQ(4, self->got.nr);
	ASSERT_EQ(2, self->got.items.nr);
	EXPECT_ITEM(0, ARG_MEMORY, 80, 0);
	EXPECT_ITEM(1, ARG_MEMORY, 16, 0);
	EXPECT_TRUE(self->got.args[1].cut);
	EXPECT_EQ(-1, self->got.args[2].item);
	EXPECT_EQ(-1, self->got.args[3].item);
	EXPECT_EQ(96, self->got.items.max_bytes);
}

TEST_F(args, no_options_lead_beyond_what_bpf_has_room_for)
{
	struct args_fixture *f = &self->f;

	self->options = (struct args_options){ UINT32_MAX, UINT32_MAX, UINT32_MAX, true };
	DESCRIBE_PARAMS({ "a", f->char_ptr }, { "b", f->char_ptr }, { "c", f->big_ptr });
	EXPECT_GE(ARGS_MAX_BYTES, self->got.items.max_bytes);
	for (uint32_t i = 0; i < self->got.items.nr; i++)
		EXPECT_GE(ARGS_MAX_BYTES - 16, self->got.items.items[i].size);
}

TEST_F(args, more_than_fit_are_named_and_not_captured)
{
	struct args_fixture_param params[14];
	struct args_func func;

	for (int i = 0; i < 14; i++)
		params[i] = (struct args_fixture_param){ "n", self->f.i64 };
	func = args_fixture_func(&self->f, "many", params, 14);
	DESCRIBE(&func, NULL);
	ASSERT_EQ(14, self->got.nr);
	ASSERT_EQ(ARGS_MAX_ITEMS, self->got.items.nr);
	EXPECT_EQ(ARGS_MAX_ITEMS - 1, self->got.args[11].item);
	EXPECT_EQ(-1, self->got.args[12].item);
	EXPECT_EQ(ARG_STACK, self->got.items.items[6].source);
	EXPECT_EQ(0, self->got.items.items[6].index);
	EXPECT_EQ(6, self->got.items.items[6].slot);
}

TEST_F(args, structs_by_value_are_captured_where_they_are)
{
	struct args_fixture *f = &self->f;

	DESCRIBE_PARAMS({ "s", f->small }, { "b", f->big }, { "n", f->i128 }, { "c", f->i32 });
	EXPECT_ITEM(0, ARG_VALUE, 12, 0);
	EXPECT_ITEM(1, ARG_VALUE, 256, 0);
	EXPECT_EQ(ARG_STACK, self->got.items.items[1].source);
	EXPECT_TRUE(self->got.args[1].cut);
	EXPECT_ITEM(2, ARG_VALUE, 16, 0);
	EXPECT_EQ(2, self->got.items.items[2].index);
	EXPECT_EQ(4, self->got.items.items[3].index);
}

TEST_F(args, a_struct_passed_by_its_address_is_shown_as_passed_by_value)
{
	struct args_func func = ARGS_FIXTURE_FUNC(&self->f, "f", { "o", self->f.outer });

	ASSERT_EQ(0,
		  args_of_func(self->f.btf, &func, NULL, &self->options, &arch_arm64, &self->got));
	EXPECT_ITEM(0, ARG_MEMORY, 80, 0);
	EXPECT_EQ(ARG_AS_VALUE, self->got.args[0].form);
}

TEST_F(args, raw_pointers_come_in_front_of_what_they_lead_to)
{
	struct args_fixture *f = &self->f;

	self->options.raw_ptrs = true;
	DESCRIBE_PARAMS({ "o", f->outer_ptr }, { "p", f->void_ptr }, { "s", f->char_ptr });
	ASSERT_EQ(3, self->got.nr);
	ASSERT_EQ(5, self->got.items.nr);
	EXPECT_ITEM(0, ARG_VALUE, 8, 0);
	EXPECT_ITEM(1, ARG_MEMORY, 80, 0);
	EXPECT_EQ(1, self->got.args[0].item);
	EXPECT_TRUE(self->got.args[0].raw);
	EXPECT_FALSE(self->got.args[1].raw);
	EXPECT_EQ(4, self->got.args[2].item);
	self->options.max_total = 8;
	DESCRIBE_PARAMS({ "o", f->outer_ptr });
	ASSERT_EQ(1, self->got.nr);
	EXPECT_EQ(0, self->got.args[0].item);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[0].form);
	EXPECT_FALSE(self->got.args[0].raw);
}

TEST_F(args, a_function_without_btf_has_its_registers)
{
	struct args_func func = { .name = "secret" };

	DESCRIBE(&func, NULL);
	ASSERT_EQ(6, self->got.nr);
	EXPECT_STREQ("di", self->got.args[0].name);
	EXPECT_STREQ("cx", self->got.args[3].name);
	EXPECT_ITEM(3, ARG_VALUE, 8, 0);
	EXPECT_EQ(3, self->got.items.items[3].index);
	func_args_release(&self->got);
	ASSERT_EQ(0, args_of_func(NULL, &func, NULL, &self->options, &arch_arm64, &self->got));
	ASSERT_EQ(8, self->got.nr);
	EXPECT_STREQ("x7", self->got.args[7].name);
}

TEST_F(args, functions_of_one_name_that_differ_have_their_registers)
{
	struct args_func func = ARGS_FIXTURE_FUNC(&self->f, "twice", { "a", self->f.i32 });
	uint32_t id;
	int module;

	ARGS_FIXTURE_FUNC(&self->f, "twice", { "b", self->f.char_ptr });
	ASSERT_EQ(1, kernel_btf_find_func(self->f.btf, "twice", NULL, &id, &module));
	DESCRIBE(&func, NULL);
	ASSERT_EQ(6, self->got.nr);
	EXPECT_STREQ("di", self->got.args[0].name);
}

TEST_F(args, the_dots_are_known_to_be_there)
{
	DESCRIBE_PARAMS({ "fmt", self->f.const_char_ptr }, { NULL, 0 });
	EXPECT_EQ(1, self->got.nr);
	EXPECT_TRUE(self->got.variadic);
	DESCRIBE_PARAMS({ NULL, self->f.i32 });
	EXPECT_STREQ("arg0", self->got.args[0].name);
	EXPECT_FALSE(self->got.variadic);
}

TEST_F(args, helpers_of_bpf_have_their_own_types)
{
	struct args_fixture *f = &self->f;
	int u64 = btf__add_typedef(f->types, "u64", f->i64);
	int proto = btf__add_func_proto(f->types, u64), declared;
	struct args_func func = { .name = "bpf_do" };

	btf__add_func_param(f->types, "where", u64);
	btf__add_func_param(f->types, "how", u64);
	for (int i = 0; i < 3; i++)
		btf__add_func_param(f->types, "__unused", u64);
	func.btf_id = btf__add_func(f->types, "bpf_do", BTF_FUNC_STATIC, proto);
	declared = btf__add_func_proto(f->types, u64);
	btf__add_func_param(f->types, NULL, f->outer_ptr);
	btf__add_func_param(f->types, NULL, f->i32);
	btf__add_typedef(f->types, "btf_bpf_do", btf__add_ptr(f->types, declared));
	DESCRIBE(&func, NULL);
	ASSERT_EQ(2, self->got.nr);
	EXPECT_STREQ("where", self->got.args[0].name);
	EXPECT_ITEM(0, ARG_MEMORY, 80, 0);
	EXPECT_STREQ("how", self->got.args[1].name);
	EXPECT_ITEM(1, ARG_VALUE, 4, 0);
}

TEST_F(args, wrappers_of_system_calls_are_known_by_name)
{
	EXPECT_STREQ("openat", args_syscall_name("__x64_sys_openat"));
	EXPECT_STREQ("openat", args_syscall_name("__arm64_sys_openat"));
	EXPECT_STREQ("ioctl", args_syscall_name("__ia32_compat_sys_ioctl"));
	EXPECT_STREQ("ioctl", args_syscall_name("__x64_compat_sys_ioctl"));
	EXPECT_STREQ("ioctl", args_syscall_name("__arm64_compat_sys_ioctl"));
	EXPECT_TRUE(args_syscall_is_compat("__x64_compat_sys_ioctl"));
	EXPECT_FALSE(args_syscall_is_compat("__ia32_sys_ioctl"));
	EXPECT_FALSE(args_syscall_is_compat("do_compat_sys_ioctl"));
	EXPECT_EQ(NULL, args_syscall_name("__x64_sys_"));
	EXPECT_STREQ("openat", args_syscall_name("__se_sys_openat"));
	EXPECT_STREQ("ioctl", args_syscall_name("__se_compat_sys_ioctl"));
	EXPECT_TRUE(args_syscall_is_compat("__se_compat_sys_ioctl"));
	EXPECT_EQ(NULL, args_syscall_name("__do_sys_openat"));
	EXPECT_EQ(NULL, args_syscall_name("do_sys_openat2"));
}

TEST(system_calls_that_wait)
{
	/* EAGAIN of the others means that a limit is reached. */
	EXPECT_TRUE(syscall_waits(syscall_of_entry("__x64_sys_read")));
	EXPECT_TRUE(syscall_waits(syscall_of_entry("__arm64_sys_sendfile64")));
	EXPECT_TRUE(syscall_waits(syscall_of_entry("__ia32_compat_sys_recvmsg")));
	EXPECT_TRUE(syscall_waits(syscall_of_entry("__x64_sys_futex_waitv")));
	EXPECT_TRUE(syscall_waits(syscall_of_entry("__x64_sys_futex_wait")));
	EXPECT_TRUE(syscall_waits(syscall_of_entry("__ia32_sys_futex_time32")));
	EXPECT_TRUE(syscall_waits(syscall_of_entry("__ia32_compat_sys_recvmmsg_time64")));
	EXPECT_FALSE(syscall_waits(syscall_of_entry("__x64_sys_clone")));
	EXPECT_FALSE(syscall_waits(syscall_of_entry("__x64_sys_connect")));
	EXPECT_FALSE(syscall_waits(syscall_of_entry("__x64_sys_readlink")));
}

#define EXPECT_SYSCALL_ITEM(i, is_kind, is_size, is_flags, is_step)                                \
	({                                                                                         \
		EXPECT_ITEM(i, is_kind, is_size, is_flags);                                        \
		EXPECT_EQ(1, self->got.items.items[i].nr_steps);                                   \
		EXPECT_EQ(is_step, self->got.items.items[i].steps[0]);                             \
		EXPECT_EQ(0, self->got.items.items[i].index);                                      \
	})

static const struct syscall_params openat = {
	4, { { "int", "dfd" }, { "const char *", "filename" }, { "int", "flags" },
	     { "umode_t", "mode" } },
};

TEST_F(args, a_system_calls_own_arguments_come_from_its_registers)
{
	struct args_func func = { .name = "__x64_sys_openat" };
	int mode = btf__add_typedef(self->f.types, "umode_t", self->f.u16);

	DESCRIBE(&func, &openat);
	ASSERT_EQ(4, self->got.nr);
	EXPECT_SYSCALL_ITEM(0, ARG_VALUE, 4, 0, 112);
	EXPECT_EQ(self->f.i32, self->got.args[0].type);
	EXPECT_SYSCALL_ITEM(1, ARG_STRING, 257, ARG_USER, 104);
	EXPECT_SYSCALL_ITEM(2, ARG_VALUE, 4, 0, 96);
	EXPECT_SYSCALL_ITEM(3, ARG_VALUE, 2, 0, 56);
	EXPECT_EQ(mode, self->got.args[3].type);
	EXPECT_STREQ("filename", self->got.args[1].name);
}

TEST_F(args, system_calls_of_other_machines_have_other_registers)
{
	struct args_func func = { .name = "__ia32_sys_openat" };

	DESCRIBE(&func, &openat);
	EXPECT_SYSCALL_ITEM(0, ARG_VALUE, 4, 0, 40);
	EXPECT_SYSCALL_ITEM(1, ARG_STRING, 257, ARG_USER, 88);
	func.name = "__arm64_sys_openat";
	func_args_release(&self->got);
	ASSERT_EQ(0, args_of_func(self->f.btf, &func, &openat, &self->options, &arch_arm64,
				  &self->got));
	EXPECT_SYSCALL_ITEM(0, ARG_VALUE, 4, 0, 0);
	EXPECT_SYSCALL_ITEM(2, ARG_VALUE, 4, 0, 16);
}

TEST_F(args, system_calls_need_no_btf)
{
	struct args_func func = { .name = "__x64_sys_openat" };

	ASSERT_EQ(0, args_of_func(NULL, &func, &openat, &self->options, &arch_x86, &self->got));
	ASSERT_EQ(4, self->got.nr);
	EXPECT_SYSCALL_ITEM(0, ARG_VALUE, 4, 0, 112);
	EXPECT_TRUE(self->got.args[0].is_signed);
	EXPECT_SYSCALL_ITEM(1, ARG_STRING, 257, ARG_USER, 104);
	EXPECT_SYSCALL_ITEM(3, ARG_VALUE, 8, 0, 56);
}

TEST_F(args, system_calls_structs_are_followed_and_their_buffers_are_not)
{
	struct args_func func = { .name = "__x64_sys_do" };
	struct syscall_params params = {
		5, { { "struct outer *", "in" }, { "char *", "buf" }, { "int *", "out" },
		     { "const char *const *", "argv" }, { "void *", "p" } },
	};

	DESCRIBE(&func, &params);
	EXPECT_SYSCALL_ITEM(0, ARG_MEMORY, 80, ARG_USER, 112);
	EXPECT_SYSCALL_ITEM(1, ARG_VALUE, 8, 0, 104);
	EXPECT_SYSCALL_ITEM(2, ARG_VALUE, 8, 0, 96);
	EXPECT_SYSCALL_ITEM(3, ARG_VALUE, 8, 0, 56);
	EXPECT_SYSCALL_ITEM(4, ARG_VALUE, 8, 0, 72);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[1].form);
}

static const struct syscall_params mount = {
	5, { { "char *", "dev_name" }, { "char *", "dir_name" }, { "char *", "type" },
	     { "unsigned long", "flags" }, { "void *", "data" } },
};

TEST_F(args, strings_that_a_system_call_reads_are_captured_const_or_not)
{
	struct args_func func = { .name = "__x64_sys_mount" };
	const struct syscall_params read = {
		3, { { "unsigned int", "fd" }, { "char *", "buf" }, { "size_t", "count" } },
	}, umount = { 2, { { "char *", "name" }, { "int", "flags" } } };

	DESCRIBE(&func, &mount);
	EXPECT_SYSCALL_ITEM(0, ARG_STRING, 257, ARG_USER, 112);
	EXPECT_SYSCALL_ITEM(1, ARG_STRING, 257, ARG_USER, 104);
	EXPECT_SYSCALL_ITEM(2, ARG_STRING, 257, ARG_USER, 96);
	EXPECT_SYSCALL_ITEM(3, ARG_VALUE, 8, 0, 56);
	EXPECT_SYSCALL_ITEM(4, ARG_VALUE, 8, 0, 72);
	EXPECT_EQ(ARG_AS_STRING, self->got.args[2].form);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[4].form);
	func.name = "__ia32_sys_umount";
	DESCRIBE(&func, &umount);
	EXPECT_SYSCALL_ITEM(0, ARG_STRING, 257, ARG_USER, 40);
	EXPECT_SYSCALL_ITEM(1, ARG_VALUE, 4, 0, 88);
	/* A call's own name counts, not how it begins. */
	func.name = "__x64_sys_umount2";
	DESCRIBE(&func, &umount);
	EXPECT_SYSCALL_ITEM(0, ARG_VALUE, 8, 0, 112);
	func.name = "__x64_sys_read";
	DESCRIBE(&func, &read);
	EXPECT_SYSCALL_ITEM(1, ARG_VALUE, 8, 0, 104);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[1].form);
}

TEST(strings_without_const_are_told_from_buffers)
{
	EXPECT_TRUE(args_syscall_reads_string("mount", 0));
	EXPECT_TRUE(args_syscall_reads_string("mount", 2));
	EXPECT_TRUE(args_syscall_reads_string("sethostname", 0));
	/* Its data, flags, and what no call has. */
	EXPECT_FALSE(args_syscall_reads_string("mount", 3));
	EXPECT_FALSE(args_syscall_reads_string("mount", 4));
	EXPECT_FALSE(args_syscall_reads_string("mount", 32));
	EXPECT_FALSE(args_syscall_reads_string("read", 1));
	EXPECT_FALSE(args_syscall_reads_string("statx", 4));
	EXPECT_FALSE(args_syscall_reads_string("", 0));
}

TEST_F(args, structs_that_a_system_call_fills_in_are_not_read)
{
	struct args_func func = { .name = "__x64_sys_newfstatat" };
	const struct syscall_params call = {
		3, { { "struct outer *", "in" }, { "struct outer *", "other" }, { "struct outer *", "out" } },
	};

	DESCRIBE(&func, &call);
	EXPECT_EQ(ARG_AS_POINTEE, self->got.args[0].form);
	EXPECT_EQ(ARG_AS_POINTEE, self->got.args[1].form);
	EXPECT_SYSCALL_ITEM(2, ARG_VALUE, 8, 0, 96);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[2].form);
	/* In the compat call, too; not in another one. */
	func.name = "__ia32_compat_sys_newfstatat";
	DESCRIBE(&func, &call);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[2].form);
	func.name = "__ia32_compat_sys_ia32_fstatat64";
	DESCRIBE(&func, &call);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[2].form);
	func.name = "__x64_sys_newfstatatx";
	DESCRIBE(&func, &call);
	EXPECT_EQ(ARG_AS_POINTEE, self->got.args[2].form);
	func.name = "__x64_sys_cachestat";
	DESCRIBE(&func, &call);
	EXPECT_EQ(ARG_AS_POINTEE, self->got.args[1].form);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[2].form);
	func.name = "__arm64_sys_file_getattr";
	DESCRIBE(&func, &call);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[2].form);
	func.name = "__x64_sys_io_cancel";
	DESCRIBE(&func, &call);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[2].form);
	func.name = "__x64_sys_statmount";
	DESCRIBE(&func, &call);
	EXPECT_EQ(ARG_AS_POINTER, self->got.args[1].form);
	EXPECT_EQ(ARG_AS_POINTEE, self->got.args[0].form);
}

TEST_F(args, without_a_format_btf_tells_which_are_strings)
{
	struct args_func func = { .name = "__x64_sys_mount" };

	ARGS_FIXTURE_FUNC(&self->f, "__do_sys_mount", { "dev_name", self->f.char_ptr },
			  { "dir_name", self->f.char_ptr }, { "type", self->f.char_ptr },
			  { "flags", self->f.i64 }, { "data", self->f.void_ptr });
	DESCRIBE(&func, NULL);
	ASSERT_EQ(5, self->got.nr);
	EXPECT_STREQ("type", self->got.args[2].name);
	EXPECT_SYSCALL_ITEM(0, ARG_STRING, 257, ARG_USER, 112);
	EXPECT_SYSCALL_ITEM(2, ARG_STRING, 257, ARG_USER, 96);
	EXPECT_SYSCALL_ITEM(3, ARG_VALUE, 8, 0, 56);
}

/* As others, in the registers of the calling convention. */
#define EXPECT_PLAIN_ITEM(i, is_kind, is_size, is_flags)                                           \
	({                                                                                         \
		EXPECT_ITEM(i, is_kind, is_size, is_flags);                                        \
		EXPECT_EQ(0, self->got.items.items[i].nr_steps);                                   \
		EXPECT_EQ(i, self->got.items.items[i].index);                                      \
		EXPECT_EQ(i, self->got.items.items[i].slot);                                       \
	})

TEST_F(args, functions_inside_a_system_call_have_the_same_strings)
{
	struct args_fixture *f = &self->f;
	struct args_func inside = ARGS_FIXTURE_FUNC(f, "__do_sys_mount", { "dev_name", f->char_ptr },
						    { "dir_name", f->char_ptr },
						    { "type", f->char_ptr }, { "flags", f->i64 },
						    { "data", f->void_ptr });
	struct args_func read = ARGS_FIXTURE_FUNC(f, "ksys_read", { "fd", f->u32 },
						  { "buf", f->char_ptr }, { "count", f->i64 });
	struct args_func write = ARGS_FIXTURE_FUNC(f, "ksys_write", { "fd", f->u32 },
						   { "buf", f->const_char_ptr });
	struct args_func longs = ARGS_FIXTURE_FUNC(f, "__se_sys_mount", { "dev_name", f->i64 },
						   { "dir_name", f->i64 }, { "type", f->i64 },
						   { "flags", f->i64 }, { "data", f->i64 });

	DESCRIBE(&inside, NULL);
	EXPECT_PLAIN_ITEM(0, ARG_STRING, 257, ARG_USER);
	EXPECT_PLAIN_ITEM(2, ARG_STRING, 257, ARG_USER);
	EXPECT_PLAIN_ITEM(4, ARG_VALUE, 8, 0);
	DESCRIBE(&read, NULL);
	EXPECT_PLAIN_ITEM(1, ARG_VALUE, 8, 0);
	DESCRIBE(&write, NULL);
	EXPECT_PLAIN_ITEM(1, ARG_STRING, 257, ARG_USER);
	/* Numbers there; the call's format, or the other function, has the types. */
	DESCRIBE(&longs, &mount);
	ASSERT_EQ(5, self->got.nr);
	EXPECT_STREQ("dev_name", self->got.args[0].name);
	EXPECT_PLAIN_ITEM(0, ARG_STRING, 257, ARG_USER);
	EXPECT_PLAIN_ITEM(2, ARG_STRING, 257, ARG_USER);
	EXPECT_PLAIN_ITEM(3, ARG_VALUE, 8, 0);
	DESCRIBE(&longs, NULL);
	EXPECT_PLAIN_ITEM(1, ARG_STRING, 257, ARG_USER);
	EXPECT_PLAIN_ITEM(4, ARG_VALUE, 8, 0);
}

TEST_F(args, strings_of_the_kernel_are_what_they_were)
{
	struct args_fixture *f = &self->f;

	DESCRIBE_PARAMS({ "dev_name", f->char_ptr }, { "type_page", f->const_char_ptr });
	EXPECT_PLAIN_ITEM(0, ARG_STRING, 257, 0);
	EXPECT_PLAIN_ITEM(1, ARG_STRING, 257, 0);
}

TEST_F(args, the_function_inside_a_system_call_names_its_arguments)
{
	struct args_func func = { .name = "__x64_sys_dup3" };

	ARGS_FIXTURE_FUNC(&self->f, "__do_sys_dup3", { "oldfd", self->f.u32 },
			  { "path", self->f.const_char_ptr });
	DESCRIBE(&func, NULL);
	ASSERT_EQ(2, self->got.nr);
	EXPECT_STREQ("oldfd", self->got.args[0].name);
	EXPECT_SYSCALL_ITEM(0, ARG_VALUE, 4, 0, 112);
	EXPECT_SYSCALL_ITEM(1, ARG_STRING, 257, ARG_USER, 104);
}

TEST_F(args, a_call_that_is_another_for_32_bit_programs_has_parameters_of_its_own)
{
	struct args_func func = { .name = "__ia32_compat_sys_lseek" };

	ARGS_FIXTURE_FUNC(&self->f, "__do_sys_lseek", { "fd", self->f.u32 }, { "pos", self->f.i64 });
	ARGS_FIXTURE_FUNC(&self->f, "__se_compat_sys_preadv", { "fd", self->f.u32 },
			  { "pos_low", self->f.u32 }, { "pos_high", self->f.u32 });
	/* Not known, and it is none of the other one's. */
	DESCRIBE(&func, NULL);
	ASSERT_EQ(6, self->got.nr);
	EXPECT_STREQ("bx", self->got.args[0].name);
	EXPECT_SYSCALL_ITEM(0, ARG_VALUE, 4, 0, 40);
	func_args_release(&self->got);
	func.name = "__ia32_compat_sys_preadv";
	DESCRIBE(&func, NULL);
	ASSERT_EQ(3, self->got.nr);
	EXPECT_STREQ("pos_high", self->got.args[2].name);
	EXPECT_SYSCALL_ITEM(2, ARG_VALUE, 4, 0, 96);
	func_args_release(&self->got);
	/* x32 has the registers of 64-bit programs. */
	func.name = "__x64_compat_sys_preadv";
	DESCRIBE(&func, NULL);
	ASSERT_EQ(3, self->got.nr);
	EXPECT_SYSCALL_ITEM(2, ARG_VALUE, 4, 0, 96);
	EXPECT_SYSCALL_ITEM(0, ARG_VALUE, 4, 0, 112);
}

TEST_F(args, registers_of_32_bit_programs_on_arm64_have_4_bytes)
{
	struct args_func func = { .name = "__arm64_compat_sys_new" };

	ASSERT_EQ(0,
		  args_of_func(self->f.btf, &func, NULL, &self->options, &arch_arm64, &self->got));
	ASSERT_EQ(6, self->got.nr);
	EXPECT_STREQ("x1", self->got.args[1].name);
	EXPECT_SYSCALL_ITEM(1, ARG_VALUE, 4, 0, 8);
	func_args_release(&self->got);
	func.name = "__arm64_sys_new";
	ASSERT_EQ(0,
		  args_of_func(self->f.btf, &func, NULL, &self->options, &arch_arm64, &self->got));
	EXPECT_SYSCALL_ITEM(5, ARG_VALUE, 8, 0, 40);
}

TEST_F(args, of_an_unknown_system_call_there_are_its_registers)
{
	struct args_func func = { .name = "__x64_sys_new" };

	DESCRIBE(&func, NULL);
	ASSERT_EQ(6, self->got.nr);
	EXPECT_STREQ("r10", self->got.args[3].name);
	EXPECT_SYSCALL_ITEM(3, ARG_VALUE, 8, 0, 56);
}

TEST_F(args, of_files_and_directory_entries_the_path_is_captured)
{
	struct args_fixture *f = &self->f;
	const struct arg_item *item = self->got.items.items;

	args_fixture_add_files(f);
	DESCRIBE_PARAMS({ "file", f->file_ptr }, { "path", f->path_ptr },
			{ "dentry", f->dentry_ptr });
	for (int i = 0; i < 3; i++) {
		EXPECT_ITEM(i, ARG_PATH, 257, 0);
		EXPECT_EQ(ARG_AS_PATH, self->got.args[i].form);
		EXPECT_EQ(24, item[i].steps[PATH_STEP_NAME]);
		EXPECT_EQ(8, item[i].steps[PATH_STEP_PARENT]);
	}
	EXPECT_EQ(1, item[0].nr_steps);
	EXPECT_EQ(16, item[0].steps[0]);
	EXPECT_EQ(1, item[1].nr_steps);
	EXPECT_EQ(8, item[1].steps[0]);
	EXPECT_EQ(0, item[2].nr_steps);
}

TEST_F(args, where_members_are_wanted_files_are_structs_like_others)
{
	struct args_fixture *f = &self->f;

	args_fixture_add_files(f);
	self->options.members = true;
	DESCRIBE_PARAMS({ "file", f->file_ptr });
	EXPECT_ITEM(0, ARG_MEMORY, 24, 0);
	self->options.members = false;
	self->options.max_str = 0;
	DESCRIBE_PARAMS({ "file", f->file_ptr });
	EXPECT_ITEM(0, ARG_MEMORY, 24, 0);
}

TEST_F(args, what_is_only_called_a_file_is_a_struct)
{
	struct args_fixture *f = &self->f;
	int file = btf__add_struct(f->types, "file", 8);

	btf__add_field(f->types, "f_path", f->i64, 0, 0);
	DESCRIBE_PARAMS({ "file", btf__add_ptr(f->types, file) });
	EXPECT_ITEM(0, ARG_MEMORY, 8, 0);
}

TEST_F(args, a_path_that_finds_no_room_is_left_out)
{
	struct args_fixture *f = &self->f;

	args_fixture_add_files(f);
	self->options.max_total = 256;
	DESCRIBE_PARAMS({ "file", f->file_ptr }, { "n", f->i32 });
	ASSERT_EQ(1, self->got.items.nr);
	EXPECT_ITEM(0, ARG_VALUE, 4, 0);
	EXPECT_EQ(-1, self->got.args[0].item);
}

TEST_F(args, behind_a_format_words_and_strings_are_captured)
{
	struct args_fixture *f = &self->f;
	const struct args_more *more = &self->got.more;

	DESCRIBE_PARAMS({ "m", f->hidden_ptr }, { "fmt", f->const_char_ptr }, { NULL, 0 });
	EXPECT_EQ(2, self->got.nr);
	EXPECT_TRUE(self->got.variadic);
	EXPECT_EQ(1, more->format);
	/* dx and cx, r8 and r9, and what is on the stack. */
	ASSERT_EQ(10, more->nr);
	EXPECT_ITEM(2, ARG_VALUE, 16, 0);
	EXPECT_EQ(2, self->got.items.items[2].index);
	EXPECT_ITEM(3, ARG_VALUE, 16, 0);
	EXPECT_EQ(4, self->got.items.items[3].index);
	EXPECT_ITEM(4, ARG_VALUE, 48, 0);
	EXPECT_EQ(ARG_STACK, self->got.items.items[4].source);
	EXPECT_EQ(0, self->got.items.items[4].index);
	EXPECT_EQ(2, more->words[1].item);
	EXPECT_EQ(8, more->words[1].skip);
	EXPECT_EQ(4, more->words[9].item);
	EXPECT_EQ(40, more->words[9].skip);
	/* Strings, as many as there is room for. */
	ASSERT_EQ(ARGS_MAX_ITEMS, self->got.items.nr);
	EXPECT_ITEM(5, ARG_STRING, 65, ARG_KERNEL);
	EXPECT_EQ(2, self->got.items.items[5].index);
	EXPECT_EQ(5, more->words[0].text);
	EXPECT_ITEM(8, ARG_STRING, 65, ARG_KERNEL);
	EXPECT_EQ(5, self->got.items.items[8].index);
	EXPECT_EQ(ARG_STACK, self->got.items.items[9].source);
	EXPECT_EQ(0, self->got.items.items[9].index);
	EXPECT_EQ(11, more->words[6].text);
	EXPECT_EQ(-1, more->words[7].text);
}

TEST_F(args, behind_a_format_all_of_arm64s_registers_have_room)
{
	struct args_fixture *f = &self->f;
	struct args_func func =
		ARGS_FIXTURE_FUNC(f, "f", { "fmt", f->const_char_ptr }, { NULL, 0 });
	const struct args_more *more = &self->got.more;

	ASSERT_EQ(0, args_of_func(f->btf, &func, NULL, &self->options, &arch_arm64, &self->got));
	/* x1 to x7, and what is on the stack. */
	ASSERT_EQ(ARGS_MORE_WORDS, more->nr);
	EXPECT_EQ(ARG_REGISTER, self->got.items.items[more->words[6].item].source);
	EXPECT_EQ(7, self->got.items.items[more->words[6].item].index);
	EXPECT_EQ(ARG_STACK, self->got.items.items[more->words[7].item].source);
	EXPECT_EQ(40, more->words[12].skip);
	EXPECT_TRUE(self->got.variadic);
	EXPECT_GE(ARGS_MAX_ITEMS, self->got.items.nr);
}

TEST_F(args, named_arguments_on_the_stack_come_before_what_is_behind_them)
{
	struct args_fixture *f = &self->f;

	DESCRIBE_PARAMS({ "a", f->i32 }, { "b", f->i32 }, { "c", f->i32 }, { "d", f->i32 },
			{ "e", f->i32 }, { "f", f->i32 }, { "fmt", f->const_char_ptr },
			{ NULL, 0 });
	ASSERT_EQ(6, self->got.more.nr);
	EXPECT_EQ(ARG_STACK, self->got.items.items[7].source);
	EXPECT_EQ(1, self->got.items.items[7].index);
}

TEST_F(args, only_a_format_tells_what_is_behind_it)
{
	struct args_fixture *f = &self->f;

	DESCRIBE_PARAMS({ "fmt", f->const_char_ptr }, { "n", f->i32 }, { NULL, 0 });
	EXPECT_TRUE(self->got.variadic);
	EXPECT_EQ(0, self->got.more.nr);
	DESCRIBE_PARAMS({ NULL, 0 });
	EXPECT_EQ(0, self->got.more.nr);
	DESCRIBE_PARAMS({ "fmt", f->const_char_ptr });
	EXPECT_EQ(0, self->got.more.nr);
	self->options.max_str = 0;
	DESCRIBE_PARAMS({ "fmt", f->const_char_ptr }, { NULL, 0 });
	EXPECT_EQ(0, self->got.more.nr);
}

TEST_F(args, words_that_find_no_room_are_not_captured_in_part)
{
	struct args_fixture *f = &self->f;

	self->options.max_total = 264 + 20;
	DESCRIBE_PARAMS({ "fmt", f->const_char_ptr }, { NULL, 0 });
	EXPECT_EQ(2, self->got.more.nr);
	EXPECT_GE(self->options.max_total, self->got.items.max_bytes - 15);
}

#define VALUE(size, unread) ((uint64_t)(unread) << 16 | (size))

TEST_F(args, what_came_is_taken_apart)
{
	struct arg_items items = { .nr = 4, .items = {
		{ .kind = ARG_VALUE, .size = 4 },
		{ .kind = ARG_STRING, .size = 32 },
		{ .kind = ARG_MEMORY, .size = 80 },
		{ .kind = ARG_VALUE, .size = 12 },
	} };
	uint8_t bytes[48] = { 1 };
	struct arg_data data[ARGS_MAX_ITEMS];

	strcpy((char *)bytes + 4, "eleven text");
	args_decode(&items, VALUE(48, 1 << 2), bytes, sizeof(bytes), data);
	EXPECT_EQ(&bytes[0], data[0].data);
	EXPECT_EQ(4, data[0].len);
	EXPECT_EQ(&bytes[4], data[1].data);
	EXPECT_EQ(11, data[1].len);
	EXPECT_FALSE(data[1].cut);
	EXPECT_EQ(&bytes[16], data[2].data);
	EXPECT_EQ(8, data[2].len);
	EXPECT_TRUE(data[2].unread);
	EXPECT_EQ(&bytes[24], data[3].data);
	EXPECT_EQ(12, data[3].len);
	EXPECT_EQ(NULL, data[4].data);
}

TEST_F(args, a_string_that_fills_its_room_goes_on_behind_what_is_shown)
{
	struct arg_items items = { .nr = 1, .items = { { .kind = ARG_STRING, .size = 8 } } };
	struct arg_data data[ARGS_MAX_ITEMS];

	args_decode(&items, VALUE(16, 0), "1234567\0.......", 16, data);
	EXPECT_EQ(6, data[0].len);
	EXPECT_TRUE(data[0].cut);
	args_decode(&items, VALUE(16, 0), "12345678.......", 16, data);
	EXPECT_EQ(6, data[0].len);
	EXPECT_TRUE(data[0].cut);
	args_decode(&items, VALUE(16, 0), "123456\0........", 16, data);
	EXPECT_EQ(6, data[0].len);
	EXPECT_FALSE(data[0].cut);
	/* Of more room, only what there was is sent. */
	items.items[0].size = 257;
	args_decode(&items, VALUE(16, 0), "0123456789abcde", 16, data);
	EXPECT_EQ(15, data[0].len);
	EXPECT_FALSE(data[0].cut);
}

TEST_F(args, names_of_a_path_end_with_an_empty_one)
{
	struct arg_items items = { .nr = 2, .items = {
		{ .kind = ARG_PATH, .size = 257 }, { .kind = ARG_VALUE, .size = 8 },
	} };
	struct arg_data data[ARGS_MAX_ITEMS];

	args_decode(&items, VALUE(16, 0), "a\0bc\0/\0\0.......", 16, data);
	EXPECT_EQ(8, data[0].len);
	EXPECT_EQ('.', data[1].data[0]);
	/* The innermost may be empty. */
	args_decode(&items, VALUE(16, 0), "\0\0x.............", 16, data);
	EXPECT_EQ(2, data[0].len);
	EXPECT_EQ('x', data[1].data[0]);
	args_decode(&items, VALUE(32, 0), "a\0b\0c\0d\0\0x......................", 32, data);
	EXPECT_EQ(9, data[0].len);
	EXPECT_EQ('x', data[1].data[0]);
	args_decode(&items, VALUE(16, 1), "\xf0\1\2\3\4\5\6\7x.......", 16, data);
	EXPECT_TRUE(data[0].unread);
	EXPECT_EQ(8, data[0].len);
	/* One that has no end. */
	args_decode(&items, VALUE(16, 0), "abcdefghabcdefgh", 16, data);
	EXPECT_EQ(16, data[0].len);
	EXPECT_EQ(NULL, data[1].data);
}

TEST_F(args, what_was_captured_is_counted_without_what_fills_it_up)
{
	struct arg_items items = { .nr = 5, .items = {
		{ .kind = ARG_VALUE, .size = 4 },
		{ .kind = ARG_STRING, .size = 9 },
		{ .kind = ARG_MEMORY, .size = 12 },
		{ .kind = ARG_PATH, .size = 257 },
		{ .kind = ARG_VALUE, .size = 2, .nr_steps = 1 },
	} };
	uint8_t bytes[64] = { 1 };

	strcpy((char *)bytes + 4, "lo");
	memcpy(bytes + 4 + 3 + 12, "b\0/\0", 5);
	EXPECT_EQ(4 + 3 + 12 + 5 + 2, args_captured_bytes(&items, VALUE(32, 0), bytes, 64));
	memcpy(bytes + 4 + 8 + 12, "b\0/\0", 5);
	EXPECT_EQ(4 + 8 + 12 + 5 + 2, args_captured_bytes(&items, VALUE(48, 1 << 1), bytes, 64));
	/* One that goes on takes all of its room. */
	memset(bytes + 4, 'x', 9);
	EXPECT_EQ(4 + 9, args_captured_bytes(&items, VALUE(13, 0), bytes, 13));
	EXPECT_EQ(0, args_captured_bytes(&items, VALUE(0, 0), NULL, 0));
}

TEST_F(args, data_that_ends_early_is_not_read_beyond)
{
	struct arg_items items = { .nr = 3, .items = {
		{ .kind = ARG_MEMORY, .size = 80 },
		{ .kind = ARG_STRING, .size = 32 },
		{ .kind = ARG_VALUE, .size = 8 },
	} };
	struct arg_data data[ARGS_MAX_ITEMS];
	uint8_t *bytes = malloc(84);

	memset(bytes, 'x', 84);
	args_decode(&items, VALUE(0xffff, 0), bytes, 84, data);
	EXPECT_EQ(80, data[0].len);
	EXPECT_EQ(4, data[1].len);
	EXPECT_TRUE(data[1].cut);
	EXPECT_EQ(NULL, data[2].data);
	args_decode(&items, VALUE(16, 0), bytes, 84, data);
	EXPECT_EQ(16, data[0].len);
	EXPECT_TRUE(data[0].cut);
	args_decode(&items, VALUE(0, 0), NULL, 0, data);
	EXPECT_EQ(NULL, data[0].data);
	free(bytes);
}

TEST_F(args, whatever_came_stays_within_it)
{
	uint32_t seed = 3;

	for (int round = 0; round < 20000; round++) {
		struct arg_items items = {};
		struct arg_data data[ARGS_MAX_ITEMS];
		uint8_t bytes[256];
		size_t len;

		for (size_t i = 0; i < sizeof(items); i++)
			((uint8_t *)&items)[i] = (seed = seed * 1664525 + 1013904223) >> 24;
		items.nr = seed % 40;
		for (size_t i = 0; i < ARGS_MAX_ITEMS; i++) {
			items.items[i].kind %= 5;
			items.items[i].size %= 100;
		}
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = i % 7;
		len = (seed >> 10) % sizeof(bytes);
		args_decode(&items, seed, bytes, len, data);
		for (int i = 0; i < ARGS_MAX_ITEMS; i++) {
			if (!data[i].data)
				continue;
			ASSERT_LE(&bytes[0], data[i].data);
			ASSERT_GE(&bytes[len], data[i].data + data[i].len);
		}
	}
}

TEST_HARNESS_MAIN
