// SPDX-License-Identifier: BSD-2-Clause
/* Finding processes. */
#include "util/kernel/machine/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "util/base/cleanup.h"
#include "util/base/strbuf.h"

pid_t process_of(pid_t pid)
{
	_cleanup_(free_p) char *path = strf("/proc/%d/status", pid);
	_cleanup_(fclose_p) FILE *file = path ? fopen(path, "re") : NULL;
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0;
	pid_t process;

	if (kill(pid, 0) && errno == ESRCH)
		return 0;
	while (file && getline(&line, &cap, file) > 0) {
		if (sscanf(line, "Tgid: %d", &process) == 1)
			return process;
	}
	/* Hidden, or /proc is not mounted. */
	return pid;
}
