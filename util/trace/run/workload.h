/* SPDX-License-Identifier: BSD-2-Clause */
/* The command after "--": started held, let go when everything is attached. */
#ifndef RETSNOOP_TRACE_RUN_WORKLOAD_H
#define RETSNOOP_TRACE_RUN_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
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

/* What tracing changes in this process, as the command gets it back. */
struct workload_env {
	sigset_t mask;
	struct rlimit memlock;	/* libbpf raises it, before 5.11 */
	const char *user;	/* -u: who runs it; NULL: who runs retsnoop; borrowed */
	int stdout_fd;		/* its standard output; 0: the same as retsnoop's */
};

/*
 * As things stand: to be called before the first use of BPF. @user, @stdout_fd: of struct
 * workload_env
 */
void workload_env_take(struct workload_env *env, const char *user, int stdout_fd);

/* Whether a user exists, and this process may become it. 0; -EINVAL, -EPERM (reported). */
int workload_check_user(const char *user);

/**
 * Fork the process that will become @argv. It waits.
 *
 * @return	0; -ENOENT no such command, -EACCES, ... (reported); negative errno (reported)
 */
int workload_hold(struct workload *workload, char *const argv[], const struct workload_env *env);

/* 0; negative errno when the command could not be executed after all (reported). */
int workload_release(struct workload *workload, const char *name);

/* Whether it has ended; collects it. */
bool workload_ended(struct workload *workload);

/* How it ended, on stderr; its exit status as a shell counts it (128 + signal). */
int workload_status(const struct workload *workload, const char *name);

/* Ends one that was never let go; one that runs goes on. */
void workload_drop(struct workload *workload);

#endif
