// SPDX-License-Identifier: BSD-2-Clause
/* The offset of CLOCK_MONOTONIC in a time namespace. */
#include "util/base/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"

int64_t monotonic_offset_parse(const char *text)
{
	const char *line = strstr(text, "monotonic ");
	long long seconds, ns;

	if (!line || sscanf(line, "monotonic %lld %lld", &seconds, &ns) != 2)
		return 0;
	return seconds * (int64_t)NSEC_PER_SEC + ns;
}

/* Before Linux 5.6 there is no such file, and no time namespace. */
static int64_t read_offset(void)
{
	_cleanup_(close_fd) int fd = open("/proc/self/timens_offsets", O_RDONLY | O_CLOEXEC);
	char text[256];
	ssize_t len = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	text[len > 0 ? len : 0] = '\0';
	return monotonic_offset_parse(text);
}

int64_t monotonic_offset_ns(void)
{
	/* A process with threads cannot change its namespace. Reading it twice at first does no harm. */
	static _Atomic int64_t offset_ns;
	static _Atomic bool known;

	if (!known) {
		offset_ns = read_offset();
		known = true;
	}
	return offset_ns;
}
