// SPDX-License-Identifier: BSD-2-Clause
/* Writing until all is written. */
#include "util/base/write_all.h"

#include <errno.h>
#include <unistd.h>

int write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			at += n;
			size -= n;
		}
	}
	return 0;
}
