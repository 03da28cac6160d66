// SPDX-License-Identifier: BSD-2-Clause
/* Finds the check that refused a call. */
#include "util/why/reasons/check.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "bpf/watch/watch_event.h"
#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"
#include "util/plan/args/args.h"

#define HOOK_PREFIX "security_"

/* Bytes behind a pointer that may be of the same buffer or struct, if the buffer's size is not known. */
#define FAULT_REACH 4096

static bool begins_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/*
 * The security module that has this hook, by the name of a function that a hook of
 * security/security.c called.
 */
static const char *module_of(const char *name)
{
	static const struct {
		const char *prefix, *module;
	} modules[] = {
		{ "apparmor_", "AppArmor" },
		{ "bpf_lsm_", "the BPF LSM" },
		{ "cap_", "the capability checks" },
		{ "evm_", "EVM" },
		{ "hook_", "Landlock" },
		{ "ima_", "IMA" },
		{ "ipe_", "IPE" },
		{ "loadpin_", "LoadPin" },
		{ "lockdown_", "Lockdown" },
		{ "safesetid_", "SafeSetID" },
		{ "selinux_", "SELinux" },
		{ "smack_", "Smack" },
		{ "tomoyo_", "TOMOYO" },
		{ "yama_", "Yama" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
		if (begins_with(name, modules[i].prefix))
			return modules[i].module;
	}
	return NULL;
}

/* The object whose permissions were checked, by the name of a calling function. */
static const char *object_of(const char *caller)
{
	static const struct {
		const char *caller, *object;
	} objects[] = {
		{ "link_path_walk", "a directory on the path" },
		{ "may_lookup", "a directory on the path" },
		{ "may_open", "the file" },
		{ "may_create", "the directory that is to be changed" },
		{ "may_create_dentry", "the directory that is to be changed" },
		{ "may_o_create", "the directory that is to be changed" },
		{ "may_delete", "the directory that is to be changed" },
		{ "may_delete_dentry", "the directory that is to be changed" },
		{ "lookup_open", "the directory that is to be changed" },
		/* Callers that may have inlined may_create() and may_delete(). */
		{ "vfs_create", "the directory that is to be changed" },
		{ "vfs_mkdir", "the directory that is to be changed" },
		{ "vfs_mknod", "the directory that is to be changed" },
		{ "vfs_rmdir", "the directory that is to be changed" },
		{ "vfs_symlink", "the directory that is to be changed" },
		{ "vfs_unlink", "the directory that is to be changed" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		size_t len = strlen(objects[i].caller);

		/* A part or clone of a function has the function's name, a dot and more. */
		if (!strncmp(caller, objects[i].caller, len) &&
		    (!caller[len] || caller[len] == '.'))
			return objects[i].object;
	}
	return NULL;
}

bool check_is_of_permissions(const char *function)
{
	return !strcmp(function, "generic_permission") || !strcmp(function, "acl_permission_check") ||
	       /* Files of sysctl have the mode of their table, and a check of their own. */
	       !strcmp(function, "proc_sys_permission");
}

struct check check_find(const char *const *names, size_t nr, int err)
{
	struct check check = {};

	if (err != EPERM && err != EACCES)
		return check;
	for (size_t i = 0; i < nr; i++) {
		if (begins_with(names[i], HOOK_PREFIX)) {
			check.kind = CHECK_LSM;
			check.hook = names[i] + strlen(HOOK_PREFIX);
			check.module = i + 1 < nr ? module_of(names[i + 1]) : NULL;
			return check;
		}
		if (err == EACCES && check_is_of_permissions(names[i])) {
			check.kind = CHECK_PERMISSIONS;
			/* The innermost caller that tells the object. */
			for (size_t k = i; k-- > 0 && !check.object;)
				check.object = object_of(names[k]);
			return check;
		}
	}
	return check;
}

const char *check_kind_name(enum check_kind kind)
{
	static const char *const names[] = {
		[CHECK_SECCOMP] = "seccomp",
		[CHECK_LSM] = "lsm",
		[CHECK_PERMISSIONS] = "permissions",
	};

	return names[kind];
}

void check_mode_text(uint16_t mode, char text[MODE_TEXT])
{
	static const struct {
		uint16_t type;
		char letter;
	} types[] = {
		{ S_IFDIR, 'd' }, { S_IFREG, '-' }, { S_IFLNK, 'l' }, { S_IFCHR, 'c' },
		{ S_IFBLK, 'b' }, { S_IFIFO, 'p' }, { S_IFSOCK, 's' },
	};

	text[0] = '?';
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if ((mode & S_IFMT) == types[i].type)
			text[0] = types[i].letter;
	}
	for (int i = 0; i < 9; i++)
		text[1 + i] = mode >> (8 - i) & 1 ? "rwx"[i % 3] : '-';
	/* A capital letter: the execute bit is not set. */
	if (mode & S_ISUID)
		text[3] = mode & S_IXUSR ? 's' : 'S';
	if (mode & S_ISGID)
		text[6] = mode & S_IXGRP ? 's' : 'S';
	if (mode & S_ISVTX)
		text[9] = mode & S_IXOTH ? 't' : 'T';
	text[10] = '\0';
}

bool check_has_fault(const struct watch_event *event)
{
	return event->result == -EFAULT && event->fault != WATCH_NO_FAULT;
}

/* How far behind a pointer the memory may be that it was to lead to. */
static uint64_t reach_of(const struct watch_event *event, const struct syscall_params *params, uint32_t param)
{
	uint32_t next = param + 1;

	/* As a rule NULL means that there is nothing. */
	if (!event->args[param])
		return 1;
	/* Most calls have the size of a buffer next to it. */
	if (next < params->nr && next < WATCH_ARGS && !strchr(params->params[next].type, '*') &&
	    event->args[next] > FAULT_REACH && event->args[next] <= INT32_MAX)
		return event->args[next];
	return FAULT_REACH;
}

bool check_is_user_end(uint64_t addr)
{
	return addr && (addr == arch_native->user_ends[0] || addr == arch_native->user_ends[1]);
}

/* The only argument above the program's memory: a pointer, or what may be one, as that of ioctl(2). */
static int find_above(const struct watch_event *event, const struct syscall_params *params)
{
	int found = -1;

	for (uint32_t i = 0; i < params->nr && i < WATCH_ARGS; i++) {
		const char *type = params->params[i].type;

		if (event->args[i] <= event->fault || (!strchr(type, '*') && strcmp(type, "unsigned long")))
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

int check_fault(const struct watch_event *event, const struct syscall_params *params, uint64_t *ret_offset)
{
	uint64_t nearest = UINT64_MAX;
	int found = -1;

	for (uint32_t i = 0; i < params->nr && i < WATCH_ARGS; i++) {
		uint64_t offset = event->fault - event->args[i];

		if (!strchr(params->params[i].type, '*') || offset > nearest ||
		    offset >= reach_of(event, params, i))
			continue;
		found = offset == nearest ? -1 : (int)i;
		nearest = offset;
	}
	*ret_offset = nearest;
	if (found < 0 && nearest == UINT64_MAX && check_is_user_end(event->fault)) {
		*ret_offset = 0;
		return find_above(event, params);
	}
	return found;
}
