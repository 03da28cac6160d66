// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/ask/spec.h"
#include "util/base/strbuf.h"

FIXTURE(specs)
{
	struct spec_list list;
	char path[32];
	int err;
	char *messages;
};

FIXTURE_SETUP(specs)
{
	self->list = (struct spec_list){ VEC_INIT };
	strcpy(self->path, "/tmp/specs.XXXXXX");
	close(mkstemp(self->path));
	self->messages = NULL;
}

FIXTURE_TEARDOWN(specs)
{
	spec_list_release(&self->list);
	unlink(self->path);
	free(self->messages);
}

static void add(FIXTURE_DATA(specs) *self, const char *text)
{
	free(self->messages);
	self->messages = stderr_of(self->err = spec_list_add(&self->list, text));
}

static void add_file(FIXTURE_DATA(specs) *self, const char *contents)
{
	FILE *file = fopen(self->path, "w");
	char arg[40];

	fputs(contents, file);
	fclose(file);
	snprintf(arg, sizeof(arg), "@%s", self->path);
	add(self, arg);
}

#define EXPECT_SPEC(i, spec_kind, spec_name, spec_module)                                          \
	do {                                                                                       \
		ASSERT_LT((i), self->list.v.len);                                                  \
		EXPECT_EQ((spec_kind), self->list.v.data[i].kind);                                 \
		EXPECT_STREQ((spec_name), self->list.v.data[i].name);                              \
		EXPECT_STREQ((spec_module) ?: "(none)",                                            \
			     self->list.v.data[i].module ?: "(none)");                             \
	} while (0)

TEST_F(specs, a_plain_name_may_be_in_any_module)
{
	add(self, "*sys_bpf");
	EXPECT_EQ(0, self->err);
	EXPECT_SPEC(0, SPEC_NAME, "*sys_bpf", (char *)NULL);
	EXPECT_TRUE(spec_matches_name(self->list.v.data, "__x64_sys_bpf", NULL));
	EXPECT_TRUE(spec_matches_name(self->list.v.data, "a_sys_bpf", "ext4"));
	EXPECT_FALSE(spec_matches_name(self->list.v.data, "__x64_sys_bpf2", NULL));
}

TEST_F(specs, a_module_is_split_off_and_may_be_a_glob)
{
	add(self, " ext4_* [ext?] ");
	EXPECT_EQ(0, self->err);
	EXPECT_SPEC(0, SPEC_NAME, "ext4_*", "ext?");
	EXPECT_STREQ("ext4_* [ext?]", self->list.v.data[0].text);
	EXPECT_TRUE(spec_matches_name(self->list.v.data, "ext4_init", "ext4"));
	EXPECT_FALSE(spec_matches_name(self->list.v.data, "ext4_init", "btrfs"));
	EXPECT_FALSE(spec_matches_name(self->list.v.data, "ext4_init", NULL));
}

TEST_F(specs, the_kernel_itself_is_the_module_vmlinux)
{
	add(self, "ext4_*[vmlinux]");
	EXPECT_EQ(0, self->err);
	EXPECT_TRUE(spec_matches_name(self->list.v.data, "ext4_init", NULL));
	EXPECT_FALSE(spec_matches_name(self->list.v.data, "ext4_init", "ext4"));
}

TEST_F(specs, a_colon_makes_it_a_source_path)
{
	add(self, ":kernel/bpf/*.c");
	EXPECT_EQ(0, self->err);
	EXPECT_SPEC(0, SPEC_SOURCE, "kernel/bpf/*.c", (char *)NULL);
	EXPECT_FALSE(spec_matches_name(self->list.v.data, "kernel/bpf/a.c", NULL));
}

TEST_F(specs, a_system_call_is_its_entry_functions_on_any_machine)
{
	static const char *const entries[] = { "__x64_sys_mount", "__ia32_sys_mount",
					       "__ia32_compat_sys_mount", "__arm64_sys_mount",
					       "__arm64_compat_sys_mount", "__riscv_sys_mount",
					       "__s390x_sys_mount" };
	static const char *const others[] = { "mount", "__do_sys_mount", "__se_sys_mount", "do_mount",
					      "__x64_sys_umount", "__x64_sys_mount_setattr" };

	add(self, "syscall:mount");
	EXPECT_EQ(0, self->err);
	EXPECT_SPEC(0, SPEC_SYSCALL, "mount", (char *)NULL);
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		EXPECT_TRUE(spec_matches_name(self->list.v.data, entries[i], NULL)) {
			TH_LOG("%s", entries[i]);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		EXPECT_FALSE(spec_matches_name(self->list.v.data, others[i], NULL)) {
			TH_LOG("%s", others[i]);
		}
	}
	EXPECT_FALSE(spec_matches_name(self->list.v.data, "__x64_sys_mount", "ext4"));
}

TEST_F(specs, a_system_call_goes_by_the_name_of_the_manual_and_of_the_kernel)
{
	static const char *const same[][2] = {
		{ "syscall:stat", "__x64_sys_newstat" },
		{ "syscall:newstat", "__x64_sys_newstat" },
		{ "syscall:umount2", "__x64_sys_umount" },
		{ "syscall:uname", "__arm64_sys_newuname" },
		{ "syscall:sendfile", "__x64_sys_sendfile64" },
		{ "syscall:clone", "__ia32_compat_sys_ia32_clone" },
		{ "syscall:*stat", "__x64_sys_newfstat" },
		{ "syscall:umoun?2", "__x64_sys_umount" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		add(self, same[i][0]);
		ASSERT_EQ(i + 1, self->list.v.len);
		EXPECT_TRUE(spec_matches_name(&self->list.v.data[i], same[i][1], NULL)) {
			TH_LOG("%s", same[i][0]);
		}
	}
}

TEST_F(specs, commas_separate_functions)
{
	add(self, "vfs_read, vfs_write [ext4],:kernel/bpf/*.c,syscall:mount");
	EXPECT_EQ(0, self->err);
	ASSERT_EQ(4, self->list.v.len);
	EXPECT_SPEC(0, SPEC_NAME, "vfs_read", (char *)NULL);
	EXPECT_SPEC(1, SPEC_NAME, "vfs_write", "ext4");
	EXPECT_SPEC(2, SPEC_SOURCE, "kernel/bpf/*.c", (char *)NULL);
	EXPECT_SPEC(3, SPEC_SYSCALL, "mount", (char *)NULL);
	add(self, "vfs_read,");
	EXPECT_EQ(-EINVAL, self->err);
	EXPECT_STREQ("retsnoop: an empty function name; write '*' for all functions\n", self->messages);
}

TEST_F(specs, system_calls_are_separated_by_commas)
{
	self->err = spec_list_add_syscalls(&self->list, "mount,umount2,open*");
	EXPECT_EQ(0, self->err);
	ASSERT_EQ(3, self->list.v.len);
	EXPECT_SPEC(1, SPEC_SYSCALL, "umount2", (char *)NULL);
	EXPECT_STREQ("syscall:open*", self->list.v.data[2].text);
	free(self->messages);
	self->messages = stderr_of(self->err = spec_list_add_syscalls(&self->list, "mount,"));
	EXPECT_EQ(-EINVAL, self->err);
	EXPECT_STREQ("retsnoop: the name of a system call is missing, for example syscall:mount\n",
		     self->messages);
}

TEST_F(specs, what_makes_no_sense_is_refused_with_the_text)
{
	static const char *const bad[] = { "", "  ", "foo [", "foo []", "[ext4]", "foo [a] b",
					   "foo bar", ":", "@", "syscall:", "syscall:a b",
					   "syscall:mount [ext4]", "syscall:syscall:a" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		add(self, bad[i]);
		EXPECT_EQ(-EINVAL, self->err) { TH_LOG("'%s'", bad[i]); }
		EXPECT_NE(NULL, strstr(self->messages, "retsnoop: "));
	}
	EXPECT_EQ(0, self->list.v.len);
}

TEST_F(specs, a_file_has_one_a_line_with_comments_and_modules)
{
	add_file(self, "# functions\n"
		       "\n"
		       "do_open\n"
		       "  ext4_* [ext4]   # of ext4\n"
		       "\t:fs/*.c\r\n"
		       "foo#bar\n"
		       "last");
	EXPECT_EQ(0, self->err) { TH_LOG("%s", self->messages); }
	ASSERT_EQ(5, self->list.v.len);
	EXPECT_SPEC(0, SPEC_NAME, "do_open", (char *)NULL);
	EXPECT_SPEC(1, SPEC_NAME, "ext4_*", "ext4");
	EXPECT_SPEC(2, SPEC_SOURCE, "fs/*.c", (char *)NULL);
	EXPECT_SPEC(3, SPEC_NAME, "foo#bar", (char *)NULL);
	EXPECT_SPEC(4, SPEC_NAME, "last", (char *)NULL);
}

TEST_F(specs, a_line_may_be_as_long_as_it_likes)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_pad(&sb, 100000, 'x');
	strbuf_addstr(&sb, " [mod]\n");
	add_file(self, strbuf_str(&sb));
	EXPECT_EQ(0, self->err);
	ASSERT_EQ(1, self->list.v.len);
	EXPECT_EQ(100000, strlen(self->list.v.data[0].name));
	EXPECT_STREQ("mod", self->list.v.data[0].module);
	strbuf_release(&sb);
}

TEST_F(specs, a_bad_line_is_told_with_its_number)
{
	add_file(self, "good\n\nbad [\n");
	EXPECT_EQ(-EINVAL, self->err);
	EXPECT_NE(NULL, strstr(self->messages, "line 3"));
}

TEST_F(specs, a_list_cannot_name_another_list)
{
	add_file(self, "@/etc/passwd\n");
	EXPECT_EQ(-EINVAL, self->err);
}

TEST_F(specs, a_missing_file_is_told_once)
{
	add(self, "@/nonexistent/list");
	EXPECT_EQ(-ENOENT, self->err);
	EXPECT_STREQ("retsnoop: cannot read the list of functions /nonexistent/list: "
		     "No such file or directory\n",
		     self->messages);
}

TEST_HARNESS_MAIN
