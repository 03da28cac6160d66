// SPDX-License-Identifier: BSD-2-Clause
/* Names of system calls. */
#include "util/kernel/symbols/syscall_name.h"

#include <asm/unistd.h>
#include <stdio.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/glob.h"

static const char *const entry_prefixes[] = {
	"__x64_sys_",	"__ia32_sys_",	     "__ia32_compat_sys_", "__x64_compat_sys_",
	"__arm64_sys_", "__arm64_compat_sys_", "__riscv_sys_",	   "__riscv_compat_sys_",
	"__s390x_sys_", "__s390_sys_",	     "__s390_compat_sys_",
};

/* Prefixes of compat calls that differ from the call of that name on 64 bits. */
static const char *const machine_prefixes[] = { "ia32_", "aarch32_" };

/* Prefixes and suffixes of calls that only 32-bit programs have. */
static const char *const narrow_prefixes[] = { "ia32_", "aarch32_", "old_" };
static const char *const narrow_suffixes[] = { "_time32", "_time64", "32", "16" };

/* What 32-bit programs call it, where the kernel has one function for them and for 64-bit programs. */
static const struct {
	const char *suffix, *calls;
} narrow_names[] = {
	{ "32", " chown fchown getegid geteuid getgid getgroups getresgid getresuid getuid lchown setfsgid setfsuid "
		"setgid setgroups setregid setresgid setresuid setreuid setuid " },
	{ "64", " clock_adjtime clock_gettime clock_settime timer_gettime timer_settime timerfd_gettime "
		"timerfd_settime " },
	{ "_time64", " clock_getres clock_nanosleep futex mq_timedreceive mq_timedsend sched_rr_get_interval "
		     "semtimedop utimensat " },
};

/* System calls whose name in the kernel differs from that in syscalls(2). */
static const struct {
	const char *kernel, *user;
} other_names[] = {
	{ "newstat", "stat" },	     { "newfstat", "fstat" },	{ "newlstat", "lstat" },
	{ "newfstatat", "fstatat" }, { "newuname", "uname" },	{ "umount", "umount2" },
	{ "oldumount", "umount" },   { "sendfile64", "sendfile" }, { "llseek", "_llseek" },
	{ "select", "_newselect" },  { "mmap_pgoff", "mmap2" }, { "pread64", "pread" },
	{ "pwrite64", "pwrite" },    { "prlimit64", "prlimit" },
	{ "fadvise64_64", "fadvise64" },
};

/* Those of 32-bit programs alone. */
static const struct {
	const char *kernel, *user;
} other_narrow_names[] = {
	{ "fadvise64_64", "arm_fadvise64_64" }, { "sync_file_range2", "arm_sync_file_range" },
	{ "fcntl64", "fcntl" }, { "getrlimit", "ugetrlimit" }, { "uname", "olduname" },
	{ "olduname", "oldolduname" }, { "stat", "oldstat" }, { "fstat", "oldfstat" }, { "lstat", "oldlstat" },
};

const char *name_after(const char *text, const char *const *prefixes, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		size_t len = strlen(prefixes[i]);

		if (!strncmp(text, prefixes[i], len) && text[len])
			return text + len;
	}
	return NULL;
}

const char *syscall_of_entry(const char *func)
{
	/* Nearly all functions are ruled out here. */
	if (func[0] != '_' || func[1] != '_')
		return NULL;
	return name_after(func, entry_prefixes, ARRAY_SIZE(entry_prefixes));
}

bool syscall_matches(const char *name, const char *glob)
{
	const char *common = name_after(name, machine_prefixes, ARRAY_SIZE(machine_prefixes));

	if (glob_matches(glob, name) || (common && glob_matches(glob, common)))
		return true;
	return array_find(other, other_names,
			  !strcmp(name, other->kernel) && glob_matches(glob, other->user));
}

const char *syscall_by_number(uint32_t nr)
{
	static const char *const names[] = {
#define X(name) [__NR_##name] = #name,
#include "util/kernel/symbols/syscall_names.h"
#undef X
	};
	const char *name = nr < ARRAY_SIZE(names) ? names[nr] : NULL;

	/* On x86-64 this one is the kernel's name, too. */
	if (!name || !strcmp(name, "fadvise64"))
		return name;
	for (size_t i = 0; i < ARRAY_SIZE(other_names); i++) {
		if (!strcmp(name, other_names[i].user))
			return other_names[i].kernel;
	}
	return name;
}

const char *syscall_common_name(const char *name, char buffer[SYSCALL_NAME_SIZE])
{
	name = name_after(name, narrow_prefixes, ARRAY_SIZE(narrow_prefixes)) ?: name;
	for (size_t i = 0; i < ARRAY_SIZE(narrow_suffixes); i++) {
		if (endswith(name, narrow_suffixes[i])) {
			snprintf(buffer, SYSCALL_NAME_SIZE, "%.*s",
				 (int)(strlen(name) - strlen(narrow_suffixes[i])), name);
			return buffer;
		}
	}
	return name;
}

/* Whether a glob matches the name that a call has in 32-bit programs. */
static bool narrow_name_matches(const char *name, const char *glob)
{
	char common[SYSCALL_NAME_SIZE], other[SYSCALL_NAME_SIZE], listed[SYSCALL_NAME_SIZE];

	if (glob_matches(glob, syscall_common_name(name, common)))
		return true;
	snprintf(listed, sizeof(listed), " %s ", name);
	for (size_t i = 0; i < ARRAY_SIZE(narrow_names); i++) {
		snprintf(other, sizeof(other), "%s%s", name, narrow_names[i].suffix);
		if (strstr(narrow_names[i].calls, listed) && glob_matches(glob, other))
			return true;
	}
	name = name_after(name, machine_prefixes, ARRAY_SIZE(machine_prefixes)) ?: name;
	return array_find(known, other_narrow_names,
			  !strcmp(name, known->kernel) && glob_matches(glob, known->user));
}

bool syscall_entry_matches(const char *func, const char *glob)
{
	const char *name = syscall_of_entry(func);

	/* x86 has entry functions of their own for 32-bit programs. */
	return name && (syscall_matches(name, glob) ||
			(!startswith(func, "__x64_") && narrow_name_matches(name, glob)));
}

bool syscall_waits(const char *name)
{
	char buffer[SYSCALL_NAME_SIZE];

	name = syscall_common_name(name, buffer);
#define NAME(name) #name,
	static const char *const names[] = { SYSCALLS_THAT_WAIT(NAME) };
#undef NAME

	return array_find(known, names, syscall_matches(name, *known));
}
