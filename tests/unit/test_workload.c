// SPDX-License-Identifier: BSD-2-Clause
/* What a workload gets back of what retsnoop changes for itself. */
#include "unit.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/trace/run/workload.h"

static void set_soft_limit(struct __test_metadata *_metadata, int resource, rlim_t value)
{
	struct rlimit limit;

	ASSERT_EQ(0, getrlimit(resource, &limit));
	limit.rlim_cur = value;
	ASSERT_EQ(0, setrlimit(resource, &limit));
}

/*
 * Before Linux 5.11 libbpf raises the limit of locked memory, at the latest when the run begins. A run raises the
 * limit of open files and blocks signals; `why` has several runs in one process.
 */
TEST(limits_and_blocked_signals_are_those_that_were_noted_first)
{
	char sh[] = "/bin/sh", option[] = "-c";
	char script[] = "ulimit -S -l; ulimit -S -n; grep SigBlk /proc/self/status; "
			"test $(ulimit -S -l) = 32 && test $(ulimit -S -n) = 100 && "
			"grep -q '^SigBlk:.0*$' /proc/self/status";
	char *command[] = { sh, option, script, NULL };
	struct workload workload = WORKLOAD_INIT;
	struct workload_env env;
	sigset_t mask;

	set_soft_limit(_metadata, RLIMIT_MEMLOCK, 32 << 10);
	set_soft_limit(_metadata, RLIMIT_NOFILE, 100);
	workload_note_settings();
	set_soft_limit(_metadata, RLIMIT_MEMLOCK, 48 << 10);
	set_soft_limit(_metadata, RLIMIT_NOFILE, 200);
	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGCHLD);
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &mask, NULL));
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
