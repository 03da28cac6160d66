// SPDX-License-Identifier: BSD-2-Clause
/* What the parameters of system calls are called, on each machine. */
#include "probes_fixture.h"
#include "unit.h"

#include "util/plan/args/args.h"
#include "util/plan/args/syscall_formats.h"

/* Without what newer kernels copy, and with all there can be. */
static const char format_mmap[] =
	FORMAT_HEAD("sys_enter_mmap", "400")
	FORMAT_FIELD("int __syscall_nr", "8", "4", "1")
	FORMAT_FIELD("unsigned long addr", "16", "8", "0")
	FORMAT_FIELD("unsigned long len", "24", "8", "0")
	FORMAT_FIELD("unsigned long prot", "32", "8", "0")
	FORMAT_FIELD("unsigned long flags", "40", "8", "0")
	FORMAT_FIELD("unsigned long fd", "48", "8", "0")
	FORMAT_FIELD("unsigned long off", "56", "8", "0")
	FORMAT_PRINT("\"addr: 0x%08lx\", ((unsigned long)(REC->addr))");

static const char format_too_many[] =
	FORMAT_HEAD("sys_enter_much", "401")
	FORMAT_FIELD("int a", "8", "4", "1") FORMAT_FIELD("int b", "12", "4", "1")
	FORMAT_FIELD("int c", "16", "4", "1") FORMAT_FIELD("int d", "20", "4", "1")
	FORMAT_FIELD("int e", "24", "4", "1") FORMAT_FIELD("int f", "28", "4", "1")
	FORMAT_FIELD("int g", "32", "4", "1") FORMAT_PRINT("\"\"");

static const char format_getppid[] =
	FORMAT_HEAD("sys_enter_getppid", "402")
	FORMAT_FIELD("int __syscall_nr", "8", "4", "1") FORMAT_PRINT("\"\"");

static const char format_sigaction[] =
	FORMAT_HEAD("sys_enter_rt_sigaction", "403")
	FORMAT_FIELD("int __syscall_nr", "8", "4", "1")
	FORMAT_FIELD("int sig", "16", "8", "0")
	FORMAT_FIELD("const struct sigaction * act", "24", "8", "0") FORMAT_PRINT("\"\"");

FIXTURE(syscall_formats)
{
	struct probes_fixture f;
	struct syscall_formats syscalls;
	struct syscall_params params;
};

FIXTURE_SETUP(syscall_formats)
{
	probes_fixture_init(&self->f, false);
	probes_add_format(self->f.root, "syscalls/sys_enter_mmap", format_mmap);
	probes_add_format(self->f.root, "syscalls/sys_enter_much", format_too_many);
	probes_add_format(self->f.root, "syscalls/sys_enter_getppid", format_getppid);
	probes_add_format(self->f.root, "syscalls/sys_enter_rt_sigaction", format_sigaction);
	probes_add_format(self->f.root, "syscalls/sys_enter_broken", "name: sys_enter_broken\n");
	self->syscalls = (struct syscall_formats){ .tracefs = self->f.root };
	self->params = (struct syscall_params){ .nr = 99 };
}

FIXTURE_TEARDOWN(syscall_formats)
{
	syscall_formats_release(&self->syscalls);
	probes_fixture_release(&self->f);
}

#define FOUND(func) syscall_formats_find(&self->syscalls, (func), &self->params)

TEST_F(syscall_formats, parameters_are_the_fields_of_the_calls_tracepoint)
{
	ASSERT_TRUE(FOUND("__x64_sys_mmap"));
	ASSERT_EQ(6, self->params.nr);
	EXPECT_STREQ("addr", self->params.params[0].name);
	EXPECT_STREQ("unsigned long", self->params.params[0].type);
	EXPECT_STREQ("off", self->params.params[5].name);
	/* Of another they do not get in each other's way. */
	ASSERT_TRUE(FOUND("__x64_sys_rt_sigaction"));
	ASSERT_EQ(2, self->params.nr);
	EXPECT_STREQ("sig", self->params.params[0].name);
	EXPECT_STREQ("const struct sigaction *", self->params.params[1].type);
}

TEST_F(syscall_formats, what_newer_kernels_copy_of_strings_is_no_parameter)
{
	ASSERT_TRUE(FOUND("__x64_sys_openat"));
	ASSERT_EQ(2, self->params.nr);
	EXPECT_STREQ("dfd", self->params.params[0].name);
	EXPECT_STREQ("filename", self->params.params[1].name);
	EXPECT_STREQ("const char *", self->params.params[1].type);
}

TEST_F(syscall_formats, a_call_without_parameters_has_none)
{
	ASSERT_TRUE(FOUND("__x64_sys_getppid"));
	EXPECT_EQ(0, self->params.nr);
}

TEST_F(syscall_formats, wrappers_are_known_on_each_machine)
{
	static const char *const same[] = { "__x64_sys_mmap", "__ia32_sys_mmap", "__arm64_sys_mmap" };

	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		self->params.nr = 0;
		EXPECT_TRUE(FOUND(same[i]));
		EXPECT_EQ(6, self->params.nr);
	}
}

TEST_F(syscall_formats, calls_that_are_others_for_32_bit_programs_are_not_taken_for_those)
{
	static const char *const compat[] = {
		"__ia32_compat_sys_rt_sigaction", "__x64_compat_sys_rt_sigaction",
		"__arm64_compat_sys_rt_sigaction",
	};

	for (size_t i = 0; i < ARRAY_SIZE(compat); i++) {
		EXPECT_FALSE(FOUND(compat[i]));
		EXPECT_STREQ("rt_sigaction", args_syscall_name(compat[i]) ?: "");
	}
	EXPECT_EQ(99, self->params.nr);
}

TEST_F(syscall_formats, other_functions_have_nothing_to_do_with_tracepoints)
{
	EXPECT_FALSE(FOUND("__do_sys_mmap"));
	EXPECT_FALSE(FOUND("ksys_mmap"));
	EXPECT_FALSE(FOUND("mmap"));
	EXPECT_FALSE(FOUND("__x64_sys_"));
	EXPECT_FALSE(FOUND("sys_enter_mmap"));
	EXPECT_EQ(0, self->syscalls.v.len);
}

TEST_F(syscall_formats, what_makes_no_sense_is_not_believed)
{
	EXPECT_FALSE(FOUND("__x64_sys_much"));
	EXPECT_FALSE(FOUND("__x64_sys_broken"));
	EXPECT_FALSE(FOUND("__x64_sys_nosuch"));
	EXPECT_FALSE(FOUND("__x64_sys_../../etc"));
	self->syscalls.tracefs = "/nonexistent";
	EXPECT_FALSE(FOUND("__x64_sys_mmap"));
	EXPECT_EQ(99, self->params.nr);
}

TEST_HARNESS_MAIN
