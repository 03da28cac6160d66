// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include "unit.h"
#include "util/trace/session/session.h"
#include "util/trace/session/session_keep.h"

FIXTURE(keep)
{
	struct session_keep keep;
	uint64_t number;
};

FIXTURE_SETUP(keep)
{
}

FIXTURE_TEARDOWN(keep)
{
	session_keep_release(&self->keep);
}

static int add(FIXTURE_DATA(keep) * self, uint64_t duration)
{
	struct session *session = calloc(1, sizeof(*session));

	session->number = ++self->number;
	session->start_ns = 1000 * session->number;
	session->end_ns = session->start_ns + duration;
	session->nr_calls = 2;
	session->calls = calloc(2, sizeof(*session->calls));
	return session_keep_add(&self->keep, session);
}

static void add_all(FIXTURE_DATA(keep) * self, int nr, uint64_t (*duration)(int i))
{
	for (int i = 0; i < nr; i++) {
		if (add(self, duration(i)))
			abort();
	}
	session_keep_settle(&self->keep);
}

static uint64_t equal(int i)
{
	return 7;
}

/* All from 0 to 996, in no order. */
static uint64_t mixed(int i)
{
	return i * 123 % 997;
}

TEST_F(keep, has_the_last_in_the_order_they_ended_in)
{
	self->keep.last = 3;
	add_all(self, 1000, equal);
	ASSERT_EQ(3, self->keep.v.len);
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(998 + i, self->keep.v.data[i]->number);
}

TEST_F(keep, has_all_where_there_are_fewer)
{
	self->keep.last = 30;
	add_all(self, 10, equal);
	EXPECT_EQ(10, self->keep.v.len);
}

/* The first session's call took longer, the second one's tracing. */
TEST_F(keep, sorts_by_what_the_call_took)
{
	self->keep.order = ORDER_DURATION;
	for (int i = 0; i < 2; i++) {
		struct session *session = calloc(1, sizeof(*session));

		session->number = i + 1;
		session->end_ns = 1000 * (i + 1);
		session->nr_frames = 1;
		session->frames = calloc(1, sizeof(*session->frames));
		session->frames[0].duration_ns = 500 - i;
		ASSERT_EQ(0, session_keep_add(&self->keep, session));
	}
	session_keep_settle(&self->keep);
	ASSERT_EQ(2, self->keep.v.len);
	EXPECT_EQ(1, self->keep.v.data[0]->number);
	EXPECT_EQ(2, self->keep.v.data[1]->number);
}

TEST_F(keep, has_the_longest_first)
{
	self->keep.order = ORDER_DURATION;
	add_all(self, 997, mixed);
	ASSERT_EQ(997, self->keep.v.len);
	for (int i = 0; i < 997; i++)
		EXPECT_EQ(996 - i, self->keep.v.data[i]->end_ns - self->keep.v.data[i]->start_ns);
}

TEST_F(keep, of_the_longest_as_many_as_wanted)
{
	self->keep.order = ORDER_DURATION;
	self->keep.limit = 5;
	add_all(self, 997, mixed);
	ASSERT_EQ(5, self->keep.v.len);
	for (int i = 0; i < 5; i++)
		EXPECT_EQ(996 - i, self->keep.v.data[i]->end_ns - self->keep.v.data[i]->start_ns);
}

TEST_F(keep, of_equals_has_the_first_first)
{
	self->keep.order = ORDER_DURATION;
	self->keep.limit = 2;
	add_all(self, 100, equal);
	EXPECT_EQ(1, self->keep.v.data[0]->number);
	EXPECT_EQ(2, self->keep.v.data[1]->number);
}

TEST_F(keep, of_the_last_has_the_longest)
{
	self->keep.order = ORDER_DURATION;
	self->keep.last = 10;
	self->keep.limit = 1;
	add_all(self, 8, mixed);
	/* 0, 123, ... 861 */
	ASSERT_EQ(1, self->keep.v.len);
	EXPECT_EQ(8, self->keep.v.data[0]->number);
}

TEST_F(keep, takes_bounded_memory)
{
	int err = 0, nr;

	self->keep.order = ORDER_DURATION;
	self->keep.max_bytes = 100000;
	for (nr = 0; nr < 10000 && !err; nr++)
		err = add(self, nr);
	EXPECT_EQ(-E2BIG, err);
	EXPECT_LT(50, nr);
	EXPECT_GT(1000, nr);
}

TEST_F(keep, takes_bounded_memory_for_a_few)
{
	self->keep.order = ORDER_DURATION;
	self->keep.limit = 100;
	self->keep.max_bytes = 150 * (sizeof(struct session) + 2 * sizeof(struct traced_call));
	for (int i = 0; i < 10000; i++)
		ASSERT_EQ(0, add(self, i));
	session_keep_settle(&self->keep);
	EXPECT_EQ(100, self->keep.v.len);
	EXPECT_EQ(10000, self->keep.v.data[0]->number);
}

TEST_F(keep, heads_only_takes_less)
{
	self->keep.order = ORDER_DURATION;
	self->keep.heads = true;
	add_all(self, 10, equal);
	EXPECT_EQ(10 * sizeof(struct session), self->keep.bytes);
	EXPECT_EQ(0, self->keep.v.data[0]->nr_calls);
}

TEST_HARNESS_MAIN
