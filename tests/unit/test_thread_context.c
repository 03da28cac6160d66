// SPDX-License-Identifier: BSD-2-Clause
/* Processes that publish spans, and others (util/trace/spans/thread_context.h). */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/trace/spans/thread_context.h"

TEST(a_process_without_the_variable_has_none)
{
	struct thread_context_place place;
	struct program_mark mark;

	EXPECT_EQ(-ENOENT, thread_context_find(getpid(), &place, &mark));
	EXPECT_TRUE(thread_context_is_same(getpid(), &mark));
}

TEST(a_process_that_is_gone_is_told_apart)
{
	struct thread_context_place place;
	struct program_mark mark;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	/* It is still there, without memory. */
	EXPECT_EQ(0, waitid(P_PID, pid, NULL, WEXITED | WNOWAIT));
	EXPECT_NE(0, thread_context_find(pid, &place, &mark));
	EXPECT_FALSE(thread_context_is_same(pid, &mark));
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
	EXPECT_EQ(-ESRCH, thread_context_find(pid, &place, &mark));
}

TEST(a_process_that_executes_another_program_is_another)
{
	struct thread_context_place place;
	struct program_mark mark;
	int gate[2], ready[2];
	char c;
	pid_t pid;

	ASSERT_EQ(0, pipe(gate));
	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	if (!pid) {
		dup2(gate[0], 0);
		dup2(ready[1], 1);
		if (read(0, &c, 1) == 1)
			execl("/bin/sh", "sh", "-c", "echo; read line", NULL);
		_exit(1);
	}
	EXPECT_EQ(-ENOENT, thread_context_find(pid, &place, &mark));
	EXPECT_TRUE(thread_context_is_same(pid, &mark));
	EXPECT_EQ(1, write(gate[1], "g", 1));
	EXPECT_EQ(1, read(ready[0], &c, 1));
	EXPECT_FALSE(thread_context_is_same(pid, &mark));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Opening a FIFO would wait for a writer. */
TEST(files_that_are_no_programs_have_none)
{
	char path[] = "/tmp/retsnoop-test-XXXXXX";
	struct thread_context_place place;

	EXPECT_EQ(-ENOENT, thread_context_of_program("/proc/self/exe", &place));
	EXPECT_EQ(-ENOENT, thread_context_of_program("/etc/passwd", &place));
	EXPECT_EQ(-ENOENT, thread_context_of_program("/dev/null", &place));
	EXPECT_EQ(-ENOENT, thread_context_of_program("/none", &place));
	ASSERT_NE(NULL, mkdtemp(path));
	ASSERT_EQ(0, rmdir(path));
	ASSERT_EQ(0, mkfifo(path, 0600));
	EXPECT_EQ(-ENOENT, thread_context_of_program(path, &place));
	unlink(path);
}

TEST_HARNESS_MAIN
