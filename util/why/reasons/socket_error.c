// SPDX-License-Identifier: BSD-2-Clause
/* Describes the error of a socket by the stack of who set it. */
#include "util/why/reasons/socket_error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "bpf/watch/watch.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/text/quote.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/trace/explain/place.h"
#include "util/view/parts/json.h"
#include "util/view/parts/times.h"
#include "util/view/session/code_place.h"
#include "util/view/session/view.h"

/* Rows of the stack that are shown without -v. */
#define FEW_ROWS 8
/* Functions of the stack, from the innermost, that may say what happened. */
#define TELLING_FRAMES 6

struct socket_stack {
	uint32_t first, nr;	/* frames that matter */
	bool softirq;
	const char *event;	/* what happened; NULL: not known */
};

/* The kernel's functions that only pass a report on (net/core/sock.c). */
static bool is_report(const char *name)
{
	return !strcmp(name, "sk_error_report") || !strcmp(name, "sock_def_error_report");
}

/* Functions that run what is due, with what they were called for below them (kernel/softirq.c). */
static bool begins_softirq(const char *name)
{
	return !strcmp(name, "handle_softirqs") || !strcmp(name, "__do_softirq");
}

/*
 * What a function sets an error for: net/ipv4, net/ipv6, net/netlink and net/packet of Linux 5.10 to 7.2. Some
 * that do it are inlined into these, or end with a jump, so that they are not on the stack.
 */
static const char *event_of(const char *name, int err)
{
	static const char reset[] = "a packet with RST arrived", icmp[] = "an ICMP error arrived",
			  silence[] = "the peer had not answered in time",
			  ended[] = "the socket was ended from outside (ss -K, or a BPF program)";
	static const struct {
		const char *function;
		int err;	/* 0: any */
		const char *event;
	} events[] = {
		{ "tcp_reset", 0, reset },
		{ "tcp_validate_incoming", 0, reset },
		{ "tcp_rcv_synsent_state_process", 0, reset },
		{ "tcp_rcv_state_process", ECONNREFUSED, reset },
		{ "tcp_write_timeout", 0, silence },
		{ "tcp_retransmit_timer", 0, silence },
		{ "tcp_probe_timer", 0, silence },
		{ "tcp_keepalive_timer", 0, silence },
		{ "tcp_v4_err", 0, icmp },
		{ "tcp_v6_err", 0, icmp },
		{ "__udp4_lib_err", 0, icmp },
		{ "__udp6_lib_err", 0, icmp },
		{ "udp_err", 0, icmp },
		{ "udpv6_err", 0, icmp },
		{ "ping_err", 0, icmp },
		{ "raw_icmp_error", 0, icmp },
		{ "rawv6_err", 0, icmp },
		{ "tcp_abort", 0, ended },
		{ "udp_abort", 0, ended },
		{ "netlink_overrun", 0, "its buffer was full, and messages were dropped" },
		{ "packet_notifier", 0, "its network interface went down" },
	};

	for (size_t i = 0; name && i < ARRAY_SIZE(events); i++) {
		if (!strcmp(name, events[i].function) && (!events[i].err || events[i].err == err))
			return events[i].event;
	}
	return NULL;
}

static void look_up(const struct view_context *context, uint64_t addr, struct symbolized *found)
{
	symbolizer_lookup(context->explain.symbolizer, addr, true, found);
}

static struct socket_stack stack_of(const struct view_context *context, const struct watch_socket *socket)
{
	struct socket_stack stack = {};
	struct symbolized found;

	for (uint32_t i = 0; i < WATCH_FRAMES && socket->stack[i]; i++) {
		const char *name;

		look_up(context, socket->stack[i], &found);
		name = found.symbol ? found.symbol->name : "";
		if (!stack.nr && is_report(name)) {
			stack.first = i + 1;
			continue;
		}
		stack.softirq = begins_softirq(name);
		if (stack.softirq)
			break;
		stack.nr++;
		if (syscall_of_entry(name))
			break;
		if (stack.nr > TELLING_FRAMES)
			continue;
		stack.event = stack.event ?: event_of(name, socket->err);
		for (int k = 0; k < found.nr_frames; k++)
			stack.event = stack.event ?: event_of(found.frames[k].function, socket->err);
	}
	return stack;
}

/* "127.0.0.1:80", "[::1]:80", "::1" without a port; nothing without an address. @port in the machine's byte order */
static void add_address(struct strbuf *text, const struct watch_socket *socket, const uint8_t *addr,
			uint16_t port)
{
	static const uint8_t none[16];
	char name[INET6_ADDRSTRLEN];

	if ((socket->family != AF_INET && socket->family != AF_INET6) || !memcmp(addr, none, sizeof(none)) ||
	    !inet_ntop(socket->family, addr, name, sizeof(name)))
		return;
	if (port)
		strbuf_addf(text, socket->family == AF_INET6 ? "[%s]:%u" : "%s:%u", name, port);
	else
		strbuf_addstr(text, name);
}

static uint64_t span_before(const struct watch_event *call, const struct watch_socket *socket)
{
	return call->time_ns > socket->time_ns ? call->time_ns - socket->time_ns : 0;
}

static void add_row(struct strbuf *text, const struct view_context *context, const struct symbolized *found,
		    uint64_t addr)
{
	const struct source_frame *own = found->nr_frames ? &found->frames[found->nr_frames - 1] : NULL;
	struct place place = { .addr = addr, .offset = found->offset };

	if (found->symbol) {
		place.name = found->symbol->name;
		place.module = found->symbol->module;
	}
	for (int i = 0; i + 1 < found->nr_frames; i++) {
		strbuf_addstr(text, "    ");
		code_inlined_add(text, context, &found->frames[i]);
		strbuf_addstr(text, "  ");
		code_source_add(text, &found->frames[i]);
		strbuf_addch(text, '\n');
	}
	strbuf_addstr(text, "    ");
	code_symbol_add(text, context, &place);
	if (own)
		strbuf_addstr(text, "  ");
	code_source_add(text, own);
	strbuf_addch(text, '\n');
}

/* Whose context it was: an interrupted thread has nothing to do with it. */
static void add_context(struct strbuf *text, const struct watch_event *call, const struct watch_socket *socket,
			const struct socket_stack *stack)
{
	if (stack->softirq) {
		strbuf_addstr(text, " (in a softirq)");
	} else if (socket->tid == call->tid) {
		strbuf_addstr(text, " (in the same thread)");
	} else {
		strbuf_addstr(text, " (in ");
		quote_name_add(text, socket->comm);
		strbuf_addf(text, ", tid %u)", socket->tid);
	}
}

void socket_error_text_add(struct strbuf *text, const struct view_context *context,
			   const struct watch_event *call, const struct watch_event *report)
{
	const struct watch_socket *socket = report ? &report->socket : NULL;
	struct socket_stack stack;
	struct symbolized found;
	size_t start, named;
	uint32_t rows;

	if (!socket)
		return;
	stack = stack_of(context, socket);
	strbuf_addstr(text, "  the socket");
	start = text->len;
	strbuf_addstr(text, " to ");
	named = text->len;
	add_address(text, socket, socket->peer, ntohs(socket->peer_port));
	if (text->len == named)
		text->len = start;
	strbuf_addstr(text, " had got this error ");
	duration_add(text, span_before(call, socket), DURATIONS_AUTO);
	strbuf_addstr(text, " before");
	if (stack.event)
		strbuf_addf(text, ", when %s", stack.event);
	add_context(text, call, socket, &stack);
	strbuf_addstr(text, stack.nr ? ":\n" : "\n");
	rows = context->verbose || stack.nr <= FEW_ROWS ? stack.nr : FEW_ROWS;
	for (uint32_t i = 0; i < rows; i++) {
		look_up(context, socket->stack[stack.first + i], &found);
		add_row(text, context, &found, socket->stack[stack.first + i]);
	}
	if (rows < stack.nr)
		strbuf_addstr(text, "    ...\n");
}

static void json_endpoint(struct json *json, const char *key, const struct watch_socket *socket,
			 const uint8_t *addr, uint16_t port)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	add_address(&text, socket, addr, port);
	json_string(json, key, text.len ? strbuf_str(&text) : NULL);
}

void socket_error_json_add(struct json *json, const struct view_context *context,
			   const struct watch_event *call, const struct watch_event *report)
{
	const struct watch_socket *socket = report ? &report->socket : NULL;
	struct socket_stack stack;
	struct symbolized found;

	if (!socket)
		return;
	stack = stack_of(context, socket);
	json_object(json, "socket_error");
	json_endpoint(json, "local", socket, socket->own, socket->own_port);
	json_endpoint(json, "peer", socket, socket->peer, ntohs(socket->peer_port));
	json_uint(json, "before_ns", span_before(call, socket));
	json_string(json, "event", stack.event);
	json_string(json, "context", stack.softirq ? "softirq" : "task");
	if (!stack.softirq) {
		json_string(json, "comm", socket->comm);
		json_uint(json, "tid", socket->tid);
	}
	json_array(json, "stack");
	for (uint32_t i = 0; i < stack.nr; i++) {
		look_up(context, socket->stack[stack.first + i], &found);
		json_object(json, NULL);
		json_address(json, socket->stack[stack.first + i], found.symbol ? found.symbol->name : NULL,
			     found.offset);
		json_string(json, "module", found.symbol ? found.symbol->module : NULL);
		code_frames_json_add(json, found.frames, found.nr_frames);
		json_close(json);
	}
	json_close(json);
	json_close(json);
}
