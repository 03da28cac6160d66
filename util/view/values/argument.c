// SPDX-License-Identifier: BSD-2-Clause
/* Arguments of system calls as text. */
#include "util/view/values/argument.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/numbers/argument_names.h"
#include "util/kernel/numbers/command_names.h"
#include "util/kernel/numbers/number_text.h"

/* Larger sizes are easier to read in hex. */
#define MANY_BYTES (1ull << 32)

/* False: the number has no name here, and nothing was added. */
static bool add_named(struct strbuf *text, const struct argument *argument)
{
	const struct number_names *names =
		number_names_find(argument->syscall, argument->name, argument->before, argument->first);
	/* The other half of a register is not the call's. */
	uint64_t value = strstr(argument->type, "int") ? (uint32_t)argument->value : argument->value;

	return names && number_add(text, names, value);
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
	else if (is_signed_int(argument) && !is_bits(argument->name))
		strbuf_addf(text, "%" PRId32, (int32_t)value);
	else if (!strcmp(type, "loff_t") || !strcmp(type, "long") || !strcmp(type, "off_t"))
		strbuf_addf(text, "%" PRId64, (int64_t)value);
	else if (value < 10 || (!strcmp(type, "size_t") && value < MANY_BYTES))
		strbuf_addf(text, "%" PRIu64, value);
	else if (strstr(type, "int"))
		strbuf_addf(text, "0x%x", (uint32_t)value);
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
		return argument->first & BPF_COMMON_ATTRS;
	return strcmp(syscall, "fcntl") || strcmp(name, "arg") || !is_fcntl_question(argument->before);
}
