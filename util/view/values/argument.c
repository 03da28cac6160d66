// SPDX-License-Identifier: BSD-2-Clause
/* Arguments of system calls as text. */
#include "util/view/values/argument.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/ioctl.h>
#include <linux/ioprio.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/limit_name.h"
#include "util/view/values/argument_names.h"

/* Larger sizes are easier to read in hex. */
#define MANY_BYTES (1ull << 32)

static void add_signal(struct strbuf *text, uint64_t signal)
{
	const char *abbrev = signal < _NSIG ? sigabbrev_np(signal) : NULL;

	if (abbrev)
		strbuf_addf(text, "SIG%s", abbrev);
	else
		strbuf_addf(text, "%" PRId32, (int32_t)signal);
}

static void add_bits(struct strbuf *text, const struct number_names *names, uint64_t value)
{
	uint64_t rest = names->kind == NAMED_BITS_AND_SIGNAL ? CSIGNAL :
			names->kind == NAMED_BITS_AND_MODE   ? 0777 : 0;
	uint64_t left = value & ~rest;
	const char *before = "";

	for (size_t i = 0; i < names->nr; i++) {
		const struct number_name *name = &names->names[i];

		/* If several names share bits, the first one counts. */
		if ((value & name->mask) != name->value || (name->value & left) != name->value ||
		    (!name->value && *before))
			continue;
		strbuf_addf(text, "%s%s", before, name->name);
		before = "|";
		left &= ~name->value;
	}
	if (left) {
		strbuf_addf(text, "%s0x%" PRIx64, before, left);
		before = "|";
	}
	if (value & rest) {
		strbuf_addstr(text, before);
		if (names->kind == NAMED_BITS_AND_MODE)
			strbuf_addf(text, "%#" PRIo64, value & rest);
		else
			add_signal(text, value & rest);
	} else if (!*before) {
		strbuf_addch(text, '0');
	}
}

/* The name of all of a number; false: it has none, and nothing was added. */
static bool add_whole(struct strbuf *text, const struct number_names *names, uint64_t value)
{
	for (size_t i = 0; i < names->nr; i++) {
		if (names->names[i].value == (uint32_t)value) {
			strbuf_addstr(text, names->names[i].name);
			return true;
		}
	}
	return false;
}

/*
 * The parts of an ioctl(2) request, as its header defines it: _IOWR('H', 0x13, 24 bytes). Requests without a
 * direction are often older than this form, and stay numbers: false, and nothing was added.
 */
static bool add_ioctl_parts(struct strbuf *text, uint32_t request)
{
	static const char *const macros[] = {
		[_IOC_READ] = "_IOR", [_IOC_WRITE] = "_IOW", [_IOC_READ | _IOC_WRITE] = "_IOWR",
	};
	unsigned int direction = _IOC_DIR(request), type = _IOC_TYPE(request), size = _IOC_SIZE(request);

	if (direction >= ARRAY_SIZE(macros) || !macros[direction])
		return false;
	strbuf_addf(text, "%s(", macros[direction]);
	if (type > ' ' && type <= '~' && type != '\'' && type != '\\')
		strbuf_addf(text, "'%c'", type);
	else
		strbuf_addf(text, "0x%x", type);
	strbuf_addf(text, ", 0x%x, %u byte%s)", _IOC_NR(request), size, size == 1 ? "" : "s");
	return true;
}

/* Three of them are the class. */
#define IO_PRIORITY_BITS 16

/* False: the number has bits above its class, and nothing was added. */
static bool add_io_priority(struct strbuf *text, const struct number_names *names, uint64_t value)
{
	if (value >> IO_PRIORITY_BITS)
		return false;
	strbuf_addstr(text, "IOPRIO_PRIO_VALUE(");
	if (!add_whole(text, names, value >> IOPRIO_CLASS_SHIFT))
		strbuf_addf(text, "%" PRIu64, value >> IOPRIO_CLASS_SHIFT);
	strbuf_addf(text, ", %" PRIu64 ")", value & IOPRIO_PRIO_MASK);
	return true;
}

/* False: the number has no name here, and nothing was added. */
static bool add_named(struct strbuf *text, const struct argument *argument)
{
	const struct number_names *names =
		number_names_find(argument->syscall, argument->name, argument->before);
	/* The other half of a register is not the call's. */
	uint64_t value = strstr(argument->type, "int") ? (uint32_t)argument->value : argument->value;

	if (!names)
		return false;
	if (names->kind == NAMED_LIMIT) {
		strbuf_addstr(text, limit_name(value) ?: "");
		return limit_name(value);
	}
	if (names->kind == NAMED_IO_PRIORITY)
		return add_io_priority(text, names, value);
	if (names->kind == NAMED_WHOLE)
		return add_whole(text, names, value);
	if (names->kind == NAMED_IOCTL)
		return add_whole(text, names, value) || add_ioctl_parts(text, value);
	add_bits(text, names, value);
	return true;
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
		add_signal(text, (uint32_t)value);
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
