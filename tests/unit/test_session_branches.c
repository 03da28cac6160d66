// SPDX-License-Identifier: BSD-2-Clause
/* Branch records on their way to the session that they belong to, whatever comes. */
#include <errno.h>

#include "unit.h"

#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/session/assembler.h"
#include "util/trace/session/session.h"

enum { ENTRY, INNER, NR_FUNCS };

static struct plan_func funcs[NR_FUNCS] = {
	[ENTRY] = { .addr = 0x1000, .size = 0x100, .name = "entry" },
	[INNER] = { .addr = 0x2000, .size = 0x100, .name = "inner" },
};
static const struct plan plan = { .funcs = { funcs, NR_FUNCS, NR_FUNCS } };
static enum rung rungs[NR_FUNCS];
static const struct attached attached = { .rungs = rungs };

FIXTURE(branches)
{
	struct assembler *assembler;
	struct session *session;
	int err; /* of the record fed last */
};

static void begin(FIXTURE_DATA(branches) * self, bool wanted)
{
	const struct session_rules rules = { .plan = &plan, .attached = &attached,
					     .branches = wanted };

	assembler_free(self->assembler);
	self->assembler = assembler_new(&rules);
	if (!self->assembler)
		abort();
}

FIXTURE_SETUP(branches)
{
	memset(self, 0, sizeof(*self));
	begin(self, true);
}

FIXTURE_TEARDOWN(branches)
{
	session_free(self->session);
	assembler_free(self->assembler);
}

/* Each record in memory of just its size, for the sanitizer to watch. */
static void feed(FIXTURE_DATA(branches) * self, const void *data, size_t size)
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

struct record {
	struct event_branches event;
	struct event_branch entries[EVENT_MAX_BRANCHES + 1];
};

/* They go from @first on, each to where the next one begins. */
static struct record record(uint64_t id, uint64_t first, unsigned int nr)
{
	struct record record = {
		.event = {
			.header = { EVENT_BRANCHES, sizeof(struct event_branches) + nr * 24, id },
			.func = INNER,
			.nr = nr,
			.result = -22,
		},
	};

	for (unsigned int i = 0; i < nr && i <= EVENT_MAX_BRANCHES; i++)
		record.entries[i] = (struct event_branch){ first + i, first + i + 1, i };
	return record;
}

static void feed_branches(FIXTURE_DATA(branches) * self, uint64_t id, uint64_t first,
			  unsigned int nr)
{
	struct record fed = record(id, first, nr);

	feed(self, &fed, fed.event.header.size);
}

static void feed_session(FIXTURE_DATA(branches) * self, uint64_t id, uint8_t flags)
{
	struct {
		struct event_session event;
		struct event_frame frames[2];
	} session = {
		.event = {
			.header = { EVENT_SESSION, sizeof(session), id },
			.flags = EVENT_SESSION_FAILED | flags,
			.nr_frames = 2,
		},
		.frames = { { ENTRY, EVENT_FRAME_FAILED, 5, -5 },
			    { INNER, EVENT_FRAME_FAILED, 4, -22 } },
	};

	feed(self, &session, sizeof(session));
}

#define EXPECT_BRANCHES(first, nr)                                                                 \
	do {                                                                                       \
		ASSERT_NE(NULL, self->session);                                                    \
		ASSERT_EQ(nr, self->session->nr_branches);                                         \
		for (unsigned int i_ = 0; i_ < (nr); i_++) {                                       \
			EXPECT_EQ((first) + i_, self->session->branches[i_].from);                 \
			EXPECT_EQ((first) + i_ + 1, self->session->branches[i_].to);               \
			EXPECT_EQ(i_, self->session->branches[i_].flags);                          \
		}                                                                                  \
		EXPECT_FALSE(self->session->no_branches);                                          \
		EXPECT_EQ(0, self->session->branches_err);                                         \
	} while (0)

#define EXPECT_LOST()                                                                              \
	do {                                                                                       \
		ASSERT_NE(NULL, self->session);                                                    \
		EXPECT_EQ(NULL, self->session->branches);                                          \
		EXPECT_EQ(0, self->session->nr_branches);                                          \
		EXPECT_TRUE(self->session->no_branches);                                           \
	} while (0)

TEST_F(branches, come_with_the_session_that_follows)
{
	feed_branches(self, 7, 100, 32);
	EXPECT_EQ(0, self->err);
	EXPECT_EQ(NULL, self->session);
	feed_session(self, 7, 0);
	EXPECT_BRANCHES(100, 32);
	EXPECT_EQ(INNER, self->session->branches_func);
	EXPECT_EQ(-22, self->session->branches_result);
	/* They went with it. */
	feed_session(self, 7, 0);
	EXPECT_LOST();
}

TEST_F(branches, of_several_sessions_do_not_mix)
{
	feed_branches(self, 7, 700, 32);
	feed_branches(self, 8, 800, EVENT_MAX_BRANCHES);
	feed_branches(self, 9, 900, 1);
	feed_session(self, 8, 0);
	EXPECT_BRANCHES(800, EVENT_MAX_BRANCHES);
	feed_session(self, 9, 0);
	EXPECT_BRANCHES(900, 1);
	feed_session(self, 7, 0);
	EXPECT_BRANCHES(700, 32);
}

TEST_F(branches, are_missed_where_they_are_wanted)
{
	feed_session(self, 7, 0);
	EXPECT_LOST();
	EXPECT_EQ(0, self->session->branches_err);
	feed_session(self, 7, EVENT_SESSION_NO_BRANCHES);
	EXPECT_LOST();
	begin(self, false);
	feed_session(self, 7, 0);
	EXPECT_FALSE(self->session->no_branches);
	feed_session(self, 7, EVENT_SESSION_NO_BRANCHES);
	EXPECT_LOST();
}

TEST_F(branches, of_a_record_that_was_lost_are_no_others)
{
	/* The session went on without its interim record; at its end it has none, or newer ones. */
	feed_branches(self, 7, 100, 32);
	feed_session(self, 7, EVENT_SESSION_NO_BRANCHES);
	EXPECT_LOST();
	feed_branches(self, 8, 100, 32);
	feed_branches(self, 8, 200, 16);
	feed_session(self, 8, 0);
	EXPECT_BRANCHES(200, 16);
	feed_session(self, 8, 0);
	EXPECT_LOST();
}

TEST_F(branches, of_an_interim_record_go_with_it)
{
	const struct event_calls calls = {
		.header = { EVENT_CALLS, sizeof(calls) + sizeof(struct event_call), 7 },
	};
	struct {
		struct event_calls event;
		struct event_call edge;
	} trace = { calls, { ENTRY, CALL_ENTER | 8 << CALL_KIND_BITS, 0 } };

	/* With and without something else that waits for the session's end. */
	for (int i = 0; i < 2; i++) {
		if (i)
			feed(self, &trace, sizeof(trace));
		EXPECT_EQ(0, self->err);
		feed_branches(self, 7, 100, 32);
		feed_session(self, 7, EVENT_SESSION_INTERIM);
		EXPECT_TRUE(self->session->interim);
		EXPECT_BRANCHES(100, 32);
		feed_session(self, 7, EVENT_SESSION_NO_BRANCHES);
		EXPECT_LOST();
		if (i)
			feed(self, &trace, sizeof(trace));
		feed_branches(self, 7, 100, 32);
		feed_session(self, 7, EVENT_SESSION_INTERIM);
		feed_branches(self, 7, 200, 3);
		feed_session(self, 7, 0);
		EXPECT_BRANCHES(200, 3);
	}
}

TEST_F(branches, that_could_not_be_taken_tell_why)
{
	struct record none = record(7, 0, 0);

	none.event.err = -ENOENT;
	feed(self, &none, none.event.header.size);
	EXPECT_EQ(0, self->err);
	feed_session(self, 7, 0);
	EXPECT_EQ(-ENOENT, self->session->branches_err);
	EXPECT_EQ(INNER, self->session->branches_func);
	EXPECT_EQ(NULL, self->session->branches);
	EXPECT_FALSE(self->session->no_branches);
}

TEST_F(branches, of_a_session_that_did_not_pass_are_forgotten)
{
	const struct event_header drop = { EVENT_DROP, sizeof(drop), 7 };

	feed_branches(self, 7, 100, 32);
	feed(self, &drop, sizeof(drop));
	EXPECT_EQ(0, self->err);
	feed_session(self, 7, 0);
	EXPECT_LOST();
}

#define EXPECT_REFUSED(change)                                                                     \
	do {                                                                                       \
		struct record fed = record(7, 100, 3);                                             \
		change;                                                                            \
		feed(self, &fed, fed.event.header.size);                                           \
		EXPECT_EQ(-EBADMSG, self->err)                                                     \
		{                                                                                  \
			TH_LOG("%s", #change);                                                     \
		}                                                                                  \
		feed_session(self, 7, 0);                                                          \
		EXPECT_LOST();                                                                     \
	} while (0)

TEST_F(branches, that_make_no_sense_are_refused)
{
	EXPECT_REFUSED(fed.event.header.size -= 1);
	EXPECT_REFUSED(fed.event.header.size += 1);
	EXPECT_REFUSED(fed.event.header.size -= 24);
	EXPECT_REFUSED(fed.event.header.size += 24);
	EXPECT_REFUSED(fed.event.header.size = sizeof(fed.event) - 1);
	EXPECT_REFUSED(fed.event.header.size = sizeof(fed.event.header));
	EXPECT_REFUSED(fed.event.nr = 2);
	EXPECT_REFUSED(fed.event.nr = 0xffff);
	EXPECT_REFUSED(fed.event.err = -ENOENT);
	EXPECT_REFUSED(fed.event.err = 1);
	EXPECT_REFUSED(fed.event.func = NR_FUNCS);
	EXPECT_REFUSED(fed.event.func = ~0u);
	EXPECT_REFUSED(fed = record(7, 100, EVENT_MAX_BRANCHES + 1));
}

TEST_F(branches, may_stand_in_a_bigger_piece_of_memory)
{
	struct record fed = record(7, 100, 3);

	feed(self, &fed, sizeof(fed));
	EXPECT_EQ(0, self->err);
	feed_session(self, 7, 0);
	EXPECT_BRANCHES(100, 3);
}

/* 64 MiB hold some 40,000 full ones; sessions under way are far fewer. */
TEST_F(branches, that_wait_in_vain_make_room)
{
	for (uint64_t id = 1; id <= 100000; id++) {
		feed_branches(self, id, id, EVENT_MAX_BRANCHES);
		ASSERT_EQ(0, self->err);
	}
	EXPECT_GT(assembler_orphans(self->assembler), 90000);
	feed_session(self, 1, 0);
	EXPECT_LOST();
	feed_session(self, 100000, 0);
	EXPECT_BRANCHES(100000, EVENT_MAX_BRANCHES);
}

static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) % below;
}

TEST_F(branches, survive_whatever_they_are_spoiled_with)
{
	static const uint64_t odd[] = { 0, 1, 0x7f, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, ~0ull };
	uint64_t state = 0x9e3779b97f4a7c15ull;
	unsigned int shown = 0, refused = 0;

	for (unsigned int i = 0; i < 100000; i++) {
		uint64_t id = draw(&state, 6);
		struct record fed = record(id, 100, draw(&state, EVENT_MAX_BRANCHES + 2));
		size_t size = fed.event.header.size, width, at;

		if (!draw(&state, 3)) {
			feed_session(self, id, draw(&state, 16));
			ASSERT_EQ(0, self->err);
			ASSERT_LE(self->session->nr_branches, EVENT_MAX_BRANCHES);
			ASSERT_EQ(!self->session->nr_branches, !self->session->branches);
			ASSERT_LT(self->session->branches_func, NR_FUNCS);
			ASSERT_LE(self->session->branches_err, 0);
			shown += self->session->nr_branches > 0;
			continue;
		}
		for (uint64_t spoil = draw(&state, 3); spoil--;) {
			width = 1u << draw(&state, 4);
			at = draw(&state, sizeof(fed.event) + 8 - width);
			memcpy((char *)&fed + at, &odd[draw(&state, 9)], width);
		}
		if (!draw(&state, 8))
			size = 1 + draw(&state, sizeof(fed));
		feed(self, &fed, size);
		refused += self->err == -EBADMSG;
	}
	EXPECT_GT(shown, 5000);
	EXPECT_GT(refused, 5000);
}

TEST_HARNESS_MAIN
