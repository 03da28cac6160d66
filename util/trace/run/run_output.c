// SPDX-License-Identifier: BSD-2-Clause
/* Standard output as a stream that waits until its reader reads. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "util/base/report.h"
#include "util/trace/run/run.h"

/*
 * A pipe that is ready accepts PIPE_BUF bytes without blocking (pipe(7)); write at most that many
 * at a time.
 */
static ssize_t write_some(void *cookie, const char *data, size_t size)
{
	const struct run_output *output = cookie;
	size_t written = 0;
	ssize_t n;

	while (written < size) {
		if (output->waiter && !output->waiter->wait(output->waiter->arg)) {
			errno = EPIPE;
			break;
		}
		n = size - written < PIPE_BUF ? size - written : PIPE_BUF;
		n = write(STDOUT_FILENO, data + written, n);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			break;
		written += n > 0 ? n : 0;
	}
	/* Fewer bytes than given, and errno: stdio treats that as an error. */
	return written;
}

int run_output_open(struct run_output *output)
{
	*output = (struct run_output){};
	output->file = fopencookie(output, "w",
				   (cookie_io_functions_t){ .write = write_some });
	return output->file ? 0 : report_oom();
}

bool run_output_stands(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };

	/* Files are always ready. */
	return !poll(&fd, 1, 0);
}

void run_output_close(struct run_output *output)
{
	if (output->file)
		fclose(output->file);
	output->file = NULL;
}
