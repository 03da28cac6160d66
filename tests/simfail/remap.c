/* SPDX-License-Identifier: BSD-2-Clause */
/* Results that change on their way up to the system call. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "simfail.h"

CASE(remap_ioctl)
{
	_cleanup_(simfail_close) int read_fd = -1, write_fd = -1;
	int err = simfail_open_pipe(&read_fd, &write_fd, run);

	return err ?: simfail_errno_of(ioctl(read_fd, 0x5afa11));
}

static void on_alarm(int sig)
{
	(void)sig;
}

CASE(remap_eintr)
{
	/* again and again, lest the one shot comes before the read */
	const struct itimerval soon = { { 0, 50000 }, { 0, 50000 } }, off = {};
	struct sigaction action = { .sa_handler = on_alarm }, old;
	_cleanup_(simfail_close) int read_fd = -1, write_fd = -1;
	int fds[2], err;
	char byte;

	if (pipe2(fds, O_CLOEXEC))
		return simfail_skip(run, "cannot make a pipe: %s", strerror(errno));
	read_fd = fds[0];
	write_fd = fds[1];
	sigaction(SIGALRM, &action, &old);
	setitimer(ITIMER_REAL, &soon, NULL);
	err = simfail_errno_of(read(read_fd, &byte, sizeof(byte)));
	setitimer(ITIMER_REAL, &off, NULL);
	sigaction(SIGALRM, &old, NULL);
	return err;
}

CASE(bad_prctl)
{
	return simfail_errno_of(syscall(__NR_prctl, 0x5afa11, 0, 0, 0, 0));
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_remap_cases[] = {
	{ .name = "remap-ioctl", .group = "remap", .expected = ENOTTY,
	  .summary = "an unknown ioctl on a pipe: ENOIOCTLCMD becomes ENOTTY",
	  .fault = SYSCALL("ioctl"), .from = "pipe_ioctl=ENOIOCTLCMD", .run = remap_ioctl },
	{ .name = "remap-prctl", .group = "remap", .expected = EINVAL,
	  .summary = "an unknown prctl: ENOSYS becomes EINVAL",
	  .fault = SYSCALL("prctl"), .from = "security_task_prctl=ENOSYS", .run = bad_prctl },
	{ .name = "remap-eintr", .group = "remap", .expected = EINTR,
	  .summary = "a read interrupted by a signal: ERESTARTSYS becomes EINTR after the system call",
	  .fault = "-", .from = "prepare_to_wait_event=ERESTARTSYS", .run = remap_eintr },
	{},
};
/* clang-format on */
