// SPDX-License-Identifier: BSD-2-Clause
/* Several recordings as one: order, and how many are open at once. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/trace/record/recording_merge.h"
#include "util/trace/session/session.h"

#define MAX_RECORDINGS 64
#define MAX_SESSIONS 16

struct recording_made {
	int64_t ends[MAX_SESSIONS];
	uint32_t nr, at;
	bool open, closed;
};

FIXTURE(merge)
{
	struct recording_made recordings[MAX_RECORDINGS];
	struct recording_merge merge;
	uint32_t open, most_open;
	int fails_at;		/* session of recording 0 that cannot be read */
};

static int open_one(void *arg, uint32_t i)
{
	FIXTURE_DATA(merge) *self = arg;

	if (self->recordings[i].open || self->recordings[i].closed)
		abort();
	self->recordings[i].open = true;
	if (++self->open > self->most_open)
		self->most_open = self->open;
	return 0;
}

static int next_one(void *arg, uint32_t i, struct session **ret_session, int64_t *ret_end_ns)
{
	FIXTURE_DATA(merge) *self = arg;
	struct recording_made *made = &self->recordings[i];

	if (!made->open)
		abort();
	if (!i && self->fails_at && (int)made->at == self->fails_at)
		return -ENOMEM;
	if (made->at == made->nr)
		return 0;
	*ret_end_ns = made->ends[made->at];
	*ret_session = calloc(1, sizeof(**ret_session));
	(*ret_session)->number = ++made->at;
	return 1;
}

static void close_one(void *arg, uint32_t i)
{
	FIXTURE_DATA(merge) *self = arg;

	self->recordings[i].open = false;
	self->recordings[i].closed = true;
	self->open--;
}

static const struct merge_ops ops = { open_one, next_one, close_one };

FIXTURE_SETUP(merge)
{
	self->merge.ops = &ops;
	self->merge.arg = self;
}

FIXTURE_TEARDOWN(merge)
{
	recording_merge_release(&self->merge);
}

static void add(FIXTURE_DATA(merge) * self, uint32_t i, int64_t begin, const int64_t *ends, uint32_t nr)
{
	memcpy(self->recordings[i].ends, ends, nr * sizeof(*ends));
	self->recordings[i].nr = nr;
	if (recording_merge_add(&self->merge, i, begin))
		abort();
}

#define ADD(self, i, begin, ...)                                          \
	add(self, i, begin, (const int64_t[]){ __VA_ARGS__ },             \
	    sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))

/* "0.1 1.1 0.2": recordings and the numbers of their sessions. */
static int merged(FIXTURE_DATA(merge) * self, char *text, size_t size)
{
	struct session *session;
	uint32_t i;
	int err;

	text[0] = '\0';
	while ((err = recording_merge_next(&self->merge, &i, &session)) > 0) {
		size_t len = strlen(text);

		/* Whose session it is can still be asked. */
		if (!self->recordings[i].open)
			abort();
		snprintf(text + len, size - len, "%s%u.%u", len ? " " : "", i,
			 (unsigned int)session->number);
		session_free(session);
	}
	return err;
}

TEST_F(merge, sessions_come_in_the_order_in_which_they_ended)
{
	char text[128];

	ADD(self, 0, 0, 10, 40, 50);
	ADD(self, 1, 5, 20, 30, 60);
	ADD(self, 2, 0, 15, 55);
	EXPECT_EQ(0, merged(self, text, sizeof(text)));
	EXPECT_STREQ("0.1 2.1 1.1 1.2 0.2 0.3 2.2 1.3", text);
	EXPECT_EQ(0, self->open);
}

TEST_F(merge, at_the_same_time_the_recording_named_first_comes_first)
{
	char text[64];

	ADD(self, 0, 0, 10, 20);
	ADD(self, 1, 0, 10, 20);
	EXPECT_EQ(0, merged(self, text, sizeof(text)));
	EXPECT_STREQ("0.1 1.1 0.2 1.2", text);
}

TEST_F(merge, a_clock_set_back_does_not_change_the_order_within_a_recording)
{
	char text[64];

	ADD(self, 0, 0, 100, 20, 30);
	ADD(self, 1, 0, 50, 200);
	EXPECT_EQ(0, merged(self, text, sizeof(text)));
	EXPECT_STREQ("1.1 0.1 0.2 0.3 1.2", text);
}

TEST_F(merge, recordings_without_sessions_are_passed_over)
{
	char text[64];

	self->recordings[0].nr = 0;
	ASSERT_EQ(0, recording_merge_add(&self->merge, 0, 0));
	ADD(self, 1, 0, 5);
	ASSERT_EQ(0, recording_merge_add(&self->merge, 2, 7));
	EXPECT_EQ(0, merged(self, text, sizeof(text)));
	EXPECT_STREQ("1.1", text);
	EXPECT_TRUE(self->recordings[0].closed);
	EXPECT_TRUE(self->recordings[2].closed);
}

TEST_F(merge, one_after_the_other_they_are_never_open_together)
{
	char text[1024];

	for (uint32_t i = MAX_RECORDINGS; i-- > 0;)
		ADD(self, i, i * 100, i * 100 + 10, i * 100 + 90);
	EXPECT_EQ(0, merged(self, text, sizeof(text)));
	EXPECT_EQ(0, strncmp(text, "0.1 0.2 1.1 1.2 2.1 ", 20));
	EXPECT_EQ(1, self->most_open);
}

TEST_F(merge, what_cannot_be_read_ends_it)
{
	char text[64];

	self->fails_at = 1;
	ADD(self, 0, 0, 10, 20);
	ADD(self, 1, 0, 15, 30);
	EXPECT_EQ(-ENOMEM, merged(self, text, sizeof(text)));
	EXPECT_STREQ("0.1", text);
}

TEST_F(merge, any_recordings_are_merged_as_if_they_were_sorted)
{
	uint64_t seed = 88172645463325252ull, before = 0, nr = 0;
	struct session *session;
	uint32_t i;

	for (i = 0; i < MAX_RECORDINGS; i++) {
		int64_t ends[MAX_SESSIONS], end = 0;

		for (uint32_t k = 0; k < MAX_SESSIONS; k++) {
			seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
			end += seed % 50;
			ends[k] = end;
		}
		add(self, i, 0, ends, i % (MAX_SESSIONS + 1));
		nr += i % (MAX_SESSIONS + 1);
	}
	while (recording_merge_next(&self->merge, &i, &session) > 0) {
		uint64_t end = self->recordings[i].ends[session->number - 1];

		ASSERT_LE(before, end);
		before = end;
		nr--;
		session_free(session);
	}
	EXPECT_EQ(0, nr);
}

TEST_HARNESS_MAIN
