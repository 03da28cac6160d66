/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a command once, and keeps what its system calls and those of its children came to. */
#ifndef RETSNOOP_WHY_WATCH_H
#define RETSNOOP_WHY_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "util/why/calls.h"

struct watched {
	struct failed_calls calls;
	uint64_t lost;		/* events that found no room */
	int wait_status;	/* of the command, as waitpid(2) has it */
	bool interrupted;
};

/**
 * @argv	the command; NULL-terminated
 * @user	who runs it (struct workload_env)
 * @stdout_fd	its standard output (struct workload_env)
 * @ret		released by the caller, either way
 * @return	0; -ENOENT and others: the command cannot be run; -EPERM, -errno (reported)
 */
int watch_run(char **argv, const char *user, int stdout_fd, struct watched *ret);
void watched_release(struct watched *watched);

#endif
