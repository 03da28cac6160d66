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
#define PLACES ((const void *)&thread_contexts)

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
	config.trace_context = TRACE_CONTEXT_MAP;
	memset(&change, 0, sizeof(change));
	fake_add(CONTEXTS, FAKE_HASH, sizeof(uint64_t), sizeof(struct trace_ids), 4);
	fake_add(PLACES, FAKE_HASH, sizeof(uint32_t), sizeof(struct thread_context_place), 4);
	fake_add(&thread_context_asks, FAKE_ARRAY, 4, 1, 0);
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

/* ---- from the threads' own memory ---- */

/* What the thread has in its memory; everything else cannot be read. */
static struct memory {
	uint64_t variable;	/* 0x18 below the thread pointer */
	uint64_t unused, more;
	uint64_t pointer[2];	/* the thread pointer points here: glibc's DTV is in the second word */
	struct {
		struct trace_ids ids;
		uint8_t valid;
	} __attribute__((packed)) record, other;
	uint64_t dtv[2 + 2 * 4];	/* the number of entries is in the first */
	uint64_t block[4];
} memory;

static int read_memory_of_thread(void *to, uint32_t size, uint64_t from)
{
	uint64_t at = from - (uintptr_t)&memory;

	if (at < sizeof(memory) && size <= sizeof(memory) - at) {
		memcpy(to, (void *)from, size);
		return 0;
	}
	return size == sizeof(uint64_t) ? read_stack(to, from) : -EFAULT;
}

static uint32_t this_pid(void)
{
	return bpf_get_current_pid_tgid() >> 32;
}

static struct thread_context_place *place_of(uint32_t pid)
{
	return bpf_map_lookup_elem(PLACES, &pid);
}

static void know(uint32_t kind, int64_t offset, uint64_t module)
{
	const struct thread_context_place place = { .kind = kind, .offset = offset, .module = module };
	uint32_t pid = this_pid();

	bpf_map_update_elem(PLACES, &pid, &place, BPF_ANY);
}

static void use_threads(void)
{
	config.trace_context = TRACE_CONTEXT_THREADS;
	memset(&memory, 0, sizeof(memory));
	memory.record.ids = (struct trace_ids){ { 0x11, ~0x11ull }, 0x22 };
	memory.record.valid = 1;
	memory.variable = (uintptr_t)&memory.record;
	fake.read_any = read_memory_of_thread;
	fake.task->thread.fsbase = (uintptr_t)memory.pointer;
}

#define STATIC_AT (-(int64_t)offsetof(struct memory, pointer))

TEST_F(spans, a_thread_publishes_its_own)
{
	use_threads();
	know(THREAD_CONTEXT_STATIC, STATIC_AT, 0);
	call();
	call_fails(self);
	EXPECT_SPAN(0x11ull, 0x22ull);
}

TEST_F(spans, a_null_pointer_and_an_invalid_record_are_none)
{
	use_threads();
	know(THREAD_CONTEXT_STATIC, STATIC_AT, 0);
	memory.variable = 0;
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
	memory.variable = (uintptr_t)&memory.record;
	for (unsigned int valid = 0; valid < 256; valid += valid ? 127 : 2) {
		memory.record.valid = valid;
		call();
		call_fails(self);
		EXPECT_NO_SPAN(false);
	}
	memory.record.valid = 1;
	memory.record.ids.span = 0;
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
}

TEST_F(spans, a_thread_that_has_no_memory_yet_has_none)
{
	use_threads();
	know(THREAD_CONTEXT_STATIC, STATIC_AT, 0);
	fake.task->thread.fsbase = 0;
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
	fake.task->thread.fsbase = 0x1000;
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
}

TEST_F(spans, a_record_that_cannot_be_read_is_not_guessed)
{
	use_threads();
	know(THREAD_CONTEXT_STATIC, STATIC_AT, 0);
	memory.variable = 0x1000;
	call();
	call_fails(self);
	EXPECT_NO_SPAN(true);
}

static void (*write_memory)(void);

/* Another thread writes between the two times that the record is read. */
static void before_second_look(const void *map)
{
	if (map == PLACES && change.in && !--change.in)
		write_memory();
}

static void change_span(void)
{
	memory.record.ids.span++;
}

static void change_pointer(void)
{
	memory.other = memory.record;
	memory.variable = (uintptr_t)&memory.other;
}

static void invalidate(void)
{
	memory.record.valid = 0;
}

static void execute_another(void)
{
	uint32_t pid = this_pid();

	bpf_map_delete_elem(PLACES, &pid);
}

TEST_F(spans, a_record_that_changes_meanwhile_is_refused)
{
	static void (*const writes[])(void) = { change_span, change_pointer, invalidate,
						execute_another };

	for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
		use_threads();
		know(THREAD_CONTEXT_STATIC, STATIC_AT, 0);
		/* At the beginning there is none; so the end decides. */
		memory.record.valid = 0;
		call();
		memory.record.valid = 1;
		fake.before_lookup = before_second_look;
		write_memory = writes[i];
		change.in = 2;
		call_fails(self);
		EXPECT_NO_SPAN(true);
		fake.before_lookup = before_lookup;
	}
}

TEST_F(spans, a_module_has_a_block_for_each_thread)
{
	use_threads();
	memory.pointer[1] = (uintptr_t)&memory.dtv[2];
	memory.dtv[0] = 3;
	memory.dtv[2 + 2 * 3] = (uintptr_t)memory.block;
	memory.block[2] = (uintptr_t)&memory.record;
	know(THREAD_CONTEXT_DYNAMIC, 16, 3);
	call();
	call_fails(self);
	EXPECT_SPAN(0x11ull, 0x22ull);
	/* The thread has not used it yet, in two ways. */
	memory.dtv[2 + 2 * 3] = ~0ull;
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
	memory.dtv[2 + 2 * 3] = (uintptr_t)memory.block;
	memory.dtv[0] = 2;
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
}

TEST_F(spans, workers_of_the_kernel_have_none)
{
	static const unsigned int flags[] = { 0x200000, 0x10, 0x4000 };

	use_threads();
	know(THREAD_CONTEXT_STATIC, STATIC_AT, 0);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		fake.task->flags = flags[i];
		call();
		call_fails(self);
		EXPECT_NO_SPAN(false);
	}
	fake.task->flags = 0;
}

TEST_F(spans, the_map_has_those_of_others)
{
	use_threads();
	config.trace_context |= TRACE_CONTEXT_MAP;
	publish(self->key, 0x33ull, 0x44ull);
	know(THREAD_CONTEXT_STATIC, STATIC_AT, 0);
	call();
	call_fails(self);
	EXPECT_SPAN(0x11ull, 0x22ull);
	memory.variable = 0;
	call();
	call_fails(self);
	EXPECT_SPAN(0x33ull, 0x44ull);
	/* A torn record is no reason to take another source's word. */
	memory.variable = 0x1000;
	call();
	call_fails(self);
	EXPECT_NO_SPAN(true);
}

/* Takes what user space is asked out of the ring; returns how often, of this process. */
static unsigned int take_asks(void)
{
	unsigned int nr = 0;

	vec_foreach(record, &fake.records) {
		nr += record->size == sizeof(uint32_t) && *(uint32_t *)record->data == this_pid();
		free(record->data);
	}
	fake.records.len = 0;
	return nr;
}

TEST_F(spans, an_unknown_process_is_asked_for)
{
	use_threads();
	call();
	EXPECT_EQ(1, take_asks());
	ASSERT_NE(NULL, place_of(this_pid()));
	EXPECT_EQ(THREAD_CONTEXT_UNKNOWN, place_of(this_pid())->kind);
	call_fails(self);
	EXPECT_NO_SPAN(false);
	/* Until there is an answer, it is not asked again; and then not before it is time. */
	call();
	EXPECT_EQ(0, take_asks());
	call_fails(self);
	place_of(this_pid())->ask_ns = fake.now_ns + 1000000000;
	call();
	EXPECT_EQ(0, take_asks());
	call_fails(self);
	fake.now_ns = place_of(this_pid())->ask_ns;
	call();
	EXPECT_EQ(1, take_asks());
	EXPECT_EQ(THREAD_CONTEXT_ASKED, place_of(this_pid())->ask_ns);
	call_fails(self);
}

TEST_F(spans, what_user_space_could_not_be_asked_is_asked_again)
{
	use_threads();
	fake.refuse_kind = this_pid();
	call();
	EXPECT_EQ(0, take_asks());
	EXPECT_EQ(NULL, place_of(this_pid()));
	fake.refuse_kind = 0;
	thread_context_ask(this_pid());
	EXPECT_EQ(1, take_asks());
	call_fails(self);
}

TEST_F(spans, a_child_has_its_parents_place)
{
	struct task_struct child = *fake.task;

	use_threads();
	child.tgid = this_pid() + 1;
	thread_context_forked(fake.task, &child);
	EXPECT_EQ(NULL, place_of(child.tgid));
	know(THREAD_CONTEXT_UNKNOWN, 0, 0);
	thread_context_forked(fake.task, &child);
	EXPECT_EQ(NULL, place_of(child.tgid));
	know(THREAD_CONTEXT_STATIC, STATIC_AT, 0);
	thread_context_forked(fake.task, &child);
	ASSERT_NE(NULL, place_of(child.tgid));
	EXPECT_EQ(STATIC_AT, place_of(child.tgid)->offset);
}

TEST_F(spans, another_program_has_another_place)
{
	use_threads();
	know(THREAD_CONTEXT_STATIC, STATIC_AT, 0);
	thread_context_execed(fake.task);
	EXPECT_EQ(NULL, place_of(this_pid()));
	/* Of a program that is not executed yet. */
	know(THREAD_CONTEXT_AFTER_EXEC, STATIC_AT, 0);
	call();
	call_fails(self);
	EXPECT_NO_SPAN(false);
	thread_context_execed(fake.task);
	call();
	call_fails(self);
	EXPECT_SPAN(0x11ull, 0x22ull);
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
