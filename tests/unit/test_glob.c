// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "unit.h"
#include "util/base/text/glob.h"

TEST(a_name_matches_itself_only)
{
	EXPECT_TRUE(glob_matches("sys_bpf", "sys_bpf"));
	EXPECT_FALSE(glob_matches("sys_bpf", "sys_bpf2"));
	EXPECT_FALSE(glob_matches("sys_bpf", "sys_bp"));
	EXPECT_FALSE(glob_matches("sys_bpf", "SYS_BPF"));
	EXPECT_TRUE(glob_matches("", ""));
	EXPECT_FALSE(glob_matches("", "x"));
}

TEST(star_is_any_run)
{
	EXPECT_TRUE(glob_matches("*", ""));
	EXPECT_TRUE(glob_matches("*", "anything"));
	EXPECT_TRUE(glob_matches("*_sys_bpf", "__x64_sys_bpf"));
	EXPECT_FALSE(glob_matches("*_sys_bpf", "sys_bpf"));
	EXPECT_TRUE(glob_matches("bpf_*", "bpf_"));
	EXPECT_TRUE(glob_matches("*map*alloc*", "array_map_alloc_check"));
	EXPECT_FALSE(glob_matches("*map*alloc", "array_map_alloc_check"));
	EXPECT_TRUE(glob_matches("**a**", "a"));
}

TEST(star_takes_back_what_it_took_too_early)
{
	EXPECT_TRUE(glob_matches("*ab", "aab"));
	EXPECT_TRUE(glob_matches("*_put", "bpf_map_put_put"));
	EXPECT_TRUE(glob_matches("a*b*c", "a_b_bc_c"));
	EXPECT_FALSE(glob_matches("a*b*c", "a_b_bc_"));
}

TEST(question_mark_is_one_character)
{
	EXPECT_TRUE(glob_matches("bpf_?et", "bpf_get"));
	EXPECT_FALSE(glob_matches("bpf_?et", "bpf_et"));
	EXPECT_FALSE(glob_matches("?", ""));
	EXPECT_TRUE(glob_matches("?*", "x"));
	EXPECT_FALSE(glob_matches("?*", ""));
}

TEST(other_characters_stand_for_themselves)
{
	EXPECT_TRUE(glob_matches("f.isra.0", "f.isra.0"));
	EXPECT_FALSE(glob_matches("f.isra.0", "fxisra.0"));
	EXPECT_TRUE(glob_matches("[x]", "[x]"));
	EXPECT_FALSE(glob_matches("[x]", "x"));
	EXPECT_TRUE(glob_matches("a\\b", "a\\b"));
}

TEST(in_paths_nothing_crosses_a_slash)
{
	EXPECT_TRUE(glob_match_path("kernel/bpf/*.c", "kernel/bpf/syscall.c"));
	EXPECT_FALSE(glob_match_path("kernel/*.c", "kernel/bpf/syscall.c"));
	EXPECT_FALSE(glob_match_path("kernel?bpf", "kernel/bpf"));
	EXPECT_TRUE(glob_match_path("*/bpf/*", "kernel/bpf/core.c"));
	EXPECT_FALSE(glob_match_path("*", "a/b"));
	EXPECT_TRUE(glob_match_path("net/*/*.c", "net/ipv4/tcp.c"));
}

TEST(many_stars_end_in_time)
{
	char text[4096];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	EXPECT_FALSE(glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

TEST(globs_are_told_from_names)
{
	EXPECT_TRUE(is_glob("a*"));
	EXPECT_TRUE(is_glob("?"));
	EXPECT_FALSE(is_glob("sys_bpf"));
	EXPECT_FALSE(is_glob(""));
}

static void expect_literal(struct __test_metadata *_metadata, const char *literal, const char *glob)
{
	char *got = glob_literal(glob);

	EXPECT_STREQ(literal, got) TH_LOG("of '%s'", glob);
	free(got);
}

TEST(the_longest_literal_is_in_all_that_matches)
{
	expect_literal(_metadata, "_sys_mount", "*_sys_mount");
	expect_literal(_metadata, "mount", "*mount*");
	expect_literal(_metadata, "bpf_prog_", "bpf_prog_*get");
	expect_literal(_metadata, "load", "bpf?load*prog?");
	expect_literal(_metadata, "name", "name");
	expect_literal(_metadata, "", "*?*");
	expect_literal(_metadata, "", "");
}

TEST_HARNESS_MAIN
