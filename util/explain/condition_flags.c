// SPDX-License-Identifier: BSD-2-Clause
/*
 * Flags of the kernel's own objects, which are macros, and so in no types. Only those that mean the same in each Linux
 * that has them, from 5.10 to 7.3.
 */
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/explain/condition_internal.h"

#define MAX_BITS 32

struct flags {
	const char *member;	/* what the flags are in */
	bool may_be_variable;	/* functions' variables of that name have the same flags */
	const char *names[MAX_BITS];
};

static const struct flags all_flags[] = {
	/* include/linux/fs.h, or fs/super_types.h */
	{ "i_flags", false,
	  { "S_SYNC", "S_NOATIME", "S_APPEND", "S_IMMUTABLE", "S_DEAD", "S_NOQUOTA", "S_DIRSYNC", "S_NOCMTIME",
	    "S_SWAPFILE", "S_PRIVATE", "S_IMA", "S_AUTOMOUNT", "S_NOSEC", "S_DAX", "S_ENCRYPTED", "S_CASEFOLD",
	    "S_VERITY" } },
	{ "s_flags", false, { "SB_RDONLY", "SB_NOSUID", "SB_NODEV", "SB_NOEXEC" } },
	{ "s_iflags", false, { [1] = "SB_I_NOEXEC", [2] = "SB_I_NODEV" } },
	{ "f_mode", false,
	  { "FMODE_READ", "FMODE_WRITE", "FMODE_LSEEK", "FMODE_PREAD", "FMODE_PWRITE", "FMODE_EXEC",
	    [14] = "FMODE_PATH", [17] = "FMODE_CAN_READ", [18] = "FMODE_CAN_WRITE" } },
	/* From 6.10 on. */
	{ "fop_flags", false,
	  { [2] = "FOP_MMAP_SYNC", [4] = "FOP_HUGE_PAGES", [5] = "FOP_UNSIGNED_OFFSET", [7] = "FOP_DONTCACHE" } },
	/* include/linux/mount.h */
	{ "mnt_flags", true,
	  { "MNT_NOSUID", "MNT_NODEV", "MNT_NOEXEC", "MNT_NOATIME", [6] = "MNT_READONLY", "MNT_NOSYMFOLLOW",
	    [23] = "MNT_LOCKED" } },
	/* include/linux/mm.h */
	{ "vm_flags", true,
	  { "VM_READ", "VM_WRITE", "VM_EXEC", "VM_SHARED", "VM_MAYREAD", "VM_MAYWRITE", "VM_MAYEXEC", "VM_MAYSHARE",
	    [10] = "VM_PFNMAP", [13] = "VM_LOCKED", "VM_IO", [18] = "VM_DONTEXPAND", [22] = "VM_HUGETLB" } },
	/* include/linux/namei.h; up to 6.12 the last five were where 7.2 has other flags. */
	{ "nd->flags", true,
	  { "LOOKUP_FOLLOW", "LOOKUP_DIRECTORY", "LOOKUP_AUTOMOUNT", [24] = "LOOKUP_NO_SYMLINKS",
	    "LOOKUP_NO_MAGICLINKS", "LOOKUP_NO_XDEV", "LOOKUP_BENEATH", "LOOKUP_IN_ROOT" } },
	/*
	 * include/uapi/linux/netlink.h: other flags share their bits; NLM_F_ATOMIC is 0x400, too, but never tested.
	 */
	{ "nlmsg_flags", false, { [10] = "NLM_F_CREATE", "NLM_F_APPEND" } },
	{ "fc_nlflags", false, { [10] = "NLM_F_CREATE", "NLM_F_APPEND" } },
};

static bool is_of(const char *name, const struct flags *flags)
{
	size_t len = strlen(name), member = strlen(flags->member);

	if (flags->may_be_variable && !strcmp(name, flags->member))
		return true;
	return len > member + 2 && !strcmp(name + len - member, flags->member) &&
	       (!strncmp(name + len - member - 2, "->", 2) || name[len - member - 1] == '.');
}

bool condition_add_kernel_flags(struct strbuf *text, const char *name, uint64_t mask)
{
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;
	const struct flags *flags = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(all_flags) && !flags; i++)
		flags = is_of(name, &all_flags[i]) ? &all_flags[i] : NULL;
	if (!flags || !mask)
		return false;
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(mask & 1ull << bit))
			continue;
		if (bit >= MAX_BITS || !flags->names[bit])
			return false;
		strbuf_addf(&names, "%s%s", names.len ? " | " : "", flags->names[bit]);
	}
	strbuf_addf(text, mask & (mask - 1) ? "(%s)" : "%s", strbuf_str(&names));
	return true;
}
