/* SPDX-License-Identifier: BSD-2-Clause */
/* What several cases need before their call: a temporary directory, a pipe. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "simfail.h"
#include "util/base/macros.h"

void simfail_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

int simfail_scratch_init(struct simfail_scratch *scratch, struct simfail_run *run)
{
	const char *parents[] = { getenv("TMPDIR"), "/tmp", "." };
	sigset_t all;
	size_t i;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &scratch->old_mask);
	for (i = 0; i < ARRAY_SIZE(parents); i++) {
		if (!parents[i] || !*parents[i])
			continue;
		snprintf(scratch->dir, sizeof(scratch->dir), "%s/simfail-XXXXXX", parents[i]);
		if (!mkdtemp(scratch->dir))
			continue;
		snprintf(scratch->path, sizeof(scratch->path), "%s/it", scratch->dir);
		return 0;
	}
	scratch->dir[0] = '\0';
	return simfail_skip(run, "no place for a temporary directory: set TMPDIR");
}

void simfail_scratch_release(struct simfail_scratch *scratch)
{
	if (scratch->dir[0]) {
		remove(scratch->path);
		rmdir(scratch->dir);
	}
	sigprocmask(SIG_SETMASK, &scratch->old_mask, NULL);
}

int simfail_scratch_program(struct simfail_scratch *scratch, struct simfail_run *run, const char *text)
{
	struct statvfs fs;
	ssize_t written;
	int fd;

	if (!statvfs(scratch->dir, &fs) && (fs.f_flag & ST_NOEXEC))
		return simfail_skip(run, "%s allows no exec: set TMPDIR", scratch->dir);
	fd = open(scratch->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	if (fd < 0)
		return simfail_skip(run, "cannot make %s: %s", scratch->path, strerror(errno));
	written = write(fd, text, strlen(text));
	close(fd);
	if (written != (ssize_t)strlen(text))
		return simfail_skip(run, "cannot write %s", scratch->path);
	return 0;
}

int simfail_open_pipe(int *ret_read_fd, int *ret_write_fd, struct simfail_run *run)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK))
		return simfail_skip(run, "cannot make a pipe: %s", strerror(errno));
	*ret_read_fd = fds[0];
	*ret_write_fd = fds[1];
	return 0;
}
