// SPDX-License-Identifier: BSD-2-Clause
/* Processes by their ids: this one and its threads. */
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "util/kernel/machine/process.h"

static void *ask_in_thread(void *arg)
{
	pid_t *ids = arg;

	ids[0] = syscall(SYS_gettid);
	ids[1] = process_of(ids[0]);
	return NULL;
}

TEST(a_thread_belongs_to_its_process)
{
	pthread_t thread;
	pid_t ids[2] = {};

	ASSERT_EQ(0, pthread_create(&thread, NULL, ask_in_thread, ids));
	pthread_join(thread, NULL);
	EXPECT_NE(getpid(), ids[0]);
	EXPECT_EQ(getpid(), ids[1]);
	EXPECT_EQ(getpid(), process_of(getpid()));
}

TEST(an_id_that_no_process_has)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	ASSERT_LT(0, child);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_EQ(0, process_of(child));
	/* Ids end below. */
	EXPECT_EQ(0, process_of(4194304));
}

TEST_HARNESS_MAIN
