/* SPDX-License-Identifier: BSD-2-Clause */
/* Children that the kernel kills. No call of the cases themselves fails. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simfail.h"

/* Run @act in a child, which has to die of @expected; 0, or ECANCELED if it did not. */
static int dies(struct simfail_run *run, int expected, void (*act)(void))
{
	int status, err;
	pid_t pid;

	pid = fork();
	if (pid < 0)
		return simfail_skip(run, "cannot fork: %s", strerror(errno));
	if (!pid) {
		prctl(PR_SET_DUMPABLE, 0);	/* no core file */
		act();
		_exit(0);
	}
	err = simfail_wait(run, pid, &status);
	if (err)
		return err;
	return WIFSIGNALED(status) && WTERMSIG(status) == expected ? 0 : ECANCELED;
}

static void write_nowhere(void)
{
	int *volatile nowhere = (int *)8;

	*(volatile int *)nowhere = 1;
}

static void read_beyond_file(void)
{
	int fd = memfd_create("empty", MFD_CLOEXEC);
	volatile char *file = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	if (file != MAP_FAILED)
		(void)*file;
}

static void call_what_is_forbidden(void)
{
	if (!simfail_forbid_acct(SECCOMP_RET_KILL_PROCESS))
		syscall(__NR_acct, NULL);
}

CASE(killed_fault)
{
	return dies(run, SIGSEGV, write_nowhere);
}

CASE(killed_file)
{
	return dies(run, SIGBUS, read_beyond_file);
}

CASE(killed_seccomp)
{
	return dies(run, SIGSYS, call_what_is_forbidden);
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_killed_cases[] = {
	{ .name = "killed-fault", .group = "killed", .expected = 0,
	  .summary = "a child writes to memory that is not there",
	  .fault = "-", .run = killed_fault },
	{ .name = "killed-file", .group = "killed", .expected = 0,
	  .summary = "a child reads a mapped file beyond its end",
	  .fault = "-", .run = killed_file },
	{ .name = "killed-seccomp", .group = "killed", .expected = 0,
	  .summary = "a child makes a call for which its seccomp filter kills",
	  .fault = "-", .run = killed_seccomp },
	{},
};
/* clang-format on */
