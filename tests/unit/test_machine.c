// SPDX-License-Identifier: BSD-2-Clause
/* Facts about machines, from folders that look like one. */
#include <errno.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "util/kernel/machine/machine.h"

FIXTURE(machine)
{
	char root[40];
	struct machine m;
};

FIXTURE_SETUP(machine)
{
	memset(self, 0, sizeof(*self));
	strcpy(self->root, "/tmp/retsnoop-test-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->root));
}

FIXTURE_TEARDOWN(machine)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", self->root);
	ASSERT_EQ(0, system(command));
}

/* A file with its folders; "/" at the end: a folder. */
static void put(FIXTURE_DATA(machine) *self, const char *path, const char *text)
{
	char full[256];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", self->root, path);
	for (char *slash = full + strlen(self->root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	if (full[strlen(full) - 1] == '/')
		return;
	file = fopen(full, "w");
	if (!file)
		abort();
	fputs(text, file);
	fclose(file);
}

static void look(FIXTURE_DATA(machine) *self)
{
	machine_read(self->root, &self->m);
}

TEST_F(machine, an_empty_root_is_a_machine_of_which_nothing_is_known)
{
	look(self);
	EXPECT_STREQ("", self->m.release);
	EXPECT_EQ(0, self->m.version);
	EXPECT_EQ(0, self->m.caps);
	EXPECT_FALSE(self->m.own_users);
	EXPECT_STREQ("", self->m.container);
	EXPECT_EQ(-ENOENT, self->m.lockdown.err);
	EXPECT_EQ(-ENOENT, self->m.kptr_restrict.err);
	EXPECT_EQ(-ENOENT, self->m.switches.ftrace.err);
	EXPECT_EQ(-ENOENT, self->m.switches.kprobes.err);
	EXPECT_EQ(-ENOENT, self->m.btf.err);
	EXPECT_EQ(-ENOENT, self->m.tracefs.err);
	EXPECT_STREQ("", self->m.tracefs.path);
	EXPECT_EQ(-ENOENT, self->m.memlock.err);
	EXPECT_TRUE(self->m.addresses_hidden);
	EXPECT_FALSE(self->m.hypervisor);
}

TEST_F(machine, settings_are_numbers_whatever_their_sign)
{
	put(self, "/proc/sys/kernel/osrelease", "6.12.38+deb13-amd64\n");
	put(self, "/proc/sys/kernel/kptr_restrict", "2\n");
	put(self, "/proc/sys/kernel/perf_event_paranoid", "-1\n");
	put(self, "/proc/sys/kernel/ftrace_enabled", "nonsense\n");
	put(self, "/proc/sys/net/core/bpf_jit_enable", "");
	look(self);
	EXPECT_STREQ("6.12.38+deb13-amd64", self->m.release);
	EXPECT_EQ(KERNEL_VERSION_OF(6, 12), self->m.version);
	EXPECT_EQ(0, self->m.kptr_restrict.err);
	EXPECT_EQ(2, self->m.kptr_restrict.value);
	EXPECT_EQ(-1, self->m.perf_paranoid.value);
	EXPECT_EQ(-EINVAL, self->m.switches.ftrace.err);
	EXPECT_EQ(-EINVAL, self->m.jit.err);
}

TEST_F(machine, rights_are_the_effective_ones)
{
	put(self, "/proc/self/status",
	    "Name:\tx\nUid:\t1000\t0\t0\t0\nCapInh:\t000001ffffffffff\n"
	    "CapEff:\t000000c000000000\nCapBnd:\t000001ffffffffff\n");
	look(self);
	EXPECT_EQ(0, self->m.uid);
	EXPECT_TRUE(machine_can(&self->m, CAP_BPF));
	EXPECT_TRUE(machine_can(&self->m, CAP_PERFMON));
	EXPECT_FALSE(machine_can(&self->m, CAP_SYS_ADMIN));
	EXPECT_FALSE(machine_can(&self->m, CAP_SYSLOG));
}

TEST_F(machine, a_user_namespace_shows_in_its_map)
{
	put(self, "/proc/self/uid_map", "         0          0 4294967295\n");
	look(self);
	EXPECT_FALSE(self->m.own_users);
	put(self, "/proc/self/uid_map", "         0       1000          1\n");
	look(self);
	EXPECT_TRUE(self->m.own_users);
}

TEST_F(machine, a_pid_namespace_shows_in_its_number)
{
	char path[128];

	put(self, "/proc/self/ns/", "");
	snprintf(path, sizeof(path), "%s/proc/self/ns/pid", self->root);
	look(self);
	EXPECT_FALSE(self->m.own_pids);
	ASSERT_EQ(0, symlink("pid:[4026531836]", path));
	look(self);
	EXPECT_FALSE(self->m.own_pids);
	ASSERT_EQ(0, unlink(path));
	ASSERT_EQ(0, symlink("pid:[4026532299]", path));
	look(self);
	EXPECT_TRUE(self->m.own_pids);
}

TEST_F(machine, containers_are_known_by_what_their_makers_leave)
{
	put(self, "/run/.containerenv", "");
	look(self);
	EXPECT_STREQ("podman", self->m.container);
	put(self, "/.dockerenv", "");
	look(self);
	EXPECT_STREQ("docker", self->m.container);
	put(self, "/run/systemd/container", "lxc\n");
	look(self);
	EXPECT_STREQ("lxc", self->m.container);
}

TEST_F(machine, lockdown_is_what_is_in_brackets)
{
	put(self, "/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	look(self);
	EXPECT_EQ(0, self->m.lockdown.err);
	EXPECT_EQ(LOCKDOWN_INTEGRITY, self->m.lockdown.value);
	put(self, "/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	look(self);
	EXPECT_EQ(LOCKDOWN_NONE, self->m.lockdown.value);
}

TEST_F(machine, without_securityfs_lockdown_is_what_the_kernel_was_booted_with)
{
	put(self, "/proc/cmdline", "quiet splash\n");
	look(self);
	EXPECT_EQ(-ENOENT, self->m.lockdown.err);
	put(self, "/proc/cmdline", "quiet lockdown=confidentiality ro\n");
	look(self);
	EXPECT_EQ(0, self->m.lockdown.err);
	EXPECT_EQ(LOCKDOWN_CONFIDENTIALITY, self->m.lockdown.value);
}

TEST_F(machine, addresses_are_hidden_when_all_are_zero)
{
	put(self, "/proc/kallsyms", "0000000000000000 A fixed_percpu_data\n"
				    "0000000000000000 t startup\n");
	look(self);
	EXPECT_TRUE(self->m.addresses_hidden);
	put(self, "/proc/kallsyms", "0000000000000000 A fixed_percpu_data\n"
				    "ffffffff81000000 T startup\n");
	look(self);
	EXPECT_FALSE(self->m.addresses_hidden);
}

TEST_F(machine, functions_are_counted_where_tracefs_is_mounted)
{
	put(self, "/proc/self/mounts", "proc /proc proc rw 0 0\n"
				       "tracefs /mnt/trace\\040here tracefs rw 0 0\n");
	look(self);
	EXPECT_EQ(-ENOENT, self->m.tracefs.err);
	EXPECT_STREQ("/mnt/trace here", self->m.tracefs.path);
	put(self, "/mnt/trace here/available_filter_functions", "a\nb [m]\nc\n");
	look(self);
	EXPECT_EQ(0, self->m.tracefs.err);
	EXPECT_EQ(3, self->m.nr_traceable);
}

TEST_F(machine, debugfs_alone_leads_to_tracefs_and_kprobes)
{
	put(self, "/proc/self/mounts", "debugfs /sys/kernel/debug debugfs rw 0 0\n");
	put(self, "/sys/kernel/debug/tracing/available_filter_functions", "a\n");
	put(self, "/sys/kernel/debug/kprobes/enabled", "0\n");
	put(self, "/sys/kernel/debug/kprobes/blacklist", "0x0-0x1\tx\n");
	look(self);
	EXPECT_EQ(0, self->m.tracefs.err);
	EXPECT_STREQ("/sys/kernel/debug/tracing", self->m.tracefs.path);
	EXPECT_EQ(1, self->m.nr_traceable);
	EXPECT_EQ(0, self->m.switches.kprobes.err);
	EXPECT_EQ(0, self->m.switches.kprobes.value);
	EXPECT_EQ(0, self->m.blacklist.err);
}

TEST_F(machine, kernel_code_is_preempted_where_the_version_or_the_switch_says_so)
{
	EXPECT_TRUE(kernel_is_preemptible(self->root));
	put(self, "/proc/version", "Linux version 5.10.0 (a@b) (gcc 10) #1 SMP Debian 5.10.1-1\n");
	EXPECT_FALSE(kernel_is_preemptible(self->root));
	put(self, "/proc/version", "Linux version 6.1.0 (a@b) (gcc 12) #1 SMP PREEMPT_RT Debian\n");
	EXPECT_TRUE(kernel_is_preemptible(self->root));
	put(self, "/proc/version", "Linux version 5.15.0 (a@b) (gcc 12) #1 SMP PREEMPT Ubuntu\n");
	EXPECT_TRUE(kernel_is_preemptible(self->root));

	put(self, "/proc/version",
	    "Linux version 6.1.57-android14-11-gcb4c9ec4dd0c-ab11462606 (build-user@build-host) (Android (10087095, "
	    "+pgo, +bolt, +lto, -mlgo, based on r487747c) clang version 17.0.2 (https://android.googlesource.com/"
	    "toolchain/llvm-project d9f89f4d16663d5012e5c09495f3b30ece3d2362), LLD 17.0.2) "
	    "#1 SMP PREEMPT Tue Feb 20 06:48:31 UTC 2024\n");
	EXPECT_TRUE(kernel_is_preemptible(self->root));

	put(self, "/proc/version", "Linux version 6.1.0 (a@b) (gcc 12) #1 SMP PREEMPT_DYNAMIC Debian\n");
	EXPECT_TRUE(kernel_is_preemptible(self->root));
	put(self, "/proc/self/mounts", "debugfs /sys/kernel/debug debugfs rw 0 0\n");
	EXPECT_TRUE(kernel_is_preemptible(self->root));
	put(self, "/sys/kernel/debug/sched/preempt", "none (voluntary) full \n");
	EXPECT_FALSE(kernel_is_preemptible(self->root));
	put(self, "/sys/kernel/debug/sched/preempt", "(none) voluntary full \n");
	EXPECT_FALSE(kernel_is_preemptible(self->root));
	put(self, "/sys/kernel/debug/sched/preempt", "none voluntary (full) \n");
	EXPECT_TRUE(kernel_is_preemptible(self->root));
	put(self, "/sys/kernel/debug/sched/preempt", "full (lazy) \n");
	EXPECT_TRUE(kernel_is_preemptible(self->root));
}

TEST_F(machine, threads_are_counted_beyond_16_bits)
{
	EXPECT_EQ(0, threads_count(self->root));
	put(self, "/proc/loadavg", "0.52 0.58 0.59 4/117 2039\n");
	EXPECT_EQ(117, threads_count(self->root));
	put(self, "/proc/loadavg", "0.52 0.58 0.59 4/70000 2039\n");
	EXPECT_EQ(70000, threads_count(self->root));
	put(self, "/proc/loadavg", "0.52 0.58\n");
	EXPECT_EQ(0, threads_count(self->root));
	EXPECT_LT(0, threads_count(""));
}

TEST_F(machine, a_file_that_may_not_be_read_is_told_from_one_that_is_not_there)
{
	char path[128];

	if (!geteuid())
		SKIP(return, "root may read anything");
	put(self, "/proc/kcore", "x");
	snprintf(path, sizeof(path), "%s/proc/kcore", self->root);
	chmod(path, 0);
	look(self);
	EXPECT_EQ(-EACCES, self->m.kcore.err);
}

TEST_F(machine, a_kcore_that_is_no_elf_file_is_hidden)
{
	put(self, "/proc/kcore", "");
	look(self);
	EXPECT_EQ(-EBADMSG, self->m.kcore.err);
	put(self, "/proc/kcore", "\177EL\n");
	look(self);
	EXPECT_EQ(-EBADMSG, self->m.kcore.err);
	put(self, "/proc/kcore", "\177ELF\2");
	look(self);
	EXPECT_EQ(0, self->m.kcore.err);
}

TEST_F(machine, the_btf_of_modules_is_counted_without_the_kernels)
{
	put(self, "/sys/kernel/btf/vmlinux", "x");
	put(self, "/sys/kernel/btf/ext4", "x");
	put(self, "/sys/kernel/btf/nf_tables", "x");
	put(self, "/proc/modules", "ext4 1 0 - Live 0x0\nzfs 1 0 - Live 0x0\nnf_tables 1 0 - Live 0x0\n"
				   "gone 1 0 - Unloading 0x0\n");
	look(self);
	EXPECT_EQ(0, self->m.btf.err);
	EXPECT_EQ(3, self->m.nr_modules);
	EXPECT_EQ(2, self->m.nr_module_btf);
}

TEST_F(machine, the_limit_of_locked_memory_may_be_none)
{
	put(self, "/proc/self/limits",
	    "Limit                     Soft Limit           Hard Limit           Units     \n"
	    "Max locked memory         65536                65536                bytes     \n");
	look(self);
	EXPECT_EQ(0, self->m.memlock.err);
	EXPECT_EQ(65536, self->m.memlock.value);
	put(self, "/proc/self/limits",
	    "Max locked memory         unlimited            unlimited            bytes     \n");
	look(self);
	EXPECT_EQ(-1, self->m.memlock.value);
}

TEST_F(machine, cpus_say_what_they_are_and_how_many_branches_they_keep)
{
	put(self, "/proc/cpuinfo", "processor : 0\nflags\t\t: fpu hypervisor lahf_lm\n");
	put(self, "/sys/bus/event_source/devices/cpu_core/caps/branches", "32\n");
	look(self);
	EXPECT_TRUE(self->m.hypervisor);
	EXPECT_EQ(32, self->m.branches.value);
	put(self, "/sys/bus/event_source/devices/cpu/caps/branches", "16\n");
	put(self, "/proc/cpuinfo", "processor : 0\nflags\t\t: fpu lahf_lm\n");
	look(self);
	EXPECT_FALSE(self->m.hypervisor);
	EXPECT_EQ(16, self->m.branches.value);
}

TEST_F(machine, the_distribution_is_read_with_and_without_quotes)
{
	put(self, "/usr/lib/os-release", "ID=elsewhere\n");
	look(self);
	EXPECT_STREQ("elsewhere", self->m.os.id);
	put(self, "/etc/os-release",
	    "PRETTY_NAME=\"Linux Mint 22\"\nNAME='x'\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"
	    "IDENTITY=no\n");
	look(self);
	EXPECT_STREQ("linuxmint", self->m.os.id);
	EXPECT_STREQ("ubuntu debian", self->m.os.like);
	EXPECT_STREQ("Linux Mint 22", self->m.os.name);
}

TEST_F(machine, nothing_in_these_files_reaches_the_terminal_or_overflows)
{
	char text[400];

	memset(text, 'x', sizeof(text));
	memcpy(text, "PRETTY_NAME=\"\033[2J", 17);
	text[sizeof(text) - 1] = '\0';
	put(self, "/etc/os-release", text);
	put(self, "/proc/sys/kernel/osrelease", text + 20);
	put(self, "/run/systemd/container", text + 20);
	look(self);
	EXPECT_EQ(sizeof(self->m.os.name) - 1, strlen(self->m.os.name));
	EXPECT_EQ(NULL, strchr(self->m.os.name, '\033'));
	EXPECT_EQ(sizeof(self->m.release) - 1, strlen(self->m.release));
	EXPECT_EQ(sizeof(self->m.container) - 1, strlen(self->m.container));
}

/* Packages */

#define COMMAND(os_id, os_like, release, expected)                                                 \
	do {                                                                                       \
		struct distribution os_ = { .id = os_id, .like = os_like };                        \
		struct strbuf sb_ = STRBUF_INIT;                                                   \
		const char *expected_ = expected;                                                  \
		EXPECT_EQ(expected_ != NULL, distribution_debug_command(&os_, release, &sb_));     \
		EXPECT_STREQ(expected_ ?: "", strbuf_str(&sb_));                                   \
		strbuf_release(&sb_);                                                              \
	} while (0)

TEST(packages_of_debug_info_have_the_name_of_the_distribution)
{
	COMMAND("debian", "", "6.1.0-18-amd64", "apt install linux-image-6.1.0-18-amd64-dbg");
	COMMAND("debian", "", "6.12.38+deb13-cloud-arm64",
		"apt install linux-image-6.12.38+deb13-cloud-arm64-dbg");
	COMMAND("debian", "", "6.12.38+deb13-arm64-16k",
		"apt install linux-image-6.12.38+deb13-arm64-16k-dbg");
	COMMAND("ubuntu", "debian", "6.8.0-45-generic",
		"apt install linux-image-unsigned-6.8.0-45-generic-dbgsym");
	COMMAND("linuxmint", "ubuntu debian", "6.8.0-45-generic",
		"apt install linux-image-unsigned-6.8.0-45-generic-dbgsym");
	COMMAND("fedora", "", "6.8.5-301.fc40.x86_64",
		"dnf --enablerepo='*debug*' install kernel-debuginfo-6.8.5-301.fc40.x86_64");
	COMMAND("rocky", "rhel centos fedora", "5.14.0-427.el9.x86_64+rt",
		"dnf --enablerepo='*debug*' install kernel-rt-debuginfo-5.14.0-427.el9.x86_64");
	COMMAND("ol", "fedora", "5.15.0-300.163.18.el9uek.x86_64",
		"dnf --enablerepo='*debug*' install "
		"kernel-uek-debuginfo-5.15.0-300.163.18.el9uek.x86_64");
	COMMAND("amzn", "fedora", "6.1.82-99.168.amzn2023.x86_64",
		"dnf --enablerepo='*debug*' install "
		"kernel-debuginfo-6.1.82-99.168.amzn2023.x86_64");
	COMMAND("opensuse-leap", "suse opensuse", "6.4.0-150600.23.7-default",
		"zypper --plus-content debug install kernel-default-debuginfo");
	COMMAND("sles", "suse", "6.4.0-150600.8.5-azure",
		"zypper --plus-content debug install kernel-azure-debuginfo");
}

TEST(kernels_that_somebody_built_have_no_package)
{
	COMMAND("debian", "", "6.8.12-1-pve", NULL);
	COMMAND("debian", "", "6.12.0", NULL);
	COMMAND("ubuntu", "debian", "5.15.153.1-microsoft-standard-WSL2", NULL);
	COMMAND("ubuntu", "debian", "6.9.3", NULL);
	COMMAND("fedora", "", "6.9.0-rc1+", NULL);
	COMMAND("opensuse-tumbleweed", "opensuse suse", "6.9", NULL);
	COMMAND("arch", "", "6.9.1-arch1-1", NULL);
	COMMAND("alpine", "", "6.6.30-0-lts", NULL);
	COMMAND("", "", "6.6.30", NULL);
	COMMAND("debian", "", "", NULL);
	/* A word in the middle of another is another. */
	COMMAND("x", "nondebian", "6.1.0-18-amd64", NULL);
}

TEST(advice_is_there_for_everybody)
{
	static const struct {
		struct distribution os;
		const char *release, *advice;
	} cases[] = {
		{ { "debian", "", "" },
		  "6.1.0-18-amd64",
		  "run 'apt install linux-image-6.1.0-18-amd64-dbg'" },
		{ { "ubuntu", "debian", "" },
		  "6.8.0-45-generic",
		  "run 'apt install linux-image-unsigned-6.8.0-45-generic-dbgsym', with the archive "
		  "of ddebs added" },
		{ { "arch", "", "" },
		  "6.9.1-arch1-1",
		  "set DEBUGINFOD_URLS to Arch's server, which alone has it, and use --debuginfod" },
		{ { "", "", "" }, "6.9.1", "install the debug info of this kernel" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf sb = STRBUF_INIT;

		distribution_debug_advice(&cases[i].os, cases[i].release, &sb);
		EXPECT_STREQ(cases[i].advice, strbuf_str(&sb));
		strbuf_release(&sb);
	}
}

TEST_HARNESS_MAIN
