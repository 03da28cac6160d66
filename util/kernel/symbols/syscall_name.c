// SPDX-License-Identifier: BSD-2-Clause
/* Names of system calls. */
#include "util/kernel/symbols/syscall_name.h"

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
	for (size_t i = 0; i < ARRAY_SIZE(other_names); i++) {
		if (!strcmp(name, other_names[i].kernel) && glob_matches(glob, other_names[i].user))
			return true;
	}
	return false;
}

bool syscall_waits(const char *name)
{
#define NAME(name) #name,
	static const char *const names[] = { SYSCALLS_THAT_WAIT(NAME) };
#undef NAME

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (syscall_matches(name, names[i]))
			return true;
	}
	return false;
}
