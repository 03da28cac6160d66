// SPDX-License-Identifier: BSD-2-Clause
/* Closing what takes long to close: connections that wait for their reader. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"

#include "util/base/report.h"
#include "util/trace/attach/detach.h"

#define NR 48
#define LINGER_S 20

FIXTURE(detach)
{
	int fds[NR], readers[NR];
	sem_t runs;
	bool asked;
};

/* A pair over loopback, of which closing @ret_fd waits until the other side is closed. */
static int connect_pair(int listener, const struct sockaddr_in *addr, int *ret_fd, int *ret_reader)
{
	const struct linger linger = { 1, LINGER_S };
	static char data[1 << 16];
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (const struct sockaddr *)addr, sizeof(*addr)))
		return -errno;
	*ret_fd = fd;
	*ret_reader = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (*ret_reader < 0 || setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)))
		return -errno;
	while (send(fd, data, sizeof(data), MSG_DONTWAIT) > 0)
		;
	return 0;
}

FIXTURE_SETUP(detach)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) };
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), err = 0;
	socklen_t len = sizeof(addr);

	if (listener < 0 || bind(listener, (struct sockaddr *)&addr, len) || listen(listener, NR) ||
	    getsockname(listener, (struct sockaddr *)&addr, &len))
		err = -errno;
	for (int i = 0; i < NR && !err; i++)
		err = connect_pair(listener, &addr, &self->fds[i], &self->readers[i]);
	close(listener);
	ASSERT_EQ(0, err);
	report_set_verbosity(VERBOSITY_QUIET);
}

FIXTURE_TEARDOWN(detach)
{
}

static void *close_readers_of_the_first(void *arg)
{
	FIXTURE_DATA(detach) *self = arg;

	sem_post(&self->runs);
	/* By then nothing more is begun. */
	usleep(300000);
	for (int i = 0; i < DETACH_THREADS; i++)
		close(self->readers[i]);
	return NULL;
}

static bool ask(void *arg)
{
	FIXTURE_DATA(detach) *self = arg;

	self->asked = true;
	return true;
}

TEST_F(detach, in_the_background_holds_nothing_else)
{
	int pipe_fds[2], status;
	pthread_t thread;
	char c;

	ASSERT_EQ(0, pipe2(pipe_fds, O_CLOEXEC));
	ASSERT_EQ(0, sem_init(&self->runs, 0, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, close_readers_of_the_first, self));
	/* ASan begins a thread with locks held, which a fork meanwhile would copy for good. */
	sem_wait(&self->runs);
	EXPECT_FALSE(detach_links(self->fds, NR, ask, self));
	EXPECT_TRUE(self->asked);
	pthread_join(thread, NULL);
	/* As a workload at its gate, which ends when the last writer does. */
	close(pipe_fds[1]);
	EXPECT_EQ(0, read(pipe_fds[0], &c, 1));
	/* That was not because the process in the background had ended. */
	EXPECT_EQ(0, waitpid(-1, &status, WNOHANG));
	for (int i = DETACH_THREADS; i < NR; i++)
		close(self->readers[i]);
	EXPECT_LT(0, waitpid(-1, &status, 0));
	EXPECT_TRUE(WIFEXITED(status) && !WEXITSTATUS(status));
	close(pipe_fds[0]);
}

/* The first close() of each thread takes until the readers are closed, or LINGER_S. */
TEST_F(detach, a_link_that_takes_long_is_left_to_the_background)
{
	time_t start = time(NULL);
	int status;

	EXPECT_FALSE(detach_links(self->fds, 1, ask, self));
	EXPECT_LT(time(NULL) - start, LINGER_S / 2);
	EXPECT_EQ(0, waitpid(-1, &status, WNOHANG));
	EXPECT_EQ(-1, fcntl(self->fds[0], F_GETFD));
	for (int i = 0; i < NR; i++)
		close(self->readers[i]);
	EXPECT_LT(0, waitpid(-1, &status, 0));
	EXPECT_TRUE(WIFEXITED(status) && !WEXITSTATUS(status));
}

static bool go_on(void *arg)
{
	return false;
}

TEST_F(detach, all_are_closed_when_nobody_asks)
{
	for (int i = 0; i < NR; i++)
		close(self->readers[i]);
	EXPECT_TRUE(detach_links(self->fds, NR, go_on, self));
	for (int i = 0; i < NR; i++)
		EXPECT_EQ(-1, fcntl(self->fds[i], F_GETFD));
	EXPECT_EQ(-1, waitpid(-1, NULL, WNOHANG));
}

TEST_HARNESS_MAIN
