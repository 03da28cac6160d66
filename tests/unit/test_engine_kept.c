// SPDX-License-Identifier: BSD-2-Clause
/* Errors that an entry function keeps in an object, as io_uring's functions do in a request: which calls count as failed. */
#include "unit.h"

#include "tests/unit/fake_bpf.h"

#define TRACE_EDGES 64
#define FUNC 7
#define COOKIE (FUNC | COOKIE_ENTRY | (__u64)RETURN_INT32 << COOKIE_RETURNS_SHIFT)
#define SP 0xffffc90000004000ull

struct object {
	uint64_t other[2];
	int32_t result;
};

FIXTURE(kept)
{
	struct task_struct task;
	struct object object;
	uint64_t slots[ARGS_SLOTS];
};

#define KEPT(err) ((uint64_t)KEPT_MARK << 32 | (uint32_t)(err))
#define KEPT_ELSEWHERE(err) ((uint64_t)KEPT_ELSEWHERE_MARK << 32 | (uint32_t)(err))

FIXTURE_SETUP(kept)
{
	memset(self, 0, sizeof(*self));
	fake_one_session(&self->task, SP, sizeof(struct slot) + TRACE_EDGES * sizeof(struct event_call) + ARGS_MAX_BYTES);
	config.trace = 1;
	config.trace_size = TRACE_EDGES;
	config.kept_at = offsetof(struct object, result);
	self->slots[0] = (uintptr_t)&self->object;
}

FIXTURE_TEARDOWN(kept)
{
	fake_release();
}

/* The result of the last session that was sent; 0: none was. */
static uint64_t result_sent(void)
{
	const struct event_session *event;

	if (!fake.records.len)
		return 0;
	event = fake.records.data[fake.records.len - 1].data;
	if (event->header.kind != EVENT_SESSION || !event->nr_frames)
		abort();
	return ((const struct event_frame *)(event + 1))->result;
}

static uint64_t call(FIXTURE_DATA(kept) *self, int32_t before, int32_t kept, int32_t returned)
{
	for (size_t i = 0; i < fake.records.len; i++)
		free(fake.records.data[i].data);
	fake.records.len = 0;
	self->object.result = before;
	on_entry(self->slots, COOKIE, true, SP);
	self->object.result = kept;
	engine_exit(NULL, COOKIE, SP, (uint32_t)returned, 0);
	return result_sent();
}

TEST_F(kept, an_error_in_the_object_counts_if_the_function_is_done)
{
	EXPECT_EQ(KEPT(-ENOENT), call(self, 0, -ENOENT, 0));
	/* That of its former use was the same. */
	EXPECT_EQ(KEPT(-ENOENT), call(self, -ENOENT, -ENOENT, 0));
	EXPECT_EQ(0, call(self, 0, 5, 0));
	EXPECT_EQ(0, call(self, -ENOENT, 0, 0));
	EXPECT_EQ(0, call(self, 0, -5000, 0));
}

TEST_F(kept, what_is_completed_elsewhere_has_no_error_or_a_new_one)
{
	EXPECT_EQ(0, call(self, -ENOENT, -ENOENT, -529));
	EXPECT_EQ(KEPT_ELSEWHERE(-ENOSPC), call(self, -ENOENT, -ENOSPC, -529));
	EXPECT_EQ(0, call(self, 0, 1, -529));
}

TEST_F(kept, an_error_that_was_returned_counts_as_ever)
{
	EXPECT_EQ((uint32_t)-EBADF, call(self, 0, -ENOENT, -EBADF));
	EXPECT_EQ((uint32_t)-EBADF, call(self, -ENOENT, -ENOENT, -EBADF));
	config.kept_at = 0;
	EXPECT_EQ(0, call(self, 0, -ENOENT, 0));
}

TEST_F(kept, a_call_inside_has_the_result_that_it_returned)
{
	call(self, 0, 0, 0);
	self->object.result = -ENOENT;
	on_entry(self->slots, COOKIE, true, SP);
	on_entry(self->slots, COOKIE, true, SP - 64);
	engine_exit(NULL, COOKIE, SP - 64, 0, 0);
	self->object.result = 0;
	engine_exit(NULL, COOKIE, SP, 0, 0);
	EXPECT_EQ(0, result_sent());
}

/* An object that cannot be read has no error. */
TEST_F(kept, without_the_object_nothing_failed)
{
	self->slots[0] = 1;
	EXPECT_EQ(0, call(self, -ENOENT, -ENOENT, 0));
}

TEST_HARNESS_MAIN
