// SPDX-License-Identifier: BSD-2-Clause
/* Stacks taken at entries: which call's a frame of the shown chain gets. */
#include "unit.h"

#include "tests/unit/fake_bpf.h"

#define COOKIE ((__u64)RETURN_INT32 << COOKIE_RETURNS_SHIFT)
#define SP 0xffffc90000007000ull
#define DEEPEST 18
/* Each call has a number, which is its errno if it fails, and the first address of its stack. */
#define LAST_CALL 4000

FIXTURE(stacks)
{
	struct task_struct task;
	uint64_t slots[ARGS_SLOTS];
	uint64_t state;
	unsigned int calls, deepest;
	unsigned int shown, stitched, too_many; /* frames of all sessions */
};

FIXTURE_SETUP(stacks)
{
	memset(self, 0, sizeof(*self));
	fake_one_session(&self->task, SP, sizeof(struct slot));
	fake_add(&entry_stacks, FAKE_ARRAY, 4, sizeof(struct entry_stacks), 1);
	config.stacks = config.entry_stacks = 1;
	self->state = 88172645463325252ull;
}

FIXTURE_TEARDOWN(stacks)
{
	fake_release();
}

static uint64_t draw(FIXTURE_DATA(stacks) *self, uint64_t below)
{
	self->state ^= self->state << 13;
	self->state ^= self->state >> 7;
	self->state ^= self->state << 17;
	return (self->state >> 11) % below;
}

static void call(FIXTURE_DATA(stacks) *self, unsigned int depth, bool fails)
{
	unsigned int number = ++self->calls;
	uint64_t cookie = depth ? COOKIE : COOKIE | COOKIE_ENTRY, sp = SP - depth * 64;

	fake.ip = number;
	on_entry(self->slots, cookie, true, sp);
	/* Mostly the first call inside fails, and one after it, which calls nothing, does not. */
	for (uint64_t i = 0, nr = draw(self, 3); i <= nr && depth < self->deepest && self->calls < LAST_CALL; i++)
		call(self, i ? self->deepest : depth + 1, draw(self, 16) ? !i : i);
	fake.now_ns++;
	engine_exit(NULL, cookie, sp, fails ? (uint32_t)-(int)number : 0, 0);
}

/* Of the records from @first on, the one with the stack of a frame. */
static const struct event_stack *sent_stack(size_t first, uint32_t frame)
{
	for (size_t i = first; i < fake.records.len; i++) {
		const struct event_stack *stack = fake.records.data[i].data;

		if (stack->header.kind == EVENT_STACK && stack->frame == frame)
			return stack;
	}
	return NULL;
}

/* A frame has the stack of its own call; frames that are too many for what is kept have none. */
static void check(struct __test_metadata *_metadata, FIXTURE_DATA(stacks) *self, size_t first)
{
	const struct event_session *event = fake.records.data[fake.records.len - 1].data;
	const struct event_frame *frames = (const void *)(event + 1);
	uint32_t before = 0, nr = 0;

	ASSERT_EQ(EVENT_SESSION, event->header.kind);
	EXPECT_EQ(EVENT_SESSION_OWN_STACKS | EVENT_SESSION_FAILED, event->flags);
	for (uint32_t i = 0; i < event->nr_frames; i++) {
		const struct event_stack *stack = sent_stack(first, i);
		bool stitched = i >= event->stitched;

		self->shown++;
		self->stitched += stitched;
		if (stitched && event->nr_frames - i > BROKEN_STACKS) {
			EXPECT_EQ(NULL, stack);
			self->too_many++;
			continue;
		}
		ASSERT_NE(NULL, stack);
		EXPECT_EQ(-(int32_t)frames[i].result, *(const uint64_t *)(stack + 1));
	}
	/* The reader takes a number that does not rise as another session. */
	for (size_t i = first; i + 1 < fake.records.len; i++, nr++) {
		const struct event_stack *stack = fake.records.data[i].data;

		EXPECT_TRUE(!nr || stack->frame > before);
		before = stack->frame;
	}
}

TEST_F(stacks, each_frame_has_that_of_its_own_call)
{
	size_t first;

	for (int i = 0; i < 1000; i++) {
		first = fake.records.len;
		self->calls = 0;
		self->deepest = 1 + draw(self, DEEPEST);
		call(self, 0, true);
		check(_metadata, self, first);
	}
	/* There was something to be seen. */
	EXPECT_LT(4000, self->shown);
	EXPECT_LT(1000, self->stitched);
	EXPECT_LT(10, self->too_many);
}

TEST_HARNESS_MAIN
