// SPDX-License-Identifier: BSD-2-Clause
/* Requests through io_uring among a command's failed calls: which is chosen, and how it is shown. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/view/parts/json.h"
#include "util/why/watch/failed_calls.h"
#include "util/why/watch/io_uring.h"

#include "tests/unit/unit.h"

enum { NOP = 0, OPENAT = 18, URING_CMD128 = 64 };

static const uint32_t transfers[] = { SYS_read };
static const struct call_numbers numbers = { .ioctl = 16, .transfers = transfers, .nr_transfers = 1 };

FIXTURE(requests)
{
	struct failed_calls calls;
	enum chosen_by reason;
	struct strbuf text;
};

FIXTURE_SETUP(requests)
{
	memset(self, 0, sizeof(*self));
	self->text = (struct strbuf)STRBUF_INIT;
}

FIXTURE_TEARDOWN(requests)
{
	failed_calls_release(&self->calls);
	strbuf_release(&self->text);
}

static struct watch_event request(uint32_t opcode, int err, uint64_t user_data)
{
	return (struct watch_event){ .kind = WATCH_FAILED, .pid = 10, .tid = 11, .nr = SYS_io_uring_enter,
				     .result = -err, .comm = "program", .io_uring = opcode + 1,
				     .args = { user_data } };
}

static void add(FIXTURE_DATA(requests) * self, struct watch_event event)
{
	if (failed_calls_add(&self->calls, &event))
		abort();
}

static void write_text(FIXTURE_DATA(requests) * self, const char *text)
{
	struct watch_event event = { .kind = WATCH_WROTE, .pid = 10, .tid = 10, .nr = 1 };

	snprintf(event.said, sizeof(event.said), "%s", text);
	add(self, event);
}

/* The chosen one; NULL: none. */
static const struct watch_event *choose(FIXTURE_DATA(requests) * self, const struct call_choice *choice)
{
	static const struct call_choice any;
	int index;

	failed_calls_group(&self->calls, &numbers);
	index = failed_calls_choose(&self->calls, choice ?: &any, &self->reason);
	return index < 0 ? NULL : &self->calls.v.data[index].event;
}

TEST_F(requests, the_last_before_a_message_is_chosen_like_a_call)
{
	const struct watch_event *chosen;

	add(self, (struct watch_event){ .kind = WATCH_FAILED, .pid = 10, .tid = 10, .nr = SYS_read,
					.result = -EISDIR, .comm = "program" });
	add(self, request(OPENAT, ENOENT, 1));
	add(self, request(NOP, ECANCELED, 2));
	add(self, request(NOP, ETIME, 3));
	add(self, request(NOP, EAGAIN, 4));
	write_text(self, "cannot do it\n");
	chosen = choose(self, NULL);
	ASSERT_NE(NULL, chosen);
	EXPECT_EQ(OPENAT + 1, chosen->io_uring);
	EXPECT_EQ(CHOICE_COMPLAINT, self->reason);
	EXPECT_EQ(5, self->calls.v.len);
}

TEST_F(requests, one_that_programs_expect_to_fail_is_chosen_if_the_message_names_it)
{
	const struct watch_event *chosen;

	add(self, request(OPENAT, ENOENT, 1));
	add(self, request(NOP, ECANCELED, 2));
	write_text(self, "request 2: Operation canceled\n");
	chosen = choose(self, NULL);
	ASSERT_NE(NULL, chosen);
	EXPECT_EQ(-ECANCELED, chosen->result);
}

TEST_F(requests, the_system_call_and_the_errno_select_them)
{
	const uint32_t enter = SYS_io_uring_enter;
	const struct watch_event *chosen;

	add(self, request(OPENAT, ENOENT, 1));
	add(self, request(NOP, ETIME, 2));
	add(self, (struct watch_event){ .kind = WATCH_FAILED, .pid = 10, .tid = 10, .nr = SYS_read,
					.result = -EISDIR, .comm = "program" });
	chosen = choose(self, &(struct call_choice){ .nr = &enter });
	ASSERT_NE(NULL, chosen);
	EXPECT_EQ(-ENOENT, chosen->result);
	chosen = choose(self, &(struct call_choice){ .err = ETIME });
	ASSERT_NE(NULL, chosen);
	EXPECT_EQ(2, chosen->args[0]);
}

/* Other opcodes, and io_uring_enter(2) itself. */
TEST_F(requests, those_of_different_kinds_are_not_alike)
{
	struct watch_event call = request(OPENAT, EINVAL, 0);

	call.io_uring = 0;
	add(self, call);
	add(self, request(OPENAT, EINVAL, 1));
	add(self, request(NOP, EINVAL, 2));
	add(self, request(OPENAT, EINVAL, 3));
	ASSERT_EQ(0, failed_calls_group(&self->calls, &numbers));
	ASSERT_EQ(3, self->calls.v.len);
	EXPECT_EQ(2, self->calls.v.data[1].count);
	EXPECT_EQ(3, failed_calls_requests(&self->calls, &self->calls.v.data[1].event));
	EXPECT_STREQ("io_issue_sqe", io_uring_function(&self->calls.v.data[1].event));
	EXPECT_EQ(NULL, io_uring_function(&call));
}

/* They may fail between a call that a signal interrupted and the signal's handler. */
TEST_F(requests, a_signal_goes_to_the_call_before)
{
	struct watch_event call = { .kind = WATCH_FAILED, .pid = 10, .tid = 11, .nr = SYS_read, .result = -EINTR,
				    .called_ns = 5, .comm = "program" };

	add(self, call);
	add(self, request(OPENAT, EINTR, 1));
	call.kind = WATCH_SIGNAL;
	call.signal = 10;
	add(self, call);
	ASSERT_EQ(2, self->calls.events.len);
	EXPECT_EQ(10, self->calls.events.data[0].signal);
	EXPECT_EQ(0, self->calls.events.data[1].signal);
}

/* The kernel makes it a NOP before it completes it with EINVAL. */
TEST_F(requests, of_unknown_opcodes_get_no_name)
{
	struct watch_event event = request(NOP, EINVAL, 1);

	io_uring_request_add(&self->text, &event);
	EXPECT_STREQ("io_uring: a request (user_data 0x1)", strbuf_str(&self->text));
	event.result = -EBADF;
	strbuf_reset(&self->text);
	io_uring_request_add(&self->text, &event);
	EXPECT_STREQ("io_uring: nop (user_data 0x1)", strbuf_str(&self->text));
}

TEST_F(requests, are_shown_by_the_names_of_their_opcodes)
{
	static const struct {
		uint32_t io_uring;
		const char *text, *json;
	} cases[] = {
		{ NOP + 1, "io_uring: nop (user_data 0xffffffffffffffff)",
		  "{\"io_uring\":{\"opcode\":\"nop\",\"user_data\":\"0xffffffffffffffff\"}}" },
		{ OPENAT + 1, "io_uring: openat (user_data 0xffffffffffffffff)",
		  "{\"io_uring\":{\"opcode\":\"openat\",\"user_data\":\"0xffffffffffffffff\"}}" },
		{ URING_CMD128 + 1, "io_uring: uring_cmd128 (user_data 0xffffffffffffffff)",
		  "{\"io_uring\":{\"opcode\":\"uring_cmd128\",\"user_data\":\"0xffffffffffffffff\"}}" },
		{ 256, "io_uring: opcode 255 (user_data 0xffffffffffffffff)",
		  "{\"io_uring\":{\"opcode\":null,\"user_data\":\"0xffffffffffffffff\"}}" },
		{ WATCH_NO_OPCODE, "io_uring: a request (user_data 0xffffffffffffffff)",
		  "{\"io_uring\":{\"opcode\":null,\"user_data\":\"0xffffffffffffffff\"}}" },
		{ 0, NULL, "{}" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct watch_event event = request(NOP, ENOENT, UINT64_MAX);
		struct json json = JSON_INIT(&self->text);

		event.io_uring = cases[i].io_uring;
		if (cases[i].text) {
			io_uring_request_add(&self->text, &event);
			EXPECT_STREQ(cases[i].text, strbuf_str(&self->text));
			strbuf_reset(&self->text);
		}
		json_object(&json, NULL);
		io_uring_request_json_add(&json, &event);
		json_close(&json);
		EXPECT_STREQ(cases[i].json, strbuf_str(&self->text));
		strbuf_reset(&self->text);
	}
}

TEST_HARNESS_MAIN
