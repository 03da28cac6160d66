// SPDX-License-Identifier: BSD-2-Clause
/*
 * Makes one system call over and over.
 *
 * call CALL		what it costs in clock nanoseconds: the least of many batches, which is one
 *			that nothing came in between of. Under an emulator whose clock counts
 *			instructions those are instructions.
 * call CALL N [PROCS]	N of them in each of so many processes at once, as fast as they go; says
 *			how many that were a second
 *
 * CALL is getppid, read-zero (one byte of /dev/zero) or read-bad (of no descriptor: -EBADF).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Short enough to fit between two turns of whoever else is there. */
#define BATCHES 300
#define CALLS 100

static int fd = -1;

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

static void call_read(void)
{
	char byte;

	if (syscall(SYS_read, fd, &byte, 1) < 0)
		return;
}

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

static long long batch_ns(void (*call)(void), long nr)
{
	long long start = now_ns();

	for (long i = 0; i < nr; i++)
		call();
	return now_ns() - start;
}

static long long least_ns(void (*call)(void))
{
	long long least = 1ll << 62;

	for (int i = 0; i < BATCHES; i++) {
		long long took = batch_ns(call, CALLS);

		if (took < least)
			least = took;
	}
	return least / CALLS;
}

static long long all_ns(void (*call)(void), long nr, int procs)
{
	long long start = now_ns();

	for (int i = 0; i < procs; i++) {
		pid_t pid = fork();

		if (pid < 0) {
			perror("call: fork");
			exit(1);
		}
		if (!pid) {
			batch_ns(call, nr);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	return now_ns() - start;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	void (*call)(void) = call_read;
	long nr, procs;
	long long ns;

	if (!strcmp(name, "getppid"))
		call = call_getppid;
	else if (!strcmp(name, "read-zero"))
		fd = open("/dev/zero", O_RDONLY);
	else if (strcmp(name, "read-bad"))
		return fprintf(stderr, "usage: call getppid|read-zero|read-bad [N [PROCS]]\n"), 2;

	if (argc == 2) {
		printf("%lld\n", least_ns(call));
		return 0;
	}
	nr = atol(argv[2]);
	procs = argc > 3 ? atol(argv[3]) : 1;
	ns = all_ns(call, nr, procs);
	printf("calls %ld ms %lld a_second %.0f\n", nr * procs, ns / 1000000,
	       nr * procs * 1e9 / ns);
	return 0;
}
