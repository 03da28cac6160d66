// SPDX-License-Identifier: BSD-2-Clause
/* Sessions put together from records, whatever the records are. */
#include <errno.h>

#include "unit.h"

#include "bpf/config.h"
#include "tests/unit/traced.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/session/assembler.h"
#include "util/trace/session/session.h"

/* A kernel of a few functions; their addresses are told apart at sight. */
enum { ENTRY, MIDDLE, INNER, TRAMPOLINED, NR_FUNCS };

#define ENTRY_ADDR 0x1000
#define MIDDLE_ADDR 0x2000
#define INNER_ADDR 0x3000
#define TRAMPOLINED_ADDR 0x4000
#define RETURN_TRAMPOLINE 0x9000 /* kretprobe_trampoline */
#define BPF_TRAMPOLINE 0xb000
#define BPF_PROGRAM 0xb100
#define SYSCALL 0xe000 /* untraced, the outermost */
#define UNTRACED 0xf000

static struct plan_func funcs[NR_FUNCS] = {
	[ENTRY] = { .addr = ENTRY_ADDR, .size = 0x100, .name = "entry" },
	[MIDDLE] = { .addr = MIDDLE_ADDR, .size = 0x100, .name = "middle" },
	[INNER] = { .addr = INNER_ADDR, .size = 0x100, .name = "inner" },
	[TRAMPOLINED] = { .addr = TRAMPOLINED_ADDR,
			  .size = 0x100,
			  .name = "trampolined" },
};
static const struct plan plan = { .funcs = { funcs, NR_FUNCS, NR_FUNCS } };
static enum rung rungs[NR_FUNCS] = {
	[ENTRY] = RUNG_KPROBE, [MIDDLE] = RUNG_KPROBE, [INNER] = RUNG_KPROBE,
	[TRAMPOLINED] = RUNG_FENTRY,
};
static const struct attached attached = { .rungs = rungs };

FIXTURE(session)
{
	struct assembler *assembler;
	struct session *session;
	int err; /* of the record fed last */
};

FIXTURE_SETUP(session)
{
	const struct session_rules rules = {
		.plan = &plan,
		.attached = &attached,
		.trampoline = RETURN_TRAMPOLINE,
		.trampoline_end = RETURN_TRAMPOLINE + 0x40,
	};

	self->assembler = assembler_new(&rules);
	ASSERT_NE(NULL, self->assembler);
}

FIXTURE_TEARDOWN(session)
{
	session_free(self->session);
	assembler_free(self->assembler);
}

/* Each record in memory of just its size, for the sanitizer to watch. */
static void feed(FIXTURE_DATA(session) * self, const void *data, size_t size)
{
	char *copy = malloc(size);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	session_free(self->session);
	self->session = NULL;
	self->err = assembler_feed(self->assembler, copy, size, &self->session);
	free(copy);
}

struct stack_record {
	struct event_stack event;
	uint64_t ips[EVENT_MAX_IPS];
};

struct session_record {
	struct event_session event;
	struct event_frame frames[EVENT_MAX_DEPTH];
};

static struct stack_record stack_record(uint64_t id, uint32_t frame, const uint64_t *ips, size_t nr)
{
	struct stack_record record = {
		.event = {
			.header = { EVENT_STACK, sizeof(struct event_stack) + nr * 8, id },
			.frame = frame,
			.nr_ips = nr,
		},
	};

	memcpy(record.ips, ips, nr * sizeof(*ips));
	return record;
}

static struct session_record session_record(uint64_t id, const uint32_t *called, size_t nr)
{
	struct session_record record = {
		.event = {
			.header = { EVENT_SESSION,
				    sizeof(struct event_session) + nr * sizeof(struct event_frame),
				    id },
			.start_ns = 1000,
			.end_ns = 2000,
			.tid = 12,
			.pid = 11,
			.comm = "thread",
			.proc_comm = "process",
			.flags = EVENT_SESSION_FAILED,
			.nr_frames = nr,
		},
	};

	for (size_t i = 0; i < nr; i++)
		record.frames[i] = (struct event_frame){ called[i], EVENT_FRAME_FAILED, 5, -22 };
	return record;
}

struct live_record {
	struct event_live event;
	struct event_live_frame frames[EVENT_MAX_DEPTH];
};

static struct live_record live_record(uint64_t id, const uint32_t *called, size_t nr)
{
	struct live_record record = {
		.event = {
			.header = { EVENT_LIVE,
				    sizeof(struct event_live) + nr * sizeof(struct event_live_frame),
				    id },
			.nr_frames = nr,
		},
	};

	for (size_t i = 0; i < nr; i++)
		record.frames[i].cookie = COOKIE_ENTRY | called[i];
	return record;
}

#define feed_stack(self, id, frame, ...)                                                \
	do {                                                                            \
		const uint64_t ips_[] = { __VA_ARGS__ };                                \
		struct stack_record record_ = stack_record(id, frame, ips_, ARRAY_SIZE(ips_)); \
		feed(self, &record_, record_.event.header.size);                        \
		EXPECT_EQ(0, (self)->err);                                              \
		EXPECT_EQ(NULL, (self)->session);                                       \
	} while (0)

#define feed_session(self, id, ...)                                                        \
	do {                                                                               \
		const uint32_t called_[] = { __VA_ARGS__ };                                \
		struct session_record record_ = session_record(id, called_, ARRAY_SIZE(called_)); \
		feed(self, &record_, record_.event.header.size);                           \
		EXPECT_EQ(0, (self)->err);                                                 \
		ASSERT_NE(NULL, (self)->session);                                          \
	} while (0)

#define EXPECT_IPS(self, ...)                                               \
	do {                                                                \
		const uint64_t expected_[] = { __VA_ARGS__ };               \
		ASSERT_EQ(ARRAY_SIZE(expected_), (self)->session->nr_ips);         \
		for (size_t i_ = 0; i_ < ARRAY_SIZE(expected_); i_++)              \
			EXPECT_EQ(expected_[i_], (self)->session->ips[i_]); \
	} while (0)

TEST_F(session, comes_with_the_stack_before_it)
{
	feed_stack(self, 7, EVENT_STACK_RETURN, MIDDLE_ADDR + 9, ENTRY_ADDR + 9, SYSCALL);
	feed_session(self, 7, ENTRY, MIDDLE, INNER);
	EXPECT_IPS(self, MIDDLE_ADDR + 9, ENTRY_ADDR + 9, SYSCALL);
	EXPECT_FALSE(self->session->at_entry);
	EXPECT_FALSE(self->session->no_stack);
	EXPECT_EQ(3, self->session->nr_frames);
	EXPECT_EQ(INNER, self->session->frames[2].func);
	EXPECT_EQ(1000, self->session->start_ns);
	EXPECT_EQ(2000, self->session->end_ns);
	EXPECT_EQ(12, self->session->tid);
	EXPECT_EQ(11, self->session->pid);
	EXPECT_STREQ("thread", self->session->comm);
	EXPECT_STREQ("process", self->session->proc_comm);
	EXPECT_TRUE(self->session->failed);
	EXPECT_FALSE(self->session->interim);
}

TEST_F(session, has_its_cpu_user_and_cgroup_if_the_record_has)
{
	const uint32_t called[] = { ENTRY, INNER };
	struct session_record record = session_record(7, called, 2);
	struct event_frame *frames = record.frames;

	record.event.cgroup = 0x100000077;
	record.event.uid = 1000;
	record.event.cpu = 3;
	feed(self, &record, record.event.header.size);
	ASSERT_NE(NULL, self->session);
	EXPECT_TRUE(self->session->has_origin);
	EXPECT_EQ(0x100000077, self->session->cgroup);
	EXPECT_EQ(1000, self->session->uid);
	EXPECT_EQ(3, self->session->cpu);

	/* Older recordings have frames in their place. */
	record.event.header.size -= sizeof(record.event) - EVENT_SESSION_SHORT;
	memmove((char *)&record + EVENT_SESSION_SHORT, frames, 2 * sizeof(*frames));
	feed(self, &record, record.event.header.size);
	ASSERT_NE(NULL, self->session);
	EXPECT_FALSE(self->session->has_origin);
	EXPECT_EQ(0, self->session->cgroup);
	EXPECT_EQ(2, self->session->nr_frames);
	EXPECT_EQ(INNER, self->session->frames[1].func);
	EXPECT_EQ(-22, (int)self->session->frames[1].result);

	record.event.header.size += 8;
	feed(self, &record, record.event.header.size);
	EXPECT_EQ(-EBADMSG, self->err);
}

TEST_F(session, takes_its_own_stack_from_among_others)
{
	feed_stack(self, 7, EVENT_STACK_RETURN, 0x70);
	feed_stack(self, 8, EVENT_STACK_RETURN, 0x80);
	feed_stack(self, 9, EVENT_STACK_RETURN, 0x90);
	feed_session(self, 8, ENTRY);
	EXPECT_IPS(self, 0x80);
	feed_session(self, 9, ENTRY);
	EXPECT_IPS(self, 0x90);
	feed_session(self, 7, ENTRY);
	EXPECT_IPS(self, 0x70);
}

TEST_F(session, without_a_stack_says_so)
{
	feed_session(self, 7, ENTRY);
	EXPECT_TRUE(self->session->no_stack);
	EXPECT_EQ(0, self->session->nr_ips);
}

TEST_F(session, does_not_take_the_stack_of_the_one_before)
{
	feed_stack(self, 7, EVENT_STACK_RETURN, 0x70);
	feed_session(self, 7, ENTRY);
	feed_session(self, 7, ENTRY);
	EXPECT_TRUE(self->session->no_stack);
}

TEST_F(session, a_lost_record_does_not_mix_two_stacks)
{
	/* An interim stack's closing record found no room. */
	feed_stack(self, 7, EVENT_STACK_RETURN, 0x70);
	feed_stack(self, 7, EVENT_STACK_RETURN, 0x71);
	feed_session(self, 7, ENTRY);
	EXPECT_IPS(self, 0x71);
}

TEST_F(session, a_stack_before_its_calls_are_listed_is_another_ones)
{
	const uint32_t live[] = { ENTRY };
	struct live_record record = live_record(7, live, 1);

	/* The record that would have closed the first one was lost. */
	feed_stack(self, 7, 0, ENTRY_ADDR, SYSCALL);
	feed(self, &record, record.event.header.size);
	EXPECT_EQ(0, self->err);
	feed_stack(self, 7, 3, TRAMPOLINED_ADDR, INNER_ADDR + 9, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, MIDDLE, INNER, TRAMPOLINED);
	EXPECT_IPS(self, TRAMPOLINED_ADDR, INNER_ADDR + 9);
}

TEST_F(session, has_the_span_that_its_thread_worked_on_unless_that_changed)
{
	const struct event_trace_context context = {
		{ EVENT_TRACE_CONTEXT, sizeof(context), 7 }, { { 1, 2 }, 3 }
	};
	const uint32_t called[] = { ENTRY };
	struct session_record record = session_record(7, called, 1);

	feed(self, &context, sizeof(context));
	EXPECT_EQ(0, self->err);
	feed(self, &record, record.event.header.size);
	ASSERT_NE(NULL, self->session);
	EXPECT_FALSE(self->session->no_trace);
	EXPECT_EQ(1, self->session->trace.trace[0]);
	EXPECT_EQ(2, self->session->trace.trace[1]);
	EXPECT_EQ(3, self->session->trace.span);

	/* The ids are of an earlier session, whose closing record was lost. */
	feed(self, &context, sizeof(context));
	EXPECT_EQ(0, self->err);
	record.event.flags |= EVENT_SESSION_NO_CONTEXT;
	feed(self, &record, record.event.header.size);
	ASSERT_NE(NULL, self->session);
	EXPECT_TRUE(self->session->no_trace);
	EXPECT_EQ(0, self->session->trace.trace[0]);
	EXPECT_EQ(0, self->session->trace.trace[1]);
	EXPECT_EQ(0, self->session->trace.span);
}

TEST_F(session, a_name_that_fills_its_field_ends)
{
	const uint32_t called[] = { ENTRY };
	struct session_record record = session_record(7, called, 1);

	memset(record.event.comm, 'x', EVENT_COMM_LEN);
	feed(self, &record, record.event.header.size);
	ASSERT_NE(NULL, self->session);
	EXPECT_STREQ("xxxxxxxxxxxxxxxx", self->session->comm);
}

TEST_F(session, may_stand_in_a_bigger_piece_of_memory)
{
	const uint32_t called[] = { ENTRY };
	struct session_record record = session_record(7, called, 1);

	feed(self, &record, sizeof(record));
	EXPECT_EQ(0, self->err);
	ASSERT_NE(NULL, self->session);
	EXPECT_EQ(1, self->session->nr_frames);
}

TEST_F(session, an_interim_one_has_calls_that_have_not_returned)
{
	const uint32_t live[] = { ENTRY, MIDDLE, TRAMPOLINED }, called[] = { 0, 0, INNER };
	struct session_record session = session_record(7, called, 3);
	struct live_record record = live_record(7, live, 3);

	session.event.unfinished = 2;
	session.event.flags |= EVENT_SESSION_INTERIM;
	feed(self, &session, session.event.header.size);
	EXPECT_EQ(-EBADMSG, self->err); /* nobody said which calls */

	feed(self, &record, record.event.header.size);
	EXPECT_EQ(0, self->err);
	feed_stack(self, 7, EVENT_STACK_RETURN, MIDDLE_ADDR + 9, ENTRY_ADDR + 9);
	feed(self, &session, session.event.header.size);
	ASSERT_NE(NULL, self->session);
	EXPECT_TRUE(self->session->interim);
	EXPECT_IPS(self, MIDDLE_ADDR + 9, ENTRY_ADDR + 9);
	EXPECT_EQ(ENTRY, self->session->frames[0].func);
	EXPECT_EQ(MIDDLE, self->session->frames[1].func);
	EXPECT_EQ(INNER, self->session->frames[2].func);
	EXPECT_EQ(EVENT_FRAME_UNFINISHED, self->session->frames[1].flags);
	EXPECT_EQ(EVENT_FRAME_FAILED, self->session->frames[2].flags);

	/* They were that one's. */
	feed(self, &session, session.event.header.size);
	EXPECT_EQ(-EBADMSG, self->err);
}

TEST_F(session, interim_calls_are_checked_as_others_are)
{
	const uint32_t live[] = { ENTRY, NR_FUNCS }, called[] = { 0, 0, INNER };
	struct session_record session = session_record(7, called, 3);
	struct live_record record = live_record(7, live, 2);

	session.event.unfinished = 2;
	feed(self, &record, record.event.header.size);
	feed(self, &session, session.event.header.size);
	EXPECT_EQ(-EBADMSG, self->err);
	session.event.unfinished = 3;
	feed(self, &session, session.event.header.size);
	EXPECT_EQ(-EBADMSG, self->err);
	session.event.unfinished = 4;
	feed(self, &session, session.event.header.size);
	EXPECT_EQ(-EBADMSG, self->err);

	record.event.nr_frames = 3;
	feed(self, &record, record.event.header.size);
	EXPECT_EQ(-EBADMSG, self->err);
	record.event.nr_frames = 0;
	feed(self, &record, record.event.header.size);
	EXPECT_EQ(-EBADMSG, self->err);
	record.event.nr_frames = 0x10000002;
	feed(self, &record, record.event.header.size);
	EXPECT_EQ(-EBADMSG, self->err);
}

#define EXPECT_REFUSED(self, record, change)                   \
	do {                                                   \
		__typeof__(record) bad_ = record;              \
		bad_.event.change;                             \
		feed(self, &bad_, (record).event.header.size); \
		EXPECT_EQ(-EBADMSG, (self)->err);              \
		EXPECT_EQ(NULL, (self)->session);              \
	} while (0)

TEST_F(session, refuses_records_that_make_no_sense)
{
	const uint32_t called[] = { ENTRY, INNER };
	const uint64_t ips[] = { 0x70, 0x71 };
	struct session_record session = session_record(7, called, 2);
	struct stack_record stack = stack_record(7, 1, ips, 2);

	EXPECT_REFUSED(self, session, header.kind = 0);
	EXPECT_REFUSED(self, session, header.kind = 77);
	EXPECT_REFUSED(self, session, header.size--);
	EXPECT_REFUSED(self, session, header.size++);
	EXPECT_REFUSED(self, session, header.size = 0);
	EXPECT_REFUSED(self, session, header.size = ~0u);
	EXPECT_REFUSED(self, session, nr_frames = 0);
	EXPECT_REFUSED(self, session, nr_frames = 1);
	EXPECT_REFUSED(self, session, nr_frames = 3);
	EXPECT_REFUSED(self, session, nr_frames = 0xffff);
	EXPECT_REFUSED(self, session, context = CONTEXT_NMI + 1);
	EXPECT_REFUSED(self, stack, nr_ips = 0);
	EXPECT_REFUSED(self, stack, nr_ips = 1);
	EXPECT_REFUSED(self, stack, nr_ips = 3);
	EXPECT_REFUSED(self, stack, nr_ips = 0x20000002);
	EXPECT_REFUSED(self, stack, frame = EVENT_MAX_DEPTH);
	EXPECT_REFUSED(self, stack, frame = EVENT_STACK_RETURN - 1);
	EXPECT_REFUSED(self, stack, header.size = sizeof(struct event_header));

	session.frames[1].func = NR_FUNCS;
	EXPECT_REFUSED(self, session, header.kind = EVENT_SESSION);
	session.frames[1].func = ~0u;
	EXPECT_REFUSED(self, session, header.kind = EVENT_SESSION);

	for (size_t size = 0; size < sizeof(struct event_header); size++) {
		feed(self, &session, size ?: 1);
		EXPECT_EQ(-EBADMSG, self->err);
	}
}

TEST_F(session, joins_stacks_of_entries_where_return_probes_cut_them)
{
	feed_stack(self, 7, 0, ENTRY_ADDR + 1, UNTRACED + 8, SYSCALL);
	feed_stack(self, 7, 1, MIDDLE_ADDR + 1, UNTRACED + 7, ENTRY_ADDR + 9, RETURN_TRAMPOLINE);
	feed_stack(self, 7, 2, INNER_ADDR + 1, MIDDLE_ADDR + 9, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, MIDDLE, INNER);
	EXPECT_IPS(self, INNER_ADDR + 1, MIDDLE_ADDR + 9, UNTRACED + 7, ENTRY_ADDR + 9,
		   UNTRACED + 8, SYSCALL);
	EXPECT_TRUE(self->session->at_entry);
	EXPECT_FALSE(self->session->no_stack);
	EXPECT_EQ(CALLERS_ALL_THERE, self->session->callers_missing);
}

TEST_F(session, callers_that_a_return_probe_outside_the_session_hides_are_said_to_be)
{
	feed_stack(self, 7, 0, ENTRY_ADDR + 1, UNTRACED + 8, RETURN_TRAMPOLINE);
	feed_stack(self, 7, 1, INNER_ADDR + 1, ENTRY_ADDR + 9, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, INNER);
	EXPECT_IPS(self, INNER_ADDR + 1, ENTRY_ADDR + 9, UNTRACED + 8);
	EXPECT_EQ(CALLERS_HIDDEN, self->session->callers_missing);

	feed_stack(self, 7, 0, ENTRY_ADDR + 1, UNTRACED + 8, SYSCALL);
	feed_stack(self, 7, 1, INNER_ADDR + 1, ENTRY_ADDR + 9, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, INNER);
	EXPECT_EQ(CALLERS_ALL_THERE, self->session->callers_missing);
}

TEST_F(session, a_stack_as_long_as_one_can_be_lacks_its_outer_callers)
{
	uint64_t ips[EVENT_MAX_IPS] = { INNER_ADDR + 1, ENTRY_ADDR + 9 };
	const uint32_t called[] = { ENTRY, INNER };
	struct session_record session = session_record(7, called, 2);
	static const struct {
		uint32_t frame, nr;
		enum callers_missing missing;
	} stacks[] = {
		{ 1, ENTRY_STACK_IPS, CALLERS_TOO_DEEP },
		{ 1, ENTRY_STACK_IPS - 1, CALLERS_ALL_THERE },
		{ EVENT_STACK_RETURN, EVENT_MAX_IPS, CALLERS_TOO_DEEP },
		{ EVENT_STACK_RETURN, EVENT_MAX_IPS - 1, CALLERS_ALL_THERE },
	};

	for (uint32_t i = 2; i < EVENT_MAX_IPS; i++)
		ips[i] = UNTRACED + i;
	for (uint32_t i = 0; i < ARRAY_SIZE(stacks); i++) {
		struct stack_record stack = stack_record(7, stacks[i].frame, ips, stacks[i].nr);

		feed(self, &stack, stack.event.header.size);
		feed(self, &session, session.event.header.size);
		ASSERT_NE(NULL, self->session);
		EXPECT_EQ(stacks[i].missing, self->session->callers_missing);
	}
}

TEST_F(session, a_caller_that_left_by_a_tail_call_keeps_its_place)
{
	feed_stack(self, 7, 0, ENTRY_ADDR + 1, SYSCALL);
	feed_stack(self, 7, 1, MIDDLE_ADDR + 1, ENTRY_ADDR + 9, RETURN_TRAMPOLINE);
	feed_stack(self, 7, 2, INNER_ADDR + 1, UNTRACED + 8, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, MIDDLE, INNER);
	EXPECT_IPS(self, INNER_ADDR + 1, UNTRACED + 8, MIDDLE_ADDR, ENTRY_ADDR + 9, SYSCALL);
}

TEST_F(session, a_caller_whose_last_instruction_is_the_call_is_on_the_stack)
{
	/* The call does not return: the address after it is in the next function. */
	feed_stack(self, 7, 0, ENTRY_ADDR + 1, SYSCALL);
	feed_stack(self, 7, 1, MIDDLE_ADDR + 1, ENTRY_ADDR + 9, RETURN_TRAMPOLINE);
	feed_stack(self, 7, 2, INNER_ADDR + 1, MIDDLE_ADDR + 0x100, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, MIDDLE, INNER);
	EXPECT_IPS(self, INNER_ADDR + 1, MIDDLE_ADDR + 0x100, ENTRY_ADDR + 9, SYSCALL);
}

TEST_F(session, a_stack_that_was_not_cut_is_whole)
{
	feed_stack(self, 7, 0, ENTRY_ADDR, SYSCALL);
	feed_stack(self, 7, 1, MIDDLE_ADDR, ENTRY_ADDR + 9, SYSCALL);
	feed_session(self, 7, ENTRY, MIDDLE);
	EXPECT_IPS(self, MIDDLE_ADDR, ENTRY_ADDR + 9, SYSCALL);
}

TEST_F(session, joining_goes_by_callers_with_return_probes)
{
	/* The trampolined one lets the unwinder through to its caller's return probe. */
	feed_stack(self, 7, 0, ENTRY_ADDR, SYSCALL);
	feed_stack(self, 7, 1, BPF_PROGRAM, BPF_TRAMPOLINE, TRAMPOLINED_ADDR + 5, ENTRY_ADDR + 9,
		   RETURN_TRAMPOLINE);
	feed_stack(self, 7, 2, INNER_ADDR, TRAMPOLINED_ADDR + 0x20, BPF_TRAMPOLINE,
		   TRAMPOLINED_ADDR + 5, ENTRY_ADDR + 9, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, TRAMPOLINED, INNER);
	EXPECT_IPS(self, INNER_ADDR, TRAMPOLINED_ADDR + 0x20, BPF_TRAMPOLINE, TRAMPOLINED_ADDR + 5,
		   ENTRY_ADDR + 9, SYSCALL);
}

TEST_F(session, tracing_in_front_of_the_innermost_function_is_skipped)
{
	feed_stack(self, 7, 0, ENTRY_ADDR, SYSCALL);
	feed_stack(self, 7, 1, BPF_PROGRAM, BPF_TRAMPOLINE, TRAMPOLINED_ADDR + 5, ENTRY_ADDR + 9,
		   RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, TRAMPOLINED);
	EXPECT_IPS(self, TRAMPOLINED_ADDR + 5, ENTRY_ADDR + 9, SYSCALL);
}

TEST_F(session, joins_recursion)
{
	feed_stack(self, 7, 0, ENTRY_ADDR, SYSCALL);
	feed_stack(self, 7, 1, MIDDLE_ADDR, ENTRY_ADDR + 9, RETURN_TRAMPOLINE);
	feed_stack(self, 7, 2, MIDDLE_ADDR, MIDDLE_ADDR + 9, RETURN_TRAMPOLINE);
	feed_stack(self, 7, 3, MIDDLE_ADDR, MIDDLE_ADDR + 9, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, MIDDLE, MIDDLE, MIDDLE);
	EXPECT_IPS(self, MIDDLE_ADDR, MIDDLE_ADDR + 9, MIDDLE_ADDR + 9, ENTRY_ADDR + 9, SYSCALL);
}

TEST_F(session, the_function_itself_is_there_twice_or_once)
{
	/* Put in front of a stack that had it, and of one that had not. */
	feed_stack(self, 7, 0, ENTRY_ADDR + 5, ENTRY_ADDR + 5, SYSCALL);
	feed_stack(self, 7, 1, MIDDLE_ADDR + 5, ENTRY_ADDR + 9, RETURN_TRAMPOLINE);
	feed_stack(self, 7, 2, INNER_ADDR + 5, INNER_ADDR + 5, MIDDLE_ADDR + 9, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, MIDDLE, INNER);
	EXPECT_IPS(self, INNER_ADDR + 5, MIDDLE_ADDR + 9, ENTRY_ADDR + 9, SYSCALL);
}

TEST_F(session, a_missing_stack_leaves_a_gap_and_no_lie)
{
	feed_stack(self, 7, 0, ENTRY_ADDR, SYSCALL);
	feed_stack(self, 7, 2, INNER_ADDR, MIDDLE_ADDR + 9, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, MIDDLE, INNER);
	EXPECT_IPS(self, INNER_ADDR, MIDDLE_ADDR + 9, SYSCALL);
}

TEST_F(session, a_stack_that_could_not_be_taken_is_as_good_as_none)
{
	const uint64_t none[1] = {};
	struct stack_record record = stack_record(7, EVENT_STACK_RETURN, none, 0);

	feed(self, &record, record.event.header.size);
	EXPECT_EQ(0, self->err);
	feed_session(self, 7, ENTRY);
	EXPECT_TRUE(self->session->no_stack);

	record = stack_record(7, 0, none, 0);
	feed(self, &record, record.event.header.size);
	EXPECT_EQ(0, self->err);
	feed_stack(self, 7, 1, MIDDLE_ADDR, ENTRY_ADDR + 9, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, MIDDLE);
	EXPECT_IPS(self, MIDDLE_ADDR, ENTRY_ADDR + 9);
}

TEST_F(session, another_calls_stack_at_that_depth_is_not_taken)
{
	feed_stack(self, 7, 0, ENTRY_ADDR, SYSCALL);
	feed_stack(self, 7, 1, INNER_ADDR, ENTRY_ADDR + 0x77, RETURN_TRAMPOLINE);
	feed_session(self, 7, ENTRY, MIDDLE);
	EXPECT_IPS(self, ENTRY_ADDR, SYSCALL);
}

/* A session of three calls, the outermost of which made another one after the failure inside. */
static void feed_stitched(struct __test_metadata *_metadata, FIXTURE_DATA(session) * self, uint32_t flags)
{
	const uint32_t called[] = { ENTRY, MIDDLE, INNER };
	struct session_record record = session_record(7, called, 3);

	feed_stack(self, 7, 0, ENTRY_ADDR, SYSCALL);
	feed_stack(self, 7, 1, MIDDLE_ADDR, ENTRY_ADDR + 0x77, RETURN_TRAMPOLINE);
	feed_stack(self, 7, 2, INNER_ADDR, MIDDLE_ADDR + 0x66, RETURN_TRAMPOLINE);
	record.event.stitched = 1;
	record.event.flags |= flags;
	feed(self, &record, record.event.header.size);
}

TEST_F(session, stitched_frames_have_the_stacks_that_were_kept_for_them_alone)
{
	/* What is kept at these depths is of a later call of the same functions. */
	feed_stitched(_metadata, self, 0);
	ASSERT_NE(NULL, self->session);
	EXPECT_FALSE(self->session->frames[0].flags & EVENT_FRAME_STITCHED);
	EXPECT_TRUE(self->session->frames[1].flags & EVENT_FRAME_STITCHED);
	EXPECT_TRUE(self->session->frames[2].flags & EVENT_FRAME_STITCHED);
	EXPECT_IPS(self, ENTRY_ADDR, SYSCALL);
	EXPECT_TRUE(self->session->at_entry);

	feed_stitched(_metadata, self, EVENT_SESSION_OWN_STACKS);
	ASSERT_NE(NULL, self->session);
	EXPECT_TRUE(self->session->frames[2].flags & EVENT_FRAME_STITCHED);
	EXPECT_IPS(self, INNER_ADDR, MIDDLE_ADDR + 0x66, ENTRY_ADDR + 0x77, SYSCALL);
	EXPECT_TRUE(self->session->at_entry);
}

TEST_F(session, stacks_that_wait_in_vain_make_room)
{
	for (uint64_t id = 1; id <= 9000; id++)
		feed_stack(self, id, EVENT_STACK_RETURN, id);
	EXPECT_EQ(9000 - 8192, assembler_orphans(self->assembler));
	feed_session(self, 9000 - 8192, ENTRY);
	EXPECT_TRUE(self->session->no_stack);
	feed_session(self, 9000 - 8192 + 1, ENTRY);
	EXPECT_IPS(self, 9000 - 8192 + 1);
	feed_session(self, 9000, ENTRY);
	EXPECT_IPS(self, 9000);
}

/* A trace's records, for tests to feed in what order they like. */
static struct traced trace_of(uint64_t id, const char *text)
{
	struct traced traced = { .session = id };

	traced_write(&traced, text);
	return traced;
}

static void feed_part(FIXTURE_DATA(session) * self, const struct traced *traced, size_t index)
{
	feed(self, traced->records.data[index].event, traced->records.data[index].size);
}

/* The record that closes the session, or an interim one. */
static struct session_record end_of(const struct traced *traced)
{
	const uint32_t called[] = { ENTRY };
	struct session_record record = session_record(traced->session, called, 1);

	record.event.parts = traced->records.len;
	record.event.calls = traced->calls;
	return record;
}

#define feed_end(self, traced)                               \
	do {                                                 \
		struct session_record end_ = end_of(traced); \
		feed(self, &end_, end_.event.header.size);   \
		EXPECT_EQ(0, (self)->err);                   \
		ASSERT_NE(NULL, (self)->session);            \
	} while (0)

#define feed_parts(self, traced, ...)                         \
	do {                                                  \
		const size_t parts_[] = { __VA_ARGS__ };      \
		for (size_t i_ = 0; i_ < ARRAY_SIZE(parts_); i_++) { \
			feed_part(self, traced, parts_[i_]);  \
			EXPECT_EQ(0, (self)->err);            \
			EXPECT_EQ(NULL, (self)->session);     \
		}                                             \
	} while (0)

#define EXPECT_TRACE(self, traced, ...)                                       \
	do {                                                                  \
		struct strbuf text_ = STRBUF_INIT;                            \
		traced_show(&text_, &(traced)->names, (self)->session->calls, \
			    (self)->session->nr_calls);                       \
		EXPECT_STREQ("" __VA_ARGS__, strbuf_str(&text_));             \
		strbuf_release(&text_);                                       \
	} while (0)

#define IN_THREE_PARTS "sys( a( | b=5 | )=7 )=-22"
#define ALL_THREE              \
	"> sys\n"              \
	"    > a\n"            \
	"        - b=5 10ns\n" \
	"    < a=7 30ns\n"     \
	"< sys=-22 50ns\n"

TEST_F(session, comes_with_the_trace_before_it)
{
	struct traced traced = trace_of(7, IN_THREE_PARTS);

	feed_parts(self, &traced, 0, 1, 2);
	feed_stack(self, 7, EVENT_STACK_RETURN, 0x70);
	feed_end(self, &traced);
	EXPECT_TRACE(self, &traced, ALL_THREE);
	EXPECT_IPS(self, 0x70);
	/* It was that one's. */
	feed_session(self, 7, ENTRY);
	EXPECT_EQ(0, self->session->nr_calls);
	traced_release(&traced);
}

TEST_F(session, takes_its_own_trace_from_among_others)
{
	struct traced one = trace_of(7, IN_THREE_PARTS), other = trace_of(8, "sys( | a( | )=1 )=2");

	feed_parts(self, &one, 0);
	feed_parts(self, &other, 0, 1);
	feed_parts(self, &one, 1);
	feed_parts(self, &other, 2);
	feed_end(self, &other);
	EXPECT_TRACE(self, &other,
		     "> sys\n"
		     "    - a=1 10ns\n"
		     "< sys=2 30ns\n");
	feed_parts(self, &one, 2);
	feed_end(self, &one);
	EXPECT_TRACE(self, &one, ALL_THREE);
	traced_release(&one);
	traced_release(&other);
}

TEST_F(session, parts_of_a_trace_may_come_in_any_order_and_more_than_once)
{
	struct traced traced = trace_of(7, IN_THREE_PARTS);

	feed_parts(self, &traced, 2, 0, 1);
	feed_end(self, &traced);
	EXPECT_TRACE(self, &traced, ALL_THREE);
	feed_parts(self, &traced, 0, 0, 1, 2, 2, 2);
	feed_end(self, &traced);
	EXPECT_TRACE(self, &traced, ALL_THREE);
	feed_parts(self, &traced, 2, 1, 2, 0, 1, 0, 0);
	feed_end(self, &traced);
	EXPECT_TRACE(self, &traced, ALL_THREE);
	traced_release(&traced);
}

TEST_F(session, parts_of_a_trace_that_did_not_come_are_missed)
{
	struct traced traced = trace_of(7, IN_THREE_PARTS);

	feed_parts(self, &traced, 2, 0);
	feed_end(self, &traced);
	EXPECT_TRACE(self, &traced,
		     "> sys\n"
		     "    > a\n"
		     "        ! 1 lost\n"
		     "    < a=7\n"
		     "< sys=-22 50ns\n");
	/* The one that is late is nobody's. */
	feed_parts(self, &traced, 1);
	feed_session(self, 8, ENTRY);
	EXPECT_EQ(0, self->session->nr_calls);
	traced_release(&traced);
}

TEST_F(session, without_a_trace_has_no_calls)
{
	feed_session(self, 7, ENTRY);
	EXPECT_EQ(NULL, self->session->calls);
	EXPECT_EQ(0, self->session->nr_calls);
}

TEST_F(session, an_interim_one_leaves_the_trace_to_the_one_that_ends)
{
	const uint32_t live[] = { ENTRY, MIDDLE };
	struct traced traced = trace_of(7, IN_THREE_PARTS);
	struct live_record calls = live_record(7, live, 2);
	struct session_record interim = end_of(&traced);

	interim.event.flags |= EVENT_SESSION_INTERIM;
	interim.event.parts = interim.event.calls = 1;
	feed_parts(self, &traced, 0);
	feed_stack(self, 7, EVENT_STACK_RETURN, 0x70);
	feed(self, &interim, interim.event.header.size);
	ASSERT_NE(NULL, self->session);
	EXPECT_IPS(self, 0x70);
	EXPECT_EQ(0, self->session->nr_calls);

	feed_parts(self, &traced, 1);
	feed(self, &calls, calls.event.header.size);
	/* Its closing record is lost; the trace is not. */
	feed_stack(self, 7, EVENT_STACK_RETURN, 0x71);
	feed_parts(self, &traced, 2);
	feed_stack(self, 7, EVENT_STACK_RETURN, 0x72);
	feed_end(self, &traced);
	EXPECT_TRACE(self, &traced, ALL_THREE);
	EXPECT_IPS(self, 0x72);
	traced_release(&traced);
}

TEST_F(session, an_interim_one_takes_its_stack_and_its_calls_along)
{
	const uint32_t live[] = { ENTRY, MIDDLE };
	struct traced traced = trace_of(7, IN_THREE_PARTS);
	struct live_record calls = live_record(7, live, 2);
	struct session_record interim = end_of(&traced);

	interim.event.flags |= EVENT_SESSION_INTERIM;
	interim.event.unfinished = 1;
	feed_parts(self, &traced, 0, 1, 2);
	feed(self, &calls, calls.event.header.size);
	feed_stack(self, 7, EVENT_STACK_RETURN, 0x70);
	feed(self, &interim, interim.event.header.size);
	ASSERT_NE(NULL, self->session);
	feed(self, &interim, interim.event.header.size);
	EXPECT_EQ(-EBADMSG, self->err);
	feed_end(self, &traced);
	EXPECT_TRUE(self->session->no_stack);
	EXPECT_TRACE(self, &traced, ALL_THREE);
	traced_release(&traced);
}

TEST_F(session, one_that_did_not_pass_is_forgotten)
{
	struct traced traced = trace_of(7, IN_THREE_PARTS), other = trace_of(8, "sys( )=1");
	struct event_header drop = { EVENT_DROP, sizeof(drop), 7 };
	_Alignas(8) char longer[sizeof(drop) + 8];

	feed_parts(self, &other, 0);
	feed_parts(self, &traced, 0, 1);
	feed_stack(self, 7, EVENT_STACK_RETURN, 0x70);
	feed(self, &drop, sizeof(drop));
	EXPECT_EQ(0, self->err);
	EXPECT_EQ(NULL, self->session);
	feed_session(self, 7, ENTRY);
	EXPECT_TRUE(self->session->no_stack);
	EXPECT_EQ(0, self->session->nr_calls);
	feed_end(self, &other);
	EXPECT_TRACE(self, &other, "- sys=1 10ns\n");

	feed(self, &drop, sizeof(drop));
	EXPECT_EQ(0, self->err);
	memcpy(longer, &drop, sizeof(drop));
	((struct event_header *)longer)->size++;
	feed(self, longer, sizeof(longer));
	EXPECT_EQ(-EBADMSG, self->err);
	EXPECT_EQ(0, assembler_orphans(self->assembler));
	traced_release(&traced);
	traced_release(&other);
}

TEST_F(session, refuses_parts_of_traces_that_make_no_sense)
{
	struct traced traced = trace_of(7, "sys( a=1 )=0"),
		      unknown = trace_of(7, "a=1 b=1 c=1 d=1 e=1");
	struct {
		struct event_calls event;
		struct event_call edges[4];
	} record;

	ASSERT_EQ(sizeof(record), traced.records.data[0].size);
	memcpy(&record, traced.records.data[0].event, sizeof(record));
	feed_part(self, &unknown, 0);
	EXPECT_EQ(-EBADMSG, self->err);
	EXPECT_REFUSED(self, record, header.size--);
	EXPECT_REFUSED(self, record, header.size++);
	EXPECT_REFUSED(self, record, header.size = sizeof(struct event_calls));
	EXPECT_REFUSED(self, record, header.size = sizeof(struct event_header));
	EXPECT_REFUSED(self, record, depth = EVENT_MAX_DEPTH);
	EXPECT_REFUSED(self, record, depth = ~0u);
	/* Of all that nothing was kept. */
	feed_session(self, 7, ENTRY);
	EXPECT_EQ(0, self->session->nr_calls);
	traced_release(&traced);
	traced_release(&unknown);
}

/* One part of a trace: the entry call and many inside it. */
#define BIG_PART 65536

/* @kinds: of the edges, four in turn. */
static void feed_big_part_of(FIXTURE_DATA(session) * self, uint64_t id, uint32_t seq,
			     const enum call_kind *kinds)
{
	struct {
		struct event_calls event;
		struct event_call edges[BIG_PART];
	} *part = calloc(1, sizeof(*part));

	if (!part)
		abort();
	part->event = (struct event_calls){
		.header = { EVENT_CALLS, sizeof(*part), id },
		.seq = seq,
		.calls_before = seq * BIG_PART / 2,
		.depth = 1,
	};
	for (uint32_t i = 0; i < BIG_PART; i++)
		part->edges[i].what = kinds[i % 4];
	feed(self, part, sizeof(*part));
	free(part);
}

static void feed_big_part(FIXTURE_DATA(session) * self, uint64_t id, uint32_t seq)
{
	static const enum call_kind calls[] = { CALL_ENTER, CALL_RETURN, CALL_ENTER, CALL_RETURN };

	feed_big_part_of(self, id, seq, calls);
}

TEST_F(session, a_trace_that_never_ends_is_cut_and_pushes_out_no_other)
{
	struct traced other = trace_of(8, IN_THREE_PARTS);
	const uint32_t called[] = { ENTRY };
	struct session_record end = session_record(7, called, 1);
	const struct traced_call *last;
	uint64_t kept;

	feed_parts(self, &other, 0, 1, 2);
	for (uint32_t i = 0; i < 100; i++) {
		feed_big_part(self, 7, i);
		EXPECT_EQ(0, self->err);
	}
	end.event.parts = 100;
	end.event.calls = 100 * BIG_PART / 2;
	feed(self, &end, end.event.header.size);
	ASSERT_NE(NULL, self->session);
	/* 31 of them take less than 32 MiB, all but the first of nothing but leaves. */
	kept = 31ull * BIG_PART / 2;
	ASSERT_EQ(kept + 2, self->session->nr_calls);
	EXPECT_EQ(TRACED_LOST, self->session->calls[0].kind);
	EXPECT_EQ(0, self->session->calls[0].count);
	EXPECT_EQ(TRACED_LEAF, self->session->calls[kept].kind);
	last = &self->session->calls[kept + 1];
	EXPECT_EQ(TRACED_LOST, last->kind);
	EXPECT_EQ(69 * BIG_PART / 2, last->count);
	EXPECT_EQ(69 * BIG_PART / 2, assembler_calls_let_go(self->assembler));

	feed_end(self, &other);
	EXPECT_TRACE(self, &other, ALL_THREE);
	EXPECT_EQ(0, assembler_orphans(self->assembler));
	traced_release(&other);
}

TEST_F(session, only_calls_are_counted_as_let_go)
{
	static const enum call_kind mixed[] = { CALL_CLOCK, CALL_ENTER, CALL_RETURN, CALL_DEEP };

	for (uint32_t i = 0; i < 31; i++)
		feed_big_part(self, 7, i);
	feed_big_part_of(self, 7, 31, mixed);
	EXPECT_EQ(0, self->err);
	feed_session(self, 7, ENTRY);
	EXPECT_EQ(BIG_PART / 4, assembler_calls_let_go(self->assembler));
}

TEST_F(session, calls_let_go_of_one_that_does_not_pass_are_no_loss)
{
	struct event_header drop = { EVENT_DROP, sizeof(drop), 7 };

	for (uint32_t i = 0; i < 40; i++)
		feed_big_part(self, 7, i);
	feed(self, &drop, sizeof(drop));
	EXPECT_EQ(0, assembler_calls_let_go(self->assembler));
}

TEST_F(session, when_all_memory_is_taken_those_that_say_nothing_go)
{
	struct traced quiet = trace_of(1, IN_THREE_PARTS), busy = trace_of(2, IN_THREE_PARTS);

	feed_parts(self, &quiet, 0);
	feed_parts(self, &busy, 0);
	for (uint32_t i = 0; i < 60; i++)
		feed_big_part(self, 10 + i / 20, i % 20);
	EXPECT_EQ(0, assembler_orphans(self->assembler));
	feed_parts(self, &busy, 1);
	for (uint32_t i = 0; i < 20; i++)
		feed_big_part(self, 13, i);
	/* The quiet one, and the oldest of the big ones. */
	EXPECT_EQ(2, assembler_orphans(self->assembler));
	feed_parts(self, &busy, 2);
	feed_end(self, &busy);
	EXPECT_TRACE(self, &busy, ALL_THREE);
	/* It was under way after all. */
	feed_parts(self, &quiet, 1, 2);
	feed_end(self, &quiet);
	EXPECT_TRACE(self, &quiet,
		     "! 2 lost\n"
		     "        - b=5 10ns\n"
		     "    < a=7\n"
		     "< sys=-22\n");
	traced_release(&quiet);
	traced_release(&busy);
}

TEST_F(session, traces_that_wait_in_vain_make_room)
{
	struct traced traced = trace_of(0, "sys( )=1");

	for (uint64_t id = 1; id <= 9000; id++) {
		traced.records.data[0].event->header.session = id;
		feed_part(self, &traced, 0);
		ASSERT_EQ(0, self->err);
	}
	EXPECT_EQ(9000 - 8192, assembler_orphans(self->assembler));
	traced.session = 9000 - 8192 + 1;
	feed_end(self, &traced);
	EXPECT_TRACE(self, &traced, "- sys=1 10ns\n");
	traced.session = 9000 - 8192;
	feed_end(self, &traced);
	EXPECT_TRACE(self, &traced, "! 1 lost\n");
	traced_release(&traced);
}

/* xorshift: the same records on every machine. */
static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) % below;
}

/* Sound records of few sessions, most of them spoiled in a place or two, cut or lengthened. */
TEST_F(session, survives_whatever_it_is_fed)
{
	static const uint64_t odd[] = { 0,	    1,
					0xff,	    0x7f,
					0x100,	    0xffff,
					0x7fffffff, 0xffffffff,
					~0ull,	    RETURN_TRAMPOLINE,
					ENTRY_ADDR, MIDDLE_ADDR + 1 };
	union {
		struct stack_record stack;
		struct session_record session;
		struct live_record live;
		struct {
			struct event_calls event;
			struct event_call edges[8];
		} calls;
		struct event_header header;
		unsigned char bytes[sizeof(struct session_record)];
	} record;
	uint64_t state = 0x9e3779b97f4a7c15ull;
	unsigned int complete = 0, refused = 0, traces = 0;

	for (unsigned int i = 0; i < 150000; i++) {
		uint64_t ips[EVENT_MAX_IPS], id = draw(&state, 12);
		uint32_t called[20];
		size_t nr, size;

		memset(&record, 0, sizeof(record));
		if (!draw(&state, 3)) {
			nr = 1 + draw(&state, ARRAY_SIZE(record.calls.edges));
			record.calls.event = (struct event_calls){
				.header = { EVENT_CALLS, sizeof(record.calls.event) + nr * 16, id },
				.seq = draw(&state, 6),
				.calls_before = draw(&state, 20),
				.depth = draw(&state, 8),
			};
			for (size_t e = 0; e < nr; e++)
				record.calls.edges[e] =
					(struct event_call){ draw(&state, NR_FUNCS),
							     8 + draw(&state, 6), 1 };
			if (!draw(&state, 10))
				record.header = (struct event_header){ EVENT_DROP,
								       sizeof(record.header), id };
		} else if (draw(&state, 3)) {
			nr = 1 + draw(&state, 12);
			for (size_t ip = 0; ip < nr; ip++)
				ips[ip] = odd[9 + draw(&state, 3)] + draw(&state, 2);
			record.stack = stack_record(
				id, draw(&state, 5) ? draw(&state, 20) : EVENT_STACK_RETURN, ips,
				nr);
		} else {
			nr = 1 + draw(&state, ARRAY_SIZE(called));
			for (size_t f = 0; f < nr; f++)
				called[f] = draw(&state, NR_FUNCS);
			if (draw(&state, 3)) {
				record.session = session_record(id, called, nr);
				record.session.event.parts = draw(&state, 6);
				record.session.event.calls = draw(&state, 20);
				record.session.event.stitched = draw(&state, nr + 2);
				record.session.event.unfinished =
					draw(&state, 2) ? draw(&state, nr + 2) : 0;
			} else {
				record.live = live_record(id, called, nr);
			}
		}
		size = record.header.size;
		for (uint64_t spoil = draw(&state, 3); spoil--;) {
			uint64_t value = odd[draw(&state, ARRAY_SIZE(odd))];
			size_t width = 1u << draw(&state, 4);

			memcpy(record.bytes + draw(&state, size - width), &value, width);
		}
		if (!draw(&state, 8))
			size = 1 + draw(&state, size + 16);
		feed(self, &record, size);
		refused += self->err == -EBADMSG;
		if (!self->session)
			continue;
		complete++;
		ASSERT_EQ(0, self->err);
		ASSERT_GT(self->session->nr_frames, 0);
		ASSERT_LE(self->session->nr_frames, EVENT_MAX_DEPTH);
		ASSERT_EQ(self->session->no_stack, !self->session->nr_ips);
		for (uint32_t f = 0; f < self->session->nr_frames; f++)
			ASSERT_LT(self->session->frames[f].func, NR_FUNCS);
		ASSERT_LT(strlen(self->session->comm), sizeof(self->session->comm));
		for (uint32_t c = 0; c < self->session->nr_calls; c++) {
			ASSERT_LT(self->session->calls[c].func, NR_FUNCS);
			ASSERT_LE(self->session->calls[c].depth, EVENT_MAX_DEPTH);
		}
		traces += self->session->nr_calls > 4;
	}
	EXPECT_GT(complete, 5000);
	EXPECT_GT(refused, 5000);
	EXPECT_GT(traces, 2000);
}

TEST_HARNESS_MAIN
