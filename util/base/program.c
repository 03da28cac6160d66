// SPDX-License-Identifier: BSD-2-Clause
/* Looking at programs, and preparing for them. */
#include "util/base/program.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

int program_check(int dir_fd, const char *path)
{
	struct stat st;

	if (fstatat(dir_fd, path, &st, 0))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return -EACCES;
	return faccessat(dir_fd, path, X_OK, 0) ? -errno : 0;
}

void program_ignore_signals(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

void program_restore_signals(void)
{
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
}
