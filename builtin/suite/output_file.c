// SPDX-License-Identifier: BSD-2-Clause
/* Redirect standard output to a file (-o). */
#include "builtin/suite/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "builtin/suite/command.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/trace/record/recording_path.h"

int output_file_check(const struct command_args *args)
{
	if (args->output)
		return output_path_check(args->output);
	if (args->format == FORMAT_PPROF && isatty(STDOUT_FILENO))
		return report(-EINVAL, "--format=pprof is not for a terminal; give a file with -o, or a "
			      "pipe");
	return 0;
}

int output_file_open(const struct command_args *args, int *ret_before)
{
	_cleanup_(close_fd) int fd = -1;
	int before = -1;

	if (!args->output)
		return output_file_check(args);
	fd = output_path_create(args->output);
	if (fd < 0)
		return fd;
	if (ret_before)
		before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if ((ret_before && before < 0) || dup2(fd, STDOUT_FILENO) < 0)
		return report(-errno, "cannot write %s: %s", args->output, strerror(errno));
	if (ret_before)
		*ret_before = before;
	return 0;
}
