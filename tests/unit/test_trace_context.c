// SPDX-License-Identifier: BSD-2-Clause
/*
 * The span that a thread works on (--trace-context): when it is read, what is refused, and how it comes to
 * the session.
 */
#include "unit.h"

#include "tests/unit/engine_model.h"
#include "util/trace/session/assembler.h"

#define ENTRY (&funcs[0])

#define CONTEXTS ((const void *)&traces_ctx_v1)

FIXTURE(spans)
{
	uint64_t key;	/* the thread's, in the map */
	struct shown_session *session;
};

/* Changes what is in the map before it is asked that many times more. */
static struct {
	int in;
	struct trace_ids to;
	bool deleted;
} change;

static void before_lookup(const void *map)
{
	uint64_t key = bpf_get_current_pid_tgid();

	if (map != CONTEXTS || !change.in || --change.in)
		return;
	if (change.deleted)
		bpf_map_delete_elem(CONTEXTS, &key);
	else
		bpf_map_update_elem(CONTEXTS, &key, &change.to, BPF_ANY);
}

FIXTURE_SETUP(spans)
{
	begin_round(8, 64);
	config.trace = 0;
	config.trace_context = 1;
	memset(&change, 0, sizeof(change));
	fake_add(CONTEXTS, FAKE_HASH, sizeof(uint64_t), sizeof(struct trace_ids), 4);
	fake.before_lookup = before_lookup;
	self->key = bpf_get_current_pid_tgid();
	self->session = NULL;
	look_from(0);
}

FIXTURE_TEARDOWN(spans)
{
	session_free(self->session);
	end_round();
}

static void publish(uint64_t key, uint64_t trace, uint64_t span)
{
	const struct trace_ids ids = { { trace, ~trace }, span };

	bpf_map_update_elem(CONTEXTS, &key, &ids, BPF_ANY);
}

static void call(void)
{
	enter(&walkers[0], ENTRY, SEEN, true, false, 16);
}

/* The session that ends with the call. */
static void call_fails(FIXTURE_DATA(spans) * self)
{
	session_free(self->session);
	self->session = NULL;
	leave(&walkers[0], -EINVAL);
	vec_foreach(record, &fake.records) {
		if (assembler_feed(round_of.assembler, record->data, record->size, &self->session))
			abort();
		free(record->data);
	}
	fake.records.len = 0;
	if (!self->session)
		abort();
}

#define EXPECT_SPAN(trace_id, span_id)                                 \
	do {                                                           \
		EXPECT_EQ(trace_id, self->session->trace.trace[0]);    \
		EXPECT_EQ(~(trace_id), self->session->trace.trace[1]); \
		EXPECT_EQ(span_id, self->session->trace.span);         \
		EXPECT_FALSE(self->session->no_trace);                 \
	} while (0)

#define EXPECT_NO_SPAN(torn)                                      \
	do {                                                      \
		EXPECT_FALSE(session_has_trace(self->session));   \
		EXPECT_EQ(torn, self->session->no_trace);         \
	} while (0)

TEST_F(spans, a_call_has_the_span_of_its_thread)
{
	publish(self->key, 0x11ull, 0x22ull);
	publish(self->key + 1, 0x33ull, 0x44ull);
	call();
	call_fails(self);
	EXPECT_SPAN(0x11ull, 0x22ull);
}

TEST_F(spans, a_thread_without_one_has_none)
{
	publish(self->key + 1, 0x33ull, 0x44ull);
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
}

TEST_F(spans, ids_of_nothing_are_none)
{
	static const struct trace_ids no_trace = { { 0, 0 }, 5 }, no_span = { { 5, 5 }, 0 };

	bpf_map_update_elem(CONTEXTS, &self->key, &no_trace, BPF_ANY);
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
	bpf_map_update_elem(CONTEXTS, &self->key, &no_span, BPF_ANY);
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
}

TEST_F(spans, a_call_that_ends_the_span_still_has_it)
{
	publish(self->key, 0x11ull, 0x22ull);
	call();
	bpf_map_delete_elem(CONTEXTS, &self->key);
	call_fails(self);
	EXPECT_SPAN(0x11ull, 0x22ull);
}

TEST_F(spans, a_call_that_begins_the_span_has_it)
{
	call();
	publish(self->key, 0x11ull, 0x22ull);
	call_fails(self);
	EXPECT_SPAN(0x11ull, 0x22ull);
}

TEST_F(spans, a_slot_keeps_none_for_the_next_session)
{
	publish(self->key, 0x11ull, 0x22ull);
	call();
	call_fails(self);
	bpf_map_delete_elem(CONTEXTS, &self->key);
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
}

/* The lookups are two when the session opens, and two at its end if the first two were in vain. */
TEST_F(spans, ids_that_change_meanwhile_are_read_again_at_the_end)
{
	publish(self->key, 0x11ull, 0x22ull);
	change = (typeof(change)){ .in = 2, .to = { { 0x55, ~0x55ull }, 0x66 } };
	call();
	call_fails(self);
	EXPECT_SPAN(0x55ull, 0x66ull);
}

TEST_F(spans, ids_of_which_only_one_changed_are_refused_too)
{
	publish(self->key, 0x11ull, 0x22ull);
	change = (typeof(change)){ .in = 2, .to = { { 0x11, ~0x11ull }, 0x66 } };
	call();
	/* Again at the end. */
	change.in = 2;
	change.to.span = 0x77;
	call_fails(self);
	EXPECT_NO_SPAN(true);
}

TEST_F(spans, an_element_that_is_gone_meanwhile_is_refused)
{
	publish(self->key, 0x11ull, 0x22ull);
	call();
	call_fails(self);
	EXPECT_SPAN(0x11ull, 0x22ull);

	bpf_map_delete_elem(CONTEXTS, &self->key);
	call();
	publish(self->key, 0x11ull, 0x22ull);
	change = (typeof(change)){ .in = 2, .deleted = true };
	call_fails(self);
	EXPECT_NO_SPAN(true);
}

TEST_F(spans, what_finds_no_room_is_said_to_be_lost)
{
	publish(self->key, 0x11ull, 0x22ull);
	call();
	fake.refuse_kind = EVENT_TRACE_CONTEXT;
	call_fails(self);
	EXPECT_NO_SPAN(true);
}

TEST_F(spans, an_interrupt_has_none)
{
	publish(self->key, 0x11ull, 0x22ull);
	cpus[0] = (struct cpu){ { &walkers[0], &walkers[NR_TASKS] }, 2 };
	look_from(0);
	enter(&walkers[NR_TASKS], ENTRY, SEEN, true, false, 16);
	leave(&walkers[NR_TASKS], -EINVAL);
	ASSERT_EQ(1, fake.records.len);
	EXPECT_EQ(EVENT_SESSION, ((struct event_header *)fake.records.data[0].data)->kind);
}

TEST_F(spans, without_the_option_nothing_is_read)
{
	publish(self->key, 0x11ull, 0x22ull);
	config.trace_context = 0;
	change.in = 1;
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
	EXPECT_EQ(1, change.in);
}

/* ---- in user space ---- */

static int feed(FIXTURE_DATA(spans) * self, struct event_trace_context event, size_t size)
{
	struct event_trace_context *copy = malloc(size);
	int err;

	if (!copy)
		abort();
	event.header.kind = EVENT_TRACE_CONTEXT;
	event.header.size = size;
	memcpy(copy, &event, size);
	err = assembler_feed(round_of.assembler, copy, size, &self->session);
	free(copy);
	return err;
}

TEST_F(spans, records_that_make_no_sense_are_refused)
{
	const struct event_trace_context whole = { .ids = { { 1, 0 }, 1 } };
	struct event_trace_context bad = whole;

	EXPECT_EQ(0, feed(self, whole, sizeof(whole)));
	EXPECT_EQ(-EBADMSG, feed(self, whole, sizeof(whole) - 8));
	bad.ids.span = 0;
	EXPECT_EQ(-EBADMSG, feed(self, bad, sizeof(bad)));
	bad = whole;
	bad.ids.trace[0] = 0;
	EXPECT_EQ(-EBADMSG, feed(self, bad, sizeof(bad)));
}

TEST_HARNESS_MAIN
