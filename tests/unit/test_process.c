// SPDX-License-Identifier: BSD-2-Clause
/* Processes by their ids: this one and its threads. */
#include <pthread.h>
#include <sys/prctl.h>
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

TEST(children_are_found_while_they_exist)
{
	int hold[2];
	pid_t child;
	char byte;

	EXPECT_FALSE(process_has_children(getpid()));
	ASSERT_EQ(0, pipe(hold));
	child = fork();
	if (!child) {
		close(hold[1]);
		_exit(read(hold[0], &byte, 1));
	}
	ASSERT_LT(0, child);
	EXPECT_TRUE(process_has_children(getpid()));
	EXPECT_FALSE(process_has_children(child));
	close(hold[0]);
	close(hold[1]);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_FALSE(process_has_children(getpid()));
}

struct pool {
	pthread_t threads[3];
	pthread_barrier_t named, asked;
};

static void *wait_with_name(void *arg)
{
	struct pool *pool = arg;

	prctl(PR_SET_NAME, "pool-of-threads");
	pthread_barrier_wait(&pool->named);
	pthread_barrier_wait(&pool->asked);
	return NULL;
}

/* Names are cut to 15 bytes. */
TEST(threads_of_other_names_are_counted)
{
	char own[] = "named-as-this-test", worker[] = "pool-of-threads";
	char *const names[] = { own, worker };
	char stranger[] = "no-process-has";
	struct process_threads others, none, absent;
	struct pool pool;

	ASSERT_EQ(0, prctl(PR_SET_NAME, own));
	ASSERT_EQ(0, pthread_barrier_init(&pool.named, NULL, 4));
	ASSERT_EQ(0, pthread_barrier_init(&pool.asked, NULL, 4));
	for (size_t i = 0; i < 3; i++)
		ASSERT_EQ(0, pthread_create(&pool.threads[i], NULL, wait_with_name, &pool));
	pthread_barrier_wait(&pool.named);
	others = process_threads_of(names, 1);
	none = process_threads_of(names, 2);
	EXPECT_TRUE(process_thread_named(own));
	EXPECT_TRUE(process_thread_named(worker));
	EXPECT_FALSE(process_thread_named(stranger));
	absent = process_threads_of((char *const[]){ stranger }, 1);
	pthread_barrier_wait(&pool.asked);
	for (size_t i = 0; i < 3; i++)
		pthread_join(pool.threads[i], NULL);
	EXPECT_EQ(getpid(), others.process);
	EXPECT_EQ(3, others.others);
	EXPECT_STREQ("named-as-this-t", others.name);
	EXPECT_EQ(0, none.process);
	EXPECT_EQ(0, none.others);
	EXPECT_EQ(0, absent.process);
}

TEST_HARNESS_MAIN
