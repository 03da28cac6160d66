// SPDX-License-Identifier: BSD-2-Clause
/* Which check refused a call, by the functions that handed its result up. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/arg_items.h"
#include "bpf/watch/watch_event.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/kernel/code/machine_code.h"
#include "util/plan/args/args.h"
#include "util/plan/points/probes.h"
#include "util/kernel/arch/arch.h"
#include "util/why/reasons/check.h"
#include "util/why/reasons/check_view.h"
#include "util/why/reasons/refused.h"
#include "util/why/way/target.h"

#include "tests/unit/unit.h"

#define FIND(err, ...)                                                                             \
	check_find((const char *const[]){ __VA_ARGS__ },                                           \
		   ARRAY_SIZE(((const char *const[]){ __VA_ARGS__ })), err)

TEST(a_hook_of_a_security_module_is_named_with_the_module)
{
	static const char *const modules[][2] = {
		{ "apparmor_file_open", "AppArmor" }, { "selinux_file_open", "SELinux" },
		{ "smack_file_open", "Smack" },	      { "tomoyo_file_open", "TOMOYO" },
		{ "hook_file_open", "Landlock" },     { "bpf_lsm_file_open", "the BPF LSM" },
		{ "cap_x", "the capability checks" }, { "lockdown_is_locked_down", "Lockdown" },
		{ "yama_x", "Yama" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
		struct check check = FIND(EACCES, "__x64_sys_openat", "do_dentry_open",
					  "security_file_open", modules[i][0]);

		EXPECT_EQ(check.kind, CHECK_LSM);
		EXPECT_STREQ(check.hook, "file_open");
		EXPECT_STREQ(check.module, modules[i][1]);
	}
}

TEST(a_module_that_is_not_known_gets_no_name)
{
	struct check check = FIND(EPERM, "__x64_sys_ptrace", "security_ptrace_access_check");

	EXPECT_EQ(check.kind, CHECK_LSM);
	EXPECT_STREQ(check.hook, "ptrace_access_check");
	EXPECT_EQ(check.module, NULL);
	check = FIND(EPERM, "security_ptrace_access_check", "somebody_ptrace");
	EXPECT_EQ(check.module, NULL);
}

TEST(names_without_a_hook_before_them_say_nothing)
{
	EXPECT_EQ(FIND(EPERM, "__x64_sys_mount", "hook_up_something").kind, CHECK_NONE);
	EXPECT_EQ(FIND(EPERM, "__x64_sys_mount", "cap_capable").kind, CHECK_NONE);
	/* Other errors than a refusal. */
	EXPECT_EQ(FIND(EOPNOTSUPP, "security_inode_getsecurity").kind, CHECK_NONE);
	EXPECT_EQ(FIND(EINVAL, "generic_permission").kind, CHECK_NONE);
	EXPECT_EQ(check_find(NULL, 0, EPERM).kind, CHECK_NONE);
}

TEST(permissions_are_those_of_what_was_asked_for)
{
	struct check check = FIND(EACCES, "path_openat", "link_path_walk.part.0.constprop.0",
				  "inode_permission", "generic_permission");

	EXPECT_EQ(check.kind, CHECK_PERMISSIONS);
	EXPECT_STREQ(check.object, "a directory on the path");
	check = FIND(EACCES, "path_openat", "may_open", "inode_permission", "generic_permission");
	EXPECT_STREQ(check.object, "the file");
	check = FIND(EACCES, "may_open", "inode_permission", "proc_sys_permission", "sysctl_perm");
	EXPECT_EQ(CHECK_PERMISSIONS, check.kind);
	EXPECT_STREQ("the file", check.object);
	check = FIND(EACCES, "path_openat", "may_o_create", "inode_permission", "generic_permission");
	EXPECT_STREQ(check.object, "the directory that is to be changed");
	check = FIND(EACCES, "do_mkdirat", "vfs_mkdir", "may_create", "generic_permission");
	EXPECT_STREQ(check.object, "the directory that is to be changed");
	check = FIND(EACCES, "do_mkdirat", "vfs_mkdir", "inode_permission", "generic_permission");
	EXPECT_STREQ(check.object, "the directory that is to be changed");
	/* The directory, or what is moved. */
	check = FIND(EACCES, "vfs_rename", "inode_permission", "generic_permission");
	EXPECT_EQ(check.object, NULL);
	check = FIND(EACCES, "path_openat", "may_opened", "generic_permission");
	EXPECT_EQ(check.object, NULL);
	EXPECT_STREQ(check_kind_name(check.kind), "permissions");
	EXPECT_EQ(check_kind_name(CHECK_NONE), NULL);
}

/* A call with a number and two pointers, in which memory was missing at an address. */
static int fault(uint64_t addr, uint64_t first, uint64_t second)
{
	const struct syscall_params params = {
		.nr = 3,
		.params = { { "int", "fd" }, { "const char *", "a" }, { "struct stat *", "b" } },
	};
	const struct watch_event event = { .result = -EFAULT, .fault = addr,
					   .args = { 0x10, first, second } };

	uint64_t offset = 0;
	int index = check_fault(&event, &params, &offset);

	/* The argument's own address, or one that is so far behind it. */
	return index < 0 || event.args[index] + offset == addr ? index : -100;
}

TEST(modes_are_shown_as_ls_does)
{
	static const struct {
		uint16_t mode;
		const char *text;
	} modes[] = {
		{ 040700, "drwx------" }, { 0100644, "-rw-r--r--" }, { 041777, "drwxrwxrwt" },
		{ 0104755, "-rwsr-xr-x" }, { 0102644, "-rw-r-Sr--" }, { 041770, "drwxrwx--T" },
		{ 020600, "crw-------" }, { 060660, "brw-rw----" }, { 0140755, "srwxr-xr-x" },
		{ 010600, "prw-------" }, { 0120777, "lrwxrwxrwx" }, { 0, "?---------" },
	};
	char text[MODE_TEXT];

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		check_mode_text(modes[i].mode, text);
		EXPECT_STREQ(modes[i].text, text);
	}
}

TEST(the_pointer_that_leads_to_no_memory_is_an_argument_or_not)
{
	EXPECT_EQ(fault(0x10, 0x10, 0x1000), 1);
	EXPECT_EQ(fault(0x10, 0x1000, 0x10), 2);
	EXPECT_EQ(fault(0x10, 0x10, 0x10), -1);
	/* A pointer in what an argument leads to, and no pointer. */
	EXPECT_EQ(fault(0x20, 0x1000, 0x2000), -1);
	EXPECT_EQ(fault(0x10, 0x1000, 0x2000), -1);
}

/* x86 kernels access the end of the program's memory in place of what is above it. */
TEST(an_address_above_the_memory_of_programs_is_an_argument)
{
	const struct syscall_params ioctl = {
		.nr = 3,
		.params = { { "unsigned int", "fd" }, { "unsigned int", "cmd" }, { "unsigned long", "arg" } },
	};
	struct watch_event event = { .result = -EFAULT, .fault = 0x7ffffffff000,
				     .args = { 3, 0x5421, 0xfffffffffffff000 } };
	uint64_t offset = 1;

	if (!arch_native->user_ends[0])
		SKIP(return, "kernels of this CPU do not");
	EXPECT_EQ(2, check_fault(&event, &ioctl, &offset));
	EXPECT_EQ(0, offset);
	event.fault = 0xfffffffffff000;
	EXPECT_EQ(2, check_fault(&event, &ioctl, &offset));
	event.fault = 0xffffffffff000;
	EXPECT_EQ(-1, check_fault(&event, &ioctl, &offset));
	event.fault = 0x7ffffffff000;
	event.args[2] = 0x1000;
	EXPECT_EQ(-1, check_fault(&event, &ioctl, &offset));
	/* A number, and one of two. */
	event.args[0] = -100;
	EXPECT_EQ(-1, check_fault(&event, &ioctl, &offset));
	EXPECT_EQ(-1, fault(0x7ffffffff000, -8, -16));
	EXPECT_EQ(2, fault(0x7ffffffff000, 0x10, 0x7ffffffff000));
}

TEST(memory_may_be_missing_behind_the_address)
{
	const struct syscall_params read = {
		.nr = 3,
		.params = { { "unsigned int", "fd" }, { "char *", "buf" }, { "size_t", "count" } },
	};
	struct watch_event event = { .result = -EFAULT, .fault = 0x41000, .args = { 3, 0x40ff8, 16 } };
	uint64_t offset;

	EXPECT_EQ(1, check_fault(&event, &read, &offset));
	EXPECT_EQ(8, offset);
	event.args[1] = 0x30000;
	EXPECT_EQ(-1, check_fault(&event, &read, &offset));
	event.args[2] = 0x20000;
	EXPECT_EQ(1, check_fault(&event, &read, &offset));
	EXPECT_EQ(0x11000, offset);
	event.args[2] = 0x11000;
	EXPECT_EQ(-1, check_fault(&event, &read, &offset));
	/* The nearest of two, and none of two at the same address. */
	EXPECT_EQ(2, fault(0x1808, 0x1000, 0x1800));
	EXPECT_EQ(1, fault(0x1808, 0x1000, 0x2000));
	EXPECT_EQ(-1, fault(0x2808, 0x1000, 0x1808));
	EXPECT_EQ(-1, fault(0x1008, 0x1000, 0x1000));
	/* A pointer that is not there has no members. */
	EXPECT_EQ(-1, fault(8, 0, 0x1000));
}

TEST(memory_may_be_missing_at_null)
{
	EXPECT_TRUE(check_has_fault(&(struct watch_event){ .result = -EFAULT }));
	EXPECT_TRUE(check_has_fault(&(struct watch_event){ .result = -EFAULT, .fault = 8 }));
	EXPECT_FALSE(check_has_fault(&(struct watch_event){ .result = -EFAULT, .fault = WATCH_NO_FAULT }));
	EXPECT_FALSE(check_has_fault(&(struct watch_event){ .result = -EINVAL, .fault = 8 }));
	EXPECT_EQ(fault(0, 0, 0x1000), 1);
	EXPECT_EQ(fault(0, 0, 0), -1);
}

/* What a probe kept: registers, then what one of them led to. */
static uint32_t kept(uint8_t *data, uint64_t value, bool is_read, const char *name)
{
	struct probe_tail tail = { .value = value, .is_read = is_read };

	snprintf(tail.names[0], sizeof(tail.names[0]), "%s", name);
	memset(data, 0, code_saved_registers());
	memcpy(data + code_saved_registers(), &tail, sizeof(tail));
	return code_saved_registers() + sizeof(tail);
}

TEST(what_access_was_refused_to_has_what_could_be_read)
{
	struct refused_object object = {};
	uint8_t data[1024];
	uint32_t size = kept(data, 040700, true, "closed");

	/* Cut short, it says nothing. */
	EXPECT_EQ(0, refused_take(0, data, size - 1, &object));
	EXPECT_EQ(NULL, object.name);
	EXPECT_FALSE(object.has_mode);
	EXPECT_EQ(0, refused_take(0, data, size, &object));
	EXPECT_STREQ("closed", object.name);
	EXPECT_TRUE(object.has_mode);
	EXPECT_EQ(040700, object.mode);
	/* No inode has a mode without a type; a name that could not be read takes none away. */
	size = kept(data, 0700, true, "");
	EXPECT_EQ(0, refused_take(0, data, size, &object));
	EXPECT_FALSE(object.has_mode);
	EXPECT_STREQ("closed", object.name);
	size = kept(data, 5ull << 32 | 1000, true, "");
	EXPECT_EQ(0, refused_take(1, data, size, &object));
	EXPECT_TRUE(object.has_owner);
	EXPECT_EQ(1000, object.uid);
	EXPECT_EQ(5, object.gid);
	size = kept(data, 0, false, "");
	EXPECT_EQ(0, refused_take(1, data, size, &object));
	EXPECT_FALSE(object.has_owner);
	free(object.name);
}

TEST(a_call_through_a_pointer_is_looked_at_so_often_and_until_it_is_known)
{
	struct target target = { .pointer = 0 };

	for (int i = 0; i < TARGET_MAX_POINTER_TRIES; i++) {
		EXPECT_TRUE(target_wants_pointer(&target));
		target.pointer_tried++;
	}
	EXPECT_FALSE(target_wants_pointer(&target));
	target.pointer_tried = 0;
	target.callee = 0x2000;
	EXPECT_FALSE(target_wants_pointer(&target));
	target.callee = 0;
	target.pointer = TARGET_NO_PROBE;
	EXPECT_FALSE(target_wants_pointer(&target));
}

TEST(calls_through_pointers_are_probed_as_far_as_there_are_breakpoints)
{
	struct target target = { .function = { 0x1000, 0x100, "function" } };
	struct probes *probes = calloc(1, sizeof(*probes));
	struct pointer_site site = { .breaks = true };

	ASSERT_NE(NULL, probes);
	for (uint32_t i = 0; i < TARGET_BREAKPOINTS_IN_ALL + 2; i++) {
		site.call = 0x1000 + i;
		site.probe = TARGET_NO_PROBE;
		EXPECT_EQ(0, target_place_site(&target, probes, &site));
		EXPECT_EQ(i < TARGET_BREAKPOINTS_IN_ALL ? i : TARGET_NO_PROBE, site.probe);
	}
	/* Kprobes are not so few. */
	site.breaks = false;
	EXPECT_EQ(0, target_place_site(&target, probes, &site));
	EXPECT_EQ(TARGET_BREAKPOINTS_IN_ALL, site.probe);
	EXPECT_EQ(TARGET_BREAKPOINTS_IN_ALL + 1, probes->v.len);
	EXPECT_TRUE(probes->v.data[0].by_breakpoint);
	EXPECT_FALSE(probes->v.data[TARGET_BREAKPOINTS_IN_ALL].by_breakpoint);
	probes_free(probes);
}

TEST(strings_that_were_cut_say_so)
{
	struct strbuf text = STRBUF_INIT;

	watched_string_add(&text, "whole", 8, UINT64_MAX);
	watched_string_add(&text, "filled.", 8, UINT64_MAX);
	watched_string_add(&text, "counted", 8, 5);
	/* The rest is behind a NUL. */
	watched_string_add(&text, "a\0b", 8, 3);
	watched_string_add(&text, "", 8, 512);
	watched_string_add(&text, "", 8, 0);
	/* Of the last character only a part was read. */
	watched_string_add(&text, "euro \xe2\x82", 8, UINT64_MAX);
	watched_string_add(&text, "\xe2\x82", 8, 2);
	EXPECT_STREQ("\"whole\"\"filled.\"…\"count\"\"a\"…\"\"…\"\"\"euro \"…\"\\xe2\\x82\"", strbuf_str(&text));
	strbuf_release(&text);
}

TEST_HARNESS_MAIN
