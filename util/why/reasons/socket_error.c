// SPDX-License-Identifier: BSD-2-Clause
/* Describes the error of a socket by the stack of who set it. */
#include "util/why/reasons/socket_error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "bpf/watch/watch_event.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/text/quote.h"
#include "util/explain/condition.h"
#include "util/explain/decision.h"
#include "util/view/parts/json.h"
#include "util/view/parts/times.h"
#include "util/why/reasons/taken_stack.h"

/* The kernel's functions that only pass a report on (net/core/sock.c). */
static bool is_report(const char *name)
{
	return !strcmp(name, "sk_error_report") || !strcmp(name, "sock_def_error_report");
}

static const char reset[] = "a packet with RST arrived";
static const char icmp[] = "an ICMP error arrived";
static const char silence[] = "the peer had not answered in time";
static const char ended[] = "the socket was ended from outside (ss -K, or a BPF program)";

/*
 * What a function sets an error for: net/ipv4, net/ipv6, net/netlink and net/packet of Linux 5.10 to 7.2. Some
 * that do it are inlined into these, or end with a jump, so that they are not on the stack.
 */
static const struct taken_event events[] = {
	/* Data for a socket that was closed, too, makes the kernel call tcp_reset(): no RST arrived then. */
	{ "tcp_reset", ECONNREFUSED, reset },
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

bool socket_error_is_beside(const struct decision *decision, const struct decision_condition *condition)
{
	return (decision->kind == DECISION_TAKEN || decision->kind == DECISION_NOT_TAKEN) && decision->result_is_constant &&
	       !(condition->text && strstr(condition->text, "sk_err"));
}

static const char *event_of(const struct view_context *context, const struct taken_stack *stack, int err)
{
	return taken_stack_event(context, stack, events, ARRAY_SIZE(events), err);
}

static struct taken_stack stack_of(const struct view_context *context, const struct watch_socket *socket)
{
	return taken_stack_of(context, socket->stack, WATCH_FRAMES, is_report);
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

/* Whose context it was: an interrupted thread has nothing to do with it. */
static void add_context(struct strbuf *text, const struct watch_event *call, const struct watch_socket *socket,
			const struct taken_stack *stack)
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
	struct taken_stack stack;
	size_t start, named;
	const char *event;

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
	event = event_of(context, &stack, socket->err);
	if (event)
		strbuf_addf(text, ", when %s", event);
	add_context(text, call, socket, &stack);
	strbuf_addstr(text, stack.nr ? ":\n" : "\n");
	taken_stack_text_add(text, context, &stack);
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
	struct taken_stack stack;

	if (!socket)
		return;
	stack = stack_of(context, socket);
	json_object(json, "socket_error");
	json_endpoint(json, "local", socket, socket->own, socket->own_port);
	json_endpoint(json, "peer", socket, socket->peer, ntohs(socket->peer_port));
	json_uint(json, "before_ns", span_before(call, socket));
	json_string(json, "event", event_of(context, &stack, socket->err));
	json_string(json, "context", stack.softirq ? "softirq" : "task");
	if (!stack.softirq) {
		json_string(json, "comm", socket->comm);
		json_uint(json, "tid", socket->tid);
	}
	taken_stack_json_add(json, context, &stack);
	json_close(json);
}
