// SPDX-License-Identifier: BSD-2-Clause
/* A call with its arguments, as text. */
#include "util/why/call_text.h"

#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/plan/args/args.h"
#include "util/view/values/argument.h"
#include "util/view/values/value_known.h"
#include "util/view/values/value_text.h"
#include "util/why/reasons/check_view.h"
#include "util/why/watch/io_uring.h"
#include "util/why/watch/netlink.h"
#include "util/why/why_internal.h"

/*
 * Whether the call reads one string there; argv, `const char *const *`, is not one. What is in a buffer that
 * the call was to fill is left from before.
 */
static bool is_string(const char *syscall, unsigned int param, const char *type)
{
	const char *star = strstr(type, "char *") ?: strstr(type, "char __user *");

	return star && strchr(star, '*') == strrchr(star, '*') &&
	       (startswith(type, "const ") || args_syscall_reads_string(syscall, param));
}

char *why_wrapper_of(const char *name)
{
	return strf("%ssys_%s", arch_native->syscall_prefix, name);
}

/* How many bytes the call reads there, by the next parameter: write(fd, buf, count). UINT64_MAX: up to a NUL. */
static uint64_t count_of(const struct watch_event *event, const struct syscall_params *params, uint32_t param)
{
	static const char *const names[] = { "count", "len", "size", "msg_len", "optlen" };
	bool has_next = param + 1 < params->nr && param + 1 < WATCH_ARGS;

	if (has_next && array_find(known, names, !strcmp(params->params[param + 1].name, *known)))
		return strcmp(params->params[param + 1].type, "int") ?
			       event->args[param + 1] :
			       (uint32_t)event->args[param + 1];
	return UINT64_MAX;
}

/* Data that is text in some uses of a call. False: it is none, and nothing was added. */
static bool add_text(struct strbuf *text, const char *syscall, const struct watch_event *event, uint32_t param,
		     uint64_t count)
{
	const char *string = event->strings[param];
	size_t len = strnlen(string, count < WATCH_STRING ? count : WATCH_STRING);

	if (!(event->have >> param & 1) || !argument_may_be_text(syscall, param, (const uint64_t *)event->args) ||
	    !value_is_text((const uint8_t *)string, len, len >= WATCH_STRING - 1))
		return false;
	/* Names of devices and the like may be passed with their NUL. */
	watched_string_add(text, string, WATCH_STRING, len < WATCH_STRING - 1 ? len : count);
	return true;
}

void why_call_add(struct why *why, const struct watch_event *event, struct strbuf *text)
{
	_cleanup_(free_p) char *name = event->compat ? NULL : why_syscall_name(why, event->nr);
	_cleanup_(free_p) char *wrapper = name ? why_wrapper_of(name) : NULL;
	struct syscall_params params = {};

	if (event->io_uring) {
		io_uring_request_add(text, event);
		return;
	}
	if (!wrapper) {
		strbuf_addf(text, "%ssystem call %u", event->compat ? "32-bit " : "", event->nr);
		return;
	}
	strbuf_addf(text, "%s(", name);
	if (!syscall_formats_find(&why->syscalls, wrapper, &params))
		strbuf_addstr(text, "...");
	for (uint32_t i = 0; i < params.nr && i < WATCH_ARGS; i++) {
		const struct argument argument = { name, params.params[i].name,
						   params.params[i].type, event->args[i],
						   i ? event->args[i - 1] : 0, event->args[0] };

		if (!argument_is_used(&argument))
			break;
		strbuf_addf(text, "%s%s=", i ? ", " : "", argument.name);
		if (event->address == i + 1 &&
		    socket_address_add(text, (const uint8_t *)event->strings[i], event->address_size, true))
			continue;
		if (is_string(name, i, argument.type) && event->have >> i & 1)
			watched_string_add(text, event->strings[i], WATCH_STRING,
					   count_of(event, &params, i));
		else if (!add_text(text, name, event, i, count_of(event, &params, i)))
			argument_add(text, &argument);
	}
	strbuf_addch(text, ')');
	if (event->netlink) {
		strbuf_addstr(text, ", request ");
		netlink_name_add(text, event);
	}
	if (event->so_error)
		strbuf_addstr(text, ", the socket's error");
}
