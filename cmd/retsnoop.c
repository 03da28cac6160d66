// SPDX-License-Identifier: BSD-2-Clause
/* retsnoop: which kernel function made this call fail, and why? */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "builtin/builtin.h"
#include "builtin/suite/dispatch.h"
#include "builtin/suite/pager.h"
#include "util/base/report.h"
#include "util/kernel/machine/libbpf_log.h"

/*
 * A file that is opened must not become standard output because that was closed: what is in their
 * place can be neither read nor written as they can, so that trying fails as it would have.
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
	/* Writing beyond 'ulimit -f' is an error like any other, with a message. */
	signal(SIGXFSZ, SIG_IGN);
	libbpf_log_init();
	status = dispatch(argc, argv);

	/* A full disk must not look like success; who leaves a pager has seen enough. */
	if ((fflush(stdout) || ferror(stdout)) && status < EXIT_USAGE && !pager_is_on())
		status = report(EXIT_CANNOT, "cannot write to standard output: %s",
				strerror(errno));
	pager_finish();
	return status;
}
