// SPDX-License-Identifier: BSD-2-Clause
/* System calls by the names that manual pages and strace(1) have. */
#include <string.h>
#include <sys/syscall.h>

#include "unit.h"

#include "util/base/macros.h"
#include "util/kernel/symbols/syscall_name.h"

TEST(a_system_call_has_the_name_of_its_manual_page)
{
	EXPECT_TRUE(syscall_matches("newstat", "stat"));
	EXPECT_TRUE(syscall_matches("umount", "umount2"));
	/* The call of 64-bit programs, too, except on x86. */
	EXPECT_TRUE(syscall_matches("fadvise64_64", "fadvise64"));
	EXPECT_TRUE(syscall_matches("ia32_fadvise64_64", "fadvise64_64"));
	EXPECT_FALSE(syscall_matches("openat", "open"));
}

TEST(a_number_has_the_name_of_the_kernels_function)
{
	EXPECT_STREQ("openat", syscall_by_number(SYS_openat));
	EXPECT_STREQ("mount", syscall_by_number(SYS_mount));
	EXPECT_STREQ("newfstat", syscall_by_number(SYS_fstat));
	EXPECT_STREQ("umount", syscall_by_number(SYS_umount2));
	EXPECT_STREQ("newuname", syscall_by_number(SYS_uname));
	EXPECT_STREQ("sendfile64", syscall_by_number(SYS_sendfile));
	EXPECT_STREQ("fadvise64", syscall_by_number(SYS_fadvise64));
	EXPECT_STREQ("pread64", syscall_by_number(SYS_pread64));
#ifdef SYS_stat
	EXPECT_STREQ("newstat", syscall_by_number(SYS_stat));
#endif
	EXPECT_EQ(NULL, syscall_by_number(4000));
	EXPECT_EQ(NULL, syscall_by_number(UINT32_MAX));
}

/* As in arch/x86/entry/syscalls/syscall_32.tbl and arch/arm64/tools/syscall_32.tbl of 7.2: an entry, and its name. */
static const char *const narrow_calls[][2] = {
	{ "__ia32_sys_time32", "time" }, { "__ia32_sys_lchown16", "lchown" }, { "__ia32_sys_stat", "oldstat" },
	{ "__ia32_sys_setuid16", "setuid" }, { "__ia32_sys_getuid16", "getuid" },
	{ "__ia32_sys_stime32", "stime" }, { "__ia32_sys_fstat", "oldfstat" }, { "__ia32_sys_utime32", "utime" },
	{ "__ia32_sys_setgid16", "setgid" }, { "__ia32_sys_getgid16", "getgid" },
	{ "__ia32_sys_geteuid16", "geteuid" }, { "__ia32_sys_getegid16", "getegid" },
	{ "__ia32_compat_sys_fcntl64", "fcntl" }, { "__ia32_sys_olduname", "oldolduname" },
	{ "__ia32_sys_setreuid16", "setreuid" }, { "__ia32_sys_setregid16", "setregid" },
	{ "__ia32_sys_getgroups16", "getgroups" }, { "__ia32_sys_setgroups16", "setgroups" },
	{ "__ia32_sys_lstat", "oldlstat" }, { "__ia32_sys_fchown16", "fchown" },
	{ "__ia32_sys_uname", "olduname" }, { "__ia32_sys_adjtimex_time32", "adjtimex" },
	{ "__ia32_sys_setfsuid16", "setfsuid" }, { "__ia32_sys_setfsgid16", "setfsgid" },
	{ "__ia32_sys_sched_rr_get_interval_time32", "sched_rr_get_interval" },
	{ "__ia32_sys_nanosleep_time32", "nanosleep" }, { "__ia32_sys_setresuid16", "setresuid" },
	{ "__ia32_sys_getresuid16", "getresuid" }, { "__ia32_sys_setresgid16", "setresgid" },
	{ "__ia32_sys_getresgid16", "getresgid" },
	{ "__ia32_compat_sys_rt_sigtimedwait_time32", "rt_sigtimedwait" }, { "__ia32_sys_chown16", "chown" },
	{ "__ia32_compat_sys_getrlimit", "ugetrlimit" }, { "__ia32_sys_lchown", "lchown32" },
	{ "__ia32_sys_getuid", "getuid32" }, { "__ia32_sys_getgid", "getgid32" },
	{ "__ia32_sys_geteuid", "geteuid32" }, { "__ia32_sys_getegid", "getegid32" },
	{ "__ia32_sys_setreuid", "setreuid32" }, { "__ia32_sys_setregid", "setregid32" },
	{ "__ia32_sys_getgroups", "getgroups32" }, { "__ia32_sys_setgroups", "setgroups32" },
	{ "__ia32_sys_fchown", "fchown32" }, { "__ia32_sys_setresuid", "setresuid32" },
	{ "__ia32_sys_getresuid", "getresuid32" }, { "__ia32_sys_setresgid", "setresgid32" },
	{ "__ia32_sys_getresgid", "getresgid32" }, { "__ia32_sys_chown", "chown32" },
	{ "__ia32_sys_setuid", "setuid32" }, { "__ia32_sys_setgid", "setgid32" },
	{ "__ia32_sys_setfsuid", "setfsuid32" }, { "__ia32_sys_setfsgid", "setfsgid32" },
	{ "__ia32_sys_futex_time32", "futex" }, { "__ia32_sys_io_getevents_time32", "io_getevents" },
	{ "__ia32_sys_timer_settime32", "timer_settime" }, { "__ia32_sys_timer_gettime32", "timer_gettime" },
	{ "__ia32_sys_clock_settime32", "clock_settime" }, { "__ia32_sys_clock_gettime32", "clock_gettime" },
	{ "__ia32_sys_clock_getres_time32", "clock_getres" },
	{ "__ia32_sys_clock_nanosleep_time32", "clock_nanosleep" }, { "__ia32_sys_utimes_time32", "utimes" },
	{ "__ia32_sys_mq_timedsend_time32", "mq_timedsend" },
	{ "__ia32_sys_mq_timedreceive_time32", "mq_timedreceive" }, { "__ia32_sys_futimesat_time32", "futimesat" },
	{ "__ia32_compat_sys_pselect6_time32", "pselect6" }, { "__ia32_compat_sys_ppoll_time32", "ppoll" },
	{ "__ia32_sys_utimensat_time32", "utimensat" }, { "__ia32_sys_timerfd_settime32", "timerfd_settime" },
	{ "__ia32_sys_timerfd_gettime32", "timerfd_gettime" }, { "__ia32_compat_sys_recvmmsg_time32", "recvmmsg" },
	{ "__ia32_sys_clock_adjtime32", "clock_adjtime" }, { "__ia32_sys_clock_gettime", "clock_gettime64" },
	{ "__ia32_sys_clock_settime", "clock_settime64" }, { "__ia32_sys_clock_adjtime", "clock_adjtime64" },
	{ "__ia32_sys_clock_getres", "clock_getres_time64" },
	{ "__ia32_sys_clock_nanosleep", "clock_nanosleep_time64" },
	{ "__ia32_sys_timer_gettime", "timer_gettime64" }, { "__ia32_sys_timer_settime", "timer_settime64" },
	{ "__ia32_sys_timerfd_gettime", "timerfd_gettime64" },
	{ "__ia32_sys_timerfd_settime", "timerfd_settime64" }, { "__ia32_sys_utimensat", "utimensat_time64" },
	{ "__ia32_sys_mq_timedsend", "mq_timedsend_time64" },
	{ "__ia32_sys_mq_timedreceive", "mq_timedreceive_time64" },
	{ "__ia32_sys_semtimedop", "semtimedop_time64" }, { "__ia32_sys_futex", "futex_time64" },
	{ "__ia32_sys_sched_rr_get_interval", "sched_rr_get_interval_time64" },
	{ "__arm64_compat_sys_aarch32_fadvise64_64", "arm_fadvise64_64" },
	{ "__arm64_sys_semtimedop_time32", "semtimedop" },
	{ "__arm64_compat_sys_aarch32_sync_file_range2", "arm_sync_file_range" },
};

TEST(calls_of_32_bit_programs_have_the_name_that_these_know)
{
	for (size_t i = 0; i < ARRAY_SIZE(narrow_calls); i++) {
		const char *func = narrow_calls[i][0], *user = narrow_calls[i][1];

		EXPECT_TRUE(syscall_entry_matches(func, user)) { TH_LOG("%s %s", func, user); }
	}
}

TEST(calls_of_64_bit_programs_have_no_other_names)
{
	EXPECT_TRUE(syscall_entry_matches("__x64_sys_newstat", "stat"));
	EXPECT_FALSE(syscall_entry_matches("__x64_sys_getuid16", "getuid"));
	EXPECT_FALSE(syscall_entry_matches("__x64_sys_old_getrlimit", "getrlimit"));
	EXPECT_FALSE(syscall_entry_matches("__ia32_compat_sys_old_getrlimit", "ugetrlimit"));
	EXPECT_FALSE(syscall_entry_matches("__x64_sys_futex", "futex_time64"));
	EXPECT_FALSE(syscall_entry_matches("__ia32_sys_openat", "openat64"));
	EXPECT_FALSE(syscall_entry_matches("__ia32_sys_openat", "*64"));
	EXPECT_FALSE(syscall_entry_matches("do_futex", "futex"));
}

TEST(a_call_of_32_bit_programs_has_the_same_parameters_as_another)
{
	char buffer[SYSCALL_NAME_SIZE];

	EXPECT_STREQ("clock_gettime", syscall_common_name("clock_gettime32", buffer));
	EXPECT_STREQ("recvmmsg", syscall_common_name("recvmmsg_time64", buffer));
	EXPECT_STREQ("stat64", syscall_common_name("ia32_stat64", buffer));
	EXPECT_STREQ("getrlimit", syscall_common_name("old_getrlimit", buffer));
	EXPECT_STREQ("openat", syscall_common_name("openat", buffer));
	/* No call has so long a name: it is cut. */
	EXPECT_EQ(SYSCALL_NAME_SIZE - 1, strlen(syscall_common_name(
		"a_name_that_is_longer_than_that_of_any_system_call_of_the_kernel_32", buffer)));
}

TEST_HARNESS_MAIN
