// SPDX-License-Identifier: BSD-2-Clause
/* Arguments of system calls as text. */
#include "util/view/values/argument.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/mount.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/numbers/argument_names.h"
#include "util/kernel/numbers/command_names.h"
#include "util/kernel/numbers/number_text.h"

/* Larger sizes are easier to read in hex. */
#define MANY_BYTES (1ull << 32)

static bool is_one_of(const char *name, const char *const *names, size_t nr)
{
	return find_first(known, names, nr, !strcmp(name, *known));
}

static const char *without_const(const char *type)
{
	return startswith(type, "const ") ? type + strlen("const ") : type;
}

/* Whether a type has 32 bits, or fewer. */
static bool is_narrow(const char *type)
{
	static const char *const types[] = {
		"int", "unsigned int", "unsigned", "u32", "__u32", "s32", "__s32", "uid_t", "gid_t", "qid_t", "pid_t",
		"mode_t", "key_t", "rwf_t", "clockid_t", "timer_t", "key_serial_t", "mqd_t",
	};

	type = without_const(type);
	return is_one_of(type, types, ARRAY_SIZE(types)) || startswith(type, "enum ");
}

/* Of any type: it is `unsigned int` in many calls, `unsigned long` in mmap(2), and always has 32 bits. */
static bool is_descriptor(const char *name)
{
	size_t len = strlen(name);

	return (len >= 2 && !strcmp(name + len - 2, "fd")) || !strcmp(name, "fildes");
}

static bool is_owner(const char *type)
{
	return !strcmp(type, "uid_t") || !strcmp(type, "gid_t");
}

static bool is_bits(const char *name)
{
	return strstr(name, "flags") || strstr(name, "mask");
}

/* False: the number has no name here, and nothing was added. */
static bool add_named(struct strbuf *text, const struct argument *argument)
{
	const struct number_names *names =
		number_names_find(arch_native, argument->syscall, argument->name, argument->before, argument->first);
	/* The other half of a register is not the call's. */
	uint64_t value = is_narrow(argument->type) ? (uint32_t)argument->value : argument->value;

	return names && number_add(text, names, value);
}

/* A 32-bit number that may be negative. */
static bool is_signed_int(const struct argument *argument)
{
	static const char *const types[] = {
		"int", "s32", "__s32", "pid_t", "clockid_t", "key_serial_t", "timer_t", "mqd_t",
	};

	/* ptrace(2) has `long pid`. */
	return is_one_of(without_const(argument->type), types, ARRAY_SIZE(types)) || is_descriptor(argument->name) ||
	       !strcmp(argument->name, "pid");
}

/* The third argument of fcntl(2), if it is a descriptor, a process or a size. */
static bool is_fcntl_number(const struct argument *argument)
{
	if (strcmp(argument->syscall, "fcntl") || strcmp(argument->name, "arg"))
		return false;
	switch ((uint32_t)argument->before) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
	case F_SETOWN:
	case F_SETPIPE_SZ:
		return true;
	default:
		return false;
	}
}

void argument_add(struct strbuf *text, const struct argument *argument)
{
	uint64_t value = argument->value;
	const char *type = argument->type;

	if (strchr(type, '*'))
		strbuf_addf(text, value ? "0x%" PRIx64 : "NULL", value);
	else if (add_named(text, argument))
		return;
	else if (!strcmp(type, "umode_t"))
		strbuf_addf(text, "%#o", (unsigned int)(uint16_t)value);
	else if (!strcmp(type, "int") && !strcmp(argument->name, "sig") && value)
		signal_add(text, (uint32_t)value);
	else if (!strcmp(type, "int") && (int32_t)value == AT_FDCWD && strstr(argument->name, "fd"))
		strbuf_addstr(text, "AT_FDCWD");
	else if ((is_signed_int(argument) && !is_bits(argument->name)) || is_fcntl_number(argument))
		strbuf_addf(text, "%" PRId32, (int32_t)value);
	else if (is_owner(type))
		strbuf_addf(text, (uint32_t)value == UINT32_MAX ? "-1" : "%" PRIu32, (uint32_t)value);
	else if (!strcmp(type, "loff_t") || !strcmp(type, "long") || !strcmp(type, "off_t"))
		strbuf_addf(text, "%" PRId64, (int64_t)value);
	else if (is_narrow(type))
		strbuf_addf(text, (uint32_t)value < 10 ? "%" PRIu32 : "0x%" PRIx32, (uint32_t)value);
	else if (value < 10 || (!strcmp(type, "size_t") && value < MANY_BYTES))
		strbuf_addf(text, "%" PRIu64, value);
	else
		strbuf_addf(text, "0x%" PRIx64, value);
}

/* The commands of fcntl(2) that only ask (fs/fcntl.c in Linux 7.2). */
static bool is_fcntl_question(uint64_t command)
{
	switch (command) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS:
		return true;
	default:
		return false;
	}
}

bool argument_is_used(const struct argument *argument)
{
	const char *syscall = argument->syscall, *name = argument->name;

	if (!strcmp(name, "mode") && (!strcmp(syscall, "open") || !strcmp(syscall, "openat")))
		return argument->before & O_CREAT || (argument->before & O_TMPFILE) == O_TMPFILE;
	if (!strcmp(name, "uattr_common") && !strcmp(syscall, "bpf"))
		return argument->first & BPF_COMMAND_HAS_ATTRS;
	return strcmp(syscall, "fcntl") || strcmp(name, "arg") || !is_fcntl_question(argument->before);
}

/* The options of sockets that are the name of something. */
static bool is_option_text(uint64_t level, uint64_t option)
{
	switch ((uint32_t)level) {
	case SOL_SOCKET:
		return (uint32_t)option == SO_BINDTODEVICE;
	case IPPROTO_TCP:
		return (uint32_t)option == TCP_CONGESTION || (uint32_t)option == TCP_ULP;
	default:
		return false;
	}
}

bool argument_may_be_text(const char *syscall, unsigned int index, const uint64_t *args)
{
	if (!strcmp(syscall, "mount"))
		return index == 4;
	if (!strcmp(syscall, "setsockopt"))
		return index == 3 && is_option_text(args[1], args[2]);
	if (strcmp(syscall, "fsconfig") || index != 3)
		return false;
	switch ((uint32_t)args[1]) {
	case FSCONFIG_SET_STRING:
	case FSCONFIG_SET_PATH:
	case FSCONFIG_SET_PATH_EMPTY:
		return true;
	default:
		return false;
	}
}
