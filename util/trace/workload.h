/* SPDX-License-Identifier: BSD-2-Clause */
/* The command after "--": started held, let go when everything is attached. */
#ifndef RETSNOOP_TRACE_WORKLOAD_H
#define RETSNOOP_TRACE_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct workload {
	pid_t pid;	/* 0: none */
	int gate_fd;	/* written to let it go; closed: it ends without having run */
	int error_fd;	/* the errno of a failed exec comes out of it */
	bool released;
	bool over;
	int wait_status;
};

#define WORKLOAD_INIT { .gate_fd = -1, .error_fd = -1 }

/**
 * Fork the process that will become @argv. It waits.
 *
 * @mask	signal mask the command gets back
 * @return	0; -ENOENT no such command, -EACCES, ... (reported); negative errno (reported)
 */
int workload_hold(struct workload *workload, char *const argv[], const sigset_t *mask);

/* 0; negative errno when the command could not be executed after all (reported). */
int workload_release(struct workload *workload, const char *name);

/* Whether it has ended; collects it. */
bool workload_ended(struct workload *workload);

/* How it ended, on stderr; its exit status as a shell counts it (128 + signal). */
int workload_status(const struct workload *workload, const char *name);

/* Ends one that was never let go; one that runs goes on. */
void workload_drop(struct workload *workload);

#endif
