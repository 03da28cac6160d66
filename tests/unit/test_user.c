// SPDX-License-Identifier: BSD-2-Clause
/* Users of this machine: root is one everywhere. */
#include <errno.h>
#include <grp.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "util/kernel/machine/user.h"

static bool has_group(const struct user *user, gid_t gid)
{
	for (size_t i = 0; i < user->nr_groups; i++) {
		if (user->groups[i] == gid)
			return true;
	}
	return false;
}

TEST(a_user_is_looked_up_by_name_or_number)
{
	static const char *const names[] = { "root", "0" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct user user = {};

		ASSERT_EQ(0, user_look_up(names[i], &user));
		EXPECT_STREQ("root", user.name);
		EXPECT_NE(NULL, strchr(user.home, '/'));
		EXPECT_EQ(0, user.uid);
		EXPECT_EQ(0, user.gid);
		EXPECT_TRUE(has_group(&user, 0));
		user_release(&user);
	}
}

TEST(a_user_has_each_of_its_groups)
{
	struct user user = {};
	const struct group *group;

	/* Any that lists a member. */
	while ((group = getgrent())) {
		if (!*group->gr_mem || user_look_up(*group->gr_mem, &user))
			continue;
		EXPECT_TRUE(has_group(&user, group->gr_gid)) {
			TH_LOG("%s in %s", user.name, group->gr_name);
		}
		EXPECT_TRUE(has_group(&user, user.gid));
		user_release(&user);
	}
	endgrent();
}

TEST(a_user_that_does_not_exist_is_an_error)
{
	struct user user = {};
	uint32_t uid;

	EXPECT_EQ(-ENOENT, user_look_up("no-such-user", &user));
	EXPECT_EQ(-ENOENT, user_look_up("", &user));
	/* A number alone tells no groups, and no home. */
	EXPECT_EQ(-ENOENT, user_look_up("4000000000", &user));
	EXPECT_EQ(0, user_find("4000000000", &uid));
}

TEST_HARNESS_MAIN
