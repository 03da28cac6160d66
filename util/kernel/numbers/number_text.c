// SPDX-License-Identifier: BSD-2-Clause
/* Numbers as the source writes them. */
#include "util/kernel/numbers/number_text.h"

#include <inttypes.h>
#include <linux/ioctl.h>
#include <linux/ioprio.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/text/limit_name.h"

void signal_add(struct strbuf *text, uint64_t signal)
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
			signal_add(text, value & rest);
	} else if (!*before) {
		strbuf_addch(text, '0');
	}
}

bool number_add_name(struct strbuf *text, const struct number_names *names, uint64_t value)
{
	/* A negative number has its sign in the upper half, or nothing. */
	if (value >> 32 && (int64_t)value != (int32_t)value)
		return false;
	for (; names; names = names->more) {
		for (size_t i = 0; i < names->nr; i++) {
			if (names->names[i].value == (uint32_t)value) {
				strbuf_addstr(text, names->names[i].name);
				return true;
			}
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
	if (!number_add_name(text, names, value >> IOPRIO_CLASS_SHIFT))
		strbuf_addf(text, "%" PRIu64, value >> IOPRIO_CLASS_SHIFT);
	strbuf_addf(text, ", %" PRIu64 ")", value & IOPRIO_PRIO_MASK);
	return true;
}

/* As QCMD() in <linux/quota.h> makes them. False: the command has no name, and nothing was added. */
static bool add_quota(struct strbuf *text, const struct number_names *names, uint64_t value)
{
	static const char *const types[] = { "USRQUOTA", "GRPQUOTA", "PRJQUOTA" };
	uint8_t type = value;

	for (size_t i = 0; i < names->nr; i++) {
		if (names->names[i].value != (value & names->names[i].mask))
			continue;
		strbuf_addf(text, "QCMD(%s, ", names->names[i].name);
		if (type < ARRAY_SIZE(types))
			strbuf_addf(text, "%s)", types[type]);
		else
			strbuf_addf(text, "%u)", type);
		return true;
	}
	return false;
}

bool number_add(struct strbuf *text, const struct number_names *names, uint64_t value)
{
	switch (names->kind) {
	case NAMED_LIMIT:
		strbuf_addstr(text, limit_name(value) ?: "");
		return limit_name(value);
	case NAMED_IO_PRIORITY:
		return add_io_priority(text, names, value);
	case NAMED_QUOTA:
		return add_quota(text, names, value);
	case NAMED_WHOLE:
		return number_add_name(text, names, value);
	case NAMED_IOCTL:
		return number_add_name(text, names, value) || add_ioctl_parts(text, value);
	default:
		add_bits(text, names, value);
		return true;
	}
}

bool number_add_flags(struct strbuf *text, const struct number_names *names, uint64_t flags)
{
	_cleanup_(strbuf_release) struct strbuf all = STRBUF_INIT;
	uint64_t left = flags;

	for (size_t i = 0; left && i < names->nr; i++) {
		const struct number_name *name = &names->names[i];

		/* Of a number in several bits, a part is no flag. */
		if (!name->value || name->mask != name->value || (name->value & left) != name->value)
			continue;
		strbuf_addf(&all, "%s%s", all.len ? " | " : "", name->name);
		left &= ~name->value;
	}
	if (left || !flags)
		return false;
	strbuf_addstr(text, strbuf_str(&all));
	return true;
}
