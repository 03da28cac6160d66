// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_fixture.h"
#include "unit.h"
#include "util/ask/request.h"
#include "util/ask/settings.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/kernel.h"
#include "util/kernel/types/btf.h"
#include "util/plan/args/args.h"
#include "util/plan/args/where_compile.h"
#include "util/plan/match/deny.h"
#include "util/plan/match/similar_names.h"
#include "util/plan/plan.h"
#include "util/plan/why_traceable.h"
#include "util/trace/attach/features.h"

static const char kallsyms[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81000100 T do_open\n"
	"ffffffff810001f0 t __pfx___x64_sys_getppid\n"
	"ffffffff81000200 T __do_sys_getppid\n"
	"ffffffff81000200 T __x64_sys_getppid\n"
	"ffffffff81000300 t helper\n"
	"ffffffff81000400 t helper\n"
	"ffffffff81000500 t do_close.isra.0\n"
	"ffffffff81000600 T migrate_disable\n"
	"ffffffff81000700 T do_notrace\n"
	"ffffffff81000800 T do_trap\n"
	"ffffffff81000900 T do_printk\n"
	"ffffffff81000a00 T map_create\n"
	"ffffffff81000b00 T panic\n"
	"ffffffff81000c00 T __x64_sys_newstat\n"
	"ffffffff81000d00 T __ia32_compat_sys_newstat\n"
	"ffffffff81000e00 t fc_mount\n"
	"ffffffff81000f00 T __x64_sys_mount\n"
	"ffffffffc0000000 t do_open\t[ext4]\n"
	"ffffffffc0000100 t ext4_init\t[ext4]\n"
	"ffffffffc0000200 t bpf_prog_123_do_open\t[bpf]\n";

/* Everything but do_notrace and what is made code. One name an address, as the kernel has it. */
static const char functions[] =
	"do_open\n__do_sys_getppid\nhelper\nhelper\ndo_close.isra.0\nmigrate_disable\ndo_trap\n"
	"do_printk\nmap_create\npanic\n__x64_sys_newstat\n__ia32_compat_sys_newstat\nfc_mount\n"
	"__x64_sys_mount\ndo_open [ext4]\next4_init [ext4]\n";

static const char blacklist[] = "0xffffffff81000800-0xffffffff81000900\tdo_trap\n";

FIXTURE(plan)
{
	struct kernel *kernel;
	struct symbols *symbols;
	struct trace_request request;
	struct plan *plan;
	int err;
	char *messages;
};

static void add_func(struct btf *types, const char *name, int returns, int param, int nr)
{
	int proto = btf__add_func_proto(types, returns);

	for (int i = 0; i < nr; i++)
		btf__add_func_param(types, param ? "p" : NULL, param);
	btf__add_func(types, name, BTF_FUNC_STATIC, proto);
}

static struct kernel_btf *make_btf(void)
{
	struct btf *types = btf__new_empty(), *module;
	struct kernel_btf *btf = NULL;
	int i32 = btf__add_int(types, "int", 4, BTF_INT_SIGNED);
	int i64 = btf__add_int(types, "long", 8, BTF_INT_SIGNED);
	int ptr = btf__add_ptr(types, 0);
	int u64 = btf__add_int(types, "unsigned long", 8, 0);

	add_func(types, "fc_mount", u64, 0, 0);
	add_func(types, "do_open", i32, i64, 2);
	add_func(types, "__do_sys_getppid", i64, ptr, 1);
	add_func(types, "helper", ptr, 0, 0);
	add_func(types, "do_close", ptr, ptr, 3);
	add_func(types, "do_printk", i32, 0, 1);	/* variadic */
	add_func(types, "map_create", i32, i64, 7);
	add_func(types, "panic", 0, 0, 0);
	if (kernel_btf_from(types, &btf))
		abort();
	module = btf__new_empty_split(types);
	add_func(module, "ext4_init", ptr, 0, 0);
	if (kernel_btf_add_module(btf, "ext4", module) != 1)
		abort();
	return btf;
}

FIXTURE_SETUP(plan)
{
	self->symbols = make_symbols(kallsyms);
	trace_request_init(&self->request);
	self->plan = NULL;
	self->messages = NULL;
	ASSERT_EQ(0, kernel_from_parts(self->symbols, make_btf(),
				       make_traceable(self->symbols, functions, false, blacklist),
				       &self->kernel));
}

FIXTURE_TEARDOWN(plan)
{
	plan_free(self->plan);
	trace_request_release(&self->request);
	kernel_free(self->kernel);
	free(self->messages);
}

/* "-e GLOB -a GLOB ..."; NULL for none. */
static void resolve(FIXTURE_DATA(plan) *self, const char *entry, const char *allow,
		    const char *deny)
{
	if (entry)
		spec_list_add(&self->request.entry, entry);
	if (allow)
		spec_list_add(&self->request.allow, allow);
	if (deny)
		spec_list_add(&self->request.deny, deny);
	self->messages = stderr_of(
		self->err = plan_select(self->kernel, &self->request, 0, &self->plan));
}

static const struct plan_func *find(FIXTURE_DATA(plan) *self, const char *name)
{
	for (size_t i = 0; self->plan && i < self->plan->funcs.len; i++) {
		if (!strcmp(self->plan->funcs.data[i].name, name))
			return &self->plan->funcs.data[i];
	}
	return NULL;
}

static int refusal_of(FIXTURE_DATA(plan) *self, const char *name)
{
	for (size_t i = 0; self->plan && i < self->plan->refused.len; i++) {
		if (!strcmp(self->plan->refused.data[i].name, name))
			return self->plan->refused.data[i].why;
	}
	return -1;
}


TEST_F(plan, entries_come_first_and_all_by_address)
{
	resolve(self, "map_*", "do_open", NULL);
	ASSERT_EQ(0, self->err);
	ASSERT_EQ(3, self->plan->funcs.len);
	EXPECT_EQ(1, self->plan->nr_entries);
	EXPECT_STREQ("map_create", self->plan->funcs.data[0].name);
	EXPECT_TRUE(self->plan->funcs.data[0].entry);
	EXPECT_EQ(0xffffffff81000100, self->plan->funcs.data[1].addr);
	EXPECT_EQ(NULL, self->plan->funcs.data[1].module);
	EXPECT_STREQ("ext4", self->plan->funcs.data[2].module);
	EXPECT_STREQ("", self->messages);
}

TEST_F(plan, a_function_that_is_both_is_one_entry)
{
	resolve(self, "do_open [vmlinux]", "do_*", NULL);
	EXPECT_EQ(1, self->plan->nr_entries);
	EXPECT_TRUE(self->plan->funcs.data[0].entry);
	EXPECT_STREQ("do_open", self->plan->funcs.data[0].name);
}

TEST_F(plan, an_alias_that_the_list_does_not_name_is_found_and_kept)
{
	resolve(self, "__x64_sys_getppid", NULL, NULL);
	ASSERT_EQ(0, self->err);
	ASSERT_EQ(1, self->plan->funcs.len);
	EXPECT_STREQ("__x64_sys_getppid", self->plan->funcs.data[0].name);
	/* BTF has it under the other name. */
	EXPECT_EQ(RETURN_INT64, self->plan->funcs.data[0].returns);
	EXPECT_EQ(RUNG_TRAMPOLINES, self->plan->funcs.data[0].rungs & RUNG_TRAMPOLINES);
	EXPECT_STREQ("", self->messages);
}

TEST_F(plan, aliases_of_one_address_are_one_function)
{
	resolve(self, "*getppid", NULL, NULL);
	ASSERT_EQ(1, self->plan->funcs.len);
	EXPECT_STREQ("__x64_sys_getppid", self->plan->funcs.data[0].name);
	EXPECT_EQ(0, self->plan->refused.len);
}

TEST_F(plan, of_aliases_the_one_named_in_full_is_kept)
{
	spec_list_add(&self->request.allow, "__do_sys_getppid");
	resolve(self, "*getppid", NULL, NULL);
	ASSERT_EQ(1, self->plan->funcs.len);
	EXPECT_STREQ("__do_sys_getppid", self->plan->funcs.data[0].name);
	EXPECT_TRUE(self->plan->funcs.data[0].entry);
}

TEST_F(plan, denying_one_alias_denies_the_function)
{
	resolve(self, "do_open", "*getppid", "__do_sys_*");
	EXPECT_EQ(NULL, find(self, "__x64_sys_getppid"));
	EXPECT_EQ(2, self->plan->funcs.len);
}

TEST_F(plan, deny_wins_over_entry_and_allow)
{
	resolve(self, "do_open", "map_*", "*_open [ext4]");
	ASSERT_EQ(2, self->plan->funcs.len);
	EXPECT_EQ(NULL, self->plan->funcs.data[0].module);
	EXPECT_STREQ("map_create", self->plan->funcs.data[1].name);
	EXPECT_EQ(0, self->plan->refused.len);
}

TEST_F(plan, when_deny_takes_every_entry_that_is_said)
{
	resolve(self, "do_open", NULL, "do_*");
	EXPECT_EQ(-ENOENT, self->err);
	EXPECT_EQ(NULL, self->plan);
	EXPECT_STREQ("retsnoop: no entry function is left: -d leaves all of them out\n", self->messages);
}

TEST_F(plan, what_cannot_be_traced_is_refused_with_the_reason)
{
	resolve(self, "do_*", "migrate_*", NULL);
	ASSERT_EQ(0, self->err);
	EXPECT_EQ(REFUSED_NOT_TRACEABLE, refusal_of(self, "do_notrace"));
	EXPECT_EQ(REFUSED_BLACKLISTED, refusal_of(self, "do_trap"));
	EXPECT_EQ(REFUSED_DENIED, refusal_of(self, "migrate_disable"));
	EXPECT_EQ(3, self->plan->refused.len);
}

TEST_F(plan, a_function_named_in_full_and_refused_is_warned_of)
{
	resolve(self, "do_open", "do_notrace", NULL);
	EXPECT_EQ(0, self->err);
	EXPECT_NE(NULL, strstr(self->messages, "warning: do_notrace cannot be traced: "));
}

/* What no list says is not said: BTF of some kernels lacks functions that can be traced. */
TEST_F(plan, without_tracefs_it_is_btf_that_lacks_a_function)
{
	struct kernel_btf *btf = make_btf();
	struct traceable_text none = {};
	struct traceable *traceable = NULL;

	kernel_free(self->kernel);
	self->symbols = make_symbols(kallsyms);
	ASSERT_EQ(0, traceable_guess(self->symbols, btf, &none, &traceable));
	ASSERT_EQ(0, kernel_from_parts(self->symbols, btf, traceable, &self->kernel));
	resolve(self, "do_notrace", NULL, NULL);
	EXPECT_EQ(-EPERM, self->err);
	EXPECT_NE(NULL, strstr(self->messages, "do_notrace cannot be traced: it is not in BTF"));
	EXPECT_NE(NULL, strstr(self->messages, "known to be traceable without tracefs' list of functions"));
	EXPECT_EQ(NULL, strstr(self->messages, "ftrace location"));
}

TEST_F(plan, specs_of_a_case_need_not_match)
{
	spec_list_add(&self->request.allow, "not_in_this_kernel");
	self->request.allow.v.data[0].optional = true;
	resolve(self, "do_open", NULL, NULL);
	EXPECT_EQ(0, self->err);
	EXPECT_EQ(0, self->plan->unmatched.len);
	EXPECT_STREQ("", self->messages);
}

TEST_F(plan, specs_that_select_nothing_are_warned_of_once_each_with_the_nearest)
{
	resolve(self, "do_open", "map_craete", "nothing_like_it");
	EXPECT_EQ(0, self->err);
	ASSERT_EQ(2, self->plan->unmatched.len);
	EXPECT_STREQ("-a", self->plan->unmatched.data[0].option);
	EXPECT_STREQ("map_create", self->plan->unmatched.data[0].nearest);
	EXPECT_STREQ("-d", self->plan->unmatched.data[1].option);
	EXPECT_EQ(NULL, self->plan->unmatched.data[1].nearest);
	EXPECT_STREQ("retsnoop: warning: -a 'map_craete' matches no function; "
		     "did you mean 'map_create'?\n"
		     "retsnoop: warning: -d 'nothing_like_it' matches no function; "
		     "see 'retsnoop funcs --why nothing_like_it'\n",
		     self->messages);
}

TEST_F(plan, a_system_call_is_all_its_entry_functions)
{
	resolve(self, "syscall:stat", "syscall:get*", NULL);
	EXPECT_EQ(0, self->err);
	ASSERT_EQ(3, self->plan->funcs.len);
	EXPECT_EQ(2, self->plan->nr_entries);
	EXPECT_STREQ("__x64_sys_newstat", self->plan->funcs.data[0].name);
	EXPECT_STREQ("__ia32_compat_sys_newstat", self->plan->funcs.data[1].name);
	EXPECT_STREQ("__x64_sys_getppid", self->plan->funcs.data[2].name);
	EXPECT_STREQ("", self->messages);
}

TEST_F(plan, a_bare_name_that_is_a_system_call_is_told_so)
{
	resolve(self, "mount", "stat", "getppid");
	EXPECT_EQ(-ENOENT, self->err);
	EXPECT_STREQ("retsnoop: warning: -e 'mount' matches no function, but it is a system call; "
		     "try --syscall mount\n"
		     "retsnoop: warning: -a 'stat' matches no function, but it is a system call; "
		     "try syscall:stat\n"
		     "retsnoop: warning: -d 'getppid' matches no function, but it is a system call; "
		     "try syscall:getppid\n"
		     "retsnoop: no entry function matches; see 'retsnoop funcs --why NAME'\n",
		     self->messages);
}

TEST_F(plan, a_system_call_that_does_not_exist_is_told_with_the_nearest)
{
	resolve(self, "syscall:mont", "syscall:x*", "syscall:nothing_like_it");
	EXPECT_STREQ("retsnoop: warning: this kernel has no system call 'mont'; did you mean "
		     "'mount'?\n"
		     "retsnoop: warning: no system call matches 'x*'\n"
		     "retsnoop: warning: this kernel has no system call 'nothing_like_it'; "
		     "'retsnoop funcs syscall:*' lists them\n"
		     "retsnoop: no entry function matches; see 'retsnoop funcs --why NAME'\n",
		     self->messages);
}

TEST_F(plan, a_system_call_by_its_function_is_told_its_name)
{
	resolve(self, "syscall:__x64_sys_mount", "syscall:sys_mount", "-");
	EXPECT_STREQ("retsnoop: warning: this kernel has no system call '__x64_sys_mount'; did you "
		     "mean 'mount'?\n"
		     "retsnoop: warning: this kernel has no system call 'sys_mount'; did you mean "
		     "'mount'?\n"
		     "retsnoop: warning: -d '-' matches no function; see 'retsnoop funcs --why -'\n"
		     "retsnoop: no entry function matches; see 'retsnoop funcs --why NAME'\n",
		     self->messages);
}

TEST_F(plan, a_module_that_is_not_loaded_is_told)
{
	resolve(self, "do_open", "foo [btrf*]", NULL);
	EXPECT_STREQ("retsnoop: warning: -a 'foo [btrf*]' matches no function: "
		     "no module 'btrf*' is loaded\n",
		     self->messages);
}

TEST_F(plan, a_glob_that_matches_only_what_cannot_be_traced_is_told)
{
	resolve(self, "do_open", "migrate_*", NULL);
	EXPECT_STREQ("retsnoop: warning: -a 'migrate_*' matches only functions that cannot be "
		     "traced (-vv names them)\n",
		     self->messages);
}

TEST_F(plan, a_glob_inside_another_one_matches_what_is_traced)
{
	spec_list_add(&self->request.allow, "do_*");
	resolve(self, "map_create", "do_*o*", NULL);
	EXPECT_STREQ("", self->messages);
}

TEST_F(plan, the_nearest_name_is_what_the_compiler_made_of_it)
{
	resolve(self, "do_open", "do_close", NULL);
	EXPECT_STREQ("do_close.isra.0", self->plan->unmatched.data[0].nearest);
}

TEST_F(plan, without_entries_there_is_no_plan)
{
	resolve(self, NULL, "do_open", NULL);
	EXPECT_EQ(-ENOENT, self->err);
	EXPECT_NE(NULL, strstr(self->messages, "no entry functions: give at least one with -e"));
}

TEST_F(plan, entries_that_are_all_refused_are_no_plan)
{
	resolve(self, "do_notrace", "do_open", NULL);
	EXPECT_EQ(-ENOENT, self->err);
	EXPECT_NE(NULL, strstr(self->messages, "none of the entry functions can be traced"));
}

TEST_F(plan, made_code_and_padding_are_no_functions)
{
	resolve(self, "*", NULL, NULL);
	EXPECT_EQ(NULL, find(self, "bpf_prog_123_do_open"));
	EXPECT_EQ(-1, refusal_of(self, "bpf_prog_123_do_open"));
	EXPECT_EQ(-1, refusal_of(self, "__pfx___x64_sys_getppid"));
	EXPECT_EQ(14, self->plan->funcs.len);
}

TEST_F(plan, a_name_at_two_addresses_takes_no_trampoline)
{
	resolve(self, "helper", NULL, NULL);
	ASSERT_EQ(2, self->plan->funcs.len);
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(RETURN_POINTER, self->plan->funcs.data[i].returns);
		EXPECT_EQ(0, self->plan->funcs.data[i].rungs & RUNG_TRAMPOLINES);
		EXPECT_NE(0, self->plan->funcs.data[i].rungs & RUNG_BIT(RUNG_KPROBE));
		EXPECT_STREQ("several functions have that name",
			     self->plan->funcs.data[i].no_trampoline ?: "");
	}
}

TEST_F(plan, the_same_name_in_a_module_is_another_function)
{
	resolve(self, "do_open", NULL, NULL);
	ASSERT_EQ(2, self->plan->funcs.len);
	EXPECT_EQ(RUNG_TRAMPOLINES, self->plan->funcs.data[0].rungs & RUNG_TRAMPOLINES);
	EXPECT_EQ(2, self->plan->funcs.data[0].arg_slots);
	EXPECT_EQ(NULL, self->plan->funcs.data[0].no_trampoline);
	EXPECT_STREQ("BTF does not have it", self->plan->funcs.data[1].no_trampoline ?: "");
	/* The module's BTF does not have it. */
	EXPECT_EQ(0, self->plan->funcs.data[1].btf_id);
	EXPECT_EQ(0, self->plan->funcs.data[1].rungs & RUNG_TRAMPOLINES);
	EXPECT_EQ(RETURN_UNKNOWN, self->plan->funcs.data[1].returns);
}

TEST_F(plan, functions_of_modules_are_found_in_the_modules_btf)
{
	resolve(self, "ext4_init", NULL, NULL);
	ASSERT_EQ(1, self->plan->funcs.len);
	EXPECT_EQ(1, self->plan->funcs.data[0].btf_module);
	EXPECT_EQ(RETURN_POINTER, self->plan->funcs.data[0].returns);
	EXPECT_EQ(RUNG_TRAMPOLINES, self->plan->funcs.data[0].rungs & RUNG_TRAMPOLINES);
}

/* In vmlinux and in a module, both with types. Kernels that look in the module have the member. */
static const struct plan_func *plan_twin(FIXTURE_DATA(plan) *self, bool has_member)
{
	static const char twins[] = "ffffffff81000000 T _stext\n"
				    "ffffffff81000100 t parse_options\n"
				    "ffffffff81000200 T last\n"
				    "ffffffffc0000000 t parse_options\t[ext4]\n"
				    "ffffffffc0000100 t ext4_only\t[ext4]\n"
				    "ffffffffc0000200 t ext4_last\t[ext4]\n";
	struct btf *types = btf__new_empty(), *module;
	int i32 = btf__add_int(types, "int", 4, BTF_INT_SIGNED);
	struct kernel_btf *btf = NULL;

	add_func(types, "parse_options", i32, 0, 0);
	btf__add_struct(types, "bpf_prog_aux", 4);
	btf__add_field(types, has_member ? "mod" : "id", i32, 0, 0);
	if (kernel_btf_from(types, &btf))
		abort();
	module = btf__new_empty_split(types);
	add_func(module, "parse_options", i32, 0, 0);
	add_func(module, "ext4_only", i32, 0, 0);
	if (kernel_btf_add_module(btf, "ext4", module) != 1)
		abort();
	plan_free(self->plan);
	self->plan = NULL;
	free(self->messages);
	kernel_free(self->kernel);
	self->symbols = make_symbols(twins);
	if (kernel_from_parts(self->symbols, btf,
			      make_traceable(self->symbols,
					     "parse_options\nparse_options [ext4]\next4_only [ext4]\n", false,
					     NULL),
			      &self->kernel))
		abort();
	trace_request_release(&self->request);
	trace_request_init(&self->request);
	resolve(self, "parse_options [ext4]", "*", NULL);
	return self->plan->funcs.data;
}

TEST_F(plan, kernels_that_look_everywhere_for_a_name_of_a_module_take_no_trampoline)
{
	const struct plan_func *twin = plan_twin(self, false);

	EXPECT_STREQ("ext4", twin->module);
	EXPECT_EQ(0, twin->rungs & RUNG_TRAMPOLINES);
	EXPECT_NE(0, twin->rungs & RUNG_BIT(RUNG_KPROBE));
	EXPECT_STREQ("this kernel would take another function of that name", twin->no_trampoline ?: "");
	EXPECT_EQ(RUNG_TRAMPOLINES, find(self, "ext4_only")->rungs & RUNG_TRAMPOLINES);
	/* Of vmlinux, which is looked in first. */
	EXPECT_EQ(RUNG_TRAMPOLINES, self->plan->funcs.data[1].rungs & RUNG_TRAMPOLINES);
	EXPECT_EQ(NULL, self->plan->funcs.data[1].module);

	twin = plan_twin(self, true);
	EXPECT_EQ(RUNG_TRAMPOLINES, twin->rungs & RUNG_TRAMPOLINES);
	EXPECT_EQ(NULL, twin->no_trampoline);
}

TEST_F(plan, modules_without_types_are_warned_of)
{
	static const char untyped[] = "ffffffff81000000 T _stext\n"
				      "ffffffff81000100 t do_open\n"
				      "ffffffff81000200 T last\n"
				      "ffffffffc0000000 t ext4_init\t[ext4]\n"
				      "ffffffffc0001000 t zfs_void\t[zfs]\n"
				      "ffffffffc0001100 t zfs_bool\t[zfs]\n"
				      "ffffffffc0002000 t nv_open\t[nvidia]\n"
				      "ffffffffc0003000 t end\t[ext4]\n";

	kernel_free(self->kernel);
	self->symbols = make_symbols(untyped);
	ASSERT_EQ(0, kernel_from_parts(self->symbols, make_btf(),
				       make_traceable(self->symbols, "do_open\next4_init [ext4]\nzfs_void [zfs]\n"
								     "zfs_bool [zfs]\nnv_open [nvidia]\n",
						      false, NULL), &self->kernel));
	resolve(self, "do_open", "ext4_init", NULL);
	EXPECT_STREQ("", self->messages);
	plan_free(self->plan);
	self->plan = NULL;
	free(self->messages);
	resolve(self, "zfs_void", "zfs_*", NULL);
	EXPECT_STREQ("retsnoop: warning: module zfs has no BTF: results of its 2 functions count as ints\n",
		     self->messages);
	plan_free(self->plan);
	self->plan = NULL;
	free(self->messages);
	resolve(self, NULL, "nv_open", NULL);
	EXPECT_STREQ("retsnoop: warning: 2 modules have no BTF, zfs for one: results of their 3 functions count as "
		     "ints\n", self->messages);
}

TEST_F(plan, a_clone_may_return_something_else)
{
	resolve(self, "do_close*", NULL, NULL);
	ASSERT_EQ(1, self->plan->funcs.len);
	EXPECT_STREQ("do_close.isra.0", self->plan->funcs.data[0].name);
	EXPECT_EQ(RETURN_UNKNOWN, self->plan->funcs.data[0].returns);
	EXPECT_EQ(0, self->plan->funcs.data[0].btf_id);
	EXPECT_EQ(0, self->plan->funcs.data[0].rungs & RUNG_TRAMPOLINES);
}

/* A kernel of its own, so that the others' counts stay. */
static const char clones[] = "ffffffff81000000 T _stext\n"
			     "ffffffff81000100 t do_open.constprop.0\n"
			     "ffffffff81000200 t do_open.part.0\n"
			     "ffffffff81000300 t do_open.constprop.0.isra.0\n"
			     "ffffffff81000400 t do_close.llvm.1234567\n"
			     "ffffffff81000500 t helper.cold\n"
			     "ffffffff81000600 t map_create.constprop.0.llvm.99\n"
			     "ffffffff81000700 T panic\n";

static void clone_kernel(FIXTURE_DATA(plan) * self, const char *functions_)
{
	struct traceable *traceable;

	kernel_free(self->kernel);
	self->symbols = make_symbols(clones);
	traceable = make_traceable(self->symbols, functions_, false, NULL);
	if (kernel_from_parts(self->symbols, make_btf(), traceable, &self->kernel))
		abort();
}

TEST_F(plan, a_clone_with_the_same_signature_returns_what_the_function_does)
{
	clone_kernel(self, "do_open.constprop.0\ndo_open.part.0\ndo_open.constprop.0.isra.0\n"
			   "do_close.llvm.1234567\nmap_create.constprop.0.llvm.99\n");
	resolve(self, "do_open*", "map_create*", NULL);
	ASSERT_EQ(4, self->plan->funcs.len);
	EXPECT_STREQ("do_open.constprop.0", self->plan->funcs.data[0].name);
	EXPECT_EQ(RETURN_INT32, self->plan->funcs.data[0].returns);
	EXPECT_EQ(0, self->plan->funcs.data[0].btf_id);
	EXPECT_EQ(RETURN_UNKNOWN, self->plan->funcs.data[1].returns);
	EXPECT_EQ(RETURN_UNKNOWN, self->plan->funcs.data[2].returns);
	EXPECT_STREQ("map_create.constprop.0.llvm.99", self->plan->funcs.data[3].name);
	EXPECT_EQ(RETURN_INT32, self->plan->funcs.data[3].returns);
}

TEST_F(plan, what_one_glob_finds_by_the_full_name_another_finds_by_the_known_one)
{
	clone_kernel(self, "do_close.llvm.1234567\n");
	spec_list_add(&self->request.allow, "do_close.*");
	spec_list_add(&self->request.allow, "*_close");
	resolve(self, "do_*", "do_close", NULL);
	EXPECT_STREQ("", self->messages);
	EXPECT_EQ(1, self->plan->funcs.len);
}

TEST_F(plan, what_link_time_optimisation_renames_goes_by_its_name)
{
	/* Kernels before 6.11 list it by that. */
	static const char *const listed[] = { "do_close\n", "do_close.llvm.1234567\n" };
	static const char *const wanted[] = { "do_close", "*_close", "do_close.llvm.1234567" };

	for (int i = 0; i < 6; i++) {
		if (i)
			plan_free(self->plan);
		self->plan = NULL;
		free(self->messages);
		self->messages = NULL;
		trace_request_release(&self->request);
		trace_request_init(&self->request);
		clone_kernel(self, listed[i % 2]);
		resolve(self, wanted[i / 2], NULL, NULL);
		ASSERT_EQ(0, self->err);
		ASSERT_EQ(1, self->plan->funcs.len);
		EXPECT_STREQ("do_close.llvm.1234567", self->plan->funcs.data[0].name);
		EXPECT_EQ(RETURN_POINTER, self->plan->funcs.data[0].returns);
		EXPECT_NE(0, self->plan->funcs.data[0].btf_id);
		EXPECT_EQ(0, self->plan->funcs.data[0].rungs & RUNG_TRAMPOLINES);
		EXPECT_STREQ("link-time optimisation has renamed it",
			     self->plan->funcs.data[0].no_trampoline ?: "");
	}
}

TEST_F(plan, variadic_and_noreturn_functions_take_no_trampoline)
{
	resolve(self, "do_printk", "panic", NULL);
	ASSERT_EQ(2, self->plan->funcs.len);
	EXPECT_EQ(0, self->plan->funcs.data[0].rungs & RUNG_TRAMPOLINES);
	EXPECT_EQ(0, self->plan->funcs.data[1].rungs & RUNG_TRAMPOLINES);
	EXPECT_EQ(RETURN_VOID, self->plan->funcs.data[1].returns);
	EXPECT_STREQ("it is variadic, or passes or returns too large a struct",
		     self->plan->funcs.data[0].no_trampoline ?: "");
	EXPECT_STREQ("it does not return", self->plan->funcs.data[1].no_trampoline ?: "");
}

TEST_F(plan, functions_that_do_not_return_are_no_entry_functions)
{
	spec_list_add(&self->request.entry, "panic");
	resolve(self, "do_open", NULL, NULL);
	ASSERT_EQ(0, self->err);
	EXPECT_STREQ("retsnoop: warning: panic does not return, so it cannot be an entry function\n",
		     self->messages);
	ASSERT_NE(NULL, find(self, "do_open"));
	ASSERT_NE(NULL, find(self, "panic"));
	EXPECT_TRUE(find(self, "do_open")->entry);
	EXPECT_FALSE(find(self, "panic")->entry);
}

TEST_F(plan, an_entry_function_has_to_return)
{
	resolve(self, "pani*", "do_open", NULL);
	EXPECT_EQ(-ENOENT, self->err);
	EXPECT_STREQ("retsnoop: none of the entry functions returns, and a session ends with its "
		     "entry function's return; give another one with -e\n",
		     self->messages);
}

TEST_F(plan, unsigned_numbers_may_be_errors_in_all_that_is_planned)
{
	spec_list_add(&self->request.entry, "fc_mount");
	ASSERT_EQ(0, plan_select(self->kernel, &self->request, 0, &self->plan));
	EXPECT_EQ(RETURN_UNSIGNED64, find(self, "fc_mount")->returns);
	EXPECT_FALSE(self->plan->unsigned_errors);
	plan_free(self->plan);
	self->plan = NULL;
	ASSERT_EQ(0, plan_select(self->kernel, &self->request, PLAN_UNSIGNED_ERRORS, &self->plan));
	EXPECT_EQ(RETURN_INT64, find(self, "fc_mount")->returns);
	/* What is planned for modules that come later knows by it. */
	EXPECT_TRUE(self->plan->unsigned_errors);
}

TEST_F(plan, without_btf_functions_are_still_traced)
{
	struct symbols *symbols = make_symbols(kallsyms);

	kernel_free(self->kernel);
	ASSERT_EQ(0, kernel_from_parts(symbols, NULL,
				       make_traceable(symbols, functions, false, NULL),
				       &self->kernel));
	resolve(self, "do_open", NULL, NULL);
	ASSERT_EQ(0, self->err);
	EXPECT_EQ(RETURN_UNKNOWN, self->plan->funcs.data[0].returns);
	EXPECT_EQ(0, self->plan->funcs.data[0].rungs & RUNG_TRAMPOLINES);
}

TEST_F(plan, a_list_of_names_with_modules_gives_back_the_same_functions)
{
	resolve(self, "ext4_init [ext4]", "do_open [ext4]", NULL);
	ASSERT_EQ(2, self->plan->funcs.len);
	EXPECT_STREQ("ext4", self->plan->funcs.data[0].module);
	EXPECT_STREQ("ext4", self->plan->funcs.data[1].module);
}

TEST_F(plan, names_alike_are_offered_best_first)
{
	const struct symbol *all = NULL;
	size_t nr = symbols_all(self->symbols, &all);
	const char *names[3];

	ASSERT_LE(1, nearest_names(all, nr, "sys_getppid", names, 3));
	EXPECT_STREQ("__x64_sys_getppid", names[0]);
	ASSERT_LE(1, nearest_names(all, nr, "DO_OPEN", names, 3));
	EXPECT_STREQ("do_open", names[0]);
	ASSERT_LE(1, nearest_names(all, nr, "mont", names, 3));
	EXPECT_STREQ("__x64_sys_mount", names[0]);
	EXPECT_EQ(0, nearest_names(all, nr, "zzzzzzzz", names, 3));
	EXPECT_EQ(0, nearest_names(all, nr, "*", names, 3));
}

TEST_F(plan, globs_are_offered_names_that_nearly_match)
{
	static const char *const pairs[][2] = {
		{ "*_sys_mont", "__x64_sys_mount" },
		{ "*sys_getpid", "__x64_sys_getppid" },
		{ "map_craet?", "map_create" },
		{ "do_opne*", "do_open" },
		{ "*mont*", NULL },	/* an edit in so few letters says nothing */
		{ "*zzzzzzzz*", NULL },
	};
	const struct symbol *all = NULL;
	size_t nr = symbols_all(self->symbols, &all);

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		const char *name = NULL;

		nearest_names(all, nr, pairs[i][0], &name, 1);
		EXPECT_STREQ(pairs[i][1] ?: "(none)", name ?: "(none)") {
			TH_LOG("%s", pairs[i][0]);
		}
	}
}

TEST_F(plan, what_is_not_near_is_not_offered)
{
	static const char *const far[] = { "moun_fc", "fc", "mnt", "do", "open_it", "map_delete" };
	const struct symbol *all = NULL;
	size_t nr = symbols_all(self->symbols, &all);

	for (size_t i = 0; i < ARRAY_SIZE(far); i++) {
		const char *name = NULL;

		EXPECT_EQ(0, nearest_names(all, nr, far[i], &name, 1)) {
			TH_LOG("%s: %s", far[i], name);
		}
	}
}

TEST_F(plan, bpfs_own_paths_are_denied_but_not_what_users_trace)
{
	static const char *const denied[] = { "__bpf_prog_enter_recur", "migrate_enable",
					      "__rcu_read_lock", "bpf_get_current_pid_tgid",
					      "__htab_map_lookup_elem", "bpf_ringbuf_reserve",
					      "get_perf_callchain", "copy_from_kernel_nofault",
					      "from_kuid" };
	static const char *const traced[] = { "__sys_bpf", "map_update_elem", "array_map_alloc",
					      "bpf_map_update_value", "bpf_prog_load",
					      "bpf_ringbuf_alloc", "htab_map_alloc",
					      "bpf_check", "bpf_map_get", "ringbuf_map_alloc",
					      "from_kuid_munged" };
	static const char *const never_return[] = { "native_play_dead", "kunit_try_catch_throw", "__kunit_abort",
						    "__reiserfs_panic", "__invalid_creds", "panic_bad_stack",
						    "arm64_serror_panic", "cpu_die", "handle_stack_overflow" };

	for (size_t i = 0; i < ARRAY_SIZE(denied); i++) {
		EXPECT_NE(NULL, deny_reason(denied[i])) { TH_LOG("%s", denied[i]); }
	}
	for (size_t i = 0; i < ARRAY_SIZE(traced); i++) {
		EXPECT_EQ(NULL, deny_reason(traced[i])) { TH_LOG("%s", traced[i]); }
	}
	for (size_t i = 0; i < ARRAY_SIZE(never_return); i++) {
		EXPECT_TRUE(is_noreturn(never_return[i])) { TH_LOG("%s", never_return[i]); }
	}
	EXPECT_TRUE(is_noreturn("do_exit"));
	EXPECT_TRUE(is_noreturn("__ia32_sys_exit"));
	EXPECT_TRUE(is_noreturn("xen_start_kernel"));
	EXPECT_TRUE(is_noreturn("__fortify_panic"));
	EXPECT_TRUE(is_noreturn("machine_real_restart"));
	EXPECT_TRUE(is_noreturn("skb_panic"));
	/* It returns on a CPU where panic() is under way already. */
	EXPECT_FALSE(is_noreturn("nmi_panic"));
	EXPECT_FALSE(is_noreturn("do_open"));
}

static struct traceability why_of(FIXTURE_DATA(plan) *self, const char *spec)
{
	struct traceability why = { 0 };

	free(self->messages);
	self->messages = stderr_of(self->err = traceability_find(self->kernel, spec, &why));
	return why;
}

TEST_F(plan, why_tells_what_became_of_a_name)
{
	static const struct {
		const char *name;
		enum why_verdict verdict;
	} cases[] = {
		{ "do_open", WHY_TRACEABLE },
		{ "ext4_init [ext4]", WHY_TRACEABLE },
		{ "do_notrace", WHY_REFUSED },
		{ "do_trap", WHY_REFUSED },
		{ "do_close", WHY_VARIANTS },
		{ "map_create [ext4]", WHY_ELSEWHERE },
		{ "map_craete", WHY_UNKNOWN },
		{ "mount", WHY_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct traceability why = why_of(self, cases[i].name);

		EXPECT_EQ(0, self->err);
		EXPECT_EQ(cases[i].verdict, why.verdict) { TH_LOG("%s", cases[i].name); }
		EXPECT_STREQ("", self->messages);
		EXPECT_EQ(!strcmp(cases[i].name, "mount"), why.syscall);
		if (why.verdict == WHY_UNKNOWN) {
			EXPECT_STREQ(why.syscall ? "__x64_sys_mount" : "map_create",
				     why.nearest[0]);
		}
		traceability_release(&why);
	}
}

TEST_F(plan, why_promises_nothing_of_a_kernel_that_does_not_say_what_can_be_traced)
{
	struct kernel *kernel;
	struct features features;
	struct traceability why;

	ASSERT_EQ(0, kernel_from_parts(make_symbols(kallsyms), make_btf(), NULL, &kernel));
	ASSERT_EQ(0, traceability_find(kernel, "do_notrace", &why));
	EXPECT_EQ(WHY_PRESENT, why.verdict);
	traceability_release(&why);
	ASSERT_EQ(0, traceability_find(kernel, "migrate_disable", &why));
	EXPECT_EQ(WHY_REFUSED, why.verdict);
	traceability_release(&why);
	/* No fprobes, no helpers: only what every kernel has. */
	ASSERT_EQ(0, features_read(kernel, &features));
	for (int rung = 0; rung < NR_RUNGS; rung++)
		EXPECT_EQ(rung == RUNG_KPROBE, features.rungs[rung]);
	kernel_free(kernel);
}

TEST_F(plan, why_promises_nothing_where_no_attach_method_is_left)
{
	struct traceability why = why_of(self, "do_open");

	traceability_check_methods(&why);
	EXPECT_EQ(WHY_TRACEABLE, why.verdict);
	vec_foreach(func, &why.plan->funcs)
		func->rungs = 0;
	traceability_check_methods(&why);
	EXPECT_EQ(WHY_NO_METHOD, why.verdict);
	traceability_release(&why);
	why = why_of(self, "do_notrace");
	traceability_check_methods(&why);
	EXPECT_EQ(WHY_REFUSED, why.verdict);
	traceability_release(&why);
}

TEST_F(plan, why_takes_no_globs)
{
	struct traceability why = why_of(self, "do_*");

	EXPECT_EQ(-EINVAL, self->err);
	traceability_release(&why);
}

static void add_rule(FIXTURE_DATA(plan) *self, const char *text)
{
	struct error_rule rule;

	if (error_rule_parse(text, &rule) || vec_push(&self->request.error_rules, rule))
		abort();
}

TEST_F(plan, of_rules_for_errors_the_last_is_in_force)
{
	add_rule(self, "do_*: ret > 0");
	add_rule(self, "do_open [vmlinux]: ret == 5");
	resolve(self, "do_open", "map_create", NULL);
	ASSERT_EQ(0, self->err);
	ASSERT_EQ(3, self->plan->funcs.len);
	EXPECT_EQ(2, self->plan->funcs.data[0].rule);
	EXPECT_STREQ("ext4", self->plan->funcs.data[1].module);
	EXPECT_EQ(1, self->plan->funcs.data[1].rule);
	EXPECT_STREQ("map_create", self->plan->funcs.data[2].name);
	EXPECT_EQ(0, self->plan->funcs.data[2].rule);
	ASSERT_EQ(2, self->plan->rules.len);
	EXPECT_EQ(2, self->plan->rules.data[0].selected);
	EXPECT_EQ(2, self->plan->rules.data[0].numbers);
	EXPECT_EQ(1, self->plan->rules.data[0].ruled);
	EXPECT_EQ(1, self->plan->rules.data[1].ruled);
}

TEST_F(plan, a_rule_finds_a_function_by_any_of_its_names_once)
{
	add_rule(self, "__do_sys_getppid: ret == 1");
	add_rule(self, "*getppid: ret == 1");
	resolve(self, "__x64_sys_getppid", NULL, NULL);
	ASSERT_EQ(0, self->err);
	EXPECT_EQ(2, self->plan->funcs.data[0].rule);
	EXPECT_EQ(1, self->plan->rules.data[0].selected);
	EXPECT_EQ(1, self->plan->rules.data[1].selected);
	EXPECT_EQ(0, self->plan->rules.data[0].ruled);
}

TEST_F(plan, a_rule_is_for_planned_functions_that_return_something)
{
	add_rule(self, "*: ret == 0");
	add_rule(self, "map_create: ret == 0");
	resolve(self, "do_open [vmlinux]", "panic", NULL);
	ASSERT_EQ(0, self->err);
	EXPECT_EQ(0, find(self, "panic")->rule);
	EXPECT_EQ(1, find(self, "do_open")->rule);
	EXPECT_EQ(2, self->plan->rules.data[0].selected);
	EXPECT_EQ(1, self->plan->rules.data[0].numbers);
	EXPECT_EQ(0, self->plan->rules.data[1].selected);
}

TEST_F(plan, an_argument_is_called_what_the_usage_calls_it)
{
	spec_list_add(&self->request.allow, "map_craete");
	self->request.allow.v.data[0].argument = true;
	resolve(self, "do_open", NULL, NULL);
	EXPECT_STREQ("retsnoop: warning: GLOB 'map_craete' matches no function; "
		     "did you mean 'map_create'?\n",
		     self->messages);
}

static int build_where(FIXTURE_DATA(plan) * self, const char *text)
{
	const struct plan *built = NULL;
	struct where_rule rule;
	int err;

	if (where_parse(text, &rule) || vec_push(&self->request.wheres, rule))
		abort();
	spec_list_add(&self->request.entry, "do_close");
	err = plan_build(self->kernel, &self->request, PLAN_QUIET, NULL, &built);
	self->plan = (struct plan *)built;
	return err;
}

TEST_F(plan, conditions_find_what_link_time_optimisation_renamed)
{
	clone_kernel(self, "do_close.llvm.1234567\n");
	ASSERT_EQ(0, build_where(self, "do_close: p != 0"));
	ASSERT_EQ(1, self->plan->funcs.len);
	EXPECT_NE(0, self->plan->args[0].items.where);
}

TEST_F(plan, a_condition_is_on_all_functions_that_e_takes_by_that_name)
{
	kernel_free(self->kernel);
	self->symbols = make_symbols("ffffffff81000000 T _stext\n"
				     "ffffffff81000100 t do_close\n"
				     "ffffffff81000200 t do_close.llvm.77\n"
				     "ffffffff81000300 T panic\n");
	if (kernel_from_parts(self->symbols, make_btf(),
			      make_traceable(self->symbols, "do_close\ndo_close.llvm.77\n", false,
					     NULL), &self->kernel))
		abort();
	ASSERT_EQ(0, build_where(self, "do_close: p == 0"));
	ASSERT_EQ(2, self->plan->funcs.len);
	EXPECT_EQ(1, self->plan->args[0].items.where);
	EXPECT_EQ(1, self->plan->args[1].items.where);
}

TEST_HARNESS_MAIN
