// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/base/text/nearest.h"

TEST(distance_counts_edits)
{
	EXPECT_EQ(0, edit_distance("stack", "stack"));
	EXPECT_EQ(0, edit_distance("einval", "EINVAL"));
	EXPECT_EQ(1, edit_distance("stak", "stack"));
	EXPECT_EQ(1, edit_distance("sstack", "stack"));
	EXPECT_EQ(1, edit_distance("sback", "stack"));
	EXPECT_EQ(1, edit_distance("satck", "stack"));
	EXPECT_EQ(3, edit_distance("kitten", "sitting"));
	EXPECT_EQ(5, edit_distance("", "stack"));
	EXPECT_EQ(5, edit_distance("stack", ""));
	EXPECT_EQ(0, edit_distance("", ""));
}

TEST(distance_is_the_same_both_ways)
{
	static const char *const words[] = { "",	       "a",    "stack", "satck",
					     "symbolize", "help", "hlpe" };
	const size_t n = ARRAY_SIZE(words);

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			EXPECT_EQ(edit_distance(words[i], words[j]),
				  edit_distance(words[j], words[i]));
		}
	}
}

TEST(very_long_names_are_far_from_all)
{
	char name[200];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	EXPECT_EQ(UINT_MAX, edit_distance(name, name));
	name[127] = '\0';
	EXPECT_EQ(0, edit_distance(name, name));
}

static const char *nearest_command(const char *text)
{
	struct nearest near = nearest_start(text);

	nearest_offer(&near, "stack");
	nearest_offer(&near, "funcs");
	nearest_offer(&near, "symbolize");
	nearest_offer(&near, "help");
	return near.name;
}

TEST(the_closest_name_is_offered)
{
	EXPECT_STREQ("stack", nearest_command("stak"));
	EXPECT_STREQ("stack", nearest_command("Stakc"));
	EXPECT_STREQ("funcs", nearest_command("func"));
	EXPECT_STREQ("symbolize", nearest_command("symbolise"));
	EXPECT_STREQ("help", nearest_command("hlep"));
}

TEST(the_beginning_of_a_name_is_close_to_it)
{
	EXPECT_STREQ("symbolize", nearest_command("sym"));
	EXPECT_STREQ("funcs", nearest_command("fu"));
}

TEST(of_several_with_that_beginning_the_shortest_is_offered)
{
	struct nearest near = nearest_start("kprob");

	nearest_offer(&near, "kprobe-session");
	nearest_offer(&near, "kprobe-multi");
	nearest_offer(&near, "kprobe");
	nearest_offer(&near, "kprobe-other");
	EXPECT_STREQ("kprobe", near.name);
	near = nearest_start("sta");
	nearest_offer(&near, "state");
	nearest_offer(&near, "stack");
	EXPECT_STREQ("state", near.name);
}

TEST(nothing_is_offered_for_something_else)
{
	EXPECT_EQ(NULL, nearest_command("xyzzy"));
	EXPECT_EQ(NULL, nearest_command("s"));
	EXPECT_EQ(NULL, nearest_command(""));
	EXPECT_EQ(NULL, nearest_command("probe"));
	/* three edits in six letters, two in five */
	EXPECT_EQ(NULL, nearest_command("status"));
	EXPECT_EQ(NULL, nearest_command("stake"));
	EXPECT_EQ(NULL, nearest_command("fonts"));
}

TEST(the_message_has_the_name_or_the_other_hint)
{
	struct nearest near = nearest_start("stak");
	int err;
	char *text;

	text = stderr_of(err = nearest_report(&near, "see help", "'%s' is nothing", "stak"));
	EXPECT_EQ(-EINVAL, err);
	EXPECT_STREQ("retsnoop: 'stak' is nothing; see help\n", text);
	free(text);

	nearest_offer(&near, "stack");
	text = stderr_of(nearest_report(&near, "see help", "'%s' is nothing", "stak"));
	EXPECT_STREQ("retsnoop: 'stak' is nothing; did you mean 'stack'?\n", text);
	free(text);
}

TEST_HARNESS_MAIN
