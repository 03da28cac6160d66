// SPDX-License-Identifier: BSD-2-Clause
/* Names of flags, signals and descriptors among the arguments of system calls. */
#define _GNU_SOURCE 1
#include "util/why/watch/argument.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>

#include "util/base/macros.h"

/*
 * The name of @value in the bits of @mask. Several bits may be one number, as in PROT_NONE or
 * O_RDWR.
 */
struct flag {
	const char *name;
	uint64_t value, mask;
};

#define FLAG(name) { #name, name, name }
#define NUMBER(name, mask) { #name, name, mask }

static const struct flag open_flags[] = {
	NUMBER(O_RDONLY, O_ACCMODE),
	NUMBER(O_WRONLY, O_ACCMODE),
	NUMBER(O_RDWR, O_ACCMODE),
	FLAG(O_CREAT),
	FLAG(O_EXCL),
	FLAG(O_NOCTTY),
	FLAG(O_TRUNC),
	FLAG(O_APPEND),
	FLAG(O_NONBLOCK),
	FLAG(O_SYNC),
	FLAG(O_DSYNC),
	FLAG(O_TMPFILE),
	FLAG(O_DIRECTORY),
	FLAG(O_NOFOLLOW),
	FLAG(O_DIRECT),
	FLAG(O_NOATIME),
	FLAG(O_PATH),
	FLAG(O_CLOEXEC),
};

static const struct flag protections[] = {
	NUMBER(PROT_NONE, ~0ull),
	FLAG(PROT_READ),
	FLAG(PROT_WRITE),
	FLAG(PROT_EXEC),
	FLAG(PROT_GROWSDOWN),
	FLAG(PROT_GROWSUP),
};

static const struct flag map_flags[] = {
	NUMBER(MAP_SHARED_VALIDATE, MAP_TYPE),
	NUMBER(MAP_SHARED, MAP_TYPE),
	NUMBER(MAP_PRIVATE, MAP_TYPE),
	FLAG(MAP_FIXED),
	FLAG(MAP_ANONYMOUS),
	FLAG(MAP_GROWSDOWN),
	FLAG(MAP_DENYWRITE),
	FLAG(MAP_EXECUTABLE),
	FLAG(MAP_LOCKED),
	FLAG(MAP_NORESERVE),
	FLAG(MAP_POPULATE),
	FLAG(MAP_NONBLOCK),
	FLAG(MAP_STACK),
	FLAG(MAP_HUGETLB),
	FLAG(MAP_FIXED_NOREPLACE),
};

static const struct flag mount_flags[] = {
	FLAG(MS_RDONLY),
	FLAG(MS_NOSUID),
	FLAG(MS_NODEV),
	FLAG(MS_NOEXEC),
	FLAG(MS_SYNCHRONOUS),
	FLAG(MS_REMOUNT),
	FLAG(MS_MANDLOCK),
	FLAG(MS_DIRSYNC),
	FLAG(MS_NOATIME),
	FLAG(MS_NODIRATIME),
	FLAG(MS_BIND),
	FLAG(MS_MOVE),
	FLAG(MS_REC),
	FLAG(MS_SILENT),
	FLAG(MS_POSIXACL),
	FLAG(MS_UNBINDABLE),
	FLAG(MS_PRIVATE),
	FLAG(MS_SLAVE),
	FLAG(MS_SHARED),
	FLAG(MS_RELATIME),
	FLAG(MS_STRICTATIME),
	FLAG(MS_LAZYTIME),
};

static const struct flag umount_flags[] = {
	FLAG(MNT_FORCE),
	FLAG(MNT_DETACH),
	FLAG(MNT_EXPIRE),
	FLAG(UMOUNT_NOFOLLOW),
};

static const struct flag clone_flags[] = {
	FLAG(CLONE_VM),
	FLAG(CLONE_FS),
	FLAG(CLONE_FILES),
	FLAG(CLONE_SIGHAND),
	FLAG(CLONE_PIDFD),
	FLAG(CLONE_PTRACE),
	FLAG(CLONE_VFORK),
	FLAG(CLONE_PARENT),
	FLAG(CLONE_THREAD),
	FLAG(CLONE_NEWNS),
	FLAG(CLONE_SYSVSEM),
	FLAG(CLONE_SETTLS),
	FLAG(CLONE_PARENT_SETTID),
	FLAG(CLONE_CHILD_CLEARTID),
	FLAG(CLONE_DETACHED),
	FLAG(CLONE_UNTRACED),
	FLAG(CLONE_CHILD_SETTID),
	FLAG(CLONE_NEWCGROUP),
	FLAG(CLONE_NEWUTS),
	FLAG(CLONE_NEWIPC),
	FLAG(CLONE_NEWUSER),
	FLAG(CLONE_NEWPID),
	FLAG(CLONE_NEWNET),
	FLAG(CLONE_IO),
};

static const struct flag_set {
	const char *syscalls;	/* with a space before and after each */
	const char *parameter;
	const struct flag *flags;
	size_t nr;
	bool has_signal;	/* in the lowest byte */
} flag_sets[] = {
#define SET(flags) flags, ARRAY_SIZE(flags)
	{ " open openat ", "flags", SET(open_flags), false },
	{ " mmap mprotect pkey_mprotect ", "prot", SET(protections), false },
	{ " mmap ", "flags", SET(map_flags), false },
	{ " mount ", "flags", SET(mount_flags), false },
	{ " umount ", "flags", SET(umount_flags), false },
	{ " clone ", "clone_flags", SET(clone_flags), true },
	{ " unshare ", "unshare_flags", SET(clone_flags), false },
	{ " setns ", "flags", SET(clone_flags), false },
#undef SET
};

static const struct flag_set *flags_of(const struct argument *argument)
{
	char name[40];

	snprintf(name, sizeof(name), " %s ", argument->syscall);
	for (size_t i = 0; i < ARRAY_SIZE(flag_sets); i++) {
		if (!strcmp(flag_sets[i].parameter, argument->name) &&
		    strstr(flag_sets[i].syscalls, name))
			return &flag_sets[i];
	}
	return NULL;
}

static void add_signal(struct strbuf *text, uint64_t signal)
{
	const char *abbrev = signal < _NSIG ? sigabbrev_np(signal) : NULL;

	if (abbrev)
		strbuf_addf(text, "SIG%s", abbrev);
	else
		strbuf_addf(text, "%" PRId32, (int32_t)signal);
}

static void add_flags(struct strbuf *text, const struct flag_set *set, uint64_t value)
{
	uint64_t left = set->has_signal ? value & ~(uint64_t)CSIGNAL : value;
	const char *before = "";

	for (size_t i = 0; i < set->nr; i++) {
		const struct flag *flag = &set->flags[i];

		/* If several names share bits, the first one counts. */
		if ((value & flag->mask) != flag->value || (flag->value & left) != flag->value ||
		    (!flag->value && *before))
			continue;
		strbuf_addf(text, "%s%s", before, flag->name);
		before = "|";
		left &= ~flag->value;
	}
	if (left) {
		strbuf_addf(text, "%s0x%" PRIx64, before, left);
		before = "|";
	}
	if (set->has_signal && value & CSIGNAL) {
		strbuf_addstr(text, before);
		add_signal(text, value & CSIGNAL);
	} else if (!*before) {
		strbuf_addch(text, '0');
	}
}

static bool is_one_of(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

static bool is_descriptor(const char *name)
{
	size_t len = strlen(name);

	return len >= 2 && !strcmp(name + len - 2, "fd");
}

static bool is_bits(const char *name)
{
	return strstr(name, "flags") || strstr(name, "mask");
}

/* A 32-bit number that may be negative. */
static bool is_signed_int(const struct argument *argument)
{
	static const char *const types[] = {
		"int", "pid_t", "clockid_t", "const clockid_t", "key_serial_t", "timer_t", "mqd_t",
	};

	return is_one_of(argument->type, types, ARRAY_SIZE(types)) ||
	       /* A descriptor is `unsigned int` in many calls, `unsigned long` in mmap(2). */
	       (is_descriptor(argument->name) && (uint32_t)argument->value >> 31);
}

void argument_add(struct strbuf *text, const struct argument *argument)
{
	const struct flag_set *flags = flags_of(argument);
	uint64_t value = argument->value;
	const char *type = argument->type;

	if (strchr(type, '*'))
		strbuf_addf(text, value ? "0x%" PRIx64 : "NULL", value);
	else if (flags)
		add_flags(text, flags, strcmp(type, "int") ? value : (uint32_t)value);
	else if (!strcmp(type, "umode_t"))
		strbuf_addf(text, "%#o", (unsigned int)(uint16_t)value);
	else if (!strcmp(type, "int") && !strcmp(argument->name, "sig") && value)
		add_signal(text, (uint32_t)value);
	else if (!strcmp(type, "int") && (int32_t)value == AT_FDCWD && strstr(argument->name, "fd"))
		strbuf_addstr(text, "AT_FDCWD");
	else if (is_signed_int(argument) && !is_bits(argument->name))
		strbuf_addf(text, "%" PRId32, (int32_t)value);
	else if (!strcmp(type, "loff_t") || !strcmp(type, "long") || !strcmp(type, "off_t"))
		strbuf_addf(text, "%" PRId64, (int64_t)value);
	else if (value < 10)
		strbuf_addf(text, "%" PRIu64, value);
	else if (strstr(type, "int"))
		strbuf_addf(text, "0x%x", (uint32_t)value);
	else
		strbuf_addf(text, "0x%" PRIx64, value);
}

bool argument_is_used(const struct argument *argument, uint64_t before)
{
	bool is_open = !strcmp(argument->syscall, "open") || !strcmp(argument->syscall, "openat");

	return !is_open || strcmp(argument->name, "mode") || before & O_CREAT ||
	       (before & O_TMPFILE) == O_TMPFILE;
}
