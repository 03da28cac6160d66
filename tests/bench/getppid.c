// SPDX-License-Identifier: BSD-2-Clause
/*
 * What a system call costs, in clock nanoseconds: the least of many batches. Under an emulator
 * whose clock counts instructions those are instructions.
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BATCHES 60
#define CALLS 1000

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

int main(void)
{
	long long least = 1ll << 62;

	for (int batch = 0; batch < BATCHES; batch++) {
		long long start = now_ns(), took;

		for (int i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		took = now_ns() - start;
		if (took < least)
			least = took;
	}
	printf("%lld\n", least / CALLS);
	return 0;
}
