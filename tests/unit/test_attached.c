// SPDX-License-Identifier: BSD-2-Clause
/* What is attached already. */
#include <stdlib.h>

#include "unit.h"

#include "util/plan/attached.h"
#include "util/plan/plan.h"

TEST(a_function_is_attached_by_its_address_name_and_module)
{
	const struct plan_func funcs[] = {
		{ .addr = 0x1000, .name = "f", .module = "ifb" },
		{ .addr = 0x2000, .name = "refused", .module = "ifb" },
		{ .addr = 0x3000, .name = "g" },
	};
	const struct plan_func moved = { .addr = 0x1010, .name = "f", .module = "ifb" };
	/* Took the place of a function that was needed only while its module was loaded. */
	const struct plan_func other = { .addr = 0x1000, .name = "f", .module = "tun" };
	const struct plan_func alias = { .addr = 0x1000, .name = "h", .module = "ifb" };
	struct attached attached;
	struct plan plan = {};

	for (size_t i = 0; i < ARRAY_SIZE(funcs); i++)
		ASSERT_EQ(0, vec_push(&plan.funcs, funcs[i]));
	ASSERT_EQ(0, attached_init(&attached, &plan));
	EXPECT_FALSE(attached_has(&attached, &plan, &funcs[0]));
	attached.rungs[0] = RUNG_KPROBE;
	attached.rungs[2] = RUNG_FENTRY;
	EXPECT_TRUE(attached_has(&attached, &plan, &funcs[0]));
	EXPECT_FALSE(attached_has(&attached, &plan, &funcs[1]));
	EXPECT_TRUE(attached_has(&attached, &plan, &funcs[2]));
	EXPECT_FALSE(attached_has(&attached, &plan, &moved));
	EXPECT_FALSE(attached_has(&attached, &plan, &other));
	EXPECT_FALSE(attached_has(&attached, &plan, &alias));
	attached_release(&attached);
	vec_release(&plan.funcs);
}

TEST_HARNESS_MAIN
