// SPDX-License-Identifier: BSD-2-Clause
/* retsnoop: which kernel function made this call fail, and why? */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "builtin/suite/command.h"
#include "builtin/suite/dispatch.h"
#include "builtin/suite/pager.h"
#include "util/base/program.h"
#include "util/base/report.h"
#include "util/kernel/machine/libbpf_log.h"
#include "util/trace/run/workload.h"
#include "util/view/parts/output.h"

/*
 * If standard input, output or error is closed, the next file opened would take its number, and
 * output would go into that file. So /dev/null takes the number, opened so that reading standard
 * input, or writing output, still fails.
 */
static void keep_standard_places(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	}
}

int main(int argc, char **argv)
{
	int status;

	keep_standard_places();
	program_ignore_signals();
	workload_note_settings();
	libbpf_log_init();
	status = dispatch(argc, argv);

	/* A full disk must not look like success. A reader who has seen enough is no error. */
	errno = 0;
	if ((fflush(stdout) || ferror(stdout)) && status < EXIT_USAGE && !pager_is_on() &&
	    errno != EPIPE && !output_reader_left(stdout))
		status = report(EXIT_CANNOT, "cannot write to standard output: %s",
				strerror(errno));
	pager_finish();
	return status;
}
