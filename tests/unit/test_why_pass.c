// SPDX-License-Identifier: BSD-2-Clause
/* Calls of one run that failed alike: whether one is like the other. */
#include <string.h>

#include "unit.h"

#include "util/why/pass.h"

struct made {
	struct event_frame frames[2];
	struct traced_call calls[4];
};

/* A call that failed with -19 in function 1, and passed the probes @first and @second. */
static struct session session_of(struct made *made, uint32_t first, uint32_t second)
{
	memset(made, 0, sizeof(*made));
	made->frames[0] = (struct event_frame){ .func = 0, .result = -19 };
	made->frames[1] = (struct event_frame){ .func = 1, .result = 0xffffffed };
	made->calls[1] = (struct traced_call){ .kind = TRACED_PROBE, .func = first };
	made->calls[2] = (struct traced_call){ .func = 7 };
	made->calls[3] = (struct traced_call){ .kind = TRACED_PROBE, .func = second };
	return (struct session){
		.frames = made->frames, .nr_frames = 2, .calls = made->calls, .nr_calls = 4,
	};
}

static bool is_uniform(struct session *sessions, size_t nr)
{
	struct pass pass = {};

	pass.alike.data = sessions;
	pass.alike.len = nr;
	return pass_is_uniform(&pass);
}

TEST(calls_that_took_the_same_way_are_uniform)
{
	struct made made[2];
	struct session sessions[2] = { session_of(&made[0], 1, 2), session_of(&made[1], 1, 2) };

	EXPECT_FALSE(is_uniform(sessions, 0));
	EXPECT_TRUE(is_uniform(sessions, 1));
	EXPECT_TRUE(is_uniform(sessions, 2));
	/* Of results the lower half counts, and of what is traced besides nothing. */
	made[1].frames[1].result = -19;
	made[1].calls[2].func = 8;
	EXPECT_TRUE(is_uniform(sessions, 2));
}

TEST(calls_that_took_different_ways_are_not)
{
	struct made made[2];
	struct session sessions[2] = { session_of(&made[0], 1, 2), session_of(&made[1], 1, 3) };

	EXPECT_FALSE(is_uniform(sessions, 2));
	sessions[1] = session_of(&made[1], 1, 2);
	sessions[1].nr_calls = 3;
	EXPECT_FALSE(is_uniform(sessions, 2));
	sessions[1] = session_of(&made[1], 1, 2);
	made[1].frames[1].func = 2;
	EXPECT_FALSE(is_uniform(sessions, 2));
	sessions[1] = session_of(&made[1], 1, 2);
	made[1].frames[1].result = -5;
	EXPECT_FALSE(is_uniform(sessions, 2));
	sessions[1] = session_of(&made[1], 1, 2);
	sessions[1].nr_frames = 1;
	EXPECT_FALSE(is_uniform(sessions, 2));
}

TEST_HARNESS_MAIN
