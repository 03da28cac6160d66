// SPDX-License-Identifier: BSD-2-Clause
/* Names of cgroups, of which there are more in time than there is room for. */
#include <errno.h>

#include "unit.h"
#include "util/kernel/machine/cgroup_names.h"

static void put(struct cgroup_names *names, uint64_t id)
{
	char path[32];

	snprintf(path, sizeof(path), "/short/%llu", (unsigned long long)id);
	if (cgroup_names_put(names, id, path))
		abort();
}

TEST(of_ten_times_as_many_as_there_is_room_for_the_newest_and_those_in_use_are_known)
{
	struct cgroup_names names = { .renewed = true };
	char newest[32];

	for (uint64_t id = 1; id <= 10 * CGROUP_NAMES_MAX; id++) {
		put(&names, id);
		/* A service among pods that come and go. */
		if (id % 1000 == 0)
			EXPECT_STREQ("/short/7", cgroup_names_get(&names, 7));
		ASSERT_GE(CGROUP_NAMES_MAX, names.v.len);
	}
	snprintf(newest, sizeof(newest), "/short/%d", 10 * CGROUP_NAMES_MAX);
	EXPECT_STREQ(newest, cgroup_names_get(&names, 10 * CGROUP_NAMES_MAX));
	EXPECT_STREQ("/short/7", cgroup_names_get(&names, 7));
	EXPECT_EQ(NULL, cgroup_names_get(&names, 8));
	for (size_t i = 1; i < names.v.len; i++)
		ASSERT_LT(names.v.data[i - 1].id, names.v.data[i].id);
	cgroup_names_release(&names);
}

TEST(what_was_asked_for_lately_keeps_its_memory)
{
	struct cgroup_names names = { .renewed = true };
	const char *path;

	put(&names, 1);
	path = cgroup_names_get(&names, 1);
	for (uint64_t id = 2; id < 2 + CGROUP_NAMES_MAX / 2 - 1; id++)
		put(&names, id);
	for (uint64_t id = 2 * CGROUP_NAMES_MAX; names.v.len < CGROUP_NAMES_MAX; id++)
		put(&names, id);
	EXPECT_STREQ("/short/1", path);
	EXPECT_EQ(path, cgroup_names_get(&names, 1));
	cgroup_names_release(&names);
}

TEST(what_was_not_written_to_the_recording_stays)
{
	struct cgroup_names names = { .renewed = true, .records = true };

	for (uint64_t id = 1; id <= CGROUP_NAMES_MAX; id++)
		put(&names, id);
	vec_foreach(name, &names.v)
		name->written = name->id > 10;
	put(&names, CGROUP_NAMES_MAX + 1);
	EXPECT_STREQ("/short/10", cgroup_names_get(&names, 10));
	EXPECT_EQ(NULL, cgroup_names_get(&names, 11));
	EXPECT_STREQ("/short/65537", cgroup_names_get(&names, CGROUP_NAMES_MAX + 1));
	cgroup_names_release(&names);
}

TEST(those_that_stay_for_good_have_an_end)
{
	struct cgroup_names names = {};

	for (uint64_t id = 1; id <= CGROUP_NAMES_MAX; id++)
		put(&names, id);
	EXPECT_EQ(-E2BIG, cgroup_names_put(&names, CGROUP_NAMES_MAX + 1, "/late"));
	EXPECT_STREQ("/short/1", cgroup_names_get(&names, 1));
	cgroup_names_release(&names);
}

TEST_HARNESS_MAIN
