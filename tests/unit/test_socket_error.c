// SPDX-License-Identifier: BSD-2-Clause
/* Who set a socket's error, from the stack that the watch on system calls took then. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "util/base/strbuf.h"
#include "util/explain/condition.h"
#include "util/explain/decision.h"
#include "util/view/parts/json.h"
#include "util/why/reasons/socket_error.h"
#include "util/why/watch/failed_calls.h"

#include "tests/unit/stack_fixture.h"
#include "tests/unit/unit.h"

enum { REPORT, SYNSENT, RCV_STATE, DO_RCV, BACKLOG, SYSCALL, DO_SYSCALL, SOFTIRQS, ICMP_ERR, ICMP, OTHER, RESET,
       VALIDATE, NR };

static const char *const names[NR] = {
	"sk_error_report", "tcp_rcv_synsent_state_process", "tcp_rcv_state_process", "tcp_v4_do_rcv",
	"__release_sock", "__x64_sys_connect", "do_syscall_64", "handle_softirqs", "__udp4_lib_err",
	"icmp_unreach", "some_function", "tcp_reset", "tcp_validate_incoming",
};

FIXTURE(socket)
{
	struct stack_fixture code;
	struct watch_event call, report;
	struct strbuf text;
};

FIXTURE_SETUP(socket)
{
	memset(self, 0, sizeof(*self));
	stack_fixture_set_up(&self->code, names, NR);
	self->call = (struct watch_event){ .kind = WATCH_FAILED, .pid = 7, .tid = 8, .time_ns = 5000000,
					   .called_ns = 1000, .result = -ECONNREFUSED, .comm = "curl" };
	self->report = self->call;
	self->report.kind = WATCH_SOCKET;
	self->report.socket = (struct watch_socket){
		.time_ns = 3000000, .err = ECONNREFUSED, .tid = 8, .comm = "curl", .family = AF_INET,
		.own_port = 40000, .peer_port = htons(80), .own = { 10, 0, 0, 1 }, .peer = { 10, 0, 0, 2 },
	};
	self->text = (struct strbuf)STRBUF_INIT;
}

FIXTURE_TEARDOWN(socket)
{
	stack_fixture_release(&self->code);
	strbuf_release(&self->text);
}

static void stack(FIXTURE_DATA(socket) * self, const int *funcs)
{
	stack_fill(self->report.socket.stack, funcs);
}

static const char *text_of(FIXTURE_DATA(socket) * self)
{
	strbuf_reset(&self->text);
	socket_error_text_add(&self->text, &self->code.context, &self->call, &self->report);
	return strbuf_str(&self->text);
}

static const char *json_of(FIXTURE_DATA(socket) * self)
{
	struct json json = JSON_INIT(&self->text);

	strbuf_reset(&self->text);
	json_object(&json, NULL);
	socket_error_json_add(&json, &self->code.context, &self->call, &self->report);
	json_close(&json);
	return strbuf_str(&self->text);
}

TEST_F(socket, what_was_not_seen_is_not_told)
{
	socket_error_text_add(&self->text, &self->code.context, &self->call, NULL);
	EXPECT_STREQ("", strbuf_str(&self->text));
}

/* packet_sendmsg(): "err = -ENETDOWN; if (!(dev->flags & IFF_UP)) goto out", after bind(2) had set sk_err. */
TEST_F(socket, an_error_that_the_code_has_as_a_constant_is_not_the_sockets)
{
	char up[] = "!(dev->flags & 0x1)", error[] = "sk->sk_err != 0";
	struct decision decision = { .kind = DECISION_TAKEN, .result_is_constant = true };
	struct decision_condition condition = { .text = up };

	EXPECT_TRUE(socket_error_is_beside(&decision, &condition));
	decision.kind = DECISION_NOT_TAKEN;
	EXPECT_TRUE(socket_error_is_beside(&decision, &(struct decision_condition){}));
	condition.text = error;
	EXPECT_FALSE(socket_error_is_beside(&decision, &condition));
	/* Read from the socket. */
	condition.text = up;
	decision.result_is_constant = false;
	EXPECT_FALSE(socket_error_is_beside(&decision, &condition));
	decision = (struct decision){ .kind = DECISION_COMPUTED };
	EXPECT_FALSE(socket_error_is_beside(&decision, &(struct decision_condition){}));
	/* Why is not known: the line is all that there is. */
	decision = (struct decision){ .kind = DECISION_NONE };
	EXPECT_FALSE(socket_error_is_beside(&decision, &(struct decision_condition){}));
}

TEST_F(socket, the_stack_ends_at_the_system_call)
{
	stack(self, (int[]){ REPORT, RCV_STATE, DO_RCV, BACKLOG, SYSCALL, DO_SYSCALL, -1 });
	EXPECT_STREQ("  the socket to 10.0.0.2:80 had got this error 2.00ms before, when a packet with RST arrived "
		     "(in the same thread):\n"
		     "    tcp_rcv_state_process+0x10\n"
		     "    tcp_v4_do_rcv+0x10\n"
		     "    __release_sock+0x10\n"
		     "    __x64_sys_connect+0x10\n",
		     text_of(self));
}

/* Where the probe was is the beginning of a function, and not behind a call in the one before it. */
TEST_F(socket, the_probe_itself_is_no_return_address)
{
	stack(self, (int[]){ REPORT, RCV_STATE, -1 });
	self->report.socket.stack[0] = STACK_BASE + SYNSENT * 0x100;
	EXPECT_NE(NULL, strstr(text_of(self), ":\n    tcp_rcv_synsent_state_process+0x0\n"));
	EXPECT_NE(NULL, strstr(json_of(self), "\"symbol\":\"tcp_rcv_synsent_state_process\",\"offset\":0"));
}

/* FIN_WAIT: data that nobody will read makes the kernel itself reset the connection. */
TEST_F(socket, a_function_that_has_several_reasons_tells_none_but_of_a_refusal)
{
	stack(self, (int[]){ REPORT, RCV_STATE, DO_RCV, -1 });
	self->report.socket.err = ECONNRESET;
	EXPECT_EQ(NULL, strstr(text_of(self), "RST"));
	stack(self, (int[]){ REPORT, RESET, RCV_STATE, DO_RCV, -1 });
	EXPECT_EQ(NULL, strstr(text_of(self), "RST"));
	stack(self, (int[]){ REPORT, RESET, VALIDATE, RCV_STATE, -1 });
	EXPECT_NE(NULL, strstr(text_of(self), "RST"));
	stack(self, (int[]){ REPORT, SYNSENT, RCV_STATE, -1 });
	EXPECT_NE(NULL, strstr(text_of(self), "RST"));
}

TEST_F(socket, a_softirq_has_no_thread)
{
	stack(self, (int[]){ ICMP_ERR, ICMP, SOFTIRQS, DO_SYSCALL, -1 });
	self->report.socket.tid = 99;
	EXPECT_STREQ("  the socket to 10.0.0.2:80 had got this error 2.00ms before, when an ICMP error arrived "
		     "(in a softirq):\n"
		     "    __udp4_lib_err+0x10\n"
		     "    icmp_unreach+0x10\n",
		     text_of(self));
	EXPECT_STREQ("{\"socket_error\":{\"local\":\"10.0.0.1:40000\",\"peer\":\"10.0.0.2:80\",\"before_ns\":2000000,"
		     "\"event\":\"an ICMP error arrived\",\"context\":\"softirq\",\"stack\":["
		     "{\"addr\":\"0xffffffff81000810\",\"symbol\":\"__udp4_lib_err\",\"offset\":16,\"module\":null,"
		     "\"frames\":[]},"
		     "{\"addr\":\"0xffffffff81000910\",\"symbol\":\"icmp_unreach\",\"offset\":16,\"module\":null,"
		     "\"frames\":[]}]}}",
		     json_of(self));
}

TEST_F(socket, another_thread_is_named)
{
	stack(self, (int[]){ OTHER, -1 });
	self->report.socket.tid = 99;
	self->report.socket.peer_port = 0;
	memset(self->report.socket.peer, 0, sizeof(self->report.socket.peer));
	strcpy(self->report.socket.comm, "a\nb");
	EXPECT_STREQ("  the socket had got this error 2.00ms before (in a?b, tid 99):\n"
		     "    some_function+0x10\n",
		     text_of(self));
	EXPECT_NE(NULL, strstr(json_of(self), "\"peer\":null"));
	EXPECT_NE(NULL, strstr(json_of(self), "\"context\":\"task\",\"comm\":\"a\\nb\",\"tid\":99"));
}

TEST_F(socket, addresses_of_both_families)
{
	stack(self, (int[]){ OTHER, -1 });
	self->report.socket.family = AF_INET6;
	memcpy(self->report.socket.peer, &in6addr_loopback, 16);
	EXPECT_NE(NULL, strstr(text_of(self), " to [::1]:80 "));
	self->report.socket.peer_port = 0;
	EXPECT_NE(NULL, strstr(text_of(self), " to ::1 "));
	self->report.socket.family = AF_UNIX;
	EXPECT_NE(NULL, strstr(text_of(self), "the socket had got"));
}

/* Without -v, the rest of a deep stack is left out, which is said. */
TEST_F(socket, a_deep_stack_is_cut)
{
	const char *rest;

	stack(self, (int[]){ OTHER, OTHER, OTHER, OTHER, OTHER, OTHER, OTHER, OTHER, ICMP, -1 });
	rest = strstr(text_of(self), "    ...\n");
	ASSERT_NE(NULL, rest);
	EXPECT_STREQ("    ...\n", rest);
	EXPECT_EQ(NULL, strstr(text_of(self), "icmp_unreach"));
	self->code.context.verbose = true;
	EXPECT_NE(NULL, strstr(text_of(self), "icmp_unreach"));
	EXPECT_EQ(NULL, strstr(text_of(self), "..."));
}

TEST_HARNESS_MAIN
