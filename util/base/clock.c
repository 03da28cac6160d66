// SPDX-License-Identifier: BSD-2-Clause
/* The offset of CLOCK_MONOTONIC in a time namespace. */
#include "util/base/clock.h"

#include <fcntl.h>
#include <stdbool.h>
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

static int64_t read_offset_of_children(void)
{
	_cleanup_(close_fd) int fd = open("/proc/self/timens_offsets", O_RDONLY | O_CLOEXEC);
	char text[256];
	ssize_t len = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	text[len > 0 ? len : 0] = '\0';
	return monotonic_offset_parse(text);
}

/* The inode of the initial time namespace: PROC_TIME_INIT_INO, include/linux/proc_ns.h. */
static const char initial[] = "time:[4026531834]";

/*
 * Before Linux 5.6 there are no such files, and no time namespaces. The offsets are those of our children: of
 * a process that has called unshare(CLONE_NEWTIME), and is in the initial namespace itself, they are not its own.
 */
static int64_t read_offset(void)
{
	char own[32] = "";

	if (readlink("/proc/self/ns/time", own, sizeof(own) - 1) < 0 || !strcmp(own, initial))
		return 0;
	return read_offset_of_children();
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
