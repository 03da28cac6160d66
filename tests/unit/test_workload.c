// SPDX-License-Identifier: BSD-2-Clause
/* What a workload gets back of what retsnoop changes for itself. */
#include "unit.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/trace/run/workload.h"

/* Before Linux 5.11 libbpf raises the limit of locked memory, at the latest when the run begins. */
TEST(the_limit_of_locked_memory_is_the_one_that_was_noted_first)
{
	char sh[] = "/bin/sh", option[] = "-c", script[] = "test $(ulimit -S -l) = 32";
	char *command[] = { sh, option, script, NULL };
	struct workload workload = WORKLOAD_INIT;
	struct workload_env env;
	struct rlimit limit;

	ASSERT_EQ(0, getrlimit(RLIMIT_MEMLOCK, &limit));
	limit.rlim_cur = 32 << 10;
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	workload_note_limits();
	limit.rlim_cur = 48 << 10;
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	workload_env_take(&env, NULL, 0);
	ASSERT_EQ(0, workload_hold(&workload, command, &env));
	ASSERT_EQ(0, workload_release(&workload, command[0]));
	while (!workload_ended(&workload))
		usleep(1000);
	EXPECT_EQ(0, workload_status(&workload, command[0]));
	workload_drop(&workload);
}

TEST(the_end_of_a_command_is_seen_though_the_parent_ignores_that_of_its_children)
{
	char sh[] = "/bin/sh", option[] = "-c", script[] = "exit 3";
	char *command[] = { sh, option, script, NULL };
	struct workload workload = WORKLOAD_INIT;
	struct workload_env env;
	int tries = 20000;

	signal(SIGCHLD, SIG_IGN);
	workload_env_take(&env, NULL, 0);
	ASSERT_EQ(0, workload_hold(&workload, command, &env));
	ASSERT_EQ(0, workload_release(&workload, command[0]));
	while (!workload_ended(&workload) && --tries)
		usleep(1000);
	EXPECT_NE(0, tries);
	EXPECT_EQ(3, workload_status(&workload, command[0]));
	workload_drop(&workload);
}

TEST_HARNESS_MAIN
