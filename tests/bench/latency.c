// SPDX-License-Identifier: BSD-2-Clause
/*
 * How long after a call has returned its session is printed: latency N <FIFO, which a retsnoop
 * --format=json that traces mkdir(2) writes to. Prints microseconds: the least, the median, the
 * 99th of a hundred, the most.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e6 + ts.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* One session is a line. */
static int read_session(void)
{
	char buf[65536];
	ssize_t n;

	do {
		n = read(0, buf, sizeof(buf));
	} while (n > 0 && buf[n - 1] != '\n');
	return n > 0;
}

int main(int argc, char *argv[])
{
	int nr = argc > 1 ? atoi(argv[1]) : 100;
	double *took = calloc(nr ?: 1, sizeof(*took)), begin;

	for (int i = 0; i < nr; i++) {
		usleep(20000 + i * 7919 % 50000);
		mkdir("/proc", 0755);
		begin = now_us();
		if (!read_session())
			return 1;
		took[i] = now_us() - begin;
	}
	qsort(took, nr, sizeof(*took), compare);
	printf("%.0f %.0f %.0f %.0f\n", took[0], took[nr / 2], took[nr * 99 / 100], took[nr - 1]);
	return 0;
}
