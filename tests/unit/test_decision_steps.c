// SPDX-License-Identifier: BSD-2-Clause
/* How an error went up: where one result became another. */
#include "unit.h"
#include "util/explain/decision_steps.h"

/*
 * Whether the result of an inner function is another than that of its caller. Rules of the user's say
 * which results are failures (--error-if).
 */
static int becomes_another(enum return_kind inner, uint64_t result, enum return_kind outer,
			   uint64_t outer_result)
{
	struct plan_func funcs[] = { { .returns = outer }, { .returns = inner } };
	const struct plan plan = { .funcs = { .data = funcs, .len = ARRAY_SIZE(funcs) } };
	const struct places places = { .plan = &plan };
	struct event_frame frames[] = {
		{ .func = 0, .flags = EVENT_FRAME_FAILED, .result = outer_result },
		{ .func = 1, .flags = EVENT_FRAME_FAILED, .result = result },
	};
	const struct session session = {
		.frames = frames,
		.nr_frames = ARRAY_SIZE(frames),
		.branches_func = 1,
		.branches_result = result,
	};
	struct stack_row rows[] = { { .frame = &frames[0] }, { .frame = &frames[1] } };
	const struct stack_rows stack = {
		.v = { .data = rows, .len = ARRAY_SIZE(rows) },
		.places = &places,
	};
	struct decision decision = {};
	int changed = -1;

	if (!decision_steps_fill(&stack, &session, &decision) && decision.steps.len == 1)
		changed = decision.steps.data[0].changed;
	decision_release(&decision);
	return changed;
}

TEST(an_errno_is_the_same_in_numbers_of_any_size)
{
	EXPECT_EQ(0, becomes_another(RETURN_INT32, 0xffffffea, RETURN_INT64, -22));
	EXPECT_EQ(0, becomes_another(RETURN_INT32, 0x5ffffffea, RETURN_INT32, 0xffffffea));
	EXPECT_EQ(0, becomes_another(RETURN_POINTER, -22, RETURN_UNKNOWN, 0xffffffea));
	EXPECT_EQ(1, becomes_another(RETURN_INT32, 0xffffffea, RETURN_INT64, -1));
	EXPECT_EQ(1, becomes_another(RETURN_INT64, 0x5ffffffea, RETURN_INT64, -22));
}

TEST(what_else_is_in_the_register_is_not_compared)
{
	EXPECT_EQ(0, becomes_another(RETURN_BOOL, 0xffffff01, RETURN_BOOL, 1));
	EXPECT_EQ(0, becomes_another(RETURN_BOOL, 0x7700, RETURN_INT32, 0));
	EXPECT_EQ(0, becomes_another(RETURN_UNSIGNED8, 0xabcd05, RETURN_UNSIGNED8, 0x123405));
	EXPECT_EQ(0, becomes_another(RETURN_UNSIGNED16, 0xabcd0005, RETURN_INT32, 5));
	EXPECT_EQ(0, becomes_another(RETURN_INT8, 0x12ea, RETURN_INT32, 0xffffffea));
	EXPECT_EQ(1, becomes_another(RETURN_UNSIGNED16, 0xabcd0105, RETURN_UNSIGNED16, 5));
}

TEST_HARNESS_MAIN
